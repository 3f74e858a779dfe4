public import ColorSpaces

/// Black and white without gray: white where the luminance is at least `level`, black elsewhere.
public struct Threshold: PointFilter {
  /// The darkest luminance that becomes white, in linear light.
  public var level: Double

  /// A threshold, by default at middle gray.
  public init(level: Double = 0.18) { self.level = level }

  /// Linear light.
  public var domain: PixelDomain { .linear }

  /// Luminance, and a step.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    Monochrome().describe(to: &program, in: space)
    let step = SegmentedCurve([.constant(0), .constant(1, from: level)])
    program.curve("threshold \(level)", .segmented(step))
  }
}

extension Threshold: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<Threshold>(
    "threshold", RecipeField("level", \.level, default: 0.18)
  ) { Threshold(level: $0) }
}

extension Picture {
  /// This picture in white where its luminance is at least `level`, in black elsewhere.
  public func threshold(level: Double = 0.18) -> Picture { applying(Threshold(level: level)) }
}
