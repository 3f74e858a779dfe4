import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Filters that read opaque blocks where they lie give what they give for the same pixels elsewhere.
@Suite struct OpaqueBlockTests {
  private static let size = PixelSize(600, 300)

  /// Opaque, but for the pixels that `isOpaque` excludes.
  private func bitmap(isOpaque: (Int, Int) -> Bool) -> Bitmap<Float> {
    var random = SeededGenerator(seed: 11)
    return Bitmap(Self.size, in: .linearSRGB) { x, y in
      let color = (0..<3).map { _ in Float.random(in: -0.5...1.5, using: &random) }
      return color + [isOpaque(x, y) ? 1 : Float.random(in: 0...0.99, using: &random)]
    }
  }

  private static let filters: [(String, @Sendable (Picture) -> Picture)] = [
    ("median 1", { $0.median(radius: 1) }), ("median 2", { $0.median(radius: 2) }),
    ("dilation", { $0.dilated(by: 2) }), ("erosion", { $0.eroded(by: 3) }),
    // Sums of weights of 1 and of 0.9.
    ("sharpening", { $0.convolved([[0, -1, 0], [-1, 5, -1], [0, -1, 0]]) }),
    ("convolution", { $0.convolved([[0.1, 0.2, 0.3], [0.1, 0.1, 0.1], [0, 0, 0]]) }),
  ]

  /// Separate planes are premultiplied and divided again, also where they are opaque.
  private func reference(
    _ bitmap: Bitmap<Float>, _ filter: (Picture) -> Picture
  ) throws -> Bitmap<Float> {
    let planar = Bitmap<Float>(Self.size, in: .linearSRGB, arrangement: .planar) { x, y in
      (0..<4).map { bitmap[x, y, $0] }
    }
    return try filter(Picture(planar)).render(as: Float.self)
  }

  @Test(arguments: filters.indices)
  func pixelsDoNotDependOnWhatIsOpaque(index: Int) throws {
    let (name, filter) = Self.filters[index]
    let pictures: [(String, (Int, Int) -> Bool)] = [
      ("all", { _, _ in true }), ("none", { _, _ in false }),
      ("all but one", { $0 != 599 || $1 != 150 }), ("the upper half", { $1 < 151 }),
      ("the lower half", { $1 > 149 }), ("one column in four", { x, _ in x % 4 == 0 }),
    ]
    for (opaque, isOpaque) in pictures {
      let source = bitmap(isOpaque: isOpaque)
      let expected = try reference(source, filter)
      for threads in [1, 2] {
        var options = RenderOptions()
        options.threads = threads
        let found = try filter(Picture(source)).render(as: Float.self, options: options)
        #expect(found.isIdentical(to: expected), "\(name), opaque: \(opaque)")
      }
    }
  }
}
