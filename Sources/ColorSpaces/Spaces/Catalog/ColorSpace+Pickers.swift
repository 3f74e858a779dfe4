// Perceptual hue, saturation and lightness for color pickers. They are defined for sRGB's gamut, whose surface has the
// saturation 1, or 100. Beyond it they extrapolate: saturation in proportion to chroma, and colors darker than black or
// lighter than white with the gamut's shape next to black or white.

extension ColorSpace {
  /// Hue, saturation and lightness by Oklab (Ottosson 2021): 0…1 for saturation and lightness.
  public static let okhsl = ColorSpace("Okhsl", primaries: .xyz(white: .d65), transfer: .okhsl)

  /// Hue, saturation and value by Oklab (Ottosson 2021): 0…1 for saturation and value.
  public static let okhsv = ColorSpace("Okhsv", primaries: .xyz(white: .d65), transfer: .okhsv)

  /// Hue, saturation and lightness by Luv (HSLuv, Boronine 2012): 0…100 for saturation and lightness.
  public static let hsluv = ColorSpace("HSLuv", primaries: .xyz(white: .d65), transfer: .hsluv)

  /// Hue, saturation and lightness by Luv for pastels (HPLuv, Boronine 2012): saturation 100 is the largest chroma that
  /// every hue has.
  public static let hpluv = ColorSpace("HPLuv", primaries: .xyz(white: .d65), transfer: .hpluv)

  /// The color pickers' spaces: Okhsl, Okhsv, HSLuv and HPLuv.
  static let pickers: [ColorSpace] = [.okhsl, .okhsv, .hsluv, .hpluv]
}

// MARK: By Luv

extension TransferFunction {
  static let hsluv = saturatedLuv("HSLuv") { LuvGamut.chroma(lightness: $0, direction: $1) }
  static let hpluv = saturatedLuv("HPLuv") { lightness, _ in LuvGamut.chroma(lightness: lightness) }

  /// Luv with chroma as a percentage of the maximum for a lightness and a hue.
  private static func saturatedLuv(
    _ name: String, fullChroma: @escaping @Sendable (Value, Direction) -> Value
  ) -> TransferFunction {
    luv.mapped(
      name, hue: Coordinates.Hue(channel: 0, distanceChannel: 1, powerlessUpTo: 1e-9),
      citing: Source("Boronine, “HSLuv”", edition: "2012")
    ) { v in
      let direction = opponents(ofHue: v.x)
      let chroma = v.y / 100 * fullChroma(v.z, Direction(direction.x, direction.y))
      return [v.z, chroma * direction.x, chroma * direction.y]
    } encoding: { v in
      let (chroma, direction) = polarForm(v.y, v.z)
      let saturation = 100 * chroma / fullChroma(v.x, direction)
      return .select(
        isSaturated(chroma, v.x, white: 100, rounding: 1e-12),
        [hueInDegrees(direction.x, direction.y), saturation, v.x], [0, 0, v.x])
    }
  }
}

/// The boundary of sRGB in Luv. Red, green and blue are each 0 or 1 along a line in the u′v′ diagram of a lightness.
private enum LuvGamut {
  /// The maximum chroma in one direction.
  static func chroma(lightness: Value, direction: Direction) -> Value {
    lines(lightness).reduce(Value(.infinity)) { least, line in
      let chroma = line.level / (line.normal.x * direction.x + line.normal.y * direction.y)
      return .select(chroma .>= 0, chroma.atMost(least), least)
    }
  }

  /// The maximum chroma that is in gamut for every hue.
  static func chroma(lightness: Value) -> Value {
    lines(lightness).reduce(Value(.infinity)) { least, line in
      let length = (line.normal.x * line.normal.x + line.normal.y * line.normal.y).squareRoot()
      return least.atMost(line.level.magnitude / length)
    }
  }

  /// The six lines, as the u*v* whose product with `normal` is `level`.
  private static func lines(_ lightness: Value) -> [(normal: Direction, level: Value)] {
    // The gamut has no area at black and white; next to them it does.
    let lightness = lightness.atLeast(1e-8).atMost(Value(100 - 1e-7))
    let luminance = TransferFunction.labRoot.inverse.value(at: (lightness + 16) / 116)
    let scale = 13 * lightness * 4 * Chromaticity.d65.uv.y
    return rows.flatMap { row in
      [0, 1 / luminance].map { (end: Value) in
        // Substitutes X, Y and Z of u′, v′ and the luminance into row · XYZ = 0 or 1; at white the row gives the
        // luminance.
        let across = 4 * row.y - 20 * row.z
        let normal = Direction(Value(9 * row.x - 3 * row.z), across - 4 * end)
        return (normal, scale * (end - 1))
      }
    }
  }

