internal import Synchronization

/// A rendering's part of the cores, as long as this object lives: as many threads as each of all renderings under way has.
///
/// Nobody waits for anybody, so that renderings that need each other cannot block each other.
final class CoreShare: Sendable {
  private static let renderings = Atomic(0)

  init() { Self.renderings.add(1, ordering: .relaxed) }

  deinit { Self.renderings.subtract(1, ordering: .relaxed) }

  /// The part of so many threads, at least one.
  func threads(of limit: Int) -> Int {
    max(1, limit / max(1, Self.renderings.load(ordering: .relaxed)))
  }
}
