public import ColorSpaces

/// Makes the color of a screen transparent, and removes its reflections from all other colors.
///
/// A pixel is compared with the key by saturation and hue, so that shadows and uneven light on the screen count as the screen: Oklab's a
/// and b over lightness, as a fraction of the key's. There the screen is at 0, every gray at 1, and one tolerance suits pale and vivid
/// screens. A key that is itself gray, such as white paper, is compared with lightness, too.
struct ChromaKey: CompoundFilter, RecipeFilter {
  let color: ColorPoint
  let tolerance, softness, spill: Double
  let countsLightness: Bool

  /// Below this chroma in Oklab, noise decides a color's hue.
  private static let leastChroma = 0.02

  init(
    _ color: ColorPoint, tolerance: Double, softness: Double, spill: Double, countsLightness: Bool
  ) throws(RecipeError) {
    (self.color, self.tolerance, self.softness) = (color, tolerance, softness)
    (self.spill, self.countsLightness) = (spill, countsLightness)
    try Self.declaration.check(self)
    let key = key
    guard key.x.isFinite, chroma.isFinite else {
      throw .other("A chroma key needs a color of finite values; in Oklab this one has \(key).")
    }
    guard countsLightness || hasHue && key.x > 0 else {
      let found = (chroma * 10_000).rounded() / 10_000
      throw .other(
        "A chroma key needs a color of a chroma from \(Self.leastChroma) up in Oklab; this one has "
          + "\(found). To key white, black or gray, count lightness, too.")
    }
  }

  /// The color in Oklab.
  private var key: SIMD3<Double> { color.converted(to: .oklab).components }
  private var chroma: Double { (key.y * key.y + key.z * key.z).squareRoot() }
  private var hasHue: Bool { chroma >= Self.leastChroma }

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    let matte = picture.applying(
      ScreenMatte(
        key: key, tolerance: tolerance, softness: softness, countsLightness: countsLightness))
    let clean =
      spill > 0 && hasHue
      ? picture.applying(SpillSuppression(key: key, amount: spill)) : picture
    // A mask counts times its alpha, so that transparent pixels stay transparent.
    return clean.applying(AlphaMask(by: .red), with: [matte])
  }

  static let declaration = Declaration<ChromaKey>(
    "chroma-key", "Makes the color of a screen transparent, and removes its spill.",
    keepsGray: true,
    swift: "picture.chromaKeyed(ColorPoint(0, 0.7, 0.25, in: .sRGB), softness: 0.5)",
    Parameter(
      "color", \.color, "the color of the screen, as it is lit in the picture",
      sample: ColorPoint(0, 0.7, 0.25, in: .sRGB)),
    Parameter(
      "tolerance", \.tolerance,
      "the distance up to which colors become transparent; grays are at 1",
      default: 0.3, in: 0...1),
    Parameter(
      "softness", \.softness, "the further distance over which colors become opaque",
      default: 0.3, in: 0...1, sample: 0.5),
    Parameter(
      "spill", \.spill, "the part of the screen's reflections that is removed from other colors",
      default: 1, in: 0...1),
    Parameter(
      "counts-lightness", \.countsLightness,
      "whether lightness counts, too, as for a white screen; distances are then ΔE OK",
      default: false)
  ) { color, tolerance, softness, spill, countsLightness throws(RecipeError) in
    try ChromaKey(
      color, tolerance: tolerance, softness: softness, spill: spill,
      countsLightness: countsLightness)
  }.computing(
    "In Oklab, d is the distance of (a, b) · K / max(L, 0.4 · K) from the key's (a, b), over the "
      + "key's chroma, where K is the key's lightness. Alpha is multiplied by (d − tolerance) / "
      + "softness, held in 0…1. In hues within 60° of the key's, spill is the part of the chroma "
      + "toward the key that is removed, down to a hue 60° away; lightness stays.")
}

/// The opacity that a chroma key gives each pixel, as linear values of all three channels.
struct ScreenMatte: PointFilter {
  /// The key in Oklab.
  var key: SIMD3<Double>
  var tolerance, softness: Double
  var countsLightness: Bool

  /// Linear light, which the formula converts to Oklab.
  var domain: PixelDomain { .linear }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.append(
      .formula(
        .chromaKey(
          key, tolerance: tolerance, softness: softness, countsLightness: countsLightness, in: space
        )))
  }
}

/// Removes a screen's reflections from colors of its hue.
struct SpillSuppression: PointFilter {
  /// The key in Oklab.
  var key: SIMD3<Double>
  /// The part that is removed, 0…1.
  var amount: Double

  /// Linear light, which the formula converts to Oklab.
  var domain: PixelDomain { .linear }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.append(.formula(.spillSuppression(of: key, amount: amount, in: space)))
  }
}

extension Picture {
  /// Returns this picture with the color of a screen transparent, to be composited over another picture.
  ///
  /// Alpha is multiplied, and colors stay straight; those of transparent pixels remain, without spill. Shadows on the screen are
  /// transparent, too, down to four stops below its color. A gray picture has no screen and stays as it is.
  ///
  /// - Parameters:
  ///   - color: The color of the screen, as it is lit in the picture.
  ///   - tolerance: The distance up to which colors become transparent, 0…1. It is the difference of saturation and hue, where the screen
  ///     is at 0 and every gray at 1.
  ///   - softness: The further distance over which colors become opaque, 0…1.
  ///   - spill: The part of the screen's reflections that is removed from other colors, 0…1. Pass 0 for a subject of the screen's hue.
  ///   - countsLightness: Whether lightness counts, too, as a white, gray or black `color` requires. Distances are then ΔE OK.
  public func chromaKeyed(
    _ color: ColorPoint, tolerance: Double = 0.3, softness: Double = 0.3, spill: Double = 1,
    countsLightness: Bool = false
  ) -> Picture {
    applying { () throws(RecipeError) in
      try ChromaKey(
        color, tolerance: tolerance, softness: softness, spill: spill,
        countsLightness: countsLightness)
    }
  }
}
