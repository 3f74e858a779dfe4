import Synchronization

/// The results that a command has written so far, by their paths.
///
/// A job of a batch that needs more memory than its share runs again alone. What it wrote before is its own, and does not count as a
/// result that existed; see ``ExistingResults``.
final class ResultsWritten: Sendable {
  private let list = Mutex<Set<String>>([])

  func add(_ path: String) { list.withLock { _ = $0.insert(path) } }

  func contains(_ path: String) -> Bool { list.withLock { $0.contains(path) } }
}

extension Tool {
  /// The results of the job that runs on this thread; nil outside of jobs that may run twice.
  @TaskLocal static var resultsWritten: ResultsWritten?
}
