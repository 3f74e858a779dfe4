public import ColorSpaces

/// Raises the chroma of pale colors much, and that of saturated ones hardly.
///
/// In Oklab chroma C becomes `C + amount · C / (1 + (C / 0.1)²)`: nearly 1 + amount times as much for pale colors, half of that
/// gain at a chroma of 0.1, such as skin has it, and none for the strongest. Lightness and hue stay, and for amounts from −1 to 8
/// no color overtakes another.
public struct Vibrance: PointFilter {
  /// The gain in chroma of pale colors; below zero they lose chroma.
  public let amount: Double

  /// Creates a vibrance of this amount.
  public init(_ amount: Double) throws(RecipeError) {
    self.amount = amount
    try Self.declaration.check(self)
  }

  /// Linear light, from which it goes to Oklab.
  public var domain: PixelDomain { .linear }

  /// A factor for a and b of Oklab, or nothing if it changes nothing.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    if amount == 0 { return }
    program.oklab(of: space) { $0.append(.formula(.vibrance(amount))) }
  }
}

extension Vibrance: RecipeFilter {
  /// The declaration of `vibrance`.
  public static let declaration = Declaration<Vibrance>(
    "vibrance", "Raises the chroma of pale colors more than that of saturated ones.",
    swift: "picture.vibrance(0.5)",
    Parameter(
      "amount", \.amount, "the gain in chroma of pale colors; below zero they lose chroma",
      in: -1...8, sample: 0.5)
  ) { amount throws(RecipeError) in try Vibrance(amount) }
}

extension Picture {
  /// This picture with more color where there is little.
  public func vibrance(_ amount: Double) -> Picture {
    applying { () throws(RecipeError) in try Vibrance(amount) }
  }
}
