internal import FilterGraph
internal import ImageBuffer

/// Reads the stored samples of a video's frames, one frame after another.
struct FrameInput {
  private let format: VideoFormat
  private let input: ByteInput
  /// Whether a line stands before each frame.
  private let hasFrameLines: Bool
  private let block: MemoryBlock
  /// The number of whole frames that were read.
  private var frameCount = 0
  /// Whether the line before the next frame was read, and how many of the frame's bytes. Both outlast a read that is interrupted.
  private var (hasLine, filled) = (false, 0)
  /// Ends the video after the last frame that was read whole, where it is requested.
  var stop: InputStop?

  /// The samples of the last frame, until the next one is read.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(block.bytes) }

  init(
    _ input: ByteInput, _ format: VideoFormat, hasFrameLines: Bool, _ limits: FileLimits
  ) throws(ImageFileError) {
    (self.input, self.format, self.hasFrameLines) = (input, format, hasFrameLines)
    block = try format.frameMemory(for: input.file, limits)
  }

  /// Reads the next frame's samples; returns whether there was one.
  ///
  /// - Parameter interruption: Ends the call early where it is requested, also while it waits for a pipe. The next call goes on where this
  ///   one ended. ``stop`` does not end a call with an interruption while it waits.
  /// - Throws: ``ImageFileError/rendering(_:)`` of `RenderError.cancelled` where it was interrupted before the frame was whole.
  mutating func readNext(
    until interruption: InputStop? = nil
  ) throws(ImageFileError) -> Bool {
    var isStopped: Bool { stop?.isRequested ?? false }
    func check() throws(ImageFileError) {
      if interruption?.isRequested ?? false { throw .rendering(.cancelled) }
    }
    try check()
    if isStopped { return false }
    input.stop = interruption ?? stop
    // An interruption's pipe is closed with its iterator, not with the reader.
    defer { input.stop = nil }
    if hasFrameLines, !hasLine {
      let line = try nextLine()
      if line == nil { try check() }
      guard let line, !isStopped else { return false }
      guard line == "FRAME" || line.hasPrefix("FRAME ") else {
        let start = line.unicodeScalars.prefix(16).map { $0.escaped(asASCII: true) }.joined()
        throw damage("frame \(frameCount + 1) begins with “\(start)”, not with FRAME")
      }
      hasLine = true
    }
    if frameCount == 0, !hasFrameLines, filled == 0 {
      try Y4MHeader.refuse(in: input)
      // The bytes that it has seen stay to be read.
      try check()
    }
    filled += try input.fill(UnsafeMutableRawBufferPointer(rebasing: block.bytes[filled...]))
    if filled < bytes.count { try check() }
    let count = filled
    (hasLine, filled) = (false, 0)
    if count == 0, !hasFrameLines { return false }
    if count < bytes.count, isStopped { return false }
    guard count == bytes.count else {
      throw damage("it ends after \(count) of the \(bytes.count) bytes of frame \(frameCount + 1)")
    }
    frameCount += 1
    try checkOpacity()
    return true
  }

  /// Returns the line before the next frame; nil at the end.
  private func nextLine() throws(ImageFileError) -> String? {
    do throws(ImageFileError) { return try input.lineIfAny() } catch {
      guard case .damaged = error else { throw error }
      throw damage("frame \(frameCount + 1) has no line FRAME before it")
    }
  }

  /// Returns the error for a video that goes on in another way than its format states, with the cause where ffmpeg is likely to be it.
  ///
  /// The YUV4MPEG2 writer of ffmpeg, up to version 5.1 at least, halves the bytes of a luma row for chroma, not its samples. With an odd
  /// width and two bytes a sample, each chroma row lacks one byte.
  private func damage(_ reason: String) -> ImageFileError {
    let isCutByFFmpeg =
      hasFrameLines && format.sharesChroma && format.bytesPerSample == 2
      && format.size.width % 2 == 1
    let cause =
      isCutByFFmpeg
      ? "; ffmpeg writes chroma rows of \(format.layout) one byte short where the width is odd: let it write raw samples, -f rawvideo"
      : ""
    return .damaged(file: input.file, reason: reason + cause)
  }

  /// Throws where the frame has a pixel that is not opaque.
  private func checkOpacity() throws(ImageFileError) {
    guard case .orderedRGB(let order, _) = format.layout, let opaque = order.withoutAlpha,
      let alpha = format.layout.storage.fourthSample
    else { return }
    // A bit is set if it is set in all pixels.
    let common = bytes.bindMemory(to: UInt32.self).reduce(UInt32.max, &)
    guard withUnsafeBytes(of: common, { $0[alpha] }) == .max else {
      throw .unsupportedStorage(
        file: input.file,
        reason: "frame \(frameCount) has pixels that are not opaque, and video frames hold no "
          + "transparency; as \(VideoFormat.Layout.orderedRGB(opaque, bits: 8)), it is read without alpha"
      )
    }
  }
}
