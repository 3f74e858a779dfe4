internal import FilterGraph

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

  /// Creates a sink for the bytes of a file, which may take the memory that its encoder and its rendering leave of their limits.
  convenience init(for job: EncodingJob, besides rendering: Int, _ options: RenderOptions) {
    let limits = [
      job.options.memoryLimit.map { $0 - job.memoryBytes },
      options.memoryLimit.map { $0 - rendering },
    ]
    self.init(memoryLimit: limits.compactMap(\.self).min() ?? .max, for: job.file)
  }

  /// Returns all bytes, now that the rendering has ended. The error for too many names the options whose limit is the lower one.
  func bytes(
    rendered options: RenderOptions, writing: WritingOptions
  ) throws(ImageFileError) -> [UInt8] {
    if let spill, let limit = options.memoryLimit, limit <= writing.memoryLimit ?? .max,
      spill.count > limit
    {
      throw .rendering(.tooMuchMemory(bytes: spill.count, limit: limit))
    }
    return try bytes(memoryLimit: writing.memoryLimit)
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
