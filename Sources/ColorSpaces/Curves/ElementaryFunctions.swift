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

/// The cosine of π times `x`.
package func cosine(ofPi x: Double) -> Double {
  // Folded without rounding into 0…½, where a cosine is the sine of what is left to ½.
  let folded = abs(x.remainder(dividingBy: 2))
  let angle = folded > 0.5 ? 1 - folded : folded
  var value = 1.0
  if angle > 0.25 {
    value = sine(ofPi: 0.5 - angle)
  } else {
    // Taylor, |t| ≤ π/4: the tenth term is below 2⁻⁵⁸. Unlike the sine near ½, it is exactly 1 at 0.
    let t = angle * Double.pi
    for k in stride(from: 18.0, through: 2, by: -2) { value = 1 - t * t / (k * (k - 1)) * value }
  }
  return folded > 0.5 ? -value : value
}

/// The direction of the point (`x`, `y`) in degrees, −180…180, counted from the x axis towards the y axis; 0 for the origin.
package func arctangentInDegrees(_ y: Double, _ x: Double) -> Double {
  var (long, short) = (max(abs(x), abs(y)), min(abs(x), abs(y)))
  if long == 0 { return 0 }
  if x.isNaN || y.isNaN { return .nan }
  // The sum below must not overflow, nor the product lose digits.
  if long > 1e300 { (long, short) = (long * 0x1p-4, short * 0x1p-4) }
  if long < 1e-290 { (long, short) = (long * 0x1p60, short * 0x1p60) }
  // arctan q = ¼π − arctan((1 − q) / (1 + q)): both sides stay below tan(π/8).
  let isSteep = short > 0.414_213_562_373_095 * long
  let t = isSteep ? (long - short) / (long + short) : short / long
  // Its series, |t| < 0.415: the twenty-first term is below 2⁻⁵⁶.
  var sum = 0.0
  for k in stride(from: 41.0, through: 3, by: -2) { sum = t * t * (1 / k - sum) }
  let reduced = (t - t * sum) * 57.295_779_513_082_32
  var degrees = isSteep ? 45 - reduced : reduced
  if abs(y) > abs(x) { degrees = 90 - degrees }
  if x < 0 { degrees = 180 - degrees }
  return y < 0 ? -degrees : degrees
}

/// e to the power of `x`.
package func exponential(_ x: Double) -> Double {
  guard abs(x) < 800 else { return x.isNaN ? x : x < 0 ? 0 : .infinity }
  let whole = (x * 1.442_695_040_888_963_4).rounded(.toNearestOrEven)
  // ln 2 in two parts, of which the first times any exponent is exact.
  let t = (x - whole * 0.693_147_180_369_123_8) - whole * 1.908_214_929_270_587_7e-10
  // Taylor, |t| < 0.347: the fifteenth term is below 2⁻⁵⁸.
  var sum = 1.0
  for k in stride(from: 14.0, through: 1, by: -1) { sum = 1 + t / k * sum }
  return Double(sign: .plus, exponent: Int(whole), significand: sum)
}

/// The natural logarithm of a positive, finite number.
package func naturalLogarithm(_ x: Double) -> Double { log2(x) * 0.693_147_180_559_945_3 }

/// The cube root, negative for negative numbers.
package func cubeRoot(_ x: Double) -> Double {
  guard x.isFinite, x != 0 else { return x }
  // x = m · 8ⁿ with 1 ≤ m < 8.
  let n = (Double(x.exponent) / 3).rounded(.down)
  let m = Double(sign: .plus, exponent: Int(x.exponent) - 3 * Int(n), significand: x.significand)
  // A line within 14 %, then Halley's steps, each of which triples the digits, and one of Newton's for the last of them.
  var root = 0.98 + 0.155 * m
  for _ in 0..<3 {
    let cube = root * root * root
    root *= (cube + 2 * m) / (2 * cube + m)
  }
  root -= (root * root * root - m) / (3 * root * root)
  return Double(sign: x.sign, exponent: Int(n), significand: root)
}