  private static let rows = Primaries.rec709.toXYZ.inverse.rows
}

// MARK: By Oklab

extension TransferFunction {
  static let okhsl = oklab.mapped(
    "Okhsl", hue: Coordinates.Hue(channel: 0, distanceChannel: 1, powerlessUpTo: 1e-9)
  ) { v in
    let lightness = toeInverse(v.z)
    let (saturation, direction) = positive(v.y, opponents(ofHue: v.x))
    let chroma = OklabGamut(direction).chromas(lightness: lightness).chroma(saturation)
    return .select(
      saturation .== 0, [lightness, 0, 0],
      [lightness, chroma * direction.x, chroma * direction.y])
  } encoding: { v in
    let (chroma, direction) = polarForm(v.y, v.z)
    let chromas = OklabGamut(direction).chromas(lightness: v.x)
    let hue = hueInDegrees(direction.x, direction.y)
    return .select(
      isSaturated(chroma, v.x, white: 1, rounding: 1e-14),
      [hue, chromas.saturation(chroma), toe(v.x)], [0, 0, toe(v.x)])
  }.citing(.okhsl)

  static let oklrab = oklab.mapped("Oklrab") { v in
    [toeInverse(v.x), v.y, v.z]
  } encoding: { v in
    [toe(v.x), v.y, v.z]
  }.citing(.okhsl)

  static let okhsv = oklab.mapped(
    "Okhsv", hue: Coordinates.Hue(channel: 0, distanceChannel: 1, powerlessUpTo: 1e-9)
  ) { v in
    let (saturation, direction) = positive(v.y, opponents(ofHue: v.x))
    return OklabGamut(direction).oklab(saturation: saturation, value: v.z)
  } encoding: { v in
    let (chroma, direction) = polarForm(v.y, v.z)
    // A negative value is the positive value of the opposite hue, negated.
    let sign = Value.select(v.x .< 0, -1, 1)
    let light = Direction(sign * direction.x, sign * direction.y)
    let hue = hueInDegrees(light.x, light.y)
    let (saturation, value) = OklabGamut(light).saturationAndValue(
      lightness: v.x.magnitude, chroma: chroma)
    return .select(
      isColored(chroma, v.x, rounding: 1e-14), [hue, saturation, sign * value], [0, 0, toe(v.x)])
  }.citing(.okhsl)

  private static func positive(
    _ saturation: Value, _ direction: (x: Value, y: Value)
  ) -> (Value, Direction) {
    let isNegative = saturation .< 0
    return (
      .select(isNegative, -saturation, saturation),
      Direction(
        .select(isNegative, -direction.x, direction.x),
        .select(isNegative, -direction.y, direction.y))
    )
  }
}

/// The boundary of sRGB in Oklab at one hue: nearly a triangle of black, white and a cusp.
///
/// The steps, polynomials and constants are those of Ottosson, “Okhsv and Okhsl: two new color spaces for color
/// picking” (2021). They approximate the gamut's surface and are part of the definition. The two conditions on the hue
/// are recomputed for the matrices of CSS Color 4.
private struct OklabGamut {
  private let direction: Direction
  private let cusp: (lightness: Value, chroma: Value)
  /// The slopes of the triangle: chroma over lightness on its dark side, and chroma over one minus lightness on its
  /// light side.
  private let dark, light: Value

  init(_ direction: Direction) {
    self.direction = direction
    let (a, b) = (direction.x, direction.y)
    // The channel that is the first to become negative, and its approximate maximum saturation, chroma over lightness.
    let isRed = -1.8817031 * a - 0.80936501 * b .> 1
    let isGreen = 1.8144408 * a - 1.19445267 * b .> 1
    func first(_ red: Value, _ green: Value, _ blue: Value) -> Value {
      .select(isRed, red, .select(isGreen, green, blue))
    }
    let constant = first(1.19086277, 0.73956515, 1.35733652)
    let (ofA, ofB) = (
      first(1.76576728, -0.45954404, -0.00915799), first(0.59662641, 0.08285427, -1.1513021)
    )
    let (ofSquare, ofProduct) = (
      first(0.75515197, 0.12541073, -0.50559606), first(0.56771245, -0.14503204, 0.00692167)
    )
    let line = constant + ofA * a + ofB * b
    let guess = line + ofSquare * (a * a) + ofProduct * a * b
    let length = Self.step(direction, lightness: 1, chroma: guess, to: 0).length
    dark = guess + first(length.x, length.y, length.z)
    cusp.lightness = 1 / Self.brightestLight(direction, perLightness: dark).cubeRoot
    cusp.chroma = cusp.lightness * dark
    light = cusp.chroma / (1 - cusp.lightness)
  }

  // MARK: Lightness and saturation

