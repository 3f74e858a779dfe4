import ColorSpaces
import Foundation
import Testing
import _TestSupport

/// Round trips of encoded colors through another space.
@Suite struct RoundTripCertificateTests {
  /// The round trip of one color by ordinary conversions.
  private func returned(
    _ codes: SIMD3<Int>, bits: Int, in space: ColorSpace, via other: ColorSpace,
    _ round: (Double) -> Double
  ) -> SIMD3<Int> {
    let last = Double((1 << bits) - 1)
    let there = ColorPoint(SIMD3<Double>(codes) / last, in: space).converted(to: other).components
    let stored = SIMD3(round(there.x), round(there.y), round(there.z))
    let back = ColorPoint(stored, in: other).converted(to: space).components
    let held = back.clamped(lowerBound: .zero, upperBound: .one) * last
    return SIMD3<Int>(held.rounded(.toNearestOrAwayFromZero))
  }

  private func code(_ bits: Int) -> (Double) -> Double {
    let last = Double((1 << bits) - 1)
    return { (min(max($0, 0), 1) * last).rounded(.toNearestOrAwayFromZero) / last }
  }

  /// Every color of a few bits, by ordinary conversions.
  @Test(arguments: [
    (ColorSpace.sRGB, ColorSpace.displayP3), (.displayP3, .sRGB), (.adobeRGB, .proPhoto),
    // ACESproxy clamps linear values to a part of its codes.
    (.acesProxy, .acescg), (.sRGB, .acesProxy),
    // Gray spaces keep only luminance.
    (.sRGB, .sGray), (.displayP3, .linearGray),
  ])
  func everyColorOfFourBitsHasThePredictedError(space: ColorSpace, other: ColorSpace) {
    let samples: [(RoundTrip.Samples, (Double) -> Double)] = [
      (.uint8, code(8)), (.uint10, code(10)), (.uint12, code(12)), (.uint16, code(16)),
      (.float, { Double(Float($0)) }),
    ]
    for bits in [3, 4] {
      for (samples, round) in samples {
        let trip = space.roundTrip(bits: bits, via: other, samples: samples)
        var (worst, changed) = (0, 0)
        for index in 0..<1 << (3 * bits) {
          let mask = (1 << bits) - 1
          let codes = SIMD3(index >> (2 * bits), index >> bits & mask, index & mask)
          let step = returned(codes, bits: bits, in: space, via: other, round) &- codes
          worst = max(worst, abs(step.x), abs(step.y), abs(step.z))
          changed += step == .zero ? 0 : 1
        }
        #expect(trip.bound == worst, "\(bits) bits of \(space) via \(other), \(samples)")
        #expect(trip.worst?.error ?? 0 == worst)
        if case .exhaustive(let counted) = trip.proof { #expect(counted == changed) }
      }
    }
  }

  /// 8-bit sRGB round trips through Display P3 in 16 bits and as floats. The interval proof shows it without trying any
  /// color.
  @Test func sRGBRoundTripsThroughEnoughBits() {
    for samples in [RoundTrip.Samples.uint16, .float] {
      let trip = ColorSpace.sRGB.roundTrip(via: .displayP3, samples: samples)
      #expect(trip.isLossless)
      #expect(trip.proof == .interval)
      #expect(trip.worst == nil)
    }
    #expect(ColorSpace.sRGB.roundTrip(bits: 10, via: .displayP3, samples: .uint16).isLossless)
    #expect(ColorSpace.sRGB.roundTrip(bits: 16, via: .displayP3, samples: .float).isLossless)
    // ProPhoto's toe is flatter than sRGB's, so 16 bits are not enough for 10-bit codes.
    #expect(!ColorSpace.sRGB.roundTrip(bits: 10, via: .proPhoto, samples: .uint8).isLossless)
  }

  /// Trials respect the interval bound: no color has a larger error.
  @Test(arguments: [ColorSpace.displayP3, .adobeRGB, .rec2020])
  func intervalBoundHoldsForTriedColors(via other: ColorSpace) throws {
    for samples in [RoundTrip.Samples.uint8, .uint10, .uint12, .uint16, .half, .float] {
      let trip = ColorSpace.sRGB.roundTrip(bits: 12, via: other, samples: samples)
      #expect(trip.proof == .interval)
      #expect(trip.worst?.error ?? 0 <= trip.bound)
    }
    #expect(ColorSpace.sRGB.roundTrip(bits: 12, via: .sRGB, samples: .uint12).isLossless)
  }

  /// ACESproxy's codes below 64 and above 940 of 10 bits are clamped when they are encoded again.
  @Test func clampedCodesAreNotLossless() {
    let trip = ColorSpace.acesProxy.roundTrip(bits: 10, via: .acescg, samples: .float)
    #expect(trip.bound == 1023 - 940)
    #expect(!ColorSpace.acescg.roundTrip(bits: 10, via: .acesProxy, samples: .uint16).isLossless)
  }

  /// Through a gray space, all colors but the grays change, however precise its samples are.
  @Test func roundTripsThroughGrayAreNotLossless() throws {
    for bits in [10, 12] {
      let trip = ColorSpace.sRGB.roundTrip(bits: bits, via: .sGray, samples: .float)
      #expect(!trip.isLossless)
      // Yellow loses most: its blue becomes luminance.
      let last = (1 << bits) - 1
      let worst = try #require(trip.worst)
      #expect(worst.codes == [last, last, 0], "\(trip)")
      let gray = ColorPoint(1, 1, 0, in: .sRGB).converted(to: .sGray).components.x
      #expect(abs(Double(worst.error) - gray * Double(last)) <= 0.51)
      // The bound of the intervals is hardly larger than the error.
      #expect((0...1).contains(trip.bound - worst.error), "\(trip)")
    }
    let trip = ColorSpace.sRGB.roundTrip(bits: 4, via: .sGray, samples: .uint16)
    #expect(trip.proof == .exhaustive(changed: 4096 - 16))
  }

  /// The colors of a gray space are its grays: with colors, a round trip through another RGB space would be lossy.
  @Test func graysAreTriedOfGraySpaces() {
    #expect(ColorSpace.sGray.roundTrip(via: .displayP3, samples: .uint8).isLossless)
    for (bits, other) in [(8, ColorSpace.linearDisplayP3), (10, .grayGamma18)] {
      let trip = ColorSpace.sGray.roundTrip(bits: bits, via: other, samples: .uint8)
      var (worst, changed) = (0, 0)
      for level in 0..<1 << bits {
        let codes = SIMD3(repeating: level)
        let back = returned(codes, bits: bits, in: .sGray, via: other, code(8))
        worst = max(worst, abs(back.x - level))
        changed += back == codes ? 0 : 1
      }
      #expect(trip.bound == worst && trip.proof == .exhaustive(changed: changed), "\(trip)")
      #expect(trip.worst.map { $0.codes.x == $0.codes.y && $0.codes.y == $0.codes.z } == true)
    }
  }

  @Test func descriptionsAreSentences() {
    #expect(
      ColorSpace.sRGB.roundTrip(via: .displayP3, samples: .uint16).description
        == "8-bit sRGB via uint16 Display P3 is lossless: every color comes back unchanged.")
    let lossy = ColorSpace.sRGB.roundTrip(bits: 4, via: .proPhoto, samples: .uint8)
    #expect(lossy.description.hasPrefix("4-bit sRGB via uint8 ProPhoto RGB changes channels "))
    let byOne = ColorSpace.sRGB.roundTrip(bits: 5, via: .displayP3, samples: .uint8)
    #expect(byOne.bound == 1 && byOne.description.contains(" by at most 1 code;"), "\(byOne)")
  }

