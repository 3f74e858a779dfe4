// The models by hue that CSS has for sRGB, with its formulas (CSS Color 4, 7 and 8). Percentages go from 0 to 100, as in
// ``CSSColor/components``; red, green and blue from 0 to 1, colors beyond the gamut below and above it. A NaN in one channel makes all
// three NaN.
extension CSSColor {
  /// Red, green and blue of hue, saturation and lightness.
  public static func sRGB(hsl: SIMD3<Double>) -> SIMD3<Double> {
    hsl.hasNaN ? SIMD3(repeating: .nan) : sRGB(hsl: FormulaVector(hsl)).simd
  }

  static func sRGB<Number>(hsl: FormulaVector<Number>) -> FormulaVector<Number> {
    let (saturation, lightness) = (hsl.y / 100, hsl.z / 100)
    return lightness + saturation * lightness.atMost(1 - lightness) * wheel(hsl.x)
  }

  /// Hue, saturation and lightness of red, green and blue. A gray has the hue 0.
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
    // Far beyond the gamut the formula turns negative: CSS takes the opposite hue instead, which is the same color.
    let opposite = Number.select(hue .< 180, hue + 180, hue - 180)
    return [
      Number.select(saturation .< 0, opposite, hue),
      Number.select(saturation .< 0, -saturation, saturation), 100 * lightness,
    ]
  }

  /// Red, green and blue of hue, whiteness and blackness. More white and black than fits makes a gray.
  public static func sRGB(hwb: SIMD3<Double>) -> SIMD3<Double> {
    hwb.hasNaN ? SIMD3(repeating: .nan) : sRGB(hwb: FormulaVector(hwb)).simd
  }

  static func sRGB<Number>(hwb: FormulaVector<Number>) -> FormulaVector<Number> {
    let (whiteness, blackness) = (hwb.y / 100, hwb.z / 100)
    let sum = whiteness + blackness
    // A pure hue goes from −1 to 1 on the wheel.
    return .select(
      sum .>= 1, FormulaVector(repeating: whiteness / sum),
      whiteness + (1 - sum) * (0.5 + 0.5 * wheel(hwb.x)))
  }

  /// Hue, whiteness and blackness of red, green and blue. A gray has the hue 0.
  public static func hwb(sRGB rgb: SIMD3<Double>) -> SIMD3<Double> {
    rgb.hasNaN ? SIMD3(repeating: .nan) : hwb(sRGB: FormulaVector(rgb)).simd
  }

  static func hwb<Number>(sRGB rgb: FormulaVector<Number>) -> FormulaVector<Number> {
    [hue(rgb), 100 * rgb.min(), 100 * (1 - rgb.max())]
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
