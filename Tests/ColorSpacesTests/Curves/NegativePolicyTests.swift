import ColorSpaces
import Testing
import _TestSupport

/// The four negative policies, with values from the programs that use them.
@Suite struct NegativePolicyTests {
  /// Half a unit of the last digit of a value published with five decimals.
  private let printed = 5.001e-6

  /// Display P3's red encoded in sRGB under a policy.
  private func storedRed(_ policy: NegativePolicy) -> SIMD3<Double> {
    let sRGB = ColorSpace("sRGB", primaries: .rec709, transfer: .sRGB.belowZero(policy))
    return ColorPoint(1, 0, 0, in: .displayP3).converted(to: sRGB).components
  }

  @Test func redOfP3UnderEachPolicy() {
    // Clamping affects values below 0 only.
    #expect((storedRed(.clamped) - [1.09307, 0, 0]).largest <= printed)
    // Apple's extended spaces, skcms, CSS.
    #expect((storedRed(.mirrored) - [1.09307, -0.22674, -0.15013]).largest <= printed)
    // Measured with Little CMS 2.14 in its unbounded mode.
    #expect((storedRed(.continued) - [1.09307, -0.54338, -0.25372]).largest <= printed)
    // OpenColorIO's NEGATIVE_PASS_THRU.
    #expect((storedRed(.passedThrough) - [1.09307, -0.04206, -0.01964]).largest <= printed)
  }

  @Test func mirroredIsTheDefault() { #expect(TransferFunction.sRGB.belowZero(.mirrored) == .sRGB) }

  @Test func greenOfP3IsFarOutUnderContinuation() {
    let sRGB = ColorSpace("sRGB", primaries: .rec709, transfer: .sRGB.belowZero(.continued))
    let green = ColorPoint(0, 1, 0, in: .displayP3).converted(to: sRGB).components
    // Measured with Little CMS, published with four decimals.
    #expect(abs(green.x - -2.9062) <= 5.001e-5)
  }

  @Test func mixingPoliciesChangesTheColor() {
    let continued = ColorSpace("sRGB", primaries: .rec709, transfer: .sRGB.belowZero(.continued))
    let misread = ColorPoint(1.0930664, -0.2267420, -0.1501346, in: continued)
    let result = misread.converted(to: .displayP3).components
    // Measured with Little CMS 2.14 in single precision: one unit of the last published digit.
    #expect((result - [1.00191, 0.16683, 0.09371]).largest <= 1e-5)
  }

  @Test func policiesDoNotAffectNonnegativeValues() {
    let policies: [NegativePolicy] = [.mirrored, .clamped, .continued, .passedThrough]
    for transfer in [TransferFunction.sRGB, .rec709, .proPhoto, .gamma(2.2)] {
      checkProperty("\(transfer)", .element(of: policies), .double(in: 0...100)) { policy, x in
        transfer.belowZero(policy).decode(x) == transfer.decode(x)
          && transfer.belowZero(policy).encode(x) == transfer.encode(x)
      }
    }
  }

  @Test func policiesDefineNegativeValues() {
    for transfer in [TransferFunction.sRGB, .rec709, .proPhoto] {
      checkProperty("\(transfer) below zero", .double(in: -10 ... -1e-9)) { x in
        let slope = transfer.decode(1e-3) / 1e-3
        return transfer.belowZero(.mirrored).decode(x) == -transfer.decode(-x)
          && transfer.belowZero(.clamped).decode(x) == 0
          && transfer.belowZero(.passedThrough).decode(x) == x
          // One rounding error of the slope as measured here, one of the product.
          && abs(transfer.belowZero(.continued).decode(x) - slope * x) <= 4 * (slope * x).ulp
      }
    }
  }

  @Test func tablesFollowThePolicy() {
    let table = TransferFunction("table", decodingTable: [0, 0.25, 1])
    #expect(table.decode(-0.5) == 0)
    #expect(table.belowZero(.mirrored).decode(-0.5) == -0.25)
    #expect(table.belowZero(.mirrored).encode(-0.25) == -0.5)
    #expect(table.belowZero(.passedThrough).decode(-0.5) == -0.5)
    // Beyond its ends a table takes its end values, which is its continuation.
    #expect(table.belowZero(.continued).decode(-0.5) == 0)
  }

  @Test func brightTablesFollowThePolicyInBothDirections() {
    let table = TransferFunction("table", decodingTable: [0, 1, 4])
    #expect(table.encode(-2.5) == 0)
    #expect(table.belowZero(.mirrored).encode(-2.5) == -0.75)
    #expect(table.belowZero(.passedThrough).encode(-2.5) == -2.5)
    #expect(table.belowZero(.mirrored).belowZero(.clamped) == table)
  }

  @Test func identityIgnoresThePolicy() {
    #expect(TransferFunction.linear.belowZero(.clamped) == .linear)
  }
}
