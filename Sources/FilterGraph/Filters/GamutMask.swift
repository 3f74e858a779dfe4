public import ColorSpaces

/// Shows which colors another space cannot hold: they keep their color, everything else becomes gray.
///
/// The gray is the pixel's own luminance, so the picture stays readable.
public struct GamutMask: PointFilter {
  /// The space whose gamut is looked at.
  public var gamut: ColorSpace
  /// How far beyond 0…1, in linear light, a channel must lie to count as outside: above the noise of stored numbers.
  public var tolerance: Double

  /// A mask of what lies outside of `gamut`.
  public init(outside gamut: ColorSpace, tolerance: Double = 0.001) {
    precondition(
      tolerance >= 0 && tolerance.isFinite,
      "A tolerance lies from 0 up; got \(tolerance).")
    (self.gamut, self.tolerance) = (gamut, tolerance)
  }

  /// Linear light.
  public var domain: PixelDomain { .linear }

  /// A strip of pixels at a time: mixed to the other gamut's lights, and looked at.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    let rows = space.matrix(to: gamut).rows.map { SIMD3<Float>($0) }
    let (red, green, blue) = (rows[0], rows[1], rows[2])
    let weights = SIMD3<Float>(space.luminanceWeights)
    let (low, high) = (Float(-tolerance), Float(1 + tolerance))
    program.rows("mask of colors outside \(gamut)") { strip in
      for i in strip.indices {
        let light = SIMD3(strip.red[i], strip.green[i], strip.blue[i])
        let mixed = SIMD3((red * light).sum(), (green * light).sum(), (blue * light).sum())
        if any(mixed .< low) || any(mixed .> high) { continue }
        let gray = (weights * light).sum()
        (strip.red[i], strip.green[i], strip.blue[i]) = (gray, gray, gray)
      }
    }
  }
}

extension GamutMask: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<GamutMask>(
    "gamut-mask", RecipeField("outside", \.gamut),
    RecipeField("tolerance", \.tolerance, default: 0.001, in: 0...1e6)
  ) { GamutMask(outside: $0, tolerance: $1) }
}

extension Picture {
  /// This picture with its color only where `gamut` cannot hold it, gray elsewhere.
  public func gamutMask(outside gamut: ColorSpace, tolerance: Double = 0.001) -> Picture {
    applying(GamutMask(outside: gamut, tolerance: tolerance))
  }
}
