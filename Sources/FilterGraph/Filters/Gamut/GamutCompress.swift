public import ColorSpaces

/// Compresses colors of cameras and saturated lamps toward the gamut of ACEScg, or inverts that, without clipping.
///
/// Blue stage lights and neon signs are out of gamut even in camera spaces, and cause flat patches in later steps. The
/// reference gamut compression of ACES 1.3 (S-2020-001, `LMT.Academy.ReferenceGamutCompress`) compresses them smoothly,
/// and is invertible: see `GamutCompression` for its formula. Colors it does not affect are unchanged. To map into
/// the gamut of an output space, which clips, use ``GamutFit``.
package struct GamutCompress: PointFilter {
  /// Whether the compression or its inverse is applied.
  @nonexhaustive
  package enum Direction: String, Hashable, Sendable, CaseIterable {
    /// The compression, towards gray.
    case inwards
    /// The inverse, away from gray.
    case outwards
  }

  /// The curve over distances from the achromatic axis.
  package var compression: GamutCompression
  /// Whether the compression or its inverse is applied.
  package var direction: Direction

  /// Creates a compression, or its inverse.
  package init(_ compression: GamutCompression = .aces13, _ direction: Direction = .inwards) {
    (self.compression, self.direction) = (compression, direction)
  }

  /// Linear light: the reference gamut compression is defined for linear ACEScg values.
  package var domain: PixelDomain { .linear }

  /// Appends the conversion to ACEScg, the compression, and the conversion back, where there is something to change.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.append(compression.stage(isUndone: direction == .outwards, in: space))
  }
}

extension GamutCompress: RecipeFilter {
  /// The declaration of `gamut-compress`.
  package static let declaration = Declaration<GamutCompress>(
    "gamut-compress", "Compresses colors toward the gamut of ACEScg, or undoes that.",
    keepsGray: true,
    swift: """
      try picture.gamutCompressed(by: GamutCompression(threshold: [0.2, 0.2, 0.2], \
      limit: [1.2, 1.3, 1.3], power: 1.2))
      """,
    Parameter(
      "by", \.compression,
      "thresholds, limits and power of the compression; by default of ACES 1.3",
      default: .aces13,
      sample: try? GamutCompression(
        threshold: [0.2, 0.2, 0.2], limit: [1.2, 1.3, 1.3], power: 1.2)),
    Parameter(
      "direction", \.direction, "inwards compresses, outwards undoes a compression",
      default: .inwards)
  ) { GamutCompress($0, $1) }
}

extension GamutCompress.Direction: RecipeChoice {}

extension Picture {
  /// Returns this picture with its colors compressed toward the gamut of ACEScg.
  public func gamutCompressed(by compression: GamutCompression = .aces13) -> Picture {
    applying(GamutCompress(compression, .inwards))
  }

  /// Returns this picture with the compression toward the gamut of ACEScg inverted.
  public func gamutUncompressed(by compression: GamutCompression = .aces13) -> Picture {
    applying(GamutCompress(compression, .outwards))
  }
}
