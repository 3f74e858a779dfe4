import ColorSpaces
import Testing
import _TestSupport

/// Every space converts every finite color to finite values, including extreme ones.
@Suite struct FiniteTests {
  /// Values of all magnitudes and both signs, and zero. Logarithms still decode 16 times their range to finite values;
  /// the perceptual quantizer has its pole at 1.99.
  private func components(of space: ColorSpace) -> Generator<SIMD3<Double>> {
    let isLogarithm = space == .rec2100HLGDisplay
    let limit =
      space.transfer.curves.map { Self.limit(of: $0.decoding) } ?? (isLogarithm ? 16 : 1e6)
    let number = Generator<Bool>.element(of: [true, false]).flatMap { ordinary in
      ordinary
        ? .double(in: -limit...limit)
        : Generator<Double>.adversarialDouble().map { min(max($0, -limit), limit) }
    }
    return Generator<(Double, Double, Double)>.zip(number, number, number).map {
      SIMD3($0.0, $0.1, $0.2)
    }
  }

  @Test(arguments: ColorSpace.all)
  func everyEncodedColorDecodesToFiniteValues(_ space: ColorSpace) {
    checkProperty("\(space) → XYZ", components(of: space), cases: 3000) { color in
      let light = ColorPoint(color, in: space).converted(to: .xyzD65).components
      guard light.sum().isFinite else { throw Failure("\(color) is \(light)") }
      return true
    }
  }

  @Test(arguments: ColorSpace.all)
  func everyLinearColorEncodesToFiniteValues(_ space: ColorSpace) {
    checkProperty("XYZ → \(space)", components(of: .xyzD65), cases: 3000) { light in
      let color = ColorPoint(light, in: .xyzD65).converted(to: space).components
      guard color.sum().isFinite else { throw Failure("\(light) is \(color)") }
      return true
    }
  }

  @Test(arguments: TransferFunction.named)
  func curvesOfFiniteValuesAreFinite(_ transfer: TransferFunction) {
    guard let curves = transfer.curves else { return }
    let limit = Self.limit(of: curves.decoding)
    checkProperty("\(transfer)", .adversarialDouble(), cases: 3000) { x in
      let held = min(max(x, -limit), limit)
      return curves.decoding(held).isFinite && curves.encoding(held).isFinite
    }
    #expect(curves.decoding(.nan).isNaN && curves.encoding(.nan).isNaN)
  }

  private static func limit(of decoding: Curve) -> Double {
    if case .rationalPower = decoding { 1.9 } else { 16 }
  }
}
