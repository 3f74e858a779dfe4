// CSS's formulas for HSL and HWB of sRGB (CSS Color 4, 7 and 8). Percentages are 0…100, as in ``CSSColor/components``;
// red, green and blue are 0…1, and outside for out-of-gamut colors. A NaN in one channel makes all three NaN.
extension CSSColor {
  /// Returns sRGB for a hue, saturation and lightness.
  public static func sRGB(hsl: SIMD3<Double>) -> SIMD3<Double> {
    hsl.hasNaN ? SIMD3(repeating: .nan) : sRGB(hsl: FormulaVector(hsl)).simd
  }

  static func sRGB<Number>(hsl: FormulaVector<Number>) -> FormulaVector<Number> {
    let (saturation, lightness) = (hsl.y / 100, hsl.z / 100)
    return lightness + saturation * lightness.atMost(1 - lightness) * wheel(hsl.x)
  }

  /// Returns the hue, saturation and lightness of sRGB. A gray has the hue 0.
  public static func hsl(sRGB rgb: SIMD3<Double>) -> SIMD3<Double> {
    rgb.hasNaN ? SIMD3(repeating: .nan) : hsl(sRGB: FormulaVector(rgb)).simd
  }

  static func hsl<Number>(sRGB rgb: FormulaVector<Number>) -> FormulaVector<Number> {
    let (low, high) = (rgb.min(), rgb.max())
    let lightness = (low + high) / 2
    let reach = lightness.atMost(1 - lightness)
    let hue = hue(rgb)
    let saturation = Number.select(
      (low .== high) .| (reach .== 0), 0, (high - lightness) / reach * 100)
    // Far out of gamut the saturation turns negative; CSS then uses the opposite hue, which is the same color.
    let opposite = Number.select(hue .< 180, hue + 180, hue - 180)
    return [
      Number.select(saturation .< 0, opposite, hue),
      Number.select(saturation .< 0, -saturation, saturation), 100 * lightness,
    ]
  }

  /// Returns sRGB for a hue, whiteness and blackness. Where those sum to more than 100 %, the result is a gray.
  public static func sRGB(hwb: SIMD3<Double>) -> SIMD3<Double> {
    hwb.hasNaN ? SIMD3(repeating: .nan) : sRGB(hwb: FormulaVector(hwb)).simd
  }

  static func sRGB<Number>(hwb: FormulaVector<Number>) -> FormulaVector<Number> {
    let (whiteness, blackness) = (hwb.y / 100, hwb.z / 100)
    let sum = whiteness + blackness
    // A pure hue spans −1…1 on the wheel.
    return .select(
      sum .>= 1, FormulaVector(repeating: whiteness / sum),
      whiteness + (1 - sum) * (0.5 + 0.5 * wheel(hwb.x)))
  }

  /// Returns the hue, whiteness and blackness of sRGB. A gray has the hue 0.
  public static func hwb(sRGB rgb: SIMD3<Double>) -> SIMD3<Double> {
    rgb.hasNaN ? SIMD3(repeating: .nan) : hwb(sRGB: FormulaVector(rgb)).simd
  }

  static func hwb<Number>(sRGB rgb: FormulaVector<Number>) -> FormulaVector<Number> {
    [hue(rgb), 100 * rgb.min(), 100 * (1 - rgb.max())]
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
  private static func wheel<Number: FormulaNumber>(_ hue: Number) -> FormulaVector<Number> {
    let turns = hue / 360 - (hue / 360).integerBelow
    func distance(_ offset: Number) -> Number {
      let sum = offset + 12 * turns
      let k = Number.select(sum .>= 12, sum - 12, sum)
      return -(k - 3).atMost(9 - k).atMost(1).atLeast(-1)
    }
    return [distance(0), distance(8), distance(4)]
  }

  /// The hue in degrees, 0..<360; 0 for a gray.
  private static func hue<Number: FormulaNumber>(_ rgb: FormulaVector<Number>) -> Number {
    let (low, high) = (rgb.min(), rgb.max())
    let (isRed, isGreen) = (high .== rgb.x, high .== rgb.y)
    let difference = Number.select(
      isRed, rgb.y - rgb.z, .select(isGreen, rgb.z - rgb.x, rgb.x - rgb.y))
    let start = Number.select(isRed, .select(rgb.y .< rgb.z, 6, 0), .select(isGreen, 2, 4))
    let degrees = 60 * (difference / (high - low) + start)
    return .select(low .== high, 0, .select(degrees .>= 360, degrees - 360, degrees))
  }
}
