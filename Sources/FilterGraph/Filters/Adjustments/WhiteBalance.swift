public import ColorSpaces

/// Adapts a picture from the color of its illuminant to white: what had the color of the lamp or of the sky becomes
/// gray.
///
/// A chromatic adaptation transform models how the eye adapts to an illuminant. It adapts to D65 in every space, so
/// that a picture and its copy in another space are balanced alike.
package struct WhiteBalance: PointFilter {
  /// The chromaticity of the illuminant, which becomes white.
  package let light: Chromaticity
  /// The chromatic adaptation transform.
  package let adaptation: ChromaticAdaptation

  /// Creates a balance for an illuminant of the given chromaticity, whose luminance must be above 0.
  package init(
    light: Chromaticity, by adaptation: ChromaticAdaptation = .bradford
  ) throws(RecipeError) {
    try checked("The x of an illuminant", light.x, in: 0...1)
    try checked("The y of an illuminant", light.y, in: 1e-6...1)
    let responds = adaptation.sensors.rows.allSatisfy { sensor in
      let parts = sensor * light.xyz
      return abs(parts.sum()) > 1e-9 * (abs(parts.x) + abs(parts.y) + abs(parts.z))
    }
    guard responds else {
      throw .other(
        "The sensors of \(adaptation) do not respond to an illuminant of chromaticity \(light), so "
          + "it cannot be adapted to white. Name another illuminant or other sensors.")
    }
    (self.light, self.adaptation) = (light, adaptation)
  }

  /// Creates a balance for an illuminant of a color temperature, 1000 to 100,000 K: candles have 1900, incandescent
  /// lamps 2700 to 3200, noon daylight 5500, a clear sky 10,000 and more.
  ///
  /// A positive tint is greener than a black body, a negative one more magenta. A tint of 1 is a Duv of 1/3000, as in
  /// Adobe's DNG SDK (`dng_temperature`); daylight has about 10.
  package init(
    kelvin: Double, tint: Double = 0, by adaptation: ChromaticAdaptation = .bradford
  ) throws(RecipeError) {
    try self.init(light: Temperature(kelvin: kelvin, tint: tint).chromaticity(), by: adaptation)
  }

  /// Creates a balance after which `neutral`, a color picked in the picture, is gray.
  package init(
    neutral: ColorPoint, by adaptation: ChromaticAdaptation = .bradford
  ) throws(RecipeError) {
    let xyz = neutral.converted(to: .xyzD65).components
    for value in [xyz.x, xyz.y, xyz.z] {
      try checked("X, Y and Z of a picked neutral", value, in: 1e-6...1e6)
    }
    try self.init(light: Chromaticity(xyz.x / xyz.sum(), xyz.y / xyz.sum()), by: adaptation)
  }

  /// Linear light: chromatic adaptation is a matrix of linear values.
  package var domain: PixelDomain { .linear }

  /// Appends a matrix.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    let adapted = adaptation.matrix(from: light, to: .d65)
    program.append(.matrix(space.toHub.inverse * adapted * space.toHub))
  }
}

extension WhiteBalance: RecipeFilter {
  private static let tintRange = -150.0...150
  private static let kelvins = ColorTemperature.kelvins.words

  /// The declaration of `white-balance`.
  package static let declaration = Declaration<WhiteBalance>(
    "white-balance", "Adapts the scene's illuminant to white (D65).",
    swift: "picture.whiteBalance(kelvin: 3200, tint: 8)",
    Parameter(
      "light", { Light.chromaticity($0.light) },
      "the scene's light: kelvin (\(kelvins)), tint (\(tintRange.words)), chromaticity, or a color that becomes gray",
      sample: (try? Temperature(kelvin: 3200, tint: 8)).map(Light.temperature)),
    Parameter("by", \.adaptation, "the model of chromatic adaptation", default: .bradford)
  ) { light, adaptation throws(RecipeError) in
    switch light {
    case .chromaticity(let chromaticity): try WhiteBalance(light: chromaticity, by: adaptation)
    case .temperature(let light): try WhiteBalance(light: light.chromaticity(), by: adaptation)
    case .neutral(let color): try WhiteBalance(neutral: color, by: adaptation)
    }
  }

