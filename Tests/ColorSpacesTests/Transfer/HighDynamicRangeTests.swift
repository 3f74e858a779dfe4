import ColorSpaces
import Foundation
import Testing
import _TestSupport

/// Reference white and displays of high dynamic range.
@Suite struct HighDynamicRangeTests {
  @Test func whiteHasTheRequestedLuminance() {
    // Report ITU-R BT.2408, table 1: 203 cd/m² are 58 % of PQ.
    let white = ColorPoint(1, 1, 1, in: .sRGB).converted(to: .rec2100PQ).components
    #expect(abs(white.x - 0.58) < 0.005)
    for luminance: Luminance in [.graphicsWhite, .studioWhite, .quantizerPeak, 48.5] {
      let transfer = TransferFunction.pq(white: luminance)
      checkProperty("\(transfer)", .double(in: 0...1)) { x in
        // The scale of linear values is multiplied into the curve's constants, whose exponents of 79 and 6 amplify its
        // rounding error.
        let plain = TransferFunction.pq.decode(x) * 10_000
        return try requireClose(
          transfer.decode(x) * luminance.candelas, plain, within: 1e-12 * (1 + plain))
      }
    }
    #expect(ColorSpace.rec2100PQ(white: .studioWhite).transfer == .pq(white: 100))
    #expect("\(Luminance.graphicsWhite), \(0.005 as Luminance)" == "203 cd/m², 0.005 cd/m²")
  }

  @Test func peaksAreTheBrightestSignals() throws {
    let oetf = TransferFunction.hlg
    // The rounded constants of the standard end a little beside 1.
    let (pq, hlg) = (10_000.0 / 203, oetf.decode(1) / oetf.decode(0.75))
    let expected: [(ColorSpace, Double)] = [
      (.rec2100PQ, pq), (.displayP3PQ, pq), (.rec709PQ, pq), (.rec2100PQ(white: 10_000), 1),
      (.rec2100HLG, hlg), (.displayP3HLG, hlg), (.rec2100HLGDisplay, 1000.0 / 203),
      (.rec2100PQ.asVideo(.rec2020, .narrow(bits: 10)), pq),
      (.rec2100HLG.asVideo(.iCtCpHLG, .full(bits: 12)), hlg),
      (.rec2100HLGDisplay.asVideo(.rec2020, .narrow(bits: 10)), 1000.0 / 203),
      (.rec2100PQ.linear, 1), (.rec709.asVideo(.rec709, .narrow(bits: 8)), 1),
    ]
    for (space, peak) in expected {
      #expect(abs(space.peak - peak) < 1e-9 * peak, "\(space): \(space.peak)")
    }
    // Exactly: the bits of gamut masks depend on it.
    let displays: [ColorSpace] = [
      .sRGB, .linearSRGB, .displayP3, .adobeRGB, .rec709, .rec2020, .proPhoto, .acescg, .lab,
    ]
    for space in displays { #expect(space.peak == 1, "\(space)") }
  }

  @Test func pqAndHLGAgreeOnGrays() {
    checkProperty("gray", .double(in: 0.01...1)) { signal in
      let shown = ColorPoint(signal, signal, signal, in: .rec2100HLGDisplay)
      let light = shown.converted(to: .linearRec2020).components
      // At 1000 cd/m² and a gamma of 1.2, the signal 0.75 is shown at 203 cd/m² (BT.2408, 3.2), within a thousandth.
      let expected = 1000 / 203 * power(TransferFunction.hlg.decode(signal), 1.2)
      return try requireClose(light.x, expected, within: 1e-12 * (1 + expected))
    }
    let white = ColorPoint(0.75, 0.75, 0.75, in: .rec2100HLGDisplay)
    #expect(abs(white.converted(to: .linearSRGB).components.x - 1) < 1e-3)
    let scene = ColorPoint(0.75, 0.75, 0.75, in: .rec2100HLG)
    #expect(abs(scene.converted(to: .linearSRGB).components.x - 1) < 1e-12)
  }

  @Test func displayLinearValuesEqualTheTable() throws {
    let data = try Data(contentsOf: Fixtures.url("Tables/video.json"))
    let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let rows = try #require(json["ootf"] as? [[[Double]]])
    #expect(rows.count > 40)
    let display = ColorSpace.rec2100HLG(on: HLGDisplay.reference, white: 1)
    for row in rows {
      let shown = ColorPoint(SIMD3(row[1]), in: display).converted(to: .linearRec2020)
      let expected = SIMD3(row[2])
      // The documented error of the table, relative to the display-linear value.
      #expect((shown.components - expected).largest <= 1e-12 * 1000)
      #expect((shown.converted(to: display).components - SIMD3(row[1])).largest <= 1e-12)
    }
  }

  @Test func gammaFollowsThePeakAndTheSurround() throws {
    // BT.2100, note 5e, and Report BT.2390, 6.2, to the digits they print.
    #expect(HLGDisplay.reference.gamma == 1.2)
    #expect(try abs(HLGDisplay(peak: 2000).gamma - 1.326) < 5e-4)
    #expect(try abs(HLGDisplay(peak: 400).gamma - 1.033) < 5e-4)
    #expect(try abs(HLGDisplay(peak: 4000).gamma - 1.2 * 1.111 * 1.111) < 1e-15)
    #expect(try abs(HLGDisplay(surround: 10).gamma - 1.2 * 0.98) < 1e-15)
    #expect(try HLGDisplay(peak: 600, gamma: 1.1).gamma == 1.1)
  }

  @Test func displaysThatCannotExistAreRefused() {
    #expect(
      throws: ColorError.parameter("The peak of an HLG display", value: 0, allowed: 1e-6...1e6)
    ) {
      try HLGDisplay(peak: 0)
    }
    for black: Luminance in [-0.1, 100, 200] {
      #expect(throws: ColorError.self) { try HLGDisplay(peak: 100, black: black) }
    }
    // With the first black the signal 0 would not be shown at it, with the second one the lift is above 1.
    for black: Luminance in [51, 300] {
      #expect(throws: ColorError.self) { try HLGDisplay(peak: 1000, black: black) }
    }
    #expect(throws: ColorError.self) { try HLGDisplay(peak: Luminance(candelas: .nan)) }
    #expect(throws: ColorError.self) { try HLGDisplay(surround: 0) }
    #expect(throws: ColorError.self) { try HLGDisplay(peak: 100, gamma: 0) }
  }

