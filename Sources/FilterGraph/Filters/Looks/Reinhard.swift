package import ColorSpaces

/// Compresses highlights by the tone mapping operator of Reinhard, Stark, Shirley and Ferwerda (2002, equation 4): `Y ·
/// (1 + Y / white²) / (1 + Y)`, with all channels scaled by the same factor.
///
/// The luminance `white` becomes 1, higher ones exceed it, and shadows hardly change. Adjust the exposure first, so
/// that middle gray has the intended luminance.
package struct Reinhard: PointFilter {
  /// The luminance that becomes 1.
  package let white: Double

  /// Creates a tone mapping for this white.
  package init(white: Double) throws(RecipeError) {
    self.white = white
    try Self.declaration.check(self)
  }

  /// Linear light: the operator scales luminances.
  package var domain: PixelDomain { .linear }

  /// Appends a factor for each pixel, from its luminance.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.append(.formula(.reinhard(white: white, weights: space.luminanceWeights)))
  }
}

extension Reinhard: RecipeFilter {
  /// The declaration of `reinhard`.
  package static let declaration = Declaration<Reinhard>(
    "reinhard", "Compresses highlights by the tone mapping operator of Reinhard et al. (2002).",
    keepsGray: true, swift: "picture.reinhard(white: 4)",
    Parameter(
      "white", \.white, "the luminance that becomes 1", unit: "linear light", in: 0.1...1e6,
      sample: 4)
  ) { white throws(RecipeError) in try Reinhard(white: white) }.with(.mapsTones)
    .computing(
      "All channels are scaled by (1 + Y / white²) / (1 + Y), where the luminance Y is above 0. Other pixels stay."
    )
}

extension Picture {
  /// Returns this picture with its highlights compressed, so that the luminance `white` becomes 1.
  public func reinhard(white: Double) -> Picture {
    applying { () throws(RecipeError) in try Reinhard(white: white) }
  }
}
