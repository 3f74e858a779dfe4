internal import ColorSpaces
internal import FilterGraph
internal import ImageBuffer

/// A file's rows as the source of a picture: decoded when the picture is rendered, and as far as it needs them.
struct FileRows: RowSource {
  private let bytes: FileBytes
  private let limits: FileLimits
  private let info: ImageFileInfo
  let space: ColorSpace

  /// The decoder has read the header of the bytes.
  init(_ bytes: FileBytes, _ limits: FileLimits, _ info: ImageFileInfo, _ space: ColorSpace) {
    (self.bytes, self.limits, self.info, self.space) = (bytes, limits, info, space)
  }

  var size: PixelSize { info.storedSize }
  var channels: Channels { info.channels }
  var alpha: Alpha { info.alpha }
  var format: SampleFormat { info.samples }

  func makeReader() throws -> any RowReader {
    FileRowReader(try info.format.decoder(bytes, limits), rowCount: size.height)
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
