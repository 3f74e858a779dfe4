public import ColorSpaces
public import ImageBuffer

/// Inverts a scan of a negative by a power of each channel, as RawTherapee's film negative does.
///
/// The transmittance of film is a power of the exposure, so the reciprocal power restores the exposure: `level · (T /
/// neutral)^−p`. It needs no film base, only a neutral tone; two neutral tones determine the exponents of red and blue
/// from that of green. Without a toe and a base to subtract, shadows are lighter than those of ``Picture/developed(_:)``.
/// Transmittances below a hundredth of the neutral tone are clamped to that.
public struct PowerNegative: PointFilter {
  /// p of each channel: 1/γ of the film's layers.
  public let exponents: SIMD3<Double>
  /// The transmittance that becomes gray.
  public let neutral: SIMD3<Double>
  /// The linear value of that gray.
  public let level: Double

  /// Creates an inversion by known exponents.
  public init(
    exponents: SIMD3<Double>, neutral: SIMD3<Double>, level: Double = 1
  ) throws(RecipeError) {
    (self.exponents, self.neutral, self.level) = (exponents, neutral, level)
    try Self.declaration.check(self)
  }

  /// Creates an inversion that makes two tones of a scan gray. The dense one, bright in the scene, becomes `level`;
  /// `exponent` is that of green, whose ratios to red and blue are clamped to 0.3…4.
  public init(
    clear: SIMD3<Double>, dense: SIMD3<Double>, exponent: Double = 1.5, level: Double = 1
  ) throws(RecipeError) {
    guard all(dense .> 0), all(dense .< clear) else {
      throw .other(
        "Of two neutral tones of a negative the clear one must pass more light than the dense one "
          + "in each channel, and that one some; got \(clear.x), \(clear.y), \(clear.z) and "
          + "\(dense.x), \(dense.y), \(dense.z).")
    }
    let spans = (0..<3).map { log2(clear[$0] / dense[$0]) }
    let ratios = spans.map { min(max(spans[1] / $0, 0.3), 4) }
    try self.init(exponents: exponent * SIMD3(ratios), neutral: dense, level: level)
  }

  /// Returns an inversion that makes two regions of a scan gray, in either order, from the mean linear value of each.
  public static func measured(
    on scan: Picture, _ one: Region, _ other: Region, exponent: Double = 1.5, level: Double = 1,
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> PowerNegative {
    let tones = (
      try scan.cropped(to: one).statistics(options: options.part(0, of: 2)).mean,
      try scan.cropped(to: other).statistics(options: options.part(1, of: 2)).mean
    )
    let (clear, dense) = tones.0.y < tones.1.y ? (tones.1, tones.0) : tones
    do {
      return try PowerNegative(clear: clear, dense: dense, exponent: exponent, level: level)
    } catch {
      throw .recipe(error)
    }
  }

  /// Linear light: the power inverts the film's response to exposure.
  public var domain: PixelDomain { .linear }

  /// Appends a power for each channel.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    let curves = (0..<3).map { Curve.power(curve(of: $0)) }
    program.append(.curves("negative by powers", curves[0], curves[1], curves[2]))
  }

  private func curve(of channel: Int) -> PowerCurve {
    let exponent = -exponents[channel]
    let darkest = max(0.01, power(NegativeFilm.greatestLight / level, 1 / exponent))
    return PowerCurve(
      scale: level * power(neutral[channel], -exponent), exponent: exponent,
      intercept: level * power(darkest, exponent), threshold: darkest * neutral[channel],
      belowZero: .continued)
  }
}

extension PowerNegative: RecipeFilter {
  /// The declaration of `power-negative`.
  public static let declaration = Declaration<PowerNegative>(
    "power-negative", "Inverts a scan of a negative by a power of each channel.",
    swift: """
      try picture.developed(by: PowerNegative(exponents: [1.9, 1.5, 1.3], \
      neutral: [0.2, 0.15, 0.1]))
      """,
    Parameter(
      "exponents", \.exponents, "1/γ of the film, by layer", in: 0.05...20,
      sample: [1.9, 1.5, 1.3]),
    Parameter(
      "neutral", \.neutral, "the transmittance where the picture should be gray, by channel",
      unit: "linear light", in: 1e-6...1e6, sample: [0.2, 0.15, 0.1]),
    Parameter(
      "level", \.level, "what that gray becomes", unit: "linear light", default: 1,
      in: 1e-6...1e6)
  ) { exponents, neutral, level throws(RecipeError) in
    try PowerNegative(exponents: exponents, neutral: neutral, level: level)
  }
  .keepingGray { $0.exponents.isEqual && $0.neutral.isEqual }.with(.develops)
  .computing("level · (T / neutral)^−exponents for each transmittance T.")
  .clamping(
    "Transmittances below a hundredth of “neutral” count as that, and light above 10³⁷ as 10³⁷.")
}

extension Picture {
  /// Returns this scan of a negative inverted by a power of each channel.
  public func developed(by negative: PowerNegative) -> Picture { applying(negative) }
}
