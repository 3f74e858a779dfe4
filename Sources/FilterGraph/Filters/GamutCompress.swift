public import ColorSpaces

/// Colors of cameras and lamps drawn into the lights of ACEScg, or back out of them, without clipping anything.
///
/// Blue stage lights and neon signs are more colorful than a camera's space can say, and break into flat patches in later steps. The
/// reference gamut compression of ACES 1.3 (S-2020-001, `LMT.Academy.ReferenceGamutCompress`) draws them in smoothly, and may be undone:
/// see ``GamutCompression`` for its formula. Where it changes nothing, numbers stay as they are. ``GamutFit`` is for the space that a
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

  /// The curve of distances from gray.
  public var compression: GamutCompression
  /// Which way colors go.
  public var direction: Direction

  /// A compression, or the way back out of it.
  public init(_ compression: GamutCompression = .aces13, _ direction: Direction = .inwards) {
    (self.compression, self.direction) = (compression, direction)
  }

  /// Linear light.
  public var domain: PixelDomain { .linear }

  /// To ACEScg, along the curve, and back, where there is something to change.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    let (compression, direction) = (compression, direction)
    let (toFilm, fromFilm) = (space.matrix(to: .acescg), ColorSpace.acescg.matrix(to: space))
    program.append(
      .map(direction == .inwards ? "gamut compression" : "gamut compression undone") { light in
        let film = toFilm * light
        let changed = direction == .inwards ? compression(film) : compression.undo(film)
        return changed == film || !changed.sum().isFinite ? light : fromFilm * changed
      })
  }
}

extension GamutCompress: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<GamutCompress>(
    "gamut-compress", RecipeField("by", \.compression, default: .aces13),
    RecipeField("direction", \.direction, default: .inwards)
  ) { GamutCompress($0, $1) }
}

extension GamutCompress.Direction: RecipeChoice {}

extension Picture {
  /// This picture with the colors that ACEScg cannot hold drawn into it.
  public func gamutCompressed(by compression: GamutCompression = .aces13) -> Picture {
    applying(GamutCompress(compression, .inwards))
  }

  /// This picture as it was before its colors were drawn into ACEScg.
  public func gamutUncompressed(by compression: GamutCompression = .aces13) -> Picture {
    applying(GamutCompress(compression, .outwards))
  }
}
