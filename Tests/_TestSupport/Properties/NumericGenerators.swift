extension Generator where Value == Int {
  /// An integer in `range`, with a probability of ⅛ one of its ends; shrinks towards zero, or towards the end nearest
  /// zero.
  public static func int(in range: ClosedRange<Int>) -> Generator {
    Generator(
      generate: { random in
        endOfRange(range, using: &random) ?? Int.random(in: range, using: &random)
      },
      shrink: { simplerIntegers(for: $0, in: range) })
  }

  /// A uniformly distributed integer in `range`; shrinks like `int(in:)`.
  static func uniformInt(in range: ClosedRange<Int>) -> Generator {
    Generator(
      generate: { Int.random(in: range, using: &$0) },
      shrink: { simplerIntegers(for: $0, in: range) })
  }
}

extension Generator where Value == Float {
  /// A number in `range`, with a probability of ⅛ one of its ends; shrinks towards zero (or the end nearest zero) and
  /// towards few digits.
  public static func float(in range: ClosedRange<Float>) -> Generator {
    floatingPoint(in: range)
  }

  /// Edge cases of color arithmetic: signed zeros, denormals, the neighborhoods of 0, 1 and the sRGB thresholds,
  /// negative values, HDR values and huge ones; infinities and NaN on request only.
  public static func adversarialFloat(includingNonFinite nonFinite: Bool = false) -> Generator {
    adversarial(includingNonFinite: nonFinite)
  }
}

extension Generator where Value == Double {
  /// A number in `range`, with a probability of ⅛ one of its ends; shrinks towards zero (or the end nearest zero) and
  /// towards few digits.
  public static func double(in range: ClosedRange<Double>) -> Generator {
    floatingPoint(in: range)
  }

  /// The double-precision counterpart of `adversarialFloat(includingNonFinite:)`.
  public static func adversarialDouble(includingNonFinite nonFinite: Bool = false) -> Generator {
    adversarial(includingNonFinite: nonFinite)
  }
}

extension Generator
where Value: BinaryFloatingPoint & Sendable, Value.RawSignificand: FixedWidthInteger {
  fileprivate static func floatingPoint(in range: ClosedRange<Value>) -> Generator {
    Generator(
      generate: { random in
        endOfRange(range, using: &random) ?? Value.random(in: range, using: &random)
      },
      shrink: { simplerNumbers(for: $0, in: range) })
  }

  fileprivate static func adversarial(includingNonFinite nonFinite: Bool) -> Generator {
    Generator(
      generate: { random in
        let families = nonFinite ? 8 : 7
        switch Int.random(in: 0..<families, using: &random) {
        case 0: return landmark(using: &random)
        case 1: return neighbor(of: landmark(using: &random), using: &random)
        case 2: return Value.random(in: 0...1, using: &random)
        case 3: return Value.random(in: -2...2, using: &random)
        case 4: return Value.random(in: 1...20_000, using: &random)
        case 5: return subnormal(using: &random)
        case 6: return anyMagnitude(using: &random)
        default: return [.infinity, -.infinity, .nan].randomElement(using: &random) ?? .nan
        }
      },
      shrink: { simplerNumbers(for: $0, in: -.infinity ... .infinity) })
  }

  /// Values at which the formulas of color spaces and pixel formats change their behavior.
  private static func landmark(using random: inout SeededGenerator) -> Value {
    let magnitudes: [Value] = [
      0, 1, 0.5, 2,
      // The two ends of the linear segment of the sRGB transfer function.
      0.003_130_8, 0.040_45,
      // The steps of 8- and 16-bit formats.
      1 / 255, 254 / 255, 1 / 65_535,
      // The least normal and the greatest number of a 16-bit float.
      0.000_061_035_156_25, 65_504,
      .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude,
    ]
    let magnitude = magnitudes.randomElement(using: &random) ?? 0
    return Bool.random(using: &random) ? magnitude : -magnitude
  }

  private static func neighbor(
    of value: Value, using random: inout SeededGenerator
  ) -> Value {
    var result = value
    let upwards = Bool.random(using: &random)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let next = upwards ? result.nextUp : result.nextDown
      if next.isFinite { result = next }
    }
    return result
  }

  private static func subnormal(using random: inout SeededGenerator) -> Value {
    let magnitude = Value.random(in: 0...Value.leastNormalMagnitude, using: &random)
    return Bool.random(using: &random) ? magnitude : -magnitude
  }

  /// A number with a uniformly distributed exponent.
  private static func anyMagnitude(using random: inout SeededGenerator) -> Value {
    let least = Int(Value.leastNonzeroMagnitude.exponent)
    let greatest = Int(Value.greatestFiniteMagnitude.exponent)
    return Value(
      sign: Bool.random(using: &random) ? .plus : .minus,
      exponent: Value.Exponent(Int.random(in: least...greatest, using: &random)),
      significand: Value.random(in: 1..<2, using: &random))
  }
}

/// An end of the range with a probability of ⅛, where errors are most likely.
private func endOfRange<Bound>(
  _ range: ClosedRange<Bound>, using random: inout SeededGenerator
) -> Bound? {
  switch Int.random(in: 0..<16, using: &random) {
  case 0: range.lowerBound
  case 1: range.upperBound
  default: nil
  }
}
