import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Powers with exponents beyond those of transfer functions.
@Suite struct SteepPowerTests {
  /// A curve for each channel.
  private struct Curves: PointFilter {
    let curves: [Curve]
    var domain: PixelDomain { .linear }

    func describe(to program: inout PointProgram, in _: ColorSpace) {
      program.append(.curves("tested", curves[0], curves[1], curves[2]))
    }
  }

  private static let exponents: [Double] = [
    -300, -20, -8, -3, -2.6, -2.5, -2, -1, 2.5, 3, 3.99, 4, 4.01, 5, 7.9, 8, 10, 16, 20, 64, 300,
    1000,
  ]

  private static let inputs =
    [0, -0.5, -2, 1, 1e-30, 1e9] + (-40...40).map { Float(exp2(Double($0) / 10)) }

  /// Returns what the kernels make of the inputs, in all channels, for a channel each.
  private func values(of curves: [Curve]) throws -> [[Float]] {
    let inputs = Self.inputs
    let bitmap = Bitmap<Float>(
      PixelSize(inputs.count, 1), in: .linearSRGB, channels: .rgb
    ) { x, _ in [Float](repeating: inputs[x], count: 3) }
    let row = try Picture(bitmap).applying(Curves(curves: curves)).render(as: Float.self).row(0)
    return (0..<3).map { channel in inputs.indices.map { row[3 * $0 + channel] } }
  }

  /// Four units of the last place of all terms, as other powers have; beyond the range of floats infinity or zero.
  private func expectExact(_ found: Float, _ curve: PowerCurve, at x: Float) {
    let exact = curve(Double(x))
    // What is below the normal range of floats, or beyond the range of 2¹⁰⁰⁰ of formulas, may be lost.
    let limit = 4 * max(0x1p-23 * max(abs(exact), abs(curve.offset)), 0x1p-126)
    if abs(exact) > Double(Float.greatestFiniteMagnitude) {
      #expect(
        found == (exact < 0 ? -.infinity : .infinity), "\(x)^\(curve.exponent) gives \(found)")
    } else {
      #expect(
        abs(Double(found) - exact) <= limit, "\(x)^\(curve.exponent) gives \(found), not \(exact)")
    }
  }

  /// Results are computed once, as long as they are no more than the limit.
  @Test func resultsAreKeptUpToTheLimit() {
    let known = KnownResults<Int, Int>(limit: 4)
    var computed: [Int] = []
    func result(_ key: Int) -> Int {
      known.result(for: key) {
        computed.append(key)
        return 10 * key
      }
    }
    #expect([1, 2, 3, 4, 4, 3, 2, 1].map(result) == [10, 20, 30, 40, 40, 30, 20, 10])
    #expect(computed == [1, 2, 3, 4])
    #expect([5, 5, 1].map(result) == [50, 50, 10] && computed == [1, 2, 3, 4, 5, 1])
  }

  @Test(arguments: exponents)
  func powersAreExact(exponent: Double) throws {
    for policy in [NegativePolicy.mirrored, .clamped, .passedThrough] {
      let curves = [
        PowerCurve(exponent: exponent, belowZero: policy),
        PowerCurve(
          scale: 0.25, shift: 0.5, exponent: exponent, offset: -0.125, slope: 2, intercept: 0.5,
          threshold: 0.75, belowZero: policy),
        PowerCurve(exponent: 1.5, belowZero: policy),
      ]
      for (curve, values) in zip(curves, try values(of: curves.map(Curve.power))) {
        for (x, found) in zip(Self.inputs, values) { expectExact(found, curve, at: x) }
      }
    }
  }

  @Test(arguments: exponents.filter { $0 > 0 })
  func segmentsAreExact(exponent: Double) throws {
    let curve = SegmentedCurve([
      .init(.line, slope: 0.5),
      .init(.power(exponent), from: 0.75, slope: 0.9, shift: 0.01, scale: 3),
    ])
    let values = try values(of: [.segmented(curve), .identity, .segmented(curve)])
    #expect(values[1] == Self.inputs)
    for (x, found) in zip(Self.inputs, values[0]) {
      let exact = curve(Double(x))
      // The slope is rounded: as many units as the exponent. What is below the normal range of floats may be lost.
      let isNear =
        abs(Double(found) - exact) <= max(0x1p-23 * max(4, exponent) * abs(exact), 0x1p-126)
      #expect(isNear || exact > 3.4e38 && found > 3.4e38, "\(x) gives \(found), not \(exact)")
    }
    #expect(values[0] == values[2])
  }

  /// A profile may state any exponent up to 20, with a line at black.
  @Test func conversionsWithSteepTransferFunctionsAreExact() throws {
    let curve = PowerCurve(g: 12, a: 0.9, b: 0.1, c: 0.01, d: 0.2)
    let space = ColorSpace(
      "steep", primaries: .rec709, transfer: TransferFunction("steep", decoding: curve))
    let bitmap = Bitmap<Float>(PixelSize(64, 1), in: space, channels: .rgb) { x, _ in
      [Float(x) / 63, Float(63 - x) / 63, 1]
    }
    let found = try Picture(bitmap).converted(to: .linearSRGB).render(as: Float.self)
    for x in 0..<64 {
      for (channel, value) in [Float(x) / 63, Float(63 - x) / 63, 1].enumerated() {
        let exact = curve(Double(value))
        #expect(abs(Double(found[x, 0, channel]) - exact) <= 4 * 0x1p-23 * exact)
      }
    }
  }
}
