/// A number that formulas compute with: a `Double`, or a ``Formula/Value``, whose operations are recorded.
///
/// Code that is generic over it is written once: it runs in double precision, and as a program of the pixel kernels. Branches are
/// ``select(_:_:_:)``, which computes both sides. Every operation has the same bits in Swift and on every instruction set; only the
/// payload of a NaN is not part of that.
protocol FormulaNumber: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// The result of a comparison.
  associatedtype Mask: FormulaMask

  /// A constant.
  init(_ constant: Double)

  static func + (a: Self, b: Self) -> Self
  static func - (a: Self, b: Self) -> Self
  static func * (a: Self, b: Self) -> Self
  static func / (a: Self, b: Self) -> Self
  static prefix func - (a: Self) -> Self

  static func .< (a: Self, b: Self) -> Mask
  static func .<= (a: Self, b: Self) -> Mask
  static func .== (a: Self, b: Self) -> Mask
  /// Whether one of both is NaN.
  static func isUnordered(_ a: Self, _ b: Self) -> Mask
  /// `a` where the mask holds, and `b` elsewhere.
  static func select(_ mask: Mask, _ a: Self, _ b: Self) -> Self

  var magnitude: Self { get }
  func squareRoot() -> Self
  /// `min(self, bound)` of the standard library: NaN stays, a NaN as the bound is ignored.
  func atMost(_ bound: Self) -> Self
  /// The larger of both: NaN stays, a NaN as the bound is ignored.
  func atLeast(_ bound: Self) -> Self
  /// The magnitude with the sign of another number.
  func withSign(of other: Self) -> Self
  /// The nearest integer, ties to even.
  var nearestInteger: Self { get }
  /// The largest integer that is not above.
  var integerBelow: Self { get }
  /// The exponent of two of the magnitude; −∞ for zero, and the magnitude itself where that is infinite or NaN.
  var binaryExponent: Self { get }
  /// The magnitude over two to the power of its exponent, 1..<2; 1 for zero and infinity, unspecified for NaN.
  var binarySignificand: Self { get }
  /// The product with two to the power of an integer, rounded once.
  func scaled(byPowerOfTwo exponent: Self) -> Self
  /// The polynomial by Horner's rule, each product and sum rounded by itself. The coefficients begin with the constant one.
  func polynomial(_ coefficients: [Double]) -> Self
  /// The element of a table at this index, which is rounded down; beyond the ends of the table and for NaN, the nearest or the first one.
  func element(of table: [Double]) -> Self
  /// The base-2 logarithm of the magnitude.
  var binaryLogarithm: Self { get }
  /// Two to the power of this number.
  var binaryExponential: Self { get }
}

/// The result of a comparison of formula numbers.
protocol FormulaMask {
  static func .& (a: Self, b: Self) -> Self
  static func .| (a: Self, b: Self) -> Self
  static func .^ (a: Self, b: Self) -> Self
  static prefix func .! (a: Self) -> Self
}

extension FormulaNumber {
  static func .> (a: Self, b: Self) -> Mask { b .< a }
  static func .>= (a: Self, b: Self) -> Mask { b .<= a }
  static func .!= (a: Self, b: Self) -> Mask { .!(a .== b) }
}

extension Bool: FormulaMask {
  static func .& (a: Bool, b: Bool) -> Bool { a && b }
  static func .| (a: Bool, b: Bool) -> Bool { a || b }
  static func .^ (a: Bool, b: Bool) -> Bool { a != b }
  static prefix func .! (a: Bool) -> Bool { !a }
}

extension Double: FormulaNumber {
  static func .< (a: Double, b: Double) -> Bool { a < b }
  static func .<= (a: Double, b: Double) -> Bool { a <= b }
  static func .== (a: Double, b: Double) -> Bool { a == b }
  static func isUnordered(_ a: Double, _ b: Double) -> Bool { a.isNaN || b.isNaN }
  static func select(_ mask: Bool, _ a: Double, _ b: Double) -> Double { mask ? a : b }

  func atMost(_ bound: Double) -> Double { bound < self ? bound : self }
  func atLeast(_ bound: Double) -> Double { bound > self ? bound : self }
  func withSign(of other: Double) -> Double { Double(signOf: other, magnitudeOf: self) }
  var nearestInteger: Double { rounded(.toNearestOrEven) }
  var integerBelow: Double { rounded(.down) }

