// Powers from additions, multiplications and divisions alone. The system's `pow` differs in its last bit from one C library to
// the next, and the tables of the pixel kernels are computed with it: the same pixels everywhere begin here.

/// The base-2 logarithm of a number from zero up.
package func log2(_ x: Double) -> Double { x.binaryLogarithm }

/// Two to the power of `x`.
package func exp2(_ x: Double) -> Double { x.binaryExponential }

/// `base` to the power of `exponent`, for bases from zero up.
package func power(_ base: Double, _ exponent: Double) -> Double {
  exponent.isNaN ? .nan : base.raised(to: exponent)
}

/// The sine of π times `x`.
package func sine(ofPi x: Double) -> Double { x.sineOfPi }

/// The cosine of π times `x`.
package func cosine(ofPi x: Double) -> Double { x.cosineOfPi }

/// The direction of the point (`x`, `y`) in degrees, −180…180, counted from the x axis towards the y axis; 0 for the origin.
package func arctangentInDegrees(_ y: Double, _ x: Double) -> Double {
  Double.arctangentInDegrees(y, x)
}

/// e to the power of `x`.
package func exponential(_ x: Double) -> Double { x.exponential }

/// The natural logarithm of a number from zero up.
package func naturalLogarithm(_ x: Double) -> Double { x.naturalLogarithm }

/// The cube root, negative for negative numbers.
package func cubeRoot(_ x: Double) -> Double { x.cubeRoot }

extension FormulaNumber {
  /// This number, from zero up, to a power that is not NaN.
  ///
  /// Numbers below zero count as zero, except for the exponents 1, 2 and 0.5, which are computed without a logarithm.
  func raised(to exponent: Double) -> Self {
    if exponent == 1 { return self }
    if exponent == 2 { return self * self }
    if exponent == 0.5 { return squareRoot() }
    if exponent == 0 { return .select(Self.isUnordered(self, self), self, 1) }
    return (Self(exponent) * atLeast(0).binaryLogarithm).binaryExponential
  }

  /// A power of the magnitude, with the number's sign.
  func mirroredPower(_ exponent: Double) -> Self {
    magnitude.raised(to: exponent).withSign(of: self)
  }

  /// The natural logarithm of the magnitude.
  var naturalLogarithm: Self { binaryLogarithm * 0.693_147_180_559_945_3 }

  /// e to the power of this number.
  var exponential: Self {
    let bounded = atMost(800).atLeast(-800)
    let whole = (bounded * 1.442_695_040_888_963_4).nearestInteger
    // ln 2 in two parts, of which the first times any exponent is exact.
    let t = (bounded - whole * 0.693_147_180_369_123_8) - whole * 1.908_214_929_270_587_7e-10
    return t.polynomial(Series.exponential).scaled(byPowerOfTwo: whole)
  }

  /// The sine of π times this number.
  var sineOfPi: Self {
    let turn = Quadrant(self)
    let value = Self.select(turn.isOdd, turn.cosine, turn.sine)
    return .select(turn.number .>= 2, -value, value)
  }

  /// The cosine of π times this number.
  var cosineOfPi: Self {
    let turn = Quadrant(self)
    let value = Self.select(turn.isOdd, turn.sine, turn.cosine)
    return .select((turn.number .== 1) .| (turn.number .== 2), -value, value)
  }

  /// The direction of the point (`x`, `y`) in degrees, −180…180; 0 for the origin.
  static func arctangentInDegrees(_ y: Self, _ x: Self) -> Self {
    let (width, height) = (x.magnitude, y.magnitude)
    let (length, rest) = (width.atLeast(height), width.atMost(height))
    // The sum below must not overflow, nor the product lose digits.
    let scale = Self.select(length .> 1e300, 0x1p-4, .select(length .< 1e-290, 0x1p60, 1))
    let (long, short) = (length * scale, rest * scale)
    // arctan q = ¼π − arctan((1 − q) / (1 + q)): both sides stay below tan(π/8).
    let isSteep = short .> 0.414_213_562_373_095 * long
    let t = Self.select(isSteep, long - short, short) / .select(isSteep, long + short, long)
    let t2 = t * t
    let reduced = (t - t * (t2 * t2.polynomial(Series.arctangent))) * 57.295_779_513_082_32
    var degrees = Self.select(isSteep, 45 - reduced, reduced)
    degrees = .select(height .> width, 90 - degrees, degrees)
    degrees = .select(x .< 0, 180 - degrees, degrees)
    degrees = .select(y .< 0, -degrees, degrees)
    // A NaN in one of both makes the direction one, also of a point on an axis.
    let isOrigin = (x .== 0) .& (y .== 0)
    return .select(Self.isUnordered(x, y), Self(.nan), .select(isOrigin, 0, degrees))
  }

  /// The cube root, negative for negative numbers.
  var cubeRoot: Self {
    // x = m · 8ⁿ with 1 ≤ m < 8.
    let exponent = binaryExponent
    let n = (exponent / 3).integerBelow
    let m = binarySignificand.scaled(byPowerOfTwo: exponent - 3 * n)
    // A line within 14 %, then Halley's steps, each of which triples the digits, and one of Newton's for the last of them.
    var root = 0.98 + 0.155 * m
    for _ in 0..<3 {
      let cube = root * root * root
      root = root * ((cube + 2 * m) / (2 * cube + m))
    }
    root = root - (root * root * root - m) / (3 * root * root)
    let scaled = root.scaled(byPowerOfTwo: n).withSign(of: self)
    // Zero, infinity and NaN are their own roots.
    return .select((self .!= 0) .& (magnitude .< Self(.infinity)), scaled, self)
  }
}

/// An angle in units of π as the nearest quarter of a turn, 0…3, and the sine and cosine of what is left.
private struct Quadrant<Number: FormulaNumber> {
  let number: Number
  let isOdd: Number.Mask
  let sine, cosine: Number

  init(_ x: Number) {
    let quarters = (2 * x).nearestInteger
    // The difference is exact.
    let t = (x - 0.5 * quarters) * Number(Double.pi)
    let t2 = t * t
    sine = t + t * (t2 * t2.polynomial(Series.sine))
    cosine = 1 + t2 * t2.polynomial(Series.cosine)
    number = quarters - 4 * (0.25 * quarters).integerBelow
    isOdd = (number .== 1) .| (number .== 3)
  }
}
