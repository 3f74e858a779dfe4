internal import CPixelKernels
internal import ColorSpaces

extension cpk_power {
  /// The kernels' form of a curve: a polynomial of the mantissa less 1, times a table of the exponent; cubes of x need neither,
  /// but in segments.
  ///
  /// Computed in double precision and without the system's mathematics, so that every machine has the same table.
  init(_ curve: PowerCurve, inSegment: Bool) {
    self.init()
    threshold = Float(curve.threshold)
    slope = Float(curve.slope)
    intercept = Float(curve.intercept)
    shift = Float(curve.shift)
    offset = Float(curve.offset)
    below_zero = curve.belowZero.kernelPolicy
    if !inSegment, curve.exponent == 3, curve.shift == 0 {
      setCube(curve)
      return
    }
    // low × high is the power of 2^(e − 127) for the exponent field e; high is exactly 1 for 2⁻¹⁵ ≤ x < 2.
    // Magnitudes below 2⁻¹¹¹ count as zero, from 2¹¹³ on as infinite (the other way round for negative exponents).
    let (tiny, huge): (Double, Double) = curve.exponent > 0 ? (0, .infinity) : (.infinity, 0)
    let highs: [Double] = (1..<15).map { index in
      let high = exp2(Double(index - 7) * 16 * curve.exponent)
      // The largest float is half a unit of the last place less than 2¹²⁸, which fourth powers need.
      return high == 0x1p128 ? Double(Float.greatestFiniteMagnitude) : high
    }
    fill(&high, [tiny] + highs + [huge])
    let center = curve.exponent > 0 ? 1.0 : 2
    self.center = Float(center)
    // Cubes and steeper ones are more than four units off where a rounded sum is raised.
    if curve.shift != 0, curve.exponent > 2.5 {
      exponent = Float(curve.exponent)
      shift_rest = Float(curve.shift - Double(shift))
    }
    let polynomial = mantissaPolynomial(
      curve.exponent, around: center, isSteep: exponent != 0)
    degree = Int32(polynomial.count - 1)
    let powers = (0..<16).map { curve.scale * exp2(Double($0 - 15) * curve.exponent) }
    splitScale(polynomial, powers, keepingOneOf: curve)
  }

  /// Sets the scale of a cube, so that the value at 1 is exact where a unit or two of its last place are enough for that.
  private mutating func setCube(_ curve: PowerCurve) {
    degree = Int32(CPK_CUBE_DEGREE)
    let (white, scale) = (Float(curve(1)), Float(curve.scale))
    let nudged = [0, 1, -1, 2, -2].map { scale + $0 * scale.ulp }
    polynomial.0 = nudged.first { offset + $0 == white } ?? scale
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
    let binades = (0..<19).map { Binade(of: curve, $0, isExact: exponent != 0) }
    for nudge in [0, 1, -1, 2, -2] as [Float] {
      var best = Double.infinity
      for step in 0..<64 {
        let part = 1 - Double(step) * 0x1p-24
        let polynomial = coefficients.map { Float($0 * part) }
        var table = powers.map { Float($0 / part) }
        table[entry] += nudge * table[entry].ulp
        guard value(atOneWith: table[entry], polynomial) == white else { continue }
        let error = errors(of: polynomial, curve.exponent, times: part)
        let worst = binades.reduce(0) { max($0, $1.units(table, part, error)) }
        if worst < best {
          best = worst
          fill(&self.polynomial, polynomial)
          fill(&low, table)
        }
      }
      if best.isFinite { return }
    }
    fill(&polynomial, coefficients)
    fill(&low, powers)
  }

  /// The relative errors of a rounded polynomial in the kernels' arithmetic.
  private func errors(
    of polynomial: [Float], _ exponent: Double, times part: Double
  ) -> ClosedRange<Double> {
    let errors = (0...64).map { step -> Double in
      let mantissa = 1 + Float(step) / 64
      let value = polynomial.reversed().reduce(Float(0)) { $1.addingProduct($0, mantissa - center) }
      return Double(value) / (power(Double(mantissa), exponent) * part) - 1
    }
    return (errors.min() ?? 0)...(errors.max() ?? 0)
  }

