import CPixelKernels
import PlatformLibc
import Testing
import _TestSupport

/// The accuracy of powers against exact results.
@Suite struct AccuracyTests {
  /// The largest error over the range, in units in the last place of the exact value.
  private func largestError(
    _ curve: cpk_power, from low: Float, to high: Float, _ exact: (Double) -> Double
  ) -> Double {
    guard let kernels = Kernels.available.last else { return .infinity }
    var values: [Float] = []
    let step = (high.bitPattern - low.bitPattern) / 300_000 | 1
    for pattern in stride(from: low.bitPattern, through: high.bitPattern, by: Int(step)) {
      values.append(Float(bitPattern: pattern))
    }
    let results = kernels.map(values, Program().add(CPK_POWER, [curve, curve, curve]))
    var largest = 0.0
    for (x, result) in zip(values, results) {
      let expected = exact(Double(x))
      largest = larger(largest, abs(Double(result) - expected) / Double(Float(expected).ulp))
    }
    return largest
  }

  private let decode: (Double) -> Double = { x in
    x > 0.04045 ? pow((x + 0.055) / 1.055, 2.4) : x / 12.92
  }

  private let encode: (Double) -> Double = { x in
    x > 0.0031308 ? 1.055 * pow(x, 1 / 2.4) - 0.055 : x * 12.92
  }

  @Test func sRGBCurvesMeetTheirErrorBound() {
    let first = largestError(sRGBDecode(), from: 0x1p-20, to: 64, decode)
    let second = largestError(sRGBEncode(), from: 0x1p-20, to: 64, encode)
    print("sRGB: decode \(first) ulp, encode \(second) ulp")
    #expect(first <= 4)
    #expect(second <= 4)
  }

  @Test(arguments: [-0.6, -1.4, -1 / 0.6])
  func decreasingPowersMeetTheirErrorBound(_ exponent: Double) {
    let curve = power(exponent, degree: CPK_STEEP_POWER_DEGREE)
    #expect(largestError(curve, from: 0x1p-15, to: 2) { pow($0, exponent) } <= 4)
  }

  @Test(arguments: [1.8, 2.2, 2.4, 2.6])
  func pureGammaMeetsItsErrorBound(_ exponent: Double) {
    for p in [exponent, 1 / exponent] {
      let unit = largestError(power(p), from: 0x1p-24, to: 1) { pow($0, p) }
      let above = largestError(power(p), from: 1, to: 0x1p14) { pow($0, p) }
      print("power \(p): \(unit) ulp up to 1, \(above) ulp above")
      #expect(unit <= 4 && above <= 4)
    }
  }

  /// Two products are rounded by half a unit each, which may be a whole unit of the result.
  @Test func cubesMeetTheirErrorBound() {
    #expect(largestError(cube(), from: 0.207, to: 64) { pow($0, 3) } <= 2)
  }

  /// Red, green and blue of every pixel through one stage.
  private func pixels(_ colors: [SIMD3<Float>], _ kind: Int) -> [SIMD3<Float>] {
    guard let kernels = Kernels.available.last else { return [] }
    let source = Row(.f32, .rgb, colors.count)
    let target = Row(.f32, .rgb, colors.count)
    source.fill(colors.flatMap { [$0.x, $0.y, $0.z] })
    kernels.run(Program().add(kind), from: source, to: target)
    let floats = target.floats
    return colors.indices.map { SIMD3(floats[3 * $0], floats[3 * $0 + 1], floats[3 * $0 + 2]) }
  }

