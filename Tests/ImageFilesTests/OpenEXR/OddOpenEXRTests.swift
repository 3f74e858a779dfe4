import Colorloom
import Foundation
import ImageFiles
import Testing
import _TestSupport

private let tiler = Client("exrmaketiled")
private let header = Client("exrheader")
private let magick = Client.imageMagick
/// Debian packages ImageMagick's OpenEXR support separately.
private let magickWritesOpenEXR = (try? magick.run("-list", "format"))?.contains("OpenEXR") ?? false

/// OpenEXR files of all layouts.
@Suite struct OddOpenEXRTests {
  private static func value(_ x: Int, _ y: Int, _ channel: String) -> Float {
    let number = Float(channel.utf8.first ?? 0)
    // Exact in half precision.
    return Float(Float16(Float(x) * 0.25 - Float(y) + number / 16))
  }

  private static func file(
    width: Int = 5, height: Int = 4,
    channels: [TestEXR.Channel] = [("B", 1), ("G", 1), ("R", 1)]
  ) -> TestEXR {
    TestEXR(width: width, height: height, channels: channels, value: value)
  }

  /// All samples of a file, as floats.
  private func floats(_ bytes: [UInt8]) throws -> [Float] {
    let bitmap = try ImageFile.read(bytes: bytes)
    return switch bitmap {
    case .float16(let bitmap): (0..<bitmap.size.height).flatMap { bitmap.row($0).map(Float.init) }
    case .float32(let bitmap): (0..<bitmap.size.height).flatMap { bitmap.row($0).map(\.self) }
    default: throw Failure("Floats became \(bitmap.format).")
    }
  }

  private static func expected(_ file: TestEXR, _ names: [String]) -> [Float] {
    (0..<file.height).flatMap { y in
      (0..<file.width).flatMap { x in names.map { value(x, y, $0) } }
    }
  }

  @Test func channelsMayMixHalvesAndFloats() throws {
    let file = Self.file(channels: [("A", 1), ("B", 2), ("G", 1), ("R", 2)])
    #expect(try ImageFile.info(bytes: file.bytes).samples == .float32)
    #expect(try floats(file.bytes) == Self.expected(file, ["R", "G", "B", "A"]))
  }

  /// Chunks as large as their pixels are not packed: those of B44 (6) and B44A (7) without halves, and some of halves.
  @Test(arguments: [6, 7])
  func chunksOfB44ThatAreNotPackedAreRead(compression: Int) throws {
    var floats = Self.file(width: 9, height: 40, channels: [("B", 2), ("G", 2), ("R", 2)])
    (floats.compression, floats.rowsPerChunk) = (compression, 32)
    #expect(try self.floats(floats.bytes) == Self.expected(floats, ["R", "G", "B"]))
    var more = Self.file(channels: [("A", 2), ("B", 2), ("G", 2), ("R", 2), ("id", 0)])
    (more.compression, more.rowsPerChunk) = (compression, 32)
    #expect(try self.floats(more.bytes) == Self.expected(more, ["R", "G", "B", "A"]))
    // 28 bytes a channel, as many as two packed blocks.
    var halves = Self.file(width: 7, height: 2)
    (halves.compression, halves.rowsPerChunk) = (compression, 32)
    #expect(try self.floats(halves.bytes) == Self.expected(halves, ["R", "G", "B"]))
  }

  @Test func rowsMayBeStoredBottomUp() throws {
    var file = Self.file(width: 40, height: 70)
    file.isDecreasing = true
    #expect(try floats(file.bytes) == Self.expected(file, ["R", "G", "B"]))
  }

  @Test func dataWindowIsThePicture() throws {
    var file = Self.file()
    (file.left, file.top, file.display) = (-3, 7, [0, 0, 99, 49])
    let info = try ImageFile.info(bytes: file.bytes)
    #expect(info.storedSize == PixelSize(5, 4))
    #expect(info.storage.contains("at (-3, 7) of a window of 100 × 50 pixels at (0, 0)"))
    #expect(try floats(file.bytes) == Self.expected(file, ["R", "G", "B"]))
  }

