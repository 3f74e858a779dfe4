public import ColorSpaces

/// A Gaussian spot of one color on another: at the distance r from the center its weight is e^(−r² / 2σ²).
///
/// The colors mix in linear light, as for a lamp out of focus.
package struct GaussianSpot: Painter {
  /// The center in pixels; that of the first pixel is (½, ½).
  package let center: SIMD2<Double>
  /// The standard deviation σ in pixels.
  package let sigma: Double

  private let light, background: SIMD3<Double>

  /// Creates a spot of a color on another one, in the primaries of `space`.
  package init(
    _ color: ColorPoint, on background: ColorPoint, center: SIMD2<Double>, sigma: Double,
    in space: ColorSpace
  ) throws(RecipeError) {
    (self.center, self.sigma) = (center, sigma)
    light = color.converted(to: space.linear).components
    self.background = background.converted(to: space.linear).components
    try Self.declaration.check(self)
  }

  /// Returns the mixture at the pixel's center.
  package func pixel(x: Int, y: Int) -> SIMD4<Double> {
    let step = (SIMD2(Double(x) + 0.5, Double(y) + 0.5) - center) / sigma
    let part = exponential(-(step * step).sum() / 2)
    return SIMD4(background + (light - background) * part, 1)
  }
}

extension GaussianSpot: CustomStringConvertible {
  /// The text of this step in plans: “Gaussian spot”.
  package var description: String { "Gaussian spot" }
}

extension GaussianSpot: RecipePainter {
  /// The declaration of `gaussian-spot`.
  package static let declaration = Declaration<Painting<GaussianSpot>>(
    "gaussian-spot", "Paints a spot of light with a Gaussian profile.",
    swift: "Picture.gaussianSpot(white, on: black, center: [20, 15], sigma: 6, in: .sRGB)",
    Parameter(
      "color", { ColorPoint($0.painter.light, in: $0.space.linear) }, "the color at the center",
      sample: ColorPoint(1, 1, 1, in: .sRGB)),
    Parameter(
      "background", { ColorPoint($0.painter.background, in: $0.space.linear) },
      "the color far away", sample: ColorPoint(0, 0, 0, in: .sRGB)),
    Parameter(
      "center", \.painter.center, "the center; that of the first pixel lies at 0.5,0.5",
      unit: "pixels", sample: [20, 15]),
    Parameter(
      "sigma", \.painter.sigma, "the standard deviation", unit: "pixels", in: 1e-6...1e12,
      sample: 6),
    Parameter("in", \.space, "the color space of the picture", default: .sRGB)
  ) { color, background, center, sigma, space throws(RecipeError) in
    Painting(
      try GaussianSpot(color, on: background, center: center, sigma: sigma, in: space), in: space)
  }
}

extension Picture {
  /// Creates an infinite picture of a Gaussian spot on a background color.
  public static func gaussianSpot(
    _ color: ColorPoint, on background: ColorPoint, center: SIMD2<Double>, sigma: Double,
    in space: ColorSpace
  ) -> Picture {
    painted(in: space) { () throws(RecipeError) in
      try GaussianSpot(color, on: background, center: center, sigma: sigma, in: space)
    }.requiringFiniteLight(of: color, background)
  }
}
