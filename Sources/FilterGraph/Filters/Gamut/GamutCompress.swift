public import ColorSpaces

/// Compresses colors of cameras and lamps into the gamut of ACEScg, or undoes that, without clipping.
///
/// Blue stage lights and neon signs lie outside of the gamut of a camera's space, and break into flat patches in later steps. The
/// reference gamut compression of ACES 1.3 (S-2020-001, `LMT.Academy.ReferenceGamutCompress`) brings them in smoothly, and has an inverse:
/// see ``GamutCompression`` for its formula. Where it changes nothing, values stay as they are. ``GamutFit`` is for the space that a
/// picture is shown in, and clips.
public struct GamutCompress: PointFilter {
  /// Which way colors go.
  @nonexhaustive
  public enum Direction: String, Hashable, Sendable, CaseIterable {
    /// Towards gray.
    case inwards
    /// Back to where they came from.
    case outwards
  }

  /// The curve over distances from the achromatic axis.
  public var compression: GamutCompression
  /// Which way colors go.
  public var direction: Direction

  /// Creates a compression, or its inverse.
  public init(_ compression: GamutCompression = .aces13, _ direction: Direction = .inwards) {
    (self.compression, self.direction) = (compression, direction)
  }

  /// Linear light.
  public var domain: PixelDomain { .linear }

  /// To ACEScg, along the curve, and back, where there is something to change.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.append(compression.stage(isUndone: direction == .outwards, in: space))
  }
}

extension GamutCompress: RecipeFilter {
  /// The declaration of `gamut-compress`.
  public static let declaration = Declaration<GamutCompress>(
    "gamut-compress", "Compresses colors into the gamut of ACEScg, or undoes that.",
    swift: "picture.gamutCompressed()",
    Parameter(
      "by", \.compression,
      "thresholds, limits and power of the compression; by default of ACES 1.3",
      default: .aces13,
      sample: GamutCompression(threshold: [0.2, 0.2, 0.2], limit: [1.2, 1.3, 1.3], power: 1.2)),
    Parameter(
      "direction", \.direction, "inwards compresses, outwards undoes a compression",
      default: .inwards)
  ) { GamutCompress($0, $1) }
}

extension GamutCompress.Direction: RecipeChoice {}

extension Picture {
  /// Returns this picture with its colors compressed into the gamut of ACEScg.
  public func gamutCompressed(by compression: GamutCompression = .aces13) -> Picture {
    applying(GamutCompress(compression, .inwards))
  }

  /// Returns this picture as it was before its colors were compressed into the gamut of ACEScg.
  public func gamutUncompressed(by compression: GamutCompression = .aces13) -> Picture {
    applying(GamutCompress(compression, .outwards))
  }
}
