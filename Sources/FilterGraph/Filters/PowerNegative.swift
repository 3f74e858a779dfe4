public import ColorSpaces
public import ImageBuffer

/// From the light that passed a negative to a positive, by a power of each channel: the inversion of RawTherapee's film negative.
///
/// Film answers to light with a power of it, so the reciprocal power of what passes it is that light again:
/// `level · (T / neutral)^−p`. It needs no base, only something that should be gray; two such spots tell the exponents of red and
/// blue from that of green. There is no toe and no base to subtract, so shadows are lighter than those of ``NegativeDevelopment``. What
/// is a hundred times as dense as the neutral tone, or more, counts as just that.
public struct PowerNegative: PointFilter {
  /// What exponents can be.
  public static let exponents = 0.05...20

  /// p of each channel: 1/γ of the film's layers.
  public let exponents: SIMD3<Double>
  /// What part of the light passes where the picture should be gray.
  public let neutral: SIMD3<Double>
  /// The light that this gray gets.
  public let level: Double

  /// An inversion by known exponents.
  public init(
    exponents: SIMD3<Double>, neutral: SIMD3<Double>, level: Double = 1
  ) throws(RecipeError) {
    for channel in 0..<3 {
      try checked("The exponent of a negative", exponents[channel], in: Self.exponents)
      try checked("The neutral tone of a negative", neutral[channel], in: 1e-6...1e6)
    }
    self.level = try checked("The level of a gray", level, in: 1e-6...1e6)
    (self.exponents, self.neutral) = (exponents, neutral)
  }

  /// An inversion that makes two tones of a scan gray. The dense one, light in the scene, gets the light `level`; `exponent` is that of
  /// green, whose ratios to red and blue are held in 0.3…4.
  public init(
    clear: SIMD3<Double>, dense: SIMD3<Double>, exponent: Double = 1.5, level: Double = 1
  ) throws(RecipeError) {
    guard all(dense .> 0), all(dense .< clear) else {
      throw .other(
        "Of two neutral tones of a negative the clear one must pass more light than the dense one "
          + "in each channel, and that one some; got \(clear) and \(dense).")
    }
    let spans = (0..<3).map { log2(clear[$0] / dense[$0]) }
    let ratios = spans.map { min(max(spans[1] / $0, 0.3), 4) }
    try self.init(exponents: exponent * SIMD3(ratios), neutral: dense, level: level)
  }

  /// An inversion that makes two parts of a scan gray, in whichever order: the mean light of each is measured.
  public static func measured(
    on scan: Picture, _ one: Region, _ other: Region, exponent: Double = 1.5, level: Double = 1,
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> PowerNegative {
    let tones = (
      try scan.cropped(to: one).statistics(options: options).mean,
      try scan.cropped(to: other).statistics(options: options).mean
    )
    let (clear, dense) = tones.0.y < tones.1.y ? (tones.1, tones.0) : tones
    do {
      return try PowerNegative(clear: clear, dense: dense, exponent: exponent, level: level)
    } catch {
      throw .recipe(error)
    }
  }

  /// Linear light.
  public var domain: PixelDomain { .linear }

  /// A power for each channel.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    let curves = (0..<3).map { channel -> Curve in
      let exponent = -exponents[channel]
      return .power(
        PowerCurve(
          scale: level * power(neutral[channel], -exponent), exponent: exponent,
          intercept: level * power(0.01, exponent), threshold: 0.01 * neutral[channel],
          belowZero: .continued))
    }
    program.append(.curves("negative by powers", curves[0], curves[1], curves[2]))
  }
}

extension PowerNegative: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<PowerNegative>(
    "power-negative", RecipeField("exponents", \.exponents), RecipeField("neutral", \.neutral),
    RecipeField("level", \.level, default: 1)
  ) { exponents, neutral, level throws(RecipeError) in
    try PowerNegative(exponents: exponents, neutral: neutral, level: level)
  }
}

extension Picture {
  /// This scan of a negative as a positive, inverted by a power of each channel.
  public func developed(by negative: PowerNegative) -> Picture { applying(negative) }
}
