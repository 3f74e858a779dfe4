import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Resizes against numbers computed by others; see the tables' README.
@Suite struct ResizeTableTests {
  private struct Case: Decodable {
    var size, to: [Int]
    var input, output: [[Float]]
  }

  @Test func lanczosIsThatOfTheTable() throws {
    let cases = try Fixtures.json("Tables/lanczos.json", as: [Case].self)
    #expect(cases.count >= 5)
    for entry in cases {
      let source = Bitmap<Float>(
        PixelSize(entry.size[0], entry.size[1]), in: .linearSRGB, channels: .rgb
      ) { x, y in
        let value = entry.input[y][x]
        return [value, -value, 2 * value]
      }
      let resized = try Picture(source).resized(to: .exact(entry.to[0], entry.to[1]))
        .render(as: Float.self)
      for y in 0..<entry.to[1] {
        for x in 0..<entry.to[0] {
          let expected = entry.output[y][x]
          // The table's own tolerance: it was computed in single precision.
          #expect(abs(resized[x, y, 0] - expected) <= 2e-6, "(\(x), \(y)) of \(entry.to)")
          #expect(resized[x, y, 1] == -resized[x, y, 0])
          #expect(resized[x, y, 2] == 2 * resized[x, y, 0])
        }
      }
    }
  }
}
