import ColorSpaces
import Testing
import _TestSupport

/// Single colors.
@Suite struct ColorPointTests {
  @Test(arguments: ColorSpace.named) func whiteHasLuminanceOne(_ space: ColorSpace) {
    // The weights are the solution of a system for the white point, whose Y is 1; their sum has some ten rounding
    // errors.
    #expect(abs(ColorPoint(1, 1, 1, in: space).luminance - 1) <= 4e-15)
    #expect(ColorPoint(0, 0, 0, in: space).luminance == 0)
  }

  @Test func whiteIsWhiteInEverySpace() {
    for source in ColorSpace.named {
      for target in ColorSpace.named {
        let white = ColorPoint(1, 1, 1, in: source).converted(to: target)
        // Linear white is exactly 1 between decoding and encoding, which have errors of 2 ulp each at 1.
        #expect(white.components.ulps(to: .one) <= 4, "\(source) → \(target)")
        #expect(white.space == target)
      }
    }
  }

  @Test func grayStaysGray() {
    checkProperty(
      "r = g = b everywhere", .element(of: ColorSpace.named), .element(of: ColorSpace.named),
      .double(in: -1...2)
    ) { source, target, level in
      let gray = ColorPoint(level, level, level, in: source).converted(to: target.linear).components
      // Rows sum to exactly 1, but each product is rounded separately.
      return try requireClose(
        (gray - SIMD3(repeating: gray.y)).largest, 0, within: 16 * abs(gray.y) * Double.ulpOfOne)
    }
  }

  @Test func spacesWithOneWhitePointAgreeOnLuminance() {
    let spaces = ColorSpace.named.filter { $0.primaries.white == .d65 }
    #expect(spaces.count >= 8)
    checkProperty(
      "Y is one light's amount", .element(of: spaces), .element(of: spaces), .color(limit: 2)
    ) { source, target, color in
      let point = ColorPoint(color, in: source.linear)
      // Up to 2 in each channel; three products and their sums.
      return try requireClose(
        point.converted(to: target.linear).luminance, point.luminance, within: 1e-14)
    }
  }

  @Test func luminanceIsComputedFromLinearValues() {
    for space in ColorSpace.named {
      // Equal linear values; the weights sum to 1 within rounding.
      let gray = ColorPoint(0.5, 0.5, 0.5, in: space)
      #expect(abs(gray.luminance - space.transfer.decode(0.5)) <= 4e-15)
    }
    // ((0.5 + 0.055) / 1.055)^2.4, by hand.
    #expect(abs(ColorPoint(0.5, 0.5, 0.5, in: .sRGB).luminance - 0.21404114048223255) <= 1e-15)
  }

  @Test func luminanceWeightsEqualTheStandards() {
    // BT.709 and BT.2020 print four digits.
    #expect((ColorSpace.rec709.luminanceWeights - [0.2126, 0.7152, 0.0722]).largest <= 5.001e-5)
    #expect((ColorSpace.rec2020.luminanceWeights - [0.2627, 0.6780, 0.0593]).largest <= 5.001e-5)
    // Computed by other programs in exact arithmetic.
    #expect(
      (ColorSpace.displayP3.luminanceWeights
        - [0.22897456406974884, 0.6917385218365062, 0.079286914093745]).largest <= 1e-15)
  }

  @Test func convertingToTheSameSpaceChangesNothing() {
    checkProperty("same space", .element(of: ColorSpace.named), .color(limit: .infinity)) {
      (space: ColorSpace, color: SIMD3<Double>) in
      ColorPoint(color, in: space).converted(to: space).components == color
    }
  }

  @Test func colorsOfDifferentSpacesAreNotEqual() {
    #expect(ColorPoint(1, 0, 0, in: .sRGB) != ColorPoint(1, 0, 0, in: .displayP3))
    #expect(ColorPoint(1, 0, 0, in: .sRGB) == ColorPoint([1, 0, 0], in: .sRGB))
  }

  @Test func xyzOfWhitePointsEqualsTheStandard() {
    // ICC.1 prints D65 as (0.9505, 1, 1.0891) and D50 as (0.9642, 1, 0.8249), the latter from a finer chromaticity.
    #expect((Chromaticity.d65.xyz - [0.9505, 1, 1.0891]).largest <= 1e-4)
    #expect((Chromaticity.d50.xyz - [0.9642, 1, 0.8249]).largest <= 3e-4)
    #expect("\(Chromaticity.d65)" == "(0.3127, 0.329)")
  }
}
