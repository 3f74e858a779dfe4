/// A typed value of CSS math (CSS Values 4, 10): a number with the powers of its units.
struct CSSQuantity: Hashable, Sendable {
  /// The number, with angles in degrees.
  var value: Double
  /// The powers of degrees and of percent.
  var type = UnitPowers()

  /// The type of a value: the powers of its units. Only values of one type can be added or compared.
  struct UnitPowers: Hashable, Sendable {
    var angle = 0, percentage = 0

    static let number = UnitPowers()
    static let angle = UnitPowers(angle: 1)
    static let percentage = UnitPowers(percentage: 1)
  }

  init(_ value: Double, _ type: UnitPowers = .number) { (self.value, self.type) = (value, type) }

  /// Creates degrees from a dimension (CSS Values 4, 7.1); nil unless it is an angle.
  static func angle(_ number: Double, unit: String) -> CSSQuantity? {
    switch unit {
    case "deg": CSSQuantity(number, .angle)
    case "grad": CSSQuantity(number * 0.9, .angle)
    case "rad": CSSQuantity(number * (180 / Double.pi), .angle)
    case "turn": CSSQuantity(number * 360, .angle)
    default: nil
    }
  }

  /// A named constant.
  static func constant(_ name: String) -> CSSQuantity? {
    switch name {
    case "e": CSSQuantity(eulersNumber)
    case "pi": CSSQuantity(Double.pi)
    case "infinity": CSSQuantity(.infinity)
    case "-infinity": CSSQuantity(-.infinity)
    case "nan": CSSQuantity(.nan)
    default: nil
    }
  }

  static func * (a: CSSQuantity, b: CSSQuantity) -> CSSQuantity {
    CSSQuantity(
      a.value * b.value,
      UnitPowers(
        angle: a.type.angle + b.type.angle, percentage: a.type.percentage + b.type.percentage))
  }

  static func / (a: CSSQuantity, b: CSSQuantity) -> CSSQuantity {
    CSSQuantity(
      a.value / b.value,
      UnitPowers(
        angle: a.type.angle - b.type.angle, percentage: a.type.percentage - b.type.percentage))
  }

  /// The result of a top-level calculation: NaN becomes 0, infinities the largest finite numbers (CSS Values 4,
  /// 10.9.1). An infinite angle becomes 0.
  var censored: Double {
    let limit = Double.greatestFiniteMagnitude
    return value.isNaN || (type == .angle && value.isInfinite) ? 0 : min(max(value, -limit), limit)
  }
}

/// A math function (CSS Values 4, 10.2 to 10.7).
struct CSSMathFunction: Sendable {
  typealias Calculation = @Sendable ([CSSQuantity]) -> CSSQuantity?

  /// The allowed number of arguments.
  let arguments: ClosedRange<Int>
  /// The required arguments, for error messages.
  let needed: String
  /// Computes the value; nil where the types of the arguments do not fit.
  let value: Calculation

  static let named: [String: CSSMathFunction] = {
    let same = "values of one kind"
    let any = 1...Int.max
    func ofOneType(_ change: @escaping @Sendable ([Double]) -> Double) -> Calculation {
      { list in
        guard let type = list.first?.type, list.allSatisfy({ $0.type == type }) else { return nil }
        // `min` and `max` would ignore a NaN.
        let numbers = list.map(\.value)
        return CSSQuantity(numbers.contains(where: \.isNaN) ? .nan : change(numbers), type)
      }
    }
    func ofNumbers(_ change: @escaping @Sendable ([Double]) -> Double) -> Calculation {
      let value = ofOneType(change)
      return { $0.allSatisfy { $0.type == .number } ? value($0) : nil }
    }
    func ofAngle(_ change: @escaping @Sendable (Double) -> Double) -> Calculation {
      { list in
        switch list[0].type {
        case .number: CSSQuantity(change(list[0].value / Double.pi))
        case .angle: CSSQuantity(change(list[0].value / 180))
        default: nil
        }
      }
    }
    func toAngle(_ value: @escaping Calculation) -> Calculation {
      { value($0).map { CSSQuantity($0.value, .angle) } }
    }
    return [
      "calc": CSSMathFunction(arguments: 1...1, needed: "a calculation") { $0[0] },
      "min": CSSMathFunction(arguments: any, needed: same, value: ofOneType { $0.min() ?? .nan }),
      "max": CSSMathFunction(arguments: any, needed: same, value: ofOneType { $0.max() ?? .nan }),
      "clamp": CSSMathFunction(
        arguments: 3...3, needed: same, value: ofOneType { max($0[0], min($0[1], $0[2])) }),
      "mod": CSSMathFunction(arguments: 2...2, needed: same, value: ofOneType(modulus)),
      "rem": CSSMathFunction(
        arguments: 2...2, needed: same,
        value: ofOneType { $0[0].truncatingRemainder(dividingBy: $0[1]) }),
      "abs": CSSMathFunction(
        arguments: 1...1, needed: same, value: ofOneType { Swift.abs($0[0]) }),
      "sign": CSSMathFunction(arguments: 1...1, needed: same) {
        let x = $0[0].value
        return CSSQuantity(x > 0 ? 1 : x < 0 ? -1 : x)
      },
      "hypot": CSSMathFunction(arguments: any, needed: same, value: ofOneType(hypotenuse)),
      "sin": CSSMathFunction(
        arguments: 1...1, needed: "an angle", value: ofAngle { finite($0, sine(ofPi:)) }),
      "cos": CSSMathFunction(
        arguments: 1...1, needed: "an angle", value: ofAngle { finite($0, cosine(ofPi:)) }),
      "tan": CSSMathFunction(
        arguments: 1...1, needed: "an angle",
        value: ofAngle { finite($0) { sine(ofPi: $0) / cosine(ofPi: $0) } }),
      "asin": CSSMathFunction(
        arguments: 1...1, needed: "a number",
        value: toAngle(
          ofNumbers { arctangentInDegrees($0[0], ((1 - $0[0]) * (1 + $0[0])).squareRoot()) })),
      "acos": CSSMathFunction(
        arguments: 1...1, needed: "a number",
        value: toAngle(
          ofNumbers { arctangentInDegrees(((1 - $0[0]) * (1 + $0[0])).squareRoot(), $0[0]) })),
      "atan": CSSMathFunction(
        arguments: 1...1, needed: "a number",
        value: toAngle(
          ofNumbers { $0[0].isInfinite ? ($0[0] < 0 ? -90 : 90) : arctangentInDegrees($0[0], 1) })),
      "atan2": CSSMathFunction(
        arguments: 2...2, needed: same,
        value: toAngle(ofOneType { angleInDegrees($0[0], $0[1]) })),
      "pow": CSSMathFunction(
        arguments: 2...2, needed: "numbers", value: ofNumbers { signedPower($0[0], $0[1]) }),
      "sqrt": CSSMathFunction(
        arguments: 1...1, needed: "a number", value: ofNumbers { $0[0].squareRoot() }),
      "exp": CSSMathFunction(
        arguments: 1...1, needed: "a number", value: ofNumbers { exponential($0[0]) }),
      "log": CSSMathFunction(
        arguments: 1...2, needed: "numbers",
        value: ofNumbers { $0.count == 1 ? logarithm($0[0]) : logarithm($0[0]) / logarithm($0[1]) }
      ),
    ]
  }()

