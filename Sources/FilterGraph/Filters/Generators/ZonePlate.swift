public import ColorSpaces

/// A zone plate: rings whose frequency rises with the radius, ½ + ½ · cos(π r² / 2R). It shows the frequency response
/// of a resize or a display.
///
/// At the radius R the rings reach the Nyquist frequency, a period of two pixels; those beyond are aliases. Values are
/// linear.
package struct ZonePlate: Painter {
  /// The center in pixels; that of the first pixel is (½, ½).
  package let center: SIMD2<Double>
  /// The radius R at which rings reach the Nyquist frequency, in pixels.
  package let radius: Double

  /// Creates a zone plate.
  package init(center: SIMD2<Double>, radius: Double) throws(RecipeError) {
    (self.center, self.radius) = (center, radius)
    try Self.declaration.check(self)
  }

  /// Returns the wave at the pixel's center.
  package func pixel(x: Int, y: Int) -> SIMD4<Double> {
    let step = SIMD2(Double(x) + 0.5, Double(y) + 0.5) - center
    let light = 0.5 + 0.5 * cosine(ofPi: (step * step).sum() / (2 * radius))
    return SIMD4(light, light, light, 1)
  }
}

extension ZonePlate: CustomStringConvertible {
  /// The text of this step in plans: “zone plate”.
  package var description: String { "zone plate" }
}

extension ZonePlate: RecipePainter {
  /// The declaration of `zone-plate`.
  package static let declaration = Declaration<Painting<ZonePlate>>(
    "zone-plate", "Paints a zone plate: rings whose frequency rises with the distance.",
    swift: "Picture.zonePlate(center: [20, 15], radius: 25, in: .sRGB)",
    Parameter(
      "center", \.painter.center, "the center; that of the first pixel lies at 0.5,0.5",
      unit: "pixels", sample: [20, 15]),
    Parameter(
      "radius", \.painter.radius, "the distance at which the rings' period is two pixels",
      unit: "pixels", in: 1e-6...1e12, sample: 25),
    Parameter("in", \.space, "the color space of the picture", default: .sRGB)
  ) { center, radius, space throws(RecipeError) in
    Painting(try ZonePlate(center: center, radius: radius), in: space)
  }
}

extension Picture {
  /// Creates an infinite zone plate, gray in `space`.
  public static func zonePlate(
    center: SIMD2<Double>, radius: Double, in space: ColorSpace
  ) -> Picture {
    painted(in: space) { () throws(RecipeError) in
      try ZonePlate(center: center, radius: radius)
    }
  }
}
