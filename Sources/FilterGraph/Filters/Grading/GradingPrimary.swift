package import ColorSpaces

/// The primary grade of OpenColorIO for light, video or a logarithm. Four numbers are those of red, green, blue and all channels.
///
/// - linear: offset, exposure, contrast around a pivot; negative values are mirrored.
/// - video: offset and lift, gain, gamma between the pivots of black and white.
/// - logarithmic: brightness, contrast around a pivot, gamma between the pivots of black and white.
///
/// Then, in each of them, saturation by the weights of Rec. 709, and limits.
package struct GradingPrimary: PointFilter {
  /// The kind of values that are graded: linear, video or logarithmic.
  package let style: GradingStyle
  /// What is added in the logarithmic style, in steps of 6.25 of 1023.
  package let brightness: SIMD4<Double>
  /// The slope around the pivot, in the linear and the logarithmic style.
  package let contrast: SIMD4<Double>
  /// The gamma of midtones, in the video and the logarithmic style; above 1 brightens.
  package let gamma: SIMD4<Double>
  /// What is added first, in the linear and the video style.
  package let offset: SIMD4<Double>
  /// The exposure in stops, in the linear style.
  package let exposure: SIMD4<Double>
  /// About what black becomes, in the video style; white stays where gain is 1.
  package let lift: SIMD4<Double>
  /// The value of white where gamma is 1, in the video style; black stays where lift is 0.
  package let gain: SIMD4<Double>
  /// What contrast keeps: stops from middle gray in the linear style, −1…1 of the range in the logarithmic one; nil for the style's.
  package let pivot: Double?
  /// The factor of the distance from gray.
  package let saturation: Double
  /// The values that gamma keeps.
  package let pivotBlack, pivotWhite: Double
  /// The limits of the result; nil for none.
  package let clampBlack, clampWhite: Double?
  /// Whether it is applied or undone.
  package let direction: GradingDirection

  /// Creates a grade; the default is the identity.
  package init(
    style: GradingStyle = .logarithmic, brightness: SIMD4<Double> = .zero,
    contrast: SIMD4<Double> = .one, gamma: SIMD4<Double> = .one, offset: SIMD4<Double> = .zero,
    exposure: SIMD4<Double> = .zero, lift: SIMD4<Double> = .zero, gain: SIMD4<Double> = .one,
    pivot: Double? = nil, saturation: Double = 1, pivotBlack: Double = 0, pivotWhite: Double = 1,
    clampBlack: Double? = nil, clampWhite: Double? = nil, direction: GradingDirection = .forward
  ) throws(RecipeError) {
    (self.style, self.brightness, self.contrast) = (style, brightness, contrast)
    (self.gamma, self.offset, self.exposure) = (gamma, offset, exposure)
    (self.lift, self.gain, self.pivot, self.saturation) = (lift, gain, pivot, saturation)
    (self.pivotBlack, self.pivotWhite) = (pivotBlack, pivotWhite)
    (self.clampBlack, self.clampWhite, self.direction) = (clampBlack, clampWhite, direction)
    try Self.declaration.check(self)
    try checkStyle()
    try checked(
      "The pivot white less the pivot black of a primary grade", pivotWhite - pivotBlack,
      in: 0.01...1e6)
    try checked(
      "The white limit of a primary grade", clampWhite ?? .infinity,
      in: (clampBlack ?? -.infinity)...(.infinity))
  }

  /// Throws for a parameter of another style, and for a lift and gain that leave no range.
  private func checkStyle() throws(RecipeError) {
    let foreign: [(name: String, isSet: Bool, styles: [GradingStyle])] = [
      ("brightness", brightness != .zero, [.logarithmic]),
      ("contrast", contrast != .one, [.linear, .logarithmic]),
      ("gamma", gamma != .one, [.video, .logarithmic]),
      ("offset", offset != .zero, [.linear, .video]), ("exposure", exposure != .zero, [.linear]),
      ("lift", lift != .zero, [.video]), ("gain", gain != .one, [.video]),
    ]
    for parameter in foreign where parameter.isSet && !parameter.styles.contains(style) {
      throw .other(
        "A primary grade has no \(parameter.name) in the \(style.rawValue) style; it is of the style "
          + parameter.styles.map(\.rawValue).joined(separator: " or ") + ".")
    }
    if style != .video { return }
    for channel in 0..<3 {
      try checked(
        "The range of a primary grade before its gain", range[channel], in: 0.01...1e6)
    }
  }

  /// The range that gain and lift bring to that between the pivots.
  private var range: SIMD3<Double> {
    pivotWhite / products(gain) + sums(lift) - pivotBlack
  }

  private func sums(_ v: SIMD4<Double>) -> SIMD3<Double> { SIMD3(v.x, v.y, v.z) + v.w }
  private func products(_ v: SIMD4<Double>) -> SIMD3<Double> { SIMD3(v.x, v.y, v.z) * v.w }

  /// Linear light, or encoded values.
  package var domain: PixelDomain { style.domain }

  /// Appends a line, a power between lines, a matrix and limits, each unless it changes nothing.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    var (scale, offset, exponent) = (SIMD3<Double>.one, SIMD3<Double>.zero, SIMD3<Double>.one)
    // The power keeps 0 and `unit`, which stand `origin` above the values.
    var (origin, unit) = (pivotBlack, pivotWhite - pivotBlack)
    switch style {
    case .linear:
      let stops = sums(exposure)
      scale = SIMD3(exp2(stops.x), exp2(stops.y), exp2(stops.z))
      offset = sums(self.offset) * scale
      exponent = products(contrast)
      (origin, unit) = (0, 0.18 * exp2(pivot ?? 0.18))
    case .video:
      scale = unit / range
      offset = (sums(self.offset) + sums(lift)) * scale + pivotBlack * (1 - scale)
      exponent = 1 / products(gamma)
    case .logarithmic:
      scale = products(contrast)
      let center = 0.5 + (pivot ?? -0.2) * 0.5
      offset = sums(brightness) * (6.25 / 1023) * scale + center * (1 - scale)
      exponent = 1 / products(gamma)
    }
    let limits = (clampBlack ?? -.infinity)...(clampWhite ?? .infinity)
    let hasLimits = clampBlack != nil || clampWhite != nil
    func appendPower(_ exponent: SIMD3<Double>) {
      if exponent == .one { return }
      program.appendLine(
        scale: SIMD3(repeating: 1 / unit), offset: SIMD3(repeating: -origin / unit))
      program.appendPowers("powers of a grade", exponent, belowZero: .mirrored)
      program.appendLine(scale: SIMD3(repeating: unit), offset: SIMD3(repeating: origin))
    }
    func appendSaturation(_ factor: Double) {
      if factor == 1 { return }
      program.append(.matrix(.saturation(factor, weights: VideoEncoding.rec709Weights)))
    }
    switch direction {
    case .forward:
      program.appendLine(scale: scale, offset: offset)
      appendPower(exponent)
      appendSaturation(saturation)
      if hasLimits { program.append(.clamp(limits)) }
    case .inverse:
      if hasLimits { program.append(.clamp(limits)) }
      appendSaturation(saturation == 0 ? 1 : 1 / saturation)
      appendPower(1 / exponent)
      program.appendLine(scale: 1 / scale, offset: SIMD3<Double>.zero - offset / scale)
    }
  }
}

