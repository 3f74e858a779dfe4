import ColorSpaces
import Testing

/// The distance from the Planckian locus up to which a color has a temperature: Duv 0.05 exactly (CIE 15:2018, 9.4).
@Suite struct ColorTemperatureLimitTests {
  /// A chromaticity at some distance from the Planckian locus, found independently of the implementation's limit: along
  /// the line through two points of the CIE 1960 diagram.
  private func chromaticity(kelvin: Double, duv: Double) throws -> Chromaticity {
    let inner = try ColorTemperature(kelvin: kelvin).chromaticity
    let outer = try ColorTemperature(kelvin: kelvin, duv: 0.04).chromaticity
    let (a, b) = (uv(inner), uv(outer))
    let point = a + (b - a) * (duv / 0.04)
    let scale = 2 * point.x - 8 * point.y + 4
    return Chromaticity(3 * point.x / scale, 2 * point.y / scale)
  }

  private func uv(_ color: Chromaticity) -> SIMD2<Double> {
    SIMD2(4 * color.x, 6 * color.y) / (-2 * color.x + 12 * color.y + 3)
  }

  @Test(arguments: [2000, 4000, 6500, 20_000.0], [1, -1.0])
  func colorsWithinTheLimitHaveATemperature(kelvin: Double, side: Double) throws {
    let found = try #require(
      ColorTemperature(of: chromaticity(kelvin: kelvin, duv: side * 0.0499)))
    #expect(abs(found.kelvin / kelvin - 1) < 1e-6)
    #expect(abs(found.duv - side * 0.0499) < 1e-9)
  }

  @Test(arguments: [4000, 6500, 20_000.0], [1, -1.0])
  func colorsBeyondTheDuvLimitHaveNoTemperature(kelvin: Double, side: Double) throws {
    for duv in [0.0501, 0.055, 0.0599] {
      let color = try chromaticity(kelvin: kelvin, duv: side * duv)
      #expect(ColorTemperature(of: color) == nil, "\(duv)")
    }
  }

  @Test func distancesBeyondTheLimitAreRefused() throws {
    #expect(ColorTemperature.duvs == -0.05...0.05)
    for duv in [0.0501, 0.055, 0.0599, -0.0501, -0.0599] {
      #expect(throws: ColorError.self) { try ColorTemperature(kelvin: 6500, duv: duv) }
    }
    for duv in [-0.05, 0.05] {
      #expect(try ColorTemperature(kelvin: 6500, duv: duv).duv == duv)
    }
  }
}
