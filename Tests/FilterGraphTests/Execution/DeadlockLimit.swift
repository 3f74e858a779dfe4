import Testing

extension Trait where Self == TimeLimitTrait {
  /// Ends a test that would wait forever. It decides nothing else: beside four busy loops on two cores, tests have waited for nine minutes
  /// until others left them a thread.
  static var endsDeadlocks: Self { .timeLimit(.minutes(30)) }
}
