public import ColorSpaces
internal import FilterGraph
public import ImageBuffer

/// Reads the frames of a video from a file or a pipe, one after the other: YUV4MPEG2, as `ffmpeg -f yuv4mpegpipe` and others write it,
/// or the bare samples.
public final class VideoReader {
  /// How the frames are stored.
  public let format: VideoFormat
  private let input: ByteInput
  /// Whether a line stands before each frame.
  private let hasFrameLines: Bool
  private let block: MemoryBlock
  private var frame: UnsafeMutableRawBufferPointer { block.bytes }
  private var frameCount = 0

  /// Begins to read a YUV4MPEG2 video. The path `-` is standard input.
  ///
  /// - Parameters:
  ///   - path: Where the video is.
  ///   - unstated: What counts where its header says nothing.
  ///   - isFullRange: What counts of its range, whatever its header says.
  ///   - siting: Where chroma lies, whatever its header says.
  ///   - limits: How much the video may ask for.
  public init(
    _ path: String, unstated: VideoFormat = VideoFormat(PixelSize(1, 1)),
    isFullRange: Bool? = nil, siting: VideoFormat.Siting? = nil,
    limits: FileLimits = FileLimits()
  ) throws(ImageFileError) {
    input = try ByteInput(path)
    let header = try Y4MHeader(input.line(), file: path)
    var format = try header.format(unstated, file: path)
    format.isFullRange = isFullRange ?? format.isFullRange
    format.siting = siting ?? format.siting
    self.format = format
    hasFrameLines = true
    block = try Self.block(for: format, file: path, limits)
  }

  /// Begins to read bare samples.
  public init(
    _ path: String, samples format: VideoFormat, limits: FileLimits = FileLimits()
  ) throws(ImageFileError) {
    (input, self.format, hasFrameLines) = (try ByteInput(path), format, false)
    block = try Self.block(for: format, file: path, limits)
  }

  private static func block(
    for format: VideoFormat, file: String, _ limits: FileLimits
  ) throws(ImageFileError) -> MemoryBlock {
    guard format.size.pixelCount <= limits.pixels else {
      throw .tooManyPixels(file: file, format.size, limit: limits.pixels)
    }
    return try MemoryBlock(byteCount: format.frameBytes, for: file)
  }

  /// The next frame, in which red, green and blue are those of `space`; nil after the last one.
  public func next(in space: ColorSpace) throws(ImageFileError) -> Bitmap<UInt16>? {
    guard try readFrame() else { return nil }
    do throws(BitmapError) {
      return try FrameSamples(format).bitmap(UnsafeRawBufferPointer(frame), in: space)
    } catch {
      throw .rendering(.bitmap(error))
    }
  }

  /// Writes the next frame with the samples that it has; returns whether there was one.
  ///
  /// No chroma is interpolated: samples are copied bit for bit, or brought to the writer's bits, each by itself.
  ///
  /// - Parameter writer: A writer whose format has the same planes; see ``VideoFormat/hasSamePlanes(as:)``.
  public func copyFrame(to writer: VideoWriter) throws(ImageFileError) -> Bool {
    precondition(
      writer.format.hasSamePlanes(as: format),
      "The planes of a frame of \(format.size) pixels, \(format.layout), are others in a frame of "
        + "\(writer.format.size) pixels, \(writer.format.layout).")
    guard try readFrame() else { return false }
    try writer.write(stored: UnsafeRawBufferPointer(frame), as: format)
    return true
  }

  /// Reads the next frame's samples; returns whether there was one.
  private func readFrame() throws(ImageFileError) -> Bool {
    if hasFrameLines {
      guard let line = try input.lineIfAny() else { return false }
      guard line == "FRAME" || line.hasPrefix("FRAME ") else {
        let start = line.prefix(16).filter { $0.isASCII && !$0.isWhitespace }
        throw .damaged(
          file: input.file, reason: "frame \(frameCount) begins with “\(start)”, not with FRAME")
      }
    }
    let count = try input.fill(frame)
    if count == 0, !hasFrameLines { return false }
    guard count == frame.count else {
      throw .damaged(
        file: input.file,
        reason: "it ends after \(count) of the \(frame.count) bytes of frame \(frameCount)")
    }
    frameCount += 1
    return true
  }
}
