package import ColorSpaces

/// Raises each channel of linear light to a power: midtones become darker or brighter, black and white are unchanged.
///
/// An exponent above 1 darkens. The result is the same in any encoding that is a pure power. ``Levels`` takes the
/// reciprocal, as image editors do. Negative values are mirrored.
package struct Gamma: PointFilter {
  /// The allowed exponents.
  package static let exponents = 0.1...10

  /// The exponent; above 1 darkens.
  package let exponent: Double

  /// Creates a power with this exponent.
  package init(exponent: Double) throws(RecipeError) {
    self.exponent = exponent
    try Self.declaration.check(self)
  }

  /// Linear light, so that the result does not depend on the encoding of the picture's space.
  package var domain: PixelDomain { .linear }

  /// Appends a power, unless it is the identity.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    if exponent != 1 { program.curve("gamma \(exponent)", .power(PowerCurve(exponent: exponent))) }
  }
}

extension Gamma: RecipeFilter {
  /// The declaration of `gamma`.
  package static let declaration = Declaration<Gamma>(
    "gamma", "Raises each channel of linear light to a power.",
    keepsGray: true, swift: "picture.gamma(exponent: 1.5)",
    Parameter(
      "exponent", \.exponent, "the exponent; above 1 darkens midtones", in: exponents, sample: 1.5)
  ) { exponent throws(RecipeError) in try Gamma(exponent: exponent) }
}

extension Picture {
  /// Returns this picture with each linear channel raised to the power of `exponent`.
  public func gamma(exponent: Double) -> Picture {
    applying { () throws(RecipeError) in try Gamma(exponent: exponent) }
  }
}
