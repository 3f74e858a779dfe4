public import ColorSpaces
internal import ImageBuffer

/// Brings a picture of standard dynamic range to as much of its high dynamic range as a display can show (ISO 21496-1; Ultra HDR).
///
/// Telephones store a picture twice in one file: as it looks on any screen, and a small map of how much brighter each place really is.
/// For each channel, the map's number `m` stands for the stops `s = least + (greatest − least) · m^(1/γ)`, and the picture becomes
/// `(light + offset) · 2^(w·s) − offset′`. The weight `w` is how far the display's headroom lies between those of the two renditions.
///
/// The first input is the picture, the second one the map, as large as it.
public struct GainMap: BlendFilter {
  /// The stops that the map's 0 and 1 stand for.
  public var least, greatest: SIMD3<Double>
  /// The exponent by which the map is stored.
  public var gamma: SIMD3<Double>
  /// The light that is added before and taken away after.
  public var baseOffset, alternateOffset: SIMD3<Double>
  /// The stops above white that the stored picture, and the other rendition, are made for.
  public var baseHeadroom, alternateHeadroom: Double
  /// The stops above white that the display can show.
  public var displayHeadroom: Double

  /// What stops, exponents and headrooms can be.
  public static let stops = -32.0...32, exponents = 0.01...100, headrooms = 0.0...32

  /// A map as a file describes it, applied for a display that shows so many stops above white. Offsets are those of Ultra HDR if
  /// nothing else is said.
  public init(
    least: SIMD3<Double> = .zero, greatest: SIMD3<Double>, gamma: SIMD3<Double> = .one,
    baseOffset: SIMD3<Double> = .one / 64, alternateOffset: SIMD3<Double> = .one / 64,
    baseHeadroom: Double = 0, alternateHeadroom: Double, displayHeadroom: Double
  ) throws(RecipeError) {
    for channel in 0..<3 {
      try checked("The stops of a gain map's 0", least[channel], in: Self.stops)
      try checked("The stops of a gain map's 1", greatest[channel], in: Self.stops)
      try checked("The exponent of a gain map", gamma[channel], in: Self.exponents)
      try checked("An offset of a gain map", baseOffset[channel], in: -1...1)
      try checked("An offset of a gain map", alternateOffset[channel], in: -1...1)
    }
    self.baseHeadroom = try checked("A headroom in stops", baseHeadroom, in: Self.headrooms)
    self.alternateHeadroom = try checked(
      "A headroom in stops", alternateHeadroom, in: Self.headrooms)
    self.displayHeadroom = try checked("A headroom in stops", displayHeadroom, in: Self.headrooms)
    (self.least, self.greatest, self.gamma) = (least, greatest, gamma)
    (self.baseOffset, self.alternateOffset) = (baseOffset, alternateOffset)
  }

  /// How much of the map counts, 0…1; below zero where the stored picture is the brighter one, because a map's stops lead from the
  /// darker rendition to the brighter one.
  public var weight: Double {
    let span = alternateHeadroom - baseHeadroom
    if span == 0 { return 0 }
    let part = min(max((displayHeadroom - baseHeadroom) / span, 0), 1)
    return span < 0 ? -part : part
  }

  /// Linear light, straight: coverage stays.
  public var domain: PixelDomain { .linear }

  /// The pixels of the picture.
  public var extent: BlendExtent { .first }

  /// Where the picture may be transparent.
  public func hasAlpha(_ inputs: [Bool]) -> Bool { inputs[0] }

  /// The light, so many stops up.
  public func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    gained(inputs[0], map: inputs[1], weight)
  }

  /// Row by row.
  public func render(into output: Tile, from inputs: [Tile]) {
    let weight = weight
    for y in output.region.rows {
      let rows = (PixelRow(output, y), PixelRow(inputs[0], y), PixelRow(inputs[1], y))
      for x in output.region.columns {
        rows.0[x] = SIMD4<Float>(
          gained(SIMD4<Double>(rows.1[x]), map: SIMD4<Double>(rows.2[x]), weight))
      }
    }
  }

  private func gained(
    _ light: SIMD4<Double>, map: SIMD4<Double>, _ weight: Double
  ) -> SIMD4<Double> {
    if weight == 0 { return light }
    var result = light
    for channel in 0..<3 {
      let stored = min(max(map[channel], 0), 1)
      let part = gamma[channel] == 1 ? stored : power(stored, 1 / gamma[channel])
      let stops = least[channel] + (greatest[channel] - least[channel]) * part
      result[channel] =
        (result[channel] + baseOffset[channel]) * exp2(weight * stops) - alternateOffset[channel]
    }
    return result
  }
}

extension GainMap: CustomStringConvertible {
  /// The name in plans.
  public var description: String { "gain map, \(weight) of it" }
}

extension GainMap: RecipeFilter {
  /// The name and the parameters in recipes. The map is as large as the picture.
  public static let recipeForm = RecipeForm<GainMap>(
    "gain-map", RecipeField("least", \.least, default: .zero), RecipeField("greatest", \.greatest),
    RecipeField("gamma", \.gamma, default: .one),
    RecipeField("base-offset", \.baseOffset, default: .one / 64),
    RecipeField("alternate-offset", \.alternateOffset, default: .one / 64),
    RecipeField("base-headroom", \.baseHeadroom, default: 0),
    RecipeField("alternate-headroom", \.alternateHeadroom),
    RecipeField("display-headroom", \.displayHeadroom)
  ) {
    least, greatest, gamma, base, alternate, baseHeadroom, headroom, display throws(RecipeError) in
    try GainMap(
      least: least, greatest: greatest, gamma: gamma, baseOffset: base,
      alternateOffset: alternate, baseHeadroom: baseHeadroom, alternateHeadroom: headroom,
      displayHeadroom: display)
  }
}

extension Picture {
  /// This picture with the gain of `map` for a display; the map is stretched to its size with lines between its numbers, as ISO 21496-1
  /// has it. A map's numbers count as they are stored.
  public func gained(_ gain: GainMap, map: Picture) -> Picture {
    if isEndless { return failing(.endless) }
    let numbers = map.tagged(as: space.linear)
    return applying(
      gain,
      with: [
        numbers.resized(to: .exact(size.width, size.height), by: .triangle)
          .placed(at: region.origin)
      ])
  }
}
