internal import ColorSpaces
internal import FilterGraph
internal import ImageBuffer

/// A file's rows as the source of a picture: decoded when the picture is rendered, and as far as it needs them.
struct FileRows: RowSource {
  private let bytes: FileBytes
  private let limits: FileLimits
  private let info: ImageFileInfo
  let space: ColorSpace
  /// Of how many columns and rows the decoder makes one.
  private let reduction: Int

  /// The decoder has read the header of the bytes.
  init(
    _ bytes: FileBytes, _ limits: FileLimits, _ info: ImageFileInfo, _ space: ColorSpace,
    reduction: Int = 1
  ) {
    (self.bytes, self.limits, self.info, self.space) = (bytes, limits, info, space)
    self.reduction = reduction
  }

  var size: PixelSize { info.storedSize.divided(by: reduction) }
  var channels: Channels { info.channels }
  var alpha: Alpha { info.alpha }
  var format: SampleFormat { info.samples }

  func reduced(toAtLeast size: PixelSize) -> (any RowSource)? {
    guard info.format.reducedDecoder != nil else { return nil }
    return [8, 4, 2].first { reduction in
      let reduced = info.storedSize.divided(by: reduction)
      return reduced.width >= size.width && reduced.height >= size.height
    }.map { FileRows(bytes, limits, info, space, reduction: $0) }
  }

  func makeReader() throws -> any RowReader {
    let decoder =
      if reduction > 1, let decoder = info.format.reducedDecoder {
        try decoder(bytes, limits, reduction)
      } else {
        try info.format.decoder(bytes, limits)
      }
    return FileRowReader(decoder, rowCount: size.height)
  }
}

extension PixelSize {
  /// The size of a picture of which every so many columns and rows are one.
  fileprivate func divided(by reduction: Int) -> PixelSize {
    PixelSize((width + reduction - 1) / reduction, (height + reduction - 1) / reduction)
  }
}

private final class FileRowReader: RowReader {
  private let decoder: any ImageDecoder
  private var rowsLeft: Int

  init(_ decoder: any ImageDecoder, rowCount: Int) {
    (self.decoder, rowsLeft) = (decoder, rowCount)
  }

  func readRow(into row: UnsafeMutableRawBufferPointer) throws {
    try decoder.readRow(into: row)
    rowsLeft -= 1
    // What follows the last row tells whether the file is whole.
    if rowsLeft == 0 { try decoder.finish() }
  }
}
