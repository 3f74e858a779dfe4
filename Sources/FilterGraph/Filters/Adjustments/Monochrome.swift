package import ColorSpaces

/// Turns each pixel into the gray of its luminance, or of a weighted sum of its channels, as a color filter in front of
/// a lens does.
///
/// `Y = r · R + g · G + b · B` in all three channels, in linear light. By default r, g and b are the row of Y in the
/// matrix from the space's primaries to XYZ (SMPTE RP 177, 1993), as the eye and panchromatic film weight them. Weights
/// of (1, 0, 0) are a deep red filter: dark skies and light skin.
package struct Monochrome: PointFilter {
  /// The weight of each channel; nil for its weight in luminance. Weights that sum to 1 preserve grays.
  package var weights: SIMD3<Double>?

  /// Creates a weighted sum of channels, by default luminance.
  package init(weights: SIMD3<Double>? = nil) { self.weights = weights }

  /// Linear light: luminance is a weighted mean of linear values.
  package var domain: PixelDomain { .linear }

  /// Appends a matrix of three equal rows.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    let row = weights ?? space.luminanceWeights
    program.append(.matrix(ColorMatrix(rows: row, row, row)))
  }
}

extension Monochrome: RecipeFilter {
  /// The declaration of `monochrome`.
  package static let declaration = Declaration<Monochrome>(
    "monochrome", "Turns colors gray by luminance, or by a weighted sum of channels.",
    aliases: ["grayscale"],
    keepsGray: true, swift: "picture.monochrome()",
    Parameter(
      "weights", \.weights, "the weights of red, green and blue; by default those of luminance")
  ) { Monochrome(weights: $0) }
}

extension Picture {
  /// Returns this picture in grays.
  public func monochrome(weights: SIMD3<Double>? = nil) -> Picture {
    applying(Monochrome(weights: weights))
  }
}
