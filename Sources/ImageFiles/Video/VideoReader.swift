public import ColorSpaces
public import FilterGraph
public import ImageBuffer

/// Reads the frames of a video from a file or a pipe in order: YUV4MPEG2, as `ffmpeg -f yuv4mpegpipe` and others write it, or raw
/// samples without a header.
public final class VideoReader {
  /// How the frames are stored.
  public let format: VideoFormat
  private let input: ByteInput
  /// Whether a line stands before each frame.
  private let hasFrameLines: Bool
  private let block: MemoryBlock
  private var frame: UnsafeMutableRawBufferPointer { block.bytes }
  /// The number of whole frames that were read.
  private var frameCount = 0
  /// The frame that is read while the caller works on the last one.
  private let ahead = BackgroundWork<Result<Bool, ImageFileError>>()
  /// The bitmap of the last picture, which the next one takes over.
  private var latest: Any?
  /// Ends the video after the last frame that was read whole, where it is requested.
  package var stop: InputStop? {
    get { input.stop }
    set { input.stop = newValue }
  }

  /// Begins to read a YUV4MPEG2 video. The path `-` is standard input.
  ///
  /// - Parameters:
  ///   - path: Where the video is.
  ///   - unstated: The properties that count where the header does not state them.
  ///   - isFullRange: Whether the range is full, whatever the header says.
  ///   - siting: The chroma siting, whatever the header says.
  ///   - limits: The limits of the video's frames.
  public init(
    _ path: String, unstated: VideoFormat = VideoFormat(PixelSize(1, 1)),
    isFullRange: Bool? = nil, siting: VideoFormat.Siting? = nil,
    limits: FileLimits = FileLimits()
  ) throws(ImageFileError) {
    input = try ByteInput(path)
    let header = try Y4MHeader(from: input)
    var format = try header.format(unstated, file: path)
    format.isFullRange = isFullRange ?? format.isFullRange
    format.siting = siting ?? format.siting
    self.format = format
    hasFrameLines = true
    block = try format.frameMemory(for: path, limits)
  }

  /// Begins to read raw samples without a header.
  public init(
    _ path: String, samples format: VideoFormat, limits: FileLimits = FileLimits()
  ) throws(ImageFileError) {
    (input, self.format, hasFrameLines) = (try ByteInput(path), format, false)
    block = try format.frameMemory(for: path, limits)
  }

  /// Returns the samples of the next frame; nil after the last one.
  ///
  /// Their space is ``VideoFormat/space(of:)`` of `space`: `space` itself in RGB layouts, otherwise its Y′CbCr with this format's matrix and
  /// range, at full resolution. Codes of 9 to 15 bits are rounded to 16 bits. ``nextPicture(in:)`` returns red, green and blue of `space`,
  /// with the precision of the codes.
  public func next(in space: ColorSpace) throws(ImageFileError) -> Bitmap<UInt16>? {
    guard try takeFrame() else { return nil }
    var bitmap: Bitmap<UInt16> = try newBitmap(in: space)
    readSamples(into: &bitmap, options: RenderOptions())
    return bitmap
  }

  private func newBitmap<Sample: FrameSample>(
    in space: ColorSpace
  ) throws(ImageFileError) -> Bitmap<Sample> {
    do throws(BitmapError) { return try FrameSamples(format).newBitmap(in: space) } catch {
      throw .rendering(.bitmap(error))
    }
  }

  private func readSamples<Sample: FrameSample>(
    into bitmap: inout Bitmap<Sample>, options: RenderOptions
  ) {
    FrameSamples(format).read(UnsafeRawBufferPointer(frame), into: &bitmap, options: options)
  }

  /// Returns the next frame as a picture in `space`; nil after the last one.
  ///
  /// The picture has the precision of the frame's codes: gamut masks do not mark colors that only the rounding to codes moved out of
  /// gamut. A picture of the bitmap that ``next(in:)`` returns has the precision of 16 bits.
  public func nextPicture(in space: ColorSpace) throws(ImageFileError) -> Picture? {
    try nextPicture(in: space, options: RenderOptions())
  }

  /// Returns the same picture, converted on the threads that the options allow. Their number changes no sample.
  package func nextPicture(
    in space: ColorSpace, options: RenderOptions
  ) throws(ImageFileError) -> Picture? {
    if format.isConvertedInFloats {
      try nextPicture(of: Float.self, in: space, options)
    } else {
      try nextPicture(of: UInt16.self, in: space, options)
    }
  }