  /// For 8-bit sRGB through Display P3: the maximum error in codes, and the number of colors that change.
  private static let found: [(RoundTrip.Samples, bound: Int, changed: Int)] = [
    (.uint8, 9, 8_018_652), (.uint10, 2, 566_896), (.uint12, 1, 512), (.uint16, 0, 0),
    (.half, 1, 14_848),
  ]

  /// The guides state these results. (``allColorsOfEightBits()`` reproduces them in optimized builds.)
  @Test func guidesStateTheMeasuredRoundTripLosses() throws {
    func text(_ guide: String) throws -> String {
      let url = Fixtures.url("../Documentation/Guides/\(guide).md")
      return try String(contentsOf: url, encoding: .utf8).replacing("\n", with: " ")
    }
    let (_, bound, changed) = Self.found[0]
    let percent = Int((Double(changed) / 0x1p24 * 100).rounded())
    #expect(
      try text("WideColor").contains(
        "\(percent) % come back as others from 8 bits of Display P3, by up to \(bound) codes, and none"
      ))
    #expect(
      try text("Colors").contains(
        "Through 8 bits almost half of all colors change, by up to \(bound) codes, "
          + "through 12 bits \(Self.found[2].changed) of them by one"))
    // The worst color, by ordinary conversions.
    let worst = returned([10, 236, 0], bits: 8, in: .sRGB, via: .displayP3, code(8))
    #expect(worst == [1, 236, 1])
  }

  #if !DEBUG
    /// All 2²⁴ colors: none changes on the way through 16-bit Display P3. With 8 bits almost half of them change, with
    /// 12 bits still 512. The counts agree with NumPy's by the plain formulas.
    @Test func allColorsOfEightBits() throws {
      for (samples, bound, changed) in Self.found {
        let trip = ColorSpace.sRGB.exhaustiveRoundTrip(bits: 8, via: .displayP3, samples: samples)
        #expect(trip.bound == bound, "\(trip)")
        #expect(trip.proof == .exhaustive(changed: changed), "\(trip)")
      }
      let worst = try #require(
        ColorSpace.sRGB.roundTrip(via: .displayP3, samples: .uint8).worst)
      #expect(worst.codes == [10, 236, 0])
      #expect(worst.returned == [1, 236, 1])
    }
  #endif
}
