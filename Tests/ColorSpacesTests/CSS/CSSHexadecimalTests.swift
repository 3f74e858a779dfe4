import ColorSpaces
import Testing

/// Colors written as `#` codes.
@Suite struct CSSHexadecimalTests {
  @Test(arguments: [
    ("rebeccapurple", "#663399"), ("#00000a", "#00000a"), ("#ff8800", "#ff8800"),
    ("#ff880080", "#ff880080"), ("rgb(0 0 0 / none)", "#00000000"),
    ("color(srgb 1.0000000147911252 1.0000000375862956 1.0000000953948434)", "#ffffff"),
    ("color(srgb -8.451127317676832e-08 -3.095515007163485e-08 0.5019609277934381)", "#000080"),
    ("color(srgb 1.0019 -0.0019 0.5)", "#ff0080"),
  ])
  func colorsInSRGBAreWritten(text: String, code: String) throws {
    #expect(try CSSColor(text).hexadecimal == code)
  }

  @Test(arguments: [
    "color(srgb 1.002 0 0)", "color(srgb 0 -0.002 0)", "color(display-p3 1 0 0)",
    "oklch(0.7 0.4 150)",
  ])
  func colorsOutsideHaveNoCode(text: String) throws {
    #expect(try CSSColor(text).hexadecimal == nil)
  }

  /// A color of another space that rounds to codes of sRGB.
  @Test func otherSpacesAreConverted() throws {
    let color = try ColorPoint(css: "#336699").converted(to: .oklch)
    #expect(color.css?.hexadecimal == "#336699")
  }
}
