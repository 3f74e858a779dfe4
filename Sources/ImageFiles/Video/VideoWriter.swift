internal import ColorSpaces
public import FilterGraph
public import ImageBuffer

/// Writes the frames of a video to a file or a pipe in order: as YUV4MPEG2, or as raw samples without a header.
///
/// In asynchronous code ``write(_:)`` and ``finish()`` have asynchronous forms of the same names, which block no thread of the
/// caller's while a pipe is slow. While one of them is under way, calls that block throw ``ImageFileError/cannotWrite(file:reason:)``: they
/// could not wait for it without blocking what it waits for.
public final class VideoWriter {
  /// How the frames are stored.
  public let format: VideoFormat
  private let target: AtomicFile
  private let path: String
  /// Whether a line stands before each frame.
  private let hasFrameLines: Bool
  private let block: MemoryBlock
  private var frame: UnsafeMutableRawBufferPointer { block.bytes }
  /// The samples of the frame that was converted last.
  var convertedFrame: UnsafeRawBufferPointer { UnsafeRawBufferPointer(frame) }
  private var position = 0
  /// Whether frames are written on another thread while the caller works on the next one. An error is thrown with the next frame, which
  /// is not rendered to its end, or at the end.
  package var writesBehind = false
  /// Called once a frame that is written on another thread cannot be written, so that nobody waits for the next frame of a slow source.
  package var onFailureBehind: (@Sendable () -> Void)?
  /// The frame that is being written, with the error that it ends with.
  private let behind = BackgroundWork<ImageFileError?>()
  /// The order of asynchronous calls. The call that was admitted has the writer for itself, on any thread.
  let order = CallOrder()
  /// The bitmap of the last picture, which the next one replaces.
  private var rendered: Any?

  /// Begins to write. The path `-` is standard output; a file appears when it is finished.
  ///
  /// Opening a named pipe waits until it is opened for reading, and blocks the caller until then. For a `Pipe` of Foundation, such as the
  /// standard input of a `Process`, the path is `/dev/fd/` with the descriptor of its `fileHandleForWriting`. The writer opens the pipe
  /// once more: close that handle when the writer is created and the process runs, because the reader sees the end only when all are
  /// closed.
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

  /// Ends with whole frames where an error ends the video.
  deinit { behind.take() }

  /// Writes the next frame.
  ///
  /// A bitmap in the space of the format's samples, ``VideoFormat/space(of:)``, is stored as it is; one in any other space is converted to
  /// them first, as the form for pictures does.
  ///
  /// Throws ``ImageFileError/cannotWrite(file:reason:)`` where the bitmap has another size than the format, or other channels than red,
  /// green and blue: frames hold no transparency.
  public func write(_ bitmap: Bitmap<UInt16>) throws(ImageFileError) {
    try checkOrder()
    try convert(bitmap, options: RenderOptions())
    try put(frame: convertedFrame)
  }

  /// Renders a picture, in any RGB space, as the next frame. Codes of all bit depths are within half a code of its values.
  public func write(_ picture: Picture) throws(ImageFileError) {
    try write(picture, options: RenderOptions())
  }

  /// Renders a picture, in any space, as the next frame. Codes of all bit depths are within half a code of its values. The options are
  /// also those of the conversion to codes.
  package func write(
    _ picture: Picture, options: RenderOptions
  ) throws(ImageFileError) {
    try checkOrder()
    try convert(picture, options: options)
    try put(frame: convertedFrame)
  }

  /// Converts a bitmap to the samples of the next frame, without writing them.
  func convert(_ bitmap: Bitmap<UInt16>, options: RenderOptions) throws(ImageFileError) {
    try check(bitmap)
    if format.stores(bitmap.space) {
      try store(bitmap, options: options)
    } else {
      try convert(Picture(bitmap), options: options)
    }
  }

  /// Renders a picture to the samples of the next frame, without writing them.
  func convert(_ picture: Picture, options: RenderOptions) throws(ImageFileError) {
    if format.isConvertedInFloats {
      try convert(picture, as: Float.self, options)
    } else {
      try convert(picture, as: UInt16.self, options)
    }
  }

  private func convert<Sample: FrameSample>(
    _ picture: Picture, as _: Sample.Type, _ options: RenderOptions
  ) throws(ImageFileError) {
    try checkFrame()
    let stored = picture.converted(to: format.space(of: picture.space))
    var stoppable = options
    stoppable.isCancelled = { [failsBehind, isCancelled = options.isCancelled] in
      failsBehind() || isCancelled?() == true
    }
    let bitmap: Bitmap<Sample>
    do throws(RenderError) {
      if var earlier = rendered as? Bitmap<Sample> {
        // The only reference, so that its memory is not copied.
        rendered = nil
        try stored.render(into: &earlier, options: stoppable)
        bitmap = earlier
      } else {
        bitmap = try stored.render(options: stoppable)
      }
    } catch {
      if case .cancelled = error { try checkFrame() }
      throw .rendering(error)
    }
    try store(bitmap, options: options)
    rendered = bitmap
  }

