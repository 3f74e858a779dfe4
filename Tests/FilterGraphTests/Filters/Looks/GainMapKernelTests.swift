import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Gain maps by the kernels have the bits of the same in double precision, rounded once.
@Suite struct GainMapKernelTests {
  private static let special: [Float] = [
    0, -0.0, 1, 0.5, -0.25, 1.5, 40, 1e-30, 1e30, .infinity, -.infinity, .nan,
  ]

  /// A picture of special values and random ones, the special ones of `seed` in another order.
  private static func picture(_ channels: Channels, seed: UInt64) -> Bitmap<Float> {
    var random = SeededGenerator(seed: seed)
    return Bitmap<Float>(PixelSize(61, 37), in: .linearSRGB, channels: channels) { x, y in
      (0..<channels.count).map { channel in
        if channel == 3 { return Float((x + y) % 5) / 4 }
        return Bool.random(using: &random)
          ? Float.random(in: -0.1...1.2, using: &random)
          : special.randomElement(using: &random) ?? 0
      }
    }
  }

  private func check(
    _ filter: some BlendFilter, _ first: Bitmap<Float>, _ second: Bitmap<Float>
  ) throws {
    var options = RenderOptions()
    options.tile = PixelSize(17, 9)
    let result = try Picture(first).applying(filter, with: [Picture(second)])
      .render(as: Float.self, options: options)
    func pixel(_ bitmap: Bitmap<Float>, _ x: Int, _ y: Int) -> SIMD4<Double> {
      SIMD4(
        Double(bitmap[x, y, 0]), Double(bitmap[x, y, 1]), Double(bitmap[x, y, 2]),
        bitmap.channels == .rgba ? Double(bitmap[x, y, 3]) : 1)
    }
    for y in 0..<first.size.height {
      for x in 0..<first.size.width {
        let expected = filter.pixel([pixel(first, x, y), pixel(second, x, y)])
        for channel in 0..<result.channels.count {
          let (value, wanted) = (result[x, y, channel], Float(expected[channel]))
          #expect(
            value.bitPattern == wanted.bitPattern || value.isNaN && wanted.isNaN,
            "(\(x), \(y)), channel \(channel): \(value), not \(wanted)")
        }
      }
    }
  }

  @Test(arguments: [Channels.rgb, .rgba]) func mapsAreAppliedAsInDoublePrecision(
    channels: Channels
  ) throws {
    let (light, map) = (Self.picture(channels, seed: 1), Self.picture(.rgb, seed: 2))
    for headroom in [0, 1.3, 2, 5] {
      let gain = try GainMap(
        least: [-1, 0, 0.5], greatest: [2, 3, 0.5], gamma: [1, 2, 1 / 2.2],
        alternateHeadroom: 2, displayHeadroom: headroom)
      try check(GainMapApplication(gain), light, map)
    }
  }

  @Test(arguments: [Channels.rgb, .rgba]) func mapsAreComputedAsInDoublePrecision(
    channels: Channels
  ) throws {
    let (base, other) = (Self.picture(channels, seed: 3), Self.picture(channels, seed: 4))
    try check(GainMapComputation(), base, other)
    let uneven = try GainMapComputation(
      least: [-1, 0, 0.5], greatest: [2, 3, 0.5], gamma: [1, 2, 1 / 2.2], baseOffset: .zero,
      alternateOffset: [0, 0.1, -0.1])
    try check(uneven, base, other)
  }

  /// The gain of a map's value, from the formula of ISO 21496-1 written out.
  @Test func gainsFollowTheStandard() throws {
    let gain = GainFormula(
      least: [-1, 0, 1], greatest: [3, 2, 1], gamma: [1, 2, 0.5], baseOffset: [0.25, 0, 0],
      alternateOffset: [0.5, 0, 0])
    // Stops of 1, 1 and 1: the map's values are ½, ¼ = (½)² and any.
    let light = gain.light([0.75, 0.5, 0.25], map: [0.5, 0.25, 0.1], weight: 1)
    #expect((light - [1.5, 1, 0.5]).magnitudes.max() <= 1e-15)
    #expect(gain.light([0.75, 0.5, 0.25], map: [0.5, 0.25, 0.1], weight: 0) == [0.75, 0.5, 0.25])
    let map = gain.map(from: [0.75, 0.5, 0.25], to: [1.5, 1, 0.5])
    #expect((map - [0.5, 0.25, 0]).magnitudes.max() <= 1e-15)
  }
}
