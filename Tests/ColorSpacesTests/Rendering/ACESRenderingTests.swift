import ColorSpaces
import Testing
import _TestSupport

/// The output transforms of ACES as formulas: the tone scales of grays, and colors within the display's gamut.
///
/// OpenColorIO's values for colors are tested with the filter, in `ACESOutputTests`.
@Suite struct ACESRenderingTests {
  enum Version: CaseIterable { case v13, v2 }

  struct Output: CustomTestStringConvertible {
    let version: Version
    let primaries: Primaries
    let space: ColorSpace
    let peak: Double

    var testDescription: String { "ACES \(version) in \(space), \(peak) cd/m²" }

    /// The rendering from and to the display's primaries. The luminance of a result of 1 is 100 cd/m² unless stated.
    func formula(unit: Double = 100) -> Formula {
      let display = ACESDisplay(primaries, peak: peak)
      return switch version {
      case .v13: .aces13(for: display, unit: unit, in: space)
      case .v2: .aces2(for: display, unit: unit, in: space)
      }
    }
  }

  private static let displays: [(Primaries, ColorSpace)] = [
    (.rec709, .linearSRGB), (.p3, .linearDisplayP3), (.rec2020, .linearRec2020),
  ]

  static let outputs = Version.allCases.flatMap { version in
    displays.flatMap { primaries, space in
      [100.0, 1000, 4000].map {
        Output(version: version, primaries: primaries, space: space, peak: $0)
      }
    }
  }

  /// Middle gray of 0.18 has 4.8 of 0.02…48 cd/m² in the cinema of ACES 1.3, of which a power of 0.9811 makes that of a dim surround,
  /// and 15 cd/m² with high dynamic range (aces-dev 1.3).
  @Test(arguments: outputs.filter { $0.version == .v13 })
  func middleGrayHasItsLuminance(output: Output) {
    let video = power((4.8 - 0.02) / (48 - 0.02), 0.9811)
    let gray = output.formula()([0.18, 0.18, 0.18])
    // The control points have ten digits.
    #expect((gray - .one * (output.peak == 100 ? video : 0.15)).largest <= 1e-6, "\(gray)")
  }

  /// ACES 2 aims at 10.013 cd/m² for middle gray, and 14 % of that more for each doubling of the peak above 100 cd/m² (aces-core 2.0). The
  /// scale by which its curve reaches the peak takes up to 4 % of that away.
  @Test(arguments: outputs.filter { $0.version == .v2 })
  func middleGrayGetsBrighterWithThePeak(output: Output) {
    let aim = 0.100_13 * (1 + 0.14 * log2(output.peak / 100))
    let gray = output.formula()([0.18, 0.18, 0.18])
    #expect(gray.isWithin(0.96 * aim...aim), "\(gray)")
  }

  /// The curves of ACES 1.3 for a display of 100 cd/m² end 6.5 stops below and above middle gray (aces-dev 1.3, `ODT.Tonescale`).
  @Test func videoEndsSixAndAHalfStopsFromGray() {
    let formula = Self.outputs[0].formula()
    func rendered(stops: Double) -> Double { formula(.one * (0.18 * exp2(stops))).y }
    #expect(abs(rendered(stops: 6.5) - 1) < 1e-4 && rendered(stops: 6.3) < 0.999)
    #expect(abs(rendered(stops: -6.5)) < 1e-4 && rendered(stops: -5.5) > 1e-4)
    #expect(rendered(stops: 9) == 1)
  }

  /// The scene light that ACES 2 makes the peak: 128 for 100 cd/m², to 896 for 10,000 cd/m² (aces-core 2.0).
  @Test(arguments: outputs.filter { $0.version == .v2 })
  func theirSceneLightReachesThePeak(output: Output) {
    let hit = 128 + 768 * log2(output.peak / 100) / log2(10) / 2
    let (peak, formula) = (output.peak / 100, output.formula())
    #expect((formula(.one * hit) - .one * peak).largest <= 1e-9 * peak)
    #expect(formula(.one * (hit / 2)).largest < 0.999 * peak)
  }

  @Test(arguments: outputs) func graysRiseFromBlackToThePeak(output: Output) {
    let (formula, peak) = (output.formula(), output.peak / 100)
    // The least luminances of ACES 1.3 come from logarithms of ten digits.
    #expect(formula(.zero).largest <= 1e-8)
    // The luminance of D60 at the peak differs by that much from that of D65.
    let slack = output.version == .v13 && output.peak > 100 ? 1e-4 : 1e-12
    var last = 0.0
    for step in -96...120 {
      let gray = formula(.one * exp2(Double(step) / 8))
      #expect(gray.y >= last - 1e-12 * peak, "\(step)")
      #expect(gray.y <= peak * (1 + slack), "\(step)")
      last = gray.y
    }
    #expect(last > 0.97 * peak)
  }

  /// Grays of the display stay gray. Above 100 cd/m², ACES 1.3 clips before it adapts D60 to D65, so that its whites do not.
  @Test(arguments: outputs) func graysStayGray(output: Output) {
    let formula = output.formula()
    let brightest = output.version == .v13 && output.peak > 100 ? 4 : 12
    for step in -10...brightest {
      let gray = formula(.one * exp2(Double(step)))
      // Matrices to the model and back, and their inverses.
      #expect(gray.spread <= 1e-9 * max(gray.max(), 1e-3), "\(step): \(gray)")
    }
  }

  @Test(arguments: outputs.filter { $0.version == .v2 || $0.peak == 100 })
  func colorsStayInTheGamut(output: Output) {
    let (formula, peak) = (output.formula(), output.peak / 100)
    checkProperty("\(output.testDescription) holds colors", .color(limit: 1e6)) { color in
      let result = formula(color)
      guard result.isWithin(-1e-12 * peak...peak * (1 + 1e-12)) else {
        throw Failure("\(color) becomes \(result)")
      }
      return true
    }
  }

  @Test func theUnitScalesTheResult() {
    for output in Self.outputs where output.peak == 1000 {
      let color: SIMD3<Double> = [0.4, 0.2, 0.1]
      let (one, other) = (output.formula()(color), output.formula(unit: 203)(color))
      #expect((one - other * 2.03).largest <= 1e-14 * one.max(), "\(output.testDescription)")
    }
  }

  @Test(arguments: outputs) func nanInOneChannelGivesNaNInAll(output: Output) {
    for channel in 0..<3 {
      var color = SIMD3(0.5, 0.25, 1)
      color[channel] = .nan
      let result = output.formula()(color)
      #expect((0..<3).allSatisfy { result[$0].isNaN })
    }
  }
}