  private static let framings: [(left: Int, top: Int, display: [Int]?, aspect: Float)] = [
    (-3, 7, [0, 0, 99, 49], 1), (10, -20, nil, 1), (0, 0, [-5, -6, -2, 30], 2), (0, 0, nil, 0.5),
    (1_000_000, -1_000_000, [0, 0, 0, 0], 1.25),
  ]

  /// Windows, pixel aspect ratio and white luminance round trip.
  @Test(arguments: framings) func framingsAreWritten(
    framing: (left: Int, top: Int, display: [Int]?, aspect: Float)
  ) throws {
    var file = Self.file(height: 40)
    (file.left, file.top, file.display) = (framing.left, framing.top, framing.display)
    (file.pixelAspectRatio, file.whiteLuminance) = (framing.aspect, 203)
    let info = try ImageFile.info(bytes: file.bytes)
    let found = try #require(info.metadata.framing)
    let window = Region(x: framing.left, y: framing.top, width: 5, height: 40)
    let display = framing.display.map {
      Region(x: $0[0], y: $0[1], width: $0[2] - $0[0] + 1, height: $0[3] - $0[1] + 1)
    }
    #expect(found.dataWindow == window && found.displayWindow == display ?? window)
    #expect(found.pixelAspectRatio == Double(framing.aspect))
    #expect(info.metadata.whiteLuminance == 203)
    var options = WritingOptions()
    options.metadata = info.metadata
    let copy = try ImageFile.encode(
      ImageFile.read(bytes: file.bytes), as: .openEXR, options: options)
    let written = try ImageFile.info(bytes: copy).metadata
    #expect(written.framing == found && written.whiteLuminance == 203)
    #expect(try floats(copy) == Self.expected(file, ["R", "G", "B"]))
    // It would be wrong for a picture of another size.
    let small = Bitmap<Float16>(PixelSize(2, 2), in: .linearSRGB, channels: .rgb)
    let other = try ImageFile.encode(.float16(small), as: .openEXR, options: options)
    #expect(try ImageFile.info(bytes: other).metadata.framing == nil)
  }

