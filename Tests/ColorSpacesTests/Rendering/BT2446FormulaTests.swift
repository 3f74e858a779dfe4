import ColorSpaces
import Foundation
import Testing
import _TestSupport

/// Methods A and C of Report ITU-R BT.2446-1 as formulas: grays by the equations of the report, ends and order.
@Suite struct BT2446FormulaTests {
  /// The parameters of method C in the report: k₁ to k₄, and the inflection point in cd/m².
  private static let k: SIMD4<Double> = [0.83802, 15.09968, 0.74204, 78.99439]
  private static let inflection = 58.5 / 0.83802

  private static func methodC(crosstalk: Double, unit: Double = 100) -> Formula {
    .bt2446C(
      crosstalk: crosstalk, k: k, inflection: inflection, unit: unit, in: .linearRec2020)
  }

  /// Clause 4.1 for a gray: the luminance of the result, 1 for the display's peak.
  private func methodA(_ candelas: Double, from mastering: Double, to display: Double) -> Double {
    func density(_ peak: Double) -> Double { 1 + 32 * pow(peak / 10_000, 1 / 2.4) }
    let luma = pow(candelas / mastering, 1 / 2.4)
    let p = log(1 + (density(mastering) - 1) * luma) / log(density(mastering))
    let knee =
      p <= 0.7399 ? 1.077 * p : p < 0.9909 ? -1.151 * p * p + 2.7811 * p - 0.6302 : 0.5 * p + 0.5
    return pow((pow(density(display), knee) - 1) / (density(display) - 1), 2.4)
  }

  @Test(arguments: [(1000.0, 100.0), (4000, 100), (1000, 203)])
  func methodAFollowsTheReport(mastering: Double, display: Double) {
    let formula = Formula.bt2446A(from: mastering, to: display, unit: 100, in: .linearRec2020)
    for candelas in [0.01, 1, 10, 58, 203, 500, 900, 999] {
      let expected = methodA(candelas, from: mastering, to: display)
      #expect(
        (formula(.one * (candelas / 100)) - .one * expected).largest <= 1e-13, "\(candelas)")
    }
    #expect(formula(.zero) == .zero)
    #expect((formula(.one * (mastering / 100)) - .one).largest <= 1e-13)
    #expect(formula(.one * 1e6) == formula(.one * (mastering / 100)))
  }

  @Test func methodCFollowsTheReport() {
    for crosstalk in [0, 0.05, 0.33] {
      let formula = Self.methodC(crosstalk: crosstalk)
      for candelas in [0.01, 1, 50, 69, 71, 203, 1000, 4000] {
        let expected =
          candelas < Self.inflection
          ? Self.k.x * candelas
          : Self.k.y * log(candelas / Self.inflection - Self.k.z) + Self.k.w
        // The inverse of a mixture of nearly equal channels amplifies roundings.
        #expect(
          (formula(.one * (candelas / 100)) - .one * (expected / 100)).largest <= 1e-12,
          "\(candelas) of \(crosstalk)")
      }
    }
  }

  /// Brighter grays stay brighter, over the knees of method A and the inflection point of method C.
  @Test func graysRise() {
    let formulas = [
      Formula.bt2446A(from: 1000, to: 100, unit: 100, in: .linearRec2020),
      Self.methodC(crosstalk: 0),
    ]
    for formula in formulas {
      var last = -1.0
      for step in 0...1000 {
        let gray = formula(.one * (Double(step) / 100))
        #expect(gray.y > last, "\(formula.name) at \(step) cd/m²")
        last = gray.y
      }
    }
  }

  /// Without crosstalk, method C scales a color by one factor.
  @Test func methodCKeepsProportions() {
    let formula = Self.methodC(crosstalk: 0)
    checkProperty(
      "proportions", .double(in: 0.01...10), .double(in: 0.01...10), .double(in: 0.01...10)
    ) { red, green, blue in
      let ratio = formula([red, green, blue]) / SIMD3(red, green, blue)
      return ratio.spread <= 1e-13 * ratio.max()
    }
  }

  @Test func theUnitIsThatOfTheInput() {
    let color: SIMD3<Double> = [2.5, 0.7, 0.2]
    let (one, other) = (Self.methodC(crosstalk: 0.05), Self.methodC(crosstalk: 0.05, unit: 203))
    #expect((one(color) - other(color / 2.03)).largest <= 1e-13)
  }

  @Test func nanInOneChannelGivesNaNInAll() {
    for formula in [
      Formula.bt2446A(from: 1000, to: 100, unit: 100, in: .sRGB), Self.methodC(crosstalk: 0),
    ] {
      for color: SIMD3<Double> in [[.nan, 1, 1], [1, .nan, 1], [1, 1, .nan]] {
        let result = formula(color)
        #expect((0..<3).allSatisfy { result[$0].isNaN })
      }
    }
  }
}
