import CPixelKernels
import PlatformLibc
import Testing

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
      let error = abs(Double(result) - expected) / Double(Float(expected).ulp)
      largest = max(largest, error)
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
      #expect(max(unit, above) <= 4)
    }
  }
}
