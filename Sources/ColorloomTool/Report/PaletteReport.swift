import Colorloom

/// A dominant color of a picture in reports.
struct PaletteColor: Encodable {
  /// The color as CSS writes it: hexadecimal digits in the gamut of sRGB, `color()` outside of it.
  let css: String
  /// The fraction of the visible pixels, 0…1.
  let fraction: Double

  /// The line of the color in reports.
  var line: String { "dominant color: \(css), \(percent(fraction)) % of the pixels" }

  /// The palette of a picture, the most frequent color first.
  static func palette(
    of picture: Picture, count: Int, options: RenderOptions
  ) throws -> [PaletteColor] {
    try picture.dominantColors(count: count, options: options).map { color, fraction in
      PaletteColor(css: shortCSS(of: color), fraction: fraction)
    }
  }
}

/// How far a mean may lie outside of a gamut, in linear light: rounding to a code of 8 bits moves colors further.
private let gamutTolerance = 1e-4

/// Returns a color in the narrowest of the spaces sRGB, Display P3 and Rec. 2020 that holds it, or in XYZ, as short as 8 bits or four
/// decimals allow.
func shortCSS(of color: ColorPoint) -> String {
  if color.isInside(.sRGB, tolerance: gamutTolerance) {
    let components = color.converted(to: .sRGB).components
    return (0..<3).reduce(into: "#") { text, channel in
      let code = Int((min(max(components[channel], 0), 1) * 255).rounded())
      text += (code < 16 ? "0" : "") + String(code, radix: 16)
    }
  }
  let spaces = [ColorSpace.displayP3, .rec2020]
  let space = spaces.first { color.isInside($0, tolerance: gamutTolerance) } ?? .xyzD65
  var rounded = color.converted(to: space)
  for channel in 0..<3 {
    // Adding 0 makes 0 of −0.
    rounded.components[channel] = (rounded.components[channel] * 10_000).rounded() / 10_000 + 0
  }
  return rounded.css.map { "\($0)" } ?? "\(rounded)"
}
