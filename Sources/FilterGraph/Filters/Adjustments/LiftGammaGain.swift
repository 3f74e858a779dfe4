package import ColorSpaces

/// The three color wheels of grading: lift for shadows, gamma for midtones and gain for highlights, per channel.
///
/// `((x + lift) / (1 / gain + lift))^(1 / gamma)` over encoded values: the video style of OpenColorIO's primary grading. Black becomes
/// `(lift / (1 / gain + lift))^(1 / gamma)`, and stays where lift is 0. White becomes `((1 + lift) / (1 / gain + lift))^(1 / gamma)`, and
/// stays where gain is 1. Negative values are mirrored.
package struct LiftGammaGain: PointFilter {
  /// The lift, which keeps white where gain is 1. 1 / gain + lift must lie in 0.01…11.
  package let lift: SIMD3<Double>
  /// The gamma of midtones; above 1 brightens.
  package let gamma: SIMD3<Double>
  /// The value that white becomes where gamma is 1 and lift is 0.
  package let gain: SIMD3<Double>

  /// Creates a grade; the default is the identity.
  package init(
    lift: SIMD3<Double> = .zero, gamma: SIMD3<Double> = .one, gain: SIMD3<Double> = .one
  ) throws(RecipeError) {
    (self.lift, self.gamma, self.gain) = (lift, gamma, gain)
    try Self.declaration.check(self)
    for channel in 0..<3 {
      try checked("1 / gain + lift", 1 / gain[channel] + lift[channel], in: 0.01...11)
    }
  }

  /// Encoded values.
  package var domain: PixelDomain { .encoded }

  /// Appends a line and a power for each channel.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    let scale = 1 / (1 / gain + lift)
    program.append(.affine(scale: scale, offset: lift * scale))
    let powers = (0..<3).map { channel -> Curve in
      gamma[channel] == 1 ? .identity : .power(PowerCurve(exponent: 1 / gamma[channel]))
    }
    program.append(.curves("gamma of a grade", powers[0], powers[1], powers[2]))
  }
}

extension LiftGammaGain: RecipeFilter {
  /// The declaration of `lift-gamma-gain`.
  package static let declaration = Declaration<LiftGammaGain>(
    "lift-gamma-gain", "Grades shadows, midtones and highlights of each channel.",
    swift:
      "picture.liftGammaGain(lift: [0.05, 0, -0.02], gamma: [1.2, 1.1, 1], gain: [1.1, 1, 0.9])",
    Parameter(
      "lift", \.lift,
      "about what black becomes, by channel; white stays where gain is 1; 1 / gain + lift is in 0.01…11",
      unit: "encoded values", default: .zero, in: -1...1, sample: [0.05, 0, -0.02]),
    Parameter(
      "gamma", \.gamma, "the gamma of midtones, by channel; above 1 brightens", default: .one,
      in: 0.1...10, sample: [1.2, 1.1, 1]),
    Parameter(
      "gain", \.gain,
      "the value of white where gamma is 1, by channel; black stays where lift is 0",
      unit: "encoded values", default: .one, in: 0.1...10, sample: [1.1, 1, 0.9])
  ) { lift, gamma, gain throws(RecipeError) in
    try LiftGammaGain(lift: lift, gamma: gamma, gain: gain)
  }.keepingGray { $0.lift.isEqual && $0.gamma.isEqual && $0.gain.isEqual }
    .computing(
      "((x + lift) / (1 / gain + lift))^(1 / gamma) for each channel x, where 1 / gain + lift must lie in "
        + "0.01…11; negative values are mirrored."
    )
}

extension Picture {
  /// Returns this picture graded by lift, gamma and gain: `((x + lift) / (1 / gain + lift))^(1 / gamma)` for each encoded value.
  ///
  /// 1 / gain + lift must lie in 0.01…11 in each channel.
  public func liftGammaGain(
    lift: SIMD3<Double> = .zero, gamma: SIMD3<Double> = .one, gain: SIMD3<Double> = .one
  ) -> Picture {
    applying { () throws(RecipeError) in try LiftGammaGain(lift: lift, gamma: gamma, gain: gain) }
  }
}
