internal import Dispatch
internal import Synchronization

/// A fixed number of buffers that threads take and give back. A thread that finds none free waits.
///
/// A pool never makes more buffers than its capacity, each when it is first needed, so the memory it takes
/// does not depend on how threads are scheduled. Who takes a buffer must be able to give it back without
/// waiting for another one of the same pool.
package final class BufferPool<Buffer: Sendable>: Sendable {
  private struct State {
    var free: [Buffer] = []
    /// How many buffers there are, taken or free.
    var count = 0
    var waiting = 0
    var isClosed = false
  }

  private let capacity: Int
  private let make: @Sendable () throws(RenderError) -> Buffer
  private let state: Mutex<State>
  // Threads sleep here; a condition for one thread at a time.
  private let wakeUp = DispatchSemaphore(value: 0)

  /// Creates a pool of at most `capacity` buffers that `make` returns.
  package init(
    capacity: Int, make: @escaping @Sendable () throws(RenderError) -> Buffer
  ) {
    precondition(capacity > 0, "A pool needs at least one buffer; got \(capacity).")
    (self.capacity, self.make) = (capacity, make)
    state = Mutex(State())
  }

  /// Takes a free buffer, the last one that was given back first; waits for one if all are taken.
  ///
  /// - Returns: A buffer, or nil once the pool is closed.
  package func take() throws(RenderError) -> Buffer? {
    while true {
      switch state.withLock({ attempt(&$0) }) {
      case .found(let buffer): return buffer
      case .closed: return nil
      case .mustWait: wakeUp.wait()
      case .mayMake:
        do throws(RenderError) { return try make() } catch {
          state.withLock {
            $0.count -= 1
            wakeOne(&$0)
          }
          throw error
        }
      }
    }
  }

  /// How many threads wait for a buffer. For tests.
  package var waitingCount: Int { state.withLock(\.waiting) }

  private enum Attempt {
    case found(Buffer)
    case mayMake, mustWait, closed
  }

  private func attempt(_ state: inout State) -> Attempt {
    if state.isClosed { return .closed }
    if let buffer = state.free.popLast() { return .found(buffer) }
    if state.count < capacity {
      state.count += 1
      // Giving back then never allocates.
      state.free.reserveCapacity(state.count)
      return .mayMake
    }
    state.waiting += 1
    return .mustWait
  }

  /// Gives a buffer back for the next thread.
  package func giveBack(_ buffer: Buffer) {
    state.withLock { state in
      state.free.append(buffer)
      wakeOne(&state)
    }
  }

  /// Ends all waiting: ``take()`` returns nil from now on.
  package func close() {
    state.withLock { state in
      state.isClosed = true
      while state.waiting > 0 { wakeOne(&state) }
    }
  }

  private func wakeOne(_ state: inout State) {
    guard state.waiting > 0 else { return }
    state.waiting -= 1
    wakeUp.signal()
  }
}
