internal import CPixelKernels
internal import ColorSpaces
internal import Synchronization

extension cpk_power {
  /// The kernels' form of a curve: a polynomial of the mantissa less 1, times a table of the exponent.
  ///
  /// Computed in double precision and without the system's mathematics, so that every machine has the same table.
  init(_ curve: PowerCurve) {
    self.init()
    threshold = Float(curve.threshold)
    slope = Float(curve.slope)
    intercept = Float(curve.intercept)
    shift = Float(curve.shift)
    offset = Float(curve.offset)
    below_zero = curve.belowZero.kernelPolicy
    // low × high is the power of 2^(e − 127) for the exponent field e; high is exactly 1 for 2⁻¹⁵ ≤ x < 2.
    // Magnitudes below 2⁻¹¹¹ count as zero, from 2¹¹³ on as infinite (the other way round for negative exponents).
    let (tiny, huge): (Double, Double) = curve.exponent > 0 ? (0, .infinity) : (.infinity, 0)
    fill(
      &high,
      [tiny] + (1..<15).map { exp2(Double($0 - 7) * 16 * curve.exponent) } + [huge])
    let center = curve.exponent > 0 ? 1.0 : 2
    self.center = Float(center)
    let polynomial = mantissaPolynomial(curve.exponent, around: center)
    degree = Int32(polynomial.count - 1)
    let powers = (0..<16).map { curve.scale * exp2(Double($0 - 15) * curve.exponent) }
    splitScale(polynomial, powers, keepingOneOf: curve)
  }

  /// Splits the curve's scale between polynomial and table, so that the value at 1, the white of every space, is exact.
  ///
  /// The split is free: of some 2⁻²⁴ steps the one is taken that rounds the best among those that round 1 the right way. Where
  /// none does, the table's entry for 1 gives way by a unit or two of its last place.
  private mutating func splitScale(
    _ coefficients: [Double], _ powers: [Double], keepingOneOf curve: PowerCurve
  ) {
    let white = Float(curve(1))
    let entry = Int((1 + shift).bitPattern >> 23) & 15
    for nudge in [0, 1, -1, 2, -2] as [Float] {
      var best = Double.infinity
      for step in 0..<32 {
        let part = 1 - Double(step) * 0x1p-24
        let polynomial = coefficients.map { Float($0 * part) }
        var table = powers.map { Float($0 / part) }
        table[entry] += nudge * table[entry].ulp
        guard value(atOneWith: table[entry], polynomial) == white else { continue }
        let tableError = zip(table, powers).map { abs(Double($0) * part / $1 - 1) }.max() ?? 0
        let error = tableError + polynomialError(polynomial, of: coefficients, times: part)
        if error < best {
          best = error
          fill(&self.polynomial, polynomial)
          fill(&low, table)
        }
      }
      if best.isFinite { return }
    }
    fill(&polynomial, coefficients)
    fill(&low, powers)
  }

  /// The largest relative error of a rounded polynomial in the kernels' arithmetic.
  private func polynomialError(
    _ rounded: [Float], of exact: [Double], times part: Double
  ) -> Double {
    (0...64).map { step -> Double in
      let t = 1 + Float(step) / 64 - center
      let value = rounded.reversed().reduce(Float(0)) { $1.addingProduct($0, t) }
      return abs(Double(value) / (exact.reversed().reduce(0) { $0 * Double(t) + $1 } * part) - 1)
    }.max() ?? 0
  }

  /// What the kernels compute for 1.
  private func value(atOneWith scale: Float, _ coefficients: [Float]) -> Float {
    guard 1 > threshold else { return intercept.addingProduct(slope, 1) }
    let mantissa = (1 + shift).significand - center
    let polynomial = coefficients.reversed().reduce(Float(0)) { $1.addingProduct($0, mantissa) }
    return offset.addingProduct(polynomial, scale)
  }
}

/// The tables of curves seen before: one is asked for with every frame of a stream.
struct PowerTables: Sendable {
  private struct Entry: @unchecked Sendable { let table: cpk_power }  // a value of numbers alone
  private static let known = Mutex<[PowerCurve: Entry]>([:])

  static func table(of curve: PowerCurve) -> cpk_power {
    if let entry = known.withLock({ $0[curve] }) { return entry.table }
    let entry = Entry(table: cpk_power(curve))
    known.withLock { tables in
      if tables.count >= 256 { tables.removeAll() }
      tables[curve] = entry
    }
    return entry.table
  }
}

/// The power of mantissas, 1…2, as a polynomial of their distance from `center`: of the lower degree if that is exact to
/// 2⁻²⁴, half a unit of the last place of 1.
private func mantissaPolynomial(_ exponent: Double, around center: Double) -> [Double] {
  func fit(_ degree: Int) -> [Double] {
    chebyshevFit(degree: degree, from: 1 - center) { power(center + $0, exponent) }
  }
  let usual = fit(CPK_POWER_DEGREE)
  let isExact = (0...256).allSatisfy { step in
    let mantissa = 1 + Double(step) / 256
    let value = usual.reversed().reduce(0) { $0 * (mantissa - center) + $1 }
    return abs(value / power(mantissa, exponent) - 1) < 0x1p-24
  }
  return isExact ? usual : fit(CPK_STEEP_POWER_DEGREE)
}

/// The polynomial through `f` at Chebyshev's nodes for `start`…`start` + `width`, spread so that the ends are among them: coefficients
/// of 1, x, x² …
///
/// With the ends exact, neighbouring exponents join without a step and the power of 1 is 1. Spreading the nodes makes the largest
/// error of degree 7 a sixth larger than the least possible.
func chebyshevFit(
  degree: Int, from start: Double, width: Double = 1, _ f: (Double) -> Double
) -> [Double] {
  let count = degree + 1
  func cosine(_ i: Double) -> Double { sine(ofPi: 0.5 - (i + 0.5) / Double(count)) }
  let nodes = (0..<count).map { start + width * (0.5 - 0.5 * cosine(Double($0)) / cosine(0)) }
  // Newton's divided differences, then expanded to powers of x.
  var differences = nodes.map(f)
  for order in 1..<count {
    for i in stride(from: count - 1, through: order, by: -1) {
      differences[i] = (differences[i] - differences[i - 1]) / (nodes[i] - nodes[i - order])
    }
  }
  var coefficients = [Double](repeating: 0, count: count)
  for i in stride(from: count - 1, through: 0, by: -1) {
    for k in stride(from: count - 1, through: 1, by: -1) {
      coefficients[k] = coefficients[k - 1] - nodes[i] * coefficients[k]
    }
    coefficients[0] = differences[i] - nodes[i] * coefficients[0]
  }
  return coefficients
}
