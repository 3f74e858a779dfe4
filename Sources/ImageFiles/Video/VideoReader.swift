public import ColorSpaces
public import FilterGraph
public import ImageBuffer
internal import Synchronization

/// Reads the frames of a video from a file or a pipe in order: YUV4MPEG2, as `ffmpeg -f yuv4mpegpipe` and others write it, or raw
/// samples without a header.
///
/// Threads and tasks may share a reader. One reads at a time, and each frame is returned once: a call that comes meanwhile waits. The calls
/// of this class block their thread while they wait, and while a pipe gives nothing. In asynchronous code use ``pictures(in:)``, which does
/// not.
public final class VideoReader: Sendable {
  /// How the frames are stored.
  public let format: VideoFormat
  private let state: Mutex<State>
  /// The order in which the iterators of ``Pictures`` request frames.
  let order = CallOrder()
  /// The frame that is read while the caller works on the last one.
  private let ahead = BackgroundWork<Void>()

  private struct State {
    var input: FrameInput
    /// How reading ahead ended, until the frame is requested.
    var ahead: Result<Bool, ImageFileError>?
    /// The bitmaps of the last pictures, which the next ones take over.
    var bitmaps = FrameBitmaps()

    /// Reads the next frame's samples, or takes those that were read ahead; returns whether there was one.
    mutating func takeFrame(
      until interruption: InputStop? = nil
    ) throws(ImageFileError) -> Bool {
      if let frame = ahead.take() { return try frame.get() }
      return try input.readNext(until: interruption)
    }
  }

  /// Ends the video after the last frame that was read whole, where it is requested.
  package var stop: InputStop? {
    get { state.withLock { $0.input.stop } }
    set { state.withLock { $0.input.stop = newValue } }
  }

  /// The number of bitmaps that are kept for the pictures of the next frames. For tests.
  package var keptBitmapCount: Int { state.withLock { $0.bitmaps.count } }

  /// Begins to read a YUV4MPEG2 video. The path `-` is standard input.
  ///
  /// Reads the header. Of a pipe, it blocks the caller until the header has come, and opening a named pipe until it is opened for writing.
  /// For a `Pipe` of Foundation, such as the standard output of a `Process`, the path is `/dev/fd/` with the descriptor of its
  /// `fileHandleForReading`. The reader opens the pipe once more, and sees the end when all handles for writing are closed.
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
    let input = try ByteInput(path)
    let header = try Y4MHeader(from: input)
    var format = try header.format(unstated, file: path)
    format.isFullRange = isFullRange ?? format.isFullRange
    format.siting = siting ?? format.siting
    self.format = format
    state = Mutex(State(input: try FrameInput(input, format, hasFrameLines: true, limits)))
  }

  /// Begins to read raw samples without a header. Opening a named pipe blocks the caller until it is opened for writing.
  public init(
    _ path: String, samples format: VideoFormat, limits: FileLimits = FileLimits()
  ) throws(ImageFileError) {
    self.format = format
    state = Mutex(
      State(input: try FrameInput(ByteInput(path), format, hasFrameLines: false, limits)))
  }

  /// Returns the samples of the next frame, with chroma interpolated to full resolution; nil after the last one.
  ///
  /// The channels of the bitmap are luma, Cb and Cr of this format's matrix and range. In RGB layouts and with the identity matrix they are
  /// red, green and blue. The color space of the bitmap is ``VideoFormat/space(of:)`` of `space`; converting a picture of the bitmap to
  /// `space` makes it red, green and blue. Codes of 9 to 15 bits are rounded to 16 bits.
  ///
  /// The bitmap does not state the precision of the codes. Its gamut mask, also in a `FrameStream`, therefore marks colors that only the
  /// rounding to codes moved out of gamut; masks of ``nextPicture(in:)`` and ``pictures(in:)`` do not.
  ///
  /// - Parameter space: The color space of the frame's red, green and blue, which the frames do not state.
  public func next(in space: ColorSpace) throws(ImageFileError) -> Bitmap<UInt16>? {
    ahead.take()
    return try state.withLock { state throws(ImageFileError) in
      guard try state.takeFrame() else { return nil }
      var bitmap: Bitmap<UInt16> = try FrameBitmaps.newBitmap(of: format, in: space)
      FrameSamples(format).read(state.input.bytes, into: &bitmap, options: RenderOptions())
      return bitmap
    }
  }

  /// Returns the next frame as a picture in `space`; nil after the last one.
  ///
  /// The picture has the precision of the frame's codes: gamut masks do not mark colors that only the rounding to codes moved out of
  /// gamut. A picture of the bitmap that ``next(in:)`` returns has the precision of 16 bits.
  public func nextPicture(in space: ColorSpace) throws(ImageFileError) -> Picture? {
    try nextPicture(in: space, options: RenderOptions())
  }

  /// Returns the same picture, converted on the threads that the options allow. Their number changes no sample.
  ///
  /// - Parameter interruption: Ends the call early where it is requested, with an error that says so. The next call reads the same frame.
  package func nextPicture(
    in space: ColorSpace, options: RenderOptions, until interruption: InputStop? = nil
  ) throws(ImageFileError) -> Picture? {
    if format.isConvertedInFloats {
      try nextPicture(of: Float.self, in: space, options, until: interruption)
    } else {
      try nextPicture(of: UInt16.self, in: space, options, until: interruption)
    }
  }

  private func nextPicture<Sample: FrameSample>(
    of _: Sample.Type, in space: ColorSpace, _ options: RenderOptions,
    until interruption: InputStop?
  ) throws(ImageFileError) -> Picture? {
    ahead.take()
    return try state.withLock { state throws(ImageFileError) in
      guard try state.takeFrame(until: interruption) else { return nil }
      var bitmap: Bitmap<Sample> = try state.bitmaps.take(of: format, in: space)
      FrameSamples(format).read(state.input.bytes, into: &bitmap, options: options)
      state.bitmaps.keep(bitmap)
      return Picture(AnyBitmap(bitmap), precision: format.precision(in: space))
        .converted(to: space)
    }
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
    ahead.take()
    // Called by this thread alone, while the samples stay as they are.
    nonisolated(unsafe) let write = { (samples: UnsafeRawBufferPointer) throws(ImageFileError) in
      try writer.write(stored: samples, as: self.format, options: options)
    }
    return try state.withLock { state throws(ImageFileError) in
      guard try state.takeFrame() else { return false }
      try write(state.input.bytes)
      return true
    }
  }

  /// Begins to read the next frame on another thread. A decoder that writes into a pipe need not wait then until the last frame is
  /// rendered.
  ///
  /// Errors are thrown where the frame is asked for.
  package func readAhead() {
    ahead.start { [self] in
      state.withLock { state in
        guard state.ahead == nil else { return }
        // The samples of the last frame have been converted or copied: those of the next one replace them.
        state.ahead = Result { () throws(ImageFileError) in try state.input.readNext() }
      }
    }
  }
}
