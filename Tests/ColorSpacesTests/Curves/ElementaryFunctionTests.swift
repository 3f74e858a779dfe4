import ColorSpaces
import Foundation
import Testing
import _TestSupport

/// The package's power, logarithm and sine against the system's, which have errors of up to one ulp.
@Suite struct ElementaryFunctionTests {
  private static let positive = Generator<Double>.adversarialDouble().map { abs($0) }

  /// Five relevant rounding errors of about half an ulp each, and one ulp of the system's; 3 ulp are observed, rarely.
  @Test func binaryLogarithmsEqualTheSystems() {
    checkProperty("log2", Self.positive, cases: 20_000) { x in
      x == 0 || ulpDistance(ColorSpaces.log2(x), Foundation.log2(x)) <= 4
    }
    checkProperty("log2 near 1", .double(in: 0.5...2), cases: 20_000) { x in
      ulpDistance(ColorSpaces.log2(x), Foundation.log2(x)) <= 4
    }
  }

  @Test func binaryLogarithmsOfPowersOfTwoAreExact() {
    for exponent in -1074...1023 {
      #expect(
        ColorSpaces.log2(Double(sign: .plus, exponent: exponent, significand: 1))
          == Double(exponent))
    }
  }

  @Test func powersOfTwoEqualTheSystems() {
    checkProperty("exp2", .double(in: -1100...1100), cases: 20_000) { x in
      ulpDistance(ColorSpaces.exp2(x), Foundation.exp2(x)) <= 4
    }
    checkProperty("exp2 anywhere", .adversarialDouble(includingNonFinite: true), cases: 5000) { x in
      ulpDistance(ColorSpaces.exp2(x), Foundation.exp2(x)) <= 4
    }
    for exponent in -1074...1023 {
      #expect(ColorSpaces.exp2(Double(exponent)) == Foundation.exp2(Double(exponent)))
    }
  }

  /// 4 ulp, and for each power of two in the result ln 2 times 2.5 ulp, the error of the logarithm and its product with
  /// the exponent: a power turns an absolute error of the logarithm into a relative one.
  private func powerTolerance(_ result: Double) -> UInt64 {
    guard result.isFinite, result > 0 else { return 4 }
    return 4 + UInt64(1.74 * abs(Foundation.log2(result)))
  }

  @Test func powersEqualTheSystems() {
    let bases: [Generator<Double>] = [.double(in: 0...1), .double(in: 0...100), Self.positive]
    for base in bases {
      checkProperty("power", base, .double(in: -4...4), cases: 20_000) { base, exponent in
        let (value, expected) = (ColorSpaces.power(base, exponent), Foundation.pow(base, exponent))
        let distance = ulpDistance(value, expected)
        if distance <= powerTolerance(expected) { return true }
        throw Failure("\(value) instead of \(expected), off by \(distance) ulp")
      }
    }
  }

  @Test func powersOfColorCurvesHaveFourteenDigits() {
    for exponent in [1.8, 2.2, 2.4, 2.6, 1 / 0.45, 563.0 / 256] {
      checkProperty("x^±\(exponent)", .double(in: 1e-3...8), cases: 5000) { x in
        [exponent, 1 / exponent].allSatisfy {
          // By the above at most 49 for results from 2⁻²⁶ up, if all rounding errors add up; 32 ulp are 7·10⁻¹⁵.
          ulpDistance(ColorSpaces.power(x, $0), Foundation.pow(x, $0)) <= 32
        }
      }
    }
  }

  @Test func powersWithExactResultsAreExact() {
    checkProperty("1, 2, ½ and 0", Self.positive) { x in
      ColorSpaces.power(x, 1) == x && ColorSpaces.power(x, 2) == x * x
        && ColorSpaces.power(x, 0.5) == x.squareRoot() && ColorSpaces.power(x, 0) == 1
        && ColorSpaces.power(1, x) == 1
    }
    #expect(ColorSpaces.power(0, 2.4) == 0)
    #expect(ColorSpaces.power(0, -2.4) == .infinity)
    #expect(ColorSpaces.power(.infinity, 2.4) == .infinity)
    #expect(ColorSpaces.power(.infinity, -2.4) == 0)
    #expect(ColorSpaces.power(.nan, 2.4).isNaN)
    #expect(ColorSpaces.power(2, .nan).isNaN)
    // Negative bases count as zero: rounding at a curve's toe never causes a NaN.
    #expect(ColorSpaces.power(-1e-18, 2.4) == 0)
  }

  @Test func sinesEqualTheSystems() {
    let inputs: [Generator<Double>] = [.double(in: -1...1), .double(in: -1000...1000)]
    for input in inputs {
      checkProperty("sin πx", input, cases: 20_000) { x in
        // Exact reduction to −½…½, where the system's sine of the rounded product has an error of an ulp or two.
        var t = x.remainder(dividingBy: 2)
        if abs(t) > 0.5 { t = (t < 0 ? -1 : 1) - t }
        return ulpDistance(ColorSpaces.sine(ofPi: x), Foundation.sin(.pi * t)) <= 4
      }
    }
  }

  @Test func sinesOfWholeAndHalfNumbersAreExact() {
    for whole in -100...100 {
      let x = Double(whole)
      #expect(ColorSpaces.sine(ofPi: x) == 0)
      // One rounding error of π/2 remains, whose sine is 1 within an ulp.
      let sign: Double = whole.isMultiple(of: 2) ? 1 : -1
      #expect(ulpDistance(ColorSpaces.sine(ofPi: x + 0.5), sign) <= 1)
    }
    #expect(ColorSpaces.sine(ofPi: .infinity).isNaN)
    #expect(ColorSpaces.sine(ofPi: .nan).isNaN)
  }
}
