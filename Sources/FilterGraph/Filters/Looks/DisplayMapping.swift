package import ColorSpaces

/// Maps a picture mastered for a bright display to a dimmer one: Report ITU-R BT.2390-10, 5.4.1, for a black level of
/// zero.
///
/// Each channel is unchanged up to a knee and compressed smoothly to the display's peak above it, in the perceptually
/// uniform encoding of PQ. Negative values are clamped to 0, and values above the mastering peak to that peak. Where the display is as
/// bright as the mastering display, nothing changes.
package struct DisplayMapping: PointFilter {
  /// The peak luminance of the mastering display and of the display, in cd/m².
  package let mastering, display: Double
  /// The luminance of linear 1, in cd/m².
  package let unit: Double

  /// Creates a mapping from one peak luminance to another. `unit` is the luminance of linear 1: 203 cd/m² where that is
  /// reference white (Report ITU-R BT.2408).
  package init(from mastering: Double, to display: Double, unit: Double = 203) throws(RecipeError) {
    (self.mastering, self.display, self.unit) = (mastering, display, unit)
    try Self.declaration.check(self)
  }

  /// Linear light: values become luminances in cd/m², which the filter encodes with PQ itself.
  package var domain: PixelDomain { .linear }

  /// Appends PQ, a knee, and the inverse of PQ; nothing where the display is as bright as the mastering display.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    if display >= mastering { return }
    let (peak, target) = (
      TransferFunction.pq.encode(mastering / 10_000), TransferFunction.pq.encode(display / 10_000)
    )
    program.affine(scale: unit / 10_000)
    program.append(.encode(.pq))
    program.affine(scale: 1 / peak)
    // The identity up to the knee, and from there a cubic whose slope is zero at the peak.
    let largest = target / peak
    let start = 1.5 * largest - 0.5
    let knee = Curve.cubic(CubicCurve([[start, start], [1, largest]], slopes: [[1, 0]]))
    program.append(.clamp(0...1))
    program.append(.curves("knee of BT.2390", knee, knee, knee))
    program.affine(scale: peak)
    program.append(.decode(.pq))
    program.affine(scale: 10_000 / unit)
  }
}

extension DisplayMapping: RecipeFilter {
  /// The declaration of `display-mapping`.
  package static let declaration = Declaration<DisplayMapping>(
    "display-mapping",
    "Maps a picture mastered for a bright display to a dimmer one (ITU-R BT.2390).",
    keepsGray: true, swift: "picture.displayMapping(from: 1000, to: 100)",
    Parameter(
      "from", \.mastering, "the peak luminance of the mastering display", unit: "cd/m²",
      in: 20...10_000, sample: 1000),
    Parameter(
      "to", \.display, "the peak luminance of the display", unit: "cd/m²", in: 20...10_000,
      sample: 100),
    Parameter(
      "unit", \.unit, "the luminance of linear light of 1", unit: "cd/m²", default: 203,
      in: 1...10_000)
  ) { mastering, display, unit throws(RecipeError) in
    try DisplayMapping(from: mastering, to: display, unit: unit)
  }.with(.mapsTones)
    .computing(
      "Each channel x becomes the signal e = PQ(x · unit) / PQ(from). With m = PQ(to) / PQ(from), it stays "
        + "up to 1.5 · m − 0.5; above, a cubic of slope 1 there ends at (1, m) with slope 0. Nothing changes "
        + "where “to” is not below “from”."
    )
    .clamping(
      "Where “to” is below “from”, negative values become 0 and those above “from” become “to”."
    ) { $0.display < $0.mastering }
}

extension Picture {
  /// Returns this picture, mastered for a peak of `mastering` cd/m², mapped to a display with a peak of `display` cd/m².
  public func displayMapping(
    from mastering: Double, to display: Double, unit: Double = 203
  ) -> Picture {
    applying { () throws(RecipeError) in
      try DisplayMapping(from: mastering, to: display, unit: unit)
    }
  }
}
