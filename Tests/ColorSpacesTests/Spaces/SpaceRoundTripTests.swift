import ColorSpaces
import Testing
import _TestSupport

/// From every named space to every other one, and back.
@Suite struct SpaceRoundTripTests {
  @Test(arguments: ColorSpace.named)
  func everyOtherSpaceLeadsBack(_ source: ColorSpace) {
    let decode = PointProgram([.decode(source.transfer)])
    for target in ColorSpace.named where target != source {
      let there = PointProgram(converting: source, to: target)
      let back = PointProgram(converting: target, to: source)
      checkProperty("\(source) → \(target) → \(source)", .color(limit: 1e4), cases: 300) { color in
        // Compared in linear light: there rounding is as large as the largest channel's for all three, while encoding a
        // channel that should be 0 makes much of little (10⁻¹⁶ becomes 10⁻⁶ with gamma 2.6).
        let (light, result) = (decode(color), decode(back(there(color))))
        let other = PointProgram([.decode(target.transfer)])(there(color))
        let scale = max(light.largest, other.largest)
        // 512 ulp of the largest channel: two matrices, and powers of numbers above 10⁻⁶, make 64, times 8, as much as one of
        // the matrices (ProPhoto to sRGB and back) magnifies. Smaller numbers add what TransferRoundTripTests.rounding says;
        // subnormal ones have fewer digits. Around sRGB's thresholds its pieces are up to 4·10⁻⁹ of light apart.
        let gap = [source, target].contains { $0.transfer == .sRGB } && meetsGap(light, other)
        let digits = scale == 0 ? 512 : 512 + 8 * 3.5 * max(0, -log2(scale) - 20)
        let tolerance =
          digits * scale * Double.ulpOfOne + 512 * Double.leastNonzeroMagnitude + (gap ? 1e-8 : 0)
        return try requireClose((light - result).largest, 0, within: tolerance, "light off by")
      }
    }
  }

  /// Grays lose the color; of the darkest light ACESproxy and scans of film have no numbers.
  private static let lossless = ColorSpace.all.filter {
    !$0.isGray && ![.acesProxy, .acesProxy12, .adx10, .adx16].contains($0)
  }

  @Test(arguments: lossless)
  func colorsOfDisplaysComeBack(_ space: ColorSpace) {
    let channel = Generator<Double>.double(in: 0...1)
    checkProperty("\(space)", .zip(channel, channel, channel), cases: 200) { r, g, b in
      let color = ColorPoint(r, g, b, in: .linearSRGB)
      let back = color.converted(to: space).converted(to: .linearSRGB).components
      // Logarithms have 12 stops of light in 0…1: an error of 1e-16 is one of 1e-12 of light at the top. Appearances with a search, as
      // HCT, and steep roots next to black lose three digits more.
      let tolerance = space.transfer.curves == nil ? 1e-8 : 1e-11
      return try requireClose((back - color.components).largest, 0, within: tolerance)
    }
  }

  @Test(arguments: [ColorSpace.adx10, .adx16])
  func scansOfFilmComeBack(_ space: ColorSpace) {
    let channel = Generator<Double>.double(in: 1e-5...1e6)
    checkProperty("\(space)", .zip(channel, channel, channel), cases: 1000) { r, g, b in
      let color = ColorPoint(r, g, b, in: .aces2065)
      let exposures =
        ColorMatrix(
          columns: [0.72286, 0.11923, 0.01427], [0.12630, 0.76418, 0.08213],
          [0.15084, 0.11659, 0.90359]
        ).inverse * color.components
      // No film has less than a millionth of white, in none of its layers.
      guard exposures.min() > 1e-5 else { return true }
      let back = color.converted(to: space).converted(to: .aces2065).components
      // Six decades by logarithms of 16 digits, through matrices with entries up to 2.
      return try requireClose(
        (back - color.components).largest, 0, within: 1e-12 * color.components.largest)
    }
  }

  @Test(arguments: ColorSpace.named)
  func theWayThroughAThirdSpaceMakesNoDifference(_ source: ColorSpace) {
    checkProperty(
      "\(source) → B → C = \(source) → C", .element(of: ColorSpace.named),
      .element(of: ColorSpace.named), .color(limit: 1)
    ) { (between: ColorSpace, target: ColorSpace, color: SIMD3<Double>) in
      let direct = source.matrix(to: target) * color
      let detour = between.matrix(to: target) * (source.matrix(to: between) * color)
      // Products of entries up to 3, nine of them twice: 64 roundings are more than enough.
      return try requireClose((direct - detour).largest, 0, within: 64 * Double.ulpOfOne)
    }
  }

  /// Whether a channel lies where sRGB's line and power do not meet.
  private func meetsGap(_ colors: SIMD3<Double>...) -> Bool {
    colors.contains { color in
      (0..<3).contains { abs(abs(color[$0]) - 0.003_130_8) < 1e-7 }
    }
  }
}