  /// The numbers of one entry of the table, and the effect of its errors on them.
  private struct Binade {
    /// The index of the entry, and what the kernels multiply it by.
    let entry: Int, high: Float
    /// The power without the curve's scale.
    let exact: Double
    /// The largest power, and the largest error of a rounded base, in units of the last place of the curve's value, or of what is
    /// subtracted from it.
    var power = 0.0, base = 0.0
    /// The relative error that the rounded shift makes where the power is that large.
    var bias = 0.0

    /// The binade of bases from 2^(index − 15) on, as far as the curve needs it for numbers up to 8.
    init(of curve: PowerCurve, _ index: Int, isExact: Bool) {
      (entry, high) = (index & 15, index < 16 ? 1 : Float(exp2(16 * curve.exponent)))
      exact = curve.scale * exp2(Double(index - 15) * curve.exponent)
      for step in 0..<16 {
        let base = exp2(Double(index - 15)) * (1 + Double(step) / 16)
        let x = base - curve.shift
        guard x > curve.threshold, x <= 8 else { continue }
        let value = ColorSpaces.power(base, curve.exponent) * curve.scale
        let units =
          abs(value) / Double(Float(max(abs(value + curve.offset), abs(curve.offset))).ulp)
        guard units.isFinite else { continue }
        let isLargest = units > power
        power = max(power, units)
        if isExact || curve.shift == 0 { continue }
        self.base = max(
          self.base, units * abs(curve.exponent) * Double(Float(base).ulp) / 2 / base)
        if isLargest { bias = (Double(Float(curve.shift)) - curve.shift) / base * curve.exponent }
      }
    }

    /// The largest error with a table and a polynomial that has a range of them.
    func units(_ table: [Float], _ part: Double, _ polynomial: ClosedRange<Double>) -> Double {
      let error = Double(table[entry] * high) * part / exact - 1 + bias
      return base
        + power * max(abs(error + polynomial.lowerBound), abs(error + polynomial.upperBound))
    }
  }

  /// What the kernels compute for 1.
  private func value(atOneWith scale: Float, _ coefficients: [Float]) -> Float {
    guard 1 > threshold else { return intercept.addingProduct(slope, 1) }
    let sum = 1 + shift
    let polynomial = coefficients.reversed().reduce(Float(0)) {
      $1.addingProduct($0, sum.significand - center)
    }
    // The loss is exact in double precision.
    let lost = Float(1 + Double(shift) - Double(sum)) + shift_rest
    return (offset + polynomial * scale * (exponent * lost / sum)).addingProduct(polynomial, scale)
  }
}

/// The tables of curves seen before.
struct PowerTables: Sendable {
  private struct Key: Hashable {
    let curve: PowerCurve
    let inSegment: Bool
  }
  private struct Entry: @unchecked Sendable { let table: cpk_power }  // a value of numbers alone
  // More than a recipe of 1,000 steps has, with five powers for each channel. Some megabytes.
  private static let known = KnownResults<Key, Entry>(limit: 1 << 14)

  static func table(of curve: PowerCurve, inSegment: Bool = false) -> cpk_power {
    known.result(for: Key(curve: curve, inSegment: inSegment)) {
      Entry(table: cpk_power(curve, inSegment: inSegment))
    }.table
  }
}

/// The power of mantissas, 1…2, as a polynomial of their distance from `center`: of the lower degree if that is exact to
/// 2⁻²⁴, half a unit of the last place of 1.
private func mantissaPolynomial(
  _ exponent: Double, around center: Double, isSteep: Bool
) -> [Double] {
  func fit(_ degree: Int) -> [Double] {
    chebyshevFit(degree: degree, from: 1 - center) { power(center + $0, exponent) }
  }
  if isSteep { return fit(CPK_STEEP_POWER_DEGREE) }
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
/// With the ends exact, neighboring exponents join without a step and the power of 1 is 1. Spreading the nodes makes the largest
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
