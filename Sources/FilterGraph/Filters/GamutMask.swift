public import ColorSpaces
internal import ImageBuffer

/// Shows which colors another space cannot hold.
///
/// By default they keep their color and everything else becomes the gray of its own luminance, so that the picture stays readable: what
/// screens and printers of that space will change stands out.
public struct GamutMask: PointFilter {
  /// How it is shown.
  @nonexhaustive
  public enum Marking: Hashable, Sendable {
    /// Colors outside stay what they are, bit for bit as far as the picture's numbers go; all others become gray.
    case grayInside
    /// Colors outside become one color; all others stay.
    case tintOutside(ColorPoint)
    /// Colors outside become white, all others black: a mask for other steps.
    case mask
  }

  /// What a tolerance is counted in.
  @nonexhaustive
  public enum Metric: Hashable, Sendable {
    /// How far beyond 0…1, in linear light of the gamut, a channel lies.
    case light
    /// How different the color is from what clipping makes of it.
    case difference(ColorDifference)
  }

  /// The space whose gamut is looked at.
  public var gamut: ColorSpace
  /// How far outside a color must lie to count; nil for farther than the precision of the picture's sources explains.
  ///
  /// With 0, rounding alone makes half of the colors on sRGB's surface wide when they are stored as halves in Display P3.
  public var tolerance: Double?
  /// What the tolerance is counted in.
  public var metric: Metric
  /// How it is shown.
  public var marking: Marking

  private var precisions: [ColorPrecision]?

  /// A mask of what lies outside of `gamut`.
  public init(
    outside gamut: ColorSpace, tolerance: Double? = nil, metric: Metric = .light,
    marking: Marking = .grayInside
  ) {
    (self.gamut, self.tolerance) = (gamut, tolerance)
    (self.metric, self.marking) = (metric, marking)
  }

  /// Linear light.
  public var domain: PixelDomain { .linear }

  /// A strip of pixels at a time: mixed to the other gamut's lights, and looked at.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    let boundary = GamutBoundary(
      of: gamut, from: space, tolerance, metric,
      precisions ?? [ColorPrecision(.float32, in: space)])
    let weights = SIMD3<Float>(space.luminanceWeights)
    let name = "mask of colors outside \(gamut)"
    switch marking {
    case .grayInside:
      program.rows(name) { strip in
        strip.mark(boundary, inside: { SIMD3(repeating: ($0 * weights).sum()) }, outside: { $0 })
      }
    case .tintOutside(let tint):
      let color = SIMD3<Float>(tint.converted(to: space.linear).components)
      program.rows(name) { $0.mark(boundary, inside: { $0 }, outside: { _ in color }) }
    case .mask:
      program.rows(name) { $0.mark(boundary, inside: { _ in .zero }, outside: { _ in .one }) }
    }
  }
}

extension PixelStrip {
  /// Shows lights inside and outside of a boundary differently.
  @inline(__always)
  fileprivate func mark(
    _ boundary: GamutBoundary, inside: (SIMD3<Float>) -> SIMD3<Float>,
    outside: (SIMD3<Float>) -> SIMD3<Float>
  ) {
    for i in indices {
      let light = SIMD3(red[i], green[i], blue[i])
      let shown = boundary.excludes(light, alpha: alpha[i]) ? outside(light) : inside(light)
      (red[i], green[i], blue[i]) = (shown.x, shown.y, shown.z)
    }
  }
}

extension GamutMask: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<GamutMask>(
    "gamut-mask", RecipeField("outside", \.gamut),
    RecipeField("tolerance", \.tolerance),
    RecipeField("metric", \.metric, default: .light),
    RecipeField("marking", \.marking, default: .grayInside)
  ) { gamut, tolerance, metric, marking throws(RecipeError) in
    let limits = 0...1e6
    if let tolerance, !limits.contains(tolerance) {
      throw .other(
        "The tolerance of “gamut-mask” must lie in 0…1000000, not \(tolerance). Leave it out for the "
          + "precision of the sources.")
    }
    return GamutMask(outside: gamut, tolerance: tolerance, metric: metric, marking: marking)
  }
}

extension GamutMask: PrecisionDependent {
  func resolved(for precisions: [ColorPrecision]) -> GamutMask {
    var copy = self
    copy.precisions = precisions
    return copy
  }
}

extension GamutMask.Metric: RecipeChoice {
  /// The words for it in recipes.
  public static let recipeCases: [RecipeCase<GamutMask.Metric>] = [
    RecipeCase("light", .light),
    RecipeCase("difference", { if case .difference(let formula) = $0 { formula } else { nil } }) {
      .difference($0)
    },
  ]
}

extension GamutMask.Marking: RecipeChoice {
  /// The words for it in recipes.
  public static let recipeCases: [RecipeCase<GamutMask.Marking>] = [
    RecipeCase("gray-inside", .grayInside),
    RecipeCase("tint-outside", { if case .tintOutside(let color) = $0 { color } else { nil } }) {
      .tintOutside($0)
    },
    RecipeCase("mask", .mask),
  ]
}

extension Picture {
  /// Returns this picture with the colors marked that `gamut` cannot hold: by default they keep their color, and all others become
  /// gray. Without a tolerance, ``sourcePrecisions`` decides which colors those are.
  public func gamutMask(
    outside gamut: ColorSpace, tolerance: Double? = nil, metric: GamutMask.Metric = .light,
    marking: GamutMask.Marking = .grayInside
  ) -> Picture {
    applying(GamutMask(outside: gamut, tolerance: tolerance, metric: metric, marking: marking))
  }
}
