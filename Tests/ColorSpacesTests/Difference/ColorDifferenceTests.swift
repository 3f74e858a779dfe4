import ColorSpaces
import Foundation
import Testing
import _TestSupport

/// Color difference formulas against published values, and their properties.
@Suite struct ColorDifferenceTests {
  /// Rows mix names with numbers, so they are parsed untyped.
  private struct Table {
    let sharma, labPairs: [[Double]]
    let colorPairs: [(xyz: (SIMD3<Double>, SIMD3<Double>), differences: [Double])]

    init(_ data: Data) throws {
      let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
      sharma = try #require(json["sharma"] as? [[Double]])
      labPairs = try #require(json["lab_pairs"] as? [[Double]])
      colorPairs = try #require(json["color_pairs"] as? [[Any]]).map { row in
        let first = SIMD3(try #require(row[3] as? [Double]))
        let second = SIMD3(try #require(row[4] as? [Double]))
        return ((first, second), try #require(row[5] as? [Double]))
      }
    }
  }

  @Test func differencesEqualTheFixture() throws {
    try check(Table(Data(contentsOf: Fixtures.url("Tables/color_differences.json"))))
  }

  @Test(SharedReference.whenPresent) func differencesEqualTheWholeReference() throws {
    let folder = try #require(SharedReference.folder())
    try check(Table(Data(contentsOf: folder.appending(path: "deltae.json"))))
  }

  private func check(_ table: Table) throws {
    #expect(table.sharma.count == 34 && table.labPairs.count >= 20 && table.colorPairs.count >= 20)
    for row in table.sharma {
      let (first, second) = (SIMD3(Array(row[0..<3])), SIMD3(Array(row[3..<6])))
      let difference = ColorDifference.ciede2000()(first, second)
      // The paper prints four decimals.
      #expect(abs(difference - row[6]) <= 5e-5)
      #expect(abs(difference - row[7]) <= 1e-9)
    }
    let formulas: [ColorDifference] = [
      .cie76, .cie94(), .cie94(.textiles), .ciede2000(), .cmc(), .cmc(l: 1, c: 1), .hyAB,
    ]
    for row in table.labPairs {
      let (first, second) = (SIMD3(Array(row[0..<3])), SIMD3(Array(row[3..<6])))
      for (formula, expected) in zip(formulas, row[6...]) {
        let difference = formula(first, second)
        // The documented error of the table.
        #expect(abs(difference - expected) <= 1e-9, "\(formula) \(first) \(second)")
      }
    }
    for (xyz, differences) in table.colorPairs {
      let formulas: [ColorDifference] = [.ok, .itp, .jz, .cam16, .ciede2000(), .hyAB, .din99o]
      for (formula, expected) in zip(formulas, differences) {
        let (a, b) = (ColorPoint(xyz.0, in: .xyzD65), ColorPoint(xyz.1, in: .xyzD65))
        #expect(abs(formula(a, b) - expected) <= 1e-9, "\(formula) \(xyz)")
      }
    }
  }

  private static let labFormulas: [ColorDifference] = [
    .cie76, .cie94(), .cie94(.textiles), .ciede2000(), .ciede2000(kL: 2), .cmc(), .cmc(l: 1, c: 1),
    .hyAB,
  ]
  private static let everyFormula = labFormulas + [.ok, .itp, .jz, .cam16, .din99o]

  /// Any color that a formula takes; chroma is nonnegative.
  private func color(for formula: ColorDifference) -> Generator<SIMD3<Double>> {
    let isPolar = formula.axes == .jzczhz
    return Generator<(Double, Double, Double)>.zip(
      .double(in: 0...100), .double(in: isPolar ? 0...150 : -150...150), .double(in: -150...150)
    ).map { SIMD3($0.0, $0.1, $0.2) }
  }

  @Test(arguments: everyFormula) func differenceOfEqualColorsIsZero(_ formula: ColorDifference) {
    checkProperty("\(formula)(x, x) = 0", color(for: formula)) { formula($0, $0) == 0 }
  }

  @Test(arguments: everyFormula) func differencesArePositive(_ formula: ColorDifference) {
    let colors = color(for: formula)
    checkProperty("\(formula) > 0", colors, colors, cases: 1000) { a, b in
      a == b || formula(a, b) > 0
    }
  }

  @Test(arguments: everyFormula) func mostFormulasAreSymmetric(_ formula: ColorDifference) {
    switch formula {
    case .cie94, .cmc:
      #expect(formula([50, 10, 10], [50, 60, 10]) != formula([50, 60, 10], [50, 10, 10]))
    default:
      let colors = color(for: formula)
      checkProperty("\(formula)", colors, colors, cases: 1000) { a, b in
        try requireClose(formula(a, b), formula(b, a), within: 1e-9)
      }
    }
  }

  /// Grays have no hue, and a negative zero is a zero.
  @Test(arguments: labFormulas) func graysDifferInLightnessOnly(_ formula: ColorDifference) {
    for zero in [0.0, -0.0] {
      let difference = formula([50, 0, zero], [60, zero, 0])
      #expect(difference > 4 && difference <= 10, "\(formula)")
    }
  }

  /// A tiny hue difference of a saturated color, which ΔE² − ΔL² − ΔC² would lose to cancellation.
  @Test func smallHueDifferencesKeepTheirDigits() {
    let turn = 1e-9
    for formula in [ColorDifference.cie94(), .cmc(), .ciede2000()] {
      let one = formula([50, 100, 0], [50, 100, turn])
      let two = formula([50, 100, 0], [50, 100, 2 * turn])
      #expect(abs(two / one - 2) < 1e-6, "\(formula)")
    }
  }
}
