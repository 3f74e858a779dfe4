import ColorSpaces
import Testing
import _TestSupport

/// Chroma compression with a soft knee.
@Suite struct SoftKneeTests {
  private let color = Generator<(Double, Double, Double)>.zip(
    .double(in: 0.02...0.98), .double(in: 0...0.5), .double(in: 0...360)
  ).map { SIMD3($0.0, $0.1, $0.2) }

  private func mapped(_ oklch: SIMD3<Double>, threshold: Double = 0.8) -> SIMD3<Double> {
    GamutMapping.softKnee(threshold: threshold)
      .map(ColorPoint(oklch, in: .oklch), into: .displayP3).converted(to: .oklch).components
  }

  /// The maximum in-gamut chroma of a lightness and hue, by bisection.
  private func mostChroma(_ oklch: SIMD3<Double>) -> Double {
    var (low, high) = (0.0, 1.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      let light = ColorPoint(oklch.x, middle, oklch.z, in: .oklch).converted(to: .linearDisplayP3)
      if ColorSpace.displayP3.holds(light.components, tolerance: 0) {
        low = middle
      } else {
        high = middle
      }
    }
    return low
  }

  @Test func chromaFollowsTheFormula() {
    checkProperty("T + (M − T) · x / √(1 + x²)", color) { color in
      let most = mostChroma(color)
      let knee = 0.8 * most
      let x = (color.y - knee) / (most - knee)
      let expected = color.y <= knee ? color.y : knee + (most - knee) * x / (1 + x * x).squareRoot()
      // Cube roots of the cone responses amplify 1e-16 to 1e-13 where a channel is nearly 0.
      return try requireClose(mapped(color).y, expected, within: 1e-9)
    }
  }

  @Test func lightnessAndHueAreUnchanged() {
    checkProperty("lightness and hue", color) { color in
      let mapped = mapped(color)
      // At so little chroma the hue is mostly rounding error.
      guard mapped.y > 1e-4 else { return true }
      let turn = (mapped.z - color.z).remainder(dividingBy: 360)
      _ = try requireClose(mapped.x, color.x, within: 1e-9, "lightness")
      return try requireClose(turn, 0, within: 1e-5, "turn of hue")
    }
  }

  @Test func curveIsMonotonic() {
    checkProperty("monotone and without steps", color) { color in
      let more = color + SIMD3(0, 1e-3, 0)
      let step = mapped(more).y - mapped(color).y
      // Beyond eight times the remaining range the curve is so flat that rounding decides; its slope never exceeds 1.
      guard step > -1e-12, step < 1e-3 + 1e-9 else { throw Failure("a step of \(step)") }
      return true
    }
  }

  @Test func chromaBelowTheThresholdIsUnchanged() {
    checkProperty("identity", color) { color in
      var color = color
      color.y = min(color.y, 0.79 * mostChroma(color))
      let point = ColorPoint(color, in: .oklch)
      return GamutMapping.softKnee().map(point, into: .displayP3) == point.converted(to: .displayP3)
    }
  }

  @Test func thresholdsOutOfRangeAreClamped() {
    let color: SIMD3<Double> = [0.6, 0.35, 30]
    for (threshold, clamped) in [(-1, 0), (2, 1.0.nextDown), (.infinity, 1.0.nextDown)] {
      #expect(mapped(color, threshold: threshold) == mapped(color, threshold: clamped))
    }
    #expect(mapped(color, threshold: .nan) == mapped(color, threshold: 0))
  }
}
