import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing

/// What a pipeline loses in the pixels of a picture.
@Suite struct StepLossTests {
  /// A gray ramp of all bytes.
  private let ramp = Picture(
    Bitmap<UInt8>(PixelSize(256, 2), in: .sRGB, channels: .rgb) { x, _ in
      [UInt8](repeating: UInt8(x), count: 3)
    })

  private func losses(
    _ steps: [(name: String, picture: Picture)], storedAs format: SampleFormat = .uint8
  ) throws -> [StepLoss] {
    try Picture.stepLosses(of: [("source", ramp)] + steps, storedAs: format)
  }

  /// Values that a step makes brighter than white are lost where integers are stored, also those of a source of integers.
  @Test func clippedHighlightsAreHeadroom() throws {
    for stops in [0.5, 1] {
      let brighter = ramp.exposure(stops)
      let found = try losses([("exposure", brighter)])
      #expect(found[0].losses.isEmpty)
      #expect(found[1].losses.map(\.kind) == [.headroom])
      let clipped = try brighter.render(as: Float.self).row(0).count { $0 > 1 + 0.5 / 255 }
      #expect(found[1].extents[0]?.affectedPixelCount == clipped / 3 * 2)
      #expect((found[1].losses[0].before.first?.x ?? 0) > 1)
      #expect(found[1].losses[0].after.first?.x == 1)
      #expect(try losses([("exposure", brighter)], storedAs: .float32)[1].losses.isEmpty)
    }
    let darker = try losses([("exposure", ramp.exposure(-1))])
    #expect(darker[1].losses.allSatisfy { $0.kind != .headroom })
    #expect(try losses([])[0].losses.isEmpty)
  }

  /// Values below black lie outside of the gamut.
  @Test func clippedShadowsAreGamut() throws {
    let darker = ramp.channelMix(.identity, offset: [-0.2, -0.2, -0.2])
    let kinds = try losses([("offset", darker)])[1].losses.map(\.kind)
    #expect(kinds.contains(.gamut) && !kinds.contains(.headroom))
  }

  /// A gray ramp has no chroma to lose, however bright it becomes.
  @Test func rampsLoseNoChromaWhereNothingIsClipped() throws {
    let found = try losses([("exposure", ramp.exposure(1.5))])
    let chroma = zip(found[1].losses, found[1].extents).first { $0.0.kind == .chroma }
    let clipped = try ramp.exposure(1.5).render(as: Float.self).row(0).count { $0 > 1 + 0.5 / 255 }
    #expect((chroma?.1?.affectedPixelCount ?? 0) <= clipped / 3 * 2)
  }

  /// A picture of infinite extent between others is not measured.
  @Test func stepsOfInfiniteExtentAreJoined() throws {
    let extended = ramp.extended(by: .mirrored)
    let cropped = extended.cropped(to: Region(x: 0, y: 0, width: 300, height: 4)).exposure(1)
    let found = try losses([("extend", extended), ("crop", cropped)])
    #expect(found.map(\.name) == ["extend → crop", "store as uint8"])
    #expect(found[1].losses.map(\.kind) == [.headroom])
  }
}
