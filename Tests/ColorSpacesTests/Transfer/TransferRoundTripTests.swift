import ColorSpaces
import Testing
import _TestSupport

/// Decoding and encoding are inverses, for each transfer function of a named space.
@Suite struct TransferRoundTripTests {
  /// Values of every magnitude whose 2.6th power neither overflows nor, above 10⁻¹⁰⁰, underflows.
  static let numbers = Generator<Double>.adversarialDouble().map { min(max($0, -1e100), 1e100) }

  /// Half of the values are in the range of pictures.
  static let mixed = Generator<Bool>.element(of: [true, false]).flatMap { ordinary in
    ordinary ? .double(in: -0.5...2) : numbers
  }

  /// A power turns an absolute error of its logarithm into a relative one, so the error grows with log₂|x|: the
  /// logarithm and its product with the exponent have an error of 2.5 ulp together, twice, which is 5 · ln 2 ≈ 3.5 ulp
  /// for each power of two. 8 ulp more for the additions around the power, which the curve's slope amplifies at the
  /// toe. Below 10⁻¹⁰⁰ powers underflow.
  static func rounding(_ x: Double) -> Double {
    if abs(x) < 1e-100 { return 1e-100 }
    return (8 + 3.5 * abs(log2(abs(x)))) * abs(x) * Double.ulpOfOne
  }

  /// sRGB's two pieces do not meet: the gap is 3·10⁻⁸ of an encoded value at the printed thresholds, which do not map
  /// to each other either. BT.709's constants of twelve digits leave 10⁻¹⁴.
  static func gap(of transfer: TransferFunction, at stored: Double) -> Double {
    switch transfer {
    case .sRGB: abs(abs(stored) - 0.04045) < 1e-6 ? 4e-8 : 0
    case .rec709: abs(abs(stored) - 0.081_242_858_3) < 1e-6 ? 1e-13 : 0
    default: 0
    }
  }

  @Test(arguments: Set(ColorSpace.named.map(\.transfer)).sorted { $0.name < $1.name })
  func encodingInvertsDecoding(_ transfer: TransferFunction) {
    checkProperty("encode(decode(x)) = x for \(transfer)", Self.mixed, cases: 4000) { x in
      try requireClose(
        transfer.encode(transfer.decode(x)), x,
        within: Self.rounding(x) + Self.gap(of: transfer, at: x))
    }
  }

  @Test(arguments: Set(ColorSpace.named.map(\.transfer)).sorted { $0.name < $1.name })
  func decodingInvertsEncoding(_ transfer: TransferFunction) {
    checkProperty("decode(encode(x)) = x for \(transfer)", Self.mixed, cases: 4000) { x in
      // In linear light the gap is scaled by the slope of the curve there, which is below 1/4.
      try requireClose(
        transfer.decode(transfer.encode(x)), x,
        within: 2.6 * Self.rounding(x) + Self.gap(of: transfer, at: transfer.encode(x)) / 4)
    }
  }

  @Test func exponentsThatNoPowerHasAreRefused() async {
    await #expect(processExitsWith: .failure) { _ = TransferFunction.gamma(0) }
    await #expect(processExitsWith: .failure) { _ = TransferFunction.gamma(-2.2) }
    await #expect(processExitsWith: .failure) { _ = TransferFunction.gamma(.nan) }
    await #expect(processExitsWith: .failure) { _ = TransferFunction.gamma(.infinity) }
    await #expect(processExitsWith: .success) { _ = TransferFunction.gamma(1e-3) }
  }

  @Test(arguments: ColorSpace.named)
  func zeroAndOneAreFixedPoints(_ space: ColorSpace) {
    for x in [0.0, 1.0, -1.0] {
      // 2 ulp: the scale of a curve is itself a rounded power.
      #expect(ulpDistance(space.transfer.decode(x), x) <= 2)
      #expect(ulpDistance(space.transfer.encode(x), x) <= 2)
    }
  }

  @Test(arguments: ColorSpace.named)
  func curvesAreNondecreasing(_ space: ColorSpace) {
    checkProperty(
      "x < y: decode(x) ≤ decode(y), \(space)", .double(in: -2...2), .double(in: -2...2),
      cases: 2000
    ) { a, b in
      let (low, high) = (min(a, b), max(a, b))
      // Rounding of the power may swap neighboring doubles.
      return space.transfer.decode(low) <= space.transfer.decode(high) + 4e-15
        && space.transfer.encode(low) <= space.transfer.encode(high) + 4e-8
    }
  }

  @Test(arguments: ColorSpace.named)
  func negativeValuesAreMirrored(_ space: ColorSpace) {
    checkProperty("f(−x) = −f(x), \(space)", .adversarialDouble()) { x in
      space.transfer.decode(-x) == -space.transfer.decode(x)
        && space.transfer.encode(-x) == -space.transfer.encode(x)
    }
  }

  @Test(arguments: ColorSpace.named)
  func nanGivesNaN(_ space: ColorSpace) {
    #expect(space.transfer.decode(.nan).isNaN)
    #expect(space.transfer.encode(.nan).isNaN)
    #expect(space.transfer.decode(.infinity) == .infinity)
    #expect(space.transfer.encode(-.infinity) == -.infinity)
  }
}
