internal import COpenEXR
internal import ColorSpaces
internal import ImageBuffer

/// OpenEXRCore at work on the first part of a file, a band at a time: the rows of a chunk, or of a row of tiles.
final class OpenEXRDecoder: ImageDecoder {
  let info: ImageFileInfo
  private let bytes: ByteSource
  private let reader: UnsafeMutablePointer<cexr_reader>
  private let bandHeight: Int
  private var band: [UInt8] = []
  private var rowsRead = 0

  init(_ job: DecodingJob) throws(ImageFileError) {
    let (bytes, limits) = (job.bytes, job.limits)
    guard let reader = cexr_reader_create(ByteSource.read, bytes.context, bytes.count) else {
      throw .damaged(file: bytes.name, reason: "OpenEXR found no memory to begin with")
    }
    do throws(ImageFileError) {
      let largestSide = Int32(clamping: limits.pixels)
      guard cexr_reader_begin(reader, largestSide, largestSide) == 1 else {
        throw reader.failure(in: bytes, afterRows: 0)
      }
      info = reader.pointee.info(file: bytes.name)
      try limits.check(info, in: bytes)
      let (band, width) = (Int(reader.pointee.band_height), Int(reader.pointee.tile_width))
      guard band > 0, reader.pointee.is_tiled == 0 || width > 0 else {
        throw .damaged(file: bytes.name, reason: "its chunks have \(width) × \(band) pixels")
      }
      bandHeight = min(band, info.storedSize.height)
    } catch {
      cexr_reader_destroy(reader)
      throw error
    }
    (self.bytes, self.reader) = (bytes, reader)
  }

  deinit { cexr_reader_destroy(reader) }

  func begin(with region: Region) -> Int {
    rowsRead = region.y / bandHeight * bandHeight
    return rowsRead
  }

  func readRow(into row: UnsafeMutableRawBufferPointer) throws(ImageFileError) {
    let bandRow = rowsRead % bandHeight
    if bandRow == 0 {
      if band.isEmpty { band = [UInt8](repeating: 0, count: bandHeight * row.count) }
      let isRead = band.withUnsafeMutableBytes {
        cexr_reader_band(reader, Int64(rowsRead), $0.baseAddress, row.count)
      }
      guard isRead == 1 else { throw reader.failure(in: bytes, afterRows: rowsRead) }
    }
    band.withUnsafeBytes {
      row.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: $0[bandRow * row.count..<(bandRow + 1) * row.count]))
    }
    rowsRead += 1
  }

  func finish() throws(ImageFileError) {}
}

extension UnsafeMutablePointer<cexr_reader> {
  fileprivate func failure(in bytes: ByteSource, afterRows rows: Int) -> ImageFileError {
    if bytes.systemFailure != nil { return bytes.readingFailure }
    let message = String(cString: cexr_reader_message(self))
    if pointee.file.is_unsupported == 1 {
      return .unsupportedStorage(file: bytes.name, reason: message)
    }
    return pointee.file.ended == 1 && pointee.height > 0
      ? .truncated(file: bytes.name, rows: rows, of: Int(pointee.height))
      : .damaged(file: bytes.name, reason: "OpenEXR says “\(message)”")
  }
}

extension cexr_reader {
  fileprivate func info(file: String) -> ImageFileInfo {
    let colors: Channels = is_gray != 0 ? .gray : .rgb
    let covered: Channels = is_gray != 0 ? .grayAlpha : .rgba
    let storage = [
      is_float != 0 ? "floats of 32 bits" : "floats of 16 bits", is_tiled != 0 ? "tiles" : "rows",
      is_window != 0 ? "of another window at (\(left), \(top))" : nil,
      other_channels > 0 ? "\(other_channels) other channels left out" : nil,
      part_count > 1 ? "the first of \(part_count) parts" : nil,
    ]
    return ImageFileInfo(
      format: .openEXR, storedSize: PixelSize(Int(width), Int(height)),
      channels: has_alpha != 0 ? covered : colors, samples: is_float != 0 ? .float32 : .float16,
      alpha: has_alpha != 0 ? .premultiplied : .straight,
      storage: storage.compactMap(\.self).joined(separator: ", "),
      color: color(file: file), readingBytes: heldBytes)
  }

  /// The places of all chunks, the rows of one or of tiles side by side, and a chunk as it is packed, on its way, and unpacked, with all
  /// of its channels.
  private var heldBytes: Double {
    let (width, height) = (Double(width), Double(height))
    let columns = is_tiled != 0 ? min(Double(tile_width), width) : width
    let rows = min(Double(band_height), height)
    let chunk = 4 * Double(channels + other_channels) * columns * rows
    let chunks = (width / max(columns, 1) + 1) * (height / max(rows, 1) + 1)
    return 0x1p18 + 16 * chunks + 4 * Double(channels) * width * rows + 4 * chunk
  }

  /// Linear light of the lights that the file names; of Rec. 709's where it names none (OpenEXR, “Standard attributes”).
  private func color(file: String) -> StatedColor {
    guard has_chromaticities != 0 else { return .space(.linearSRGB, by: .formatRule) }
    let numbers = withUnsafeBytes(of: chromaticities) {
      $0.bindMemory(to: Float.self).map(shortestDouble)
    }
    let (lights, white) = (Array(numbers[..<6]), Array(numbers[6...]))
    let space = ColorSpace.ofChromaticities("OpenEXR", white: white, lights: lights, exponent: 1)
    return space.map { .space($0, by: .chromaticities) }
      ?? .unusable(
        .unsupportedColor(
          file: file, reason: "its chromaticities are lights \(lights) and white \(white)"))
  }
}

/// The number that was meant: 0.64, not 0.639999985.
private func shortestDouble(_ value: Float) -> Double { Double("\(value)") ?? Double(value) }
