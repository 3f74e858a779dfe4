import Dispatch
import Synchronization

/// Divides the memory and the threads of a command among jobs that run at once.
///
/// Each job has an equal share. One that needs more memory gives up its share, waits until no other job runs, and then has all of it.
final class SharedBudget: Sendable {
  private let whole, share: Settings
  private let state = Mutex(State())

  private struct State {
    /// How many jobs run.
    var running = 0
    var isAlone = false
    var waiting: [(isAlone: Bool, turn: DispatchSemaphore)] = []

    /// Lets jobs begin, in the order in which they came.
    mutating func admit() {
      while let next = waiting.first, !isAlone, !next.isAlone || running == 0 {
        waiting.removeFirst()
        running += 1
        isAlone = next.isAlone
        next.turn.signal()
      }
    }
  }

  /// Divides the resources of a command among at most so many jobs at once.
  init(_ settings: Settings, among jobs: Int) {
    (whole, share) = (settings, settings.share(of: jobs))
  }

  /// Runs a job with its share.
  func run<Value>(_ job: (Settings) throws -> Value) rethrows -> Value {
    begin(alone: false)
    defer { end() }
    var settings = share
    settings.budget = self
    return try job(settings)
  }

  /// Runs a part of a running job while no other job runs. Limits that the job itself sets stay.
  ///
  /// - Parameters:
  ///   - settings: The settings of the job, within its share.
  ///   - part: What to run, with the settings to run it with.
  func runAlone<Value>(_ settings: Settings, _ part: (Settings) throws -> Value) rethrows -> Value {
    end()
    begin(alone: true)
    defer {
      end()
      begin(alone: false)
    }
    var settings = settings
    if isShared(settings) { settings.memory = whole.memory }
    if settings.threads == share.threads { settings.threads = whole.threads }
    settings.budget = nil
    return try part(settings)
  }

  /// Whether the memory limit of a job is that of its share, as opposed to one that the job itself sets.
  func isShared(_ settings: Settings) -> Bool { settings.memory == share.memory }

  private func begin(alone isAlone: Bool) {
    let turn = DispatchSemaphore(value: 0)
    state.withLock { state in
      state.waiting.append((isAlone, turn))
      state.admit()
    }
    turn.wait()
  }

  private func end() {
    state.withLock { state in
      state.running -= 1
      state.isAlone = false
      state.admit()
    }
  }
}
