internal import Synchronization

/// A thread-safe cache of values by the content they were derived from, bounded in bytes.
///
/// Values are evicted by least recent use: a profile that every request uses stays, however many others come and go.
package final class ContentCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Entry {
    let value: Value
    let byteCount: Int
    var lastUse: Int
  }

  private struct Contents {
    var entries: [Key: Entry] = [:]
    var byteCount = 0
    var uses = 0
  }

  private let byteLimit: Int
  private let contents = Mutex(Contents())

  /// What each entry counts besides its tables, for small values. It also bounds the number of entries.
  private static var entryByteCount: Int { 16 << 10 }

  /// Creates an empty cache of values and keys of so many bytes in sum.
  package init(byteLimit: Int) { self.byteLimit = byteLimit }

  /// The bytes that the entries count.
  package var byteCount: Int { contents.withLock { $0.byteCount } }

  /// Returns the value for a key, which becomes the most recently used one; nil if it is not there.
  package func value(for key: Key) -> Value? {
    contents.withLock { contents in
      guard let index = contents.entries.index(forKey: key) else { return nil }
      contents.uses += 1
      contents.entries.values[index].lastUse = contents.uses
      return contents.entries.values[index].value
    }
  }

  /// Inserts a value that takes so many bytes together with its key. One of more than a quarter of the limit is not kept,
  /// because it would evict most others.
  package func insert(_ value: Value, for key: Key, byteCount: Int) {
    let byteCount = byteCount + Self.entryByteCount
    guard byteCount <= byteLimit / 4 else { return }
    contents.withLock { contents in
      contents.uses += 1
      let entry = Entry(value: value, byteCount: byteCount, lastUse: contents.uses)
      let replaced = contents.entries.updateValue(entry, forKey: key)
      contents.byteCount += byteCount - (replaced?.byteCount ?? 0)
      while contents.byteCount > byteLimit,
        let index = contents.entries.indices.min(by: {
          contents.entries.values[$0].lastUse < contents.entries.values[$1].lastUse
        })
      {
        contents.byteCount -= contents.entries.remove(at: index).value.byteCount
      }
    }
  }
}