extension GradingPrimary: RecipeFilter {
  /// The declaration of `grading-primary`.
  package static let declaration = Declaration<GradingPrimary>(
    "grading-primary",
    "Applies the primary grade of OpenColorIO to linear, video or log values.",
    swift:
      "picture.gradingPrimary(style: .logarithmic, brightness: [2, 0, -1, 3], contrast: [1, 1, 1.1, 1.2])",
    Parameter("style", \.style, GradingStyle.meaning, default: .logarithmic),
    Parameter(
      "brightness", \.brightness, "what is added to red, green, blue and all: log style",
      unit: "6.25 of 1023", default: .zero, in: -1000...1000, sample: [2, 0, -1, 3]),
    Parameter(
      "contrast", \.contrast, "the slope around the pivot: linear and log style", default: .one,
      in: 0.01...100, sample: [1, 1, 1.1, 1.2]),
    Parameter(
      "gamma", \.gamma, "the gamma of midtones; above 1 brightens: video and log style",
      default: .one, in: 0.01...100),
    Parameter(
      "offset", \.offset, "what is added first: linear and video style", default: .zero,
      in: -1000...1000),
    Parameter(
      "exposure", \.exposure, "the exposure: linear style", unit: "stops", default: .zero,
      in: -100...100),
    Parameter(
      "lift", \.lift, "about what black becomes; white stays where gain is 1: video style",
      default: .zero, in: -1000...1000),
    Parameter(
      "gain", \.gain,
      "the value of white where gamma is 1; black stays where lift is 0: video style",
      default: .one, in: 0.01...100),
    Parameter(
      "pivot", \.pivot, "what contrast keeps: stops from gray (linear, 0.18), or −1…1 (log, −0.2)",
      in: -100...100),
    Parameter(
      "saturation", \.saturation, "the factor of the distance from gray", default: 1,
      in: 0...100),
    Parameter(
      "pivot-black", \.pivotBlack, "the black that gamma keeps", default: 0, in: -1e6...1e6),
    Parameter(
      "pivot-white", \.pivotWhite, "the white that gamma keeps", default: 1, in: -1e6...1e6),
    Parameter("clamp-black", \.clampBlack, "the smallest result", in: -1e6...1e6),
    Parameter("clamp-white", \.clampWhite, "the largest result", in: -1e6...1e6),
    Parameter("direction", \.direction, "whether it is applied or undone", default: .forward)
  ) {
    style, brightness, contrast, gamma, offset, exposure, lift, gain, pivot, saturation, black,
    white, low, high, direction throws(RecipeError) in
    try GradingPrimary(
      style: style, brightness: brightness, contrast: contrast, gamma: gamma, offset: offset,
      exposure: exposure, lift: lift, gain: gain, pivot: pivot, saturation: saturation,
      pivotBlack: black, pivotWhite: white, clampBlack: low, clampWhite: high,
      direction: direction)
  }.keepingGray { grade in
    let values = [
      grade.brightness, grade.contrast, grade.gamma, grade.offset, grade.exposure, grade.lift,
      grade.gain,
    ]
    return values.allSatisfy(\.hasEqualColors)
  }
  .working(GradingStyle.domainsFromLogarithmic)
  .computing(
    "For each channel x, with its value of a parameter and that of all channels added (brightness, offset, "
      + "exposure, lift) or multiplied (contrast, gamma, gain), b for pivot-black and w for pivot-white. "
      + "Linear: ((x + offset) · 2^exposure / p)^contrast · p with p = 0.18 · 2^pivot. Video: ((x + offset + "
      + "lift − b) / (w / gain + lift − b))^(1 / gamma) · (w − b) + b, where w / gain + lift − b must be at "
      + "least 0.01. Logarithmic: y = (x + brightness · 6.25 / 1023 − c) · contrast + c with c = 0.5 + pivot / 2, "
      + "then ((y − b) / (w − b))^(1 / gamma) · (w − b) + b. The powers mirror negative values. Saturation "
      + "by the luma of Rec. 709 follows."
  )
  .clamping("Results are clamped to clamp-black and clamp-white, where these are given.") {
    $0.clampBlack != nil || $0.clampWhite != nil
  }
}

extension Picture {
  /// Returns this picture with the primary grade of OpenColorIO. Four numbers are those of red, green, blue and all channels.
  public func gradingPrimary(
    style: GradingStyle = .logarithmic, brightness: SIMD4<Double> = .zero,
    contrast: SIMD4<Double> = .one, gamma: SIMD4<Double> = .one, offset: SIMD4<Double> = .zero,
    exposure: SIMD4<Double> = .zero, lift: SIMD4<Double> = .zero, gain: SIMD4<Double> = .one,
    pivot: Double? = nil, saturation: Double = 1, pivotBlack: Double = 0, pivotWhite: Double = 1,
    clampBlack: Double? = nil, clampWhite: Double? = nil, direction: GradingDirection = .forward
  ) -> Picture {
    applying { () throws(RecipeError) in
      try GradingPrimary(
        style: style, brightness: brightness, contrast: contrast, gamma: gamma, offset: offset,
        exposure: exposure, lift: lift, gain: gain, pivot: pivot, saturation: saturation,
        pivotBlack: pivotBlack, pivotWhite: pivotWhite, clampBlack: clampBlack,
        clampWhite: clampWhite, direction: direction)
    }
  }
}
