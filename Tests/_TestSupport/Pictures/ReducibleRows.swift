internal import ColorSpaces
internal import FilterGraph
internal import ImageBuffer

/// Rows of a pattern that can be read with half as many pixels across and down, and with half of those, as JPEG files can.
struct ReducibleRows: RowSource {
  let size: PixelSize
  /// How many pixels of the pattern, across and down, one pixel stands for.
  private var step = 1

  var space: ColorSpace { .displayP3 }
  var channels: Channels { .rgb }
  var alpha: Alpha { .straight }
  var format: SampleFormat { .uint8 }

  init(size: PixelSize) { self.size = size }

  private init(size: PixelSize, step: Int) { (self.size, self.step) = (size, step) }

  func reduced(toAtLeast wanted: PixelSize) -> (any RowSource)? {
    let half = PixelSize(size.width / 2, size.height / 2)
    guard half.width >= wanted.width, half.height >= wanted.height else { return nil }
    let fewer = ReducibleRows(size: half, step: 2 * step)
    return fewer.reduced(toAtLeast: wanted) ?? fewer
  }

  func makeReader() -> any RowReader { Reader(width: size.width, step: step) }

  private final class Reader: RowReader {
    private let (width, step): (Int, Int)
    private var y = 0

    init(width: Int, step: Int) { (self.width, self.step) = (width, step) }

    func readRow(into row: UnsafeMutableRawBufferPointer) {
      for x in 0..<width {
        for channel in 0..<3 {
          row[3 * x + channel] = UInt8(truncatingIfNeeded: step * (7 * x + 5 * y) + 40 * channel)
        }
      }
      y += 1
    }
  }
}
