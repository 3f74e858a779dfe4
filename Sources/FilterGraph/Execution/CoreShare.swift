internal import Dispatch
package import ImageBuffer
internal import Synchronization

/// A rendering's share of the cores, as long as this object lives: all renderings under way get as many threads each.
///
/// No rendering waits for another one here, so renderings that need each other cannot block each other.
final class CoreShare: Sendable {
  private static let renderings = Atomic(0)

  init() { Self.renderings.add(1, ordering: .relaxed) }

  deinit { Self.renderings.subtract(1, ordering: .relaxed) }

  /// The share of so many threads, at least one.
  func threads(of limit: Int) -> Int {
    max(1, limit / max(1, Self.renderings.load(ordering: .relaxed)))
  }
}

/// A part of a rendering during which the number of its threads stays the same.
///
/// The first thread that finds another share of the cores ends the round for all of them; the next round begins with the new
/// number. If each thread decided for itself, one could leave during a short rendering that the others never notice, and would not
/// come back.
final class WorkRound: Sendable {
  /// How many threads work in this round.
  let threads: Int

  private let limit: Int
  private let share: CoreShare?
  private let isOver = Atomic(false)

  /// Creates a round of as many of `limit` threads as the share allows; of all of them if there is no share.
  init(limit: Int, share: CoreShare?) {
    (self.limit, self.share) = (limit, share)
    threads = share?.threads(of: limit) ?? limit
  }

  /// Whether a thread may start another group of tiles in this round.
  func goesOn() -> Bool {
    guard let share else { return true }
    if share.threads(of: limit) != threads { isOver.store(true, ordering: .relaxed) }
    return !isOver.load(ordering: .relaxed)
  }
}

extension RenderOptions {
  /// The pixels of a band of rows: enough work to be worth a thread's while.
  private static let pixelsPerBand = 1 << 15

  /// Calls a closure with bands of rows, together all rows of a picture, on as many threads as a rendering has, and waits for all.
  ///
  /// For work on rows outside of a plan, such as the conversion of video frames. The bands depend on the size alone, and a picture of
  /// one band takes no other thread. Bands are begun in their order, so that a thread that is held up keeps no other one waiting.
  ///
  /// - Parameters:
  ///   - size: The size of the picture.
  ///   - work: What is done with a band, on any thread. Bands must not depend on each other.
  package func forEachBand(of size: PixelSize, _ work: @Sendable (_ rows: Range<Int>) -> Void) {
    let rowsPerBand = max(Self.pixelsPerBand / max(size.width, 1), 1)
    let count = (size.height + rowsPerBand - 1) / rowsPerBand
    let next = Atomic(0)

    /// Works until no band is left.
    @Sendable func workOnBands() {
      while true {
        let first = next.add(1, ordering: .relaxed).oldValue * rowsPerBand
        guard first < size.height else { return }
        work(first..<min(first + rowsPerBand, size.height))
      }
    }

    let share = threads == nil ? CoreShare() : nil
    let workers = min(share?.threads(of: workerLimit) ?? workerLimit, count)
    withExtendedLifetime(share) {
      if workers < 2 { return workOnBands() }
      DispatchQueue.concurrentPerform(iterations: workers) { _ in workOnBands() }
    }
  }
}
