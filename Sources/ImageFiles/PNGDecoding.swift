internal import CPNG
internal import ColorSpaces
internal import ImageBuffer

/// Reads a PNG file: the meaning of its colors here, its pixels through libpng.
func decodePNG(
  _ bytes: [UInt8], file: String, assuming assumption: ColorSpace?, limits: FileLimits,
  progress: ((Double) -> Void)?
) throws(ImageFileError) -> AnyBitmap {
  let chunks = try PNGChunks(bytes, file: file)
  guard chunks.size.pixelCount <= limits.pixels else {
    throw .tooManyPixels(file: file, chunks.size, limit: limits.pixels)
  }
  guard chunks.smallestByteCount <= bytes.count else {
    throw .damaged(
      file: file,
      reason: "its header states \(chunks.size) pixels, which \(bytes.count) bytes cannot hold")
  }
  let space = try chunks.colorSpace(assuming: assumption)
  return try bytes.withUnsafeBufferPointer { bytes throws(ImageFileError) in
    let reader = try PNGReader(bytes, chunks)
    return chunks.bitDepth == 16
      ? AnyBitmap(try reader.bitmap(UInt16.self, in: space, progress))
      : AnyBitmap(try reader.bitmap(UInt8.self, in: space, progress))
  }
}

/// libpng at work on a file. The bytes must outlive it.
private struct PNGReader: ~Copyable {
  private let reader: UnsafeMutablePointer<cpng_reader>
  private let file: String
  private let size: PixelSize

  init(
    _ bytes: UnsafeBufferPointer<UInt8>, _ chunks: PNGChunks
  ) throws(ImageFileError) {
    guard let reader = cpng_reader_create(bytes.baseAddress, bytes.count) else {
      throw .damaged(file: chunks.file, reason: "libpng found no memory to begin with")
    }
    (self.reader, file, size) = (reader, chunks.file, chunks.size)
  }

  deinit { cpng_reader_destroy(reader) }

  private func failure(afterRows rows: Int) -> ImageFileError {
    reader.pointee.ended == 1
      ? .truncated(file: file, rows: rows, of: size.height)
      : .damaged(
        file: file, reason: "libpng says “\(String(cString: cpng_reader_message(reader)))”")
  }

  func bitmap<Sample: PixelSample>(
    _: Sample.Type, in space: ColorSpace, _ progress: ((Double) -> Void)?
  ) throws(ImageFileError) -> Bitmap<Sample> {
    guard cpng_reader_begin(reader) == 1 else { throw failure(afterRows: 0) }
    let known: [Int32: Channels] = [1: .gray, 2: .grayAlpha, 3: .rgb, 4: .rgba]
    // What is allocated here and what libpng writes must be the same, whatever the file says.
    guard let channels = known[reader.pointee.channels],
      reader.pointee.width == size.width, reader.pointee.height == size.height,
      reader.pointee.bits == 8 * Sample.format.byteCount,
      reader.pointee.bytes_per_row == size.width * channels.count * Sample.format.byteCount
    else { throw .damaged(file: file, reason: "its header does not fit its pixels") }
    var bitmap = Bitmap<Sample>(
      uninitialized: size, in: space, channels: channels, alpha: .straight,
      arrangement: .interleaved)
    let passes = Int(reader.pointee.passes)
    let step = max(size.height / 64, 1)
    for pass in 0..<passes {
      for y in 0..<size.height {
        let isRead = bitmap.withUnsafeMutableRow(y) { cpng_reader_row(reader, $0.baseAddress) }
        guard isRead == 1 else { throw failure(afterRows: pass == passes - 1 ? y : 0) }
        if y % step == step - 1 {
          progress?((Double(pass) + Double(y) / Double(size.height)) / Double(passes))
        }
      }
    }
    guard cpng_reader_end(reader) == 1 else { throw failure(afterRows: size.height) }
    progress?(1)
    return bitmap
  }
}
