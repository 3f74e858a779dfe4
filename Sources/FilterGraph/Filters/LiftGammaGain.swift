public import ColorSpaces

/// The three wheels of a grading desk: lift moves the shadows, gamma the middle tones, gain the lights, each by channel.
///
/// `((x + lift) / (1 / gain + lift))^(1 / gamma)` over stored numbers, so that lift leaves white and gain leaves black where it is:
/// the video style of OpenColorIO's primary grading. Negative numbers are mirrored.
public struct LiftGammaGain: PointFilter {
  /// What each channel of ``gamma`` and ``gain`` can be.
  public static let factors = 0.1...10
  /// What each channel of ``lift`` can be, as long as 1 / gain + lift is at least 0.01.
  public static let lifts = -1.0...1

  /// What is added, 0 for nothing.
  public let lift: SIMD3<Double>
  /// The middle tones, above 1 for brighter.
  public let gamma: SIMD3<Double>
  /// What white becomes.
  public let gain: SIMD3<Double>

  /// A grade; what is not said changes nothing.
  public init(
    lift: SIMD3<Double> = .zero, gamma: SIMD3<Double> = .one, gain: SIMD3<Double> = .one
  ) throws(RecipeError) {
    for channel in 0..<3 {
      try checked("A lift", lift[channel], in: Self.lifts)
      try checked("The gamma of a grade", gamma[channel], in: Self.factors)
      try checked("A gain", gain[channel], in: Self.factors)
      try checked("1 / gain + lift", 1 / gain[channel] + lift[channel], in: 0.01...11)
    }
    (self.lift, self.gamma, self.gain) = (lift, gamma, gain)
  }

  /// As stored.
  public var domain: PixelDomain { .encoded }

  /// A line and a power for each channel.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    let scale = 1 / (1 / gain + lift)
    program.append(.affine(scale: scale, offset: lift * scale))
    let powers = (0..<3).map { channel -> Curve in
      gamma[channel] == 1 ? .identity : .power(PowerCurve(exponent: 1 / gamma[channel]))
    }
    program.append(.curves("gamma of a grade", powers[0], powers[1], powers[2]))
  }
}

extension LiftGammaGain: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<LiftGammaGain>(
    "lift-gamma-gain", RecipeField("lift", \.lift, default: .zero),
    RecipeField("gamma", \.gamma, default: .one), RecipeField("gain", \.gain, default: .one)
  ) { lift, gamma, gain throws(RecipeError) in
    try LiftGammaGain(lift: lift, gamma: gamma, gain: gain)
  }
}

extension Picture {
  /// This picture graded by lift, gamma and gain.
  public func liftGammaGain(
    lift: SIMD3<Double> = .zero, gamma: SIMD3<Double> = .one, gain: SIMD3<Double> = .one
  ) -> Picture {
    applying { () throws(RecipeError) in try LiftGammaGain(lift: lift, gamma: gamma, gain: gain) }
  }
}
