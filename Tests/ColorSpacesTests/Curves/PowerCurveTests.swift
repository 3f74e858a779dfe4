import ColorSpaces
import Testing
import _TestSupport

/// Powers with a linear toe, and their inverses.
@Suite struct PowerCurveTests {
  /// Curves like those of standards: `((x + s) / (1 + s))^g` from `d` up, and below it the line through the origin that
  /// meets it.
  private static let continuous = Generator<(Double, Double, Double)>.zip(
    .double(in: 0.3...3.5), .double(in: 0...0.2), .double(in: 0.01...0.2)
  ).map { exponent, shift, threshold in
    let scale = 1 / power(1 + shift, exponent)
    return PowerCurve(
      scale: scale, shift: shift, exponent: exponent,
      slope: scale * power(threshold + shift, exponent) / threshold, threshold: threshold)
  }

  @Test func inverseOfTheCurveIsTheIdentity() {
    checkProperty("f⁻¹(f(x)) = x", Self.continuous, .double(in: -2...4), cases: 5000) { curve, x in
      // About ten rounding errors; slopes between 0.01 and 30 amplify them.
      try requireClose(curve.inverse(curve(x)), x, within: 2e-14 * max(1, abs(x)))
    }
  }

  @Test func curveOfTheInverseIsTheIdentity() {
    checkProperty("f(f⁻¹(y)) = y", Self.continuous, .double(in: -2...4), cases: 5000) { curve, y in
      // As above; with exponents of 0.3 the inverse's result is up to 100, and its rounding error with it.
      try requireClose(curve(curve.inverse(y)), y, within: 2e-14 * max(1, abs(y)))
    }
  }

  @Test func inverseOfTheInverseIsTheCurve() {
    checkProperty("(f⁻¹)⁻¹ = f", Self.continuous, .double(in: -2...4)) { curve, x in
      try requireClose(curve.inverse.inverse(x), curve(x), within: 2e-14 * max(1, abs(curve(x))))
    }
  }

  @Test func inverseKeepsTheNegativePolicy() {
    for policy in [NegativePolicy.mirrored, .clamped, .continued, .passedThrough] {
      let curve = PowerCurve(exponent: 2, slope: 0.1, threshold: 0.1, belowZero: policy)
      #expect(curve.inverse.belowZero == policy)
    }
  }

  /// The third parametric type of ICC: `(ax + b)^g + c` from −b/a up, flat at c before.
  @Test func inverseOfAFlatToeIsZero() {
    let curve = PowerCurve(g: 2, a: 1.25, b: -0.25, c: 0, d: 0.2, e: 0.1, f: 0.1)
    #expect(curve(0) == 0.1)
    #expect(curve(0.2) == 0.1)
    #expect(abs(curve(1) - 1.1) <= 4e-16)
    #expect(curve.inverse(0.1) == 0)
    #expect(curve.inverse(0.05) == 0)
    // Just above the toe the inverse jumps to the start of the power; two rounding errors of values around 1.
    #expect(abs(curve.inverse(0.1 + 1e-12) - 0.2) < 1e-5)
    checkProperty("above the foot", .double(in: 0.2001...2)) { x in
      try requireClose(curve.inverse(curve(x)), x, within: 1e-13)
    }
  }

  @Test func profileParametersGiveTheSameCurve() {
    // IEC 61966-2-1 as ICC.1:2022 writes it (type 3).
    let curve = PowerCurve(g: 2.4, a: 1 / 1.055, b: 0.055 / 1.055, c: 1 / 12.92, d: 0.04045)
    checkProperty("sRGB by its formula", .double(in: 0...2)) { x in
      let expected = x > 0.04045 ? power((x + 0.055) / 1.055, 2.4) : x / 12.92
      return try requireClose(curve(x), expected, within: 1e-14)
    }
  }

  @Test func infinityAndNaNArePropagated() {
    let curve = PowerCurve(exponent: 2.2)
    #expect(curve(.infinity) == .infinity)
    #expect(curve(-.infinity) == -.infinity)
    #expect(curve(.nan).isNaN)
  }

  @Test func powerOfNegativeBasesIsRefused() async {
    await #expect(processExitsWith: .failure) {
      _ = PowerCurve(shift: -0.5, exponent: 2, threshold: 0.25)
    }
  }
}
