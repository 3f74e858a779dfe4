import ColorSpaces
import Testing

/// The matte of a chroma key, and its suppression of spill.
@Suite struct ChromaKeyFormulaTests {
  private static let screen = ColorPoint(0, 0.7, 0.25, in: .sRGB)
  private static let light = screen.converted(to: .linearSRGB).components
  private static let key = screen.converted(to: .oklab).components
  private static let hue = screen.converted(to: .oklch).components.z

  private func opacity(
    _ light: SIMD3<Double>, tolerance: Double = 0.3, softness: Double = 0.3,
    key: SIMD3<Double> = key, countsLightness: Bool = false
  ) -> Double {
    let formula = Formula.chromaKey(
      key, tolerance: tolerance, softness: softness, countsLightness: countsLightness,
      in: .linearSRGB)
    let result = formula(light)
    #expect(result.x == result.y && result.y == result.z)
    return result.x
  }

  @Test func shadowsOnTheScreenAreTheScreen() {
    for factor in [8, 2, 1, 0.5, 0.25, 0.07] {
      #expect(opacity(factor * Self.light, tolerance: 1e-9, softness: 0) == 0, "\(factor)")
    }
    // Four stops below the screen, saturation begins to be noise: a fraction of a quarter of the lightness counts as 0.25 / 0.4.
    #expect(abs(opacity(Self.light / 64, tolerance: 0, softness: 1) - 0.375) < 1e-9)
    #expect(opacity(Self.light / 1e5) == 1)
    #expect(opacity(.zero) == 1)
  }

  @Test func graysAreAtADistanceOfOne() {
    for gray in [1e-6, 0.01, 0.18, 1, 50] {
      let light = SIMD3(repeating: gray)
      #expect(opacity(light, tolerance: 0.99, softness: 0) == 1, "\(gray)")
      #expect(opacity(light, tolerance: 1, softness: 1) < 1e-5, "\(gray)")
    }
  }

  @Test func opacityRisesFromTheToleranceOverTheSoftness() {
    // Toward the gray of the same lightness, the distance is the part of the chroma that is missing.
    func color(_ distance: Double) -> SIMD3<Double> {
      let part = 1 - distance
      return ColorPoint(Self.key * [1, part, part], in: .oklab)
        .converted(to: .linearSRGB).components
    }
    for (distance, expected) in [(0.1, 0), (0.3, 0), (0.375, 0.25), (0.5, 2.0 / 3), (0.7, 1)] {
      #expect(abs(opacity(color(distance)) - expected) < 1e-6, "\(distance)")
    }
    #expect(opacity(color(0.31), softness: 0) == 1)
    #expect(opacity(color(0.29), softness: 0) == 0)
  }

  @Test func pixelsWithoutNumbersAreOpaque() {
    for value in [Double.nan, .infinity, -.infinity] {
      #expect(opacity([value, 0.2, 0.1]) == 1)
      #expect(opacity([value, 0.2, 0.1], countsLightness: true) == 1)
    }
  }

  @Test func whiteIsKeyedByItsDifference() {
    let white = SIMD3(1.0, 0, 0)
    func opacity(_ gray: Double) -> Double {
      self.opacity(
        SIMD3(repeating: gray), tolerance: 0.1, softness: 0.2, key: white, countsLightness: true)
    }
    #expect(opacity(1) == 0)
    // The lightness of a linear gray is its cube root.
    #expect(abs(opacity(0.512) - 0.5) < 1e-6)
    #expect(opacity(0.2) == 1)
  }

  private func cleaned(_ color: ColorPoint, amount: Double = 1) -> ColorPoint {
    let formula = Formula.spillSuppression(of: Self.key, amount: amount, in: .linearSRGB)
    return ColorPoint(formula(color.converted(to: .linearSRGB).components), in: .linearSRGB)
  }

  @Test func spillOfTheScreensHueIsRemovedAtItsLightness() {
    let clean = cleaned(Self.screen).converted(to: .oklab).components
    #expect(abs(clean.x - Self.key.x) < 1e-9 && abs(clean.y) < 1e-9 && abs(clean.z) < 1e-9)
    let half = cleaned(Self.screen, amount: 0.5).converted(to: .oklab).components
    #expect(abs(half.y - Self.key.y / 2) < 1e-9 && abs(half.z - Self.key.z / 2) < 1e-9)
  }

  /// Hues nearby become the hue that is 60° from the screen's, on their side.
  @Test func nearHuesBecomeThoseOfTheLimit() {
    for step in [-50.0, -10, 10, 50] {
      let color = ColorPoint(0.7, 0.1, Self.hue + step, in: .oklch)
      let clean = cleaned(color).converted(to: .oklch).components
      #expect(abs(clean.x - 0.7) < 1e-9 && clean.y < 0.1)
      #expect(abs(clean.z - Self.hue - (step < 0 ? -60 : 60)) < 1e-6, "\(step)")
    }
  }

  @Test func otherColorsKeepEveryBit() {
    let others: [SIMD3<Double>] = [
      [1, 0, 0], [0.7, 0.4, 0.02], [0.05, 0.1, 0.6], [0, 0, 1], [1, 0, 1], [0.7, 0.4, 0.25],
      [0.18, 0.18, 0.18], [1, 1, 1], .zero,
    ]
    let formula = Formula.spillSuppression(of: Self.key, amount: 1, in: .linearSRGB)
    for light in others { #expect(formula(light) == light, "\(light)") }
  }
}
