internal import FilterGraph
internal import ImageBuffer

/// The plates of a picture of ink channels, rendered together in bands whose samples are put side by side, row by row.
struct PlateRendering {
  private let picture: InkPicture
  private let format: SampleFormat
  private let bands: BandRendering

  /// Refuses what would take more memory than the options allow, with `besides` bytes for whoever takes the rows.
  init(
    _ picture: InkPicture, as format: SampleFormat, dither: Dither? = nil,
    counting clippings: [ClippingCount] = [], besides bytes: Int = 0, options: RenderOptions
  ) throws(RenderError) {
    (self.picture, self.format) = (picture, format)
    for plate in picture.plates { try plate.checkRenders(options) }
    // Rows wait for those of other plates, whose bands may be higher; no band has more rows than this.
    let waiting = Double(min(picture.size.height, 512))
    let row = waiting * Double(picture.size.width) * Double(picture.count * format.byteCount)
    bands = try BandRendering(
      picture.plates.indices.map { index in
        BandedResult(
          picture.plates[index], channels: .rgb, as: format, alpha: .straight, dither: dither,
          counting: clippings.isEmpty ? nil : clippings[index])
      },
      besides: wholeBytes(Double(bytes) + row), options: options)
  }

  /// Hands on the rows from the top, all channels of a pixel side by side.
  func run(
    _ take: @escaping @Sendable (_ y: Int, _ row: UnsafeRawBufferPointer) throws -> Void
  ) throws(RenderError) {
    let gathering = PlateGathering(picture, format)
    try bands.run { plate, firstRow, band in
      try gathering.add(band, of: plate, firstRow, take)
    }
  }
}

/// Rows of plates on their way into rows of all channels. The renderer hands on one band at a time; bands of plates may have different heights.
private final class PlateGathering: @unchecked Sendable {
  /// A row of which not all plates have come.
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
