internal import ImageBuffer

extension FrameDecoder {
  /// Decodes a frame of an animated PNG file.
  convenience init(
    _ info: ImageFileInfo, _ chunks: PNGChunks, _ found: APNGAnimation.Survey.Found,
    _ job: DecodingJob
  ) {
    let (bytes, stop) = (job.bytes, job.stop)
    self.init(info, of: bytes.name) { canvas throws(ImageFileError) in
      var frames = found.start
      return try canvas.compose(
        upTo: found.frame.number, unless: stop,
        next: { () throws(ImageFileError) in try frames.next() }
      ) { frame throws(ImageFileError) in
        try APNGFrameRows(frame, chunks, bytes, stop, samples: info.samples).draw(onto: canvas)
      }
    }
  }
}

/// The pixels of one frame, which libpng decodes from a stream of its own.
private final class APNGFrameRows {
  private let frame: APNGFrame
  private let stream: APNGStream
  private let bytes: ByteSource
  private let stop: ReadingStop
  private let samples: SampleFormat
  private let reader: PNGReader
  /// A row, or all of them where they are interlaced.
  private let pixels: MemoryBlock
  private let rowBytes: Int

  init(
    _ frame: APNGFrame, _ chunks: PNGChunks, _ bytes: ByteSource, _ stop: ReadingStop,
    samples: SampleFormat
  ) throws(ImageFileError) {
    (self.frame, self.bytes, self.stop, self.samples) = (frame, bytes, stop, samples)
    stream = APNGStream(frame, chunks, bytes)
    reader = try PNGReader(stream, of: frame, in: bytes, unless: stop)
    let size = frame.region.size
    guard reader.begin() else {
      throw stream.failure ?? reader.failure(afterRows: 0, of: size.height)
    }
    rowBytes = reader.bytesPerRow
    // The size of the buffer must match what libpng writes, whatever the file says.
    guard reader.width == size.width, reader.height == size.height,
      reader.bits == 8 * samples.byteCount,
      rowBytes == size.width * reader.channelCount * samples.byteCount
    else { throw .damaged(file: bytes.name, reason: "its header does not fit its pixels") }
    let rows = reader.passes == 1 ? 1 : size.height
    pixels = try MemoryBlock(byteCount: rows * rowBytes, isZeroed: true, for: bytes.name)
  }

  /// Draws the frame. Returns damage of its pixels, and how many rows of the screen are intact above.
  func draw(onto canvas: FrameCanvas) throws(ImageFileError) -> FrameDamage? {
    let (region, height) = (frame.region, canvas.size.height)
    let passes = reader.passes
    for pass in 1...max(passes, 1) {
      for y in 0..<region.height {
        try stop.check()
        let start = passes == 1 ? 0 : y * rowBytes
        let row = pixels[start..<start + rowBytes]
        guard reader.readRow(into: row.baseAddress) else {
          let intact = region.y + (pass == passes ? y : 0)
          let error = failure(afterRows: intact, of: height)
          if reader.isStopped { throw error }
          return (intact, error)
        }
        guard pass == passes else { continue }
        draw(UnsafeRawBufferPointer(row), y, onto: canvas)
      }
    }
    guard reader.end() else {
      return (height, failure(afterRows: height, of: height))
    }
    guard let (largest, colors) = reader.indexBeyondPalette else { return nil }
    return (
      height,
      .beyondPalette(file: bytes.name, frame: frame.number, largest: largest, colors: colors)
    )
  }

  private func draw(_ row: UnsafeRawBufferPointer, _ y: Int, onto canvas: FrameCanvas) {
    func draw<Sample: FixedWidthInteger & UnsignedInteger>(_: Sample.Type) {
      canvas.draw(
        row.bindMemory(to: Sample.self), channels: reader.channelCount,
        x: frame.region.x, y: frame.region.y + y, blends: frame.blends)
    }
    samples == .uint16 ? draw(UInt16.self) : draw(UInt8.self)
  }

  private func failure(afterRows rows: Int, of count: Int) -> ImageFileError {
    stream.failure ?? reader.failure(afterRows: rows, of: count)
  }
}
