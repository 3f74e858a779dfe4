public import ColorSpaces

/// Tones pulled apart, or together, around one that stays: each stop away from the pivot becomes `factor` stops.
///
/// `pivot · (x / pivot)^factor` in linear light, so that a contrast is the slope of a film's characteristic curve, and nothing
/// above black becomes negative. It is the linear style of OpenColorIO's exposure and contrast. Negative numbers are mirrored.
public struct Contrast: PointFilter {
  /// What ``factor`` can be.
  public static let factors = 0.1...10
  /// What ``pivot`` can be.
  public static let pivots = 1e-6...1e6

  /// How many stops one stop becomes.
  public let factor: Double
  /// The amount of light that stays.
  public let pivot: Double

  /// A contrast around `pivot`, by default middle gray.
  public init(_ factor: Double, pivot: Double = 0.18) throws(RecipeError) {
    self.factor = try checked("A contrast", factor, in: Self.factors)
    self.pivot = try checked("A contrast's pivot", pivot, in: Self.pivots)
  }

  /// Linear light.
  public var domain: PixelDomain { .linear }

  /// A power, or nothing if it changes nothing.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    if factor == 1 { return }
    program.curve(
      "contrast ×\(factor)",
      .power(PowerCurve(scale: power(pivot, 1 - factor), exponent: factor)))
  }
}

extension Contrast: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<Contrast>(
    "contrast", RecipeField("factor", \.factor), RecipeField("pivot", \.pivot, default: 0.18)
  ) { factor, pivot throws(RecipeError) in try Contrast(factor, pivot: pivot) }
}

extension Picture {
  /// This picture with each stop from `pivot` made `factor` stops.
  public func contrast(_ factor: Double, pivot: Double = 0.18) -> Picture {
    applying { () throws(RecipeError) in try Contrast(factor, pivot: pivot) }
  }
}
