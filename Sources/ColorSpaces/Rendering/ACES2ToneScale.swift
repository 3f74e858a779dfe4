/// The tone scale of ACES 2 for a peak luminance, and what follows from both.
struct ACES2ToneScale: Sendable {
  /// The peak luminance in cd/m².
  let peak: Double
  /// The luminance of middle gray, 1 for 100 cd/m².
  let gray: Double
  /// The largest scene light that is distinguished.
  let limit: Double
  private let scale, shoulder: Double

  private static let contrast = 1.15
  private static let toe = 0.04

  init(peak: Double) {
    self.peak = peak
    let bright = peak / 100
    // The scene light that reaches the peak: 128 to 896, from 100 to 10,000 cd/m².
    let hit = 128 + 768 * decimalLogarithm(bright) / 2
    let roof = Self.withoutToe(bright)
    let unscaled = roof / power(hit / roof / (hit / roof + 1), Self.contrast)
    gray = 0.100_13 * (1 + 0.14 * log2(bright))
    let root = power(Self.withoutToe(gray) / unscaled, 1 / Self.contrast)
    let width = 0.18 * (1 - root) / (roof * root)
    shoulder = width * roof * 100
    scale = roof / power(hit / roof / (hit / roof + width), Self.contrast)
    limit = 8 * hit
  }

  /// What the toe x² / (x + t) makes `y`.
  private static func withoutToe(_ y: Double) -> Double {
    0.5 * (y + (y * (y + 4 * toe)).squareRoot())
  }

  /// The luminance on the display of a luminance in the scene, both in cd/m².
  func callAsFunction<Number: FormulaNumber>(_ scene: Number) -> Number {
    let f = Number(scale) * (scene / (scene + Number(shoulder))).raised(to: Self.contrast)
    return 100 * (f * f / (f + Number(Self.toe)))
  }

  /// The decimal logarithm of the peak in units of 100 cd/m².
  var logarithm: Double { decimalLogarithm(peak / 100) }
}

/// The chroma compression of ACES 2, which follows the tone scale.
struct ACES2ChromaCompression: Sendable {
  private let scale, saturation, threshold, compression: Double

  init(_ tones: ACES2ToneScale) {
    compression = 2.4 + 2.4 * 3.3 * tones.logarithm
    saturation = max(0.2, 1.3 - 1.3 * 0.69 * tones.logarithm)
    threshold = 0.5 / tones.peak
    scale = power(0.033_79 * tones.peak, 0.305_96) - 0.451_35
  }

  /// The colorfulness after compression.
  ///
  /// - Parameters:
  ///   - m: The colorfulness of the scene.
  ///   - j: The lightness of the scene.
  ///   - toned: The lightness on the display.
  ///   - largest: The largest lightness of the display.
  ///   - reach: The largest colorfulness of the hue in ACEScg, at the display's largest lightness.
  ///   - cosine: The cosine of the hue.
  ///   - sine: The sine of the hue.
  func callAsFunction<Number: FormulaNumber>(
    _ m: Number, j: Number, toned: Number, ofLargest largest: Double, reach: Number,
    cosine: Number, sine: Number
  ) -> Number {
    let gamma = 1 / ACES2Appearance.exponent
    let norm = Self.norm(cosine, sine) * Number(scale)
    let part = toned * Number(1 / largest)
    let rest = (1 - part).atLeast(0)
    let limit = part.raised(to: gamma) * reach / norm
    var x = m * (toned / j).raised(to: gamma) / norm
    x =
      limit
      - Self.toe(
        limit - x, limit - 0.001, rest * Number(saturation),
        (part * part + Number(threshold)).squareRoot())
    return Self.toe(x, limit, part * Number(compression), rest) * norm
  }

  /// The colorfulness by which others are divided: sums of the first three harmonics of the hue.
  private static func norm<Number: FormulaNumber>(_ cosine: Number, _ sine: Number) -> Number {
    let cosine2 = 2 * cosine * cosine - 1
    let sine2 = 2 * cosine * sine
    let cosine3 = (4 * cosine * cosine - 3) * cosine
    let sine3 = (3 - 4 * sine * sine) * sine
    return 11.340_72 * cosine + 16.468_99 * cosine2 + 7.8838 * cosine3 + 14.664_41 * sine
      - 6.372_24 * sine2 + 9.193_64 * sine3 + 77.128_96
  }

  /// A curve below `limit` that lifts or presses small values.
  private static func toe<Number: FormulaNumber>(
    _ x: Number, _ limit: Number, _ k1: Number, _ k2: Number
  ) -> Number {
    let c = k2.atLeast(0.001)
    let b = (k1 * k1 + c * c).squareRoot()
    let slope = (limit + b) / (limit + c)
    let difference = slope * x - b
    let root = (difference * difference + 4 * c * slope * x).squareRoot()
    return .select(limit .< x, x, 0.5 * (difference + root))
  }
}
