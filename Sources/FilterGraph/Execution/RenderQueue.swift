internal import Dispatch
internal import ImageBuffer
internal import Synchronization

/// Admits asynchronous renderings: as many run at once as threads can (``activeProcessorCount``), the others wait in the order in which
/// they asked.
///
/// A waiting rendering holds neither a thread nor memory for pixels, and it has promised no blocks of a cache: only renderings that
/// run have, and no running rendering waits for a waiting one. For that, the renderings that a running one asks for, such as those
/// that a row source awaits while it is read, wait in a queue of their own.
package final class RenderQueue: Sendable {
  /// The queue for renderings that the current code asks for: one for the whole program, and one inside of each rendering. Tasks
  /// inherit it.
  @TaskLocal package static var current = RenderQueue(limit: activeProcessorCount)

  /// How often ``RenderOptions/isCancelled`` is asked while a rendering waits.
  private static let pollInterval = DispatchTimeInterval.milliseconds(50)

  private struct State {
    var running = 0
    /// Those who wait, by their numbers.
    var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
    /// Of those who wait, whom to ask whether to stop.
    var questions: [Int: @Sendable () -> Bool] = [:]
    /// The next number to give, and the least one that may still wait.
    var (next, first) = (0, 0)
    var isPolling = false

    mutating func remove(_ number: Int) -> CheckedContinuation<Bool, Never>? {
      questions[number] = nil
      return waiting.removeValue(forKey: number)
    }
  }

  private let limit: Int
  private let state = Mutex(State())

  /// Creates a queue that runs at most `limit` renderings at once.
  package init(limit: Int) { self.limit = limit }

  /// How many renderings run and how many wait. For tests.
  package var counts: (running: Int, waiting: Int) {
    state.withLock { ($0.running, $0.waiting.count) }
  }

  /// Calls `body` on a thread of its own as soon as there is a slot.
  ///
  /// - Parameters:
  ///   - isCancelled: Asked from time to time while the rendering waits, and handed on to `body`.
  ///   - body: Renders. The closure it is handed says whether the task or the caller was cancelled.
  /// - Returns: What `body` returns; nil if the rendering was cancelled before there was a slot.
  package func run<Value: Sendable>(
    isCancelled: (@Sendable () -> Bool)? = nil,
    _ body: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) -> Value
  ) async -> Value? {
    let ticket = Ticket()
    return await withTaskCancellationHandler {
      guard await admit(ticket, isCancelled) else { return nil }
      return await withCheckedContinuation { continuation in
        // A serial queue gets a thread even where the threads of the global queues are all blocked.
        DispatchQueue(label: "colorloom.rendering").async {
          let value = Self.$current.withValue(RenderQueue(limit: self.limit)) {
            body { ticket.isCancelled || isCancelled?() == true }
          }
          self.leave()
          // This thread must not hold a bitmap any more when the caller has it: editing the bitmap would copy it.
          continuation.resume(returning: consume value)
        }
      }
    } onCancel: {
      ticket.cancel()
      remove([ticket.number])
    }
  }

  /// Calls `body` on a thread of its own at once: for short work that waits for files, which takes no slot.
  package static func withoutSlot<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "colorloom.files").async { continuation.resume(returning: body()) }
    }
  }

  /// Waits for a slot. Returns whether there is one; false where the ticket was cancelled before.
  private func admit(_ ticket: Ticket, _ isCancelled: (@Sendable () -> Bool)?) async -> Bool {
    await withCheckedContinuation { continuation in
      let answer: Bool? = state.withLock { state in
        if state.running < limit, !ticket.isCancelled {
          state.running += 1
          return true
        }
        // Nobody else gets the number, also where the ticket is cancelled already: whoever cancels it removes the number.
        ticket.number = state.next
        state.next += 1
        // Cancelling marks the ticket before it reads the number: one of the two sides sees the other.
        if ticket.isCancelled { return false }
        state.waiting[ticket.number] = continuation
        state.questions[ticket.number] = isCancelled
        return nil
      }
      if let answer { continuation.resume(returning: answer) } else { pollLater() }
    }
  }

  /// Hands a slot on to whoever waited longest.
  private func leave() {
    let next: CheckedContinuation<Bool, Never>? = state.withLock { state in
      while state.first < state.next {
        state.first += 1
        if let next = state.remove(state.first - 1) { return next }
      }
      state.running -= 1
      return nil
    }
    next?.resume(returning: true)
  }

  private func remove(_ numbers: [Int]) {
    let cancelled = state.withLock { state in numbers.compactMap { state.remove($0) } }
    for continuation in cancelled { continuation.resume(returning: false) }
  }

  /// Asks those who wait whether to stop, again and again while there is anybody to ask.
  private func pollLater() {
    let mustPoll = state.withLock { state in
      if state.isPolling || state.questions.isEmpty { return false }
      state.isPolling = true
      return true
    }
    guard mustPoll else { return }
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.pollInterval) {
      let questions = self.state.withLock { state in
        state.isPolling = false
        return state.questions
      }
      self.remove(questions.filter { $0.value() }.map(\.key))
      self.pollLater()
    }
  }
}

/// A rendering's place in a queue.
private final class Ticket: Sendable {
  private let place = Atomic(-1)
  private let flag = Atomic(false)

  /// Its number; -1 before it waits.
  var number: Int {
    get { place.load(ordering: .sequentiallyConsistent) }
    set { place.store(newValue, ordering: .sequentiallyConsistent) }
  }

  var isCancelled: Bool { flag.load(ordering: .sequentiallyConsistent) }
  func cancel() { flag.store(true, ordering: .sequentiallyConsistent) }
}
