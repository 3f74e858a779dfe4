import ColorSpaces
import ImageBuffer
import ImageFiles
import Testing

/// The plots on the page of `report`.
@Suite struct SVGPlotTests {
  private let pages: ReportPages

  init() throws { pages = try ReportPages() }

  /// Values that no Int holds, infinity and NaN are drawn at the edges, or not at all.
  @Test func extremeValuesAreDrawn() throws {
    for value in [Float(1e20), -1e20, 3e38, .infinity, .nan] {
      let bitmap = Bitmap<Float>(PixelSize(8, 8), in: .linearSRGB, channels: .rgb) { x, y in
        [x == y ? value : 0.5, 0.25, x == 2 ? value : 0]
      }
      let path = pages.path("extreme.exr")
      try ImageFile.write(.float32(bitmap), to: path)
      #expect(try pages.page([path]).contains("<h2>Colors</h2>"), "\(value)")
    }
  }
}
