import ColorSpaces
import Testing
import _TestSupport

/// Round trips between all pairs of common RGB spaces, and of display colors through every space that keeps them.
@Suite struct SpaceRoundTripTests {
  @Test(arguments: ColorSpace.named)
  func everyPairOfCommonSpacesRoundTrips(_ source: ColorSpace) {
    let decode = PointProgram([.decode(source.transfer)])
    for target in ColorSpace.named where target != source {
      let there = PointProgram(converting: source, to: target)
      let back = PointProgram(converting: target, to: source)
      checkProperty("\(source) → \(target) → \(source)", .color(limit: 1e4), cases: 300) { color in
        // Compared in linear light, where the rounding error is relative to the largest channel for all three; encoding
        // a channel that should be 0 would amplify it (10⁻¹⁶ becomes 10⁻⁶ with gamma 2.6).
        let (light, result) = (decode(color), decode(back(there(color))))
        let other = PointProgram([.decode(target.transfer)])(there(color))
        let scale = max(light.largest, other.largest)
        // 512 ulp of the largest channel: two matrices, and powers of values above 10⁻⁶, make 64, times 8, the
        // amplification of one of the matrices (ProPhoto to sRGB and back). Smaller values add
        // TransferRoundTripTests.rounding; subnormal ones have fewer digits. Around sRGB's thresholds its pieces have
        // gaps of up to 4·10⁻⁹ in linear light.
        let gap = [source, target].contains { $0.transfer == .sRGB } && meetsGap(light, other)
        let digits = scale == 0 ? 512 : 512 + 8 * 3.5 * max(0, -log2(scale) - 20)
        let tolerance =
          digits * scale * Double.ulpOfOne + 512 * Double.leastNonzeroMagnitude + (gap ? 1e-8 : 0)
        return try requireClose((light - result).largest, 0, within: tolerance, "light off by")
      }
    }
  }

  /// Gray spaces lose the color; ACESproxy and film scans cannot encode the darkest values.
  private static let lossless = ColorSpace.all.filter {
    !$0.isGray && ![.acesProxy, .acesProxy12, .adx10, .adx16].contains($0)
  }

  @Test(arguments: lossless)
  func displayColorsRoundTrip(_ space: ColorSpace) {
    let channel = Generator<Double>.double(in: 0...1)
    checkProperty("\(space)", .zip(channel, channel, channel), cases: 200) { r, g, b in
      let color = ColorPoint(r, g, b, in: .linearSRGB)
      let back = color.converted(to: space).converted(to: .linearSRGB).components
      // Log curves have 12 stops in 0…1: an encoded error of 1e-16 is a linear error of 1e-12 at the top. Appearance
      // models with a search, such as HCT, and steep roots next to black lose three digits more.
      let tolerance = space.transfer.curves == nil ? 1e-8 : 1e-11
      return try requireClose((back - color.components).largest, 0, within: tolerance)
    }
  }

  @Test(arguments: [ColorSpace.adx10, .adx16])
  func filmScansRoundTrip(_ space: ColorSpace) {
    let channel = Generator<Double>.double(in: 1e-5...1e6)
    checkProperty("\(space)", .zip(channel, channel, channel), cases: 1000) { r, g, b in
      let color = ColorPoint(r, g, b, in: .aces2065)
      let exposures =
        ColorMatrix(
          columns: [0.72286, 0.11923, 0.01427], [0.12630, 0.76418, 0.08213],
          [0.15084, 0.11659, 0.90359]
        ).inverse * color.components
      // No film layer is exposed below a millionth of white.
      guard exposures.min() > 1e-5 else { return true }
      let back = color.converted(to: space).converted(to: .aces2065).components
      // Six decades in logarithms of 16 digits, through matrices with entries up to 2.
      return try requireClose(
        (back - color.components).largest, 0, within: 1e-12 * color.components.largest)
    }
  }

  @Test(arguments: ColorSpace.named)
  func conversionThroughAThirdSpaceIsTheSame(_ source: ColorSpace) {
    checkProperty(
      "\(source) → B → C = \(source) → C", .element(of: ColorSpace.named),
      .element(of: ColorSpace.named), .color(limit: 1)
    ) { (between: ColorSpace, target: ColorSpace, color: SIMD3<Double>) in
      let direct = source.matrix(to: target) * color
      let detour = between.matrix(to: target) * (source.matrix(to: between) * color)
      // Products of entries up to 3, nine of them twice: 64 rounding errors are more than enough.
      return try requireClose((direct - detour).largest, 0, within: 64 * Double.ulpOfOne)
    }
  }

  /// Whether a channel lies at the gap between sRGB's line and power.
  private func meetsGap(_ colors: SIMD3<Double>...) -> Bool {
    colors.contains { color in
      (0..<3).contains { abs(abs(color[$0]) - 0.003_130_8) < 1e-7 }
    }
  }
}
