// Color appearance models: lightness, colorfulness and hue under given viewing conditions. They are fitted to visible
// colors. Beyond those they have poles and folds, where coordinates are finite but not all of them convert back.

extension ColorSpace {
  /// CAM16 (Li et al. 2017; CIE 248:2022) for a display: lightness J, 100 for white; colorfulness M; hue h.
  public static let cam16JMh = cam16JMh(under: .display)

  /// CAM16's lightness J, colorfulness M and hue h under the given viewing conditions.
  public static func cam16JMh(under conditions: ViewingConditions) -> ColorSpace {
    let model = CAM16(conditions)
    return appearance("CAM16 JMh", conditions) { name in
      let scale = SIMD3(1, model.colorfulness, 1)
      return model.coordinates(name, hue: (channel: 2, distanceChannel: 1)) {
        $0 / scale
      } encoding: {
        $0 * scale
      }
    }
  }

  /// CAM16-UCS (Li et al. 2017) for a display: J′, a′ and b′, in which Euclidean distance approximates perceived
  /// difference.
  public static let cam16UCS = cam16UCS(under: .display)

  /// CAM16-UCS under the given viewing conditions.
  public static func cam16UCS(under conditions: ViewingConditions) -> ColorSpace {
    let model = CAM16(conditions)
    return appearance("CAM16-UCS", conditions) { name in
      model.coordinates(name) { v in
        let pressed = (v.y * v.y + v.z * v.z).squareRoot()
        let size = (boundedExponential(0.0228 * pressed) - 1) / 0.0228
        // J′ is bounded by 1.7 / 0.007 ≈ 242.9, which an infinite J reaches.
        let limited = min(abs(v.x), 242)
        let lightness = (limited / (1.7 - 0.007 * limited)).withSign(of: v.x)
        let colorfulness = size * model.chromaSign(lightness: lightness)
        return [lightness, colorfulness / model.colorfulness, hueInDegrees(v.y, v.z)]
      } encoding: { v in
        let v = model.unfolded(v)
        let pressed = naturalLogarithm(1 + 0.0228 * abs(v.y * model.colorfulness)) / 0.0228
        let opponents = pressed * opponents(ofHue: v.z)
        return [1.7 * v.x / (1 + 0.007 * abs(v.x)), opponents.x, opponents.y]
      }
    }
  }

  /// HCT (Google's Material Design): CAM16's hue and chroma, and L* as tone, in a room of 200 lux.
  public static let hct: ColorSpace = {
    let middle = TransferFunction.labRoot.inverse((50 + 16) / 116)
    let conditions = ViewingConditions(
      adaptingLuminance: Luminance(candelas: 200 / Double.pi * middle),
      backgroundLuminance: 100 * middle)
    return ColorSpace(
      "HCT", primaries: .xyz(white: .d65), transfer: .hct(CAM16(conditions)))
  }()

  /// ZCAM (Safdar, Hardeberg and Luo 2021) for a display of 100 cd/m²: lightness J, 100 for white; colorfulness M; hue
  /// h.
  public static let zcamJMh = ColorSpace(
    "ZCAM JMh", primaries: .xyz(white: .d65), transfer: .zcamJMh(.display))

  /// All spaces of this file.
  static let appearances: [ColorSpace] = [.cam16JMh, .cam16UCS, .hct, .zcamJMh]

  private static func appearance(
    _ name: String, _ conditions: ViewingConditions, _ coordinates: (String) -> Coordinates
  ) -> ColorSpace {
    let name = conditions == .display ? name : "\(name), \(conditions)"
    return ColorSpace(
      name, primaries: .xyz(white: conditions.white),
      transfer: TransferFunction(coordinates(name)))
  }
}

/// CAM16 with the constants that follow from its viewing conditions, for linear values relative to white.
private struct CAM16: Sendable {
  /// The colorfulness M of a chroma of 1.
  let colorfulness: Double
  private let toCones: ColorMatrix
  private let response: RationalPowerCurve
  /// The achromatic response of white.
  private let white: Double
  /// The exponent of lightness over the achromatic response, cz.
  private let exponent: Double
  private let chromaScale, hueScale: Double