  /// Rounds to a multiple of `step` (CSS Values 4, 10.3); nil for an unknown strategy.
  static func rounded(_ value: Double, to step: Double, by strategy: String) -> Double? {
    guard ["nearest", "up", "down", "to-zero"].contains(strategy) else { return nil }
    if value.isNaN || step.isNaN || step == 0 { return .nan }
    if step.isInfinite {
      // Its multiples are 0, which takes the sign of the value, and infinity (10.3.1).
      if value.isInfinite { return .nan }
      if strategy == "up", value > 0 { return .infinity }
      if strategy == "down", value < 0 { return -.infinity }
      return value * 0
    }
    let quotient = value / step.magnitude
    // An infinite value is its own multiple, and so is one that is larger than the step by more than the exponents' range.
    guard quotient.isFinite else { return value }
    let multiple =
      switch strategy {
      case "up": quotient.rounded(.up)
      case "down": quotient.rounded(.down)
      case "to-zero": quotient.rounded(.towardZero)
      // Halfway cases round up. Adding a half first would round the sum.
      default: quotient.rounded(quotient - quotient.rounded(.down) < 0.5 ? .down : .up)
      }
    return multiple * step.magnitude
  }
}

/// The square root of the sum of squares, which are scaled by a power of two, so that none overflows.
private func hypotenuse(_ numbers: [Double]) -> Double {
  let largest = numbers.map(\.magnitude).max() ?? 0
  guard largest > 0, largest.isFinite else { return largest }
  let scale = Double(sign: .plus, exponent: largest.exponent, significand: 1)
  let squares = numbers.map { ($0 / scale) * ($0 / scale) }
  return squares.reduce(0, +).squareRoot() * scale
}

/// The angle of a point as IEEE 754 defines it for infinities, which count as equal, and for zeros with signs.
private func angleInDegrees(_ y: Double, _ x: Double) -> Double {
  let isCorner = y.isInfinite && x.isInfinite
  let (height, width) = isCorner ? (1, x.sign == .minus ? -1 : 1) : (y.magnitude, x)
  let angle =
    height == 0 ? (width.sign == .minus ? 180 : 0) : arctangentInDegrees(height, width)
  return y.sign == .minus ? -angle : angle
}

/// The remainder of a division, with the sign of the divisor. With an infinite divisor of the other sign, there is none (CSS Values 4,
/// 10.3.1).
private func modulus(_ numbers: [Double]) -> Double {
  if numbers[1].isInfinite, numbers[0].sign != numbers[1].sign { return .nan }
  let rest = numbers[0].truncatingRemainder(dividingBy: numbers[1])
  return rest != 0 && (rest < 0) != (numbers[1] < 0) ? rest + numbers[1] : rest
}

private func finite(_ x: Double, _ function: (Double) -> Double) -> Double {
  x.isFinite ? function(x) : .nan
}

private func logarithm(_ x: Double) -> Double {
  x > 0 ? (x == .infinity ? x : naturalLogarithm(x)) : x == 0 ? -.infinity : .nan
}

/// A power that also allows a negative base with an integer exponent; infinities are even, as in ECMAScript.
private func signedPower(_ base: Double, _ exponent: Double) -> Double {
  if base >= 0 || base.isNaN { return power(base, exponent) }
  guard exponent == exponent.rounded() else { return .nan }
  let size = power(-base, exponent)
  return exponent.isInfinite || exponent.truncatingRemainder(dividingBy: 2) == 0 ? size : -size
}
