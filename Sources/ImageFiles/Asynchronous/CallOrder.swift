internal import Synchronization

/// Admits the asynchronous calls of an object one after another, in the order in which they were made. A call that waits holds no thread.
final class CallOrder: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [CancellableWait<Void>] = []
  }

  private let state = Mutex(State())

  /// Whether a call was admitted that has not left yet.
  var isTaken: Bool { state.withLock(\.isTaken) }

  /// Waits until the calls before this one have left. Returns whether this one is admitted; false where its task is cancelled.
  ///
  /// The call has its place in the order before the first suspension: the closures of `withTaskCancellationHandler` may leave the actor of
  /// the caller, so that another call of the actor would come first.
  nonisolated(nonsending) func enter() async -> Bool {
    if Task.isCancelled { return false }
    let wait = CancellableWait<Void>()
    let isFree = state.withLock { state in
      if state.isTaken {
        state.waiting.append(wait)
        return false
      }
      state.isTaken = true
      return true
    }
    if isFree { return true }
    let isAdmitted = await wait.value() != nil
    if !isAdmitted { state.withLock { $0.waiting.removeAll { $0 === wait } } }
    return isAdmitted
  }

  /// Admits the next call. May be called on any thread.
  func leave() {
    while true {
      let next: CancellableWait<Void>? = state.withLock { state in
        if state.waiting.isEmpty {
          state.isTaken = false
          return nil
        }
        return state.waiting.removeFirst()
      }
      guard let next, !next.end(with: ()) else { return }
    }
  }
}
