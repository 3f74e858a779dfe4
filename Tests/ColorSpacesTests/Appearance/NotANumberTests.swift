import ColorSpaces
import Testing
import _TestSupport

/// NaN in colors.
@Suite struct NotANumberTests {
  /// A NaN in one channel gives a NaN in the result, in both directions of every space; three NaNs give three.
  @Test(arguments: ColorSpace.all) func spacesPropagateNaN(space: ColorSpace) {
    for start in [SIMD3(0.3, 0.4, 0.5), .zero, .one, SIMD3(-0.2, 1.5, 0.7)] {
      for channel in 0..<3 {
        var color = start
        color[channel] = .nan
        #expect(hasNaN(space.transfer.decode(color)), "decoding \(color)")
        #expect(hasNaN(space.transfer.encode(color)), "encoding \(color)")
        #expect(hasNaN(ColorPoint(color, in: space).converted(to: .sRGB).components))
        #expect(hasNaN(ColorPoint(color, in: .sRGB).converted(to: space).components))
      }
    }
    let none = SIMD3(repeating: Double.nan)
    #expect(isNaN(space.transfer.decode(none)))
    #expect(isNaN(space.transfer.encode(none)))
  }

  @Test(arguments: TransferFunction.named) func transferFunctionsPropagateNaN(
    _ transfer: TransferFunction
  ) {
    #expect(transfer.decode(Double.nan).isNaN)
    #expect(transfer.encode(Double.nan).isNaN)
    for policy in [NegativePolicy.mirrored, .clamped, .continued, .passedThrough] {
      #expect(transfer.belowZero(policy).decode(Double.nan).isNaN)
      #expect(transfer.belowZero(policy).encode(Double.nan).isNaN)
    }
  }

  @Test(arguments: [1000, 400] as [Luminance], [0, 0.1] as [Luminance])
  func displaysPropagateNaN(peak: Luminance, black: Luminance) throws {
    let display = try HLGDisplay(peak: peak, black: black)
    let transfer = ColorSpace.rec2100HLG(on: display).transfer
    for channel in 0..<3 {
      var color = SIMD3(0.5, 0.5, 0.5)
      color[channel] = .nan
      #expect(isNaN(transfer.decode(color)))
      #expect(isNaN(transfer.encode(color)))
    }
  }

  @Test func cssModelsPropagateNaN() {
    for channel in 0..<3 {
      var color = SIMD3(0.3, 0.4, 0.5)
      color[channel] = .nan
      for change in [
        CSSColor.sRGB(hsl:), CSSColor.sRGB(hwb:), CSSColor.hsl(sRGB:), CSSColor.hwb(sRGB:),
      ] {
        #expect(isNaN(change(color)))
      }
    }
  }

  private func hasNaN(_ v: SIMD3<Double>) -> Bool { v.x.isNaN || v.y.isNaN || v.z.isNaN }

  private func isNaN(_ v: SIMD3<Double>) -> Bool { v.x.isNaN && v.y.isNaN && v.z.isNaN }
}
