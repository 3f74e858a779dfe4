import ColorSpaces
import Testing
import _TestSupport

/// Piecewise curves, rational powers, and the transfer functions made of them.
@Suite struct SegmentedCurveTests {
  /// The transfer functions with a bounded range of encoded values; the others are unbounded.
  private static let ranges: [String: ClosedRange<Double>] = [
    "ACEScc": -0.358...1.46, "ACESproxy": 0.0626...0.918, "ACESproxy 12": 0.0626...0.918,
    "Mi-Log": 0...2, "Apple Log": 0...2, "HLG": 0...2,
    "PQ": 1e-3...1.9, "BT.1886, black 0.001": -0.059...2,
    "logarithmic 100:1": 0...2, "logarithmic 316:1": 0...2,
  ]

  private static let functions = (TransferFunction.named + [.bt1886(black: 0.001)])
    .filter { transfer in
      switch transfer.curves?.decoding {
      case .segmented, .rationalPower: true
      default: false
      }
    }

  @Test(arguments: functions)
  func encodingInvertsDecoding(_ transfer: TransferFunction) throws {
    let encoding = try #require(transfer.curves?.encoding)
    let range = Self.ranges[transfer.name] ?? -0.5...2
    checkProperty("encode(decode(x)) = x for \(transfer)", .double(in: range), cases: 4000) { x in
      // The least accurate one is PQ near its pole, whose fraction has lost ten bits there.
      try requireClose(
        transfer.encode(transfer.decode(x)), x, within: 1e-12 + encoding.gap(at: x))
    }
  }

  @Test(arguments: functions)
  func curvesAreNondecreasing(_ transfer: TransferFunction) {
    checkProperty(
      "x < y: f(x) ≤ f(y), \(transfer)", .double(in: -2...2), .double(in: -2...2), cases: 2000
    ) { a, b in
      let (low, high) = (min(a, b), max(a, b))
      let (first, second) = (transfer.decode(low), transfer.decode(high))
      // Rounding errors between neighbors, and the gaps of the makers' printed constants: Blackmagic's and Sony's are
      // 10⁻⁶.
      return first <= second + 1e-12 * abs(second) + 2e-6
        && transfer.encode(low) <= transfer.encode(high) + 2e-6
    }
  }

  @Test(arguments: functions)
  func nanGivesNaN(_ transfer: TransferFunction) {
    #expect(transfer.decode(.nan).isNaN)
    #expect(transfer.encode(.nan).isNaN)
    for x in [Double.infinity, -.infinity] {
      #expect(!transfer.decode(x).isNaN)
      #expect(!transfer.encode(x).isNaN)
    }
  }

  @Test func whiteAndBlackOfTelevision() {
    for transfer in [TransferFunction.pq, .hlg, .lStar, .rec709Rounded, .bt1886(black: 0.01)] {
      #expect(abs(transfer.encode(1) - 1) <= 1e-8, "\(transfer)")
      #expect(abs(transfer.decode(1) - 1) <= 4e-8, "\(transfer)")
    }
    #expect(TransferFunction.pq.decode(1) == 1)
    #expect(abs(TransferFunction.bt1886(black: 0.01).decode(0) - 0.01) <= 1e-16)
    #expect(TransferFunction.bt1886().decode(0.5) == power(0.5, 2.4))
  }

  @Test func inverseOfEveryShapeIsExact() {
    let curve = SegmentedCurve([
      .constant(-2),
      .line(from: -1, slope: 2),
      .power(2, from: 0, slope: 2, scale: 3, offset: 1),
      .log(base: 10, from: 1, shift: 1e3, scale: 5),
    ])
    let inverse = curve.inverse
    #expect(inverse(-3) == -1)
    #expect(inverse(-1) == -0.5)
    #expect(inverse(4) == 0.5)
    #expect(abs(inverse(5 * log2(1010) / log2(10)) - 10) < 1e-10)
    #expect(inverse.inverse(0.25) == curve(0.25))
  }

  @Test func negativePoliciesApplyToSegmentedCurves() {
    for transfer in [TransferFunction.hlg, .pq] {
      #expect(transfer.belowZero(.mirrored).encode(-0.25) == -transfer.encode(0.25))
      #expect(transfer.belowZero(.passedThrough).decode(-0.25) == -0.25)
      #expect(transfer.decode(-0.25) == 0)
    }
  }

  @Test func onlyCurvesWithAnExactInverseAreInvertible() {
    func isInvertible(_ transfer: TransferFunction) -> Bool {
      guard case .segmented(let curve)? = transfer.curves?.decoding else { return false }
      return curve.isInvertible
    }
    #expect(isInvertible(.sLog3) && isInvertible(.logC4) && isInvertible(.canonLog2))
    #expect(isInvertible(.nLog) && isInvertible(.hlg.belowZero(.mirrored)))
    #expect(!isInvertible(.acescc) && !isInvertible(.acesProxy10) && !isInvertible(.hlg))
    #expect(!isInvertible(.appleLog) && !isInvertible(.bt1886(black: 0.1)))
  }

  @Test func curveHasOneToFourSegmentsInOrder() async {
    await #expect(processExitsWith: .failure) { _ = SegmentedCurve([]) }
    await #expect(processExitsWith: .failure) {
      _ = SegmentedCurve([.constant(0), .line(from: 1, slope: 1), .line(from: 0, slope: 1)])
    }
  }
}

extension Curve {
  /// The gap of the printed constants between the two segments that meet near the encoded value `x`.
  fileprivate func gap(at x: Double) -> Double {
    guard case .segmented(let curve) = self else { return 0 }
    return zip(curve.segments, curve.segments.dropFirst()).map { lower, upper in
      let (a, b) = (lower(upper.start), upper(upper.start))
      return abs(x - b) <= 2 * abs(a - b) ? 2 * abs(a - b) : 0
    }.max() ?? 0
  }
}
