// CSS's formulas for HSL and HWB of sRGB (CSS Color 4, 7 and 8). Percentages are 0…100, as in ``CSSColor/components``;
// red, green and blue are 0…1, and outside for out-of-gamut colors. A NaN in one channel makes all three NaN.
extension CSSColor {
  /// Returns sRGB for a hue, saturation and lightness.
  public static func sRGB(hsl: SIMD3<Double>) -> SIMD3<Double> {
    if hsl.hasNaN { return SIMD3(repeating: .nan) }
    let (saturation, lightness) = (hsl.y / 100, hsl.z / 100)
    return lightness + saturation * min(lightness, 1 - lightness) * wheel(hsl.x)
  }

  /// Returns the hue, saturation and lightness of sRGB. A gray has the hue 0.
  public static func hsl(sRGB rgb: SIMD3<Double>) -> SIMD3<Double> {
    if rgb.hasNaN { return SIMD3(repeating: .nan) }
    let lightness = (rgb.min() + rgb.max()) / 2
    let reach = min(lightness, 1 - lightness)
    let hue = hue(rgb)
    if rgb.min() == rgb.max() || reach == 0 { return [hue, 0, 100 * lightness] }
    let saturation = (rgb.max() - lightness) / reach * 100
    // Far out of gamut the saturation turns negative; CSS then uses the opposite hue, which is the same color.
    return saturation < 0
      ? [hue < 180 ? hue + 180 : hue - 180, -saturation, 100 * lightness]
      : [hue, saturation, 100 * lightness]
  }

  /// Returns sRGB for a hue, whiteness and blackness. Where those sum to more than 100 %, the result is a gray.
  public static func sRGB(hwb: SIMD3<Double>) -> SIMD3<Double> {
    if hwb.hasNaN { return SIMD3(repeating: .nan) }
    let (whiteness, blackness) = (hwb.y / 100, hwb.z / 100)
    let sum = whiteness + blackness
    if sum >= 1 { return SIMD3(repeating: whiteness / sum) }
    // A pure hue spans −1…1 on the wheel.
    return whiteness + (1 - sum) * (0.5 + 0.5 * wheel(hwb.x))
  }

  /// Returns the hue, whiteness and blackness of sRGB. A gray has the hue 0.
  public static func hwb(sRGB rgb: SIMD3<Double>) -> SIMD3<Double> {
    if rgb.hasNaN { return SIMD3(repeating: .nan) }
    return [hue(rgb), 100 * rgb.min(), 100 * (1 - rgb.max())]
  }

  /// The color as sRGB if it is `hsl()` or `hwb()`, with 0 for `none`; otherwise the color itself.
  public var withoutHue: CSSColor {
    let rgb: SIMD3<Double>
    switch space {
    case .hsl: rgb = Self.sRGB(hsl: values)
    case .hwb: rgb = Self.sRGB(hwb: values)
    default: return self
    }
    return CSSColor(.sRGB, rgb.x, rgb.y, rgb.z, alpha: alpha)
  }

  /// The offsets of red, green and blue from their mean at a hue, −1…1.
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
