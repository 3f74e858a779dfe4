internal import ColorSpaces
internal import ImageBuffer

/// What the values of a gain map mean, and the display that it is applied for (ISO 21496-1; Ultra HDR).
///
/// A gain map restores as much dynamic range as a display can show to a rendition of standard dynamic range. Phones
/// store such pictures: the base rendition for any display, and a small map of the gain at each position. For
/// each channel, the map's value `m` is a gain of `s = least + (greatest − least) · m^(1/γ)` stops, and the picture
/// becomes `(x + offset) · 2^(w·s) − offset′`. The weight `w` is the position of the display's headroom between those
/// of the two renditions.
public struct GainMap: Hashable, Sendable {
  /// The gains in stops that the map's 0 and 1 stand for.
  public let least, greatest: SIMD3<Double>
  /// The gamma encoding of the map.
  public let gamma: SIMD3<Double>
  /// The linear offsets before and after the gain.
  public let baseOffset, alternateOffset: SIMD3<Double>
  /// The headroom of the base rendition and of the alternate rendition, in stops above white.
  public let baseHeadroom, alternateHeadroom: Double
  /// The display's headroom, in stops above white.
  public let displayHeadroom: Double

  /// Creates the gain map of a file for a display with this headroom. The default offsets are those of Ultra HDR.
  public init(
    least: SIMD3<Double> = .zero, greatest: SIMD3<Double>, gamma: SIMD3<Double> = .one,
    baseOffset: SIMD3<Double> = .one / 64, alternateOffset: SIMD3<Double> = .one / 64,
    baseHeadroom: Double = 0, alternateHeadroom: Double, displayHeadroom: Double
  ) throws(RecipeError) {
    (self.least, self.greatest, self.gamma) = (least, greatest, gamma)
    (self.baseOffset, self.alternateOffset) = (baseOffset, alternateOffset)
    (self.baseHeadroom, self.alternateHeadroom) = (baseHeadroom, alternateHeadroom)
    self.displayHeadroom = displayHeadroom
    try GainMapApplicationCompound.declaration.check(GainMapApplicationCompound(gain: self))
    try Self.checkRange(least, greatest)
  }

  /// Throws where the greatest gain of a channel is below its least one, which ISO 21496-1 excludes.
  static func checkRange(
    _ least: SIMD3<Double>, _ greatest: SIMD3<Double>
  ) throws(RecipeError) {
    guard all(greatest .>= least) else {
      throw .other(
        "The greatest gain of a gain map must not be below the least one in any channel; got least "
          + "\(least.x), \(least.y), \(least.z) and greatest \(greatest.x), \(greatest.y), "
          + "\(greatest.z) stops.")
    }
  }

  /// The weight of the gain, 0…1. It is negative where the base rendition is the brighter one, because gains lead from
  /// the darker rendition to the brighter one.
  public var weight: Double {
    let span = alternateHeadroom - baseHeadroom
    if span == 0 { return 0 }
    let part = min(max((displayHeadroom - baseHeadroom) / span, 0), 1)
    return span < 0 ? -part : part
  }
}

extension GainMap {
  /// The offsets of Ultra HDR. The default arguments of public declarations repeat them, because these can refer to public declarations
  /// only; a test compares both.
  package static let usualOffset = SIMD3<Double>.one / 64
}

/// Applies the linear light of a gain map, the second input, to the first one, pixel by pixel.
package struct GainMapApplication: BlendFilter {
  private let program: PairProgram<GainMap>

  /// Creates the application of a gain map.
  package init(_ gain: GainMap) {
    program = PairProgram(gain) { gain.formula.lightCode(weight: gain.weight) }
  }

  /// The meaning of the map's values, and the display.
  package var gain: GainMap { program.definition }

  /// Linear light with straight alpha, which is unchanged.
  package var domain: PixelDomain { .linear }

  /// The pixels of the picture.
  package var extent: BlendExtent { .first }

  /// Returns whether the picture may be transparent.
  package func hasAlpha(_ inputs: [Bool]) -> Bool { inputs[0] }

  /// Returns the pixel with its gain.
  package func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    let (light, map) = (inputs[0], inputs[1])
    return SIMD4(
      gain.formula.light(
        SIMD3(light.x, light.y, light.z), map: SIMD3(map.x, map.y, map.z), weight: gain.weight),
      light.w)
  }

  /// Computes row by row, by the kernels.
  package func render(into output: Tile, from inputs: [Tile]) {
    program.render(into: output, from: inputs)
  }
}

