import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Gamut tests by color differences, which the kernels compute, against conversions and formulas for single colors.
@Suite struct ClippingDifferenceTests {
  static let formulas: [(formula: ColorDifference, tolerance: Double)] = [
    (.cie76, 3), (.cie94(), 1), (.cie94(.textiles), 0.5), (.ciede2000(), 1),
    (.ciede2000(kL: 2), 20),
    (.cmc(), 2), (.hyAB, 3), (.ok, 0.02), (.itp, 5), (.jz, 0.005), (.cam16, 1), (.din99o, 1),
  ]

  /// What the verdict may depend on: rounding in double precision, which the formulas amplify. Differences this near to the tolerance
  /// may lie on either side.
  private static let doubt = 1e-8

  /// Linear colors inside, near and far outside of gamuts, some of them gray.
  private static func colors(_ count: Int) -> [SIMD3<Float>] {
    var random = SeededGenerator(seed: 9)
    func number(_ range: ClosedRange<Float>) -> Float { Float.random(in: range, using: &random) }
    return (0..<count).map { index in
      let range: ClosedRange<Float> =
        index % 3 == 0 ? -0.01...1.01 : index % 3 == 1 ? -0.2...1.2 : -1...4
      if index % 7 == 0 { return SIMD3(repeating: number(range)) }
      return [number(range), number(range), number(range)]
    }
  }

  private static func picture(_ colors: [SIMD3<Float>], in space: ColorSpace) -> Picture {
    Picture(
      Bitmap<Float>(PixelSize(colors.count, 1), in: space.linear, channels: .rgb) { x, _ in
        [colors[x].x, colors[x].y, colors[x].z]
      })
  }

  /// The difference of a color from its clipped version.
  private static func difference(
    _ color: SIMD3<Float>, by formula: ColorDifference, of gamut: ColorSpace, in space: ColorSpace
  ) -> Double {
    let light = space.matrix(to: gamut) * SIMD3<Double>(color)
    let clipped = light.clamped(lowerBound: .zero, upperBound: .one)
    return formula(ColorPoint(clipped, in: gamut.linear), ColorPoint(light, in: gamut.linear))
  }

  @Test(arguments: formulas.indices, [ColorSpace.displayP3, .acescg])
  func masksMarkWhatDiffersInDoublePrecision(index: Int, space: ColorSpace) throws {
    let (formula, tolerance) = Self.formulas[index]
    let colors = Self.colors(1500)
    let mask = try Self.picture(colors, in: space).gamutMask(
      outside: .sRGB, tolerance: tolerance, metric: .difference(formula), marking: .mask
    ).render(as: Float.self).row(0)
    var counts = (inside: 0, outside: 0, doubtful: 0)
    for (place, color) in colors.enumerated() {
      let difference = Self.difference(color, by: formula, of: .sRGB, in: space)
      if abs(difference - tolerance) <= Self.doubt {
        counts.doubtful += 1
      } else if difference > tolerance {
        counts.outside += 1
        #expect(mask[3 * place] == 1, "\(color) by \(formula): \(difference)")
      } else {
        counts.inside += 1
        #expect(mask[3 * place] == 0, "\(color) by \(formula): \(difference)")
      }
    }
    #expect(counts.inside > 150 && counts.outside > 150 && counts.doubtful < 3, "\(counts)")
  }

  /// The fraction that lies outside is that of the mask, also for rows that do not fill vectors.
  @Test func coveragesCountWhatMasksMark() throws {
    let metric = GamutMetric.difference(.ciede2000())
    for count in [1, 3, 255, 256, 257, 1000] {
      let picture = Self.picture(Self.colors(count), in: .rec2020)
      let mask = try picture.gamutMask(
        outside: .displayP3, tolerance: 1, metric: metric, marking: .mask
      ).render(as: Float.self).row(0)
      let marked = stride(from: 0, to: mask.count, by: 3).count { mask[$0] == 1 }
      let coverage = try picture.reduced(
        by: GamutCoverage(of: [.displayP3], tolerance: 1, metric: metric))
      #expect(coverage.outside == [marked] && coverage.pixelCount == count)
    }
  }

  /// Infinity is the brightest color, and a NaN is inside.
  @Test func infiniteColorsAreOutside() throws {
    let colors: [SIMD3<Float>] = [
      [.infinity, 0, 0], [-.infinity, 1, 1], [1e30, 1e30, 1e30], [.nan, 2, 2],
      [.infinity, .nan, 0],
    ]
    for (formula, tolerance) in Self.formulas {
      let mask = try Self.picture(colors, in: .displayP3).gamutMask(
        outside: .sRGB, tolerance: tolerance, metric: .difference(formula), marking: .mask
      ).render(as: Float.self).row(0)
      #expect(
        stride(from: 0, to: mask.count, by: 3).map { mask[$0] } == [1, 1, 1, 0, 0], "\(formula)")
    }
  }
}
