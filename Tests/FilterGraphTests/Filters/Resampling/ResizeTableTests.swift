import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Resizes against values computed by other programs; see the tables' README.
@Suite struct ResizeTableTests {
  private struct Case: Decodable {
    var kernel: String
    var size, to: [Int]
    var input, output: [[Float]]
  }

  private struct Table: Decodable { var cases: [Case] }

  private static let kernels: [String: ResamplingKernel] = [
    "box": .box, "bilinear": .triangle, "hamming": .hamming, "bicubic": .catmullRom,
    "lanczos3": .lanczos3,
  ]

  @Test func kernelsEqualTheTable() throws {
    try check(try Fixtures.json("Tables/resize.json", as: Table.self).cases, count: 10)
  }

  @Test(SharedReference.whenPresent) func kernelsEqualTheWholeTable() throws {
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
          // The documented error of the table, which was computed in single precision.
          #expect(
            abs(resized[x, y, 0] - expected) <= 2e-6, "\(kernel): (\(x), \(y)) of \(entry.to)")
          // Half-open boxes and symmetric kernels alike are linear in the values.
          #expect(resized[x, y, 1] == -resized[x, y, 0])
          #expect(resized[x, y, 2] == 2 * resized[x, y, 0])
        }
      }
    }
  }

  // MARK: Kernels that Pillow lacks

  private struct Kernels: Decodable {
    var input: [[Float]]
    var cases: [Case]
    var rgba: Coverage

    struct Case: Decodable {
      var kernel, by: String
      var to, columns, rows: [Int]
      var output: [[Float]]
    }

    struct Coverage: Decodable {
      var kernel: String
      var to, columns, rows: [Int]
      var input, output: [[[Float]]]
    }
  }

  /// Kernels of zimg and libvips, for reductions and enlargements, at positions where they do not reach beyond the
  /// edge.
  @Test func furtherKernelsEqualTheTable() throws {
    let table = try Fixtures.json("Tables/kernels.json", as: Kernels.self)
    #expect(table.cases.count == 27)
    let source = Bitmap<Float>(
      PixelSize(table.input[0].count, table.input.count), in: .linearSRGB, channels: .gray
    ) { [table.input[$1][$0]] }
    for entry in table.cases {
      let kernel = try #require(ResamplingKernel(named: entry.kernel))
      let resized = try Picture(source).resized(to: .exact(entry.to[0], entry.to[1]), by: kernel)
        .render(as: Float.self)
      for (y, row) in zip(entry.rows, entry.output) {
        for (x, expected) in zip(entry.columns, row) {
          // Two sums of up to 16 products in single precision, here and in zimg; libvips' are in double precision.
          #expect(
            abs(resized[x, y, 0] - expected) <= (entry.by == "zimg" ? 8e-7 : 5e-7),
            "\(kernel) of \(entry.by): (\(x), \(y)) of \(entry.to)")
        }
      }
    }
  }

  /// Where alpha varies, colors are weighted by it: libvips premultiplies, resizes and unpremultiplies.
  @Test func alphaWeightedResizesEqualTheTable() throws {
    let table = try Fixtures.json("Tables/kernels.json", as: Kernels.self).rgba
    let source = Bitmap<Float>(
      PixelSize(table.input[0].count, table.input.count), in: .linearSRGB
    ) { table.input[$1][$0] }
    let kernel = try #require(ResamplingKernel(named: table.kernel))
    let resized = try Picture(source).resized(to: .exact(table.to[0], table.to[1]), by: kernel)
      .render(as: Float.self)
    for (y, row) in zip(table.rows, table.output) {
      for (x, expected) in zip(table.columns, row) {
        for channel in 0..<4 {
          // As above; color is divided by an alpha of 0.15 or more. With straight alpha the error would be 0.04.
          #expect(abs(resized[x, y, channel] - expected[channel]) <= 2e-6, "(\(x), \(y))")
        }
      }
    }
  }
}
