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

  /// All spaces of this file.
  static let pickers: [ColorSpace] = [.okhsl, .okhsv, .hsluv, .hpluv]
}

// MARK: By Luv

extension TransferFunction {
  static let hsluv = saturatedLuv("HSLuv", fullChroma: LuvGamut.chroma)
  static let hpluv = saturatedLuv("HPLuv") { lightness, _ in LuvGamut.chroma(lightness: lightness) }

  /// Luv with chroma as a percentage of the maximum for a lightness and a hue.
  private static func saturatedLuv(
    _ name: String, fullChroma: @escaping @Sendable (Double, SIMD2<Double>) -> Double
  ) -> TransferFunction {
    luv.mapped(name, hue: Coordinates.Hue(channel: 0, distanceChannel: 1, powerlessUpTo: 1e-9)) {
      v in
      let direction = opponents(ofHue: v.x)
      let chroma = v.y / 100 * fullChroma(v.z, direction)
      return [v.z, chroma * direction.x, chroma * direction.y]
    } encoding: { v in
      let (chroma, direction) = polarForm(v.y, v.z)
      // The chroma that rounding gives a gray is no saturation, not even next to white.
      guard chroma > 1e-12 * max(1, abs(v.x)) else { return [0, 0, v.x] }
      return [
        hueInDegrees(direction.x, direction.y), 100 * chroma / fullChroma(v.x, direction), v.x,
      ]
    }
  }
}

/// The boundary of sRGB in Luv. Red, green and blue are each 0 or 1 along a line in the u′v′ diagram of a lightness.
private enum LuvGamut {
  /// The maximum chroma in one direction.
  static func chroma(lightness: Double, direction: SIMD2<Double>) -> Double {
    lines(lightness).map { $0.level / ($0.normal * direction).sum() }.filter { $0 >= 0 }.min()
      ?? .infinity
  }

  /// The maximum chroma that is in gamut for every hue.
  static func chroma(lightness: Double) -> Double {
    lines(lightness).map { abs($0.level) / ($0.normal * $0.normal).sum().squareRoot() }.min()
      ?? .infinity
  }

