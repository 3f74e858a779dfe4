import ColorSpaces
import Testing
import _TestSupport

/// Spaces that count as equal although their constants differ in the last digits.
@Suite struct InterchangeTests {
  /// A value as profiles store it: with sixteen fraction bits.
  private func stored(_ x: Double) -> Double { (x * 65_536).rounded() / 65_536 }

  /// A space after a profile stored its curve and its colorants relative to D50, and a reader recovered the primaries.
  private func throughProfile(_ space: ColorSpace) -> ColorSpace {
    let adaptation = ColorMatrix.adapting(from: space.primaries.white, to: .d50)
    let lights = adaptation * space.primaries.toXYZ
    func chromaticity(_ column: SIMD3<Double>) -> Chromaticity {
      let rounded = SIMD3(stored(column.x), stored(column.y), stored(column.z))
      let xyz = adaptation.inverse * rounded
      return Chromaticity(xyz.x / xyz.sum(), xyz.y / xyz.sum())
    }
    let primaries = Primaries(
      red: chromaticity(lights.column0), green: chromaticity(lights.column1),
      blue: chromaticity(lights.column2),
      white: chromaticity(lights * .one))
    return ColorSpace("from a profile", primaries: primaries, transfer: rounded(space.transfer))
  }

  private func rounded(_ transfer: TransferFunction) -> TransferFunction {
    guard case .power(let curve)? = transfer.curves?.decoding else { return transfer }
    // As a parametric curve: a = scale^(1/g), b = a · shift.
    let a = stored(power(curve.scale, 1 / curve.exponent))
    return TransferFunction(
      "from a profile",
      decoding: PowerCurve(
        g: stored(curve.exponent), a: a, b: stored(a * curve.shift), c: stored(curve.slope),
        d: stored(curve.threshold)))
  }

  @Test(arguments: ColorSpace.named) func spaceRoundTripsThroughAProfile(_ space: ColorSpace) {
    #expect(space.isInterchangeable(with: space))
    #expect(space.isInterchangeable(with: throughProfile(space)))
    #expect(throughProfile(space).isInterchangeable(with: space))
  }

  @Test func namedSpacesAreNotInterchangeable() {
    for a in ColorSpace.named {
      for b in ColorSpace.named where a != b {
        #expect(!a.isInterchangeable(with: b), "\(a), \(b)")
      }
    }
  }

  @Test func namesDoNotMatter() {
    let renamed = ColorSpace("camera", primaries: .p3, transfer: .sRGB)
    #expect(renamed != .displayP3)
    #expect(renamed.isInterchangeable(with: .displayP3))
  }

  @Test(arguments: [1.8, 2.19, 2.2, 2.4]) func differentGammasAreNotInterchangeable(_ gamma: Double)
  {
    let other = ColorSpace("other", primaries: .rec709, transfer: .gamma(gamma))
    #expect(!other.isInterchangeable(with: .sRGB))
    #expect(!ColorSpace.sRGB.isInterchangeable(with: other))
    let adobe = ColorSpace("other", primaries: .adobeRGB, transfer: .gamma(gamma))
    #expect(!adobe.isInterchangeable(with: .adobeRGB))
  }

  @Test func differentPrimariesAreNotInterchangeable() {
    var primaries = Primaries.p3
    primaries.red.x += 1e-3
    let other = ColorSpace("other", primaries: primaries, transfer: .sRGB)
    #expect(!other.isInterchangeable(with: .displayP3))
    let d50 = Primaries(
      red: Primaries.p3.red, green: Primaries.p3.green, blue: Primaries.p3.blue, white: .d50)
    let warm = ColorSpace("warm", primaries: d50, transfer: .sRGB)
    #expect(!warm.isInterchangeable(with: .displayP3))
  }

  @Test func tableOfACurveIsInterchangeableWithIt() {
    let table = (0...4095).map { Float(TransferFunction.sRGB.decode(Double($0) / 4095)) }
    let transfer = TransferFunction("table", decodingTable: table)
    let space = ColorSpace("from a table", primaries: .rec709, transfer: transfer)
    #expect(space.isInterchangeable(with: .sRGB))
  }
}
