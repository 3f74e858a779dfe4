package import ColorSpaces

/// A camera's logarithm of each channel by its parameters, or back: OpenColorIO's LogAffine and, with a break, LogCamera.
///
/// `logSideSlope · log(linSideSlope · x + linSideOffset) + logSideOffset`, and below the break a line that meets it.
package struct LogCurve: PointFilter {
  /// The base of the logarithm.
  package let base: Double
  /// The factor of the logarithm of each channel.
  package let logSideSlope: SIMD3<Double>
  /// What is added to the logarithm.
  package let logSideOffset: SIMD3<Double>
  /// The factor of light before the logarithm.
  package let linSideSlope: SIMD3<Double>
  /// What is added to light before the logarithm.
  package let linSideOffset: SIMD3<Double>
  /// The light below which a line continues the logarithm; nil for none.
  package let linSideBreak: SIMD3<Double>?
  /// The line's slope; nil for that of the logarithm at the break.
  package let linearSlope: SIMD3<Double>?
  /// From light to the logarithm, or back.
  package let direction: GradingDirection

  /// Creates a logarithm; the default is the base-2 logarithm.
  package init(
    base: Double = 2, logSideSlope: SIMD3<Double> = .one, logSideOffset: SIMD3<Double> = .zero,
    linSideSlope: SIMD3<Double> = .one, linSideOffset: SIMD3<Double> = .zero,
    linSideBreak: SIMD3<Double>? = nil, linearSlope: SIMD3<Double>? = nil,
    direction: GradingDirection = .forward
  ) throws(RecipeError) {
    (self.base, self.direction) = (base, direction)
    (self.logSideSlope, self.logSideOffset) = (logSideSlope, logSideOffset)
    (self.linSideSlope, self.linSideOffset) = (linSideSlope, linSideOffset)
    (self.linSideBreak, self.linearSlope) = (linSideBreak, linearSlope)
    try Self.declaration.check(self)
    for channel in 0..<3 {
      if let argument = parameters(channel).argumentAtBreak {
        try checked(
          "The argument of a log curve's logarithm at its break (lin-side slope × break + offset)",
          argument, in: 1e-9...1e12)
      }
    }
    if linearSlope != nil, linSideBreak == nil {
      throw .other(
        "A log curve has a linear slope, but no break below which it applies. State the lin-side break, or leave out the "
          + "linear slope.")
    }
  }

  private func parameters(_ channel: Int) -> LogarithmParameters {
    LogarithmParameters(
      base: base, logSlope: logSideSlope[channel], logOffset: logSideOffset[channel],
      linearSlope: linSideSlope[channel], linearOffset: linSideOffset[channel],
      lineEnd: linSideBreak?[channel], lineSlope: linearSlope?[channel])
  }

  /// Encoded values: light where the space is linear.
  package var domain: PixelDomain { .encoded }

  /// Appends a curve for each channel.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    let curves = (0..<3).map {
      Curve.segmented(parameters($0).curve(isInverse: direction == .inverse))
    }
    let name = direction == .forward ? "logarithm" : "from logarithm"
    program.append(.curves(name, curves[0], curves[1], curves[2]))
  }
}

extension LogCurve: RecipeFilter {
  /// The declaration of `log-curve`.
  package static let declaration = Declaration<LogCurve>(
    "log-curve", "Applies a camera's logarithmic curve, given by its parameters, or its inverse.",
    swift: """
      picture.logCurve(base: 10, logSideSlope: [0.25, 0.25, 0.25], logSideOffset: [0.39, 0.39, 0.39], \
      linSideSlope: [5.5, 5.5, 5.5], linSideOffset: [0.05, 0.05, 0.05], linSideBreak: [0.01, 0.01, 0.01], \
      linearSlope: [1.2, 1.2, 1.2])
      """,
    Parameter("base", \.base, "the base of the logarithm", default: 2, in: 1.001...1e6, sample: 10),
    Parameter(
      "log-side-slope", \.logSideSlope, "the factor of the logarithm", default: .one,
      in: 1e-6...1e6, sample: [0.25, 0.25, 0.25]),
    Parameter(
      "log-side-offset", \.logSideOffset, "the offset that is added to the logarithm",
      default: .zero,
      in: -1e6...1e6, sample: [0.39, 0.39, 0.39]),
    Parameter(
      "lin-side-slope", \.linSideSlope, "the factor of linear values", default: .one,
      in: 1e-6...1e6,
      sample: [5.5, 5.5, 5.5]),
    Parameter(
      "lin-side-offset", \.linSideOffset, "the offset that is added to linear values",
      default: .zero,
      in: -1e6...1e6, sample: [0.05, 0.05, 0.05]),
    Parameter(
      "lin-side-break", \.linSideBreak,
      "the linear value below which a line continues the logarithm",
      in: -1e6...1e6, sample: [0.01, 0.01, 0.01]),
    Parameter(
      "linear-slope", \.linearSlope, "the line's slope, where it is not that of the logarithm",
      in: 1e-6...1e6, sample: [1.2, 1.2, 1.2]),
    Parameter(
      "direction", \.direction, "from linear values to the logarithm, or back", default: .forward)
  ) { base, slope, offset, linSlope, linOffset, end, lineSlope, direction throws(RecipeError) in
    try LogCurve(
      base: base, logSideSlope: slope, logSideOffset: offset, linSideSlope: linSlope,
      linSideOffset: linOffset, linSideBreak: end, linearSlope: lineSlope, direction: direction)
  }.keepingGray { curve in
    [
      curve.logSideSlope, curve.logSideOffset, curve.linSideSlope, curve.linSideOffset,
      curve.linSideBreak, curve.linearSlope,
    ].allSatisfy { $0?.isEqual != false }
  }
  .clamping(
    "Without lin-side-break, the logarithm takes values below 2⁻¹²⁶ as that, and its inverse becomes constant "
      + "far below 0."
  ) { $0.linSideBreak == nil }
}

extension Picture {
  /// Returns this picture with its stored values encoded by a logarithm, or decoded from one to linear values.
  ///
  /// State the space of the result by ``tagged(as:)``.
  public func logCurve(
    base: Double = 2, logSideSlope: SIMD3<Double> = .one, logSideOffset: SIMD3<Double> = .zero,
    linSideSlope: SIMD3<Double> = .one, linSideOffset: SIMD3<Double> = .zero,
    linSideBreak: SIMD3<Double>? = nil, linearSlope: SIMD3<Double>? = nil,
    direction: GradingDirection = .forward
  ) -> Picture {
    applying { () throws(RecipeError) in
      try LogCurve(
        base: base, logSideSlope: logSideSlope, logSideOffset: logSideOffset,
        linSideSlope: linSideSlope, linSideOffset: linSideOffset, linSideBreak: linSideBreak,
        linearSlope: linearSlope, direction: direction)
    }
  }
}
