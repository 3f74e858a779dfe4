import ColorSpaces
import ImageBuffer
import Testing
import _TestSupport

/// All samples of a bitmap at once, on their way out and in.
@Suite struct SamplesTests {
  private let size = PixelSize(7, 5)

  @Test(arguments: [Arrangement.interleaved, .planar])
  func samplesAreThoseOfRowsAndComeBackTheSame(arrangement: Arrangement) throws {
    let bitmap = try TestPictures.codes(as: UInt16.self, size, channels: .rgba)
      .converted(arrangement: arrangement)
    let samples = bitmap.samples
    #expect(samples.count == 7 * 5 * 4)
    for y in 0..<5 {
      for x in 0..<7 {
        for channel in 0..<4 {
          let index =
            arrangement == .interleaved ? (y * 7 + x) * 4 + channel : (channel * 5 + y) * 7 + x
          #expect(samples[index] == bitmap[x, y, channel])
        }
      }
    }
    let back = try Bitmap(
      samples: samples, width: 7, height: 5, space: bitmap.space, arrangement: arrangement)
    #expect(back == bitmap && back.samples == samples)
  }

  @Test func viewsGiveTheirOwnSamples() throws {
    let bitmap = TestPictures.codes(as: UInt8.self, size, channels: .rgb)
    let view = bitmap.view(of: Region(x: 2, y: 1, width: 3, height: 2))
    #expect(view.samples == (1...2).flatMap { bitmap.row($0)[6..<15] })
  }

  @Test func channelsFollowFromTheCount() throws {
    for (count, channels) in [(1, Channels.gray), (2, .grayAlpha), (3, .rgb), (4, .rgba)] {
      let bitmap = try Bitmap(
        samples: [Float](repeating: 0.5, count: 6 * count), width: 3, height: 2, space: .sRGB)
      #expect(bitmap.channels == channels)
    }
  }

  @Test func wrongCountsAreRefusedWithNumbers() {
    func error(_ count: Int, _ width: Int, _ height: Int, _ channels: Channels?) -> BitmapError? {
      #expect(throws: BitmapError.self) {
        try Bitmap(
          samples: [UInt8](repeating: 0, count: count), width: width, height: height, space: .sRGB,
          channels: channels)
      }
    }
    #expect(error(17, 3, 2, .rgb) == .sampleCount(17, PixelSize(3, 2), .rgb))
    #expect(error(13, 3, 2, nil) == .sampleCount(13, PixelSize(3, 2), nil))
    #expect(error(30, 3, 2, nil) == .sampleCount(30, PixelSize(3, 2), nil))
    #expect(error(0, 0, 2, nil) == .noPixels(PixelSize(0, 2)))
    #expect(error(0, -3, -2, .rgb) == .noPixels(PixelSize(-3, -2)))
    #expect(error(1, .max, .max, nil) == .sampleCount(1, PixelSize(.max, .max), nil))
    #expect(error(1, .max, 1, .rgb) == .sampleCount(1, PixelSize(.max, 1), .rgb))
    #expect(error(17, 3, 2, .rgb).map { "\($0)".contains("17") } == true)
  }

  @Test func bytesAreThoseOfSamplesWithGapsAndWithout() throws {
    let gaps = TestPictures.codes(as: UInt16.self, size, channels: .rgb)
    let tight = try gaps.converted(bytesPerRow: 7 * 3 * 2)
    let planes = try gaps.converted(arrangement: .planar, bytesPerRow: 7 * 2)
    for bitmap in [gaps, tight, planes] {
      let expected = bitmap.samples.withUnsafeBytes(Array.init)
      #expect(bitmap.withUnsafeBytes(Array.init) == expected)
      #expect(AnyBitmap(bitmap).withUnsafeBytes(Array.init) == expected)
    }
    let part = tight.view(of: Region(x: 0, y: 2, width: 7, height: 2))
    #expect(part.withUnsafeBytes(Array.init) == part.samples.withUnsafeBytes(Array.init))
  }

  @Test func anyBitmapsBecomeOneType() throws {
    let bitmap = TestPictures.codes(as: UInt16.self, size, channels: .rgb)
    let any = AnyBitmap(bitmap)
    let floats: Bitmap<Float> = try any.converted()
    #expect(try floats == bitmap.converted(to: Float.self))
    let planar = try any.converted(to: UInt8.self, channels: .bgr, arrangement: .planar)
    #expect(
      try planar == bitmap.converted(to: UInt8.self, channels: .bgr, arrangement: .planar))
    // The same form is the same memory.
    #expect(try any.converted(to: UInt16.self).address() == bitmap.address())
    #expect(throws: BitmapError.self) { try any.converted(to: Float.self, channels: .cmyk) }
  }
}
