internal import Synchronization

/// A value that is computed when it is first read.
///
/// Threads that read it at the same time may each compute it; all get the value that was stored first. No lock is held while the value is
/// computed, so that a value may depend on other deferred values and on static properties.
package final class Deferred<Value: Sendable>: Sendable {
  private final class Box: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  private let compute: @Sendable () -> Value
  private let box = AtomicLazyReference<Box>()

  /// Creates a value that `compute` returns; it must return the same value each time.
  package init(_ compute: @escaping @Sendable () -> Value) { self.compute = compute }

  /// The value, computed at the first access.
  package var value: Value {
    if let box = box.load() { return box.value }
    return box.storeIfNil(Box(compute())).value
  }

  /// Whether the value has been computed.
  package var isComputed: Bool { box.load() != nil }
}
