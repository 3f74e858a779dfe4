public import ColorSpaces

/// Stripes of two colors, vertical or horizontal.
package struct Stripes: Painter {
  /// The width of a stripe in pixels.
  package let width: Int
  /// The direction of the stripes.
  package let direction: StripeDirection

  private let lights: [SIMD3<Double>]

  /// Creates stripes of `width` pixels, the first color in the one that begins at (0, 0), in the primaries of `space`.
  package init(
    _ first: ColorPoint, _ second: ColorPoint, width: Int, direction: StripeDirection = .vertical,
    in space: ColorSpace
  ) throws(RecipeError) {
    (self.width, self.direction) = (width, direction)
    lights = [first, second].map { $0.converted(to: space.linear).components }
    try Self.declaration.check(self)
  }

  /// One color or the other.
  package func pixel(x: Int, y: Int) -> SIMD4<Double> {
    let position = direction == .vertical ? x : y
    return SIMD4(lights[position.dividedDown(by: width) & 1], 1)
  }
}

/// The direction of stripes.
@nonexhaustive
public enum StripeDirection: String, Hashable, Sendable, CaseIterable {
  /// Vertical stripes, side by side.
  case vertical
  /// Horizontal stripes, one above the other.
  case horizontal
}

extension Stripes: CustomStringConvertible {
  /// The text of this step in plans, with their width in pixels, such as “vertical stripes of 4”.
  package var description: String { "\(direction.rawValue) stripes of \(width)" }
}

extension Stripes: RecipePainter {
  /// The declaration of `stripes`.
  package static let declaration = Declaration<Painting<Stripes>>(
    "stripes", "Paints vertical or horizontal stripes of two colors.",
    swift: "Picture.stripes(white, black, width: 4, in: .sRGB)",
    Parameter(
      "first", { ColorPoint($0.painter.lights[0], in: $0.space.linear) },
      "the color of the stripe that begins at 0", sample: ColorPoint(1, 1, 1, in: .sRGB)),
    Parameter(
      "second", { ColorPoint($0.painter.lights[1], in: $0.space.linear) }, "the other color",
      sample: ColorPoint(0, 0, 0, in: .sRGB)),
    Parameter(
      "width", \.painter.width, "the width of a stripe", unit: "pixels", in: 1...1 << 30,
      sample: 4),
    Parameter(
      "direction", \.painter.direction, "which way the stripes run", default: .vertical),
    Parameter("in", \.space, "the color space of the picture", default: .sRGB)
  ) { first, second, width, direction, space throws(RecipeError) in
    Painting(
      try Stripes(first, second, width: width, direction: direction, in: space), in: space)
  }
}

extension StripeDirection: RecipeChoice {}

extension Picture {
  /// Creates infinite stripes of two colors.
  public static func stripes(
    _ first: ColorPoint, _ second: ColorPoint, width: Int,
    direction: StripeDirection = .vertical, in space: ColorSpace
  ) -> Picture {
    painted(in: space) { () throws(RecipeError) in
      try Stripes(first, second, width: width, direction: direction, in: space)
    }.requiringFiniteLight(of: first, second)
  }
}