  /// The six lines, as the u*v* whose product with `normal` is `level`.
  private static func lines(_ lightness: Double) -> [(normal: SIMD2<Double>, level: Double)] {
    // The gamut has no area at black and white; next to them it does.
    let lightness = min(max(lightness, 1e-8), 100 - 1e-7)
    let luminance = TransferFunction.labRoot.inverse((lightness + 16) / 116)
    return rows.flatMap { row in
      [0, 1 / luminance].map { end in
        // Substitutes X, Y and Z of u′, v′ and the luminance into row · XYZ = 0 or 1; at white the row gives the
        // luminance.
        let normal = SIMD2(9 * row.x - 3 * row.z, 4 * row.y - 20 * row.z - 4 * end)
        return (normal, 13 * lightness * 4 * Chromaticity.d65.uv.y * (end - 1))
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
    if saturation == 0 { return [lightness, 0, 0] }
    let chroma = OklabGamut(direction).chromas(lightness: lightness).chroma(saturation)
    return [lightness, chroma * direction.x, chroma * direction.y]
  } encoding: { v in
    let (chroma, direction) = polarForm(v.y, v.z)
    guard isColored(chroma, v.x) else { return [0, 0, toe(v.x)] }
    let chromas = OklabGamut(direction).chromas(lightness: v.x)
    return [hueInDegrees(direction.x, direction.y), chromas.saturation(chroma), toe(v.x)]
  }

  static let oklrab = oklab.mapped("Oklrab") { v in
    [toeInverse(v.x), v.y, v.z]
  } encoding: { v in
    [toe(v.x), v.y, v.z]
  }

  static let okhsv = oklab.mapped(
    "Okhsv", hue: Coordinates.Hue(channel: 0, distanceChannel: 1, powerlessUpTo: 1e-9)
  ) { v in
    let (saturation, direction) = positive(v.y, opponents(ofHue: v.x))
    return OklabGamut(direction).oklab(saturation: saturation, value: v.z)
  } encoding: { v in
    let (chroma, direction) = polarForm(v.y, v.z)
    guard isColored(chroma, v.x) else { return [0, 0, toe(v.x)] }
    // A negative value is the positive value of the opposite hue, negated.
    let sign: Double = v.x < 0 ? -1 : 1
    let hue = hueInDegrees(sign * direction.x, sign * direction.y)
    let (saturation, value) = OklabGamut(sign * direction).saturationAndValue(
      lightness: abs(v.x), chroma: chroma)
    return [hue, saturation, sign * value]
  }

  /// Whether a chroma exceeds what rounding gives a gray.
  private static func isColored(_ chroma: Double, _ lightness: Double) -> Bool {
    chroma > 1e-14 * max(1, abs(lightness))
  }

  private static func positive(
    _ saturation: Double, _ direction: SIMD2<Double>
  ) -> (Double, SIMD2<Double>) {
    saturation < 0 ? (-saturation, -direction) : (saturation, direction)
  }
}

/// The boundary of sRGB in Oklab at one hue: nearly a triangle of black, white and a cusp.
///
/// The steps, polynomials and constants are those of Ottosson, “Okhsv and Okhsl: two new color spaces for color
/// picking” (2021). They approximate the gamut's surface and are part of the definition. The two conditions on the hue
/// are recomputed for the matrices of CSS Color 4.
private struct OklabGamut {
  private let direction: SIMD2<Double>
  private let cusp: (lightness: Double, chroma: Double)
  /// The slopes of the triangle: chroma over lightness on its dark side, and chroma over one minus lightness on its
  /// light side.
  private let dark, light: Double

  init(_ direction: SIMD2<Double>) {
    self.direction = direction
    let (a, b) = (direction.x, direction.y)
    // The channel that is the first to become negative, and its approximate maximum saturation, chroma over lightness.
    let (channel, terms): (Int, [Double]) =
      if -1.8817031 * a - 0.80936501 * b > 1 {
        (0, [1.19086277, 1.76576728, 0.59662641, 0.75515197, 0.56771245])
      } else if 1.8144408 * a - 1.19445267 * b > 1 {
        (1, [0.73956515, -0.45954404, 0.08285427, 0.12541073, -0.14503204])
      } else {
        (2, [1.35733652, -0.00915799, -1.1513021, -0.50559606, 0.00692167])
      }
    let guess =
      terms[0] + terms[1] * a + terms[2] * b + terms[3] * (a * a) + terms[4] * a * b
    dark = guess + Self.step(direction, lightness: 1, chroma: guess, to: 0).length[channel]
    cusp.lightness = 1 / cubeRoot(Self.brightestLight(direction, perLightness: dark))
    cusp.chroma = cusp.lightness * dark
    light = cusp.chroma / (1 - cusp.lightness)
  }

  // MARK: Lightness and saturation

  /// The three chromas of one lightness that saturation interpolates.
  struct Chromas {
    /// C₀, the slope next to gray; the same for all hues.
    let start: Double
    /// C_mid, the chroma at the saturation 0.8: inside the gamut, smooth across the cusp.
    let middle: Double
    /// C_max, the chroma at the saturation 1.
    let full: Double
  }

  func chromas(lightness: Double) -> Chromas {
    let l = min(max(lightness, 1e-9), 1 - 1e-9)
    let full = fullChroma(l)
    let (a, b) = (direction.x, direction.y)
    // Smooth approximations of `dark` and `light` as functions of the hue.
    let smoothDark =
      0.11516993 + 1
      / (7.44778970 + 4.15901240 * b + a
        * (-2.19557347 + 1.75198401 * b + a
          * (-2.13704948 - 10.02301043 * b + a
            * (-4.24894561 + 5.38770819 * b + 4.69891013 * a))))
    let smoothLight =
      0.11239642 + 1
      / (1.61320320 - 0.68124379 * b + a
        * (0.40370612 + 0.90148123 * b + a
          * (-0.27087943 + 0.61223990 * b + a
            * (0.00299215 - 0.45399568 * b - 0.14661872 * a))))
    /// A smooth minimum: less than both arguments, by little where they differ much.
    func softMinimum(_ x: Double, _ y: Double, _ exponent: Double) -> Double {
      power(power(x, -exponent) + power(y, -exponent), -1 / exponent)
    }
    let bulge = full / min(l * dark, (1 - l) * light)
    return Chromas(
      start: softMinimum(l * 0.4, (1 - l) * 0.8, 2),
      middle: 0.9 * bulge * softMinimum(l * smoothDark, (1 - l) * smoothLight, 4), full: full)
  }

  /// The maximum chroma of a lightness: on the triangle, then one Halley step towards the curved light side.
  private func fullChroma(_ lightness: Double) -> Double {
    if lightness <= cusp.lightness { return cusp.chroma * lightness / cusp.lightness }
    let chroma = cusp.chroma * (lightness - 1) / (cusp.lightness - 1)
    let step = Self.step(direction, lightness: lightness, chroma: chroma, to: 1)
    return chroma + step.length.replacing(with: .infinity, where: step.slope .< 0).min()
  }

  // MARK: Value and saturation

  // Value and saturation follow the triangle's straight sides, with a toe. Saturation depends on chroma over lightness
  // alone, since scaling a linear color scales both.

  /// For a lightness from 0 up.
  func saturationAndValue(lightness: Double, chroma: Double) -> (Double, Double) {
    // A color with chroma and no lightness gets a tiny lightness.
    let ratio = chroma / max(lightness, 1e-9 * chroma)
    let full = light / (ratio + light)
    let saturation =
      ratio > dark
      ? 1 + (ratio - dark) / surfaceSlope
      : (0.5 + light) * ratio / (0.5 * light + ratio * (0.5 + bend))
    return (saturation, toe(lightness * brightness(ratio, full)) / full)
  }

  func oklab(saturation: Double, value: Double) -> SIMD3<Double> {
    let ratio =
      saturation > 1
      ? dark + (saturation - 1) * surfaceSlope
      : 0.5 * light * saturation / (0.5 + light - saturation * (0.5 + bend))
    let full = light / (ratio + light)
    let lightness = toeInverse(value * full) / brightness(ratio, full)
    return lightness * SIMD3(1, ratio * direction.x, ratio * direction.y)
  }

  /// The bend of the saturation curve: `light` times Ottosson's k.
  private var bend: Double { light * (1 - 0.5 / dark) }

  /// The slope of chroma over lightness by saturation on the gamut's surface, continued beyond it.
  private var surfaceSlope: Double { dark * dark * (0.5 + light) / (0.5 * light) }

  /// The amount that the gamut's curved light side adds to a lightness.
  private func brightness(_ ratio: Double, _ full: Double) -> Double {
    toeInverse(full) * cubeRoot(Self.brightestLight(direction, perLightness: ratio))
  }

  // MARK: From Oklab to linear sRGB

  /// The largest of red, green and blue of a color with lightness 1.
  private static func brightestLight(
    _ direction: SIMD2<Double>, perLightness chroma: Double
  ) -> Double {
    let root = toRoots * SIMD3(1, chroma * direction.x, chroma * direction.y)
    return (toLights * (root * root * root)).max()
  }

  /// Halley's step towards the chroma at which red, green and blue each become `level`, and whether they rise or fall
  /// there.
  private static func step(
    _ direction: SIMD2<Double>, lightness: Double, chroma: Double, to level: Double
  ) -> (length: SIMD3<Double>, slope: SIMD3<Double>) {
    let slopes = toRoots * SIMD3(0, direction.x, direction.y)
    let roots = toRoots * SIMD3(lightness, chroma * direction.x, chroma * direction.y)
    let f = toLights * (roots * roots * roots) - level
    let first = toLights * (3 * slopes * roots * roots)
    let second = toLights * (6 * slopes * slopes * roots)
    let slope = first / (first * first - 0.5 * f * second)
    return (-f * slope, slope)
  }

  private static let toRoots: ColorMatrix = TransferFunction.oklabOpponents.inverse
  private static let toLights =
    Primaries.rec709.toXYZ.inverse * TransferFunction.oklabCones.inverse
}

extension OklabGamut.Chromas {
  func saturation(_ chroma: Double) -> Double {
    if chroma < middle {
      let slope = 0.8 * start
      return 0.8 * chroma / (slope + (1 - slope / middle) * chroma)
    }
    if chroma <= full {
      let rest = chroma - middle
      return 0.8 + 0.2 * rest / (middleSlope + (1 - middleSlope / (full - middle)) * rest)
    }
    return 1 + 0.2 * (chroma - full) / fullSlope
  }

  func chroma(_ saturation: Double) -> Double {
    if saturation < 0.8 {
      let (t, slope) = (1.25 * saturation, 0.8 * start)
      return t * slope / (1 - (1 - slope / middle) * t)
    }
    let t = 5 * (saturation - 0.8)
    if t <= 1 { return middle + t * middleSlope / (1 - (1 - middleSlope / (full - middle)) * t) }
    return full + (t - 1) * fullSlope
  }

  private var middleSlope: Double { 0.2 * middle * middle * 1.5625 / start }
  /// The slope of the curve's tangent where it reaches the surface.
  private var fullSlope: Double { (full - middle) * (full - middle) / middleSlope }
}

/// Ottosson's lightness estimate L_r of an Oklab lightness, mirrored below zero.
private func toe(_ x: Double) -> Double {
  if x < 0 { return -toe(-x) }
  let difference = toeScale * x - 0.206
  return 0.5 * (difference + (difference * difference + 4 * 0.03 * toeScale * x).squareRoot())
}

private func toeInverse(_ y: Double) -> Double {
  y < 0 ? -toeInverse(-y) : (y * y + 0.206 * y) / (toeScale * (y + 0.03))
}

private let toeScale = 1.206 / 1.03

/// A chroma, and the hue as a point of the unit circle.
private func polarForm(_ x: Double, _ y: Double) -> (Double, SIMD2<Double>) {
  let chroma = (x * x + y * y).squareRoot()
  return (chroma, chroma == 0 ? [1, 0] : SIMD2(x, y) / chroma)
}
