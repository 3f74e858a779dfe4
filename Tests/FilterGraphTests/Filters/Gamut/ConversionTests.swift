import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing

/// What a conversion declares of values that the encoding of its space clamps.
@Suite struct ConversionTests {
  /// The declaration says that a conversion clamps where negative light does not come back from encoded values.
  @Test(arguments: [
    ("ACEScc", true), ("ACESproxy", true), ("Apple Log", true), ("REDcolor", true),
    ("ACEScct", false), ("Rec. 2100 HLG", false), ("Rec. 2100 PQ", false), ("sRGB", false),
  ])
  func floorsAreDeclared(name: String, clamps: Bool) throws {
    let entry = try #require(FilterCatalog.builtIn["convert"])
    let filter = try entry.filter(.object([.init("to", .string(name))]), at: "convert")
    #expect(filter.clamps == clamps)
    #expect(entry.notes.clamping.contains("ACEScc"))

    let space = try ColorSpace(named: name)
    let dark = Picture(
      Bitmap<Float>(PixelSize(2, 2), in: space.linear, channels: .rgb) { _, _ in
        [-0.5, -0.5, -0.5]
      })
    let encoded = try filter.picture(of: [dark]).render(as: Float.self)
    let light = space.transfer.decode(Double(encoded[0, 0, 0]))
    #expect((abs(light + 0.5) > 1e-3) == clamps)
  }

  /// The range is that of the curve, also in a video form; a side without a bound is infinite.
  @Test func rangesOfEncodingsAreComputed() throws {
    let scene = ColorSpace("scene", primaries: .rec709, transfer: .appleLog)
    let range = try #require(scene.transfer.clampedRange)
    #expect(abs(range.lowerBound + 0.056_410_88) < 1e-8 && range.upperBound == .infinity)
    #expect(scene.asVideo(.rec709, .full(bits: 8)).transfer.clampedRange == range)
    #expect(TransferFunction("table", decodingTable: [0, 0.25, 1]).clampedRange == 0...1)
    for kept in [TransferFunction.sRGB, .linear, .acescct, .sLog3, .hlg(whiteSignal: 0.75)] {
      #expect(kept.clampedRange == nil, "\(kept)")
    }
    // A function that is not increasing below 0 does not clamp.
    let even = TransferFunction("even", decoding: { $0 * $0 }, encoding: { abs($0).squareRoot() })
    #expect(even.clampedRange == nil)
  }
}
