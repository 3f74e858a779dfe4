internal import ColorSpaces
public import FilterGraph
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
  /// Whether frames are written on another thread while the caller works on the next one. An error is thrown with the next frame, which
  /// is not rendered to its end, or at the end.
  package var writesBehind = false
  /// Called once a frame that is written on another thread cannot be written, so that nobody waits for the next frame of a slow source.
  package var onFailureBehind: (@Sendable () -> Void)?
  /// The frame that is being written, with the error that it ends with.
  private let behind = BackgroundWork<ImageFileError?>()
  /// The bitmap of the last picture, which the next one replaces.
  private var rendered: Any?

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

  /// Ends with whole frames where an error ends the video.
  deinit { behind.take() }

  /// Writes the next frame.
  ///
  /// A bitmap in the space of the format's samples, ``VideoFormat/space(of:)``, is stored as it is; one in any other space is converted to
  /// them first, as ``write(_:)-(Picture)`` does.
  ///
  /// Throws ``ImageFileError/cannotWrite(file:reason:)`` where the bitmap has another size than the format, or other channels than red,
  /// green and blue: frames hold no transparency.
  public func write(_ bitmap: Bitmap<UInt16>) throws(ImageFileError) {
    try check(bitmap)
    if format.stores(bitmap.space) {
      try store(bitmap, options: RenderOptions())
    } else {
      try write(Picture(bitmap))
    }
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
    if format.isConvertedInFloats {
      try write(picture, as: Float.self, options)
    } else {
      try write(picture, as: UInt16.self, options)
    }
  }

  private func write<Sample: FrameSample>(
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
    try put(frame: UnsafeRawBufferPointer(frame))
  }

  /// Writes the next frame from the samples of a format with the same components.
  func write(
    stored samples: UnsafeRawBufferPointer, as source: VideoFormat, options: RenderOptions
  ) throws(ImageFileError) {
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
    try put(frame: UnsafeRawBufferPointer(frame))
  }

  /// Writes the samples of a frame, which stay as they are until it is written.
  private func put(frame samples: UnsafeRawBufferPointer) throws(ImageFileError) {
    let (line, start) = (hasFrameLines ? Array("FRAME\n".utf8) : [], position)
    position += line.count + samples.count
    // One thread at a time: the next frame waits for this one.
    nonisolated(unsafe) let (target, block, samples) = (target, block, samples)
    let write: @Sendable () -> ImageFileError? = { [path] in
      withExtendedLifetime(block) {
        let isWritten =
          (line.isEmpty || line.withUnsafeBytes { target.put($0, at: start) })
          && target.put(samples, at: start + line.count)
        return isWritten
          ? nil : .cannotWrite(file: path, reason: target.failure ?? "it takes no bytes")
      }
    }
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

  /// Waits until the last frame is written, and throws the error that this ended with.
  package func waitForFrame() throws(ImageFileError) {
    if case .some(.some(let error)) = behind.take() { throw error }
  }

  /// Moves the file to its final path.
  public func finish() throws(ImageFileError) {
    try waitForFrame()
    try target.commit()
  }

  private func put(_ bytes: [UInt8]) throws(ImageFileError) {
    try target.store(bytes, at: position, file: path)
    position += bytes.count
  }
}
