package import ColorSpaces

/// Exposure, contrast and gamma around a pivot, for light, video or a logarithm: OpenColorIO's.
///
/// For light and video, `(x · e / p)^(contrast · gamma) · p`, where negative values become 0 unless the exponent is 1; for video, the
/// exposure's factor e and the pivot p are raised to the power of 1/1.83. For a logarithm it is the line that this would be there.
package struct ExposureContrast: PointFilter {
  /// The kind of values that are graded: linear, video or logarithmic.
  package let style: GradingStyle
  /// The exposure in stops of light.
  package let exposure: Double
  /// The slope around the pivot, in stops.
  package let contrast: Double
  /// A second factor of the contrast.
  package let gamma: Double
  /// The linear value that contrast leaves unchanged.
  package let pivot: Double
  /// One stop, in values of a logarithm.
  package let logExposureStep: Double
  /// Middle gray, in values of a logarithm.
  package let logMidGray: Double
  /// Whether it is applied or undone.
  package let direction: GradingDirection

  /// Creates an exposure and contrast; the default is the identity.
  package init(
    exposure: Double = 0, contrast: Double = 1, gamma: Double = 1, pivot: Double = 0.18,
    style: GradingStyle = .linear, logExposureStep: Double = 0.088, logMidGray: Double = 0.435,
    direction: GradingDirection = .forward
  ) throws(RecipeError) {
    (self.exposure, self.contrast, self.gamma, self.pivot) = (exposure, contrast, gamma, pivot)
    (self.style, self.direction) = (style, direction)
    (self.logExposureStep, self.logMidGray) = (logExposureStep, logMidGray)
    try Self.declaration.check(self)
  }

  /// The slope or the exponent that contrast and gamma make together.
  private var factor: Double { max(0.001, contrast * gamma) }

  /// Linear light, or encoded values.
  package var domain: PixelDomain { style.domain }

  /// Appends a line and a power, or a line for a logarithm, unless they are the identity.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    if style == .logarithmic {
      let stops = exposure * logExposureStep
      let level = max(0, log2(pivot / 0.18) * logExposureStep + logMidGray)
      switch direction {
      case .forward:
        program.appendLine(
          scale: SIMD3(repeating: factor),
          offset: SIMD3(repeating: factor == 1 ? stops : (stops - level) * factor + level))
      case .inverse:
        let inverse = max(0.001, 1 / (contrast * gamma))
        program.appendLine(
          scale: SIMD3(repeating: inverse),
          offset: SIMD3(repeating: inverse == 1 ? -stops : level - level * inverse - stops))
      }
      return
    }
    let power = style == .video ? 1 / 1.83 : 1
    let (light, center) = (exp2(exposure * power), ColorSpaces.power(pivot, power))
    let isInverse = direction == .inverse
    let (before, after) =
      factor == 1
      ? (isInverse ? 1 / light : light, 1)
      : isInverse ? (1 / center, center / light) : (light / center, center)
    program.appendLine(scale: SIMD3(repeating: before), offset: .zero)
    program.appendPowers(
      "contrast ×\(factor)", SIMD3(repeating: isInverse ? 1 / factor : factor),
      belowZero: .clamped)
    program.appendLine(scale: SIMD3(repeating: after), offset: .zero)
  }
}

extension ExposureContrast: RecipeFilter {
  /// The declaration of `exposure-contrast`.
  package static let declaration = Declaration<ExposureContrast>(
    "exposure-contrast",
    "Changes exposure and contrast of linear, video or log values, as OpenColorIO does.",
    keepsGray: true,
    swift: "picture.exposureContrast(exposure: 0.5, contrast: 1.2, style: .video)",
    Parameter(
      "exposure", \.exposure, "the exposure", unit: "stops", default: 0, in: -100...100,
      sample: 0.5),
    Parameter(
      "contrast", \.contrast, "the slope around the pivot", default: 1, in: 0.001...1000,
      sample: 1.2),
    Parameter(
      "gamma", \.gamma, "a second factor of the contrast", default: 1, in: 0.001...1000),
    Parameter(
      "pivot", \.pivot, "the value that contrast leaves unchanged", unit: "linear", default: 0.18,
      in: 0.001...1000),
    Parameter("style", \.style, GradingStyle.meaning, default: .linear, sample: .video),
    Parameter(
      "log-exposure-step", \.logExposureStep, "one stop in the logarithmic style",
      unit: "encoded values", default: 0.088, in: 1e-6...10),
    Parameter(
      "log-mid-gray", \.logMidGray, "middle gray in the logarithmic style",
      unit: "encoded values", default: 0.435, in: 0...10),
    Parameter("direction", \.direction, "whether it is applied or undone", default: .forward)
  ) { exposure, contrast, gamma, pivot, style, step, gray, direction throws(RecipeError) in
    try ExposureContrast(
      exposure: exposure, contrast: contrast, gamma: gamma, pivot: pivot, style: style,
      logExposureStep: step, logMidGray: gray, direction: direction)
  }
  .working(GradingStyle.domainsFromLinear)
  .computing(
    "(x · 2^exposure / pivot)^(contrast · gamma) · pivot for each channel x. With style=video, 2^exposure and "
      + "pivot are raised to the power of 1 / 1.83. With style=logarithmic, (x + exposure · log-exposure-step "
      + "− p) · contrast · gamma + p, where p = log-mid-gray + log₂(pivot / 0.18) · log-exposure-step, at "
      + "least 0."
  )
  .clamping(
    "Negative values become 0 with style=linear and style=video, unless contrast · gamma is 1."
  ) { $0.style != .logarithmic && $0.factor != 1 }
}

extension Picture {
  /// Returns this picture with another exposure and contrast, by the formulas of OpenColorIO for light, video or a logarithm.
  public func exposureContrast(
    exposure: Double = 0, contrast: Double = 1, gamma: Double = 1, pivot: Double = 0.18,
    style: GradingStyle = .linear, logExposureStep: Double = 0.088, logMidGray: Double = 0.435,
    direction: GradingDirection = .forward
  ) -> Picture {
    applying { () throws(RecipeError) in
      try ExposureContrast(
        exposure: exposure, contrast: contrast, gamma: gamma, pivot: pivot, style: style,
        logExposureStep: logExposureStep, logMidGray: logMidGray, direction: direction)
    }
  }
}
