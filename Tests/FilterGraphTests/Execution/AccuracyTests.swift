import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// The accuracy of single precision, with the kernels of this machine.
@Suite struct AccuracyTests {
  /// White stays exactly 1 through every curve and matrix.
  @Test(arguments: ColorSpace.named)
  func whiteStaysWhite(of space: ColorSpace) throws {
    let white = Bitmap<Float>(PixelSize(1, 1), in: space, channels: .rgb) { _, _ in [1, 1, 1] }
    for other in ColorSpace.named {
      let converted = try Picture(white).converted(to: other).render(as: Float.self)
      #expect(converted.row(0) == [1, 1, 1], "from \(space) to \(other)")
    }
  }

  /// Four ulp, the design goal of the polynomials.
  @Test(arguments: ColorSpace.named)
  func curvesAreWithinFourULP(of space: ColorSpace) throws {
    for range in [0.0...1, 0...8] {
      try expectExact(from: space, to: space.linear, range, space.transfer.decode)
      try expectExact(from: space.linear, to: space, range, space.transfer.encode)
    }
  }

  private func expectExact(
    from source: ColorSpace, to target: ColorSpace, _ range: ClosedRange<Double>,
    _ exact: (Double) -> Double
  ) throws {
    let size = PixelSize(512, 128)
    let step = range.upperBound / Double(3 * size.pixelCount - 1)
    let ramp = Bitmap<Float>(size, in: source, channels: .rgb) { x, y in
      (0..<3).map { Float(Double(3 * (y * size.width + x) + $0) * step) }
    }
    let converted = try Picture(ramp).converted(to: target).render(as: Float.self)
    for y in 0..<size.height {
      for (x, value) in zip(ramp.row(y), converted.row(y)) {
        let expected = exact(Double(x))
        let ulps = abs(Double(value) - expected) / Double(Float(expected).ulp)
        guard ulps <= 4 else {
          Issue.record("\(source) to \(target) at \(x): \(value) is \(ulps) ulp from \(expected)")
          return
        }
      }
    }
  }

  /// Every 8-bit color of a plane through the cube is the rounded exact color, except near ties that single precision
  /// cannot resolve.
  @Test func eightBitColorsAreCorrectlyRounded() throws {
    let colors = Bitmap<UInt8>(PixelSize(256, 256), in: .sRGB, channels: .rgb) { x, y in
      [UInt8(x), UInt8(y), UInt8((x + 2 * y) & 255)]
    }
    let converted = try Picture(colors).converted(to: .displayP3).render(as: UInt8.self)
    let exact = PointProgram(converting: .sRGB, to: .displayP3)
    for y in 0..<256 {
      for x in 0..<256 {
        let color = exact(
          SIMD3(Double(colors[x, y, 0]), Double(colors[x, y, 1]), Double(colors[x, y, 2])) / 255)
        for channel in 0..<3 {
          let exact = min(max(color[channel] * 255, 0), 255)
          // Two curves of 4 ulp and a matrix: 10⁻⁶ of 1, a quarter of a thousandth of a code.
          #expect(abs(Double(converted[x, y, channel]) - exact) <= 0.5 + 2.6e-4)
        }
      }
    }
  }
}
