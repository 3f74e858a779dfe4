internal import ColorSpaces
internal import ImageBuffer

/// Computes the gain map that leads from a base picture to another rendition of it: the inverse of ``GainMap``
/// (ISO 21496-1; Ultra HDR).
///
/// For each channel the gain is `s = log2((y + offset′) / (x + offset))` stops, where `x` is the base, clamped to the
/// 0…1 that files hold, and `y` the other rendition, at least 0. The map is `((s − least) / (greatest − least))^γ`,
/// clamped to 0…1.
///
/// The first input is the base, the second one the other rendition, of the same size and in the same space.
package struct GainMapComputation: BlendFilter {
  /// The gains in stops that become 0 and 1.
  package let least, greatest: SIMD3<Double>
  /// The gamma encoding of the map.
  package let gamma: SIMD3<Double>
  /// The linear offsets of the base and of the other rendition.
  package let baseOffset, alternateOffset: SIMD3<Double>

  private let program: PairProgram<GainFormula>

  /// Creates the computation of a map with this range of gains. The default offsets are those of Ultra HDR.
  package init(
    least: SIMD3<Double> = .zero, greatest: SIMD3<Double> = .one, gamma: SIMD3<Double> = .one,
    baseOffset: SIMD3<Double> = GainMap.usualOffset,
    alternateOffset: SIMD3<Double> = GainMap.usualOffset
  ) throws(RecipeError) {
    (self.least, self.greatest, self.gamma) = (least, greatest, gamma)
    (self.baseOffset, self.alternateOffset) = (baseOffset, alternateOffset)
    let formula = GainFormula(
      least: least, greatest: greatest, gamma: gamma, baseOffset: baseOffset,
      alternateOffset: alternateOffset)
    program = PairProgram(formula) { formula.mapCode }
    try GainMapComputationCompound.declaration.check(GainMapComputationCompound(computation: self))
    try GainMap.checkRange(least, greatest)
  }

  /// Linear light with straight alpha.
  package var domain: PixelDomain { .linear }

  /// The pixels of the base.
  package var extent: BlendExtent { .first }

  /// Returns false: a map is opaque.
  package func hasAlpha(_ inputs: [Bool]) -> Bool { false }

  /// Returns the map of a pixel.
  package func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    let (base, other) = (inputs[0], inputs[1])
    let map = program.definition.map(
      from: SIMD3(base.x, base.y, base.z), to: SIMD3(other.x, other.y, other.z))
    return SIMD4(map, 1)
  }

  /// Computes row by row, by the kernels.
  package func render(into output: Tile, from inputs: [Tile]) {
    program.render(into: output, from: inputs)
  }
}

extension GainMapComputation: CustomStringConvertible {
  /// The text of this step in plans: “gain map between two renditions”.
  package var description: String { "gain map between two renditions" }
}

/// Computes the gain map to another rendition, wherever that lies, in linear light.
struct GainMapComputationCompound: CompoundFilter, RecipeFilter {
  let computation: GainMapComputation

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    if picture.isEndless { return picture.failing(.endless) }
    let space = picture.space.holding(others[0].space).linear
    return picture.converted(to: space).applying(
      computation, with: [others[0].converted(to: space).placed(at: picture.region.origin)])
  }

  static let declaration = Declaration<GainMapComputationCompound>(
    "compute-gain-map",
    "Computes the gain map from a base picture to the second input (ISO 21496-1).",
    swift: "picture.computingGainMap(to: other)",
    Parameter(
      "least", \.computation.least, "the gain that becomes 0, by channel", unit: "stops",
      default: .zero, in: -32...32),
    Parameter(
      "greatest", \.computation.greatest,
      "the gain that becomes 1, by channel, not below “least”", unit: "stops", default: .one,
      in: -32...32),
    Parameter(
      "gamma", \.computation.gamma, "the gamma by which the map is encoded, by channel",
      default: .one, in: 0.01...100),
    Parameter(
      "base-offset", \.computation.baseOffset, "what is added to the base, by channel",
      unit: "linear light", default: GainMap.usualOffset, in: -1...1),
    Parameter(
      "alternate-offset", \.computation.alternateOffset,
      "what is added to the other rendition, by channel", unit: "linear light",
      default: GainMap.usualOffset, in: -1...1)
  ) { least, greatest, gamma, base, alternate throws(RecipeError) in
    GainMapComputationCompound(
      computation: try GainMapComputation(
        least: least, greatest: greatest, gamma: gamma, baseOffset: base,
        alternateOffset: alternate))
  }
  .computing(
    "((s − least) / (greatest − least))^gamma for each channel, with s = log₂((y + alternate-offset) / "
      + "(x + base-offset)), where x is the base and y the other rendition."
  )
  .clamping(
    "The base is clamped to 0…1, the other rendition to 0 and above, and the map to 0…1: where the base "
      + "is above 1, gain-map does not lead back to the other rendition.")

  static var recipeInputs: ClosedRange<Int> { 2...2 }
}

extension Picture {
  /// Returns the values of the gain map that leads from this base picture to `other`, a rendition of another dynamic range. Gains outside
  /// of `least` to `greatest` stops are clamped. The default offsets are those of Ultra HDR.
  ///
  /// The values are in linear light; `gainMapped(_:map:)` applies them. The base counts clamped to 0…1, as files hold it: where it is
  /// brighter, the map does not lead back to `other`.
  public func computingGainMap(
    to other: Picture, least: SIMD3<Double> = .zero, greatest: SIMD3<Double> = .one,
    gamma: SIMD3<Double> = .one, baseOffset: SIMD3<Double> = .one / 64,
    alternateOffset: SIMD3<Double> = .one / 64
  ) -> Picture {
    applying(with: [other]) { () throws(RecipeError) in
      GainMapComputationCompound(
        computation: try GainMapComputation(
          least: least, greatest: greatest, gamma: gamma, baseOffset: baseOffset,
          alternateOffset: alternateOffset))
    }
  }
}
