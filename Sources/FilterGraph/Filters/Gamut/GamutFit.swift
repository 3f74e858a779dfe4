public import ColorSpaces

/// Maps every color into the gamut of the picture's space.
///
/// Out-of-gamut colors become displayable or printable ones with as little visible change as possible. By default
/// lightness and hue of OkLCh are kept and chroma is reduced until clipping is invisible: a ΔE OK below 0.02 (CSS Color
/// 4, 13.2). `GamutMapping` has the formulas of the other methods.
package struct GamutFit: PointFilter {
  /// The gamut mapping.
  package let mapping: GamutMapping

  /// Creates a fit by the given mapping.
  package init(mapping: GamutMapping = .reducedChroma) throws(RecipeError) {
    if case .softKnee(let threshold) = mapping {
      try checked("The threshold of a soft knee", threshold, in: GamutMapping.softKneeThresholds)
    }
    self.mapping = mapping
  }

  /// Linear light, but encoded values for clipping, which needs no decoding.
  package var domain: PixelDomain { mapping == .clipped ? .encoded : .linear }

  /// Appends a clamp, or the mapping of each color.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
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
  /// The declaration of `gamut-fit`.
  package static let declaration = Declaration<GamutFit>(
    "gamut-fit",
    "Maps out-of-gamut colors into the gamut of the picture's space; convert before it.",
    keepsGray: true,
    swift: "picture.fitted(into: .sRGB, by: .softKnee(threshold: 0.5))",
    Parameter(
      "by", \.mapping, "the method of gamut mapping", default: .reducedChroma,
      sample: .softKnee(threshold: 0.5))
  ) { mapping throws(RecipeError) in try GamutFit(mapping: mapping) }
  .working("in linear light, or in encoded values with by=clipped")
  .clamping("Every color becomes one of the gamut.")
}

extension Picture {
  /// Returns this picture in another space, with out-of-gamut colors mapped into its gamut.
  public func fitted(
    into target: ColorSpace, by mapping: GamutMapping = .reducedChroma
  ) -> Picture {
    converted(to: target).applying { () throws(RecipeError) in try GamutFit(mapping: mapping) }
  }
}
