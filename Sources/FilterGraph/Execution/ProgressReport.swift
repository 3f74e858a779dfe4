internal import Synchronization

/// Counts finished tiles and reports their share, in order: the lock is held while the caller's `report` runs.
final class ProgressReport: Sendable {
  private let finished = Mutex(0)
  private let total: Int
  private let report: (@Sendable (Double) -> Void)?

  init(total: Int, report: (@Sendable (Double) -> Void)?) {
    (self.total, self.report) = (total, report)
  }

  func finish(_ tiles: Int) {
    guard let report else { return }
    finished.withLock { count in
      count += tiles
      report(Double(count) / Double(total))
    }
  }
}
