public import ColorSpaces

/// A checkerboard of two colors.
package struct Checker: Painter {
  /// The side of a square in pixels.
  package let side: Int

  private let lights: [SIMD3<Double>]

  /// Creates a checkerboard of squares of `side` pixels, the first color in the one at (0, 0), in the primaries of
  /// `space`.
  package init(
    _ first: ColorPoint, _ second: ColorPoint, side: Int, in space: ColorSpace
  ) throws(RecipeError) {
    self.side = side
    lights = [first, second].map { $0.converted(to: space.linear).components }
    try Self.declaration.check(self)
  }

  /// One color or the other.
  package func pixel(x: Int, y: Int) -> SIMD4<Double> {
    SIMD4(lights[(x.dividedDown(by: side) + y.dividedDown(by: side)) & 1], 1)
  }
}

extension Checker: CustomStringConvertible {
  /// The text of this step in plans, with the side of a square in pixels, such as “checker of 8”.
  package var description: String { "checker of \(side)" }
}

extension Checker: RecipePainter {
  /// The declaration of `checker`.
  package static let declaration = Declaration<Painting<Checker>>(
    "checker", "Paints a checkerboard of two colors.", aliases: ["checkerboard"],
    swift: "Picture.checker(white, black, side: 8, in: .sRGB)",
    Parameter(
      "first", { ColorPoint($0.painter.lights[0], in: $0.space.linear) },
      "the color of the square at the upper left", sample: ColorPoint(1, 1, 1, in: .sRGB)),
    Parameter(
      "second", { ColorPoint($0.painter.lights[1], in: $0.space.linear) }, "the other color",
      sample: ColorPoint(0, 0, 0, in: .sRGB)),
    Parameter(
      "side", \.painter.side, "the side of a square", unit: "pixels", in: 1...1 << 30, sample: 8),
    Parameter("in", \.space, "the color space of the picture", default: .sRGB)
  ) { first, second, side, space throws(RecipeError) in
    Painting(try Checker(first, second, side: side, in: space), in: space)
  }
}

extension Picture {
  /// Creates an infinite checkerboard.
  public static func checker(
    _ first: ColorPoint, _ second: ColorPoint, side: Int, in space: ColorSpace
  ) -> Picture {
    painted(in: space) { () throws(RecipeError) in
      try Checker(first, second, side: side, in: space)
    }.requiringFiniteLight(of: first, second)
  }
}
