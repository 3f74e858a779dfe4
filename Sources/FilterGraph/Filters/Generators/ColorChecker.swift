public import ColorSpaces
package import ImageBuffer

/// The color rendition chart of 24 patches: natural colors, saturated colors and six grays.
///
/// The colors are the maker's for charts since November 2014, for D50 and the 2° observer (X-Rite, “New color
/// specifications for ColorChecker SG and Classic charts”, 2016).
package struct ColorChecker: Painter {
  /// The side of a patch in pixels. Gaps and the border are black, an eighth of it wide.
  package let patch: Int

  private let lights: [SIMD3<Double>]

  /// Creates the chart in the primaries of `space`.
  package init(patch: Int, in space: ColorSpace) throws(RecipeError) {
    self.patch = patch
    lights = Self.colors.map { $0.converted(to: space.linear).components }
    try Self.declaration.check(self)
  }

  /// The patches in row-major order.
  package static let colors: [ColorPoint] = [
    [37.54, 14.37, 14.92], [64.66, 19.27, 17.50], [49.32, -3.82, -22.54], [43.46, -12.74, 22.72],
    [54.94, 9.61, -24.79], [70.48, -32.26, -0.37], [62.73, 35.83, 56.50], [39.43, 10.75, -45.17],
    [50.57, 48.64, 16.67], [30.10, 22.54, -20.87], [71.77, -24.13, 58.19], [71.51, 18.24, 67.37],
    [28.37, 15.42, -49.80], [54.38, -39.72, 32.27], [42.43, 51.05, 28.62], [81.80, 2.67, 80.41],
    [50.63, 51.28, -14.12], [49.57, -29.71, -28.32], [95.19, -1.03, 2.93], [81.29, -0.57, 0.44],
    [66.89, -0.75, -0.06], [50.76, -0.13, 0.14], [35.63, -0.46, -0.48], [20.64, 0.07, -0.46],
  ].map { ColorPoint($0, in: .lab) }

  private var gap: Int { patch / 8 }

  /// Six by four patches.
  package var size: PixelSize? {
    PixelSize(6 * (patch + gap) + gap, 4 * (patch + gap) + gap)
  }

  /// Returns the color of the patch, or black between patches.
  package func pixel(x: Int, y: Int) -> SIMD4<Double> {
    let (column, across) = (x - gap).quotientAndRemainder(dividingBy: patch + gap)
    let (row, down) = (y - gap).quotientAndRemainder(dividingBy: patch + gap)
    guard x >= gap, y >= gap, across < patch, down < patch else { return SIMD4(0, 0, 0, 1) }
    return SIMD4(lights[6 * row + column], 1)
  }
}

extension ColorChecker: CustomStringConvertible {
  /// The text of this step in plans: “ColorChecker”.
  package var description: String { "ColorChecker" }
}

extension ColorChecker: RecipePainter {
  /// The declaration of `color-checker`.
  package static let declaration = Declaration<Painting<ColorChecker>>(
    "color-checker", "Paints the 24 patches of the ColorChecker chart.",
    swift: "Picture.colorChecker(patch: 8, in: .sRGB)",
    Parameter(
      "patch", \.painter.patch, "the side of a patch", unit: "pixels", in: 8...1 << 20,
      sample: 8),
    Parameter("in", \.space, "the color space of the picture", default: .sRGB)
  ) { patch, space throws(RecipeError) in
    Painting(try ColorChecker(patch: patch, in: space), in: space)
  }
}

extension Picture {
  /// Creates the chart of 24 patches of `patch` pixels each.
  public static func colorChecker(patch: Int, in space: ColorSpace) -> Picture {
    painted(in: space) { () throws(RecipeError) in try ColorChecker(patch: patch, in: space) }
  }
}
