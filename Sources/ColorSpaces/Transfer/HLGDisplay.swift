/// A hybrid log-gamma display: its luminance range and its OOTF gamma (Rec. ITU-R BT.2100, table 5).
public struct HLGDisplay: Hashable, Sendable {
  /// The nominal peak luminance L_W, of a signal of 1.
  public let peak: Luminance
  /// The black level L_B: the luminance of a signal of 0.
  public let black: Luminance
  /// The system gamma of the OOTF.
  public let gamma: Double

  /// The display of the reference viewing environment of BT.2100: 1000 cd/m² in a surround of 5 cd/m².
  public static let reference = HLGDisplay(peak: 1000, gamma: usualGamma(peak: 1000), black: 0)

  /// Creates a display whose gamma follows from its peak luminance and its surround (BT.2100, notes 5e and 5f; Report
  /// ITU-R BT.2390).
  ///
  /// - Throws: ``ColorError`` if the peak or the surround is not in 10⁻⁶…10⁶ cd/m², or if the black is above 12^−γ of the
  ///   peak.
  public init(
    peak: Luminance = 1000, black: Luminance = 0, surround: Luminance = 5
  ) throws(ColorError) {
    try check("The surround of an HLG display", surround.candelas, in: Self.luminances)
    try check("The peak of an HLG display", peak.candelas, in: Self.luminances)
    try self.init(
      peak: peak, black: black,
      gamma: Self.usualGamma(peak: peak) * power(0.98, log2(surround.candelas / 5)))
  }

  /// Creates a display with an explicit gamma.
  ///
  /// - Throws: ``ColorError`` if the peak is not in 10⁻⁶…10⁶ cd/m², the gamma not in 0.01…100, or the black above 12^−γ
  ///   of the peak.
  public init(peak: Luminance, black: Luminance = 0, gamma: Double) throws(ColorError) {
    try check("The peak of an HLG display", peak.candelas, in: Self.luminances)
    try check("The gamma of an HLG display", gamma, in: 0.01...100)
    // The black lift β of BT.2100 is ½ there, the end of the square root in its OETF. A higher lift would not show the
    // signal 0 at the black level; one above 1 would invert the picture.
    try check(
      "The black of an HLG display", black.candelas, in: 0...peak.candelas / power(12, gamma))
    self.init(peak: peak, gamma: gamma, black: black)
  }

  private init(peak: Luminance, gamma: Double, black: Luminance) {
    (self.peak, self.black, self.gamma) = (peak, black, gamma)
  }

  private static let luminances = 1e-6...1e6

  /// The gamma of a display in the reference surround.
  private static func usualGamma(peak: Luminance) -> Double {
    let octaves = log2(peak.candelas / 1000)
    // BT.2100's form between 400 and 2000 cd/m²; BT.2390's extended form elsewhere.
    return (400...2000).contains(peak)
      ? 1.2 + 0.42 * octaves / log2(10) : 1.2 * power(1.111, octaves)
  }
}

extension ColorSpace {
  /// Rec. 2100 with hybrid log-gamma, display-linear for `display`, with linear 1 at the luminance `white`.
  public static func rec2100HLG(
    on display: HLGDisplay, white: Luminance = .graphicsWhite
  ) -> ColorSpace {
    ColorSpace(
      "Rec. 2100 HLG on \(display)" + (white == .graphicsWhite ? "" : ", white \(white)"),
      primaries: .rec2020, transfer: .hlg(on: display, white: white))
  }
}

extension TransferFunction {
  /// Hybrid log-gamma, display-linear for `display`, with linear 1 at the luminance `white`.
  ///
  /// The OOTF mixes the channels: it scales a color by a power of its scene luminance, with the weights of Rec. 2020.
  /// Colors without luminance, which the display cannot show, become black.
  static func hlg(on display: HLGDisplay, white: Luminance) -> TransferFunction {
    let weights = VideoEncoding.rec2020Weights
    let (gamma, unit) = (display.gamma, display.peak.candelas / white.candelas)
    let lift = (3 * power(display.black.candelas / display.peak.candelas, 1 / gamma)).squareRoot()
    let signal = TransferFunction.hlg.belowZero(.mirrored)
    var coordinates = Coordinates(
      "HLG on \(display), white \(white)",
      decoding: [
        .affine(scale: .one * (1 - lift), offset: .one * lift),
        .decode(lift > 0 ? .hlg : signal),
        .formula(display.rendering("OOTF", weights: weights, unit: unit)),
      ],
      encoding: [
        .formula(display.inverseRendering("inverse OOTF", weights: weights, unit: unit)),
        .encode(lift > 0 ? .hlg : signal),
        .affine(scale: .one / (1 - lift), offset: .one * (-lift / (1 - lift))),
      ])
    coordinates.peak = max(unit, 1)
    return TransferFunction(coordinates).citing(
      .bt2100("table 5"), .bt2408, Source("Report ITU-R BT.2390"))
  }
}

extension HLGDisplay {
  /// All finite pixels. Infinite channels are clamped to it: 0 times infinity would be NaN.
  private static let finite =
    -Double(Float.greatestFiniteMagnitude)...Double(Float.greatestFiniteMagnitude)

  /// The OOTF: scene light, 1 for a signal of 1, to display light in units of `unit` times the peak. Light without luminance
  /// becomes black, and so does NaN.
  package func rendering(_ name: String, weights: SIMD3<Double>, unit: Double) -> Formula {
    Formula(name) { light in
      let light = light.clamped(to: Self.finite)
      let luminance = (light * Formula.Vector(weights)).sum()
      let factor = unit * luminance.raised(to: gamma - 1)
      return .select(luminance .> 0, light * factor, [0, 0, 0])
    }
  }

  /// What undoes ``rendering(_:weights:unit:)``.
  package func inverseRendering(_ name: String, weights: SIMD3<Double>, unit: Double) -> Formula {
    Formula(name) { light in
      let light = light.clamped(to: Self.finite)
      let luminance = (light * Formula.Vector(weights)).sum() / unit
      let factor = luminance.raised(to: 1 / gamma - 1) / unit
      return .select(luminance .> 0, light * factor, [0, 0, 0])
    }
  }
}

extension HLGDisplay: CustomStringConvertible {
  /// The peak, and every parameter that differs from its default.
  public var description: String {
    return "\(peak)" + (black == 0 ? "" : ", black \(black)")
      + (gamma == Self.usualGamma(peak: peak) ? "" : ", gamma \(gamma)")
  }
}
