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
        $0 / Formula.Vector(scale)
      } encoding: {
        $0 * Formula.Vector(scale)
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
        let limited = v.x.magnitude.atMost(242)
        let lightness = (limited / (1.7 - 0.007 * limited)).withSign(of: v.x)
        let colorfulness = size * model.chromaSign(lightness: lightness)
        return [lightness, colorfulness / model.colorfulness, hueInDegrees(v.y, v.z)]
      } encoding: { v in
        let v = model.unfolded(v)
        let colorfulness = (v.y * model.colorfulness).magnitude
        let pressed = (1 + 0.0228 * colorfulness).naturalLogarithm / 0.0228
        let direction = opponents(ofHue: v.z)
        return [
          1.7 * v.x / (1 + 0.007 * v.x.magnitude), pressed * direction.x, pressed * direction.y,
        ]
      }
    }
  }

  /// HCT (Google's Material Design): CAM16's hue and chroma, and L* as tone, in a room of 200 lux.
  ///
  /// Converting from HCT searches for the lightness of CAM16 that gives the tone. For a few imaginary coordinates, such
  /// as dark blue-greens of the chroma 120, it exists only next to a pole of CAM16, or not at all. They become a color of
  /// another tone, the nearest one that the search finds.
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

  /// The spaces of color appearance models, such as CAM16 and ZCAM.
  static let appearances: [ColorSpace] = [.cam16JMh, .cam16UCS, .hct, .zcamJMh]

  private static func appearance(
    _ name: String, _ conditions: ViewingConditions, _ coordinates: (String) -> Coordinates
  ) -> ColorSpace {
    let name = conditions == .display ? name : "\(name), \(conditions)"
    return ColorSpace(
      name, primaries: .xyz(white: conditions.white),
      transfer: TransferFunction(coordinates(name))
        .citing(.cam16, Source("CIE 248", edition: "2022")))
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
    decoding: @escaping @Sendable (Formula.Vector) -> Formula.Vector,
    encoding: @escaping @Sendable (Formula.Vector) -> Formula.Vector
  ) -> Coordinates {
    let (encode, decode) = (Curve.rationalPower(response), Curve.rationalPower(response.inverse))
    // The response saturates below 400; this limit is reached at 10¹⁸ times white.
    let largest = 400 * (1 - 0x1p-20)
    let stages: [PointProgram.Stage] = [
      .formula("from \(name)") { opponents(lightnessChromaHue: decoding($0)) },
      .matrix(Self.opponents.inverse), .clamp(-largest...largest),
      .curves("light of cones", decode, decode, decode), .matrix(toCones.inverse),
    ]
    return Coordinates(
      name, decoding: stages,
      encoding: [
        .matrix(toCones), .curves("responses of cones", encode, encode, encode),
        .matrix(Self.opponents),
        .formula("to \(name)") { encoding(lightnessChromaHue(opponents: $0)) },
      ], hue: hue.map { appearanceHue($0.channel, $0.distanceChannel, light: stages) })
  }

  // CAM16-UCS has no sign of chroma: a′ and b′ hold its size and a hue. Next to gray the sign follows from the lightness. Colors that
  // no eye sees may lie beyond the pole of their hue, where the sign changes; there the opposite hue has coordinates to spare.

  /// The sign of the chroma of colors next to gray: that of the lightness, times that of the achromatic response with its noise.
  func chromaSign(lightness: Formula.Value) -> Formula.Value {
    let achromatic = white * (lightness / 100).mirroredPower(1 / exponent)
    return .select((lightness .< 0) .^ (achromatic + 0.305 .< 0), -1, 1)
  }

  /// Returns the color expressed by the opposite hue, with the chroma for that hue's eccentricity, if its chroma has an
  /// unexpected sign.
  func unfolded(_ v: Formula.Vector) -> Formula.Vector {
    let hue = Formula.Value.select(v.z .< 180, v.z + 180, v.z - 180)
    let chroma = -v.y * (eccentricity(hue) / eccentricity(v.z)).raised(to: 0.9)
    return .select(v.y * chromaSign(lightness: v.x) .>= 0, v, [v.x, chroma, hue])
  }

  /// The achromatic response and the red–green and yellow–blue opponents of three cone responses.
  private static let opponents = ColorMatrix(
    rows: [2, 1, 0.05], [1, -12.0 / 11, 1.0 / 11], [1.0 / 9, 1.0 / 9, -2.0 / 9])

  private func lightnessChromaHue(opponents v: Formula.Vector) -> Formula.Vector {
    let hue = hueInDegrees(v.y, v.z)
    let sum = v.x - (11 * v.y + 108 * v.z) / 23 + 0.305
    let distance = (v.y * v.y + v.z * v.z).squareRoot()
    let t = hueScale * eccentricity(hue) * distance / .select(sum .== 0, 1e-9, sum)
    let lightness = (v.x / white).mirroredPower(exponent)
    let root = lightness.magnitude.squareRoot().withSign(of: lightness)
    return [100 * lightness, t.mirroredPower(0.9) * root * chromaScale, hue]
  }

  private func opponents(lightnessChromaHue v: Formula.Vector) -> Formula.Vector {
    // A color without lightness has no chroma; a nonzero chroma implies a tiny lightness.
    let root = (v.x.magnitude / 100).atLeast(1e-18).squareRoot().withSign(of: v.x)
    let t = (v.y / root / chromaScale).mirroredPower(1 / 0.9)
    let achromatic = white * (v.x / 100).mirroredPower(1 / exponent)
    let direction = ColorSpaces.opponents(ofHue: v.z)
    let scale = hueScale * eccentricity(v.z)
    let slant = 11 * direction.x + 108 * direction.y
    let rest = scale + t * slant / 23
    let reach = t * (achromatic + 0.305) / .select(rest .== 0, 1e-9 * scale, rest)
    return [achromatic, reach * direction.x, reach * direction.y]
  }

  /// The eccentricity factor e_t of a hue.
  private func eccentricity(_ hue: Formula.Value) -> Formula.Value {
    ((hue / 180 + 2 / Double.pi).cosineOfPi + 3.8) / 4
  }
}

