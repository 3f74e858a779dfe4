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

/// Bytes in memory, up to a limit beyond which all of them move to a temporary file.
final class SpillingSink: ByteSink {
  let canGoBack = true
  var failure: String? { spill?.failure ?? refusal }
  private let file: String
  private var memory: MemorySink
  private var spill: SpillFile?
  private var refusal: String?

  /// Creates a sink for the bytes of a file of this name.
  init(memoryLimit: Int, for file: String) {
    (memory, self.file) = (MemorySink(limit: memoryLimit), file)
  }

  func put(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Bool {
    if let spill { return spill.put(bytes, at: position) }
    return memory.put(bytes, at: position) || moveToFile() && put(bytes, at: position)
  }

  private func moveToFile() -> Bool {
    let spill: SpillFile
    do throws(ImageFileError) { spill = try SpillFile(for: file) } catch {
      refusal = if case .cannotWrite(_, let reason) = error { reason } else { "\(error)" }
      return false
    }
    self.spill = spill
    let isWritten = memory.bytes.withUnsafeBytes { spill.put($0, at: 0) }
    memory = MemorySink()
    return isWritten
  }

  /// Returns all bytes, which need memory for themselves alone.
  func bytes(memoryLimit: Int?) throws(ImageFileError) -> [UInt8] {
    guard let spill else { return memory.bytes }
    if let memoryLimit, spill.count > memoryLimit {
      throw .tooMuchMemory(file: file, bytes: spill.count, limit: memoryLimit)
    }
    _ = memory.makeRoom(for: spill.count)
    try spill.copy(to: memory, file: file)
    return memory.bytes
  }
}
