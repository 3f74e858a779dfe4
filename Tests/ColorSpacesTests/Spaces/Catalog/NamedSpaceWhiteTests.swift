import ColorSpaces
import Testing
import _TestSupport

/// White in every named space, in double precision.
@Suite struct NamedSpaceWhiteTests {
  /// White encodes to one exact value in each space, and decodes to exactly white.
  @Test func whiteRoundTripsThroughEveryNamedSpace() throws {
    #expect(ColorSpace.all.count >= 129)
    for space in ColorSpace.all {
      let white = try #require(space.transfer.encodedWhite, "\(space)")
      for source in [ColorSpace.sRGB, .displayP3, .proPhoto, .acescg] {
        let there = ColorPoint(1, 1, 1, in: source).converted(to: space)
        #expect(there.components == white, "\(source) → \(space)")
        #expect(there.converted(to: source).components == .one, "\(space) → \(source)")
      }
    }
  }

  @Test func whiteConvertsExactlyBetweenNamedSpaces() {
    let whites = ColorSpace.all.map { ColorPoint(1, 1, 1, in: .linearSRGB).converted(to: $0) }
    for white in whites {
      for target in whites where white.converted(to: target.space) != target {
        Issue.record("\(white.space) → \(target.space): \(white.converted(to: target.space))")
      }
    }
  }

  /// Where a standard states the value of white, the encoded value equals it without rounding error.
  @Test func whiteIsTheValueOfTheStandard() throws {
    let ones = ColorSpace.named + [ColorSpace.eciRGB, .adobeRGB, .protuneNative]
    for space in ones {
      #expect(ColorPoint(1, 1, 1, in: .sRGB).converted(to: space).components == .one, "\(space)")
    }
    let others: [(ColorSpace, SIMD3<Double>)] = [
      (.lab, [100, 0, 0]), (.lch, [100, 0, 0]), (.luv, [100, 0, 0]), (.oklab, [1, 0, 0]),
      (.oklch, [1, 0, 0]), (.ipt, [1, 0, 0]), (.hsl, [0, 0, 1]), (.hsv, [0, 0, 1]),
      (.hwb, [0, 1, 0]), (.okhsl, [0, 0, 1]), (.okhsv, [0, 0, 1]), (.hsluv, [0, 0, 100]),
      (.xyzE, .one), (.rec2100HLG, SIMD3(repeating: 0.75)),
    ]
    for (space, white) in others {
      #expect(ColorPoint(1, 1, 1, in: .sRGB).converted(to: space).components == white, "\(space)")
    }
  }

  /// The exact value of white introduces no step beyond rounding.
  @Test func exactWhiteIntroducesNoStep() {
    for space in ColorSpace.all {
      guard let curves = space.transfer.curves, let white = space.transfer.encodedWhite else {
        continue
      }
      for delta in [-1e-6, -1e-9, 1e-9, 1e-6] {
        let encoded = curves.encoding(1 + delta)
        let step = (encoded - white.x) * (delta < 0 ? -1 : 1)
        // Increasing, within a few dozen ulp; clamped spaces end at white.
        #expect(step > -1e-14, "\(space)")
      }
    }
  }

  /// Tables that are no inverses of each other keep their own values.
  @Test func curvesWithoutAnInverseHaveNoEncodedWhite() {
    let cut = TransferFunction(
      "half", encoding: SegmentedCurve([.line(slope: 1), .constant(0.5, from: 0.5)]))
    #expect(cut.encodedWhite == nil)
    #expect(cut.encode(1.0) == 0.5)
    #expect(
      TransferFunction("NaN", decoding: { _ in .nan }, encoding: { _ in .nan }).encodedWhite == nil)
  }
}
