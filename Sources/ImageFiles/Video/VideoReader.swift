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
  private let frame: UnsafeMutableRawBufferPointer
  private var frameCount = 0

  /// Begins to read a YUV4MPEG2 video. The path `-` is standard input.
  ///
  /// - Parameters:
  ///   - path: Where the video is.
  ///   - unstated: What counts where its header says nothing.
  ///   - isFullRange: What counts of its range, whatever its header says.
  ///   - limits: How much the video may ask for.
  public init(
    _ path: String, unstated: VideoFormat = VideoFormat(PixelSize(1, 1)),
    isFullRange: Bool? = nil, limits: FileLimits = FileLimits()
  ) throws(ImageFileError) {
    input = try ByteInput(path)
    let header = try Y4MHeader(input.line(), file: path)
    var format = try header.format(unstated, file: path)
    format.isFullRange = isFullRange ?? format.isFullRange
    self.format = format
    hasFrameLines = true
    frame = try Self.frame(of: format, file: path, limits)
  }

  /// Begins to read bare samples.
  public init(
    _ path: String, samples format: VideoFormat, limits: FileLimits = FileLimits()
  ) throws(ImageFileError) {
    (input, self.format, hasFrameLines) = (try ByteInput(path), format, false)
    frame = try Self.frame(of: format, file: path, limits)
  }

  private static func frame(
    of format: VideoFormat, file: String, _ limits: FileLimits
  ) throws(ImageFileError) -> UnsafeMutableRawBufferPointer {
    guard format.size.pixelCount <= limits.pixels else {
      throw .tooManyPixels(file: file, format.size, limit: limits.pixels)
    }
    return .allocate(byteCount: format.frameBytes, alignment: 16)
  }

  deinit { frame.deallocate() }

  /// The next frame, in which red, green and blue are those of `space`; nil after the last one.
  public func next(in space: ColorSpace) throws(ImageFileError) -> Bitmap<UInt16>? {
    if hasFrameLines {
      guard let line = try input.lineIfAny() else { return nil }
      guard line == "FRAME" || line.hasPrefix("FRAME ") else {
        throw .damaged(
          file: input.file, reason: "frame \(frameCount) begins with “\(line)”, not with FRAME")
      }
    }
    let count = try input.fill(frame)
    if count == 0, !hasFrameLines { return nil }
    guard count == frame.count else {
      throw .damaged(
        file: input.file,
        reason: "it ends after \(count) of the \(frame.count) bytes of frame \(frameCount)")
    }
    frameCount += 1
    do throws(BitmapError) {
      return try FrameSamples(format).bitmap(UnsafeRawBufferPointer(frame), in: space)
    } catch {
      throw .rendering(.bitmap(error))
    }
  }
}