  private func nextPicture<Sample: FrameSample>(
    of _: Sample.Type, in space: ColorSpace, _ options: RenderOptions
  ) throws(ImageFileError) -> Picture? {
    guard try takeFrame() else { return nil }
    var bitmap: Bitmap<Sample> =
      if let released: Bitmap<Sample> = takeReleasedBitmap(in: space) { released } else {
        try newBitmap(in: space)
      }
    readSamples(into: &bitmap, options: options)
    latest = bitmap
    return Picture(AnyBitmap(bitmap), precision: format.precision(in: space)).converted(to: space)
  }

  /// Takes the bitmap of the last picture, if nobody else holds it any more: the system would have to clear new memory first.
  private func takeReleasedBitmap<Sample: FrameSample>(in space: ColorSpace) -> Bitmap<Sample>? {
    guard var bitmap = latest as? Bitmap<Sample> else { return nil }
    // The only reference, if the picture is gone.
    latest = nil
    return !bitmap.mustCopy() && bitmap.space == format.space(of: space) ? bitmap : nil
  }

  /// Copies the next frame to a writer without converting it to RGB; returns whether there was one.
  ///
  /// Chroma is not interpolated: samples are copied bit for bit, or converted to the writer's bit depth and order, each
  /// independently.
  ///
  /// - Parameter writer: A writer whose format has the same components; see ``VideoFormat/hasSameComponents(as:)``.
  public func copyFrame(to writer: VideoWriter) throws(ImageFileError) -> Bool {
    try copyFrame(to: writer, options: RenderOptions())
  }

  /// Copies the same samples, converted on the threads that the options allow. Their number changes no sample.
  package func copyFrame(
    to writer: VideoWriter, options: RenderOptions
  ) throws(ImageFileError) -> Bool {
    precondition(
      writer.format.hasSameComponents(as: format),
      "The components of a frame of \(format.size) pixels, \(format.layout), are others in a frame of "
        + "\(writer.format.size) pixels, \(writer.format.layout).")
    guard try takeFrame() else { return false }
    try writer.write(stored: UnsafeRawBufferPointer(frame), as: format, options: options)
    return true
  }

  /// Begins to read the next frame on another thread. A decoder that writes into a pipe need not wait then until the last frame is
  /// rendered.
  ///
  /// Errors are thrown where the frame is asked for. Nothing else may be called until then.
  package func readAhead() {
    // The samples of the last frame have been converted or copied: those of the next one replace them.
    nonisolated(unsafe) let reader = self
    ahead.start {
      do throws(ImageFileError) { return .success(try reader.readFrame()) } catch {
        return .failure(error)
      }
    }
  }

  /// Reads the next frame's samples, or takes those that were read ahead; returns whether there was one.
  private func takeFrame() throws(ImageFileError) -> Bool {
    if let frame = ahead.take() { return try frame.get() }
    return try readFrame()
  }

  /// Reads the next frame's samples; returns whether there was one.
  private func readFrame() throws(ImageFileError) -> Bool {
    var isStopped: Bool { stop?.isRequested ?? false }
    if isStopped { return false }
    if hasFrameLines {
      guard let line = try input.lineIfAny(), !isStopped else { return false }
      guard line == "FRAME" || line.hasPrefix("FRAME ") else {
        let start = line.unicodeScalars.prefix(16).map { $0.escaped(asASCII: true) }.joined()
        throw .damaged(
          file: input.file, reason: "frame \(frameCount + 1) begins with “\(start)”, not with FRAME"
        )
      }
    }
    if frameCount == 0, !hasFrameLines { try Y4MHeader.refuse(in: input) }
    let count = try input.fill(frame)
    if count == 0, !hasFrameLines { return false }
    if count < frame.count, isStopped { return false }
    guard count == frame.count else {
      throw .damaged(
        file: input.file,
        reason: "it ends after \(count) of the \(frame.count) bytes of frame \(frameCount + 1)")
    }
    frameCount += 1
    try checkOpacity()
    return true
  }

  /// Throws where the frame has a pixel that is not opaque.
  private func checkOpacity() throws(ImageFileError) {
    guard case .orderedRGB(let order, _) = format.layout, let opaque = order.withoutAlpha,
      let alpha = format.layout.storage.fourthSample
    else { return }
    // A bit is set if it is set in all pixels.
    let common = frame.bindMemory(to: UInt32.self).reduce(UInt32.max, &)
    guard withUnsafeBytes(of: common, { $0[alpha] }) == .max else {
      throw .unsupportedStorage(
        file: input.file,
        reason: "frame \(frameCount) has pixels that are not opaque, and video frames hold no "
          + "transparency; as \(VideoFormat.Layout.orderedRGB(opaque, bits: 8)), it is read without alpha"
      )
    }
  }
}
