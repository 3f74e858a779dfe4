public import ColorSpaces
internal import ImageBuffer

/// Marks the colors that are out of another space's gamut.
///
/// By default they keep their color and everything else becomes the gray of its luminance, so that the picture stays
/// recognizable and the colors that displays and printers of that space will change stand out.
///
/// The gamut reaches to the brightest signal of the space: to white, and in spaces with PQ and HLG to the signal 1, far above white.
package struct GamutMask: PointFilter {
  /// The space whose gamut is tested.
  package var gamut: ColorSpace
  /// The distance out of gamut at which a color counts; nil for the precision of the picture's sources.
  ///
  /// With 0, rounding alone moves half of the colors on sRGB's surface out of gamut when they are stored as halves in
  /// Display P3.
  package let tolerance: Double?
  /// The unit of the tolerance.
  package let metric: GamutMetric
  /// How out-of-gamut colors are shown.
  package var marking: GamutMarking

  private var precisions: [ColorPrecision]?

  /// Creates a mask of the colors out of `gamut`.
  package init(
    outside gamut: ColorSpace, tolerance: Double? = nil, metric: GamutMetric = .light,
    marking: GamutMarking = .grayInside
  ) throws(RecipeError) {
    (self.gamut, self.tolerance) = (gamut, tolerance)
    (self.metric, self.marking) = (metric, marking)
    try Self.declaration.check(self)
    try GamutBoundary.check(tolerance, by: metric, of: [gamut])
  }

  /// Linear light: a color is in gamut where its linear values in the other space lie between 0 and that of its brightest signal.
  package var domain: PixelDomain { .linear }

  /// Appends a stage that converts strips of pixels to the other gamut's primaries and tests them.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    let boundary = GamutBoundary(
      of: gamut, from: space, tolerance, metric,
      precisions ?? [ColorPrecision(.float32, in: space)])
    let name = "mask of colors outside \(gamut)"
    switch marking {
    case .grayInside:
      let weights = SIMD3<Float>(space.luminanceWeights)
      program.rows(name) { strip in
        strip.mark(boundary) { isOutside, red, green, blue in
          let gray = red * weights.x + green * weights.y + blue * weights.z
          return isOutside ? (red, green, blue) : (gray, gray, gray)
        }
      }
    case .tintOutside(let tint):
      let color = SIMD3<Float>(tint.converted(to: space.linear).components)
      program.rows(name) { strip in
        strip.mark(boundary) { isOutside, red, green, blue in
          isOutside ? (color.x, color.y, color.z) : (red, green, blue)
        }
      }
    case .mask:
      program.rows(name) { strip in
        strip.mark(boundary) { isOutside, _, _, _ in isOutside ? (1, 1, 1) : (0, 0, 0) }
      }
    }
  }
}

/// How out-of-gamut colors are shown.
@nonexhaustive
public enum GamutMarking: Hashable, Sendable {
  /// Out-of-gamut colors are unchanged; all others become gray.
  case grayInside
  /// Out-of-gamut colors become one color; all others are unchanged.
  case tintOutside(ColorPoint)
  /// Out-of-gamut colors become white, all others black: a mask for other steps.
  case mask
}

/// The unit of a tolerance.
@nonexhaustive
public enum GamutMetric: Hashable, Sendable {
  /// The distance of a channel below 0 or above the brightest signal, in linear light of the gamut.
  case light
  /// The difference of the color from its clipped version.
  case difference(ColorDifference)
}

extension PixelStrip {
  /// Changes the colors inside and outside of a boundary. The loop is over separate channels, so that it becomes one over vectors.
  @inline(__always)
  fileprivate func mark(
    _ boundary: GamutBoundary,
    _ shown: (_ isOutside: Bool, _ red: Float, _ green: Float, _ blue: Float) -> (
      Float, Float, Float
    )
  ) {
    let planes = planes
    boundary.judgeParts(of: PixelRow(self)) { start, marks in
      let (red, green, blue) = (planes.0 + start, planes.1 + start, planes.2 + start)
      for i in marks.indices {
        (red[i], green[i], blue[i]) = shown(marks[i], red[i], green[i], blue[i])
      }
    }
  }
}

