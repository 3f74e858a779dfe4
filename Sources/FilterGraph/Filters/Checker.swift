public import ColorSpaces

/// Squares of two colors.
public struct Checker: Painter {
  /// How many pixels a square is wide and high.
  public let side: Int

  private let lights: [SIMD3<Double>]

  /// Squares of `side` pixels, the first color in the one at (0, 0), painted with the lights of `space`.
  public init(_ first: ColorPoint, _ second: ColorPoint, side: Int, in space: ColorSpace) {
    precondition(side > 0, "A square needs at least one pixel to a side; got \(side).")
    self.side = side
    lights = [first, second].map { $0.converted(to: space.linear).components }
  }

  /// One color or the other.
  public func pixel(x: Int, y: Int) -> SIMD4<Double> {
    SIMD4(lights[(square(x) + square(y)) & 1], 1)
  }

  private func square(_ position: Int) -> Int {
    position >= 0 ? position / side : (position + 1) / side - 1
  }
}

extension Checker: CustomStringConvertible {
  /// The name in plans.
  public var description: String { "checker of \(side)" }
}

extension Checker: RecipePainter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<Painting<Checker>>(
    "checker", RecipeField("first") { ColorPoint($0.painter.lights[0], in: $0.space.linear) },
    RecipeField("second") { ColorPoint($0.painter.lights[1], in: $0.space.linear) },
    RecipeField("side", \.painter.side, in: 1...1 << 30), RecipeField("in", \.space)
  ) { Painting(Checker($0, $1, side: $2, in: $3), in: $3) }
}

extension Picture {
  /// Squares of two colors without end.
  public static func checker(
    _ first: ColorPoint, _ second: ColorPoint, side: Int, in space: ColorSpace
  ) -> Picture {
    Picture(Checker(first, second, side: side, in: space), in: space)
  }
}
