internal import ColorSpaces

/// The kind of values that a grade was made for.
@nonexhaustive
public enum GradingStyle: String, Hashable, Sendable, CaseIterable, RecipeChoice {
  /// Linear light of a scene.
  case linear
  /// The values of a display or of a video signal.
  case video
  /// The values of a logarithmic space, such as ACEScct or a camera's.
  case logarithmic

  var domain: PixelDomain { self == .linear ? .linear : .encoded }

  /// The domains of a grade in references, that of its default style first.
  static let domainsFromLinear =
    "in linear light, or in encoded values with style=video and style=logarithmic"
  static let domainsFromLogarithmic = "in encoded values, or in linear light with style=linear"
  /// The ``logarithm(isInverse:)`` of linear light, in references.
  static let logarithmText =
    "channels are graded in stops from middle gray, log₂((x − 0.00015785) / 0.17984215) and 363.0346 · x − 7 "
    + "below 0.00413184, and converted back"
  /// What the parameter says.
  static let meaning =
    "the kind of values; with linear, pictures are converted to linear light"

  /// The logarithm in stops from middle gray in which curves and tones of linear light are graded, a line below 2⁻⁵·⁵ of it:
  /// OpenColorIO's.
  static func logarithm(isInverse: Bool) -> Curve {
    let (shift, gray) = (-0.000157849851665374, 0.18 - 0.000157849851665374)
    let (gain, end) = (363.034608563, 0.0041318374739483946)
    if isInverse {
      return .segmented(
        SegmentedCurve([
          .line(slope: 1 / gain, intercept: 7 / gain),
          .exponential(base: 2, from: -5.5, scale: gray, offset: -shift),
        ]))
    }
    return .segmented(
      SegmentedCurve([
        .line(slope: gain, intercept: -7),
        .log(base: 2, from: end, slope: 1 / gray, shift: shift / gray),
      ]))
  }
}

/// Whether a grade is applied or undone.
@nonexhaustive
public enum GradingDirection: String, Hashable, Sendable, CaseIterable, RecipeChoice {
  /// The grade is applied.
  case forward
  /// The grade is undone.
  case inverse
}

extension PointProgram {
  /// Adds `channel · scale + offset`, unless it changes nothing.
  mutating func appendLine(scale: SIMD3<Double>, offset: SIMD3<Double>) {
    if scale != .one || offset != .zero { append(.affine(scale: scale, offset: offset)) }
  }

  /// Adds a power for each channel, unless all exponents are 1.
  mutating func appendPowers(_ name: String, _ exponents: SIMD3<Double>, belowZero: NegativePolicy)
  {
    if exponents == .one { return }
    let curves = (0..<3).map { channel -> Curve in
      // An exponent of 1 clamps too, where the others do.
      exponents[channel] == 1 && belowZero != .clamped
        ? .identity : .power(PowerCurve(exponent: exponents[channel], belowZero: belowZero))
    }
    append(.curves(name, curves[0], curves[1], curves[2]))
  }
}
