import Colorloom

/// A black picture that takes no memory, for plans.
struct BlankRows: RowSource {
  let size: PixelSize
  var space = ColorSpace.sRGB
  var channels: Channels { .rgb }
  var alpha: Alpha { .straight }
  var format: SampleFormat { .uint16 }

  func makeReader() throws -> any RowReader { Reader() }

  private final class Reader: RowReader {
    func readRow(into row: UnsafeMutableRawBufferPointer) throws {
      row.initializeMemory(as: UInt8.self, repeating: 0)
    }
  }
}