  /// Opponents of every size and direction: floats of any exponent, and turns in small steps.
  @Test func huesOfOpponents() {
    var random = SplitMix64(21)
    var colors = (0..<100_000).map { step -> SIMD3<Float> in
      let (size, angle) = (Double.random(in: -38...37, using: &random), Double(step) * 0.0062831)
      return [0.5, Float(cos(angle) * pow(10, size)), Float(sin(angle) * pow(10, size))]
    }
    colors += (0..<100_000).map { _ in
      func any() -> Float {
        Float(bitPattern: UInt32(truncatingIfNeeded: random.next()) & 0xBFFF_FFFF)
      }
      return [0.5, any(), any()]
    }
    var (largestDistance, largestAngle) = (0.0, 0.0)
    for (color, polar) in zip(colors, pixels(colors, CPK_POLAR)) where color.y - color.y == 0 {
      let (a, b) = (Double(color.y), Double(color.z))
      let distance = (a * a + b * b).squareRoot()
      if distance > 0x1p-126 {
        let unit = Double(Float(distance).ulp)
        largestDistance = larger(largestDistance, abs(Double(polar.y) - distance) / unit)
      }
      var angle = atan2(b, a) * 180 / .pi
      if angle < 0 { angle += 360 }
      // The quotient of subnormal numbers has fewer digits.
      guard max(abs(a), abs(b)) > 0x1p-100, angle == 0 || angle > 1e-35 else { continue }
      // Directions just below 0 round to a whole turn, which is 0.
      let difference = abs(Double(polar.z) - angle)
      largestAngle = larger(
        largestAngle, min(difference, 360 - difference) / Double(Float(angle).ulp))
      #expect(polar.x == 0.5 && polar.z < 360)
    }
    print("hues: distance \(largestDistance) ulp, angle \(largestAngle) ulp")
    // A quotient, a square, a sum, a root and a product; a quotient, the polynomial and a difference.
    #expect(largestDistance <= 2)
    #expect(largestAngle <= 2.5)
  }

  @Test func opponentsOfHues() {
    var angles = (-800_000...800_000).map { Float($0) / 1000 }
    angles += (0..<200).map { Float($0) * 90 }
    // Far beyond one turn: each float has a direction of its own, exactly.
    angles +=
      (0..<20_000).map { 1e4 + Float($0) * 7919.25 } + [0x1p24, 0x1p25 + 90, 1e9, -3e9, 0x1p40]
    let colors = angles.map { SIMD3<Float>(0.5, 1, $0) }
    var largest = 0.0
    for (angle, color) in zip(angles, pixels(colors, CPK_RECTANGULAR)) {
      let rest = fmod(Double(angle), 360)
      func exact(_ quarters: Double, _ f: (Double) -> Double) -> Double {
        rest.truncatingRemainder(dividingBy: 180) == quarters ? 0 : f(rest * .pi / 180)
      }
      let isCosineZero = abs(rest.remainder(dividingBy: 180)) == 90
      let cosine = isCosineZero ? 0 : cos(rest * .pi / 180)
      let sine = exact(0, sin)
      for (value, expected) in [(color.y, cosine), (color.z, sine)] {
        if expected == 0 {
          #expect(value == 0, "\(angle)")
        } else {
          // The reference's own angle is rounded, which counts near its zeros.
          let error = abs(Double(value) - expected) - 1e-15
          largest = larger(largest, error / Double(Float(expected).ulp))
        }
      }
    }
    print("opponents: \(largest) ulp")
    // A product, the polynomial, and what a rounded factor of π/180 adds.
    #expect(largest <= 2)
  }

  @Test func hueIsNaNWhereNothingIsKnown() {
    let colors: [SIMD3<Float>] = [
      [.nan, 1, 1], [1, .nan, 1], [1, 1, .nan], [1, 0, 0], [1, -0.0, 0], [1, .infinity, 1],
      [1, -.infinity, 0], [1, .infinity, .infinity],
    ]
    let polar = pixels(colors, CPK_POLAR)
    for color in polar.prefix(3) { #expect(color.x.isNaN && color.y.isNaN && color.z.isNaN) }
    #expect(polar[3] == [1, 0, 0] && polar[4] == [1, 0, 0])
    #expect(polar[5] == [1, .infinity, 0] && polar[6] == [1, .infinity, 180])
    #expect(polar[7].y == .infinity && polar[7].z.isNaN)
    let back = pixels(colors.prefix(3) + [[1, 1, .infinity]], CPK_RECTANGULAR)
    for color in back.prefix(3) { #expect(color.x.isNaN && color.y.isNaN && color.z.isNaN) }
    #expect(back[3].y.isNaN && back[3].z.isNaN)
  }
}