  @Test func textsAreKeptAndOtherAttributesAreNamed() throws {
    var exr = TestEXR { _, _, _ in 0.5 }
    exr.attributes = [
      ("capDate", "string", Array("2026:11:23 10:00:00".utf8)),
      ("comments", "string", Array("a scan of Zoë".utf8)), ("expTime", "float", [0, 0, 0, 63]),
      ("owner", "string", []), ("utcOffset", "float", [0, 0, 0, 0]),
    ]
    let info = try ImageFile.info(bytes: exr.bytes)
    #expect(
      info.metadata.text == [
        .init(keyword: "capDate", value: "2026:11:23 10:00:00"),
        .init(keyword: "Comment", value: "a scan of Zoë"), .init(keyword: "owner", value: ""),
      ])
    #expect(info.notes == [.unread("the attributes expTime, utcOffset")])
    // Names that mean something else, and those that occur twice, become others.
    var options = WritingOptions()
    options.metadata.text =
      info.metadata.text + [
        .init(keyword: "owner", value: "two three"), .init(keyword: "compression", value: "none"),
        .init(keyword: String(repeating: "long ", count: 15), value: "kept"),
      ]
    let written = try ImageFile.encode(
      try ImageFile.read(bytes: exr.bytes), as: .openEXR, options: options)
    let read = try ImageFile.info(bytes: written)
    var expected = options.metadata.text
    (expected[3].keyword, expected[4].keyword) = ("owner 2", "compression 2")
    #expect(Set(read.metadata.text) == Set(expected))
    #expect(read.notes.isEmpty)
  }

  /// Each text of a repeated keyword has the next number that no attribute has.
  @Test func repeatedKeywordsAreNumbered() throws {
    let keywords = ["a", "a 3", "a", "a", "a", "a 3"]
    var options = WritingOptions()
    options.metadata.text = keywords.enumerated().map {
      .init(keyword: $0.element, value: "\($0.offset)")
    }
    let bitmap = Bitmap<Float16>(PixelSize(2, 2), in: .linearSRGB, channels: .rgb)
    let bytes = try ImageFile.encode(.float16(bitmap), as: .openEXR, options: options)
    let names = ["a", "a 3", "a 2", "a 4", "a 5", "a 3 2"]
    let expected = names.enumerated().map {
      ImageMetadata.Text(keyword: $0.element, value: "\($0.offset)")
    }
    #expect(try Set(ImageFile.info(bytes: bytes).metadata.text) == Set(expected))
  }

  /// OpenEXRCore would end a text at a NUL.
  @Test func textsWithNULAreNamed() throws {
    let folder = try TemporaryFolder()
    var options = WritingOptions()
    options.metadata.text = [
      .init(keyword: "owner", value: "two\0three"), .init(keyword: "a\0b", value: "x"),
      .init(keyword: "capDate", value: "kept"),
    ]
    let bitmap = Bitmap<Float16>(PixelSize(2, 2), in: .linearSRGB, channels: .rgb)
    let path = folder.path("texts.exr")
    let report = try Picture(bitmap).write(to: path, writing: options)
    #expect(report.notes == [.invalidTexts(keywords: ["owner", "a\0b"], format: .openEXR)])
    #expect(try ImageFile.info(path).metadata.text == [options.metadata.text[2]])
  }

  @Test func plainFilesHaveNoFraming() throws {
    let metadata = try ImageFile.info(bytes: Self.file().bytes).metadata
    #expect(metadata.framing == nil && metadata.whiteLuminance == nil)
  }

  @Test(arguments: [
    ImageMetadata.Framing(
      dataWindow: Region(x: 1 << 30, y: 0, width: 2, height: 2),
      displayWindow: Region(PixelSize(2, 2))),
    ImageMetadata.Framing(
      dataWindow: Region(PixelSize(2, 2)), displayWindow: Region(PixelSize(0, 2))),
    ImageMetadata.Framing(
      dataWindow: Region(PixelSize(2, 2)), displayWindow: Region(PixelSize(2, 2)),
      pixelAspectRatio: .nan),
  ])
  func unsupportedFramingsAreErrors(framing: ImageMetadata.Framing) {
    var options = WritingOptions()
    options.metadata.framing = framing
    let small = Bitmap<Float16>(PixelSize(2, 2), in: .linearSRGB, channels: .rgb)
    let error = #expect(throws: ImageFileError.self) {
      try ImageFile.encode(.float16(small), as: .openEXR, options: options)
    }
    #expect(error?.description.contains("ImageMetadata.framing") == true)
  }

  @Test func framingsScaleWithTheirPictures() {
    let framing = ImageMetadata.Framing(
      dataWindow: Region(x: -10, y: 20, width: 40, height: 30),
      displayWindow: Region(x: 0, y: 10, width: 20, height: 60), pixelAspectRatio: 2)
    let half = framing.scaled(to: PixelSize(20, 15), keepingShape: false)
    #expect(half.dataWindow == Region(x: -5, y: 10, width: 20, height: 15))
    #expect(half.displayWindow == Region(x: 0, y: 5, width: 10, height: 30))
    #expect(half.pixelAspectRatio == 2)
    // Twice as many columns of half the width.
    #expect(framing.scaled(to: PixelSize(80, 30), keepingShape: true).pixelAspectRatio == 1)
  }

  @Test func framingsWithoutPixelsOrFarAwayAreScaled() {
    let display = Region(x: 3, y: 4, width: 20, height: 10)
    let empty = ImageMetadata.Framing(
      dataWindow: Region(PixelSize(0, 0)), displayWindow: display, pixelAspectRatio: 2)
    let filled = empty.scaled(to: PixelSize(8, 6), keepingShape: true)
    #expect(filled.dataWindow.size == PixelSize(8, 6) && filled.displayWindow == display)
    #expect(filled.pixelAspectRatio == 2)
    let far = ImageMetadata.Framing(
      dataWindow: Region(x: .max, y: .min, width: 1, height: 1), displayWindow: display)
    let doubled = far.scaled(to: PixelSize(2, 2), keepingShape: false)
    #expect(doubled.dataWindow == Region(x: 1 << 62, y: -1 << 62, width: 2, height: 2))
    #expect(doubled.displayWindow == Region(x: 6, y: 8, width: 40, height: 20))
  }

  /// OpenEXR's own tool reads the same header.
  @Test(.enabled(if: header.isPresent, "openexr is not installed"))
  func exrheaderReadsOurWindows() throws {
    let folder = try TemporaryFolder()
    var metadata = ImageMetadata()
    metadata.framing = ImageMetadata.Framing(
      dataWindow: Region(x: -3, y: 7, width: 2, height: 2),
      displayWindow: Region(x: 1, y: 2, width: 30, height: 40), pixelAspectRatio: 2)
    metadata.whiteLuminance = 100
    var options = WritingOptions()
    options.metadata = metadata
    let small = Bitmap<Float16>(PixelSize(2, 2), in: .linearSRGB, channels: .rgb)
    try ImageFile.write(.float16(small), to: folder.path("a.exr"), options: options)
    let text = try header.run(folder.path("a.exr"))
    for line in [
      "dataWindow (type box2i): (-3 7) - (-2 8)", "displayWindow (type box2i): (1 2) - (30 41)",
      "pixelAspectRatio (type float): 2", "whiteLuminance (type float): 100",
    ] {
      #expect(text.contains(line), "\(text)")
    }
  }

  @Test func graysAndOtherChannels() throws {
    let gray = Self.file(channels: [("Y", 1)])
    #expect(try ImageFile.info(bytes: gray.bytes).channels == .gray)
    #expect(try floats(gray.bytes) == Self.expected(gray, ["Y"]))
    let covered = Self.file(channels: [("A", 1), ("Y", 2)])
    #expect(try floats(covered.bytes) == Self.expected(covered, ["Y", "A"]))
    let more = Self.file(channels: [("B", 1), ("G", 1), ("R", 1), ("Z", 2), ("id", 0)])
    let info = try ImageFile.info(bytes: more.bytes)
    #expect(info.storage.contains("2 other channels left out"))
    #expect(info.notes == [.unread("2 other channels")])
    #expect(try floats(more.bytes) == Self.expected(more, ["R", "G", "B"]))
  }

  @Test(
    arguments: [
      ([("B", 0), ("G", 0), ("R", 0)], 0, "whole numbers"),
      ([("BY", 1), ("RY", 1), ("Y", 1)], 0, "one sample for 2 × 2"),
      ([("B", 1), ("G", 1), ("R", 1)], 8, "DWAA"), ([("B", 1), ("G", 1), ("R", 1)], 9, "DWAB"),
      ([("B", 1), ("G", 1), ("R", 1)], 11, "HTJ2K"), ([("B", 1), ("G", 1), ("R", 1)], 13, "13"),
    ] as [([TestEXR.Channel], Int, String)])
  func unsupportedFilesAreExplained(
    channels: [TestEXR.Channel], compression: Int, word: String
  ) throws {
    var file = Self.file(channels: channels)
    file.compression = compression
    let error = #expect(throws: ImageFileError.self) { try ImageFile.info(bytes: file.bytes) }
    guard case .unsupportedStorage(_, let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains(word), "\(reason)")
  }

  @Test func truncatedFilesStateTheirRowCount() throws {
    let file = Self.file(height: 10)
    let row = file.bytes.count - Self.file(height: 9).bytes.count - 8
    let error = #expect(throws: ImageFileError.self) { try floats(file.bytes.dropLast(3 * row)) }
    #expect(error == .truncated(file: "data", rows: 7, of: 10))
  }

  /// OpenEXRCore 3.1 would read the bytes behind the chunk in memory.
  @Test(arguments: [1, 2, 20]) func uncompressedChunksHaveAllTheirPixels(missing: Int) throws {
    var file = Self.file()
    file.missingBytes = missing
    let error = #expect(throws: ImageFileError.self) { try floats(file.bytes) }
    guard case .damaged(_, let reason) = error else {
      throw Failure("\(String(describing: error))")
    }
    #expect(reason.contains("shorter than its pixels"), "\(reason)")
  }

  // Other programs as writers and readers.

  private static let packings = ["none", "rle", "zip", "piz", "pxr24", "b44", "b44a"]

  /// Red, green and blue of every pixel as libvips reads them, in half precision.
  private func libvips(_ file: String) throws -> [Float] {
    let bytes = try Peers.vipsPixels(file)
    let floats = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    return floats.enumerated().filter { $0.offset % 4 != 3 }.map(\.element)
  }

  @Test(
    .enabled(if: tiler.isPresent && Peers.vips.isPresent, "openexr or libvips-tools are missing"))
  func tilesOfEveryCompressionAreRead() throws {
    let folder = try TemporaryFolder()
    let file = Self.file(width: 75, height: 50)
    try Peers.write(file.bytes, folder.path("rows.exr"))
    for packing in Self.packings {
      for level in ["-o", "-m", "-r"] {
        let tiled = folder.path("tiles.exr")
        try tiler.run(level, "-t", "32", "16", "-z", packing, folder.path("rows.exr"), tiled)
        let ours = try floats(Peers.bytes(tiled))
        #expect(try ours == libvips(tiled), "\(packing) \(level)")
        // B44 keeps 14 of 16 values approximately.
        if !packing.hasPrefix("b44") { #expect(ours == Self.expected(file, ["R", "G", "B"])) }
        #expect(try ImageFile.info(tiled).storage.contains("tiles"))
      }
    }
  }

  @Test(
    .enabled(
      if: magickWritesOpenEXR && Peers.vips.isPresent,
      "ImageMagick with OpenEXR or libvips-tools are missing"))
  func rowsOfEveryCompressionAreRead() throws {
    let folder = try TemporaryFolder()
    let source = TestPictures.codes(as: UInt16.self, PixelSize(45, 71), in: .linearSRGB)
    try ImageFile.write(.uint16(source), to: folder.path("rows.png"))
    for packing in ["None", "RLE", "ZipS", "Zip", "Piz", "Pxr24"] {
      let file = folder.path("\(packing).exr")
      try magick.run(folder.path("rows.png"), "-compress", packing, file)
      let (bitmap, bytes) = try (ImageFile.read(file), Peers.bytes(file))
      let step = bitmap.channels.count
      let ours = try floats(bytes).enumerated().filter { $0.offset % step < 3 }.map(\.element)
      #expect(try ours == libvips(file), "\(packing)")
    }
  }

  @Test(.enabled(if: Peers.vips.isPresent, "libvips-tools are not installed"))
  func libvipsReadsOurs() throws {
    let folder = try TemporaryFolder()
    for channels in [Channels.rgb, .rgba] {
      let bitmap = Bitmap<Float16>(
        PixelSize(37, 41), in: .linearSRGB, channels: channels, alpha: .premultiplied
      ) { x, y in
        (0..<channels.count).map { Float16(x) * 0.125 + Float16(y) - Float16($0) }
      }
      try ImageFile.write(.float16(bitmap), to: folder.path("ours.exr"))
      let ours = (0..<41).flatMap { y in
        bitmap.row(y).enumerated().filter { $0.offset % channels.count < 3 }
          .map { Float($0.element) }
      }
      #expect(try libvips(folder.path("ours.exr")) == ours)
    }
  }
}
