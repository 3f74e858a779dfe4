public import ColorSpaces

/// Saturation for those colors that have little of it: pale ones gain much, strong ones hardly anything.
///
/// In Oklab chroma C becomes `C + amount · C / (1 + (C / 0.1)²)`: nearly 1 + amount times as much for pale colors, half of that
/// gain at a chroma of 0.1, such as skin has it, and none for the strongest. Lightness and hue stay, and for amounts from −1 to 8
/// no color overtakes another.
public struct Vibrance: PointFilter {
  /// What ``amount`` can be.
  public static let amounts = -1.0...8

  /// How much pale colors gain; below zero they lose.
  public let amount: Double

  /// A vibrance of this amount.
  public init(_ amount: Double) throws(RecipeError) {
    self.amount = try checked("A vibrance", amount, in: Self.amounts)
  }

  /// Linear light, from which it goes to Oklab.
  public var domain: PixelDomain { .linear }

  /// A factor for both opponents of Oklab, or nothing if it changes nothing.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    if amount == 0 { return }
    let amount = Float(amount)
    program.oklab(of: space) { program in
      program.rows("vibrance \(self.amount)") { strip in
        for i in strip.indices {
          let (a, b) = (strip.green[i], strip.blue[i])
          let factor = 1 + amount / (1 + (a * a + b * b) * 100)
          (strip.green[i], strip.blue[i]) = (a * factor, b * factor)
        }
      }
    }
  }
}

extension Vibrance: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<Vibrance>("vibrance", RecipeField("amount", \.amount)) {
    amount throws(RecipeError) in try Vibrance(amount)
  }
}

extension Picture {
  /// This picture with more color where there is little.
  public func vibrance(_ amount: Double) -> Picture {
    applying { () throws(RecipeError) in try Vibrance(amount) }
  }
}
