internal import Dispatch
internal import Synchronization

/// Work on another thread while its caller goes on, one piece at a time.
final class BackgroundWork<Outcome: Sendable>: Sendable {
  private let group = DispatchGroup()
  /// A queue of its own: a read that waits for a pipe must not keep other work of the process waiting.
  private let queue = DispatchQueue(label: "colorloom.frames")
  private let outcome = Mutex<Outcome?>(nil)

  /// Starts a piece of work. The outcome of the last one must have been taken.
  func start(_ work: @escaping @Sendable () -> Outcome) {
    queue.async(group: group) { [self] in
      let outcome = work()
      self.outcome.withLock { $0 = outcome }
    }
  }

  /// The outcome of work that is done and was not taken. Does not wait.
  var finished: Outcome? { outcome.withLock(\.self) }

  /// Waits until the work is done; returns its outcome once. Nil where none was started since the last call.
  @discardableResult func take() -> Outcome? {
    group.wait()
    return outcome.withLock { outcome in
      defer { outcome = nil }
      return outcome
    }
  }
}
