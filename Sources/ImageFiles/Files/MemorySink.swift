/// Bytes in memory, up to a limit.
final class MemorySink: ByteSink {
  private(set) var bytes: [UInt8] = []
  let canGoBack = true
  private(set) var failure: String?
  private let limit: Int

  /// Creates a sink. While the buffer grows, both the old and the new allocation count toward the limit.
  init(limit: Int = .max) { self.limit = limit }

  func put(_ new: UnsafeRawBufferPointer, at position: Int) -> Bool {
    let (end, overflow) = position.addingReportingOverflow(new.count)
    guard !overflow, makeRoom(for: end) else {
      failure = "its bytes exceed the \(limit) bytes of memory that are left for them"
      return false
    }
    if position > bytes.count {
      bytes.append(contentsOf: repeatElement(0, count: position - bytes.count))
    }
    bytes.replaceSubrange(position..<min(end, bytes.count), with: new)
    return true
  }

  /// Doubles the buffer, or grows it to the limit; returns whether it holds so many bytes.
  func makeRoom(for count: Int) -> Bool {
    let old = bytes.capacity
    if count <= old { return true }
    let capacity = min(max(2 * old, count), limit - old)
    guard capacity >= count else { return false }
    bytes.reserveCapacity(capacity)
    return true
  }
}
