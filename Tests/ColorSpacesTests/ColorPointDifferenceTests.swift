import ColorSpaces
import Testing

/// Differences of colors of any space, and the white that Lab is relative to.
@Suite struct ColorPointDifferenceTests {
  private let formulas: [ColorDifference] = [
    .cie76, .cie94(), .ciede2000(), .cmc(), .hyAB, .ok, .itp, .jz,
  ]

  @Test func colorsOfAnySpaceAreConverted() {
    let (red, teal) = (
      ColorPoint(0.9, 0.2, 0.1, in: .displayP3), ColorPoint(0.1, 0.6, 0.5, in: .rec2020)
    )
    for formula in formulas {
      let expected = formula(
        red.converted(to: formula.space).components, teal.converted(to: formula.space).components)
      #expect(teal.difference(from: red, by: formula) == expected)
      #expect(red.difference(from: red, by: formula) == 0)
    }
  }

  /// Numbers of either Lab are taken as they are: the first pair of Sharma's table, to its four digits.
  @Test(arguments: [ColorSpace.lab, .labD65])
  func labKeepsItsWhite(space: ColorSpace) {
    let (first, second) = (
      ColorPoint(50, 2.6772, -79.7751, in: space), ColorPoint(50, 0, -82.7485, in: space)
    )
    #expect(abs(second.difference(from: first) - 2.0425) <= 5e-5)
  }

  /// Colors of different spaces meet in Lab relative to D65.
  @Test func mixedSpacesMeetInD65() {
    let (first, second) = (ColorPoint(50, 20, 30, in: .lab), ColorPoint(0.5, 0.4, 0.3, in: .sRGB))
    let expected = ColorDifference.cie76(
      first.converted(to: .labD65).components, second.converted(to: .labD65).components)
    #expect(second.difference(from: first, by: .cie76) == expected)
  }
}
