internal import CPNG
internal import ImageBuffer

/// Decodes a frame of an animated PNG file, with all pixels in memory: it is drawn onto those before it, as browsers do.
final class APNGDecoder: ImageDecoder {
  let info: ImageFileInfo
  private let chunks: PNGChunks
  private let found: APNGAnimation.Survey.Found
  private let bytes: ByteSource
  private var canvas: FrameCanvas?
  private var rowsRead = 0
  /// The damage of the frame that is read, and how many rows from the top it leaves intact.
  private var damage: APNGFrameRows.Damage?

  init(
    _ info: ImageFileInfo, _ chunks: PNGChunks, _ found: APNGAnimation.Survey.Found,
    _ bytes: ByteSource
  ) {
    (self.info, self.chunks, self.found, self.bytes) = (info, chunks, found, bytes)
  }

  func readRow(into row: UnsafeMutableRawBufferPointer) throws(ImageFileError) {
    let canvas = try composed()
    if let damage, rowsRead >= damage.rows { throw damage.error }
    canvas.copyRow(rowsRead, to: row)
    rowsRead += 1
  }

  func finish() throws(ImageFileError) {
    if let damage { throw damage.error }
  }

  /// The pixels of the screen after the frame was drawn.
  private func composed() throws(ImageFileError) -> FrameCanvas {
    if let canvas { return canvas }
    let new = try FrameCanvas(
      info.storedSize, pixelBytes: info.channels.composed.count * info.samples.byteCount,
      for: bytes.name)
    var frames = found.start
    while let frame = try frames.next() {
      if frame.number == found.frame.number {
        damage = try draw(frame, onto: new)
        break
      }
      switch frame.disposal {
      // What is undone need not be drawn.
      case .restore: continue
      case .clear: new.clear(frame.region)
      case .keep: if let damage = try draw(frame, onto: new) { throw damage.error }
      }
    }
    canvas = new
    return new
  }

  private func draw(
    _ frame: APNGFrame, onto canvas: FrameCanvas
  ) throws(ImageFileError) -> APNGFrameRows.Damage? {
    try APNGFrameRows(frame, chunks, bytes, samples: info.samples).draw(onto: canvas)
  }
}

extension Channels {
  /// The channels of the screen on which frames are drawn.
  var composed: Channels { isGray ? .grayAlpha : .rgba }
}

/// The pixels of one frame, which libpng decodes from a stream of its own.
private final class APNGFrameRows {
  typealias Damage = (rows: Int, error: ImageFileError)

  private let frame: APNGFrame
  private let stream: APNGStream
  private let bytes: ByteSource
  private let samples: SampleFormat
  private let reader: UnsafeMutablePointer<cpng_reader>
  /// A row, or all of them where they are interlaced.
  private let pixels: MemoryBlock
  private let rowBytes: Int

  init(
    _ frame: APNGFrame, _ chunks: PNGChunks, _ bytes: ByteSource, samples: SampleFormat
  ) throws(ImageFileError) {
    stream = APNGStream(frame, chunks, bytes)
    (self.frame, self.bytes, self.samples) = (frame, bytes, samples)
    guard let reader = cpng_reader_create(APNGStream.read, stream.context) else {
      throw .damaged(file: bytes.name, reason: "libpng could not allocate memory")
    }
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
  func draw(onto canvas: FrameCanvas) -> Damage? {
    let (region, height) = (frame.region, canvas.size.height)
    let passes = reader.pointee.passes
    for pass in 1...max(passes, 1) {
      for y in 0..<region.height {
        let start = passes == 1 ? 0 : y * rowBytes
        let row = pixels[start..<start + rowBytes]
        guard cpng_reader_row(reader, row.baseAddress) == 1 else {
          let intact = region.y + (pass == passes ? y : 0)
          return (intact, failure(afterRows: intact, of: height))
        }
        guard pass == passes else { continue }
        draw(UnsafeRawBufferPointer(row), onto: canvas.row(region.y + y, from: region.x))
      }
    }
    guard cpng_reader_end(reader) == 1 else {
      return (height, failure(afterRows: height, of: height))
    }
    let (indices, colors) = (reader.pointee.index_count, reader.pointee.palette_count)
    guard indices > colors else { return nil }
    return (
      height,
      .damaged(
        file: bytes.name,
        reason:
          "its frame \(frame.number) has palette indices up to \(indices - 1), and its palette has "
          + counted(Int(colors), "color"))
    )
  }

  private func draw(_ row: UnsafeRawBufferPointer, onto target: UnsafeMutableRawBufferPointer) {
    let channels = Int(reader.pointee.channels)
    if samples == .uint16 {
      frame.draw(row.bindMemory(to: UInt16.self), channels, onto: target)
    } else {
      frame.draw(row.bindMemory(to: UInt8.self), channels, onto: target)
    }
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

extension APNGFrame {
  /// Draws a row of pixels, of which those of two and four channels have straight alpha, onto one of the screen, which has alpha.
  fileprivate func draw<Sample: FixedWidthInteger & UnsignedInteger>(
    _ row: UnsafeBufferPointer<Sample>, _ channels: Int, onto target: UnsafeMutableRawBufferPointer
  ) {
    let target = target.bindMemory(to: Sample.self)
    let hasAlpha = channels % 2 == 0
    let colors = hasAlpha ? channels - 1 : channels
    let most = Int(Sample.max)
    for x in 0..<row.count / channels {
      let (source, place) = (x * channels, x * (colors + 1))
      let alpha = hasAlpha ? Int(row[source + colors]) : most
      if !blends || alpha == most {
        for color in 0..<colors { target[place + color] = row[source + color] }
        target[place + colors] = Sample(alpha)
      } else if alpha > 0 {
        // Porter and Duff's “over” of straight alpha (PNG, third edition, 13.16).
        let above = alpha * most
        let below = (most - alpha) * Int(target[place + colors])
        let sum = above + below
        for color in 0..<colors {
          let mixed = Int(row[source + color]) * above + Int(target[place + color]) * below
          target[place + color] = Sample((mixed + sum / 2) / sum)
        }
        target[place + colors] = Sample((sum + most / 2) / most)
      }
    }
  }
}