  /// Three chromas of one lightness that saturations are measured by.
  struct Chromas {
    /// C₀, the slope next to gray; the same for all hues.
    let start: Value
    /// C_mid, the chroma at the saturation 0.8: inside the gamut, smooth across the cusp.
    let middle: Value
    /// C_max, the chroma at the saturation 1.
    let full: Value
  }

  func chromas(lightness: Value) -> Chromas {
    let l = lightness.atLeast(1e-9).atMost(Value(1 - 1e-9))
    let full = fullChroma(l)
    let (a, b) = (direction.x, direction.y)
    // Smooth approximations of `dark` and `light` as functions of the hue.
    let darkCube: Value = -4.24894561 + 5.38770819 * b + 4.69891013 * a
    let darkSquare: Value = -2.13704948 - 10.02301043 * b + a * darkCube
    let darkLine: Value = -2.19557347 + 1.75198401 * b + a * darkSquare
    let smoothDark = 0.11516993 + 1 / (7.44778970 + 4.15901240 * b + a * darkLine)
    let lightCube: Value = 0.00299215 - 0.45399568 * b - 0.14661872 * a
    let lightSquare: Value = -0.27087943 + 0.61223990 * b + a * lightCube
    let lightLine: Value = 0.40370612 + 0.90148123 * b + a * lightSquare
    let smoothLight = 0.11239642 + 1 / (1.61320320 - 0.68124379 * b + a * lightLine)
    /// A smooth minimum: less than both arguments, by little where they differ much.
    func softMinimum(_ x: Value, _ y: Value, _ exponent: Double) -> Value {
      (x.raised(to: -exponent) + y.raised(to: -exponent)).raised(to: -1 / exponent)
    }
    let bulge = full / (l * dark).atMost((1 - l) * light)
    return Chromas(
      start: softMinimum(l * 0.4, (1 - l) * 0.8, 2),
      middle: 0.9 * bulge * softMinimum(l * smoothDark, (1 - l) * smoothLight, 4), full: full)
  }

  /// The maximum chroma of a lightness: on the triangle, then one Halley step towards the curved light side.
  private func fullChroma(_ lightness: Value) -> Value {
    let chroma = cusp.chroma * (lightness - 1) / (cusp.lightness - 1)
    let (length, slope) = Self.step(direction, lightness: lightness, chroma: chroma, to: 1)
    func rising(_ length: Value, _ slope: Value) -> Value {
      .select(slope .< 0, Value(.infinity), length)
    }
    let least = rising(length.x, slope.x).atMost(rising(length.y, slope.y))
      .atMost(rising(length.z, slope.z))
    return .select(
      lightness .<= cusp.lightness, cusp.chroma * lightness / cusp.lightness, chroma + least)
  }

  // MARK: Value and saturation

  // Value and saturation are those of the triangle's straight sides, with a toe. A saturation depends on chroma over lightness alone,
  // since scaling a color's light scales both.

  /// Of a lightness from 0 up.
  func saturationAndValue(lightness: Value, chroma: Value) -> (Value, Value) {
    // A color with chroma and no lightness gets a tiny lightness.
    let ratio = chroma / lightness.atLeast(1e-9 * chroma)
    let full = light / (ratio + light)
    let inside = (0.5 + light) * ratio / (0.5 * light + ratio * (0.5 + bend))
    let saturation = Value.select(ratio .> dark, 1 + (ratio - dark) / surfaceSlope, inside)
    return (saturation, toe(lightness * brightness(ratio, full)) / full)
  }

  func oklab(saturation: Value, value: Value) -> Formula.Vector {
    let inside = 0.5 * light * saturation / (0.5 + light - saturation * (0.5 + bend))
    let ratio = Value.select(saturation .> 1, dark + (saturation - 1) * surfaceSlope, inside)
    let full = light / (ratio + light)
    let lightness = toeInverse(value * full) / brightness(ratio, full)
    return lightness * [1, ratio * direction.x, ratio * direction.y]
  }

  /// The bend of the saturation curve: `light` times Ottosson's k.
  private var bend: Value { light * (1 - 0.5 / dark) }

  /// The slope of chroma over lightness by saturation on the gamut's surface, continued beyond it.
  private var surfaceSlope: Value { dark * dark * (0.5 + light) / (0.5 * light) }

  /// The amount that the gamut's curved light side adds to a lightness.
  private func brightness(_ ratio: Value, _ full: Value) -> Value {
    toeInverse(full) * Self.brightestLight(direction, perLightness: ratio).cubeRoot
  }

  // MARK: From Oklab to linear sRGB

  /// The largest of red, green and blue of a color with lightness 1.
  private static func brightestLight(
    _ direction: Direction, perLightness chroma: Value
  ) -> Value {
    let root = toRoots * [1, chroma * direction.x, chroma * direction.y] as Formula.Vector
    return (toLights * (root * root * root)).max()
  }

