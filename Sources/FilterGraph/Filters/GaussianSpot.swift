public import ColorSpaces

/// A spot of one color that fades into another as a bell: at the distance r from the middle, e^(−r² / 2σ²) of it is left.
///
/// Amounts of light fade, as those of a lamp out of focus do.
public struct GaussianSpot: Painter {
  /// Where the middle is, in pixels; that of the first pixel lies at (½, ½).
  public let center: SIMD2<Double>
  /// The deviation σ in pixels.
  public let sigma: Double

  private let light, background: SIMD3<Double>

  /// A spot of a color on another one, painted with the lights of `space`.
  public init(
    _ color: ColorPoint, on background: ColorPoint, center: SIMD2<Double>, sigma: Double,
    in space: ColorSpace
  ) {
    precondition(sigma > 0, "The deviation of a spot is greater than 0; got \(sigma).")
    (self.center, self.sigma) = (center, sigma)
    light = color.converted(to: space.linear).components
    self.background = background.converted(to: space.linear).components
  }

  /// What is left of the color at the pixel's middle, and the background for the rest.
  public func pixel(x: Int, y: Int) -> SIMD4<Double> {
    let step = (SIMD2(Double(x) + 0.5, Double(y) + 0.5) - center) / sigma
    let part = exponential(-(step * step).sum() / 2)
    return SIMD4(background + (light - background) * part, 1)
  }
}

extension GaussianSpot: CustomStringConvertible {
  /// The name in plans.
  public var description: String { "Gaussian spot" }
}

extension GaussianSpot: RecipePainter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<Painting<GaussianSpot>>(
    "gaussian-spot", RecipeField("color") { ColorPoint($0.painter.light, in: $0.space.linear) },
    RecipeField("background") { ColorPoint($0.painter.background, in: $0.space.linear) },
    RecipeField("center", \.painter.center),
    RecipeField("sigma", \.painter.sigma, in: 1e-6...1e12), RecipeField("in", \.space)
  ) { Painting(GaussianSpot($0, on: $1, center: $2, sigma: $3, in: $4), in: $4) }
}

extension Picture {
  /// A spot of a color that fades into another one, without end.
  public static func gaussianSpot(
    _ color: ColorPoint, on background: ColorPoint, center: SIMD2<Double>, sigma: Double,
    in space: ColorSpace
  ) -> Picture {
    Picture(GaussianSpot(color, on: background, center: center, sigma: sigma, in: space), in: space)
  }
}
