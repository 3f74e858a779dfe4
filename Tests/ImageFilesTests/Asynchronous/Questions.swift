import Synchronization

/// Counts how often a rendering asks whether it is cancelled, which it is after `limit` questions.
final class Questions: Sendable {
  private let asked = Mutex(0)
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  var count: Int { asked.withLock(\.self) }

  @Sendable func ask() -> Bool {
    asked.withLock { asked in
      asked += 1
      return asked > limit
    }
  }
}