  private func store<Sample: FrameSample>(
    _ bitmap: Bitmap<Sample>, options: RenderOptions
  ) throws(ImageFileError) {
    try check(bitmap)
    try waitForFrame()
    FrameSamples(format).store(bitmap, in: frame, options: options)
  }

  /// Writes the next frame from the samples of a format with the same components.
  func write(
    stored samples: UnsafeRawBufferPointer, as source: VideoFormat, options: RenderOptions
  ) throws(ImageFileError) {
    try checkOrder()
    try waitForFrame()
    if source.layout != format.layout || format.layout.storage.fourthSample != nil {
      // Unused fourth samples may have any bits. This frame's are all set, and stay so.
      FrameSamples(format).store(samples, as: source, in: frame, options: options)
    } else if writesBehind {
      // The caller reads the next frame into its samples meanwhile.
      frame.copyMemory(from: samples)
    } else {
      return try put(frame: samples)
    }
    try put(frame: convertedFrame)
  }

  /// Returns work that writes the samples of the next frame, on any thread. They must stay as they are until it is done.
  func writing(_ samples: UnsafeRawBufferPointer) -> @Sendable () -> ImageFileError? {
    let (line, start) = (hasFrameLines ? Array("FRAME\n".utf8) : [], position)
    position += line.count + samples.count
    // One thread at a time: the next frame waits for this one.
    nonisolated(unsafe) let (target, block, samples) = (target, block, samples)
    return { [path] in
      withExtendedLifetime(block) {
        let isWritten =
          (line.isEmpty || line.withUnsafeBytes { target.put($0, at: start) })
          && target.put(samples, at: start + line.count)
        return isWritten
          ? nil : .cannotWrite(file: path, reason: target.failure ?? "it takes no bytes")
      }
    }
  }

  /// Writes the samples of a frame, which stay as they are until it is written.
  private func put(frame samples: UnsafeRawBufferPointer) throws(ImageFileError) {
    let write = writing(samples)
    if writesBehind {
      behind.start { [onFailureBehind] in
        let error = write()
        if error != nil { onFailureBehind?() }
        return error
      }
    } else if let error = write() {
      throw error
    }
  }

  /// Tells, without waiting, whether writing the last frame has failed, such as because the reader of a pipe has left.
  package var failsBehind: @Sendable () -> Bool {
    { [behind] in if case .some(.some) = behind.finished { true } else { false } }
  }

  /// Throws where a bitmap has another size or other channels than frames.
  private func check<Sample>(_ bitmap: Bitmap<Sample>) throws(ImageFileError) {
    guard bitmap.size == format.size, bitmap.channels == .rgb else {
      throw .cannotWrite(
        file: path,
        reason: "its frames have \(format.size) pixels of rgb, and this one has \(bitmap.size) of "
          + "\(bitmap.channels)")
    }
  }

  /// Throws the error of the last frame where writing it has failed already. Does not wait.
  package func checkFrame() throws(ImageFileError) {
    if failsBehind() { try waitForFrame() }
  }

  /// Waits until the last frame is written, and throws the error with which writing it or an earlier one ended: behind a frame that is cut
  /// off, no other one can be read.
  package func waitForFrame() throws(ImageFileError) {
    if case .some(.some(let error)) = behind.take() { throw error }
    if let reason = target.failure { throw .cannotWrite(file: path, reason: reason) }
  }

  /// Throws while an asynchronous call has the writer.
  private func checkOrder() throws(ImageFileError) {
    guard order.isTaken else { return }
    throw .cannotWrite(
      file: path,
      reason:
        "an asynchronous call still writes a frame; await it, or call the asynchronous form, which waits for it"
    )
  }

  /// Ends the video once the last frame is written: moves a file to its final path, and closes a pipe or a device.
  ///
  /// The reader of a pipe sees the end then, while the writer still exists. Standard output stays open. Frames that are written to a closed
  /// pipe afterwards throw ``ImageFileError/cannotWrite(file:reason:)``.
  public func finish() throws(ImageFileError) {
    try checkOrder()
    try commit()
  }

  /// Ends the output once the last frame is written.
  func commit() throws(ImageFileError) {
    try waitForFrame()
    try target.commit()
  }

  private func put(_ bytes: [UInt8]) throws(ImageFileError) {
    try target.store(bytes, at: position, file: path)
    position += bytes.count
  }
}
