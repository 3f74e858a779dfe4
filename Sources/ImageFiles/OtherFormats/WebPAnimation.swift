#if WebP
  internal import CWebP
  internal import ImageBuffer

  /// What an animated WebP file says about its frames, and which one is read.
  struct WebPAnimation {
    private let found: FrameSurvey<WebPFrame, WebPFrames>.Found
    private let info: ImageFileInfo
    private let bytes: ByteSource
    private let stop: ReadingStop

    private static let pixelBytes = 4
    /// The bytes that libwebp takes for a pixel: an estimate, as for still pictures.
    private static let libraryBytes = 16

    /// Reads the frames on a screen of a size, of which `job` asks for one.
    init(
      _ container: WebPContainer, on screen: PixelSize, _ job: DecodingJob
    ) throws(ImageFileError) {
      (bytes, stop) = (job.bytes, job.stop)
      // A still picture beyond the limit is not composed of frames, so the error is that of its size.
      try job.limits.check(screen, in: job.file)
      var frames = WebPFrames(container, on: screen)
      var survey = FrameSurvey<WebPFrame, WebPFrames>(wanted: job.page ?? 1)
      var (before, duration, drawingBytes) = (frames, 0, 0)
      while let frame = try frames.next() {
        survey.add(frame, at: before, on: screen)
        before = frames
        duration += frame.duration
        if frame.number <= survey.wanted {
          drawingBytes = max(drawingBytes, Self.drawingBytes(frame))
        }
      }
      let ending = frames.ending ?? .end
      guard let found = survey.found else {
        guard survey.count > 0 else { throw Self.failure(ending, screen, job) }
        throw ending.failure(forFrame: survey.wanted, of: survey.count, in: job.file)
      }
      try job.limits.check(pixelsDrawn: found.drawnPixels, for: survey.wanted, in: bytes)
      self.found = found
      let screenBytes = Double(screen.pixelCount) * Double(Self.pixelBytes)
      info = try container.info(
        job, size: screen, channels: found.isOpaque ? .rgb : .rgba,
        storage: found.frame.isLossless ? "without loss" : "with loss",
        pages: ImagePages(.frame, number: survey.wanted, count: survey.count),
        notes: ending.note(behind: survey.count).map { [$0] } ?? [],
        readingBytes: screenBytes + Double(drawingBytes),
        animation: survey.count > 1
          ? ImageAnimation(
            frameDuration: Double(found.frame.duration) / 1000, duration: Double(duration) / 1000,
            repetitions: try Self.repetitions(container)) : nil)
    }

    /// The error for a file without a single frame.
    private static func failure(
      _ ending: FrameEnding, _ screen: PixelSize, _ job: DecodingJob
    ) -> ImageFileError {
      switch ending {
      case .end: .damaged(file: job.file, reason: "it is an animation and has no frame")
      case .file: .truncated(file: job.file, rows: 0, of: screen.height)
      case .damage(let reason): .damaged(file: job.file, reason: reason)
      }
    }

    /// How many times the animation is repeated; nil for without an end. The file counts how often it is played.
    private static func repetitions(_ container: WebPContainer) throws(ImageFileError) -> Int? {
      guard let control = try container.body("ANIM"), control.count >= 6 else { return 0 }
      let plays = control[4..<6].number(isBigEndian: false)
      return plays == 0 ? nil : plays - 1
    }

    /// The peak memory of drawing a frame, beside the screen.
    private static func drawingBytes(_ frame: WebPFrame) -> Int {
      let pixelBytes = libraryBytes + (frame.replaces ? 0 : Self.pixelBytes)
      return frame.data.count + frame.region.size.pixelCount * pixelBytes
    }

    /// Decodes the frame.
    var decoder: FrameDecoder {
      let (found, bytes, stop) = (found, bytes, stop)
      return FrameDecoder(info, of: bytes.name) { canvas throws(ImageFileError) in
        var frames = found.start
        return try canvas.compose(
          upTo: found.frame.number, unless: stop,
          next: { () throws(ImageFileError) in try frames.next() }
        ) { frame throws(ImageFileError) in
          try frame.draw(from: bytes, onto: canvas)
        }
      }
    }
  }

  extension WebPFrame {
    /// Draws the frame, in straight alpha and the values of the file, as browsers and libwebp do. Returns the damage of its pixels.
    fileprivate func draw(
      from bytes: ByteSource, onto canvas: FrameCanvas
    ) throws(ImageFileError) -> FrameDamage? {
      let data = try bytes.array(data)
      let result: WebPPixels.Result
      if replaces {
        result = try WebPPixels.decode(
          data, into: canvas.rows(from: region), bytesPerRow: canvas.bytesPerRow, of: bytes.name)
      } else {
        let rowBytes = 4 * region.width
        let pixels = try MemoryBlock(byteCount: rowBytes * region.height, for: bytes.name)
        result = try WebPPixels.decode(
          data, into: pixels.bytes, bytesPerRow: rowBytes, of: bytes.name)
        for y in 0..<result.rows {
          let row = UnsafeRawBufferPointer(pixels[y * rowBytes..<(y + 1) * rowBytes])
          canvas.draw(
            row.bindMemory(to: UInt8.self), channels: 4, x: region.x, y: region.y + y, blends: true)
        }
      }
      if result.status == VP8_STATUS_OK { return nil }
      let rows = region.y + result.rows
      if isTruncated {
        return (rows, .truncated(file: bytes.name, rows: rows, of: canvas.size.height))
      }
      let reason =
        result.status == VP8_STATUS_SUSPENDED
        ? "it ends after \(result.rows) of \(region.height) rows"
        : "libwebp stops with error \(result.status.rawValue)"
      return (rows, .damaged(file: bytes.name, reason: "its frame \(number): \(reason)"))
    }
  }

  /// Decodes pixels of a part of a file, of which the end may be missing.
  private enum WebPPixels {
    /// How libwebp ended, and how many rows it decoded.
    typealias Result = (status: VP8StatusCode, rows: Int)

    /// Decodes red, green, blue and straight alpha of a byte each.
    static func decode(
      _ data: [UInt8], into target: UnsafeMutableRawBufferPointer, bytesPerRow: Int, of file: String
    ) throws(ImageFileError) -> Result {
      var config = try WebPDecoderConfig(.rgba, into: target, bytesPerRow: bytesPerRow, of: file)
      return withUnsafeMutablePointer(to: &config) { config in
        guard let decoder = WebPIDecode(nil, 0, config) else {
          return (VP8_STATUS_OUT_OF_MEMORY, 0)
        }
        defer { WebPIDelete(decoder) }
        return data.withUnsafeBufferPointer { data in
          let status = WebPIUpdate(decoder, data.baseAddress, data.count)
          var rows: Int32 = 0
          _ = WebPIDecGetRGB(decoder, &rows, nil, nil, nil)
          return (status, Int(rows))
        }
      }
    }
  }
#endif