  @Test func theBrightestBlackIsTheSignalZero() throws {
    let black = 1000 / power(12, HLGDisplay.reference.gamma)
    let display = try HLGDisplay(peak: 1000, black: Luminance(candelas: black))
    let transfer = ColorSpace.rec2100HLG(on: display, white: 1).transfer
    let (darkest, brightest) = (transfer.decode(.zero).x, transfer.decode(.one).x)
    // The standard's constants leave 5·10⁻⁹ where the pieces of the OETF meet, and at the signal 1.
    #expect(abs(darkest - black) < 1e-4)
    #expect(abs(brightest - 1000) < 1e-4)
  }

  /// An infinite channel leaves the others finite.
  @Test func renderingKeepsInfinity() {
    let weights = ColorSpace.linearRec2020.luminanceWeights
    for formula in [
      HLGDisplay.reference.rendering("OOTF", weights: weights, unit: 5),
      HLGDisplay.reference.inverseRendering("inverse OOTF", weights: weights, unit: 5),
    ] {
      let lamp = formula([.infinity, 0, 0])
      #expect(lamp.x > 1e30 && lamp.y == 0 && lamp.z == 0, "\(formula.name): \(lamp)")
      #expect(formula(.zero) == .zero)
    }
  }

  @Test func liftedBlackRoundTrips() throws {
    let display = try ColorSpace.rec2100HLG(on: HLGDisplay(black: 0.1), white: 1)
    let black = ColorPoint(0, 0, 0, in: display).converted(to: .linearRec2020)
    // The definition of the lift: β = √(3 (L_B / L_W)^(1/γ)).
    #expect((black.components - [0.1, 0.1, 0.1]).largest < 1e-12)
    let peak = ColorPoint(1, 1, 1, in: display).converted(to: .linearRec2020)
    // The standard's constants leave 5·10⁻⁹ at the signal 1.
    #expect(abs(peak.components.x - 1000) < 1e-4)
  }

  @Test func referenceDisplaysHaveTheirBlackLevel() {
    let display = ColorSpace.rec709.onReferenceDisplay(black: 0.001)
    #expect(display.transfer == .bt1886(black: 0.001))
    #expect(display.primaries == .rec709)
    let black = ColorPoint(0, 0, 0, in: display).converted(to: .linearSRGB).components
    #expect((black - [0.001, 0.001, 0.001]).largest < 1e-15)
  }

  @Test func conversionToGrayKeepsLuminance() {
    let channel = Generator<Double>.double(in: 0...1)
    for gray in ColorSpace.all where gray.isGray {
      checkProperty("\(gray)", .zip(channel, channel, channel)) { r, g, b in
        let color = ColorPoint(r, g, b, in: .displayP3)
        let shown = color.converted(to: gray)
        let (x, y, z) = (shown.components.x, shown.components.y, shown.components.z)
        guard x == y && y == z else { throw Failure("\(color) became \(shown)") }
        // Luminance is the Y of XYZ; three equal sums.
        let luminance = color.converted(to: .xyzD65).components.y
        return try requireClose(
          shown.converted(to: .xyzD65).components.y, luminance, within: 1e-14)
      }
      let white = ColorPoint(1, 1, 1, in: .proPhoto).converted(to: gray).components
      #expect((white - .one).largest <= 2 * Double.ulpOfOne)
    }
    #expect(!ColorSpace.sGray.isInterchangeable(with: .sRGB))
    #expect(ColorSpace.grayGamma22.linear.isGray)
    let gray = ColorPoint(0.5, 0.5, 0.5, in: .sGray).converted(to: .sRGB)
    // Decoded and encoded again.
    #expect((gray.components - [0.5, 0.5, 0.5]).largest <= 2 * Double.ulpOfOne)
  }
}
