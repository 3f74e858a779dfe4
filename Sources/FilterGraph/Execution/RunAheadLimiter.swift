internal import Dispatch
internal import Synchronization

/// Limits how far fast worker threads may run ahead of the slowest one.
///
/// Sequential sources keep every row from the first unfinished tile onward, so the distance between the
/// slowest and the fastest thread determines peak memory. A worker calls ``wait()`` before it starts a
/// group of tiles and ``finish(tile:releasing:)`` when a tile is done.
final class RunAheadLimiter: Sendable {
  /// Groups that may be started. A worker that finds no tile left keeps the permit of one.
  // It begins with none and is signaled up: a semaphore may not be freed with a value below its first one.
  private let permits = DispatchSemaphore(value: 0)
  private let tilesPerGroup: Int
  private let state: Mutex<State>
  private let handOver: HandOver?

  private struct State {
    /// Whether each tile from the first unfinished one onward is done, at its index modulo the count.
    var isDone: [Bool]
    var firstUnfinished = 0
    var finishedGroups = 0
  }

  /// Creates a limiter that lets at most `groups` groups of `tilesPerGroup` tiles be under way, counted from
  /// the first unfinished one.
  init(groups: Int, tilesPerGroup: Int, handOver: HandOver? = nil) {
    (self.tilesPerGroup, self.handOver) = (tilesPerGroup, handOver)
    state = Mutex(State(isDone: [Bool](repeating: false, count: groups * tilesPerGroup)))
    permit(groups)
  }

  /// Waits until the next group may be started.
  func wait() { permits.wait() }

  /// Lets `groups` more groups be started: waiting workers find out that the rendering failed.
  func permit(_ groups: Int) {
    for _ in 0..<groups { permits.signal() }
  }

  /// Marks a tile as done, and permits as many new groups as are now finished from the first one onward.
  ///
  /// - Parameters:
  ///   - tile: The tile.
  ///   - release: Frees what only tiles before its argument, the first unfinished tile, needed. New groups
  ///     are permitted after it returns: when k groups have been permitted, `release` has returned for the
  ///     first tile after k finished groups or a later one.
  func finish(tile: Int, releasing release: (_ firstUnfinished: Int) -> Void) {
    let (first, groups) = state.withLock { state in
      let count = state.isDone.count
      state.isDone[tile % count] = true
      while state.isDone[state.firstUnfinished % count] {
        state.isDone[state.firstUnfinished % count] = false
        state.firstUnfinished += 1
      }
      let before = state.finishedGroups
      state.finishedGroups = state.firstUnfinished / tilesPerGroup
      return (state.firstUnfinished, state.finishedGroups - before)
    }
    handOver?(.tileFinished)
    release(first)
    handOver?(.rowsReleased)
    permit(groups)
  }
}

/// Called where one thread hands something over to another. Tests delay threads there.
package typealias HandOver = @Sendable (HandOverPoint) -> Void

/// The places where a ``HandOver`` is called.
package enum HandOverPoint: CaseIterable, Sendable {
  /// A tile is marked as done; the rows that only it needed are still kept.
  case tileFinished
  /// Those rows are released; no further group is permitted yet.
  case rowsReleased
  /// A band of rows is read; nobody else sees it yet.
  case bandRead
  /// A buffer for results is taken; the tiles for it are not chosen yet.
  case bufferTaken
  /// Bands are delivered; their buffer is not given back yet.
  case bandsDelivered
}
