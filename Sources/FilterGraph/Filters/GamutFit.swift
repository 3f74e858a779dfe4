public import ColorSpaces

/// Brings every color into the gamut of the picture's space.
///
/// What a screen or a paper cannot show becomes the nearest that it can, so that a red tulip keeps its petals. By default lightness and hue
/// of OkLCh stay and chroma gives way, until clipping is not seen: a ΔE OK below 0.02 (CSS Color 4, 13.2). The formulas of the other ways
/// are ``GamutMapping``'s.
public struct GamutFit: PointFilter {
  /// How colors outside are brought in.
  public var mapping: GamutMapping

  /// A fit by the given mapping.
  public init(mapping: GamutMapping = .reducedChroma) { self.mapping = mapping }

  /// Light, but for clipping, which needs not look at it.
  public var domain: PixelDomain { mapping == .clipped ? .encoded : .linear }

  /// Holds the numbers in range, or maps one color after the other.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    if mapping != .clipped {
      program.append(mapping.stage(into: space))
    } else if space.transfer.curves != nil {
      program.append(.clamp(0...1))
    } else {
      program.append(.decode(space.transfer))
      program.append(mapping.stage(into: space))
      program.append(.encode(space.transfer))
    }
  }
}

extension GamutFit: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<GamutFit>(
    "gamut-fit", RecipeField("by", \.mapping, default: .reducedChroma)
  ) { GamutFit(mapping: $0) }
}

extension Picture {
  /// This picture in another space, with every color that the space cannot hold mapped to one that it can.
  public func fitted(
    into target: ColorSpace, by mapping: GamutMapping = .reducedChroma
  ) -> Picture {
    converted(to: target).applying(GamutFit(mapping: mapping))
  }
}
