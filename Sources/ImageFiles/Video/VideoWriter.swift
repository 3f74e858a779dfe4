public import ImageBuffer

/// Writes the frames of a video to a file or a pipe in order: as YUV4MPEG2, or as raw samples without a header.
public final class VideoWriter {
  /// How the frames are stored.
  public let format: VideoFormat
  private let target: AtomicFile
  private let path: String
  /// Whether a line stands before each frame.
  private let hasFrameLines: Bool
  private let block: MemoryBlock
  private var frame: UnsafeMutableRawBufferPointer { block.bytes }
  private var position = 0

  /// Begins to write. The path `-` is standard output; a file appears when it is finished.
  ///
  /// - Parameters:
  ///   - path: Where the video goes.
  ///   - format: How the frames are stored.
  ///   - isBare: Whether samples are written without a header.
  ///   - limits: The limits of the video's frames, as ``VideoReader`` has them: the pixels of a frame, and the memory of a frame and its
  ///     bitmap.
  public init(
    _ path: String, _ format: VideoFormat, isBare: Bool = false, limits: FileLimits = FileLimits()
  ) throws(ImageFileError) {
    if let problem = format.problem { throw .cannotWrite(file: path, reason: problem) }
    (self.path, self.format, hasFrameLines) = (path, format, !isBare)
    let header = isBare ? nil : try Y4MHeader(describing: format, file: path)
    block = try format.frameMemory(for: path, limits)
    target = try AtomicFile(path)
    if let header { try put(Array("\(header.line)\n".utf8)) }
  }

  /// Writes the next frame, given as encoded values of the format's space.
  ///
  /// Throws ``ImageFileError/cannotWrite(file:reason:)`` where the bitmap has another size than the format, or other channels than red,
  /// green and blue: frames hold no transparency.
  public func write(_ bitmap: Bitmap<UInt16>) throws(ImageFileError) {
    guard bitmap.size == format.size, bitmap.channels == .rgb else {
      throw .cannotWrite(
        file: path,
        reason: "its frames have \(format.size) pixels of rgb, and this one has \(bitmap.size) of "
          + "\(bitmap.channels)")
    }
    FrameSamples(format).store(bitmap, in: frame)
    try put(frame: UnsafeRawBufferPointer(frame))
  }

  /// Writes the next frame from the samples of a format with the same components.
  func write(
    stored samples: UnsafeRawBufferPointer, as source: VideoFormat
  ) throws(ImageFileError) {
    if source.layout == format.layout {
      try put(frame: samples)
    } else {
      FrameSamples(format).store(samples, as: source, in: frame)
      try put(frame: UnsafeRawBufferPointer(frame))
    }
  }

  private func put(frame samples: UnsafeRawBufferPointer) throws(ImageFileError) {
    if hasFrameLines { try put(Array("FRAME\n".utf8)) }
    guard target.put(samples, at: position) else { throw failure }
    position += samples.count
  }

  /// Moves the file to its final path.
  public func finish() throws(ImageFileError) { try target.commit() }

  private func put(_ bytes: [UInt8]) throws(ImageFileError) {
    try target.store(bytes, at: position, file: path)
    position += bytes.count
  }

  private var failure: ImageFileError {
    .cannotWrite(file: path, reason: target.failure ?? "it takes no bytes")
  }
}
