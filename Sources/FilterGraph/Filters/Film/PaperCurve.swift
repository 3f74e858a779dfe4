package import ColorSpaces

/// Maps scene-linear light to a print on photographic paper: the step after the inversion of a negative.
///
/// Paper responds to the logarithm of exposure with a density that falls along an S curve from its maximum to paper
/// white: for the linear value `x` the density is `D = blackest / (1 + (x / m)^p)`, and the reflectance of the paper is
/// `10^(−D)` (the logistic form of the curves of Hurter and Driffield). `m` and `p` are such that the linear value
/// `gray` is unchanged and the curve rises there by `contrast` stops for each stop. Negative values are clamped to 0.
package struct PaperCurve: PointFilter {
  /// The number of stops that one stop becomes around gray: 1.2 is soft, 1.6 normal, 2.2 hard paper.
  package let contrast: Double
  /// The maximum density of the paper: 2.1 for glossy, 1.6 for matte paper.
  package let blackest: Double
  /// The linear value that is unchanged.
  package let gray: Double

  /// Creates a paper, by default glossy and of normal contrast.
  package init(
    contrast: Double = 1.6, blackest: Double = 2.1, gray: Double = 0.18
  ) throws(RecipeError) {
    (self.contrast, self.blackest, self.gray) = (contrast, blackest, gray)
    try Self.declaration.check(self)
  }

  /// Linear light: the paper's density depends on the exposure, which is proportional to light.
  package var domain: PixelDomain { .linear }

  /// Appends a density for each channel, and its reflectance.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    let density = -log2(gray) / log2(10)
    // The slope of log₁₀ 10^(−D) over log₁₀ x is p · ln 10 · D · (1 − D / blackest).
    let exponent =
      contrast / (naturalLogarithm(10) * density * (1 - density / blackest))
    program.curve(
      "paper",
      .rationalPower(
        RationalPowerCurve(
          a: blackest, b: 0, c: 1, d: (blackest / density - 1) * power(gray, -exponent),
          inner: exponent, outer: 1)))
    program.curve(
      "light of a density", .segmented(SegmentedCurve([.exponential(base: 10, slope: -1)])))
  }
}

extension PaperCurve: RecipeFilter {
  /// The declaration of `paper-curve`.
  package static let declaration = Declaration<PaperCurve>(
    "paper-curve", "Maps scene-linear light to a print on photographic paper.",
    aliases: ["paper", .formerly("print")],
    keepsGray: true, swift: "picture.paperCurve()",
    Parameter(
      "contrast", \.contrast,
      "the slope in stops around gray: 2 doubles contrast; 1.6 is normal paper",
      default: 1.6, in: 0.2...5),
    Parameter(
      "blackest", \.blackest, "the density of the paper's black; 2.1 is glossy, 1.6 matte paper",
      unit: "density", default: 2.1, in: 1...4),
    Parameter(
      "gray", \.gray, "the middle gray that the paper keeps", unit: "linear light", default: 0.18,
      in: 0.11...0.9)
  ) { contrast, blackest, gray throws(RecipeError) in
    try PaperCurve(contrast: contrast, blackest: blackest, gray: gray)
  }.with(.mapsTones)
    .computing(
      "Each channel x becomes 10^−D with D = blackest / (1 + (blackest / g − 1) · (x / gray)^p), "
        + "g = −log₁₀ gray and p = contrast / (ln 10 · g · (1 − g / blackest))."
    )
    .clamping(
      "Negative values become the black of the paper, 10^−blackest; the curve approaches 1.")
}

extension Picture {
  /// Returns this picture of a scene as a print on paper.
  public func paperCurve(
    contrast: Double = 1.6, blackest: Double = 2.1, gray: Double = 0.18
  ) -> Picture {
    applying { () throws(RecipeError) in
      try PaperCurve(contrast: contrast, blackest: blackest, gray: gray)
    }
  }
}
