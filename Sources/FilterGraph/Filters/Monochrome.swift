public import ColorSpaces

/// Black and white: each pixel becomes the gray of its luminance, or of a mix of its channels as by a colored filter in front of a
/// lens.
///
/// `Y = r · R + g · G + b · B` in all three channels, in linear light. By default r, g and b are the row of Y in the matrix from the
/// space's lights to XYZ (SMPTE RP 177, 1993): what an eye, or panchromatic film, sees. Weights of (1, 0, 0) are a deep red filter:
/// dark skies and light skin.
public struct Monochrome: PointFilter {
  /// How much of each channel's light counts; nil for its part in luminance. Weights that sum to 1 leave grays what they are.
  public var weights: SIMD3<Double>?

  /// A mix of channels, by default luminance.
  public init(weights: SIMD3<Double>? = nil) { self.weights = weights }

  /// Linear light.
  public var domain: PixelDomain { .linear }

  /// A matrix of three equal rows.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    let row = weights ?? space.luminanceWeights
    program.append(.matrix(ColorMatrix(rows: row, row, row)))
  }
}

extension Monochrome: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<Monochrome>(
    "monochrome", RecipeField("weights", \.weights)
  ) { Monochrome(weights: $0) }
}

extension Picture {
  /// This picture in black and white.
  public func monochrome(weights: SIMD3<Double>? = nil) -> Picture {
    applying(Monochrome(weights: weights))
  }
}
