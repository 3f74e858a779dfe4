package import ColorSpaces

/// Multiplies linear light by a power of two, as a longer or shorter exposure time does: each stop doubles it.
package struct Exposure: PointFilter {
  /// The number of stops; negative ones darken.
  package let stops: Double

  /// Creates an exposure by stops.
  package init(stops: Double) throws(RecipeError) {
    self.stops = stops
    try Self.declaration.check(self)
  }

  /// Linear light: exposure multiplies light, not encoded values.
  package var domain: PixelDomain { .linear }

  /// Appends the factor 2^stops.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.affine(scale: exp2(stops))
  }
}

extension Exposure: RecipeFilter {
  /// The declaration of `exposure`.
  package static let declaration = Declaration<Exposure>(
    "exposure", "Multiplies linear light by a power of two.",
    keepsGray: true, swift: "picture.exposure(0.5)",
    Parameter(
      "stops", \.stops, "the change of exposure; +1 doubles linear values, -1 halves them",
      unit: "stops",
      in: -100...100, sample: 0.5)
  ) { stops throws(RecipeError) in try Exposure(stops: stops) }
}

extension Picture {
  /// Returns this picture with its exposure raised by `stops`, −100 to 100; whole stops are exact.
  public func exposure(_ stops: Double) -> Picture {
    applying { () throws(RecipeError) in try Exposure(stops: stops) }
  }
}
