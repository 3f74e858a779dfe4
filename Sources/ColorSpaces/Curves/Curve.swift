/// A function of one channel: a transfer function or a tone curve.
@nonexhaustive
public indirect enum Curve: Hashable, Sendable {
  /// The identity: outputs equal inputs.
  case identity
  /// A power with a linear toe.
  case power(PowerCurve)
  /// Piecewise cubics.
  case cubic(CubicCurve)
  /// A table with linear interpolation.
  case sampled(SampledCurve)
  /// Piecewise lines, powers, logarithms and exponentials.
  case segmented(SegmentedCurve)
  /// A power of a rational function of a power.
  case rationalPower(RationalPowerCurve)
  /// A closure, for functions that none of the other cases covers.
  case function(FunctionCurve)

  /// Returns the output for `x`, in double precision.
  public func callAsFunction(_ x: Double) -> Double {
    switch self {
    case .identity: x
    case .power(let curve): curve(x)
    case .cubic(let curve): curve(x)
    case .sampled(let curve): curve(x)
    case .segmented(let curve): curve(x)
    case .rationalPower(let curve): curve(x)
    case .function(let curve): curve(x)
    }
  }
}

/// A function by a closure, which runs for each sample of an image: as exact as the others, and slow. Functions of one
/// name are equal.
public struct FunctionCurve: Hashable, Sendable {
  /// What plans and messages call the curve, such as “from PQ”.
  public let name: String
  private let function: @Sendable (Double) -> Double

  /// Creates a function. No other function may have its name.
  public init(_ name: String, _ function: @escaping @Sendable (Double) -> Double) {
    (self.name, self.function) = (name, function)
  }

  /// The function's value at `x`.
  public func callAsFunction(_ x: Double) -> Double { function(x) }

  /// Whether the names agree.
  public static func == (a: FunctionCurve, b: FunctionCurve) -> Bool { a.name == b.name }

  /// Hashes the name, which curves are compared by: functions have no equality.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The continuation of a curve below zero, where out-of-gamut colors have channels.
@nonexhaustive
public enum NegativePolicy: Hashable, Sendable {
  /// The odd extension `f(−x) = −f(x)`, as in Apple's extended spaces and CSS.
  case mirrored
  /// Negative values become zero.
  case clamped
  /// The linear toe continues, as in Little CMS.
  case continued
  /// Negative values are unchanged.
  case passedThrough

  /// Returns the value of `curve`, a function for nonnegative values, at `x`.
  func apply<Number: FormulaNumber>(_ x: Number, _ curve: (Number) -> Number) -> Number {
    switch self {
    case .mirrored:
      let value = curve(.select(x .< 0, -x, x))
      return .select(x .< 0, -value, value)
    case .clamped: return curve(.select(x .< 0, 0, x))
    case .continued: return curve(x)
    case .passedThrough: return .select(x .< 0, x, curve(.select(x .< 0, 0, x)))
    }
  }
}

/// `scale · (x + shift)^exponent + offset` above a threshold, `slope · x + intercept` up to it.
public struct PowerCurve: Hashable, Sendable {
  /// The parameters of the power.
  public let scale, shift, exponent, offset: Double
  /// The parameters of the line.
  public let slope, intercept: Double
  /// The largest input on the line.
  public let threshold: Double
  /// The continuation below zero.
  public var belowZero: NegativePolicy

  /// Creates a power above `threshold` and a line up to it.
  ///
  /// - Precondition: `threshold + shift` is not negative.
  public init(
    scale: Double = 1, shift: Double = 0, exponent: Double, offset: Double = 0,
    slope: Double = 0, intercept: Double = 0, threshold: Double = 0,
    belowZero: NegativePolicy = .mirrored
  ) {
    precondition(
      threshold + shift >= 0, "A power needs a base from zero up: \(threshold) + \(shift) is less.")
    (self.scale, self.shift, self.exponent, self.offset) = (scale, shift, exponent, offset)
    (self.slope, self.intercept, self.threshold) = (slope, intercept, threshold)
    self.belowZero = belowZero
  }

  /// Creates the form of ICC parametric curves (ICC.1:2022, 10.18): `(a·x + b)^g + e` above `d`, `c·x + f` up to it. Where `a·x + b` is
  /// negative at `d`, the line ends at its zero instead.
  public init(
    g: Double, a: Double, b: Double, c: Double, d: Double, e: Double = 0, f: Double = 0
  ) {
    self.init(
      scale: power(a, g), shift: b / a, exponent: g, offset: e, slope: c, intercept: f,
      threshold: max(d, -b / a))
  }

  /// Returns the power of `x`, or the line up to ``threshold``, continued below zero by ``belowZero``.
  public func callAsFunction(_ x: Double) -> Double { value(at: x) }

  func value<Number: FormulaNumber>(at x: Number) -> Number {
    belowZero.apply(x) { x in
      let power = Number(scale) * (x + Number(shift)).raised(to: exponent) + Number(offset)
      return .select(x .> Number(threshold), power, Number(slope) * x + Number(intercept))
    }
  }

  /// Whether the power rises or falls, so that there is an ``inverse``.
  package var hasInverse: Bool {
    scale > 0 && exponent != 0 && exponent.isFinite && !(join - offset).isNaN
  }

  /// The value at the threshold, or at 0.
  private var join: Double { threshold > 0 ? slope * threshold + intercept : self(0) }