  var binaryExponent: Double {
    if !(magnitude < .infinity) { return magnitude }
    return self == 0 ? -.infinity : Double(exponent)
  }

  var binarySignificand: Double {
    let normal = magnitude < .leastNormalMagnitude ? magnitude * 0x1p54 : magnitude
    return Double(bitPattern: normal.bitPattern & 0xf_ffff_ffff_ffff | 1023 << 52)
  }

  func scaled(byPowerOfTwo exponent: Double) -> Double {
    // Two factors that are normal numbers, of which the first makes a normal number of all that are near 1.
    let below = exponent < 2000 ? exponent : 2000
    let bounded = below > -2000 ? below : -2000
    let sum = (bounded + 0x1.8p52).bitPattern &- (0x4338_0000_0000_0000 - 2046)
    let half = sum >> 1
    return self * Double(bitPattern: half << 52) * Double(bitPattern: (sum &- half) << 52)
  }

  func polynomial(_ coefficients: [Double]) -> Double {
    coefficients.withUnsafeBufferPointer { polynomial($0) }
  }

  func polynomial(_ coefficients: ArraySlice<Double>) -> Double {
    coefficients.withUnsafeBufferPointer { polynomial($0) }
  }

  // A loop over memory: slices would be retained and released for each pixel.
  @inline(__always)
  private func polynomial(_ coefficients: UnsafeBufferPointer<Double>) -> Double {
    guard var sum = coefficients.last else { return 0 }
    var index = coefficients.count - 1
    while index > 0 {
      index -= 1
      sum = sum * self + coefficients[index]
    }
    return sum
  }

  func element(of table: [Double]) -> Double { element(of: table[...]) }

  func element(of table: ArraySlice<Double>) -> Double {
    // Also without elements, as operations are asked that have none.
    if table.isEmpty { return 0 }
    let last = Double(table.count - 1)
    return table[table.startIndex + Int(self > 0 ? (self < last ? self : last) : 0)]
  }

  var binaryLogarithm: Double {
    var (exponent, mantissa) = (binaryExponent, binarySignificand)
    if mantissa > 1.414_213_562_373_095 {
      mantissa *= 0.5
      exponent += 1
    }
    // ln m = 2 artanh s with s = (m − 1) / (m + 1), |s| < 0.172: the thirteenth term is below 2⁻⁶⁶.
    let s = (mantissa - 1) / (mantissa + 1)
    let s2 = s * s
    let sum = s2 * s2.polynomial(Series.artanh)
    return exponent + 2 * (s + s * sum) * 1.442_695_040_888_963_4
  }

  var binaryExponential: Double {
    // Beyond 1100 it is infinite, or 0, as surely.
    let bounded = atMost(1100).atLeast(-1100)
    let whole = bounded.nearestInteger
    let t = (bounded - whole) * 0.693_147_180_559_945_3
    return t.polynomial(Series.exponential).scaled(byPowerOfTwo: whole)
  }
}

/// The coefficients of the elementary functions. Those of the logarithm and the exponential stand in the kernels, too.
enum Series {
  /// ⅓, ⅕ … 1/25.
  static let artanh: [Double] = stride(from: 3.0, through: 25, by: 2).map { 1 / $0 }
  /// 1/k! for k from 0 to 14: for |t| < 0.347 the fifteenth term is below 2⁻⁶³.
  static let exponential: [Double] = (0...14).map { 1 / factorial($0) }
  /// (−1)ᵏ/(2k + 1)! for k from 1 to 8: for |t| ≤ π/4 the next term is below 2⁻⁶³.
  static let sine: [Double] = (1...8).map { sign($0) / factorial(2 * $0 + 1) }
  /// (−1)ᵏ/(2k)! for k from 1 to 9.
  static let cosine: [Double] = (1...9).map { sign($0) / factorial(2 * $0) }
  /// ⅓, −⅕ … −1/41: for |t| < 0.415 the twenty-first term is below 2⁻⁵⁶.
  static let arctangent: [Double] = (1...20).map { -sign($0) / Double(2 * $0 + 1) }

  private static func sign(_ k: Int) -> Double { k.isMultiple(of: 2) ? 1 : -1 }

  private static func factorial(_ n: Int) -> Double {
    n < 2 ? 1 : (2...n).reduce(1) { $0 * Double($1) }
  }
}
