internal import FilterGraph
internal import ImageBuffer

/// Renders the plates of an ink picture together, band by band, and interleaves their samples row by row.
struct PlateRendering {
  private let picture: InkPicture
  private let format: SampleFormat
  private let bands: BandRendering

  /// Throws where the memory, with `besides` bytes for the consumer of the rows, exceeds the limit of the options.
  init(
    _ picture: InkPicture, as format: SampleFormat, dither: Dither? = nil,
    counting clippings: [ClippingCount] = [], besides bytes: Int = 0, options: RenderOptions
  ) throws(RenderError) {
    (self.picture, self.format) = (picture, format)
    for plate in picture.plates { try plate.checkRenders(options) }
    // Bands come plate by plate and may end at different rows, so rows of up to two bands wait.
    let row = Double(picture.size.width) * Double(picture.count * format.byteCount)
    bands = try BandRendering(
      picture.plates.indices.map { index in
        BandedResult(
          picture.plates[index], channels: .rgb, as: format, alpha: .straight, dither: dither,
          counting: clippings.isEmpty ? nil : clippings[index])
      },
      besides: bytes, keepingRowsOf: wholeBytes(row), options: options)
  }

  /// The most memory that the rendering takes, with that of the consumer of the rows.
  var peakBytes: Int { bands.peakBytes }

  /// Delivers the rows from the top, with all channels of a pixel interleaved.
  func run(
    _ take: @escaping @Sendable (_ y: Int, _ row: UnsafeRawBufferPointer) throws -> Void
  ) throws(RenderError) {
    let gathering = PlateGathering(picture, format)
    try bands.run { plate, firstRow, band in
      try gathering.add(band, of: plate, firstRow, take)
    }
  }
}

/// Gathers the rows of plates into interleaved rows. The renderer delivers one band at a time; bands of plates may differ in height.
private final class PlateGathering: @unchecked Sendable {
  /// A row for which some plates are still missing.
  private struct Row {
    var bytes: [UInt8]
    var plates = 0
  }

  private let plateCount, inkCount, width: Int
  private let format: SampleFormat
  private var rows: [Int: Row] = [:]

  init(_ picture: InkPicture, _ format: SampleFormat) {
    self.format = format
    (plateCount, inkCount, width) = (picture.plates.count, picture.count, picture.size.width)
  }

  func add(
    _ band: BitmapSurface, of plate: Int, _ firstRow: Int,
    _ take: (_ y: Int, _ row: UnsafeRawBufferPointer) throws -> Void
  ) throws {
    for line in 0..<band.size.height {
      let y = firstRow + line
      let stored = UnsafeRawBufferPointer(band.bytes(ofRow: line))
      var row =
        rows.removeValue(forKey: y)
        ?? Row(bytes: [UInt8](repeating: 0, count: width * inkCount * format.byteCount))
      row.bytes.withUnsafeMutableBytes { bytes in
        for channel in 0..<3 {
          copyChannel(
            stored, channel, of: 3, to: bytes, 3 * plate + channel, of: inkCount, pixels: width,
            bytesPerSample: format.byteCount)
        }
      }
      row.plates += 1
      if row.plates < plateCount {
        rows[y] = row
      } else {
        try row.bytes.withUnsafeBytes { try take(y, $0) }
      }
    }
  }
}
