public import ColorSpaces

/// The light of a scene as a print or a display shows it: a curve with a toe and a shoulder, under which light without end becomes 1.
///
/// For each channel, the odds of what is shown are a power of the light: `y / (1 − y) = (x / gray)^p · gray / (1 − gray)` with
/// `p = contrast / (1 − gray)`. Gray stays gray, and there the curve rises by `contrast` stops for each stop. It is the log-logistic
/// curve that film models of raw converters use, and by which Ken-Ichi Naka and William Rushton told how receptors in a retina answer to
/// light (“S-potentials from colour units in the retina of fish”, The Journal of Physiology, 1966). Bright colors fade to white, as
/// those of film do; negative light counts as none.
public struct SigmoidView: PointFilter {
  /// What ``contrast`` can be.
  public static let contrasts = 0.2...5
  /// What ``gray`` can be.
  public static let grays = 0.01...0.9

  /// The stops that one stop becomes around gray.
  public let contrast: Double
  /// The light that stays what it is.
  public let gray: Double

  /// A view with the contrast of a usual print.
  public init(contrast: Double = 1.5, gray: Double = 0.18) throws(RecipeError) {
    self.contrast = try checked("The contrast of a view", contrast, in: Self.contrasts)
    self.gray = try checked("The gray of a view", gray, in: Self.grays)
  }

  /// Linear light.
  public var domain: PixelDomain { .linear }

  /// A fraction of powers for each channel.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    let exponent = contrast / (1 - gray)
    let curve = RationalPowerCurve(
      a: 0, b: 1, c: power(gray, exponent) * (1 - gray) / gray, d: 1, inner: exponent, outer: 1)
    program.curve("sigmoid view", .rationalPower(curve))
  }
}

extension SigmoidView: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<SigmoidView>(
    "sigmoid-view", RecipeField("contrast", \.contrast, default: 1.5),
    RecipeField("gray", \.gray, default: 0.18)
  ) { contrast, gray throws(RecipeError) in try SigmoidView(contrast: contrast, gray: gray) }
}

extension Picture {
  /// This picture of a scene as a print shows it.
  public func sigmoidView(contrast: Double = 1.5, gray: Double = 0.18) -> Picture {
    applying { () throws(RecipeError) in try SigmoidView(contrast: contrast, gray: gray) }
  }
}