extension GainMap {
  fileprivate var formula: GainFormula {
    GainFormula(
      least: least, greatest: greatest, gamma: gamma, baseOffset: baseOffset,
      alternateOffset: alternateOffset)
  }
}

extension GainMapApplication: CustomStringConvertible {
  /// The text of this step in plans, such as “gain map, 0.5 of it”.
  package var description: String { "gain map, \(gain.weight) of it" }
}

/// Applies the encoded values of a gain map of any size and position.
struct GainMapApplicationCompound: CompoundFilter, RecipeFilter {
  let gain: GainMap

  func picture(of picture: Picture, with maps: [Picture]) -> Picture {
    if picture.isEndless { return picture.failing(.endless) }
    let map = maps[0].tagged(as: picture.space.linear)
      .resized(to: .exact(picture.size.width, picture.size.height), by: .triangle)
    return picture.applying(
      GainMapApplication(gain), with: [map.placed(at: picture.region.origin)])
  }

  static let declaration = Declaration<GainMapApplicationCompound>(
    "gain-map", "Applies a gain map, the encoded values of the second input (ISO 21496-1).",
    swift: """
      try picture.gainMapped(GainMap(greatest: [2, 2, 2], alternateHeadroom: 2, displayHeadroom: 1.5), \
      map: other)
      """,
    Parameter(
      "least", \.gain.least, "the gain where the map is 0, by channel", unit: "stops",
      default: .zero, in: -32...32),
    Parameter(
      "greatest", \.gain.greatest,
      "the gain where the map is 1, by channel, not below “least”", unit: "stops", in: -32...32,
      sample: [2, 2, 2]),
    Parameter(
      "gamma", \.gain.gamma, "the gamma by which the map is encoded, by channel", default: .one,
      in: 0.01...100),
    Parameter(
      "base-offset", \.gain.baseOffset, "what is added before the gain, by channel",
      unit: "linear light", default: GainMap.usualOffset, in: -1...1),
    Parameter(
      "alternate-offset", \.gain.alternateOffset,
      "what is subtracted after the gain, by channel", unit: "linear light",
      default: GainMap.usualOffset, in: -1...1),
    Parameter(
      "base-headroom", \.gain.baseHeadroom, "the headroom that the picture is made for",
      unit: "stops", default: 0, in: 0...32),
    Parameter(
      "alternate-headroom", \.gain.alternateHeadroom,
      "the headroom at which the whole gain is applied", unit: "stops", in: 0...32, sample: 2),
    Parameter(
      "display-headroom", \.gain.displayHeadroom, "the headroom of the display", unit: "stops",
      in: 0...32, sample: 1.5)
  ) {
    least, greatest, gamma, base, alternate, baseHeadroom, headroom, display throws(RecipeError) in
    GainMapApplicationCompound(
      gain: try GainMap(
        least: least, greatest: greatest, gamma: gamma, baseOffset: base,
        alternateOffset: alternate, baseHeadroom: baseHeadroom, alternateHeadroom: headroom,
        displayHeadroom: display))
  }
  .computing(
    "(x + base-offset) · 2^(w · s) − alternate-offset for each channel x, with s = least + "
      + "(greatest − least) · m^(1 / gamma), where m is the map, clamped to 0…1. w is where "
      + "display-headroom lies between the two others, 0…1; negative where base-headroom is the greater."
  )

  static var recipeInputs: ClosedRange<Int> { 2...2 }
}

extension Picture {
  /// Returns this picture with the gain of `map` for a display. The map is resized to the picture by linear
  /// interpolation, as ISO 21496-1 specifies, and laid on it. Its encoded values are used.
  public func gainMapped(_ gain: GainMap, map: Picture) -> Picture {
    applying(GainMapApplicationCompound(gain: gain), with: [map])
  }
}