  init(_ conditions: ViewingConditions) {
    let (sensors, white) = (ChromaticAdaptation.cat16.sensors, conditions.white.xyz)
    let degree = conditions.degreeOfAdaptation
    let adaptation = degree / (sensors * white) + (1 - degree)
    toCones = ColorMatrix(diagonal: adaptation) * sensors * ColorMatrix(diagonal: white)

    let luminance = conditions.adaptingLuminance.candelas
    let k = 1 / (5 * luminance + 1)
    let (k4, rest) = (k * k * k * k, 1 - k * k * k * k)
    let adaptedLuminance = k4 * luminance + 0.1 * rest * rest * cubeRoot(5 * luminance)
    let scale = power(adaptedLuminance, 0.42)
    response = RationalPowerCurve(
      a: 0, b: 400 * scale, c: 27.13, d: scale, inner: 0.42, outer: 1, belowZero: .mirrored)
    colorfulness = power(adaptedLuminance, 0.25)

    let background = conditions.backgroundLuminance / 100
    let surround = conditions.surroundFactors
    exponent = surround.impact * (1.48 + background.squareRoot())
    chromaScale = power(1.64 - power(0.29, background), 0.73)
    hueScale = 50_000 / 13 * surround.induction * 0.725 * power(background, -0.2)
    let cones = toCones * .one
    self.white = (Self.opponents * SIMD3(response(cones.x), response(cones.y), response(cones.z))).x
  }

  /// Coordinates that are computed from lightness, chroma and hue.
  func coordinates(
    _ name: String, hue: (channel: Int, distanceChannel: Int)? = nil,
    decoding: @escaping @Sendable (SIMD3<Double>) -> SIMD3<Double>,
    encoding: @escaping @Sendable (SIMD3<Double>) -> SIMD3<Double>
  ) -> Coordinates {
    let (encode, decode) = (Curve.rationalPower(response), Curve.rationalPower(response.inverse))
    // The response saturates below 400; this limit is reached at 10¹⁸ times white.
    let largest = 400 * (1 - 0x1p-20)
    let stages: [PointProgram.Stage] = [
      .map("from \(name)") { opponents(lightnessChromaHue: decoding($0)) },
      .matrix(Self.opponents.inverse), .clamp(-largest...largest),
      .curves("light of cones", decode, decode, decode), .matrix(toCones.inverse),
    ]
    return Coordinates(
      name, decoding: stages,
      encoding: [
        .matrix(toCones), .curves("responses of cones", encode, encode, encode),
        .matrix(Self.opponents),
        .map("to \(name)") { encoding(lightnessChromaHue(opponents: $0)) },
      ], hue: hue.map { appearanceHue($0.channel, $0.distanceChannel, light: stages) })
  }

  // CAM16-UCS has no sign of chroma: a′ and b′ carry its magnitude and hue. Next to gray the sign is recovered from the
  // lightness. Imaginary colors may lie beyond the pole of their hue, where the sign flips; they are represented by the
  // opposite hue.

  /// The sign of the chroma of colors next to gray: the sign of the lightness times that of the achromatic response
  /// including its noise term.
  func chromaSign(lightness: Double) -> Double {
    let achromatic = white * mirroredPower(lightness / 100, 1 / exponent)
    return (lightness < 0) == (achromatic + 0.305 < 0) ? 1 : -1
  }

  /// Returns the color expressed by the opposite hue, with the chroma for that hue's eccentricity, if its chroma has an
  /// unexpected sign.
  func unfolded(_ v: SIMD3<Double>) -> SIMD3<Double> {
    if v.y * chromaSign(lightness: v.x) >= 0 { return v }
    let hue = v.z < 180 ? v.z + 180 : v.z - 180
    return [v.x, -v.y * power(eccentricity(hue) / eccentricity(v.z), 0.9), hue]
  }