extension GamutMask: RecipeFilter {
  /// The declaration of `gamut-mask`.
  package static let declaration = Declaration<GamutMask>(
    "gamut-mask", "Marks the colors that lie outside the gamut of a color space.",
    swift: "picture.gamutMask(outside: .sRGB)",
    Parameter("outside", \.gamut, "the color space whose gamut is tested", sample: .sRGB),
    Parameter(
      "tolerance", \.tolerance,
      "how far outside a color must lie, in the metric; by default beyond the sources' precision",
      in: GamutBoundary.tolerances),
    Parameter(
      "metric", \.metric, "whether distances are linear light of the gamut or color differences",
      default: .light),
    Parameter(
      "marking", \.marking, "how out-of-gamut colors and all others are shown",
      default: .grayInside)
  ) { gamut, tolerance, metric, marking throws(RecipeError) in
    try GamutMask(outside: gamut, tolerance: tolerance, metric: metric, marking: marking)
  }
  .computing(
    "A color is in gamut where its linear values in the other space lie between 0 and the brightest signal: white, or the signal 1 of PQ "
      + "(10,000 cd/m²), HLG and logarithmic curves. So a space with PQ, such as Display P3 PQ, judges light up to 10,000 cd/m² by its "
      + "chromaticity.")
}

extension GamutMask: PrecisionDependent {
  func resolved(for precisions: [ColorPrecision]) -> GamutMask {
    var copy = self
    copy.precisions = precisions
    return copy
  }
}

extension GamutMetric: RecipeChoice {
  /// The word of a case. A formula of color differences may stand alone: `ok` for `difference:ok`.
  public static var textForm: TextForm {
    let (words, formulas) = (
      TextForm.choice(recipeCases), TextForm.choice(ColorDifference.recipeCases)
    )
    return TextForm(words.placeholder) { text in
      let name = String(text.prefix { $0 != ":" })
      guard
        ColorDifference.recipeCases.contains(where: { $0.isCalled(name) || $0.isCalled(text) })
      else { return words.read(text) }
      return formulas.read(text).map { .object([RecipeValue.Member("difference", $0)]) }
    }
  }

  /// The names of measures of a color's distance from a gamut, such as `light`.
  public static let recipeCases: [RecipeCase<GamutMetric>] = [
    RecipeCase("light", .light),
    RecipeCase("difference", { if case .difference(let formula) = $0 { formula } else { nil } }) {
      .difference($0)
    },
  ]
}

extension GamutMarking: RecipeChoice {
  /// The names of ways to mark colors, such as `gray-inside`.
  public static let recipeCases: [RecipeCase<GamutMarking>] = [
    RecipeCase("gray-inside", .grayInside),
    RecipeCase("tint-outside", { if case .tintOutside(let color) = $0 { color } else { nil } }) {
      .tintOutside($0)
    },
    RecipeCase("mask", .mask),
  ]
}

extension Picture {
  /// Returns this picture with the colors out of `gamut` marked: by default they keep their color, and all others
  /// become gray. Without a tolerance, ``sourcePrecisions`` decides which colors those are.
  ///
  /// The linear values of a gamut reach from 0 to 1, which is white, and to the signal 1 in spaces where that is brighter:
  /// 49.3 with PQ, 3.77 with HLG. In frames of high dynamic range, a mask outside of `ColorSpace.displayP3PQ` therefore marks
  /// chromaticities, and one outside of `ColorSpace.displayP3` also all light above white.
  public func gamutMask(
    outside gamut: ColorSpace, tolerance: Double? = nil, metric: GamutMetric = .light,
    marking: GamutMarking = .grayInside
  ) -> Picture {
    applying { () throws(RecipeError) in
      try GamutMask(outside: gamut, tolerance: tolerance, metric: metric, marking: marking)
    }
  }
}
