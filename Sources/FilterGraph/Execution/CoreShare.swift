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
