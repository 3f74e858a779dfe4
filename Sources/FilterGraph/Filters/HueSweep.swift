public import ColorSpaces
public import ImageBuffer

/// All hues of one chroma from left to right, from white above to black below, in Oklab: what a gamut does not hold shows at once.
public struct HueSweep: Painter {
  /// The distance from gray in OkLCh.
  public let chroma: Double

  private let width, height: Int

  /// A sweep that fills `size`.
  public init(chroma: Double, size: PixelSize) {
    (self.chroma, width, height) = (chroma, size.width, size.height)
  }

  /// What the sweep fills.
  public var size: PixelSize? { PixelSize(width, height) }

  /// Oklab's numbers; painted in another space, they are that space's.
  public var domain: PixelDomain { .encoded }

  /// The hue of the column in the lightness of the row.
  public func pixel(x: Int, y: Int) -> SIMD4<Double> {
    let turn = 2 * (Double(x) + 0.5) / Double(width)
    return SIMD4(
      1 - (Double(y) + 0.5) / Double(height), chroma * cosine(ofPi: turn),
      chroma * sine(ofPi: turn), 1)
  }
}

extension HueSweep: CustomStringConvertible {
  /// The name in plans.
  public var description: String { "hue sweep" }
}

extension HueSweep: RecipePainter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<Painting<HueSweep>>(
    "hue-sweep", RecipeField("chroma", \.painter.chroma),
    RecipeField("size") { PixelSize($0.painter.width, $0.painter.height) },
    RecipeField("in", \.space, default: .oklab)
  ) { Painting(HueSweep(chroma: $0, size: $1), in: $2) }
}

extension Picture {
  /// All hues of one chroma in OkLCh from left to right, from white above to black below. Nothing is clamped.
  public static func hueSweep(
    chroma: Double, in space: ColorSpace, size: PixelSize
  ) -> Picture {
    Picture(HueSweep(chroma: chroma, size: size), in: .oklab).converted(to: space)
  }
}
