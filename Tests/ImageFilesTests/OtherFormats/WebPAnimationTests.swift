#if WebP
  import ColorSpaces
  import FilterGraph
  import Foundation
  import ICCProfiles
  import ImageBuffer
  import ImageFiles
  import Testing
  import _TestSupport

  /// Frames of animated WebP files, and how they are composed.
  @Suite struct WebPAnimationTests {
    private static let (none, red, green, blue): ([UInt8], [UInt8], [UInt8], [UInt8]) = (
      [0, 0, 0, 0], [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]
    )

    @Test func framesAreComposed() throws {
      let (none, red, green, blue) = (Self.none, Self.red, Self.green, Self.blue)
      let bytes = TestWebP(
        width: 4, height: 1,
        [
          try .filled(red, width: 4, height: 1),
          try .filled(green, x: 2, width: 2, height: 1, disposal: 1),
          try .filled(none, x: 2, width: 1, height: 1),
          try .filled(none, width: 1, height: 1, blending: 2),
          try .filled(blue, width: 4, height: 1, disposal: 1),
          try .filled(blue, x: 2, width: 2, height: 1),
        ]
      ).bytes
      let expected = [
        [red, red, red, red], [red, red, green, green], [red, red, none, none],
        [none, red, none, none], [blue, blue, blue, blue], [none, none, blue, blue],
      ]
      for (index, row) in expected.enumerated() {
        #expect(try TestFrames.pixels(bytes, page: index + 1) == row, "frame \(index + 1)")
        let info = try ImageFile.info(bytes: bytes, page: index + 1)
        #expect(info.pages == ImagePages(.frame, number: index + 1, count: 6))
        #expect(info.channels == ([0, 1, 4].contains(index) ? .rgb : .rgba))
      }
      #expect(try TestFrames.pixels(bytes) == expected[0])
      for page in [Int.min, 0, 7, .max] {
        let error = ImageFileError.noSuchPage(file: "data", page, ImagePages(.frame, count: 6))
        #expect(throws: error) { try ImageFile.info(bytes: bytes, page: page) }
      }
    }

    /// The numbers are those of “over” with straight alpha, rounded once, as of animated PNG files.
    @Test func transparentPixelsAreBlended() throws {
      let below = Self.red + [100, 0, 0, 100] + Self.none + [9, 8, 7, 0]
      let above: [UInt8] = [0, 0, 255, 128, 0, 200, 0, 128, 4, 5, 6, 7, 1, 1, 1, 0]
      var file = TestWebP(
        width: 4, height: 1,
        [
          try .lossless(width: 4, height: 1, below, blending: 2),
          try .lossless(width: 4, height: 1, above),
        ])
      let expected: [[UInt8]] = [
        [127, 0, 128, 255], [28, 144, 0, 178], [4, 5, 6, 7], [9, 8, 7, 0],
      ]
      #expect(try TestFrames.pixels(file.bytes, page: 2) == expected)
      // Without blending they replace what is below.
      file.frames[1].blending = 2
      #expect(try TestFrames.pixels(file.bytes, page: 2).flatMap(\.self) == above)
    }

    /// With loss, with alpha in a chunk of its own, and without loss: a frame has the pixels of the same picture alone.
    @Test(arguments: [Channels.rgb, .rgba], [true, false])
    func framesHaveThePixelsOfPictures(channels: Channels, isLossless: Bool) throws {
      let bitmap = Bitmap<UInt8>(PixelSize(23, 18), in: .sRGB, channels: channels) { x, y in
        [x * 11, y * 14, x * y, 255 - 9 * x].prefix(channels.count).map { UInt8($0 & 255) }
      }
      var options = WritingOptions()
      options.isLossless = isLossless
      let still = try ImageFile.encode(.uint8(bitmap), as: .webP, options: options)
      let frame = TestWebP.Frame(width: 23, height: 18, pixelsOf: still)
      var other = frame
      (other.x, other.y, other.blending) = (2, 4, 2)
      let file = TestWebP(width: 27, height: 24, [frame, other])
      let expected = try TestFrames.pixels(still)
      for (page, left, top) in [(1, 0, 0), (2, 2, 4)] {
        let read = try TestFrames.pixels(file.bytes, page: page)
        let differing = expected.indices.filter { place in
          let (x, y) = (left + place % 23, top + place / 23)
          // Transparent pixels that are blended with nothing have no color.
          let isVisible = page == 2 || expected[place][3] > 0
          return isVisible && read[27 * y + x] != expected[place]
        }
        #expect(differing.isEmpty, "frame \(page)")
        #expect(
          try ImageFile.info(bytes: file.bytes, page: page).storage
            == (isLossless ? "without loss" : "with loss"))
      }
    }

    @Test func timingIsStated() throws {
      var file = TestWebP(
        width: 1, height: 1, try (0..<3).map { _ in try .filled(Self.red, width: 1, height: 1) })
      for (index, duration) in [100, 200, 250].enumerated() {
        file.frames[index].duration = duration
      }
      let info = try ImageFile.info(bytes: file.bytes, page: 2)
      #expect(info.animation.map { "\($0)" } == "0.2 s of 0.55 s, repeated forever")
      file.plays = 3
      #expect(try ImageFile.info(bytes: file.bytes).animation?.repetitions == 2)
      file.frames.removeLast(2)
      let single = try ImageFile.info(bytes: file.bytes)
      #expect(single.animation == nil && single.pages == ImagePages(.frame))
      #expect(single.notes.isEmpty)
      #expect(try TestFrames.pixels(file.bytes) == [Self.red])
    }

    /// The profile is before the frames, and EXIF data behind them.
    @Test func profileAndOrientationAreRead() throws {
      var file = TestWebP(width: 2, height: 1, [try .filled(Self.red, width: 2, height: 1)])
      let profile = try ICCProfile(describing: .displayP3).bytes
      var exif = TestTIFF(width: 1, height: 1) { _, _, _ in 0 }
      exif.shorts[0x0112] = [6]
      file.chunksBefore = [("ICCP", profile)]
      file.chunksBehind = [("EXIF", exif.bytes), ("XMP ", Array("<x/>".utf8))]
      let info = try ImageFile.info(bytes: file.bytes)
      #expect(info.profile?.bytes == profile && info.size == PixelSize(1, 2))
      #expect(info.metadata.xmp == Array("<x/>".utf8))
      let read = try ImageFile.read(bytes: file.bytes)
      #expect(read.size == PixelSize(1, 2) && read.space != .sRGB)
    }

    /// With transparent pixels where nothing changes.
    @Test func framesOfPillowAreRead() throws {
      try TestFrames.expectFramesOfPillow(Fixtures.url("Images/frames.webp").path)
    }

    /// The screen, and the pixels of the largest frame.
    @Test func memoryOfFramesIsCounted() throws {
      func peak(_ width: Int) throws -> Int {
        let frame = try TestWebP.Frame.filled([255, 0, 0, 128], width: width, height: 300)
        let bytes = TestWebP(width: 400, height: 300, [frame, frame]).bytes
        var options = RenderOptions()
        options.threads = 1
        return try Picture(bytes: bytes, page: 2).planReport(as: UInt8.self, options: options)
          .peakBytes
      }
      let small = try peak(1)
      #expect(small >= 4 * 400 * 300)
      #expect(try peak(400) >= small + 4 * 399 * 300)
    }
  }

  extension TestWebP.Frame {
    /// A frame of one color.
    static func filled(
      _ color: [UInt8], x: Int = 0, y: Int = 0, width: Int, height: Int, disposal: Int = 0,
      blending: Int = 0
    ) throws -> TestWebP.Frame {
      let samples = Array(repeatElement(color, count: width * height).joined())
      var frame = try lossless(width: width, height: height, samples, blending: blending)
      (frame.x, frame.y, frame.disposal) = (x, y, disposal)
      return frame
    }

    /// A frame of samples of red, green, blue and alpha.
    static func lossless(
      width: Int, height: Int, _ samples: [UInt8], blending: Int = 0
    ) throws -> TestWebP.Frame {
      let bitmap = Bitmap<UInt8>(PixelSize(width, height), in: .sRGB, channels: .rgba) { x, y in
        (0..<4).map { samples[4 * (y * width + x) + $0] }
      }
      var options = WritingOptions()
      options.isLossless = true
      let still = try ImageFile.encode(.uint8(bitmap), as: .webP, options: options)
      var frame = TestWebP.Frame(width: width, height: height, pixelsOf: still)
      frame.blending = blending
      return frame
    }
  }
#endif
