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

  /// The reference names the transfer functions of all spaces that keep nothing of negative light, and no other.
  @Test func floorsOfAllSpacesAreNamed() throws {
    let entry = try #require(FilterCatalog.builtIn["convert"])
    let sentence = try #require(entry.notes.clamping.firstMatch(of: /transfer functions (.*?);/)).1
    let named = Set(sentence.replacing(" and ", with: ", ").split(separator: ", ").map(String.init))
    var floors: Set<String> = []
    for space in ColorSpace.all where space != .rec2100HLGDisplay {
      let (dark, darker) = (SIMD3(repeating: -5.0), SIMD3(repeating: -6.0))
      guard space.transfer.encode(dark) == space.transfer.encode(darker) else { continue }
      floors.insert(space.transfer.name)
      let filter = try entry.filter(.object([.init("to", .string(space.name))]), at: "convert")
      #expect(filter.clamps, "\(space)")
    }
    #expect(named == floors)
    #expect(floors.isSuperset(of: ["ACEScc", "ADX10", "ADX16", "Apple Log", "REDLogFilm"]))
  }

  /// A clamp of mixed light is one of linear light, whose channels need not be negative.
  @Test func clampsOfCoordinatesAreRanges() throws {
    let kept = try #require(ColorSpace.adx16.transfer.keptRange)
    let layers = try #require(kept.mix) * SIMD3(0.02, 0.3, 0.05)
    #expect(kept.values.lowerBound == 1e-6 && layers.min() < -0.01)
    #expect(ColorSpace.adx16.transfer.clampedRange == kept.values)
    for space in [ColorSpace.lab, .oklab, .ictcp] {
      #expect(space.transfer.clampedRange == nil, "\(space)")
    }
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
