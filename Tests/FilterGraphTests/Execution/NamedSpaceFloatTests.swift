import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Every named space through the kernels, in single precision.
@Suite struct NamedSpaceFloatTests {
  /// White encodes to the float nearest to the space's white, and decodes to white again, in every space with a curve
  /// per channel. In coordinates such as Lab, white rounds like all colors.
  @Test func whiteStaysWhiteInEveryNamedSpace() throws {
    #expect(ColorSpace.all.count >= 129)
    let white = Bitmap<Float>(PixelSize(37, 1), in: .sRGB, channels: .rgb) { _, _ in [1, 1, 1] }
    for space in ColorSpace.all {
      let exact = try #require(space.transfer.encodedWhite)
      let there = try Picture(white).converted(to: space).render(as: Float.self)
      for x in [0, 17, 36] {
        let stored = SIMD3(there[x, 0, 0], there[x, 0, 1], there[x, 0, 2])
        if space.transfer.curves != nil { #expect(stored == SIMD3<Float>(exact), "\(space)") }
      }
      for target in [ColorSpace.sRGB, .linearSRGB, .displayP3, .acescg] {
        let back = try Picture(there).converted(to: target).render(as: Float.self)
        // The powers of Jzazbz and CAM16 amplify the rounding of single precision.
        let bound: Float = space.transfer.curves == nil ? 1e-3 : 0
        #expect(
          back.row(0).allSatisfy { abs($0 - 1) <= bound },
          "\(space) → \(target): \(back.row(0).prefix(3))")
      }
    }
  }

  /// Between spaces whose encoded white is not 1.
  @Test func whiteStaysWhiteBetweenSpaces() throws {
    let spaces: [ColorSpace] = [
      .rec2100PQ, .rec2100HLG, .daVinciWideGamut, .acescc, .protuneNative, .dcdm, .sGamut3, .sRGB,
    ]
    for source in spaces {
      let encoded = SIMD3<Float>(try #require(source.transfer.encodedWhite))
      let white = Bitmap<Float>(PixelSize(1, 1), in: source, channels: .rgb) { _, _ in
        [encoded.x, encoded.y, encoded.z]
      }
      for target in spaces {
        let expected = SIMD3<Float>(try #require(target.transfer.encodedWhite))
        let row = try Picture(white).converted(to: target).render(as: Float.self).row(0)
        #expect(row == [expected.x, expected.y, expected.z], "\(source) → \(target)")
      }
    }
  }

  @Test func everyNamedSpacePropagatesNaN() throws {
    for space in ColorSpace.all {
      for channel in 0..<4 {
        let numbers = (0..<3).map { $0 == channel || channel == 3 ? Float.nan : 0.25 }
        for (source, target) in [(space, space.linear), (space.linear, space), (space, .sRGB)] {
          if source == target { continue }
          let color = Bitmap<Float>(PixelSize(1, 1), in: source, channels: .rgb) { _, _ in numbers }
          let row = try Picture(color).converted(to: target).render(as: Float.self).row(0)
          let count = row.filter(\.isNaN).count
          #expect(channel == 3 ? count == 3 : count > 0, "\(source) → \(target): \(row)")
        }
      }
    }
  }

  /// Directions just below 0 round to the whole turn, which is the hue 0.
  @Test func huesAreLessThanAWholeTurn() throws {
    for distance in [1e-7, 1e-9, 1e-20] as [Float] {
      let color = Bitmap<Float>(PixelSize(1, 1), in: .oklab, channels: .rgb) { _, _ in
        [0.5, 0.1, -distance]
      }
      let hue = try Picture(color).converted(to: .oklch).render(as: Float.self)[0, 0, 2]
      #expect((0..<360).contains(hue), "\(hue)")
      let point = ColorPoint(0.5, 0.1, -Double(distance), in: .oklab).converted(to: .oklch)
      #expect((0..<360).contains(point.components.z), "\(point)")
    }
  }
}
