public import ColorSpaces

/// Brings every color into the gamut of the picture's space.
public struct GamutFit: PointFilter {
  /// How colors outside are brought in.
  public var mapping: GamutMapping

  /// A fit by the given mapping.
  public init(mapping: GamutMapping = .reducedChroma) { self.mapping = mapping }

  /// As stored: what a space holds is a matter of its stored numbers.
  public var domain: PixelDomain { .encoded }

  /// Holds the numbers in range, or maps one color after the other.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    switch mapping {
    case .clipped: program.append(.clamp(0...1))
    default:
      let mapping = mapping
      program.append(
        .map("fit into \(space)") { mapping.map(ColorPoint($0, in: space), into: space).components }
      )
    }
  }
}

extension Picture {
  /// This picture in another space, with every color that the space cannot hold mapped to one that it can.
  public func fitted(
    into target: ColorSpace, by mapping: GamutMapping = .reducedChroma
  ) -> Picture {
    converted(to: target).applying(GamutFit(mapping: mapping))
  }
}
