import ColorSpaces
import Testing

/// The white point of Lab in color differences.
@Suite struct LabWhiteTests {
  /// Colors in either Lab are used as they are: the first pair of Sharma's table, to its four digits.
  @Test(arguments: [ColorSpace.lab, .labD65])
  func labColorsAreComparedUnconverted(space: ColorSpace) {
    let difference = ColorDifference.ciede2000()(
      ColorPoint(50, 2.6772, -79.7751, in: space), ColorPoint(50, 0, -82.7485, in: space))
    #expect(abs(difference - 2.0425) <= 5e-5)
  }

  /// Colors of different spaces are compared in Lab relative to D65.
  @Test func differentSpacesAreComparedInLabD65() {
    let (first, second) = (ColorPoint(50, 20, 30, in: .lab), ColorPoint(0.5, 0.4, 0.3, in: .sRGB))
    let expected = ColorDifference.cie76(
      first.converted(to: .labD65).components, second.converted(to: .labD65).components)
    #expect(ColorDifference.cie76(first, second) == expected)
  }
}
