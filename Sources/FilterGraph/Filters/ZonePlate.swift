public import ColorSpaces

/// Rings that become the finer the farther out they lie, ½ + ½ · cos(π r² / 2R): what a resize or a display does to each frequency.
///
/// At the radius R there is one light ring in two pixels, as fine as pixels can show; what seems to be a ring beyond is none. The
/// numbers are amounts of light.
public struct ZonePlate: Painter {
  /// Where the middle is, in pixels; that of the first pixel lies at (½, ½).
  public let center: SIMD2<Double>
  /// The distance R at which rings are as fine as pixels.
  public let radius: Double

  /// Rings around a center.
  public init(center: SIMD2<Double>, radius: Double) {
    precondition(radius > 0, "The radius of a zone plate is greater than 0; got \(radius).")
    (self.center, self.radius) = (center, radius)
  }

  /// The wave at the pixel's middle.
  public func pixel(x: Int, y: Int) -> SIMD4<Double> {
    let step = SIMD2(Double(x) + 0.5, Double(y) + 0.5) - center
    let light = 0.5 + 0.5 * cosine(ofPi: (step * step).sum() / (2 * radius))
    return SIMD4(light, light, light, 1)
  }
}

extension ZonePlate: CustomStringConvertible {
  /// The name in plans.
  public var description: String { "zone plate" }
}

extension ZonePlate: RecipePainter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<Painting<ZonePlate>>(
    "zone-plate", RecipeField("center", \.painter.center),
    RecipeField("radius", \.painter.radius, in: 1e-6...1e12), RecipeField("in", \.space)
  ) { Painting(ZonePlate(center: $0, radius: $1), in: $2) }
}

extension Picture {
  /// Rings without end that become the finer the farther out they lie, gray in `space`.
  public static func zonePlate(
    center: SIMD2<Double>, radius: Double, in space: ColorSpace
  ) -> Picture {
    Picture(ZonePlate(center: center, radius: radius), in: space)
  }
}