  /// The achromatic response and the red–green and yellow–blue opponents of three cone responses.
  private static let opponents = ColorMatrix(
    rows: [2, 1, 0.05], [1, -12.0 / 11, 1.0 / 11], [1.0 / 9, 1.0 / 9, -2.0 / 9])

  private func lightnessChromaHue(opponents v: SIMD3<Double>) -> SIMD3<Double> {
    let hue = hueInDegrees(v.y, v.z)
    let sum = v.x - (11 * v.y + 108 * v.z) / 23 + 0.305
    let t =
      hueScale * eccentricity(hue) * (v.y * v.y + v.z * v.z).squareRoot() / (sum == 0 ? 1e-9 : sum)
    let lightness = mirroredPower(v.x / white, exponent)
    let root = abs(lightness).squareRoot().withSign(of: lightness)
    return [100 * lightness, mirroredPower(t, 0.9) * root * chromaScale, hue]
  }

  private func opponents(lightnessChromaHue v: SIMD3<Double>) -> SIMD3<Double> {
    // A color without lightness has no chroma; a nonzero chroma implies a tiny lightness.
    let root = max(abs(v.x) / 100, 1e-18).squareRoot().withSign(of: v.x)
    let t = mirroredPower(v.y / root / chromaScale, 1 / 0.9)
    let achromatic = white * mirroredPower(v.x / 100, 1 / exponent)
    let direction = ColorSpaces.opponents(ofHue: v.z)
    let scale = hueScale * eccentricity(v.z)
    let rest = scale + t * (11 * direction.x + 108 * direction.y) / 23
    let reach = t * (achromatic + 0.305) / (rest == 0 ? 1e-9 * scale : rest)
    return [achromatic, reach * direction.x, reach * direction.y]
  }

  /// The eccentricity factor e_t of a hue.
  private func eccentricity(_ hue: Double) -> Double {
    (cosine(ofPi: hue / 180 + 2 / Double.pi) + 3.8) / 4
  }
}

extension TransferFunction {
  fileprivate static func hct(_ model: CAM16) -> TransferFunction {
    let appearance = model.coordinates("JCh", decoding: { $0 }, encoding: { $0 })
    let stages: [PointProgram.Stage] = [
      .map("from HCT") { v in
        let luminance = labRoot.inverse((v.z + 16) / 116)
        func light(_ lightness: Double) -> SIMD3<Double> {
          appearance.decoding([lightness, v.y, v.x])
        }
        let gray = appearance.encoding(SIMD3(repeating: luminance)).x
        return light(root(near: gray) { light($0).y - luminance })
      }
    ]
    return TransferFunction(
      Coordinates(
        "HCT", decoding: stages,
        encoding: [
          .map("to HCT") { v in
            let color = appearance.encoding(v)
            return [color.z, color.y, 116 * labRoot(v.y) - 16]
          }
        ], hue: appearanceHue(0, 1, light: stages)))
  }

