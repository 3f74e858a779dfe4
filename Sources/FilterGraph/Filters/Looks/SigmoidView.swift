package import ColorSpaces

/// Tone maps scene-linear light to a display by a sigmoid: a curve with a toe and a shoulder that approaches 1.
///
/// For each channel, the odds of the displayed value are a power of the linear value: `y / (1 − y) = (x / gray)^p ·
/// gray / (1 − gray)` with `p = contrast / (1 − gray)`. Gray is unchanged, and there the curve rises by `contrast`
/// stops for each stop. It is the log-logistic curve that film simulations of raw converters use, and by which Ken-Ichi
/// Naka and William Rushton described the response of retinal receptors (“S-potentials from colour units in the retina
/// of fish”, The Journal of Physiology, 1966). Bright colors desaturate to white, as on film; negative values are
/// clamped to 0.
package struct SigmoidView: PointFilter {
  /// The number of stops that one stop becomes around gray.
  package let contrast: Double
  /// The linear value that is unchanged.
  package let gray: Double

  /// Creates a view, by default with the contrast of a typical print.
  package init(contrast: Double = 1.5, gray: Double = 0.18) throws(RecipeError) {
    (self.contrast, self.gray) = (contrast, gray)
    try Self.declaration.check(self)
  }

  /// Linear light: the curve maps scene-linear to display-linear values.
  package var domain: PixelDomain { .linear }

  /// Appends a rational function of powers for each channel.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    let exponent = contrast / (1 - gray)
    let curve = RationalPowerCurve(
      a: 0, b: 1, c: power(gray, exponent) * (1 - gray) / gray, d: 1, inner: exponent, outer: 1)
    program.curve("sigmoid view", .rationalPower(curve))
  }
}

extension SigmoidView: RecipeFilter {
  /// The declaration of `sigmoid-view`.
  package static let declaration = Declaration<SigmoidView>(
    "sigmoid-view", "Tone maps scene-linear light to a display by a sigmoid curve.",
    keepsGray: true, swift: "picture.sigmoidView()",
    Parameter(
      "contrast", \.contrast, "the slope in stops around gray: 2 doubles contrast", default: 1.5,
      in: 0.2...5),
    Parameter(
      "gray", \.gray, "the middle gray that the curve keeps", unit: "linear light", default: 0.18,
      in: 0.01...0.9)
  ) { contrast, gray throws(RecipeError) in try SigmoidView(contrast: contrast, gray: gray) }.with(
    .mapsTones
  )
  .computing(
    "Each channel x becomes y with y / (1 − y) = (x / gray)^p · gray / (1 − gray) and "
      + "p = contrast / (1 − gray)."
  )
  .clamping("Negative values become 0; the curve approaches 1.")
}

extension Picture {
  /// Returns this picture of a scene, tone mapped by a sigmoid.
  public func sigmoidView(contrast: Double = 1.5, gray: Double = 0.18) -> Picture {
    applying { () throws(RecipeError) in try SigmoidView(contrast: contrast, gray: gray) }
  }
}
