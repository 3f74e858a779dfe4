public import ImageBuffer

/// Writes the frames of a video to a file or a pipe, one after the other: as YUV4MPEG2, or their bare samples.
public final class VideoWriter {
  /// How the frames are stored.
  public let format: VideoFormat
  private let target: AtomicFile
  private let path: String
  /// Whether a line stands before each frame.
  private let hasFrameLines: Bool
  private let frame: UnsafeMutableRawBufferPointer
  private var position = 0

  /// Begins to write. The path `-` is standard output; a file appears when it is finished.
  public init(
    _ path: String, _ format: VideoFormat, isBare: Bool = false
  ) throws(ImageFileError) {
    (self.path, self.format, hasFrameLines) = (path, format, !isBare)
    let header = isBare ? nil : try Y4MHeader(describing: format, file: path)
    target = try AtomicFile(path)
    frame = .allocate(byteCount: format.frameBytes, alignment: 16)
    if let header { try put(Array("\(header.line)\n".utf8)) }
  }

  deinit { frame.deallocate() }

  /// Writes the next frame: numbers of the format's space.
  public func write(_ bitmap: Bitmap<UInt16>) throws(ImageFileError) {
    precondition(
      bitmap.size == format.size && bitmap.channels == .rgb,
      "A frame of \(format.size) pixels of rgb is needed, not of \(bitmap.size) pixels of "
        + "\(bitmap.channels).")
    FrameSamples(format).store(bitmap, in: frame)
    if hasFrameLines { try put(Array("FRAME\n".utf8)) }
    guard target.put(UnsafeRawBufferPointer(frame), at: position) else { throw failure }
    position += frame.count
  }

  /// Puts the file under its name.
  public func finish() throws(ImageFileError) { try target.commit() }

  private func put(_ bytes: [UInt8]) throws(ImageFileError) {
    try target.store(bytes, at: position, file: path)
    position += bytes.count
  }

  private var failure: ImageFileError {
    .cannotWrite(file: path, reason: target.failure ?? "it takes no bytes")
  }
}