  fileprivate static func zcamJMh(_ conditions: ViewingConditions) -> TransferFunction {
    let (quantizer, white) = (jzazbzQuantizer, Chromaticity.d65.xyz)
    // PQ is defined relative to 10,000 cd/m².
    let unit = ColorMatrix(diagonal: SIMD3(repeating: 100.0 / 10_000))
    let toCones = unit * jzazbzCones * ColorMatrix(diagonal: white)
    let toOpponents = ColorMatrix(
      rows: [0, 1, 0], [3.524000, -4.066708, 0.542708], [0.199076, 1.096799, -1.295875])
    let black = quantizer(0)
    let whiteIntensity = quantizer((toCones * .one).y) - black

    let impact = conditions.surroundFactors.impact
    let background = (conditions.backgroundLuminance / 100).squareRoot()
    let luminance = conditions.adaptingLuminance.candelas
    let adaptation = 0.171 * cubeRoot(luminance) * (1 - exponential(-48.0 / 9 * luminance))
    let exponent = 1.6 * impact / power(background, 0.12)
    let scale = 100 * power(adaptation, 0.2) / power(background, 0.1) / power(whiteIntensity, 0.78)
    @Sendable func colorfulness(_ hue: Double) -> Double {
      scale * power(1.015 + cosine(ofPi: (89.038 + hue) / 180), 0.068)
    }

    let (encode, decode) = (Curve.rationalPower(quantizer), Curve.rationalPower(quantizer.inverse))
    let largest = quantizer(largestQuantized)
    let stages: [PointProgram.Stage] = [
      .map("from ZCAM JMh") { v in
        let intensity = black + whiteIntensity * mirroredPower(v.x / 100, 1 / exponent)
        let color = mirroredPower(v.y / colorfulness(v.z), 1 / 0.74) * opponents(ofHue: v.z)
        return [intensity, color.x, color.y]
      }, .matrix(toOpponents.inverse), .clamp(-largest...largest),
      .curves("from PQ", decode, decode, decode), .matrix(toCones.inverse),
    ]
    return TransferFunction(
      Coordinates(
        "ZCAM JMh", decoding: stages,
        encoding: [
          .matrix(toCones), .curves("to PQ", encode, encode, encode), .matrix(toOpponents),
          .map("to ZCAM JMh") { v in
            let hue = hueInDegrees(v.y, v.z)
            return [
              100 * mirroredPower((v.x - black) / whiteIntensity, exponent),
              colorfulness(hue) * power(v.y * v.y + v.z * v.z, 0.37), hue,
            ]
          },
        ], hue: appearanceHue(2, 1, light: stages)))
  }
}

/// A hue of an appearance model. Its grays are slightly colored because adaptation to white is incomplete.
private func appearanceHue(
  _ channel: Int, _ distanceChannel: Int, light stages: [PointProgram.Stage]
) -> Coordinates.Hue {
  let decoding = PointProgram(stages)
  return Coordinates.Hue(
    channel: channel, distanceChannel: distanceChannel, powerlessUpTo: 1e-4
  ) { decoding($0) }
}

/// Finds a zero of a mostly increasing function near `guess` by the Anderson–Björck method (1973), a regula falsi.
/// Returns the closest point where there is no zero.
private func root(near guess: Double, of function: (Double) -> Double) -> Double {
  var (a, fa) = (guess, function(guess))
  if fa == 0 { return a }
  // Brackets the zero: steps double in both directions until the sign changes.
  var step = max(abs(guess), 1e-9) / 16
  var (b, fb) = (a, fa)
  for _ in 0..<40 where (fa < 0) == (fb < 0) {
    let candidates = [guess - step, guess + step].map { ($0, function($0)) }
    (b, fb) = candidates.first { ($0.1 < 0) != (fa < 0) } ?? candidates[fa < 0 ? 1 : 0]
    step *= 2
  }
  var (best, error) = (a, abs(fa))
  for _ in 0..<100 where fb != 0 && (fa < 0) != (fb < 0) {
    let c = b - fb * (b - a) / (fb - fa)
    let fc = function(c)
    if c == a || c == b || !(fc.isFinite) { break }
    if abs(fc) < error { (best, error) = (c, abs(fc)) }
    if (fc < 0) != (fb < 0) {
      (a, fa) = (b, fb)
    } else {
      let m = 1 - fc / fb
      fa *= m > 0 ? m : 0.5
    }
    (b, fb) = (c, fc)
  }
  return best
}

/// A power that keeps the sign of its base.
private func mirroredPower(_ x: Double, _ exponent: Double) -> Double {
  power(abs(x), exponent).withSign(of: x)
}

extension Double {
  /// This magnitude with the sign of `other`.
  fileprivate func withSign(of other: Double) -> Double { Double(signOf: other, magnitudeOf: self) }
}
