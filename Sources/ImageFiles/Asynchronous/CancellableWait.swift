internal import Synchronization

/// A task's wait for a value from another thread, which ends early where the task is cancelled.
final class CancellableWait<Value: Sendable>: Sendable {
  private enum State {
    /// Nobody waits yet.
    case begun
    case waiting(CheckedContinuation<Value?, Never>)
    case ended(Value?)
  }

  private let state = Mutex(State.begun)

  /// Waits until ``end(with:)`` is called, which may have happened already, and returns its value; nil as soon as the task is cancelled.
  nonisolated(nonsending) func value() async -> Value? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let end: Value?? = state.withLock { state in
          if case .ended(let value) = state { return .some(value) }
          state = .waiting(continuation)
          return nil
        }
        if let end { continuation.resume(returning: end) }
      }
    } onCancel: {
      end(with: nil)
    }
  }

  /// Ends the wait; returns whether it had not ended before.
  @discardableResult func end(with value: Value?) -> Bool {
    let (isFirst, waiting): (Bool, CheckedContinuation<Value?, Never>?) = state.withLock { state in
      defer { if case .ended = state {} else { state = .ended(value) } }
      return switch state {
      case .begun: (true, nil)
      case .waiting(let continuation): (true, continuation)
      case .ended: (false, nil)
      }
    }
    waiting?.resume(returning: value)
    return isFirst
  }
}
