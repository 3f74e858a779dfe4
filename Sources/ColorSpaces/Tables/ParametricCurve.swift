/// A parametric curve of ICC.1:2022, 10.18: `(a·x + b)^g + e` from `d` up, `c·x + f` below.
///
/// Outside of 0…1 the formula continues, as in Little CMS.
package struct ParametricCurve: Hashable, Sendable {
  package let g, a, b, c, d, e, f: Double
  /// The value from which on the inverse is that of the power.
  package let join: Double
  /// The start of the power, for curves that are flat before it.
  package let foot: Double?

  /// The number of parameters of each function type.
  package static let parameterCounts = [1, 3, 4, 5, 7]

  /// The allowed exponents: beyond them all values become black or white.
  package static let exponents = 0.05...20.0

  /// Creates the curve of a function type with parameters in the standard's order; nil for parameters that cannot be
  /// evaluated.
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

  /// Creates the curve of a pure power.
  package init(exponent: Double) {
    (g, a, b, c, d, e, f, join, foot) = (exponent, 1, 0, 0, 0, 0, 0, 0, 0)
  }

  /// Returns `(a · x + b)^g + e`, or `c · x + f` below `d`.
  package func callAsFunction(_ x: Double) -> Double {
    x < d ? c * x + f : power(max(a * x + b, 0), g) + e
  }

  /// The input at which the curve has the value `y`, as Little CMS finds it; zero where there is none.
  package func inverse(_ y: Double) -> Double {
    if y < join { return c == 0 ? foot ?? 0 : (y - f) / c }
    if y < e { return foot ?? 0 }
    return max((power(y - e, 1 / g) - b) / a, foot ?? -.infinity)
  }

  /// The equivalent curve for color spaces, with a policy for negative values; nil for a falling curve.
  package var powerCurve: PowerCurve? {
    guard a > 0 else { return nil }
    if self == ParametricCurve(exponent: g) { return PowerCurve(exponent: g) }
    // A line that ends at zero covers no input, not even zero. Where the power then starts above zero, e comes before it.
    return d > 0
      ? PowerCurve(g: g, a: a, b: b, c: c, d: d, e: e, f: f)
      : PowerCurve(g: g, a: a, b: b, c: 0, d: -b / a, e: e, f: e)
  }
}
