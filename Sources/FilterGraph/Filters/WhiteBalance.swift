public import ColorSpaces

/// A picture of a scene as if it had been lit by white: what was as yellow as the lamp, or as blue as the sky, becomes gray.
///
/// The eye gets used to the color of a light, and a model of chromatic adaptation says how. Colors are looked at as seen under D65, so
/// that a picture and its copy in another space are balanced alike.
public struct WhiteBalance: PointFilter {
  /// What tint can be.
  public static let tints = -150.0...150

  /// The color of the light that becomes white.
  public let light: Chromaticity
  /// How colors change with it.
  public let adaptation: ChromaticAdaptation

  /// A balance for a light of the given color.
  public init(light: Chromaticity, by adaptation: ChromaticAdaptation = .bradford) {
    (self.light, self.adaptation) = (light, adaptation)
  }

  /// A balance for a light of a color temperature, 1000 to 100,000 K: candles have 1900, incandescent lamps 2700 to 3200, the noon
  /// 5500, a clear sky 10,000 and more.
  ///
  /// A light with a tint above 0 is greener than a black body's, and one below 0 more magenta. A tint of 1 is a Duv of 1/3000, as in
  /// Adobe's DNG SDK (`dng_temperature`); daylight has about 10.
  public init(
    kelvin: Double, tint: Double = 0, by adaptation: ChromaticAdaptation = .bradford
  ) throws(RecipeError) {
    let tint = try checked("A tint", tint, in: Self.tints)
    let temperature = try ColorTemperature(kelvin: kelvin, duv: tint / 3000)
    self.init(light: temperature.chromaticity, by: adaptation)
  }

  /// A balance after which `neutral`, picked in the picture, is gray.
  public init(
    neutral: ColorPoint, by adaptation: ChromaticAdaptation = .bradford
  ) throws(RecipeError) {
    let xyz = neutral.converted(to: .xyzD65).components
    for value in [xyz.x, xyz.y, xyz.z] {
      try checked("X, Y and Z of a picked neutral", value, in: 1e-6...1e6)
    }
    self.init(light: Chromaticity(xyz.x / xyz.sum(), xyz.y / xyz.sum()), by: adaptation)
  }

  /// Linear light.
  public var domain: PixelDomain { .linear }

  /// A matrix.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    let adapted = adaptation.matrix(from: light, to: .d65)
    program.append(.matrix(space.toHub.inverse * adapted * space.toHub))
  }
}

extension WhiteBalance: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<WhiteBalance>(
    "white-balance", RecipeField("light") { Light.chromaticity($0.light) },
    RecipeField("by", \.adaptation, default: .bradford)
  ) { light, adaptation throws(RecipeError) in
    switch light {
    case .chromaticity(let chromaticity): WhiteBalance(light: chromaticity, by: adaptation)
    case .temperature(let light):
      try WhiteBalance(kelvin: light.kelvin, tint: light.tint, by: adaptation)
    case .neutral(let color): try WhiteBalance(neutral: color, by: adaptation)
    }
  }

  /// What a recipe says of the light.
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
  }

  private struct Temperature: RecipeRecord {
    var kelvin, tint: Double

    static let recipeForm = RecipeForm<Temperature>(
      "color temperature", RecipeField("kelvin", \.kelvin), RecipeField("tint", \.tint, default: 0)
    ) { Temperature(kelvin: $0, tint: $1) }
  }
}

extension Picture {
  /// This picture as if its light had been white and not of the temperature `kelvin`.
  public func whiteBalance(kelvin: Double, tint: Double = 0) -> Picture {
    applying { () throws(RecipeError) in try WhiteBalance(kelvin: kelvin, tint: tint) }
  }

  /// This picture with what has the color of `neutral` made gray.
  public func whiteBalance(neutral: ColorPoint) -> Picture {
    applying { () throws(RecipeError) in try WhiteBalance(neutral: neutral) }
  }
}