  /// The inverse. The inverse of a flat line is the threshold's foot.
  public var inverse: PowerCurve {
    PowerCurve(
      scale: power(scale, -1 / exponent), shift: -offset, exponent: 1 / exponent, offset: -shift,
      slope: slope == 0 ? 0 : 1 / slope, intercept: slope == 0 ? 0 : -intercept / slope,
      threshold: max(join, offset), belowZero: belowZero)
  }
}

/// A lookup table over 0…1 with linear interpolation. Inputs outside take the end values.
public struct SampledCurve: Hashable, Sendable {
  /// The values at equal steps from 0 to 1.
  public let values: [Float]
  /// The continuation below zero.
  public var belowZero: NegativePolicy

  /// Creates a table.
  ///
  /// - Precondition: There are two values or more.
  public init(_ values: [Float], belowZero: NegativePolicy = .clamped) {
    precondition(
      values.count >= 2, "A sampled curve needs two values or more; got \(values.count).")
    (self.values, self.belowZero) = (values, belowZero)
  }

  /// Returns the value at `x`, interpolated linearly between samples; above 1 the last one.
  public func callAsFunction(_ x: Double) -> Double {
    belowZero.apply(x) { x in
      if x.isNaN { return .nan }
      let position = min(max(x, 0), 1) * Double(values.count - 1)
      let index = min(Int(position), values.count - 2)
      let (low, high) = (Double(values[index]), Double(values[index + 1]))
      return low + (high - low) * (position - Double(index))
    }
  }

  /// The value at `x` as a part of a formula.
  func value<Number: FormulaNumber>(at x: Number) -> Number {
    let (table, last) = (values.map { Double($0) }, Double(values.count - 1))
    return belowZero.apply(x) { x in
      let position = x.atLeast(0).atMost(1) * Number(last)
      let index = position.integerBelow.atMost(Number(last - 1))
      let (low, high) = (index.element(of: table), (index + 1).element(of: table))
      return low + (high - low) * (position - index)
    }
  }

  /// Returns the inverse over the values 0…1 as a table of `count` values.
  ///
  /// It is exact at its own grid points; between them it has the error of linear interpolation of the true inverse.
  /// Flat parts are inverted to their middle. The inverse of a falling curve is falling. Values outside 0…1 take the
  /// positions of 0 and 1, also where the curve reaches them, because a table has inputs of 0…1.
  ///
  /// - Precondition: `count` is two or more.
  public func inverse(count: Int = 65_537) -> SampledCurve {
    precondition(count >= 2, "A sampled curve needs two values or more; got \(count).")
    let ascending = ascending
    var (first, above) = (0, 0)
    let inverse = (0..<count).map { step -> Float in
      let target = Double(step) / Double(count - 1)
      while first < ascending.count, Double(ascending[first]) < target { first += 1 }
      above = max(above, first)
      while above < ascending.count, Double(ascending[above]) <= target { above += 1 }
      return Float(position(of: target, from: first, to: above, in: ascending))
    }
    return SampledCurve(inverse, belowZero: belowZero)
  }

  /// The inverse over all values: a table where they lie in 0…1, otherwise an exact function.
  package var inverseCurve: Curve {
    guard !values.allSatisfy({ (0...1).contains($0) }) else { return .sampled(inverse()) }
    let ascending = ascending
    // The running maximum, in which a binary search finds the first value from a target up even where values fall.
    let highest = ascending.indices.dropFirst().reduce(into: ascending) { highest, index in
      highest[index] = max(highest[index - 1], highest[index])
    }
    // A table of negative values needs no other continuation.
    let policy = values.contains { $0 < 0 } ? .continued : belowZero
    return .function(
      FunctionCurve("inverse of the table \(identifier)") { value in
        policy.apply(value) { value in
          if value.isNaN { return value }
          let first = highest.partitioningIndex { Double($0) >= value }
          let above = highest.partitioningIndex { Double($0) > value }
          return position(of: value, from: first, to: above, in: ascending)
        }
      })
  }

  private var isRising: Bool { values[values.count - 1] >= values[0] }

  /// The values from the lower end to the higher one.
  private var ascending: [Float] { isRising ? values : values.reversed() }

  /// The number of values, and a hash (64-bit FNV-1a) of them and of the policy: the same for equal curves, and another for other curves
  /// unless 64 bits collide.
  private var identifier: String {
    let hash = "\(values) \(belowZero)".utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return "of \(values.count) values, " + String(hash, radix: 16)
  }

  /// The input at which the curve has the value `target`.
  ///
  /// - Parameters:
  ///   - first: The index of the first value at or above the target in `ascending`.
  ///   - above: The index of the first value above it; a flat part lies between.
  private func position(
    of target: Double, from first: Int, to above: Int, in ascending: [Float]
  ) -> Double {
    let last = ascending.count - 1
    var index = Double(min(first, last))
    if above > first {
      index = Double(first + above - 1) / 2
    } else if first > 0, first <= last {
      let (low, high) = (Double(ascending[first - 1]), Double(ascending[first]))
      index = Double(first - 1) + (target - low) / (high - low)
    }
    let position = index / Double(last)
    return isRising ? position : 1 - position
  }
}

extension Array where Element == Float {
  /// The first index whose value satisfies `predicate`, which all values after it do, too; the count where none does.
  fileprivate func partitioningIndex(where predicate: (Float) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
