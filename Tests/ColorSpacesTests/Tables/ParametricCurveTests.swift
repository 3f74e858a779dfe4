import ColorSpaces
import Testing
import _TestSupport

/// The five function types of parametric curves (ICC.1:2022, 10.18).
@Suite struct ParametricCurveTests {
  /// The parameters of each type in the standard's order, where the curve rises, and the least input from which it does.
  private static let curves: [(function: Int, parameters: [Double], start: Double)] = [
    (0, [2.2], 0), (1, [2, 0.5, -0.1], 0.2), (2, [2, 0.5, -0.1, 0.3], 0.2),
    (3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045], 0),
    (4, [2, 0.8, 0.1, 0.5, 0.25, 0.06, 0.02], 0),
  ]

  /// The equations of the standard.
  private func value(_ function: Int, _ p: [Double], _ x: Double) -> Double {
    switch function {
    case 0: power(x, p[0])
    case 1: x >= -p[2] / p[1] ? power(p[1] * x + p[2], p[0]) : 0
    case 2: x >= -p[2] / p[1] ? power(p[1] * x + p[2], p[0]) + p[3] : p[3]
    case 3: x >= p[4] ? power(p[1] * x + p[2], p[0]) : p[3] * x
    default: x >= p[4] ? power(p[1] * x + p[2], p[0]) + p[5] : p[3] * x + p[6]
    }
  }

  @Test func curvesFollowTheStandard() throws {
    #expect(ParametricCurve.parameterCounts == Self.curves.map(\.parameters.count))
    for (function, parameters, _) in Self.curves {
      let curve = try #require(ParametricCurve(function: function, parameters))
      for step in 0...100 {
        let x = Double(step) / 100
        #expect(curve(x) == value(function, parameters, x), "type \(function) at \(x)")
      }
    }
  }

  @Test func inversesUndoTheCurves() throws {
    for (function, parameters, start) in Self.curves {
      let curve = try #require(ParametricCurve(function: function, parameters))
      checkProperty("type \(function)", .double(in: start + 1e-3...1)) { x in
        // Next to the foot of the power, roots amplify roundings.
        try requireClose(curve.inverse(curve(x)), x, within: 1e-10)
      }
      #expect(curve.inverse(curve(1)).isFinite)
    }
  }

  /// Type 3 with the constants of IEC 61966-2-1 is the transfer function of sRGB.
  @Test func sRGBIsATypeOfThem() throws {
    let curve = try #require(ParametricCurve(function: 3, Self.curves[3].parameters))
    for step in 0...255 {
      let x = Double(step) / 255
      #expect(abs(curve(x) - TransferFunction.sRGB.decode(x)) <= 1e-15, "code \(step)")
    }
  }

  /// A flat start has the inverse where the power begins.
  @Test func flatStartsAreInvertedAtTheirEnd() throws {
    let curve = try #require(ParametricCurve(function: 2, Self.curves[2].parameters))
    #expect(curve(0) == 0.3 && curve(0.1) == 0.3)
    #expect(curve.inverse(0.1) == 0.2)
  }

  @Test func unusableParametersAreRefused() {
    #expect(ParametricCurve(function: 0, [0.04]) == nil)
    #expect(ParametricCurve(function: 0, [20.1]) == nil)
    #expect(ParametricCurve(function: 0, [.nan]) == nil)
    #expect(ParametricCurve(function: 1, [2, 0, 0.5]) == nil)
    for exponent in [ParametricCurve.exponents.lowerBound, ParametricCurve.exponents.upperBound] {
      #expect(ParametricCurve(function: 0, [exponent]) != nil)
    }
  }

  @Test func risingCurvesArePowerCurves() throws {
    #expect(ParametricCurve(exponent: 2.2).powerCurve == PowerCurve(exponent: 2.2))
    #expect(try #require(ParametricCurve(function: 1, [2, -1, 1])).powerCurve == nil)
    for (function, parameters, start) in Self.curves {
      let curve = try #require(ParametricCurve(function: function, parameters))
      let same = Curve.power(try #require(curve.powerCurve))
      for x in [start + 0.01, 0.3, 0.5, 1] {
        #expect(abs(same(x) - curve(x)) <= 1e-15, "type \(function) at \(x)")
      }
    }
  }

  /// The line of type 4 covers no input where d is 0 or less: the curve is e below the start of its power.
  @Test(arguments: [
    [2.2, 1.1, -0.1, 0, 0, 0.01, 0], [2.4, 1.05, -0.05, 0.3, -1, 0.002, 0.5],
    [2, 1, 0, 0, 0, 0.01, 0],
  ])
  func powersThatStartAboveZeroAreFlatBefore(parameters: [Double]) throws {
    let curve = try #require(ParametricCurve(function: 4, parameters))
    let same = Curve.power(try #require(curve.powerCurve))
    for x in [0, 0.001, 0.03, 0.07, 0.2, 1] {
      #expect(abs(same(x) - curve(x)) <= 1e-15, "\(parameters) at \(x)")
    }
    let inverse = Curve.power(try #require(curve.powerCurve).inverse)
    for x in [0.1, 0.2, 0.5, 1] {
      #expect(abs(inverse(curve(x)) - x) <= 1e-10, "\(parameters) at \(x)")
    }
  }
}
