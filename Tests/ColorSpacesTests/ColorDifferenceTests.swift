import ColorSpaces
import Foundation
import Testing
import _TestSupport

/// The formulas against numbers that others computed, and what each of them promises.
@Suite struct ColorDifferenceTests {
  /// Rows mix names with numbers, so they are read untyped.
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

  @Test func theFixture() throws {
    try check(Table(Data(contentsOf: Fixtures.url("Tables/color_differences.json"))))
  }

  @Test(SharedReference.whenPresent) func theWholeReference() throws {
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
        // What the table's authors grant to double precision.
        #expect(abs(difference - expected) <= 1e-9, "\(formula) \(first) \(second)")
      }
    }
    for (xyz, differences) in table.colorPairs {
      let lab = (Self.lab(xyz.0), Self.lab(xyz.1))
      let found = [
        ColorDifference.ok(Self.oklab(xyz.0), Self.oklab(xyz.1)),
        ColorDifference.itp(Self.ictcp(xyz.0), Self.ictcp(xyz.1)),
        ColorDifference.jz(Self.jzczhz(xyz.0), Self.jzczhz(xyz.1)),
        ColorDifference.ciede2000()(lab.0, lab.1), ColorDifference.hyAB(lab.0, lab.1),
      ]
      for (found, expected) in zip(found, differences[0..<3] + differences[4..<6]) {
        #expect(abs(found - expected) <= 1e-9, "\(xyz)")
      }
    }
  }

  private static let labFormulas: [ColorDifference] = [
    .cie76, .cie94(), .cie94(.textiles), .ciede2000(), .ciede2000(kL: 2), .cmc(), .cmc(l: 1, c: 1),
    .hyAB,
  ]
  private static let everyFormula = labFormulas + [.ok, .itp, .jz]

  /// Any colors a formula takes; chroma is never negative.
  private func color(for formula: ColorDifference) -> Generator<SIMD3<Double>> {
    let isPolar = formula.axes == .jzczhz
    return Generator<(Double, Double, Double)>.zip(
      .double(in: 0...100), .double(in: isPolar ? 0...150 : -150...150), .double(in: -150...150)
    ).map { SIMD3($0.0, $0.1, $0.2) }
  }

  @Test(arguments: everyFormula) func noColorDiffersFromItself(_ formula: ColorDifference) {
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
  @Test(arguments: labFormulas) func graysDifferInLightnessAlone(_ formula: ColorDifference) {
    for zero in [0.0, -0.0] {
      let difference = formula([50, 0, zero], [60, zero, 0])
      #expect(difference > 4 && difference <= 10, "\(formula)")
    }
  }

  /// A tiny turn of a vivid color: what ΔE² − ΔL² − ΔC² would have lost to cancellation.
  @Test func smallHueDifferencesKeepTheirDigits() {
    let turn = 1e-9
    for formula in [ColorDifference.cie94(), .cmc(), .ciede2000()] {
      let one = formula([50, 100, 0], [50, 100, turn])
      let two = formula([50, 100, 0], [50, 100, 2 * turn])
      #expect(abs(two / one - 2) < 1e-6, "\(formula)")
    }
  }

  // MARK: Coordinates, from the standards and the system's functions

  private static func lab(_ xyz: SIMD3<Double>) -> SIMD3<Double> {
    func f(_ t: Double) -> Double {
      t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116
    }
    let relative = xyz / Chromaticity.d65.xyz
    let (x, y, z) = (f(relative.x), f(relative.y), f(relative.z))
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
  }

  /// The matrices of CSS Color 4.
  private static func oklab(_ xyz: SIMD3<Double>) -> SIMD3<Double> {
    let cones = ColorMatrix(
      rows: [0.8190224379967030, 0.3619062600528904, -0.1288737815209879],
      [0.0329836539323885, 0.9292868615863434, 0.0361446663506424],
      [0.0481771893596242, 0.2642395317527308, 0.6335478284694309])
    let opponents = ColorMatrix(
      rows: [0.2104542683093140, 0.7936177747023054, -0.0040720430116193],
      [1.9779985324311684, -2.4285922420485799, 0.4505937096174110],
      [0.0259040424655478, 0.7827717124575296, -0.8086757549230774])
    let lms = cones * xyz
    return opponents * [cbrt(lms.x), cbrt(lms.y), cbrt(lms.z)]
  }

  /// SMPTE ST 2084 with its last exponent open, for a white of 203 of 10,000 cd/m².
  private static func quantized(
    _ light: SIMD3<Double>, _ exponent: Double = 2523.0 / 32
  ) -> SIMD3<Double> {
    func one(_ x: Double) -> Double {
      let y = pow(abs(x) * 203 / 10_000, 2610.0 / 16384)
      return copysign(pow((0.8359375 + 18.8515625 * y) / (1 + 18.6875 * y), exponent), x)
    }
    return [one(light.x), one(light.y), one(light.z)]
  }

  private static func ictcp(_ xyz: SIMD3<Double>) -> SIMD3<Double> {
    let scale = ColorMatrix(diagonal: SIMD3(repeating: 1.0 / 4096))
    let cones = scale * ColorMatrix(rows: [1688, 2146, 262], [683, 2951, 462], [99, 309, 3688])
    let opponents =
      scale * ColorMatrix(rows: [2048, 2048, 0], [6610, -13613, 7003], [17933, -17390, -543])
    return opponents * quantized(cones * (Primaries.rec2020.toXYZ.inverse * xyz))
  }

  private static func jzczhz(_ xyz: SIMD3<Double>) -> SIMD3<Double> {
    let cones =
      ColorMatrix(
        rows: [0.41478972, 0.579999, 0.0146480], [-0.2015100, 1.120649, 0.0531008],
        [-0.0166008, 0.264800, 0.6684799])
      * ColorMatrix(rows: [1.15, 0, -0.15], [0.34, 0.66, 0], [0, 0, 1])
    let opponents = ColorMatrix(
      rows: [0.5, 0.5, 0], [3.524000, -4.066708, 0.542708], [0.199076, 1.096799, -1.295875])
    let i = opponents * quantized(cones * xyz, 1.7 * 2523 / 32)
    let j = 0.44 * i.x / (1 - 0.56 * i.x) - 1.6295499532821566e-11
    return [j, hypot(i.y, i.z), atan2(i.z, i.y) * 180 / .pi]
  }
}
