public import ColorSpaces
public import ImageBuffer

/// Eight bars: white, yellow, cyan, green, magenta, red, blue and black, in encoded values (Rec. ITU-R BT.471).
package struct ColorBars: Painter {
  /// The value of a colored bar's channels that are not 0; white is always 1.
  package let level: Double

  private let width, height: Int

  /// Creates bars of `level` that fill `size`: 0.75 for 100/0/75/0 bars, 1 for 100/0/100/0 bars.
  package init(level: Double = 0.75, size: PixelSize) throws(RecipeError) {
    (self.level, width, height) = (level, size.width, size.height)
    try Self.declaration.check(self)
  }

  /// The size of the bars.
  package var size: PixelSize? { PixelSize(width, height) }

  /// Encoded values.
  package var domain: PixelDomain { .encoded }

  /// Returns the color of the bar at the pixel's column.
  package func pixel(x: Int, y: Int) -> SIMD4<Double> {
    let bar = 8 * x / width
    if bar == 0 { return .one }
    // Counted down from white, the bits are green, red, blue.
    return SIMD4(bar & 2 == 0 ? level : 0, bar & 4 == 0 ? level : 0, bar & 1 == 0 ? level : 0, 1)
  }
}

extension ColorBars: CustomStringConvertible {
  /// The text of this step in plans: “color bars”.
  package var description: String { "color bars" }
}

extension ColorBars: RecipePainter {
  /// The declaration of `color-bars`.
  package static let declaration = Declaration<Painting<ColorBars>>(
    "color-bars", "Paints eight color bars (Rec. ITU-R BT.471).",
    swift: "Picture.colorBars(in: .sRGB, size: PixelSize(40, 30))",
    Parameter(
      "level", \.painter.level, "the value of a colored bar's channels that are not 0",
      unit: "encoded values", default: 0.75, in: 0...1),
    Parameter(
      "size", { PixelSize($0.painter.width, $0.painter.height) }, "the width and the height",
      unit: "pixels", sample: PixelSize(40, 30)),
    Parameter("in", \.space, "the color space of the picture", default: .sRGB)
  ) { level, size, space throws(RecipeError) in
    Painting(try ColorBars(level: level, size: size), in: space)
  }
}

extension Picture {
  /// Creates eight bars in the encoded values of `space`. `level`, 0…1, is the value of a colored bar's channels that are not 0.
  public static func colorBars(
    level: Double = 0.75, in space: ColorSpace, size: PixelSize
  ) -> Picture {
    painted(in: space) { () throws(RecipeError) in try ColorBars(level: level, size: size) }
  }
}
