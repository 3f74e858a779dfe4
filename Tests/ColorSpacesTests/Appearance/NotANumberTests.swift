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

  /// Neither the space of the color nor another one, whose matrix spreads the NaN.
  @Test func noGamutHoldsNaN() {
    for channel in 0..<3 {
      var color = SIMD3(0.5, 0.25, 0.75)
      color[channel] = .nan
      for space in [ColorSpace.sRGB, .displayP3, .linearSRGB, .hsl] {
        #expect(!ColorPoint(color, in: .sRGB).isInside(space), "\(color) in \(space)")
      }
      #expect(!ColorSpace.linearSRGB.holds(color), "\(color)")
      #expect(!Gamut(of: .sRGB).holds(color), "\(color)")
    }
  }

  @Test func contrastPropagatesNaN() {
    let white = ColorPoint(1, 1, 1, in: .sRGB)
    for channel in 0..<3 {
      var color = white
      color.components[channel] = .nan
      #expect(color.wcag21Contrast(with: white).isNaN)
      #expect(white.wcag21Contrast(with: color).isNaN)
    }
  }

  private func hasNaN(_ v: SIMD3<Double>) -> Bool { v.x.isNaN || v.y.isNaN || v.z.isNaN }

  private func isNaN(_ v: SIMD3<Double>) -> Bool { v.x.isNaN && v.y.isNaN && v.z.isNaN }
}
