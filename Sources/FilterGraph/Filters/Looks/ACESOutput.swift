package import ColorSpaces

/// Renders a scene for a display by an output transform of ACES, the color management system of film.
///
/// The picture is scene-linear light, such as ACES2065-1 or ACEScg, in which a white surface is 1 and middle gray 0.18. The result is
/// display-linear light in the same space, held in the gamut and below the peak of the display: convert it to the display's space to encode
/// it. For a peak of 100 cd/m² the display's white is 1, as in spaces of standard dynamic range. For higher peaks 1 is 203 cd/m², as
/// in those of high dynamic range.
///
/// ACES 1.3 is the reference rendering transform with the output device transform of video in a dim surround, and above 100 cd/m² the
/// single-stage transform. ACES 2.0 maps tones in a color appearance model, and compresses colors along lines of constant hue into the
/// display's gamut. Colors of lamps that are out of gamut even in ACEScg need ``Picture/gamutCompressed(by:)`` before ACES 1.3.
package struct ACESOutput: PointFilter {
  /// The version of ACES: 1.3 or 2.0.
  package let version: ACESVersion
  /// The gamut of the display, which limits the result.
  package let display: ACESGamut
  /// The display's peak luminance in cd/m².
  package let peak: Double

  /// Creates an output transform, by default of ACES 2.0 for a display of sRGB.
  package init(
    _ version: ACESVersion = .v20, on display: ACESGamut = .rec709, peak: Double = 100
  ) throws(RecipeError) {
    (self.version, self.display, self.peak) = (version, display, peak)
    try Self.declaration.check(self)
    let defined: [Double] = [100, 1000, 2000, 4000]
    if version == .v13, !defined.contains(peak) {
      throw .other(
        "The outputs of ACES 1.3 for peaks of 100, 1000, 2000 and 4000 cd/m² are offered, those of video; got \(peak). "
          + "Choose one of them, or ACES 2.0, which takes any from 100 to 10000.")
    }
  }

  /// Linear light: scene-linear in, display-linear out; the transforms of ACES work on light.
  package var domain: PixelDomain { .linear }

  /// Appends the transform, from the space and back to it, as one formula.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    let primaries: Primaries =
      switch display {
      case .rec709: .rec709
      case .p3: .p3
      case .rec2020: .rec2020
      }
    let target = ACESDisplay(primaries, peak: peak)
    let unit = peak == 100 ? 100 : Luminance.graphicsWhite.candelas
    switch version {
    case .v13: program.append(.formula(.aces13(for: target, unit: unit, in: space)))
    case .v20: program.append(.formula(.aces2(for: target, unit: unit, in: space)))
    }
  }
}

/// A version of ACES.
@nonexhaustive
public enum ACESVersion: String, Hashable, Sendable, CaseIterable {
  /// ACES 1.3 (aces-dev 1.3).
  case v13 = "1.3"
  /// ACES 2.0 (aces-core 2.0).
  case v20 = "2.0"
}

/// The gamut of a display with white point D65.
@nonexhaustive
public enum ACESGamut: String, Hashable, Sendable, CaseIterable {
  /// The gamut of Rec. 709 and sRGB.
  case rec709
  /// The gamut of Display P3.
  case p3
  /// The gamut of Rec. 2020 and Rec. 2100.
  case rec2020
}

extension ACESOutput: RecipeFilter {
  /// The declaration of `aces-output`.
  package static let declaration = Declaration<ACESOutput>(
    "aces-output", "Renders a scene for a display by an output transform of ACES 1.3 or 2.0.",
    swift: "picture.acesOutput(.v20, on: .p3)",
    Parameter("version", \.version, "the version of ACES", default: .v20),
    Parameter(
      "display", \.display, "the display's gamut, with white point D65", default: .rec709,
      sample: .p3),
    Parameter(
      "peak", \.peak, "the display's peak luminance; for ACES 1.3 it is 100, 1000, 2000 or 4000",
      unit: "cd/m²", default: 100, in: 100...10_000)
  ) { version, display, peak throws(RecipeError) in
    try ACESOutput(version, on: display, peak: peak)
  }.with(.mapsTones)
    .clamping("Every color becomes one of the display's gamut, at most as bright as its peak.")
}

extension ACESVersion: RecipeChoice {
  /// The cases in recipes: the versions, and their names in Swift.
  public static let recipeCases: [RecipeCase<ACESVersion>] = [
    RecipeCase("1.3", aliases: ["v13"], .v13), RecipeCase("2.0", aliases: ["v20"], .v20),
  ]
}

extension ACESGamut: RecipeChoice {}

extension Picture {
  /// Returns this picture of a scene, rendered for a display by ACES: display-linear light to convert to the display's space.
  public func acesOutput(
    _ version: ACESVersion = .v20, on display: ACESGamut = .rec709,
    peak: Double = 100
  ) -> Picture {
    applying { () throws(RecipeError) in try ACESOutput(version, on: display, peak: peak) }
  }
}
