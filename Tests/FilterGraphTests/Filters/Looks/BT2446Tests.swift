import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Methods A and C of Report ITU-R BT.2446-1, against a script that follows the report step by step.
@Suite struct BT2446Tests {
  private struct Table: Decodable {
    struct Row: Decodable {
      /// Linear Rec. 2020 in cd/m².
      let light: [Double]
      let a, c, c15: [Double]
      let a4000: [Double]?

      enum CodingKeys: String, CodingKey {
        case light = "in"
        case a, c, c15, a4000
      }
    }
    let rows: [Row]
  }

  private func mapped(
    _ filter: some PointFilter, _ light: SIMD3<Double>, in space: ColorSpace = .linearRec2020
  ) -> SIMD3<Double> {
    var program = PointProgram()
    filter.describe(to: &program, in: space)
    return program(light)
  }

  @Test func rowsOfTheReport() throws {
    let rows = try Fixtures.json("Tables/bt2446.json", as: Table.self).rows
    #expect(rows.count >= 100)
    let (a, c) = (try BT2446A(unit: 100), try BT2446C(unit: 100))
    let (bright, mixed) = (
      try BT2446A(from: 4000, to: 200, unit: 100), try BT2446C(crosstalk: 0.15, unit: 100)
    )
    for row in rows {
      let light = SIMD3(row.light) / 100
      func expect(_ filter: some PointFilter, _ expected: [Double]) {
        let error = (mapped(filter, light) - SIMD3(expected)).largest
        // Two powers and two logarithms in double precision, of which the weights of luma cancel.
        #expect(error <= 1e-13, "\(filter) of \(row.light)")
      }
      expect(a, row.a)
      expect(c, row.c)
      expect(mixed, row.c15)
      if let expected = row.a4000 { expect(bright, expected) }
    }
  }

  @Test func methodCTakesTheConstants() throws {
    let source = Picture(TestPictures.floats(PixelSize(4, 3)))
    let constants = try BT2446C(
      crosstalk: 0.1, k1: 0.9, k2: 14, k3: 0.7, k4: 80, inflection: 60, unit: 100)
    let mapped = source.bt2446C(
      crosstalk: 0.1, k1: 0.9, k2: 14, k3: 0.7, k4: 80, inflection: 60, unit: 100)
    #expect(try mapped.contentHash() == source.applying(constants).contentHash())
    // Default arguments of the public method repeat the report's numbers.
    let report = try BT2446C(
      crosstalk: 0.05, k1: 0.83802, k2: 15.09968, k3: 0.74204, k4: 78.99439,
      inflection: 58.5 / 0.83802, unit: 203)
    for picture in [source.bt2446C(), source.applying(try BT2446C())] {
      #expect(try picture.contentHash() == source.applying(report).contentHash())
    }
  }

  @Test func theyWorkInAnySpaceAndUnit() throws {
    let light = SIMD3(2.5, 0.7, 0.2)
    let toSRGB = ColorSpace.linearRec2020.matrix(to: .linearSRGB)
    for (one, other) in [
      (try BT2446A(unit: 100), try BT2446A(unit: 203)) as (any PointFilter, any PointFilter),
      (try BT2446C(unit: 100), try BT2446C(unit: 203)),
    ] {
      let expected = toSRGB * mapped(one, light)
      let result = mapped(other, toSRGB * (light * (100.0 / 203)), in: .linearSRGB)
      #expect((result - expected).largest < 1e-13)
    }
  }

  @Test func endsAreDefined() throws {
    let a = try BT2446A(unit: 1000)
    #expect(mapped(a, .zero) == .zero)
    #expect((mapped(a, .one) - .one).largest < 1e-14)
    #expect(mapped(a, .one * .infinity) == mapped(a, .one))
    #expect(mapped(a, -.one) == .zero)
    let c = try BT2446C(crosstalk: 0, unit: 100)
    #expect(mapped(c, .zero) == .zero)
    #expect((mapped(c, .one * 0.5) - .one * 0.5 * 0.83802).largest < 1e-15)
    // The headroom of video levels: 118 % for 1000 cd/m².
    #expect(abs(mapped(c, .one * 10).x - 1.1839) < 1e-4)
    #expect(mapped(c, .one * .infinity).x.isFinite)
    #expect(mapped(c, [.nan, 1, 1]).y.isNaN)
  }

  @Test func parametersAreChecked() {
    #expect(throws: RecipeError.self) { try BT2446A(from: 99) }
    #expect(throws: RecipeError.self) { try BT2446A(to: .nan) }
    #expect(throws: RecipeError.self) { try BT2446C(crosstalk: 0.34) }
    #expect(throws: RecipeError.self) { try BT2446C(k3: 1) }
    #expect(throws: RecipeError.self) { try BT2446C(inflection: 0) }
  }
}