  /// The descriptions of an illuminant in recipes.
  private enum Light: RecipeChoice {
    case chromaticity(Chromaticity)
    case temperature(Temperature)
    case neutral(ColorPoint)

    static let recipeCases: [RecipeCase<Light>] = [
      RecipeCase("chromaticity") {
        if case .chromaticity(let light) = $0 { light } else { nil }
      } make: {
        .chromaticity($0)
      },
      RecipeCase("temperature") {
        if case .temperature(let light) = $0 { light } else { nil }
      } make: {
        .temperature($0)
      },
      RecipeCase("neutral") {
        if case .neutral(let color) = $0 { color } else { nil }
      } make: {
        .neutral($0)
      },
    ]

    /// A number of kelvin, a chromaticity, or a word with its value.
    static var textForm: TextForm {
      let words = TextForm.choice(recipeCases)
      return TextForm("KELVIN|X,Y|neutral:COLOR|temperature:KELVIN,TINT") { text in
        if let kelvin = TextForm.number.read(text) {
          let temperature = RecipeValue.object([RecipeValue.Member("kelvin", kelvin)])
          return .object([RecipeValue.Member("temperature", temperature)])
        }
        if let chromaticity = Chromaticity.textForm.read(text) {
          return .object([RecipeValue.Member("chromaticity", chromaticity)])
        }
        return words.read(text)
      }
    }
  }

  private struct Temperature: RecipeRecord {
    let kelvin, tint: Double

    init(kelvin: Double, tint: Double) throws(RecipeError) {
      (self.kelvin, self.tint) = (kelvin, tint)
      try Self.declaration.check(self)
    }

    func chromaticity() throws(RecipeError) -> Chromaticity {
      try recipeChecked { () throws(ColorError) in
        try ColorTemperature(kelvin: kelvin, duv: tint / 3000).chromaticity
      }
    }

    static let declaration = Declaration<Temperature>(
      of: "white balance",
      Parameter(
        "kelvin", \.kelvin, "the color temperature of the light", unit: "kelvin",
        in: ColorTemperature.kelvins),
      Parameter(
        "tint", \.tint, "above 0 the light is greener than a black body, below 0 more magenta",
        unit: "1/3000 Duv", default: 0, in: WhiteBalance.tintRange)
    ) { kelvin, tint throws(RecipeError) in try Temperature(kelvin: kelvin, tint: tint) }

    /// A color temperature and an optional tint: `3200,8`.
    static var textForm: TextForm {
      TextForm("KELVIN[,TINT]") { text in
        if text.hasPrefix("{") { return TextForm.json.read(text) }
        let form = TextForm.list(of: .number, as: "")
        guard case .array(let values)? = form.read(text), (1...2).contains(values.count) else {
          return nil
        }
        return .object(zip(["kelvin", "tint"], values).map { RecipeValue.Member($0, $1) })
      }
    }
  }
}

extension Picture {
  /// Returns this picture adapted from an illuminant of the color temperature `kelvin` to white.
  public func whiteBalance(
    kelvin: Double, tint: Double = 0, by adaptation: ChromaticAdaptation = .bradford
  ) -> Picture {
    applying { () throws(RecipeError) in
      try WhiteBalance(kelvin: kelvin, tint: tint, by: adaptation)
    }
  }

  /// Returns this picture adapted so that the color `neutral` becomes gray. For an illuminant of a known chromaticity that color is
  /// `ColorPoint(Chromaticity.d50.xyz, in: .xyzD65)`.
  public func whiteBalance(
    neutral: ColorPoint, by adaptation: ChromaticAdaptation = .bradford
  ) -> Picture {
    applying { () throws(RecipeError) in try WhiteBalance(neutral: neutral, by: adaptation) }
  }
}
