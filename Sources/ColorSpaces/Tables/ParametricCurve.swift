/// A curve by one of the formulas of ICC.1:2022, 10.18: `(a·x + b)^g + e` from `d` up, `c·x + f` below.
///
/// Outside of 0…1 the formula goes on, as in Little CMS.
package struct ParametricCurve: Hashable, Sendable {
  package let g, a, b, c, d, e, f: Double
  /// The value from which the inverse is that of the power.
  package let join: Double
  /// Where the power begins, for curves that are flat before it.
  package let foot: Double?

  /// How many parameters each function has.
  package static let parameterCounts = [1, 3, 4, 5, 7]

  /// The powers that a curve may be made of: beyond them all numbers become black or white.
  package static let exponents = 0.05...20.0

  /// The curve of a function's parameters in the standard's order; nil where they make none that can be computed with.
  package init?(function: Int, _ p: [Double]) {
    guard Self.exponents.contains(p[0]), function == 0 || abs(p[1]) > 1e-5 else { return nil }
    (g, a, b) = (p[0], function == 0 ? 1 : p[1], function == 0 ? 0 : p[2])
    switch function {
    case 0: (c, d, e, f) = (0, 0, 0, 0)
    case 1: (c, d, e, f) = (0, -p[2] / p[1], 0, 0)
    case 2: (c, d, e, f) = (0, max(-p[2] / p[1], 0), p[3], p[3])
    case 3: (c, d, e, f) = (p[3], p[4], 0, 0)
    default: (c, d, e, f) = (p[3], p[4], p[5], p[6])
    }
    join = function == 4 ? c * d + f : power(max(a * d + b, 0), g) + e
    foot = function < 3 ? max(d, 0) : nil
  }

  /// The curve of a power.
  package init(exponent: Double) {
    (g, a, b, c, d, e, f, join, foot) = (exponent, 1, 0, 0, 0, 0, 0, 0, 0)
  }

  /// The curve's value at `x`.
  package func callAsFunction(_ x: Double) -> Double {
    x < d ? c * x + f : power(max(a * x + b, 0), g) + e
  }

  /// The place where the curve has the value `y`, as Little CMS finds it; zero where it has it nowhere.
  package func inverse(_ y: Double) -> Double {
    if y < join { return c == 0 ? foot ?? 0 : (y - f) / c }
    if y < e { return foot ?? 0 }
    return max((power(y - e, 1 / g) - b) / a, foot ?? -.infinity)
  }

  /// The same curve for color spaces, where numbers below zero have a policy; nil where it falls.
  package var powerCurve: PowerCurve? {
    guard a > 0 else { return nil }
    if self == ParametricCurve(exponent: g) { return PowerCurve(exponent: g) }
    // A line that ends at zero answers for nothing here, not even for zero.
    return PowerCurve(g: g, a: a, b: b, c: c, d: d > 0 ? d : -b / a, e: e, f: f)
  }
}
