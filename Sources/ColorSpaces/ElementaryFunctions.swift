// Powers from additions, multiplications and divisions alone. The system's `pow` differs in its last bit from one C library to
// the next, and the tables of the pixel kernels are computed with it: the same pixels everywhere begin here.

/// The base-2 logarithm of a positive, finite number.
package func log2(_ x: Double) -> Double {
  var exponent = Double(x.exponent)
  var mantissa = x.significand
  if mantissa > 1.414_213_562_373_095 {
    mantissa /= 2
    exponent += 1
  }
  // ln m = 2 artanh s with s = (m − 1) / (m + 1), |s| < 0.172: the eleventh term is below 2⁻⁵⁶.
  let s = (mantissa - 1) / (mantissa + 1)
  let s2 = s * s
  var sum = 0.0
  for denominator in stride(from: 25.0, through: 3, by: -2) { sum = s2 * (1 / denominator + sum) }
  return exponent + 2 * (s + s * sum) * 1.442_695_040_888_963_4
}

/// Two to the power of `x`.
package func exp2(_ x: Double) -> Double {
  guard x.isFinite else { return x == -.infinity ? 0 : x }
  guard abs(x) < 1100 else { return x < 0 ? 0 : .infinity }
  let whole = x.rounded(.toNearestOrEven)
  let t = (x - whole) * 0.693_147_180_559_945_3
  // Taylor, |t| < 0.347: the fifteenth term is below 2⁻⁵⁸.
  var sum = 1.0
  for k in stride(from: 14.0, through: 1, by: -1) { sum = 1 + t / k * sum }
  return Double(sign: .plus, exponent: Int(whole), significand: sum)
}

/// `base` to the power of `exponent`, for bases from zero up.
package func power(_ base: Double, _ exponent: Double) -> Double {
  if base.isNaN || exponent.isNaN { return .nan }
  if exponent == 1 { return base }
  if exponent == 2 { return base * base }
  if exponent == 0.5 { return base.squareRoot() }
  if exponent == 0 || base == 1 { return 1 }
  if base <= 0 { return exponent > 0 ? 0 : .infinity }
  if base == .infinity { return exponent > 0 ? .infinity : 0 }
  return exp2(exponent * log2(base))
}

/// The sine of π times `x`.
package func sine(ofPi x: Double) -> Double {
  let whole = x.rounded(.toNearestOrEven)
  let t = (x - whole) * Double.pi
  // Taylor, |t| ≤ π/2: the twelfth term is below 2⁻⁵⁶.
  var sum = 1.0
  for k in stride(from: 23.0, through: 3, by: -2) { sum = 1 - t * t / (k * (k - 1)) * sum }
  return whole.truncatingRemainder(dividingBy: 2) == 0 ? t * sum : -t * sum
}
