package import ColorSpaces

/// The three color wheels of grading: lift for shadows, gamma for midtones and gain for highlights, per channel.
///
/// `((x + lift) / (1 / gain + lift))^(1 / gamma)` over encoded values, so that lift keeps white and gain keeps black:
/// the video style of OpenColorIO's primary grading. Negative values are mirrored.
package struct LiftGammaGain: PointFilter {
  /// The lift, which keeps white. 1 / gain + lift must be at least 0.01.
  package let lift: SIMD3<Double>
  /// The gamma of midtones; above 1 brightens.
  package let gamma: SIMD3<Double>
  /// The value that white becomes.
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
      "lift", \.lift, "what is added to black, by channel; white stays", unit: "encoded values",
      default: .zero, in: -1...1, sample: [0.05, 0, -0.02]),
    Parameter(
      "gamma", \.gamma, "the gamma of midtones, by channel; above 1 brightens", default: .one,
      in: 0.1...10, sample: [1.2, 1.1, 1]),
    Parameter(
      "gain", \.gain, "what white becomes, by channel; black stays", unit: "encoded values",
      default: .one, in: 0.1...10, sample: [1.1, 1, 0.9])
  ) { lift, gamma, gain throws(RecipeError) in
    try LiftGammaGain(lift: lift, gamma: gamma, gain: gain)
  }.keepingGray { $0.lift.isEqual && $0.gamma.isEqual && $0.gain.isEqual }
}

extension Picture {
  /// Returns this picture graded by lift, gamma and gain.
  public func liftGammaGain(
    lift: SIMD3<Double> = .zero, gamma: SIMD3<Double> = .one, gain: SIMD3<Double> = .one
  ) -> Picture {
    applying { () throws(RecipeError) in try LiftGammaGain(lift: lift, gamma: gamma, gain: gain) }
  }
}
