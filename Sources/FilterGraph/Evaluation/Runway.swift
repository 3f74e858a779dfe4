internal import Dispatch
internal import Synchronization

/// Keeps the threads of a rendering together: none begins tiles that lie too far behind the first one that is not done.
///
/// Of sources that give their rows in order, all is kept from that tile on. How far threads may run ahead of a slow one says how much
/// memory that takes.
final class Runway: Sendable {
  private let tilesAtOnce: Int
  // A thread that finds no tile left keeps the room of one group.
  private let room = DispatchSemaphore(value: 0)
  private let state: Mutex<State>

  private struct State {
    /// Whether tiles are done, each at its index modulo the count.
    var isDone: [Bool]
    var firstNotDone = 0
    var doneGroups = 0
  }

  /// Room for so many groups of so many tiles, the first of which is not done.
  init(groups: Int, of tilesAtOnce: Int) {
    self.tilesAtOnce = tilesAtOnce
    state = Mutex(State(isDone: [Bool](repeating: false, count: groups * tilesAtOnce)))
    giveRoom(groups)
  }

  /// Waits until the next group may be begun.
  func wait() { room.wait() }

  /// Room for groups that nobody must wait for: some tile failed, and will never be done.
  func giveRoom(_ groups: Int) {
    for _ in 0..<groups { room.signal() }
  }

  /// Notes that a tile is done. Returns the first one that is not.
  func finish(tile: Int) -> Int {
    let (first, groups) = state.withLock { state in
      let count = state.isDone.count
      state.isDone[tile % count] = true
      while state.isDone[state.firstNotDone % count] {
        state.isDone[state.firstNotDone % count] = false
        state.firstNotDone += 1
      }
      let before = state.doneGroups
      state.doneGroups = state.firstNotDone / tilesAtOnce
      return (state.firstNotDone, state.doneGroups - before)
    }
    giveRoom(groups)
    return first
  }
}
