public import ColorSpaces

/// A grade of the color decision list of the American Society of Cinematographers (ASC CDL, version 1.2).
///
/// `(slope · x + offset)^power` for each channel, then a saturation with the weights of Rec. 709 that the ASC
/// prescribes for every space. It works on encoded values: first convert to the space of the grade, usually a camera's
/// log space.
public struct ColorDecisions: PointFilter {
  /// The handling of values outside of 0…1.
  @nonexhaustive
  public enum Style: String, Hashable, Sendable, CaseIterable {
    /// Values are clamped before the power and after the saturation, as the ASC specifies.
    case clamped
    /// Values are not clamped; negative values bypass the power.
    case unclamped
  }

  /// The slope: the factor of each channel.
  public let slope: SIMD3<Double>
  /// The offset of each channel.
  public let offset: SIMD3<Double>
  /// The power: the exponent of each channel.
  public let power: SIMD3<Double>
  /// The saturation: the factor of the distance from gray.
  public let saturation: Double
  /// The handling of values outside of 0…1.
  public let style: Style

  /// Creates a grade; the default only clamps.
  public init(
    slope: SIMD3<Double> = .one, offset: SIMD3<Double> = .zero, power: SIMD3<Double> = .one,
    saturation: Double = 1, style: Style = .clamped
  ) throws(RecipeError) {
    (self.slope, self.offset, self.power) = (slope, offset, power)
    (self.saturation, self.style) = (saturation, style)
    try Self.declaration.check(self)
  }

  /// Encoded values.
  public var domain: PixelDomain { .encoded }

  /// Appends a line and a power for each channel, and a matrix.
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
  /// The declaration of `color-decisions`.
  public static let declaration = Declaration<ColorDecisions>(
    "color-decisions",
    "Applies slope, offset, power and saturation of an ASC color decision list (CDL).",
    swift: """
      picture.colorDecisions(slope: [1.1, 1, 0.95], offset: [0.02, 0, -0.02], \
      power: [1.1, 1, 0.9], saturation: 1.2)
      """,
    Parameter(
      "slope", \.slope, "the factor of each channel", default: .one, sample: [1.1, 1, 0.95]),
    Parameter(
      "offset", \.offset, "what is added to each channel", unit: "encoded values", default: .zero,
      sample: [0.02, 0, -0.02]),
    Parameter(
      "power", \.power, "the exponent of each channel", default: .one, in: 0.1...10,
      sample: [1.1, 1, 0.9]),
    Parameter(
      "saturation", \.saturation, "the factor of the distance from gray, after the power",
      default: 1, sample: 1.2),
    Parameter(
      "style", \.style, "whether values are clamped to 0…1 before the power and at the end",
      default: .clamped)
  ) { slope, offset, power, saturation, style throws(RecipeError) in
    try ColorDecisions(
      slope: slope, offset: offset, power: power, saturation: saturation, style: style)
  }.keepingGray { $0.slope.isEqual && $0.offset.isEqual && $0.power.isEqual }
    .computing(
      "(slope · x + offset)^power for each channel x, then saturation by the luma of Rec. 709."
    )
    .clamping(
      "With style=clamped, values are clamped to 0…1 before the power and at the end. With "
        + "style=unclamped none are, and negative values bypass the power."
    ) { $0.style == .clamped }
}

extension ColorDecisions.Style: RecipeChoice {}

extension Picture {
  /// Returns this picture graded by a color decision list.
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
