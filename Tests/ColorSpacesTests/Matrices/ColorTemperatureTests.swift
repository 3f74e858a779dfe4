import ColorSpaces
import Foundation
import Testing
import _TestSupport

/// Color temperatures: round trips, published values, and errors.
@Suite struct ColorTemperatureTests {
  /// Temperatures distributed uniformly in mireds, which is perceptually uniform.
  private static let kelvin = Generator<Double>.double(in: 10...1000).map {
    min(max(1e6 / $0, 1000), 100_000)
  }

  @Test func temperatureRoundTripsThroughChromaticity() {
    checkProperty("kelvin, Duv", Self.kelvin, .double(in: -0.05...0.05), cases: 2000) {
      let temperature = try ColorTemperature(kelvin: $0, duv: $1)
      guard let again = ColorTemperature(of: temperature.chromaticity) else {
        throw Failure("\(temperature) is not found again")
      }
      if abs(again.kelvin - $0) <= 1e-11 * $0, abs(again.duv - $1) <= 1e-14 { return true }
      throw Failure("\(again) instead of \(temperature)")
    }
  }

  @Test func chromaticityRoundTripsThroughTemperature() {
    checkProperty("x, y", .double(in: 0.24...0.6), .double(in: 0.24...0.45), cases: 2000) { x, y in
      guard let temperature = ColorTemperature(of: Chromaticity(x, y)) else { return true }
      let color = temperature.chromaticity
      return abs(color.x - x) <= 1e-13 && abs(color.y - y) <= 1e-13
    }
  }

  /// Computed by colour-science 0.4.7 (Ohno 2013, with steps of 1 nm), whose method has an error of up to a kelvin.
  @Test(arguments: [
    ("A", 2855.53, 0.0000), ("C", 6774.16, -0.00215), ("D50", 5000.73, 0.00319),
    ("D55", 5502.40, 0.00325), ("D65", 6504.35, 0.00321), ("D75", 7505.07, 0.00314),
    ("E", 5455.49, -0.00442), ("F2", 4223.42, 0.00177), ("F11", 3999.55, 0.00005),
  ])
  func temperaturesOfIlluminantsEqualTheReference(_ name: String, _ kelvin: Double, _ duv: Double)
    throws
  {
    let white = try #require(Chromaticity.whites[name])
    let temperature = try #require(ColorTemperature(of: white))
    #expect(abs(temperature.kelvin - kelvin) <= 1)
    #expect(abs(temperature.duv - duv) <= 1e-5)
  }

  /// The same sums in steps of 1 nm, with the observer data of colour-science.
  @Test(arguments: [
    (1000, 0.65275296791868742, 0.34445964227264497),
    (2856, 0.44753864026831863, 0.40742930074995481),
    (4000, 0.38044236403037551, 0.37674858761165347),
    (6500, 0.31352750981162381, 0.32362989165782269),
    (10_000, 0.28063446036030759, 0.28828888961115234),
    (25_000, 0.25252093937408304, 0.25222088392628428),
    (100_000, 0.24258241094593275, 0.23802754703060658),
  ])
  func blackBodiesEqualTheReference(_ kelvin: Double, _ x: Double, _ y: Double) throws {
    let color = try Chromaticity.blackBody(kelvin: kelvin)
    #expect(abs(color.x - x) <= 5e-6 && abs(color.y - y) <= 5e-6)
  }

  @Test func colorsFarFromWhiteHaveNoTemperature() {
    let colors: [Chromaticity] = [
      Primaries.rec2020.red, Primaries.rec2020.green, Primaries.rec2020.blue,
      Chromaticity(0.2, 0.2), Chromaticity(0.2399, 0.2342), Chromaticity(0.7, 0.3),
      Chromaticity(0, 0), Chromaticity(-1, -1), Chromaticity(.nan, 0.3),
      Chromaticity(.infinity, 0.3), Chromaticity(0.3, -.infinity), Chromaticity(1.5, 0),
    ]
    for color in colors { #expect(ColorTemperature(of: color) == nil, "\(color)") }
    checkProperty("any numbers", .adversarialDouble(), .adversarialDouble(), cases: 5000) { x, y in
      guard let temperature = ColorTemperature(of: Chromaticity(x, y)) else { return true }
      return ColorTemperature.kelvins.contains(temperature.kelvin)
        && ColorTemperature.duvs.contains(temperature.duv)
    }
  }

  @Test func outOfRangeIsRefused() {
    for kelvin: Double in [0, 999, 100_001, -.infinity, .infinity, .nan] {
      #expect(throws: ColorError.self) { try ColorTemperature(kelvin: kelvin) }
      #expect(throws: ColorError.self) { try Chromaticity.daylight(kelvin: kelvin) }
    }
    #expect(throws: ColorError.self) { try ColorTemperature(kelvin: 5000, duv: 0.051) }
    #expect(throws: ColorError.self) { try ColorTemperature(kelvin: 5000, duv: .nan) }
    #expect(
      throws: ColorError.parameter(
        "A color temperature", value: 10, allowed: 1000...100_000)
    ) { try ColorTemperature(kelvin: 10) }
  }

  @Test func daylightIsGreenerThanBlackBodies() throws {
    for kelvin in stride(from: 4000.0, through: 25_000, by: 250) {
      let daylight = try Chromaticity.daylight(kelvin: kelvin)
      let temperature = try #require(ColorTemperature(of: daylight))
      // The daylight locus is a fit: its nominal temperatures are accurate to a percent.
      #expect(abs(temperature.kelvin / kelvin - 1) < 0.01)
      #expect(temperature.duv > 0.0015 && temperature.duv < 0.006)
    }
    // The two cubics meet.
    let below = try Chromaticity.daylight(kelvin: 7000)
    let above = try Chromaticity.daylight(kelvin: 7000.0.nextUp)
    #expect(abs(below.x - above.x) < 1e-5)
  }

  @Test func daylightHasItsNominalTemperature() throws {
    // The temperature unit changed by 1.4388 / 1.4380 after the illuminants were named. Published white points come
    // from tables of spectra, which lie a little off the locus.
    for (white, nominal, digits) in [
      (Chromaticity.d50, 5000.0, 2e-4), (.d55, 5500, 2e-4), (.d60, 6000, 5e-6), (.d65, 6500, 2e-4),
      (.d75, 7500, 2e-4),
    ] {
      let daylight = try Chromaticity.daylight(kelvin: nominal * 1.4388 / 1.4380)
      #expect(abs(daylight.x - white.x) <= digits && abs(daylight.y - white.y) <= digits)
    }
  }

  /// The last digit differs between the tables of 1986 and 2004.
  @Test(SharedReference.whenPresent) func whitePointsEqualTheReference() throws {
    let folder = try #require(SharedReference.folder())
    let data = try Data(contentsOf: folder.appending(path: "cat.json"))
    let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let meta = try #require(json["meta"] as? [String: Any])
    for (name, xy) in try #require(meta["white_xy"] as? [String: [Double]]) {
      let white = try #require(Chromaticity.whites[name == "D60" ? "ACES" : name])
      #expect(abs(white.x - xy[0]) <= 3.1e-5 && abs(white.y - xy[1]) <= 3.1e-5, "\(name)")
    }
  }
}
