import ColorSpaces
import Foundation
import Testing
import _TestSupport

/// Color appearance models, and models for color pickers.
@Suite struct ColorModelTests {
  /// A color in the coordinates of many models; nil for a powerless hue.
  private typealias Row = [String: [Double?]]

  /// The reference tables' name of a model, and the coordinates that are a distance from gray and a hue, if any.
  private static let models: [(key: String, polar: (distance: Int, hue: Int)?)] = [
    ("okhsl", (1, 0)), ("okhsv", (1, 0)), ("hsluv", (1, 0)), ("hpluv", (1, 0)), ("hct", (1, 0)),
    ("cam16-jmh", (1, 2)), ("zcam-jmh", (1, 2)), ("cam16-ucs", nil), ("ipt", nil), ("din99o", nil),
  ]

  @Test func coordinatesEqualTheReferenceTable() throws {
    try check(Fixtures.json("Tables/color_models.json", as: [Row].self))
  }

  @Test(SharedReference.whenPresent) func coordinatesEqualTheWholeReference() throws {
    // Rows mix names with numbers, so they are parsed untyped.
    let folder = try #require(SharedReference.folder())
    let data = try Data(contentsOf: folder.appending(path: "perceptual.json"))
    let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let samples = try #require(json["samples"] as? [[String: Any]])
    try check(
      samples.map { sample in
        sample.compactMapValues { ($0 as? [Any])?.map { $0 as? Double } }
      })
  }

