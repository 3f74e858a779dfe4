// The models by hue that CSS has for sRGB, with its formulas (CSS Color 4, 7 and 8). Percentages go from 0 to 100, as in
// ``CSSColor/components``; red, green and blue from 0 to 1, colors beyond the gamut below and above it. A NaN in one channel makes all
// three NaN.
extension CSSColor {
  /// Red, green and blue of hue, saturation and lightness.
  public static func sRGB(hsl: SIMD3<Double>) -> SIMD3<Double> {
    if hsl.hasNaN { return SIMD3(repeating: .nan) }
    let (saturation, lightness) = (hsl.y / 100, hsl.z / 100)
    return lightness + saturation * min(lightness, 1 - lightness) * wheel(hsl.x)
  }

  /// Hue, saturation and lightness of red, green and blue. A gray has the hue 0.
  public static func hsl(sRGB rgb: SIMD3<Double>) -> SIMD3<Double> {
    if rgb.hasNaN { return SIMD3(repeating: .nan) }
    let lightness = (rgb.min() + rgb.max()) / 2
    let reach = min(lightness, 1 - lightness)
    let hue = hue(rgb)
    if rgb.min() == rgb.max() || reach == 0 { return [hue, 0, 100 * lightness] }
    let saturation = (rgb.max() - lightness) / reach * 100
    // Far beyond the gamut the formula turns negative: CSS takes the opposite hue instead, which is the same color.
    return saturation < 0
      ? [hue < 180 ? hue + 180 : hue - 180, -saturation, 100 * lightness]
      : [hue, saturation, 100 * lightness]
  }

  /// Red, green and blue of hue, whiteness and blackness. More white and black than fits makes a gray.
  public static func sRGB(hwb: SIMD3<Double>) -> SIMD3<Double> {
    if hwb.hasNaN { return SIMD3(repeating: .nan) }
    let (whiteness, blackness) = (hwb.y / 100, hwb.z / 100)
    let sum = whiteness + blackness
    if sum >= 1 { return SIMD3(repeating: whiteness / sum) }
    // A pure hue goes from −1 to 1 on the wheel.
    return whiteness + (1 - sum) * (0.5 + 0.5 * wheel(hwb.x))
  }

  /// Hue, whiteness and blackness of red, green and blue. A gray has the hue 0.
  public static func hwb(sRGB rgb: SIMD3<Double>) -> SIMD3<Double> {
    if rgb.hasNaN { return SIMD3(repeating: .nan) }
    return [hue(rgb), 100 * rgb.min(), 100 * (1 - rgb.max())]
  }

  /// The same color in sRGB for `hsl()` and `hwb()`, with 0 for `none`; every other color unchanged.
  public var withoutHue: CSSColor {
    let rgb: SIMD3<Double>
    switch space {
    case .hsl: rgb = Self.sRGB(hsl: values)
    case .hwb: rgb = Self.sRGB(hwb: values)
    default: return self
    }
    return CSSColor(.sRGB, rgb.x, rgb.y, rgb.z, alpha: alpha)
  }

  /// How far red, green and blue lie from the middle at a hue, −1 to 1.
  private static func wheel(_ hue: Double) -> SIMD3<Double> {
    let turns = (hue / 360) - (hue / 360).rounded(.down)
    func distance(_ offset: Double) -> Double {
      let k = (offset + 12 * turns).truncatingRemainder(dividingBy: 12)
      return -max(-1, min(k - 3, 9 - k, 1))
    }
    return [distance(0), distance(8), distance(4)]
  }

  /// The hue in degrees, 0..<360; 0 for a gray.
  private static func hue(_ rgb: SIMD3<Double>) -> Double {
    let (low, high) = (rgb.min(), rgb.max())
    if low == high { return 0 }
    let sixths =
      switch high {
      case rgb.x: (rgb.y - rgb.z) / (high - low) + (rgb.y < rgb.z ? 6 : 0)
      case rgb.y: (rgb.z - rgb.x) / (high - low) + 2
      default: (rgb.x - rgb.y) / (high - low) + 4
      }
    return (60 * sixths).truncatingRemainder(dividingBy: 360)
  }
}