extension TransferFunction {
  fileprivate static func hct(_ model: CAM16) -> TransferFunction {
    let appearance = model.coordinates("JCh", decoding: { $0 }, encoding: { $0 })
    let stages: [PointProgram.Stage] = [
      .formula("from HCT") { v in
        let luminance = labRoot.inverse.value(at: (v.z + 16) / 116)
        func light(_ lightness: Formula.Value) -> Formula.Vector {
          appearance.decoding([lightness, v.y, v.x])
        }
        let gray = appearance.encoding(Formula.Vector(repeating: luminance)).x
        let tolerance = 1e-9 * luminance.magnitude.atLeast(1)
        return light(root(near: gray, within: tolerance) { light($0).y - luminance })
      }
    ]
    return TransferFunction(
      Coordinates(
        "HCT", decoding: stages,
        encoding: [
          .formula("to HCT") { v in
            let color = appearance.encoding(v)
            return [color.z, color.y, 116 * labRoot.value(at: v.y) - 16]
          }
        ], hue: appearanceHue(0, 1, light: stages))
    ).citing(
      .cam16, .cie15("8.2.1"), Source("Google, Material Design, “material-color-utilities”"))
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
    @Sendable func colorfulness(_ hue: Formula.Value) -> Formula.Value {
      scale * (1.015 + ((89.038 + hue) / 180).cosineOfPi).raised(to: 0.068)
    }

    let (encode, decode) = (Curve.rationalPower(quantizer), Curve.rationalPower(quantizer.inverse))
    let largest = quantizer(largestQuantized)
    let stages: [PointProgram.Stage] = [
      .formula("from ZCAM JMh") { v in
        let intensity = black + whiteIntensity * (v.x / 100).mirroredPower(1 / exponent)
        let distance = (v.y / colorfulness(v.z)).mirroredPower(1 / 0.74)
        let direction = opponents(ofHue: v.z)
        return [intensity, distance * direction.x, distance * direction.y]
      }, .matrix(toOpponents.inverse), .clamp(-largest...largest),
      .curves("from PQ", decode, decode, decode), .matrix(toCones.inverse),
    ]
    return TransferFunction(
      Coordinates(
        "ZCAM JMh", decoding: stages,
        encoding: [
          .matrix(toCones), .curves("to PQ", encode, encode, encode), .matrix(toOpponents),
          .formula("to ZCAM JMh") { v in
            let hue = hueInDegrees(v.y, v.z)
            return [
              100 * ((v.x - black) / whiteIntensity).mirroredPower(exponent),
              colorfulness(hue) * (v.y * v.y + v.z * v.z).raised(to: 0.37), hue,
            ]
          },
        ], hue: appearanceHue(2, 1, light: stages))
    ).citing(
      Source(
        "Safdar, Hardeberg and Luo, “ZCAM, a colour appearance model based on a high dynamic range "
          + "uniform colour space”", edition: "2021"), .jzazbz)
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

/// Finds a zero of a mostly increasing function near `guess`, within `tolerance`.
///
/// Returns the closest point that it finds where there is no zero, and where there are zeros only between a pole and the
/// points that it tries.
private func root(
  near guess: Formula.Value, within tolerance: Formula.Value,
  of function: (Formula.Value) -> Formula.Value
) -> Formula.Value {
  typealias Value = Formula.Value
  let error = function(guess)
  // Away from the guess in steps that double, to both sides, until the sign changes: b, f(b) and the step.
  let start = guess.magnitude.atLeast(1e-9) / 16
  let nearest = Value.loop([guess, error, start], atMost: 40) { state in
    (error .!= 0) .& haveOneSign(error, state[1])
  } _: { state in
    let (below, above) = (guess - state[2], guess + state[2])
    let (fBelow, fAbove) = (function(below), function(above))
    // Where the sign changes, below before above; else towards where the function comes nearer to 0.
    let isBelow =
      .!haveOneSign(fBelow, error) .| (haveOneSign(fAbove, error) .& .!(error .< 0))
    return [
      .select(isBelow, below, above), .select(isBelow, fBelow, fAbove), 2 * state[2],
    ]
  }
  let first = root(between: (guess, error), and: (nearest[0], nearest[1]), of: function)
  // The sign also changes at poles. A second search takes smaller steps, which cross fewer of them, and goes only
  // towards where an increasing function comes nearer to 0: a, f(a), b and f(b).
  let isMissed = first.error .> tolerance
  let ratio = Value.select((error .< 0) .^ (guess .< 0), 17.0 / 16, 15.0 / 16)
  let steps = Value.loop([guess, error, guess, error], atMost: 80) { state in
    isMissed .& haveOneSign(error, state[3])
  } _: { state in
    let b = state[2] * ratio
    return [state[2], state[3], b, function(b)]
  }
  let second = root(between: (steps[0], steps[1]), and: (steps[2], steps[3]), of: function)
  return .select(isMissed .& (second.error .< first.error), second.place, first.place)
}

/// Finds the zero of a function between two places with values of opposite signs, by the Anderson–Björck method (1973),
/// a regula falsi. Returns the best place that it finds; the first one where the signs are equal.
private func root(
  between start: (place: Formula.Value, value: Formula.Value),
  and end: (place: Formula.Value, value: Formula.Value),
  of function: (Formula.Value) -> Formula.Value
) -> (place: Formula.Value, error: Formula.Value) {
  typealias Value = Formula.Value
  // a, f(a), b, f(b), the best place, its error, and whether the next place would be none of its own.
  let found = Value.loop(
    [start.place, start.value, end.place, end.value, start.place, start.value.magnitude, 0],
    atMost: 100
  ) { state in
    (state[6] .== 0) .& (state[3] .!= 0) .& .!haveOneSign(state[1], state[3])
  } _: { state in
    let (a, fa, b, fb) = (state[0], state[1], state[2], state[3])
    let c = b - fb * (b - a) / (fb - fa)
    let fc = function(c)
    let ends = (c .== a) .| (c .== b) .| .!(fc.magnitude .< Value(.infinity))
    let isBetter = fc.magnitude .< state[5]
    let isCrossed = .!haveOneSign(fc, fb)
    let m = 1 - fc / fb
    let next = [
      Value.select(isCrossed, b, a),
      Value.select(isCrossed, fb, fa * .select(m .> 0, m, 0.5)), c, fc,
      Value.select(isBetter, c, state[4]), Value.select(isBetter, fc.magnitude, state[5]), 0,
    ]
    return zip(state, next).map { Value.select(ends, $0, $1) }.dropLast()
      + [Value.select(ends, 1, 0)]
  }
  return (found[4], found[5])
}

/// Whether both numbers are negative or neither is.
private func haveOneSign(_ a: Formula.Value, _ b: Formula.Value) -> Formula.Mask {
  .!((a .< 0) .^ (b .< 0))
}
