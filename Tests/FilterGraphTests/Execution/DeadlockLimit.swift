import Testing

extension Trait where Self == TimeLimitTrait {
  /// Ends a test that would wait forever. On a busy machine a test waits for minutes until others leave it a thread: the limit is many times
  /// as long, so that it decides nothing else.
  static var endsDeadlocks: Self { .timeLimit(.minutes(30)) }
}
