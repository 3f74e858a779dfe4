import ColorSpaces
import Testing
import _TestSupport

/// Splines against values computed by SciPy.
@Suite struct CubicCurveTableTests {
  private struct Table: Decodable {
    struct Curve: Decodable {
      let points: [[Double]]
      let natural: [Double]
      let notAKnot, clamped, catmullRom, akima, makima, pchip, fritschCarlson: [Double]

      enum CodingKeys: String, CodingKey {
        case points, natural, clamped, akima, makima, pchip
        case notAKnot = "not-a-knot"
        case catmullRom = "catmull-rom"
        case fritschCarlson = "fritsch-carlson"
      }
    }
    let curves: [String: Curve]
  }

  @Test func filmCurvesEqualTheirPublishedValues() {
    let values: [(CubicCurve, [Double])] = [
      (FilmCurves.red, [0.036080, 0.122961, 0.431137, 0.877127]),
      (FilmCurves.green, [0.021487, 0.047470, 0.090349, 0.554271]),
      (FilmCurves.blue, [0.003899, 0.023973, 0.078028, 0.362797]),
    ]
    for (curve, expected) in values {
      for (x, y) in zip([0.25, 0.5, 0.75, 0.95], expected) {
        // Half a unit of the last published digit.
        #expect(abs(curve(x) - y) <= 5.001e-7)
      }
    }
  }

  @Test func curvesEqualTheFixture() throws {
    try check(Fixtures.json("Tables/splines.json", as: Table.self), inputs: 32)
  }

  @Test(SharedReference.whenPresent) func curvesEqualTheWholeReference() throws {
    try check(
      #require(try SharedReference.json("splines.json", as: Table.self)), inputs: 256)
  }

  private func check(_ table: Table, inputs: Int) throws {
    #expect(table.curves.count >= 8)
    for (name, numbers) in table.curves {
      let points = numbers.points.map { SIMD2($0[0], $0[1]) }
      let all: [(CubicCurve.Interpolation, [Double])] = [
        (.natural, numbers.natural), (.catmullRom, numbers.catmullRom), (.akima, numbers.akima),
        (.monotone, numbers.pchip), (.notAKnot, numbers.notAKnot), (.clamped, numbers.clamped),
        (.makima, numbers.makima), (.fritschCarlson, numbers.fritschCarlson),
      ]
      for (kind, values) in all {
        let curve = try CubicCurve(through: points, interpolation: kind)
        #expect(values.count == inputs + 1)
        for (step, expected) in values.enumerated() {
          // The documented error of the table.
          let x = Double(step) / Double(inputs)
          #expect(abs(curve(x) - expected) <= 1e-12, "\(kind) \(name) at \(x)")
        }
      }
    }
  }

  @Test func reversedDiagonalIsOneMinusX() throws {
    // The slopes of a clamped spline are zero at its ends.
    for kind in CubicCurve.Interpolation.allCases where kind != .clamped {
      let curve = try CubicCurve(
        through: [[0, 1], [0.25, 0.75], [0.5, 0.5], [0.75, 0.25], [1, 0]], interpolation: kind)
      checkProperty("\(kind): 1 − x", .double(in: -1...2), cases: 1000) { x in
        // One rounding error of the evaluation, an ulp of 1.
        try requireClose(curve(x), 1 - x, within: Double.ulpOfOne)
      }
    }
  }
}
