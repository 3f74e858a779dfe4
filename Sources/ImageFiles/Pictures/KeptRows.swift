internal import ImageBuffer

/// The rows of a picture that is encoded as a whole, or more than once: kept in order until all are there.
struct KeptRows {
  private var memory: MemoryBlock?
  private var rowBytes = 0
  private(set) var count = 0

  /// All bytes of the rows, in order; nil without rows.
  var bytes: UnsafeRawBufferPointer? { memory.map { UnsafeRawBufferPointer($0.bytes) } }

  /// The row `y`, of those that are there.
  subscript(y: Int) -> UnsafeRawBufferPointer? {
    bytes.map { UnsafeRawBufferPointer(rebasing: $0[y * rowBytes..<(y + 1) * rowBytes]) }
  }

  /// Copies the next row.
  mutating func append(_ row: UnsafeRawBufferPointer, of job: EncodingJob) throws(ImageFileError) {
    let block = try block(bytesPerRow: row.count, of: job)
    block[count * row.count..<(count + 1) * row.count].copyMemory(from: row)
    count += 1
  }

  private mutating func block(
    bytesPerRow: Int, of job: EncodingJob
  ) throws(ImageFileError) -> MemoryBlock {
    if let memory { return memory }
    let block = try MemoryBlock(byteCount: job.size.height * bytesPerRow, for: job.file)
    (memory, rowBytes) = (block, bytesPerRow)
    return block
  }
}
