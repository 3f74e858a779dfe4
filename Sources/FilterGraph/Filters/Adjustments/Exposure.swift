public import ColorSpaces

/// More or less light, as if the shutter had stayed open longer: each stop doubles it.
public struct Exposure: PointFilter {
  /// How many stops; below zero is darker.
  public var stops: Double

  /// So many stops.
  public init(stops: Double) { self.stops = stops }

  /// Linear light.
  public var domain: PixelDomain { .linear }

  /// A factor of two for each stop.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.affine(scale: exp2(stops))
  }
}

extension Exposure: RecipeFilter {
  /// The declaration of `exposure`.
  public static let declaration = Declaration<Exposure>(
    "exposure", "Multiplies linear light by a power of two.",
    keepsGray: true, swift: "picture.exposure(0.5)",
    Parameter(
      "stops", \.stops, "how many times the light doubles; below zero it halves", unit: "stops",
      sample: 0.5)
  ) { Exposure(stops: $0) }
}

extension Picture {
  /// This picture with `stops` more light; whole stops are exact.
  public func exposure(_ stops: Double) -> Picture { applying(Exposure(stops: stops)) }
}
