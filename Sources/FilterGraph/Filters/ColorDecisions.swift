public import ColorSpaces

/// The ten numbers by which editors hand a grade on: a color decision list of the American Society of Cinematographers
/// (ASC CDL, version 1.2).
///
/// `(slope · x + offset)^power` for each channel, then a saturation with the weights of Rec. 709 that the ASC prescribes for every
/// space. The numbers are those that the picture stores: convert to the space that the grade was made in first, as a rule a
/// camera's.
public struct ColorDecisions: PointFilter {
  /// What each channel of ``power`` can be.
  public static let powers = 0.1...10

  /// What happens to numbers beyond 0…1.
  @nonexhaustive
  public enum Style: Hashable, Sendable {
    /// They are cut before the power and after the saturation, as the ASC has it.
    case clamped
    /// They stay; negative ones pass the power by.
    case unclamped
  }

  /// The factor of each channel.
  public let slope: SIMD3<Double>
  /// What is added to each channel.
  public let offset: SIMD3<Double>
  /// The exponent of each channel.
  public let power: SIMD3<Double>
  /// How far from gray, 1 for as far as before.
  public let saturation: Double
  /// What happens to numbers beyond 0…1.
  public let style: Style

  /// Decisions; what is not said changes nothing, but for the clamping.
  public init(
    slope: SIMD3<Double> = .one, offset: SIMD3<Double> = .zero, power: SIMD3<Double> = .one,
    saturation: Double = 1, style: Style = .clamped
  ) throws(RecipeError) {
    for channel in 0..<3 { try checked("A power", power[channel], in: Self.powers) }
    (self.slope, self.offset, self.power) = (slope, offset, power)
    (self.saturation, self.style) = (saturation, style)
  }

  /// As stored.
  public var domain: PixelDomain { .encoded }

  /// A line and a power for each channel, and a matrix.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.append(.affine(scale: slope, offset: offset))
    if style == .clamped { program.append(.clamp(0...1)) }
    let powers = (0..<3).map { channel -> Curve in
      power[channel] == 1
        ? .identity
        : .power(PowerCurve(exponent: power[channel], belowZero: .passedThrough))
    }
    program.append(.curves("powers of color decisions", powers[0], powers[1], powers[2]))
    program.append(.matrix(.saturation(saturation, weights: VideoEncoding.rec709Weights)))
    if style == .clamped { program.append(.clamp(0...1)) }
  }
}

extension ColorDecisions: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<ColorDecisions>(
    "color-decisions", RecipeField("slope", \.slope, default: .one),
    RecipeField("offset", \.offset, default: .zero), RecipeField("power", \.power, default: .one),
    RecipeField("saturation", \.saturation, default: 1),
    RecipeField("style", \.style, default: .clamped)
  ) { slope, offset, power, saturation, style throws(RecipeError) in
    try ColorDecisions(
      slope: slope, offset: offset, power: power, saturation: saturation, style: style)
  }
}

extension ColorDecisions.Style: RecipeChoice {
  /// The words for it in recipes.
  public static let recipeCases: [RecipeCase<ColorDecisions.Style>] = [
    RecipeCase("clamped", .clamped),
    RecipeCase("unclamped", .unclamped),
  ]
}

extension Picture {
  /// This picture graded by the numbers of a color decision list.
  public func colorDecisions(
    slope: SIMD3<Double> = .one, offset: SIMD3<Double> = .zero, power: SIMD3<Double> = .one,
    saturation: Double = 1, style: ColorDecisions.Style = .clamped
  ) -> Picture {
    applying { () throws(RecipeError) in
      try ColorDecisions(
        slope: slope, offset: offset, power: power, saturation: saturation, style: style)
    }
  }
}
