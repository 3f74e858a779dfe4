package import ColorSpaces

/// Maps a picture mastered for a bright display to standard dynamic range by method A of Report ITU-R BT.2446-1, clause 4.1.
///
/// Luma is compressed on a perceptually uniform scale, with color differences in proportion to it. Midtones keep their relation, so reference
/// white gets darker than by ``DisplayMapping``: of a master for 1,000 cd/m² it becomes 41 cd/m² of 100. Negative values of Rec. 2020 are
/// clamped to 0 and values above the mastering peak to that peak. The result's 1 is the peak of the display.
package struct BT2446A: PointFilter {
  /// The peak luminance of the mastering display and of the display, in cd/m².
  package let mastering, display: Double
  /// The luminance of linear 1 of the picture, in cd/m².
  package let unit: Double

  /// Creates a mapping from one peak luminance to another. `unit` is the luminance of linear 1: 203 cd/m² where that is reference white.
  package init(
    from mastering: Double = 1000, to display: Double = 100, unit: Double = 203
  ) throws(RecipeError) {
    (self.mastering, self.display, self.unit) = (mastering, display, unit)
    try Self.declaration.check(self)
  }

  /// Linear light: method A starts from luminances in cd/m² and applies encodings of its own.
  package var domain: PixelDomain { .linear }

  /// Appends the formula, in Rec. 2020.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.append(.formula(.bt2446A(from: mastering, to: display, unit: unit, in: space)))
  }
}

extension BT2446A: RecipeFilter {
  /// The declaration of `bt2446a`.
  package static let declaration = Declaration<BT2446A>(
    "bt2446a", "Maps high to standard dynamic range by method A of ITU-R BT.2446.",
    keepsGray: true, swift: "picture.bt2446A()",
    Parameter(
      "from", \.mastering, "the peak luminance of the mastering display", unit: "cd/m²",
      default: 1000, in: 100...10_000),
    Parameter(
      "to", \.display, "the peak luminance of the display, which becomes 1", unit: "cd/m²",
      default: 100, in: 20...1000),
    Parameter(
      "unit", \.unit, "the luminance of the picture's linear light of 1", unit: "cd/m²",
      default: 203, in: 1...10_000)
  ) { mastering, display, unit throws(RecipeError) in
    try BT2446A(from: mastering, to: display, unit: unit)
  }.with(.mapsTones)
    .clamping("Negative channels of Rec. 2020 become 0, and those above “from” become that peak.")
}

extension Picture {
  /// Returns this picture, mastered for a peak of `mastering` cd/m², in standard dynamic range by method A of Report ITU-R BT.2446-1.
  public func bt2446A(
    from mastering: Double = 1000, to display: Double = 100, unit: Double = 203
  ) -> Picture {
    applying { () throws(RecipeError) in try BT2446A(from: mastering, to: display, unit: unit) }
  }
}
