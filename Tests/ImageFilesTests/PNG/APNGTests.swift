import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Frames of animated PNG files, and how they are composed.
@Suite struct APNGTests {
  private static let (none, red, green, blue): ([UInt8], [UInt8], [UInt8], [UInt8]) = (
    [0, 0, 0, 0], [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]
  )

  /// Disposal methods: keep, clear, restore.
  @Test func framesAreComposed() throws {
    let (none, red, green, blue) = (Self.none, Self.red, Self.green, Self.blue)
    let bytes = TestAPNG(
      width: 3, height: 1,
      [
        .filled(red, width: 3, height: 1), .filled(green, x: 1, width: 2, height: 1, disposal: 1),
        .filled(blue, width: 3, height: 1, disposal: 2),
        .filled(none, x: 2, width: 1, height: 1, blending: 1),
        .filled(none, width: 1, height: 1),
        .filled(blue, x: 2, width: 1, height: 1, disposal: 2),
      ]
    ).bytes
    let expected = [
      [red, red, red], [red, green, green], [blue, blue, blue], [red, none, none],
      [none, none, none], [none, none, blue],
    ]
    for (index, row) in expected.enumerated() {
      #expect(try TestFrames.pixels(bytes, page: index + 1) == row, "frame \(index + 1)")
      let info = try ImageFile.info(bytes: bytes, page: index + 1)
      #expect(info.pages == ImagePages(.frame, number: index + 1, count: 6))
    }
    #expect(try TestFrames.pixels(bytes) == expected[0])
    for page in [Int.min, 0, 7, .max] {
      let error = ImageFileError.noSuchPage(file: "data", page, ImagePages(.frame, count: 6))
      #expect(throws: error) { try ImageFile.info(bytes: bytes, page: page) }
      #expect("\(error)" == "“data” has no frame \(page); the last one is 6.")
    }
  }