  /// Halley's step towards the chroma at which red, green and blue each become `level`, and whether they rise or fall
  /// there.
  private static func step(
    _ direction: Direction, lightness: Value, chroma: Value, to level: Value
  ) -> (length: Formula.Vector, slope: Formula.Vector) {
    let slopes: Formula.Vector = toRoots * [0, direction.x, direction.y]
    let roots: Formula.Vector =
      toRoots * [
        lightness, chroma * direction.x, chroma * direction.y,
      ]
    let f = toLights * (roots * roots * roots) - Formula.Vector(repeating: level)
    let first = toLights * (Value(3) * slopes * roots * roots)
    let second = toLights * (Value(6) * slopes * slopes * roots)
    let slope = first / (first * first - Value(0.5) * f * second)
    return (f.map { -$0 } * slope, slope)
  }

  private static let toRoots: ColorMatrix = TransferFunction.oklabOpponents.inverse
  private static let toLights =
    Primaries.rec709.toXYZ.inverse * TransferFunction.oklabCones.inverse
}

extension OklabGamut.Chromas {
  fileprivate func saturation(_ chroma: Value) -> Value {
    let slope = 0.8 * start
    let pale = 0.8 * chroma / (slope + (1 - slope / middle) * chroma)
    let rest = chroma - middle
    let bend = 1 - middleSlope / (full - middle)
    let strong = 0.8 + 0.2 * rest / (middleSlope + bend * rest)
    let beyond = 1 + 0.2 * (chroma - full) / fullSlope
    return .select(chroma .< middle, pale, .select(chroma .<= full, strong, beyond))
  }

  fileprivate func chroma(_ saturation: Value) -> Value {
    let (pale, slope) = (1.25 * saturation, 0.8 * start)
    let low = pale * slope / (1 - (1 - slope / middle) * pale)
    let t = 5 * (saturation - 0.8)
    let bend = 1 - middleSlope / (full - middle)
    let high = middle + t * middleSlope / (1 - bend * t)
    let beyond = full + (t - 1) * fullSlope
    return .select(saturation .< 0.8, low, .select(t .<= 1, high, beyond))
  }

  private var middleSlope: Value { 0.2 * middle * middle * 1.5625 / start }
  /// The slope of the curve's tangent where it reaches the surface.
  private var fullSlope: Value { (full - middle) * (full - middle) / middleSlope }
}

/// Ottosson's lightness estimate L_r of an Oklab lightness, mirrored below zero.
private func toe(_ x: Value) -> Value {
  NegativePolicy.mirrored.apply(x) { (x: Value) -> Value in
    let difference: Value = toeScale * x - 0.206
    let linear: Value = 4 * 0.03 * toeScale * x
    return 0.5 * (difference + (difference * difference + linear).squareRoot())
  }
}

private func toeInverse(_ y: Value) -> Value {
  NegativePolicy.mirrored.apply(y) { (y: Value) -> Value in
    let divisor: Value = toeScale * (y + 0.03)
    return (y * y + 0.206 * y) / divisor
  }
}

private var toeScale: Value { Value(1.206 / 1.03) }

/// A chroma, and the hue as a point of the unit circle.
private func polarForm(_ x: Value, _ y: Value) -> (Value, Direction) {
  let chroma = (x * x + y * y).squareRoot()
  let isGray = chroma .== 0
  return (chroma, Direction(.select(isGray, 1, x / chroma), .select(isGray, 0, y / chroma)))
}

/// Whether a chroma exceeds what rounding in double precision gives a gray.
private func isColored(
  _ chroma: Value, _ lightness: Value, rounding: Double
) -> Formula.Mask {
  chroma .> rounding * lightness.magnitude.atLeast(1)
}

/// Whether a chroma is large enough for a saturation, which is relative to the gamut's maximum chroma.
///
/// That maximum is nearly 0 below black and from just below white up. There the rounding of single precision, which gives
/// a gray a chroma of up to 6·10⁻⁷ of its lightness, would become a large saturation, and counts as none.
private func isSaturated(
  _ chroma: Value, _ lightness: Value, white: Double, rounding: Double
) -> Formula.Mask {
  let isInside = (lightness .>= 0) .& (lightness .<= Value(0.999 * white))
  return isColored(chroma, lightness, rounding: rounding)
    .& (isInside .| (chroma .> 0x1p-20 * lightness.magnitude))
}

private typealias Value = Formula.Value

/// A point of the unit circle.
private struct Direction {
  let x, y: Value
  init(_ x: Value, _ y: Value) { (self.x, self.y) = (x, y) }
}
