internal import Synchronization

/// Results of a slow function. Programs are lowered with every frame of a stream, so that results are kept.
package final class KnownResults<Key: Hashable & Sendable, Result: Sendable>: Sendable {
  private let limit: Int
  private let results = Mutex<[Key: Result]>([:])

  /// Creates an empty list. It is emptied again when it has `limit` results, which should be more than one plan asks for: a plan
  /// that asks for more finds none of them when it is made again.
  package init(limit: Int) { self.limit = limit }

  /// Returns the result for a key, which `compute` returns if it is not known.
  package func result(for key: Key, _ compute: () -> Result) -> Result {
    if let known = results.withLock({ $0[key] }) { return known }
    // Concurrent threads may compute the same result; none waits for another.
    let result = compute()
    results.withLock { results in
      if results.count >= limit { results.removeAll() }
      results[key] = result
    }
    return result
  }
}
