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
    let row = Double(picture.size.width) * Double(picture.count * format.byteCount)
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
    let gathering: PlateGathering
    do throws(BitmapError) {
      gathering = try PlateGathering(
        MemoryBlock(byteCount: picture.size.width * picture.count * format.byteCount), picture,
        format)
    } catch {
      throw .bitmap(error)
    }
    try bands.run { plate, firstRow, band in
      try gathering.add(band, of: plate, firstRow, take)
    }
  }
}

/// Bands of the same rows on their way into rows of all channels. The renderer hands them on one at a time.
private final class PlateGathering: @unchecked Sendable {
  private let row: MemoryBlock
  private let plateCount, inkCount, width: Int
  private let format: SampleFormat
  private var bands: [BitmapSurface] = []

  init(_ row: MemoryBlock, _ picture: InkPicture, _ format: SampleFormat) {
    (self.row, self.format) = (row, format)
    (plateCount, inkCount, width) = (picture.plates.count, picture.count, picture.size.width)
  }

  func add(
    _ band: BitmapSurface, of plate: Int, _ firstRow: Int,
    _ take: (_ y: Int, _ row: UnsafeRawBufferPointer) throws -> Void
  ) throws {
    bands.append(band)
    guard plate == plateCount - 1 else { return }
    // The memory of bands is used again once nobody keeps them.
    defer { bands.removeAll(keepingCapacity: true) }
    for y in 0..<band.size.height {
      for (plate, band) in bands.enumerated() {
        let stored = UnsafeRawBufferPointer(band.bytes(ofRow: y))
        for channel in 0..<3 {
          copyChannel(
            stored, channel, of: 3, to: row.bytes, 3 * plate + channel, of: inkCount, pixels: width,
            bytesPerSample: format.byteCount)
        }
      }
      try take(firstRow + y, UnsafeRawBufferPointer(row.bytes))
    }
  }
}
