import Synchronization

/// What a progress was told.
final class Fractions: Sendable {
  private let told = Mutex<[Double]>([])

  var last: Double? { told.withLock(\.last) }
  var count: Int { told.withLock(\.count) }
  @Sendable func add(_ fraction: Double) { told.withLock { $0.append(fraction) } }
}
