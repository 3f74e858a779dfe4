/// `((a + b · x^p) / (c + d · x^p))^q`: the form of the perceptual quantizer, in both directions.
///
/// A negative numerator is clamped to zero, and beyond a pole the value is infinite.
public struct RationalPowerCurve: Hashable, Sendable {
  /// The numerator `a + b · x^p`.
  public let a, b: Double
  /// The denominator `c + d · x^p`.
  public let c, d: Double
  /// The positive exponents p, of the input, and q, of the fraction.
  public let inner, outer: Double
  /// The continuation below zero.
  public var belowZero: NegativePolicy

  /// Creates a curve from its parameters.
  ///
  /// - Precondition: The exponents and their inverses are finite and positive.
  public init(
    a: Double, b: Double, c: Double, d: Double, inner: Double, outer: Double,
    belowZero: NegativePolicy = .clamped
  ) {
    precondition(
      [inner, outer, 1 / inner, 1 / outer].allSatisfy { $0 > 0 && $0.isFinite },
      "The exponents are above zero, and so are their inverses: \(inner), \(outer).")
    (self.a, self.b, self.c, self.d) = (a, b, c, d)
    (self.inner, self.outer, self.belowZero) = (inner, outer, belowZero)
  }

  /// Returns the value at `x`, continued below zero by ``belowZero``.
  public func callAsFunction(_ x: Double) -> Double { value(at: x) }

  func value<Number: FormulaNumber>(at x: Number) -> Number {
    belowZero.apply(x) { x in
      // Finite in place of infinity: ∞ / ∞ would be NaN.
      let u = x.atLeast(0).raised(to: inner).atMost(0x1p1000)
      let (numerator, denominator) = (
        Number(a) + Number(b) * u, Number(c) + Number(d) * u
      )
      let fraction = Number.select(
        denominator .> 0, (numerator / denominator).raised(to: outer), Number(.infinity))
      return .select(Number.isUnordered(x, x), x, .select(numerator .<= 0, 0, fraction))
    }
  }

  /// The inverse.
  public var inverse: RationalPowerCurve {
    RationalPowerCurve(
      a: -a, b: c, c: b, d: -d, inner: 1 / outer, outer: 1 / inner, belowZero: belowZero)
  }
}
