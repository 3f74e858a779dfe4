import ColorSpaces
import Testing
import _TestSupport

/// The primaries of Display P3 in sRGB and vice versa, the values by which wide-gamut color is recognized.
@Suite struct CanaryTests {
  private struct Table: Decodable {
    struct Primary: Decodable {
      let name: String
      let p3InLinearSRGB, p3InSRGB, sRGBInLinearP3, sRGBInP3: [Double]
    }
    let p3ToSRGB, sRGBToP3: [[Double]]
    let primaries: [Primary]
  }

  private let table: Table

  init() throws { table = try Fixtures.json("Tables/canary.json", as: Table.self) }

  /// The tables are exact before their last rounding. Ours adds some twenty rounding errors of values around 1, and
  /// where a channel should be 0 the curve's linear toe amplifies its error by 12.92.
  private let tolerance = 2e-15 * 12.92

  @Test func matricesBetweenP3AndSRGBEqualTheTable() {
    #expect(
      ColorSpace.displayP3.matrix(to: .sRGB).distance(to: ColorMatrix(table: table.p3ToSRGB))
        <= 2e-15)
    #expect(
      ColorSpace.sRGB.matrix(to: .displayP3).distance(to: ColorMatrix(table: table.sRGBToP3))
        <= 2e-15)
  }

  @Test func primariesOfP3InSRGBEqualTheTable() {
    let pure: [String: SIMD3<Double>] = [
      "red": [1, 0, 0], "green": [0, 1, 0], "blue": [0, 0, 1],
    ]
    #expect(Set(table.primaries.map(\.name)) == Set(pure.keys))
    for primary in table.primaries {
      let color = pure[primary.name] ?? .zero
      let conversions: [(ColorSpace, ColorSpace, [Double])] = [
        (.displayP3, .linearSRGB, primary.p3InLinearSRGB), (.displayP3, .sRGB, primary.p3InSRGB),
        (.sRGB, .linearDisplayP3, primary.sRGBInLinearP3), (.sRGB, .displayP3, primary.sRGBInP3),
      ]
      for (source, target, expected) in conversions {
        let result = ColorPoint(color, in: source).converted(to: target).components
        #expect((result - SIMD3(expected)).largest <= tolerance, "\(primary.name) in \(target)")
      }
    }
  }

  /// The values of a shipping test suite for phones, computed by Apple in single precision through 16-bit profiles.
  @Test func valuesEqualApples() {
    let orange = ColorPoint(1, 0.5, 0, in: .displayP3).converted(to: .sRGB).components
    #expect((orange - [1.0739977, 0.4625884, -0.2104679]).largest <= 1e-4)
  }

  /// The values printed in the founding article, to its digits.
  @Test func valuesEqualTheFoundingArticle() {
    let red = ColorPoint(1, 0, 0, in: .displayP3)
    #expect((red.converted(to: .sRGB).components - [1.0930, -0.2267, -0.1501]).largest <= 1e-4)
    #expect(
      (red.converted(to: .linearSRGB).components - [1.2249, -0.04203, -0.0196]).largest <= 1e-4)
  }
}
