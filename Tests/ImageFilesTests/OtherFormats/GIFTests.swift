import ColorSpaces
import FilterGraph
import Foundation
import ICCProfiles
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// GIF files: frames, how they are composed, and what is beside them.
@Suite struct GIFTests {
  /// The pixels of a frame, with alpha where there is none.
  private func pixels(_ gif: TestGIF, page: Int? = nil) throws -> [[UInt8]] {
    try TestFrames.pixels(gif.bytes, page: page)
  }

  private static let (none, black, red, green, blue):
    ([UInt8], [UInt8], [UInt8], [UInt8], [UInt8]) =
      ([0, 0, 0, 0], [0, 0, 0, 255], [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255])

  /// Every number of bits, in either order of rows, with tables of codes that fill up and are cleared or kept.
  @Test(arguments: 1...8, [false, true]) func framesAreUnpacked(bits: Int, isInterlaced: Bool)
    throws
  {
    var random = SeededGenerator(seed: UInt64(bits))
    for (width, height, keepsTable) in [
      (1, 1, false), (7, 9, false), (90, 70, true), (90, 71, false),
    ] {
      var frame = TestGIF.Frame(width: width, height: height) { _, _ in
        Int.random(in: 0..<1 << bits, using: &random)
      }
      // GIF has no codes for indices of one bit.
      (frame.bits, frame.isInterlaced, frame.keepsTable) = (max(bits, 2), isInterlaced, keepsTable)
      var gif = TestGIF(width: width, height: height, [frame])
      let palette = (0..<3 << bits).map { _ in UInt8.random(in: 0...255, using: &random) }
      if width < 10 { frame.palette = palette } else { gif.palette = palette }
      gif.blocks = [.frame(frame)]
      let info = try ImageFile.info(bytes: gif.bytes)
      #expect(info.format == .gif && info.channels == .rgb && info.samples == .uint8)
      #expect(info.storage.contains("palette of \(1 << bits) colors"))
      #expect(info.storage.contains("interlaced") == isInterlaced)
      #expect(
        try pixels(gif)
          == frame.indices.map { Array(palette[3 * Int($0)..<3 * Int($0) + 3]) + [255] })
    }
  }

  /// Disposal methods: keep, clear, restore, as browsers show them.
  @Test func framesAreComposed() throws {
    let gif = TestGIF(
      width: 3, height: 1,
      [
        .filled(1, width: 2, height: 1, disposal: 1),
        .filled(2, x: 1, width: 2, height: 1, disposal: 2),
        .filled(3, width: 3, height: 1, disposal: 3),
        .filled(0, x: 2, width: 1, height: 1, disposal: 1),
        TestGIF.Frame(width: 3, height: 1) { x, _ in [3, 2, 2][x] },
      ])
    let (none, black, red, green, blue) = (Self.none, Self.black, Self.red, Self.green, Self.blue)
    let expected = [
      [red, red, none], [red, green, green], [blue, blue, blue], [red, none, black],
      [blue, green, green],
    ]
    for (index, row) in expected.enumerated() {
      #expect(try pixels(gif, page: index + 1) == row, "frame \(index + 1)")
      let info = try ImageFile.info(bytes: gif.bytes, page: index + 1)
      // There is no alpha where a frame without transparency has covered all.
      #expect(info.channels == ([2, 4].contains(index) ? .rgb : .rgba), "frame \(index + 1)")
      #expect(info.pages == ImagePages(.frame, number: index + 1, count: 5))
    }
    #expect(try pixels(gif) == expected[0])
  }

  @Test func transparentPixelsShowWhatIsBelow() throws {
    var second = TestGIF.Frame(width: 2, height: 1) { x, _ in x }
    second.transparentIndex = 0
    var gif = TestGIF(width: 2, height: 1, [.filled(2, width: 2, height: 1), second])
    #expect(try pixels(gif, page: 2) == [Self.green, Self.red])
    gif.blocks.removeFirst()
    #expect(try pixels(gif) == [Self.none, Self.red])
  }

  /// The screen holds the first frame; of later ones it cuts off what exceeds it.
  @Test func framesMayExceedTheScreen() throws {
    let gif = TestGIF(
      width: 1, height: 1,
      [
        .filled(1, x: 1, width: 1, height: 2, disposal: 2),
        .filled(2, x: 1, y: 1, width: 5, height: 5, disposal: 2),
        .filled(3, x: 9, y: 9, width: 2, height: 2, disposal: 2), .filled(3, width: 1, height: 1),
      ])
    #expect(try ImageFile.info(bytes: gif.bytes).size == PixelSize(2, 2))
    var whole = gif
    (whole.width, whole.height) = (2, 2)
    let none = Self.none
    #expect(try pixels(whole) == [none, Self.red, none, Self.red])
    #expect(try pixels(whole, page: 2) == [none, none, none, Self.green])
    #expect(try pixels(whole, page: 4) == [Self.blue, none, none, none])
    #expect(throws: Never.self) { try ImageFile.read(bytes: gif.bytes, page: 3) }
  }

  @Test func framesOfPillowAreRead() throws {
    let path = Fixtures.url("Images/frames.gif").path
    try TestFrames.expectFramesOfPillow(path)
    #expect(try ImageFile.info(path, page: 2).metadata.text.map(\.value) == ["three frames"])
  }

  @Test func timingIsStated() throws {
    var frames = (0..<3).map { TestGIF.Frame.filled($0, width: 1, height: 1) }
    for index in 0..<3 { frames[index].delay = [5, 10, 65][index] }
    var gif = TestGIF(width: 1, height: 1, frames)
    let once = try #require(try ImageFile.info(bytes: gif.bytes).animation)
    #expect(once.frameDuration == 0.05 && once.duration == 0.8 && once.repetitions == 0)
    #expect("\(once)" == "0.05 s of 0.8 s, played once")
    gif.blocks.insert(TestGIF.repetitions(0), at: 0)
    let looping = try #require(try ImageFile.info(bytes: gif.bytes, page: 3).animation)
    #expect("\(looping)" == "0.65 s of 0.8 s, repeated forever")
    gif.blocks[0] = TestGIF.repetitions(300)
    #expect(try ImageFile.info(bytes: gif.bytes).animation?.repetitions == 300)
    #expect(
      try ImageFile.info(bytes: TestGIF(width: 1, height: 1, [frames[0]]).bytes).animation == nil)
  }

  @Test func metadataAndProfileAreRead() throws {
    var gif = TestGIF(width: 1, height: 1, [.filled(1, width: 1, height: 1)])
    let plain = try ImageFile.info(bytes: gif.bytes)
    guard case .space(.sRGB, by: .formatRule) = plain.color else {
      throw Failure("\(plain.color)")
    }
    #expect(plain.metadata == ImageMetadata() && plain.notes.isEmpty)
    let profile = try ICCProfile(describing: .displayP3).bytes
    let packet = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'>é</x:xmpmeta>".utf8)
    gif.pixelShape = 17
    gif.blocks += [
      TestGIF.application("ICCRGBG1012", profile), TestGIF.comment(Array("Füße".utf8)),
      TestGIF.comment([0x46, 0xFC]), TestGIF.xmp(packet), TestGIF.application("MGK8BIM0000", [1]),
      .bytes([0x21, 0x01, 0]), .bytes([0]),
    ]
    let info = try ImageFile.info(bytes: gif.bytes)
    guard case .space(.displayP3, by: .profile) = info.color else { throw Failure("\(info.color)") }
    #expect(info.profile?.bytes == profile)
    #expect(info.metadata.text.map(\.value) == ["Füße", "Fü"])
    #expect(info.metadata.text.allSatisfy { $0.keyword == "Comment" })
    #expect(info.metadata.xmp == packet)
    // 17 stands for pixels half as wide as high.
    #expect(info.metadata.resolution.map { $0.horizontal / $0.vertical } == 2)
    #expect(info.notes.count == 2 && "\(info.notes)".contains("MGK8BIM0000"))
    // A packet without the mark behind it may end anywhere.
    gif.blocks = [gif.blocks[0], TestGIF.application("XMP DataXMP", packet)]
    let other = try ImageFile.info(bytes: gif.bytes)
    #expect(other.metadata.xmp == nil && "\(other.notes)".contains("XMP"))
  }

  @Test func otherFramesAreNotedAndMissingOnesNamed() throws {
    let gif = TestGIF.samples[2]
    let info = try ImageFile.info(bytes: gif.bytes)
    #expect(info.notes == [.otherPages(ImagePages(.frame, number: 1, count: 4))])
    for page in [Int.min, 0, 5, .max] {
      let error = ImageFileError.noSuchPage(file: "data", page, ImagePages(.frame, count: 4))
      #expect(throws: error) { try ImageFile.info(bytes: gif.bytes, page: page) }
      #expect("\(error)" == "“data” has no frame \(page); the last one is 4.")
    }
  }

  /// Only frames that are interlaced, or lie on others, need memory for all pixels.
  @Test func framesAreReadRowByRow() throws {
    var frame = TestGIF.Frame.filled(1, width: 900, height: 700)
    func peak(_ frames: [TestGIF.Frame], page: Int) throws -> Int {
      let bytes = TestGIF(width: 900, height: 700, frames).bytes
      var options = RenderOptions()
      options.threads = 1
      let plan = try Picture(bytes: bytes, page: page)
        .planReport(as: UInt8.self, options: options)
      return plan.peakBytes - bytes.count
    }
    let rows = try peak([frame], page: 1)
    let part = TestGIF.Frame.filled(2, width: 9, height: 9)
    #expect(try peak([part, frame], page: 2) == rows)
    #expect(try peak([frame, part], page: 2) >= rows + 4 * 900 * 700)
    frame.isInterlaced = true
    #expect(try peak([frame], page: 1) >= rows + 4 * 900 * 700)
  }

  @Test func gifFilesAreOnlyRead() throws {
    let folder = try TemporaryFolder()
    let bitmap = AnyBitmap(Bitmap<UInt8>(PixelSize(2, 2), in: .sRGB, channels: .rgb))
    let reason = "GIF files can only be read; write another format, such as PNG"
    func refused(_ file: String, _ write: () throws -> Void) {
      #expect(throws: ImageFileError.cannotWrite(file: file, reason: reason)) { try write() }
    }
    refused("GIF data") { _ = try ImageFile.encode(bitmap, as: .gif) }
    let (path, tiles) = (folder.path("a.png"), folder.path("tiles"))
    refused(path) { try ImageFile.write(bitmap, to: path, as: .gif) }
    let picture = Picture(try #require(bitmap.bytesOfSamples))
    refused(path) { try picture.write(to: path, as: .gif) }
    refused(tiles) { try picture.writeTiles(to: tiles, as: .gif) }
    let error = #expect(throws: ImageFileError.unknownEnding(file: folder.path("a.gif"))) {
      try picture.write(to: folder.path("a.gif"))
    }
    #expect(
      error?.description.contains("GIF files can only be read. Let it end in one of .png") == true)
  }
}
