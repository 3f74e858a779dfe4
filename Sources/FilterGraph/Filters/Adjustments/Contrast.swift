package import ColorSpaces

/// Changes the contrast around a pivot: each stop away from the pivot becomes `factor` stops.
///
/// `pivot · (x / pivot)^factor` in linear light, so that the factor is the slope of a film's characteristic curve, and
/// positive values stay positive. It is the linear style of OpenColorIO's exposure and contrast. Negative values are
/// mirrored.
package struct Contrast: PointFilter {
  /// The number of stops that one stop becomes.
  package let factor: Double
  /// The linear value that is unchanged.
  package let pivot: Double

  /// Creates a contrast around `pivot`, by default middle gray.
  package init(_ factor: Double, pivot: Double = 0.18) throws(RecipeError) {
    (self.factor, self.pivot) = (factor, pivot)
    try Self.declaration.check(self)
  }

  /// Linear light: the power changes ratios of light, which are stops.
  package var domain: PixelDomain { .linear }

  /// Appends a power, unless it is the identity.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    if factor == 1 { return }
    program.curve(
      "contrast ×\(factor)",
      .power(PowerCurve(scale: power(pivot, 1 - factor), exponent: factor)))
  }
}

extension Contrast: RecipeFilter {
  /// The declaration of `contrast`.
  package static let declaration = Declaration<Contrast>(
    "contrast", "Scales the contrast in stops around a pivot.",
    keepsGray: true, swift: "picture.contrast(1.2)",
    Parameter(
      "factor", \.factor, "the slope in stops: 2 doubles contrast", in: 0.1...10, sample: 1.2),
    Parameter(
      "pivot", \.pivot, "the tone that stays", unit: "linear light", default: 0.18,
      in: 1e-6...1e6)
  ) { factor, pivot throws(RecipeError) in try Contrast(factor, pivot: pivot) }
}

extension Picture {
  /// Returns this picture with its contrast multiplied by `factor`, the slope in stops around `pivot`.
  public func contrast(_ factor: Double, pivot: Double = 0.18) -> Picture {
    applying { () throws(RecipeError) in try Contrast(factor, pivot: pivot) }
  }
}
