public import ColorSpaces

/// Middle tones darker or brighter, with black and white where they are: each channel to the power of `exponent`.
///
/// Above 1 is darker. In linear light, or over any curve that is a plain power, it is the same; ``Levels`` has the reciprocal, as
/// editors of pictures do. Negative numbers are mirrored.
public struct Gamma: PointFilter {
  /// What ``exponent`` can be.
  public static let exponents = 0.1...10

  /// The exponent of linear light.
  public let exponent: Double

  /// A power.
  public init(exponent: Double) throws(RecipeError) {
    self.exponent = try checked("The exponent of a gamma", exponent, in: Self.exponents)
  }

  /// Linear light.
  public var domain: PixelDomain { .linear }

  /// A power, or nothing if it changes nothing.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    if exponent != 1 { program.curve("gamma \(exponent)", .power(PowerCurve(exponent: exponent))) }
  }
}

extension Gamma: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<Gamma>("gamma", RecipeField("exponent", \.exponent)) {
    exponent throws(RecipeError) in try Gamma(exponent: exponent)
  }
}

extension Picture {
  /// This picture with each channel to the power of `exponent`, in linear light.
  public func gamma(exponent: Double) -> Picture {
    applying { () throws(RecipeError) in try Gamma(exponent: exponent) }
  }
}
