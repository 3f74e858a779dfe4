package import ColorSpaces

/// Raises the chroma of pale colors more than that of saturated ones.
///
/// In Oklab, chroma C becomes `C + amount · C / (1 + (C / 0.1)²)`: nearly 1 + amount times as much for pale colors,
/// half of that gain at a chroma of 0.1, that of skin, and hardly any for the most saturated. Lightness and hue are
/// unchanged, and for amounts from −1 to 8 the function is monotonic.
package struct Vibrance: PointFilter {
  /// The chroma gain of pale colors; a negative one desaturates them.
  package let amount: Double

  /// Creates a vibrance.
  package init(_ amount: Double) throws(RecipeError) {
    self.amount = amount
    try Self.declaration.check(self)
  }

  /// Linear light, which is converted to Oklab.
  package var domain: PixelDomain { .linear }

  /// Appends a factor for Oklab's a and b, unless it is the identity.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    if amount == 0 { return }
    program.oklab(of: space) { $0.append(.formula(.vibrance(amount))) }
  }
}

extension Vibrance: RecipeFilter {
  /// The declaration of `vibrance`.
  package static let declaration = Declaration<Vibrance>(
    "vibrance", "Raises the chroma of pale colors more than that of saturated ones.",
    keepsGray: true, swift: "picture.vibrance(0.5)",
    Parameter(
      "amount", \.amount, "the gain in chroma of pale colors; below zero they lose chroma",
      in: -1...8, sample: 0.5)
  ) { amount throws(RecipeError) in try Vibrance(amount) }
  .computing(
    "In Oklab, chroma C becomes C · (1 + amount / (1 + (C / 0.1)²)); lightness and hue stay.")
}

extension Picture {
  /// Returns this picture with the chroma of pale colors raised.
  public func vibrance(_ amount: Double) -> Picture {
    applying { () throws(RecipeError) in try Vibrance(amount) }
  }
}
