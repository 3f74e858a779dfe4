/// The appearance model of ACES 2: lightness J, colorfulness M and hue of CAM16 as Hellwig and Fairchild (2022) revised it, for one
/// space, in a dim surround, completely adapted to the space's white.
struct ACES2Appearance: Sendable {
  private let toCones, fromCones, toOpponents, fromOpponents: ColorMatrix
  /// F_L per cd/m², and the response of the achromatic cones to white.
  private let adaptation, whiteResponse: Double

  /// The exponent c·z of lightness.
  static let exponent = 0.59 * (1.48 + (20.0 / 100).squareRoot())

  init(of primaries: Primaries) {
    let cones = Primaries(
      red: Chromaticity(0.8336, 0.1735), green: Chromaticity(2.3854, -1.4659),
      blue: Chromaticity(0.087, -0.125), white: Chromaticity(0.333, 0.333)
    ).toXYZ.inverse
    // The adapting luminance is 100 cd/m².
    let (fivefold, k) = (500.0, 1.0 / 501)
    let k4 = k * k * k * k
    let level = 0.2 * k4 * fivefold + 0.1 * (1 - k4) * (1 - k4) * cubeRoot(fivefold)
    adaptation = level / 100
    let white = primaries.toXYZ * SIMD3(repeating: 100)
    let gain = adaptation * white.y / (cones * white)
    toCones = ColorMatrix(diagonal: gain * 100) * cones * primaries.toXYZ
    fromCones = toCones.inverse
    whiteResponse = Self.response(level)
    let achromatic = SIMD3(2, 1, 1.0 / 20) / (3.05 * whiteResponse)
    let scale = 400 * 43 * 0.9
    toOpponents = ColorMatrix(
      rows: achromatic, SIMD3(1, -12.0 / 11, 1.0 / 11) * scale, SIMD3(1, 1, -2) / 9 * scale)
    fromOpponents = toOpponents.inverse
  }

  private static func response<Number: FormulaNumber>(_ light: Number) -> Number {
    let x = light.magnitude.raised(to: 0.42)
    return (x / (27.13 + x)).withSign(of: light)
  }

  private static func light<Number: FormulaNumber>(_ response: Number) -> Number {
    let x = response.magnitude.atMost(0.99)
    return (27.13 * x / (1 - x)).raised(to: 1 / 0.42).withSign(of: response)
  }

  /// The achromatic response, 1 for white, and two opponents, of linear light in the space, of which 1 is 100 cd/m².
  func opponents<Number: FormulaNumber>(
    of light: FormulaVector<Number>
  ) -> FormulaVector<Number> {
    toOpponents * (toCones * light).map { Self.response($0) }
  }

  /// The linear light of a lightness and two opponents.
  func light<Number: FormulaNumber>(
    lightness: Number, _ a: Number, _ b: Number
  ) -> FormulaVector<Number> {
    fromCones * (fromOpponents * [achromatic(lightness), a, b]).map { Self.light($0) }
  }

  func lightness<Number: FormulaNumber>(achromatic: Number) -> Number {
    100 * achromatic.raised(to: Self.exponent)
  }

  func achromatic<Number: FormulaNumber>(_ lightness: Number) -> Number {
    (lightness * 0.01).raised(to: 1 / Self.exponent)
  }

  /// The luminance in cd/m² of a gray with this response.
  func luminance<Number: FormulaNumber>(achromatic: Number) -> Number {
    Self.light(achromatic * Number(whiteResponse)) / Number(adaptation)
  }

  func lightness<Number: FormulaNumber>(luminance: Number) -> Number {
    lightness(
      achromatic: Self.response(luminance * Number(adaptation)) / Number(whiteResponse))
  }
}

extension ACES2Appearance {
  /// Lightness, colorfulness and hue in degrees, 0..<360, of linear light; all are 0 for black.
  func correlates(of light: SIMD3<Double>) -> (j: Double, m: Double, hue: Double) {
    let color = opponents(of: FormulaVector<Double>(light.x, light.y, light.z))
    guard color.x > 0 else { return (0, 0, 0) }
    let degrees = arctangentInDegrees(color.z, color.y)
    return (
      lightness(achromatic: color.x),
      (color.y * color.y + color.z * color.z).squareRoot(), degrees < 0 ? degrees + 360 : degrees
    )
  }

  func light(j: Double, m: Double, hue: Double) -> SIMD3<Double> {
    light(lightness: j, m * cosine(ofPi: hue / 180), m * sine(ofPi: hue / 180)).simd
  }
}
