public import ColorSpaces

/// The light of a scene as it leaves photographic paper: what a print adds to the inversion of its negative.
///
/// Paper answers to the logarithm of light with a density that falls from its blackest black to the white of the paper along an S: for
/// light `x` the density is `D = blackest / (1 + (x / m)^p)`, and what leaves the paper is `10^(−D)` (the logistic form of the curves of
/// Hurter and Driffield). `m` and `p` are such that the light `gray` stays what it is and the curve rises there by `contrast` stops for
/// each stop. Negative light counts as none.
public struct PaperCurve: PointFilter {
  /// What the contrast, the blackest density and the gray can be.
  public static let contrasts = 0.2...5, densities = 1.0...4, grays = 0.11...0.9

  /// The stops that one stop becomes around gray: 1.2 is soft, 1.6 normal, 2.2 hard paper.
  public let contrast: Double
  /// The density of the paper's black: 2.1 for glossy, 1.6 for matte paper.
  public let blackest: Double
  /// The light that stays what it is.
  public let gray: Double

  /// A paper; normal and glossy if nothing else is said.
  public init(
    contrast: Double = 1.6, blackest: Double = 2.1, gray: Double = 0.18
  ) throws(RecipeError) {
    self.contrast = try checked("The contrast of a paper", contrast, in: Self.contrasts)
    self.blackest = try checked("The density of a paper's black", blackest, in: Self.densities)
    self.gray = try checked("The gray of a paper", gray, in: Self.grays)
  }

  /// Linear light.
  public var domain: PixelDomain { .linear }

  /// A density for each channel, and what it lets through.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
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
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<PaperCurve>(
    "print", RecipeField("contrast", \.contrast, default: 1.6),
    RecipeField("blackest", \.blackest, default: 2.1), RecipeField("gray", \.gray, default: 0.18)
  ) { contrast, blackest, gray throws(RecipeError) in
    try PaperCurve(contrast: contrast, blackest: blackest, gray: gray)
  }
}

extension Picture {
  /// This picture of a scene as a print on paper.
  public func printed(
    contrast: Double = 1.6, blackest: Double = 2.1, gray: Double = 0.18
  ) -> Picture {
    applying { () throws(RecipeError) in
      try PaperCurve(contrast: contrast, blackest: blackest, gray: gray)
    }
  }
}
