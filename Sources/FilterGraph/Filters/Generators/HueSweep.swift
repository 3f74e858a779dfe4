public import ColorSpaces
public import ImageBuffer

/// All hues of one chroma from left to right, from white at the top to black at the bottom, in Oklab. A gamut mask of
/// it shows the out-of-gamut colors.
package struct HueSweep: Painter {
  /// The chroma in OkLCh.
  package let chroma: Double

  private let width, height: Int

  /// Creates a sweep that fills `size`.
  package init(chroma: Double, size: PixelSize) throws(RecipeError) {
    (self.chroma, width, height) = (chroma, size.width, size.height)
    try Self.declaration.check(self)
  }

  /// The size of the sweep.
  package var size: PixelSize? { PixelSize(width, height) }

  /// The values of Oklab.
  package var domain: PixelDomain { .encoded }

  /// Returns the hue of the column at the lightness of the row.
  package func pixel(x: Int, y: Int) -> SIMD4<Double> {
    let turn = 2 * (Double(x) + 0.5) / Double(width)
    return SIMD4(
      1 - (Double(y) + 0.5) / Double(height), chroma * cosine(ofPi: turn),
      chroma * sine(ofPi: turn), 1)
  }
}

extension HueSweep: CustomStringConvertible {
  /// The text of this step in plans: “hue sweep”.
  package var description: String { "hue sweep" }
}

extension HueSweep: RecipePainter {
  /// The declaration of `hue-sweep`.
  package static let declaration = Declaration<Painting<HueSweep>>(
    "hue-sweep", "Paints all hues of one OkLCh chroma, from white at the top to black.",
    swift: "Picture.hueSweep(chroma: 0.15, in: .oklab, size: PixelSize(40, 30))",
    Parameter("chroma", \.painter.chroma, "the chroma in OkLCh", in: 0...10, sample: 0.15),
    Parameter(
      "size", { PixelSize($0.painter.width, $0.painter.height) }, "the width and the height",
      unit: "pixels", sample: PixelSize(40, 30)),
    Parameter(
      "in", \.space, "the color space of the picture, converted from Oklab", default: .oklab)
  ) { chroma, size, space throws(RecipeError) in
    Painting(try HueSweep(chroma: chroma, size: size), in: space)
  }
}

extension HueSweep: ConvertedPainter {
  var paintedSpace: ColorSpace { .oklab }
}

extension Picture {
  /// Creates a picture of all hues of one chroma in OkLCh from left to right, from white at the top to black at the
  /// bottom. Nothing is clamped.
  public static func hueSweep(
    chroma: Double, in space: ColorSpace, size: PixelSize
  ) -> Picture {
    painted(in: .oklab) { () throws(RecipeError) in try HueSweep(chroma: chroma, size: size) }
      .converted(to: space)
  }
}
