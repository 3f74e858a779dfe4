public import ColorSpaces
internal import ImageBuffer

/// One color everywhere.
package struct SolidColor: Painter {
  private let light: SIMD3<Double>

  /// Creates a picture of a color, in the primaries of `space`.
  package init(_ color: ColorPoint, in space: ColorSpace) {
    light = color.converted(to: space.linear).components
  }

  /// Returns the color.
  package func pixel(x: Int, y: Int) -> SIMD4<Double> { SIMD4(light, 1) }

  /// Computes row by row.
  package func render(into output: Tile) {
    for plane in 0..<3 {
      for y in output.region.rows {
        output.pointer(y, plane).update(
          repeating: Float(light[plane]), count: output.region.width)
      }
    }
  }
}

extension SolidColor: CustomStringConvertible {
  /// The text of this step in plans: “one color”.
  package var description: String { "one color" }
}

extension SolidColor: RecipePainter {
  /// The declaration of `solid-color`.
  package static let declaration = Declaration<Painting<SolidColor>>(
    "solid-color", "Paints one color.",
    swift: "Picture.constant(ColorPoint(1, 0, 0, in: .sRGB), in: .sRGB)",
    Parameter(
      "color", { ColorPoint($0.painter.light, in: $0.space.linear) }, "the color",
      sample: ColorPoint(1, 0, 0, in: .sRGB)),
    Parameter("in", \.space, "the color space of the picture", default: .sRGB)
  ) { Painting(SolidColor($0, in: $1), in: $1) }
}

extension Picture {
  /// Creates an infinite picture of one color.
  public static func constant(_ color: ColorPoint, in space: ColorSpace) -> Picture {
    Picture(SolidColor(color, in: space), in: space).requiringFiniteLight(of: color)
  }
}
