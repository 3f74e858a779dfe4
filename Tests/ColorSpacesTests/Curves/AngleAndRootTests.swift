import ColorSpaces
import Foundation
import Testing
import _TestSupport

/// The package's cosine, arctangent, exponential, logarithm and cube root against the system's, which have errors of up
/// to one ulp.
@Suite struct AngleAndRootTests {
  private static let anywhere = Generator<Double>.adversarialDouble(includingNonFinite: true)

  @Test func cosinesEqualTheSystems() {
    let inputs: [Generator<Double>] = [.double(in: -1...1), .double(in: -1000...1000)]
    for input in inputs {
      checkProperty("cos πx", input, cases: 20_000) { x in
        // Exact reduction to 0…½; above ¼ the system's sine of the remainder keeps its digits near the zero.
        let folded = abs(x.remainder(dividingBy: 2))
        let angle = folded > 0.5 ? 1 - folded : folded
        let value = angle > 0.25 ? Foundation.sin(.pi * (0.5 - angle)) : Foundation.cos(.pi * angle)
        return ulpDistance(ColorSpaces.cosine(ofPi: x), folded > 0.5 ? -value : value) <= 4
      }
    }
  }

  @Test func cosinesOfWholeAndHalfNumbersAreExact() {
    for whole in -100...100 {
      let x = Double(whole)
      #expect(ColorSpaces.cosine(ofPi: x) == (whole.isMultiple(of: 2) ? 1 : -1))
      #expect(ColorSpaces.cosine(ofPi: x + 0.5) == 0)
    }
    #expect(ColorSpaces.cosine(ofPi: .infinity).isNaN)
    #expect(ColorSpaces.cosine(ofPi: .nan).isNaN)
  }

  @Test func arctangentsEqualTheSystems() {
    let sides: [Generator<Double>] = [.double(in: -1...1), .adversarialDouble()]
    for side in sides {
      checkProperty("arctangent", side, side, cases: 20_000) { y, x in
        // Degrees from the system's radians: two more rounding errors, no negative zero, and subnormal quotients with
        // fewer digits.
        let expected = Foundation.atan2(y + 0, x + 0) * (180 / Double.pi)
        let value = arctangentInDegrees(y, x)
        if ulpDistance(value, expected) <= 6 || abs(expected) < 1e-300 { return true }
        throw Failure("\(value) instead of \(expected)")
      }
    }
  }

  @Test func directionsOfTheAxesAndDiagonalsAreExact() {
    let directions: [(x: Double, y: Double, degrees: Double)] = [
      (0, 0, 0), (1, 0, 0), (1, 1, 45), (0, 1, 90), (-1, 1, 135), (-1, 0, 180), (-1, -1, -135),
      (0, -1, -90), (1, -1, -45),
    ]
    for scale in [.leastNonzeroMagnitude, .leastNormalMagnitude, 1, 3, 1e308] {
      for (x, y, degrees) in directions {
        #expect(arctangentInDegrees(y * scale, x * scale) == degrees)
      }
    }
    #expect(arctangentInDegrees(.nan, 1).isNaN)
    #expect(arctangentInDegrees(1, .nan).isNaN)
  }

  @Test func exponentialsEqualTheSystems() {
    checkProperty("exp", .double(in: -745...710), cases: 20_000) { x in
      ulpDistance(exponential(x), Foundation.exp(x)) <= 4
    }
    checkProperty("exp anywhere", Self.anywhere, cases: 5000) { x in
      ulpDistance(exponential(x), Foundation.exp(x)) <= 4
    }
    #expect(exponential(0) == 1)
  }

  /// One more rounding error than the binary logarithm's, and that of its factor.
  @Test func logarithmsEqualTheSystems() {
    let inputs = [Generator<Double>.adversarialDouble().map { abs($0) }, .double(in: 0.5...2)]
    for input in inputs {
      checkProperty("log", input, cases: 20_000) { x in
        x == 0 || ulpDistance(naturalLogarithm(x), Foundation.log(x)) <= 5
      }
    }
    #expect(naturalLogarithm(1) == 0)
  }

  @Test func cubeRootsHaveSmallErrors() {
    let inputs: [Generator<Double>] = [.double(in: -1...1), .double(in: -1e4...1e4), Self.anywhere]
    for input in inputs {
      checkProperty("cube root", input, cases: 20_000) { x in
        guard 1e-200..<1e300 ~= abs(x) else { return ulpDistance(cubeRoot(x), cbrt(x)) <= 4 }
        // The system's has errors of up to 4 ulp; the cube of ours, with twice the digits, gives its distance from x.
        let root = cubeRoot(x)
        let square = root * root
        let cube = square * root
        let rest = (-cube).addingProduct(square, root) + root * (-square).addingProduct(root, root)
        return abs((x - cube) - rest) <= 3 * square * root.ulp
      }
    }
    for whole in -100...100 {
      let x = Double(whole)
      #expect(cubeRoot(x * x * x) == x)
    }
  }
}