  /// The numbers are those of “over” with straight alpha (PNG, third edition, 13.16), rounded once.
  @Test func transparentPixelsAreBlended() throws {
    let bytes = TestAPNG(
      width: 4, height: 1,
      [
        TestAPNG.Frame(
          width: 4, height: 1, Self.red + [100, 0, 0, 100] + Self.none + [9, 8, 7, 0]),
        TestAPNG.Frame(
          width: 4, height: 1,
          [0, 0, 255, 128] + [0, 200, 0, 128] + [4, 5, 6, 7] + [1, 1, 1, 0]),
      ]
    )
    var blended = bytes
    blended.frames[1].blending = 1
    let expected: [[UInt8]] = [
      [127, 0, 128, 255], [28, 144, 0, 178], [4, 5, 6, 7], [9, 8, 7, 0],
    ]
    #expect(try TestFrames.pixels(blended.bytes, page: 2) == expected)
    // Without blending they replace what is below.
    #expect(
      try TestFrames.pixels(bytes.bytes, page: 2).flatMap(\.self)
        == [0, 0, 255, 128, 0, 200, 0, 128, 4, 5, 6, 7, 1, 1, 1, 0])
  }

  /// With one color channel, and with samples of 16 bits.
  @Test func otherSamplesAreBlended() throws {
    func blended(_ colorType: Int, bits: Int, _ below: [Int], _ above: [Int]) -> [UInt8] {
      let frames = [below, above].map { samples in
        TestAPNG.Frame(
          width: 1, height: 1, samples.flatMap { $0.bytes(bits / 8, isBigEndian: true) })
      }
      var file = TestAPNG(width: 1, height: 1, frames)
      (file.colorType, file.bitDepth) = (colorType, bits)
      file.frames[1].blending = 1
      return file.bytes
    }
    let gray = blended(4, bits: 8, [255, 255], [0, 128])
    #expect(try TestFrames.pixels(gray, page: 2) == [[127, 255]])
    let deep = blended(6, bits: 16, [65535, 0, 0, 65535], [0, 0, 65535, 32768])
    guard case .uint16(let bitmap) = try ImageFile.read(bytes: deep, page: 2) else {
      throw Failure("The frame has no samples of 16 bits.")
    }
    #expect((0..<4).map { bitmap[0, 0, $0] } == [32767, 0, 32768, 65535])
  }

  /// Without alpha in the file there is none in a frame either, unless the screen shows.
  @Test func clearedFramesOfOpaquePixelsAreTransparent() throws {
    var file = TestAPNG(
      width: 2, height: 1,
      [
        .filled([7, 8, 9], width: 2, height: 1),
        .filled([1, 2, 3], x: 1, width: 1, height: 1, disposal: 1, blending: 1),
        .filled([4, 5, 6], width: 1, height: 1),
      ])
    file.colorType = 2
    let bytes = file.bytes
    #expect(try TestFrames.pixels(bytes, page: 2) == [[7, 8, 9, 255], [1, 2, 3, 255]])
    #expect(try ImageFile.info(bytes: bytes, page: 2).channels == .rgb)
    #expect(try TestFrames.pixels(bytes, page: 3) == [[4, 5, 6, 255], Self.none])
    #expect(try ImageFile.info(bytes: bytes, page: 3).channels == .rgba)
  }

  /// Every kind of pixels, in several chunks: a frame has the pixels of the same picture alone.
  @Test(arguments: [(0, 8), (0, 16), (2, 8), (3, 4), (4, 8), (6, 16)], [false, true])
  func framesHaveThePixelsOfPictures(kind: (colorType: Int, bits: Int), isInterlaced: Bool) throws {
    var still = TestPNG { x, y in
      [x * 11 + y, 3 + y * 9, x * y + 5, 200 - x].map { $0 & (1 << kind.bits - 1) }
    }
    (still.width, still.height) = (13, 9)
    (still.bitDepth, still.colorType, still.isInterlaced) = (
      kind.bits, kind.colorType, isInterlaced
    )
    let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][kind.colorType] ?? 1
    let pixel = still.pixel
    still.pixel = { Array(pixel($0, $1).prefix(channels)) }
    if kind.colorType == 3 {
      still.chunks += [("PLTE", (0..<48).map { UInt8(5 * $0) }), ("tRNS", [0, 100, 200])]
    }
    let expected = try ImageFile.read(bytes: still.bytes)
    var frame = TestAPNG.Frame(width: 13, height: 9, [])
    frame.data = try #require(data(of: still.bytes))
    frame.firstChunk = 50
    var file = TestAPNG(width: 13, height: 9, [frame, frame])
    (file.bitDepth, file.colorType, file.isInterlaced) = (kind.bits, kind.colorType, isInterlaced)
    file.chunks = still.chunks
    for page in 1...2 {
      let read = try ImageFile.read(bytes: file.bytes, page: page)
      #expect(read.channels == expected.channels && read.sampleBytes == expected.sampleBytes)
    }
    file.picture = frame
    #expect(try ImageFile.read(bytes: file.bytes, page: 1).sampleBytes == expected.sampleBytes)
  }

  /// The zlib stream of a file of one chunk IDAT.
  private func data(of png: [UInt8]) -> [UInt8]? {
    guard let name = png.firstRange(of: Array("IDAT".utf8)) else { return nil }
    let count = png[name.lowerBound - 4..<name.lowerBound].reduce(0) { $0 << 8 | Int($1) }
    return Array(png[name.upperBound..<name.upperBound + count])
  }

  /// The picture of a file need not be a frame of its animation. Without a page it is read.
  @Test func picturesBesideTheAnimationAreReadWithoutAPage() throws {
    let bytes = TestAPNG.samples[1].bytes
    let info = try ImageFile.info(bytes: bytes)
    #expect(info.pages == ImagePages() && info.animation == nil)
    #expect(
      "\(info.notes)".contains("an animation of 2 frames, which the picture is not a part of"))
    #expect(try TestFrames.pixels(bytes)[0] == [1, 2, 3, 255])
    #expect(try TestFrames.pixels(bytes, page: 1)[0] == [10, 20, 30, 255])
    #expect(try TestFrames.pixels(bytes, page: 2)[8] == [40, 50, 60, 255])
    #expect(try TestFrames.pixels(bytes, page: 2)[0] == Self.none)
    #expect(try ImageFile.info(bytes: bytes, page: 2).pages.count == 2)
  }

  @Test func timingIsStated() throws {
    var file = TestAPNG(
      width: 1, height: 1, (0..<3).map { _ in .filled(Self.red, width: 1, height: 1) })
    for (index, delay) in [(1, 10), (20, 0), (1, 4)].enumerated() {
      file.frames[index].delay = delay
    }
    let info = try ImageFile.info(bytes: file.bytes, page: 2)
    #expect(info.animation.map { "\($0)" } == "0.2 s of 0.55 s, repeated forever")
    #expect(
      try ImageFile.info(bytes: file.bytes).animation?.frameDuration == 0.1)
    file.plays = 3
    #expect(try ImageFile.info(bytes: file.bytes).animation?.repetitions == 2)
    file.frames.removeLast(2)
    let single = try ImageFile.info(bytes: file.bytes)
    #expect(single.animation == nil && single.pages == ImagePages() && single.notes.isEmpty)
  }

  /// Pillow stores of the second and third frame what changes, with transparent pixels where nothing does.
  @Test func framesOfPillowAreRead() throws {
    try TestFrames.expectFramesOfPillow(
      Fixtures.url("Images/frames.png").path, channels: .rgba)
  }

  /// The picture is read row by row; other frames need all pixels of the screen in memory.
  @Test func memoryOfFramesIsCounted() throws {
    let frame = TestAPNG.Frame.filled(Self.red, width: 400, height: 300)
    let bytes = TestAPNG(width: 400, height: 300, [frame, frame]).bytes
    func peak(_ page: Int) throws -> Int {
      var options = RenderOptions()
      options.threads = 1
      return try Picture(bytes: bytes, page: page).planReport(as: UInt8.self, options: options)
        .peakBytes
    }
    #expect(try peak(2) >= peak(1) + 4 * 400 * 300)
  }
}
