package import ColorSpaces

/// Makes pixels white where their luminance is at least `level`, and black elsewhere.
package struct Threshold: PointFilter {
  /// The lowest linear luminance that becomes white.
  package var level: Double

  /// Creates a threshold, by default at middle gray.
  package init(level: Double = 0.18) { self.level = level }

  /// Linear light: the level is a luminance.
  package var domain: PixelDomain { .linear }

  /// Appends luminance, and a step.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    Monochrome().describe(to: &program, in: space)
    let step = SegmentedCurve([.constant(0), .constant(1, from: level)])
    program.curve("threshold \(level)", .segmented(step))
  }
}

extension Threshold: RecipeFilter {
  /// The declaration of `threshold`.
  package static let declaration = Declaration<Threshold>(
    "threshold", "Turns pixels white where luminance reaches a level, and all others black.",
    keepsGray: true, swift: "picture.threshold(level: 0.18)",
    Parameter(
      "level", \.level, "the lowest luminance that becomes white", unit: "linear light",
      default: 0.18)
  ) { Threshold(level: $0) }
}

extension Picture {
  /// Returns this picture in white where its luminance is at least `level`, and in black elsewhere.
  public func threshold(level: Double = 0.18) -> Picture { applying(Threshold(level: level)) }
}
