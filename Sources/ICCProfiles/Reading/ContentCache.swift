internal import Synchronization

/// A thread-safe cache of values by the content they were derived from. It evicts the oldest value when it is full.
final class ContentCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Entries {
    var values: [Key: Value] = [:]
    var order: [Key] = []
  }

  private let limit: Int
  private let entries = Mutex(Entries())

  init(limit: Int) { self.limit = limit }

  func value(for key: Key) -> Value? { entries.withLock { $0.values[key] } }

  func insert(_ value: Value, for key: Key) {
    entries.withLock { entries in
      guard entries.values.updateValue(value, forKey: key) == nil else { return }
      entries.order.append(key)
      if entries.order.count > limit { entries.values[entries.order.removeFirst()] = nil }
    }
  }
}
