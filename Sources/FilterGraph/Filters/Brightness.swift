public import ColorSpaces

/// All tones lifted, or lowered, by steps that look about alike: an offset to the square root of light.
///
/// `(√x + offset)²`. The root is Richard Hunter's lightness, L = 100 √Y (“Photoelectric color difference meter”, Journal of the Optical
/// Society of America, 1958). ``Exposure`` is what a longer shutter does, and leaves black black; this one lifts black too, as fog and
/// stray light do.
public struct Brightness: PointFilter {
  /// What is added to the root of light, 0 for black and 1 for white.
  public var offset: Double

  /// An offset, below zero for darker.
  public init(_ offset: Double) { self.offset = offset }

  /// The square root of light.
  public var domain: PixelDomain { .perceptual }

  /// An offset.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.affine(offset: offset)
  }
}

extension Brightness: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<Brightness>(
    "brightness", RecipeField("offset", \.offset)
  ) { Brightness($0) }
}

extension Picture {
  /// This picture with `offset` added to the square root of its light.
  public func brightness(_ offset: Double) -> Picture { applying(Brightness(offset)) }
}
