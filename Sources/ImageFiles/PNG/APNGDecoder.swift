internal import CPNG
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
  private let reader: UnsafeMutablePointer<cpng_reader>
  /// A row, or all of them where they are interlaced.
  private let pixels: MemoryBlock
  private let rowBytes: Int

  init(
    _ frame: APNGFrame, _ chunks: PNGChunks, _ bytes: ByteSource, _ stop: ReadingStop,
    samples: SampleFormat
  ) throws(ImageFileError) {
    stream = APNGStream(frame, chunks, bytes)
    (self.frame, self.bytes, self.stop, self.samples) = (frame, bytes, stop, samples)
    guard let reader = cpng_reader_create(APNGStream.read, stream.context) else {
      throw .damaged(file: bytes.name, reason: "libpng could not allocate memory")
    }
    (reader.pointee.stop, reader.pointee.stop_context) = (ReadingStop.ask, stop.context)
    do throws(ImageFileError) {
      guard cpng_reader_begin(reader) == 1 else {
        throw Self.failure(reader, stream, frame, bytes, afterRows: 0, of: frame.region.height)
      }
      let size = frame.region.size
      rowBytes = reader.pointee.bytes_per_row
      // The size of the buffer must match what libpng writes, whatever the file says.
      guard reader.pointee.width == size.width, reader.pointee.height == size.height,
        Int(reader.pointee.bits) == 8 * samples.byteCount,
        rowBytes == size.width * Int(reader.pointee.channels) * samples.byteCount
      else { throw .damaged(file: bytes.name, reason: "its header does not fit its pixels") }
      let rows = reader.pointee.passes == 1 ? 1 : size.height
      pixels = try MemoryBlock(byteCount: rows * rowBytes, isZeroed: true, for: bytes.name)
    } catch {
      cpng_reader_destroy(reader)
      throw error
    }
    self.reader = reader
  }

  deinit { cpng_reader_destroy(reader) }

  /// Draws the frame. Returns damage of its pixels, and how many rows of the screen are intact above.
  func draw(onto canvas: FrameCanvas) throws(ImageFileError) -> FrameDamage? {
    let (region, height) = (frame.region, canvas.size.height)
    let passes = reader.pointee.passes
    for pass in 1...max(passes, 1) {
      for y in 0..<region.height {
        try stop.check()
        let start = passes == 1 ? 0 : y * rowBytes
        let row = pixels[start..<start + rowBytes]
        guard cpng_reader_row(reader, row.baseAddress) == 1 else {
          let intact = region.y + (pass == passes ? y : 0)
          let error = failure(afterRows: intact, of: height)
          if reader.pointee.stopped == 1 { throw error }
          return (intact, error)
        }
        guard pass == passes else { continue }
        draw(UnsafeRawBufferPointer(row), y, onto: canvas)
      }
    }
    guard cpng_reader_end(reader) == 1 else {
      return (height, failure(afterRows: height, of: height))
    }
    let (indices, colors) = (reader.pointee.index_count, reader.pointee.palette_count)
    guard indices > colors else { return nil }
    return (
      height,
      .beyondPalette(
        file: bytes.name, frame: frame.number, largest: Int(indices) - 1, colors: Int(colors))
    )
  }

  private func draw(_ row: UnsafeRawBufferPointer, _ y: Int, onto canvas: FrameCanvas) {
    func draw<Sample: FixedWidthInteger & UnsignedInteger>(_: Sample.Type) {
      canvas.draw(
        row.bindMemory(to: Sample.self), channels: Int(reader.pointee.channels),
        x: frame.region.x, y: frame.region.y + y, blends: frame.blends)
    }
    samples == .uint16 ? draw(UInt16.self) : draw(UInt8.self)
  }

  private func failure(afterRows rows: Int, of count: Int) -> ImageFileError {
    Self.failure(reader, stream, frame, bytes, afterRows: rows, of: count)
  }

  private static func failure(
    _ reader: UnsafeMutablePointer<cpng_reader>, _ stream: APNGStream, _ frame: APNGFrame,
    _ bytes: ByteSource, afterRows rows: Int, of count: Int
  ) -> ImageFileError {
    stream.failure
      ?? reader.failure(
        in: bytes, afterRows: rows, of: count, part: "its frame \(frame.number): ")
  }
}
