public import ColorSpaces
public import ImageBuffer

/// A triangle with a color at each corner, interpolated in between, on a transparent background.
///
/// Interpolated in linear light, the middle of an edge has the mean luminance of its ends; interpolated in encoded
/// values it is darker.
package struct ColorTriangle: Painter {
  /// The values to interpolate.
  package let mixing: TriangleMixing

  private let corners: [SIMD3<Double>]
  private let width, height: Int

  /// Creates a triangle of three colors, painted in `space`, that fills `size`.
  package init(
    top: ColorPoint, left: ColorPoint, right: ColorPoint, mixing: TriangleMixing,
    in space: ColorSpace,
    size: PixelSize
  ) {
    let target = mixing == .light ? space.linear : space
    corners = [top, left, right].map { $0.converted(to: target).components }
    (self.mixing, width, height) = (mixing, size.width, size.height)
  }

  /// The size of the triangle.
  package var size: PixelSize? { PixelSize(width, height) }

  /// Linear light or encoded values, with straight alpha for the transparent background.
  package var domain: PixelDomain { mixing == .light ? .linear : .encoded }

  /// True: the background is transparent.
  package var hasAlpha: Bool { true }

  /// Returns the corners' colors by their barycentric weights, with the fraction of the pixel that the triangle covers
  /// as alpha.
  package func pixel(x: Int, y: Int) -> SIMD4<Double> {
    let (width, height) = (Double(width), Double(height))
    let down = (Double(y) + 0.5) / height
    let across = (Double(x) + 0.5) / width - 0.5
    let weights = SIMD3(1 - down, down / 2 - across, down / 2 + across)
    // The distance to the nearest edge in pixels; the edge is antialiased over half a pixel on both sides.
    let slanted = width * height / (width * width / 4 + height * height).squareRoot()
    let distance = min(weights.x * height, min(weights.y, weights.z) * slanted)
    let coverage = min(max(distance + 0.5, 0), 1)
    let inside = weights.clamped(lowerBound: .zero, upperBound: .one)
    let parts = inside / inside.sum()
    return SIMD4(corners[0] * parts.x + corners[1] * parts.y + corners[2] * parts.z, coverage)
  }
}

/// The values to interpolate.
@nonexhaustive
public enum TriangleMixing: Hashable, Sendable {
  /// Linear light: the middle of an edge has the mean luminance of its ends.
  case light
  /// Encoded values.
  case encoded
}

extension ColorTriangle: CustomStringConvertible {
  /// The text of this step in plans, such as “color triangle interpolated in linear light”.
  package var description: String {
    mixing == .light
      ? "color triangle interpolated in linear light"
      : "color triangle interpolated in encoded values"
  }
}

extension ColorTriangle: RecipePainter {
  /// The declaration of `color-triangle`.
  package static let declaration = Declaration<Painting<ColorTriangle>>(
    "color-triangle", "Paints a triangle, interpolated between three corner colors.",
    swift:
      "Picture.triangle(top: red, left: green, right: blue, in: .sRGB, size: PixelSize(40, 30))",
    Parameter(
      "top", { $0.painter.corner(0, in: $0.space) }, "the color of the upper corner",
      sample: ColorPoint(1, 0, 0, in: .sRGB)),
    Parameter(
      "left", { $0.painter.corner(1, in: $0.space) }, "the color of the lower left corner",
      sample: ColorPoint(0, 1, 0, in: .sRGB)),
    Parameter(
      "right", { $0.painter.corner(2, in: $0.space) }, "the color of the lower right corner",
      sample: ColorPoint(0, 0, 1, in: .sRGB)),
    Parameter(
      "mixing", \.painter.mixing, "whether linear light or encoded values are interpolated",
      default: .light),
    Parameter(
      "size", { PixelSize($0.painter.width, $0.painter.height) }, "the width and the height",
      unit: "pixels", sample: PixelSize(40, 30)),
    Parameter("in", \.space, "the color space of the picture", default: .sRGB)
  ) { top, left, right, mixing, size, space in
    Painting(
      ColorTriangle(top: top, left: left, right: right, mixing: mixing, in: space, size: size),
      in: space)
  }.working("in linear light, or in encoded values with mixing=encoded")

  private func corner(_ index: Int, in space: ColorSpace) -> ColorPoint {
    ColorPoint(corners[index], in: mixing == .light ? space.linear : space)
  }
}

extension TriangleMixing: RecipeChoice {
  /// The names of the interpolated values: `light` or `encoded`.
  public static let recipeCases: [RecipeCase<TriangleMixing>] = [
    RecipeCase("light", .light),
    RecipeCase("encoded", aliases: ["stored-numbers"], .encoded),
  ]
}

extension Picture {
  /// Creates a triangle with a color at each corner, painted in `space`.
  public static func triangle(
    top: ColorPoint, left: ColorPoint, right: ColorPoint, mixing: TriangleMixing = .light,
    in space: ColorSpace, size: PixelSize
  ) -> Picture {
    Picture(
      ColorTriangle(
        top: top, left: left, right: right, mixing: mixing, in: space, size: size),
      in: space
    ).requiringFiniteLight(of: top, left, right)
  }
}
