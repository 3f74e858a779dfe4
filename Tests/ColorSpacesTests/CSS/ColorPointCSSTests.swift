import ColorSpaces
import Testing
import _TestSupport

/// Conversion between color points and CSS colors.
@Suite struct ColorPointCSSTests {
  @Test(arguments: [
    ("red", ColorPoint(1, 0, 0, in: .sRGB)), ("#00ff00", ColorPoint(0, 1, 0, in: .sRGB)),
    ("color(display-p3 1 0.5 0)", ColorPoint(1, 0.5, 0, in: .displayP3)),
    ("oklch(70% 0.1 250deg)", ColorPoint(0.7, 0.1, 250, in: .oklch)),
    ("lab(50 20 none)", ColorPoint(50, 20, 0, in: .lab)),
    ("hsl(120 50% 25%)", ColorPoint(120, 0.5, 0.25, in: .hsl)),
    ("color(xyz 0.1 0.2 0.3)", ColorPoint(0.1, 0.2, 0.3, in: .xyzD65)),
  ])
  func cssColorsAreParsed(text: String, expected: ColorPoint) throws {
    let color = try ColorPoint(css: text)
    #expect(color.space == expected.space)
    #expect((color.components - expected.components).largest < 1e-12)
  }

  @Test func colorsSerializeAsCSS() throws {
    #expect(ColorPoint(1, 0.5, 0, in: .displayP3).css?.description == "color(display-p3 1 0.5 0)")
    #expect(ColorPoint(0.5, 0.5, 0.5, in: .sRGB).converted(to: .oklch).css?.components[2] == nil)
    #expect(ColorPoint(0, 0, 0, in: .acescg).css == nil)
  }

  @Test func everyCSSSpaceRoundTrips() throws {
    for space in CSSColor.Space.allCases {
      let color = CSSColor(space, 0.25, 0.5, 0.125)
      let back = try #require(ColorPoint(color).css)
      #expect(back.space == space)
      #expect((back.values - color.values).largest < 1e-12)
    }
  }

  @Test func invalidTextIsRefused() {
    #expect(throws: CSSColorError.self) { try ColorPoint(css: "color(display-p4 1 0 0)") }
  }
}
