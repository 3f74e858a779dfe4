package import ColorSpaces

/// Raises or lowers all tones by about equal visible steps: adds an offset to the square root of linear light.
///
/// `(√x + offset)²`. The root is Richard Hunter's lightness, L = 100 √Y (“Photoelectric color difference meter”,
/// Journal of the Optical Society of America, 1958). Unlike ``Exposure``, which leaves black unchanged as a longer
/// exposure time does, this filter also lifts black, as fog and stray light do.
package struct Brightness: PointFilter {
  /// The offset of the square root of linear light, which is 0 for black and 1 for white.
  package var offset: Double

  /// Creates an offset; a negative one darkens.
  package init(_ offset: Double) { self.offset = offset }

  /// The square root of linear light.
  package var domain: PixelDomain { .perceptual }

  /// Appends an offset.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.affine(offset: offset)
  }
}

extension Brightness: RecipeFilter {
  /// The declaration of `brightness`.
  package static let declaration = Declaration<Brightness>(
    "brightness", "Adds an offset to the square root of linear light.",
    keepsGray: true, swift: "picture.brightness(0.1)",
    Parameter(
      "offset", \.offset, "what is added, where black is 0 and white is 1; below zero darkens",
      unit: "square root of linear light", sample: 0.1)
  ) { Brightness($0) }
}

extension Picture {
  /// Returns this picture with `offset` added to the square root of its linear light.
  public func brightness(_ offset: Double) -> Picture { applying(Brightness(offset)) }
}