  private func check(_ rows: [Row]) throws {
    for (key, polar) in Self.models {
      let space = try ColorSpace(named: key)
      var count = 0
      for row in rows {
        guard let numbers = row[key] else { continue }
        let xyz = SIMD3(try #require(row["xyz"]).map { $0 ?? 0 })
        // With negative cone responses, the reference ZCAM takes another branch beyond the poles of its quantizer.
        if key == "zcam-jmh" && xyz.max() < 0 { continue }
        count += 1
        let expected = SIMD3(numbers.map { $0 ?? 0 })
        let found = ColorPoint(xyz, in: .xyzD65).converted(to: space).components
        let error = rectangular(found, polar) - rectangular(expected, polar)
        // The table's own tolerance: 1e-9 of the channel's scale, in both directions.
        let scale = max(1, expected.largest)
        #expect(error.largest <= 1e-9 * scale, "\(key) of \(xyz): \(found), not \(expected)")
        let back = ColorPoint(expected, in: space).converted(to: .xyzD65).components
        #expect((back - xyz).largest <= 1e-9, "\(key) \(expected): \(back), not \(xyz)")
      }
      #expect(count >= 38, "\(key)")
    }
  }

  /// The coordinates with a hue replaced by two opponents, since hues wrap around and grays have none.
  private func rectangular(
    _ v: SIMD3<Double>, _ polar: (distance: Int, hue: Int)?
  ) -> SIMD3<Double> {
    guard let (distance, hue) = polar else { return v }
    let angle = v[hue] * .pi / 180
    return [v[distance] * cos(angle), v[distance] * sin(angle), v[3 - distance - hue]]
  }

  // MARK: Round trips

  private static let everyModel: [ColorSpace] = [
    .uvY, .uvY1960, .okhsl, .okhsv, .hsluv, .hpluv, .din99o, .ipt, .cam16JMh, .cam16UCS, .zcamJMh,
    .hct,
  ]

  /// Includes negative linear values and 100 times white.
  @Test(arguments: everyModel) func modelsRoundTrip(from model: ColorSpace) {
    checkProperty("linear sRGB → \(model) → linear sRGB", .light, cases: 2000) { light in
      let color = ColorPoint(light, in: .linearSRGB)
      // Imaginary colors may have twins in HCT.
      if model == .hct && color.converted(to: .linearRec2020).components.min() < 0 { return true }
      let coordinates = color.converted(to: model)
      let back = coordinates.converted(to: .linearSRGB).components
      // PQ's exponent of 134 and its inverse amplify rounding by 10⁴; the others less. Most chromas start from grays
      // that are rounded to 1e-12 of white.
      return try requireClose(
        (back - light).largest, 0, within: 1e-11 * max(1, light.largest), "off by")
    }
  }

  /// Colors around black, half of them negative, under several conditions: lightness and colorfulness may be negative.
  @Test(arguments: [
    ViewingConditions.display, ViewingConditions(adaptingLuminance: 20, surround: .dark),
    ViewingConditions(adaptingLuminance: 300, backgroundLuminance: 50, discountsIlluminant: true),
  ])
  func darkColorsRoundTripThroughCAM16UCS(under conditions: ViewingConditions) {
    let space = ColorSpace.cam16UCS(under: conditions)
    for range in [-0.05...0.2, -0.01...0.01, -1...1, -0.5...0] {
      let channel = Generator<Double>.double(in: range)
      checkProperty("\(range)", .zip(channel, channel, channel), cases: 2000) { r, g, b in
        let color = SIMD3(r, g, b)
        let coordinates = ColorPoint(color, in: .linearSRGB).converted(to: space)
        let back = coordinates.converted(to: .linearSRGB).components
        // Next to poles of the model, where rounding is amplified without bound, the observed error is 2·10⁻⁹ of the
        // color's magnitude.
        return try requireClose((back - color).largest, 0, within: 1e-7 * color.largest)
      }
    }
  }

  /// All coordinates decode to finite colors.
  @Test(arguments: everyModel) func noCoordinatesAreInfinite(_ model: ColorSpace) {
    let number = Generator<Double>.adversarialDouble().map { min(max($0, -1000), 1000) }
    checkProperty("\(model) → linear sRGB", .zip(number, number, number), cases: 2000) { a, b, c in
      let color = ColorPoint(a, b, c, in: model).converted(to: .linearSRGB)
      return color.components.largest.isFinite && color.components.sum().isFinite
    }
  }

  // MARK: Properties of the models

  @Test func lightnessOfBlackAndWhite() {
    for (model, channel, full) in [
      (ColorSpace.okhsl, 2, 1.0), (.okhsv, 2, 1), (.hsluv, 2, 100), (.hpluv, 2, 100),
      (.hct, 2, 100),
      (.cam16JMh, 0, 100), (.cam16UCS, 0, 100), (.zcamJMh, 0, 100), (.ipt, 0, 1), (.din99o, 0, 100),
    ] {
      let white = ColorPoint(1, 1, 1, in: .sRGB).converted(to: model).components
      let black = ColorPoint(0, 0, 0, in: .sRGB).converted(to: model).components[channel]
      // A few rounding errors of values of this magnitude.
      #expect(abs(white[channel] - full) < 1e-13 * full, "\(model)")
      #expect(abs(black) < 1e-13 * full, "\(model)")
    }
  }

  /// Saturation 1 is the surface of sRGB's gamut, which Okhsl and Okhsv approximate.
  @Test func saturationOneIsTheSurfaceOfSRGB() {
    let channel = Generator<Double>.double(in: 0...1)
    checkProperty("the surface of sRGB", .element(of: [0, 1, 2]), channel, channel, cases: 500) {
      zero, x, y in
      var rgb = SIMD3(x, y, 0)
      (rgb[zero], rgb[2]) = (0, rgb[zero])
      if rgb.largest < 0.1 { return true }
      let color = ColorPoint(rgb, in: .sRGB)
      // Ottosson's polynomials and single steps have errors of up to 0.065, between green and blue.
      for model in [ColorSpace.okhsl, .okhsv] {
        let saturation = color.converted(to: model).components.y
        guard try requireClose(saturation, 1, within: 0.07, "\(model)") else { return false }
      }
      return try requireClose(
        color.converted(to: .hsluv).components.y, 100, within: 1e-9, "HSLuv")
    }
  }

  @Test func appearanceDependsOnItsConditions() throws {
    let orange = try ColorPoint(css: "orange")
    let office = ColorSpace.cam16JMh(under: .display)
    #expect(office == .cam16JMh)
    let cinema = ColorSpace.cam16JMh(
      under: ViewingConditions(adaptingLuminance: 10, surround: .dark))
    #expect(cinema != office)
    #expect("\(cinema)" == "CAM16 JMh, L_A 10 cd/m², Y_b 20.0 %, dark")
    let seen = orange.converted(to: cinema)
    #expect((seen.components - orange.converted(to: office).components).largest > 1)
    #expect((seen.converted(to: .sRGB).components - orange.components).largest < 1e-12)
  }

  /// With complete adaptation, white is achromatic under any illuminant.
  @Test func whiteIsAchromaticWithCompleteAdaptation() {
    for white in [Chromaticity.d50, .d65, .illuminantA] {
      let conditions = ViewingConditions(
        white: white, adaptingLuminance: 60, discountsIlluminant: true)
      let color = ColorPoint(1, 1, 1, in: .sRGB).converted(to: .cam16JMh(under: conditions))
      #expect(abs(color.components.x - 100) < 1e-11)
      #expect(color.components.y < 1e-11)
    }
  }

  /// The tone of HCT is the luminance, also of imaginary colors, whose search meets poles of CAM16.
  @Test(arguments: [
    SIMD3(281.989, 94.166, 8.341), SIMD3(300, 100, 5), SIMD3(291.254, 119.168, 6.346),
    SIMD3(240.659, 114.354, 4.895), SIMD3(30, 40, 60),
  ])
  func toneOfHCTIsTheLuminance(coordinates: SIMD3<Double>) {
    let tone = coordinates.z
    let root = (tone + 16) / 116
    let luminance = tone > 8 ? root * root * root : tone * 27 / 24389
    let color = ColorPoint(coordinates, in: .hct).converted(to: .xyzD65)
    #expect(abs(color.components.y - luminance) < 1e-9, "\(color)")
  }

  @Test func uvChromaticitiesEqualTheStandard() throws {
    let color = ColorPoint(0.2, 0.5, 0.3, in: .sRGB)
    let (later, earlier) = (color.converted(to: .uvY), color.converted(to: .uvY1960))
    #expect(abs(earlier.components.y * 1.5 - later.components.y) < 1e-15)
    let white = ColorPoint(1, 1, 1, in: .sRGB).converted(to: .uvY).components
    // CIE 15:2004, table T.3.
    #expect(abs(white.x - 0.1978) < 5e-5 && abs(white.y - 0.4683) < 5e-5)
    #expect((SIMD3(white.x, white.y, 0) - SIMD3(Chromaticity.d65.uv, 0)).largest < 1e-15)
  }
}

extension Generator where Value == SIMD3<Double> {
  /// Linear values: most of them small, some negative, some many times white.
  fileprivate static var light: Generator {
    let channel = Generator<Double>.double(in: -1...4.6).map { $0 * $0 * $0 }
    return Generator<(Double, Double, Double)>.zip(channel, channel, channel)
      .map { SIMD3($0.0, $0.1, $0.2) }
  }
}
