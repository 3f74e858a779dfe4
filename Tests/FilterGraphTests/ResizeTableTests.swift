import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Resizes against numbers computed by others; see the tables' README.
@Suite struct ResizeTableTests {
  private struct Case: Decodable {
    var kernel: String
    var size, to: [Int]
    var input, output: [[Float]]
  }

  private struct Table: Decodable { var cases: [Case] }

  private static let kernels: [String: ResamplingKernel] = [
    "box": .box, "bilinear": .triangle, "hamming": .hamming, "bicubic": .catmullRom,
    "lanczos3": .lanczos(3),
  ]

  @Test func kernelsAreThoseOfTheTable() throws {
    try check(try Fixtures.json("Tables/resize.json", as: Table.self).cases, count: 10)
  }

  @Test(SharedReference.whenPresent) func kernelsAreThoseOfTheWholeTable() throws {
    let table = try SharedReference.json("resize.json", as: Table.self)
    try check(table?.cases ?? [], count: 25)
  }

  private func check(_ cases: [Case], count: Int) throws {
    #expect(cases.count >= count)
    for entry in cases {
      let kernel = try #require(Self.kernels[entry.kernel])
      let source = Bitmap<Float>(
        PixelSize(entry.size[0], entry.size[1]), in: .linearSRGB, channels: .rgb
      ) { x, y in
        let value = entry.input[y][x]
        return [value, -value, 2 * value]
      }
      let resized = try Picture(source).resized(to: .exact(entry.to[0], entry.to[1]), by: kernel)
        .render(as: Float.self)
      for y in 0..<entry.to[1] {
        for x in 0..<entry.to[0] {
          let expected = entry.output[y][x]
          // The table's own tolerance: it was computed in single precision.
          #expect(
            abs(resized[x, y, 0] - expected) <= 2e-6, "\(kernel): (\(x), \(y)) of \(entry.to)")
          // Half-open boxes and symmetric kernels alike do not look at the values.
          #expect(resized[x, y, 1] == -resized[x, y, 0])
          #expect(resized[x, y, 2] == 2 * resized[x, y, 0])
        }
      }
    }
  }
}
