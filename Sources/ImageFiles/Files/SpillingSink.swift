internal import FilterGraph
internal import ImageBuffer

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

  /// Reads bytes that were put before.
  func read(into target: UnsafeMutableRawBufferPointer, at position: Int) throws(ImageFileError) {
    if let spill { return try spill.read(into: target, at: position, file: file) }
    memory.bytes.withUnsafeBytes { bytes in
      target.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: bytes[position..<position + target.count]))
    }
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

  /// Creates a sink for the bytes of a file, which may take the memory that its encoder and its rendering leave of their limits; of the
  /// latter, an equal share where `count` files are rendered together.
  convenience init(
    for job: EncodingJob, besides rendering: Int, _ options: RenderOptions, among count: Int = 1
  ) {
    let limits = [
      job.options.memoryLimit.map { $0 - job.memoryBytes },
      options.memoryLimit.map { ($0 - rendering) / count },
    ]
    self.init(memoryLimit: limits.compactMap(\.self).min() ?? .max, for: job.file)
  }

  /// Returns all bytes, now that the rendering has ended. The error for too many names the options whose limit is the lower one.
  func bytes(
    rendered options: RenderOptions, writing: WritingOptions
  ) throws(ImageFileError) -> [UInt8] {
    try check(writing, rendered: options)
    try Self.fit([self], options)
    return try bytes()
  }

  /// Throws where there are more bytes than the options of the file allow, if these allow fewer than those of the rendering.
  func check(
    _ writing: WritingOptions, rendered options: RenderOptions
  ) throws(ImageFileError) {
    guard let limit = writing.memoryLimit, limit < options.memoryLimit ?? .max, count > limit
    else { return }
    throw .tooMuchMemoryToWrite(file: file, bytes: count, limit: limit)
  }

  /// Makes the bytes of files that were rendered together fit into the memory limit of their rendering. Throws where there are too many.
  static func fit(_ sinks: [SpillingSink], _ options: RenderOptions) throws(ImageFileError) {
    guard let limit = options.memoryLimit else { return }
    func sum(_ count: (SpillingSink) -> Int) -> Int {
      sinks.reduce(0) { $0.addingSaturated(count($1)) }
    }
    guard sum(\.count) <= limit else {
      throw .rendering(.tooMuchMemory(bytes: sum(\.count), limit: limit))
    }
    // A buffer that has grown is larger than its bytes; one for the bytes of a file is not.
    if sum(\.heldBytes) > limit { for sink in sinks { try sink.moveAllToFile() } }
  }

  /// How many bytes there are.
  private var count: Int { spill?.count ?? memory.bytes.count }

  /// The memory in bytes that ``bytes()`` takes.
  private var heldBytes: Int { spill?.count ?? memory.bytes.capacity }

  private func moveAllToFile() throws(ImageFileError) {
    guard spill != nil || moveToFile() else {
      throw .cannotWrite(file: file, reason: failure ?? "it takes no bytes")
    }
  }

  /// Returns all bytes.
  func bytes() throws(ImageFileError) -> [UInt8] {
    guard let spill else { return memory.bytes }
    _ = memory.makeRoom(for: spill.count)
    try spill.copy(to: memory, file: file)
    return memory.bytes
  }
}
