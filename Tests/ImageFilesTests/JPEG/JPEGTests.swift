import Colorloom
import Foundation
import ICCProfiles
import ImageFiles
import Testing
import _TestSupport

/// Color spaces and metadata in JPEG files.
@Suite struct JPEGTests {
  /// A file without a color space, with the given segments after its first marker.
  static func file(
    _ segments: [(marker: UInt8, body: [UInt8])] = [], channels: Channels = .rgb
  ) throws -> [UInt8] {
    var options = WritingOptions()
    options.isUntagged = true
    let bitmap = Bitmap<UInt8>(PixelSize(16, 8), in: .sRGB, channels: channels) { x, y in
      [UInt8](repeating: UInt8(x * 9 + y), count: channels.count)
    }
    var bytes = try ImageFile.encode(.uint8(bitmap), as: .jpeg, options: options)
    let inserted = segments.flatMap { marker, body -> [UInt8] in
      [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 255)] + body
    }
    bytes.insert(contentsOf: inserted, at: 2)
    return bytes
  }

  static func exif(_ exif: TestEXIF) -> (marker: UInt8, body: [UInt8]) {
    (0xE1, Array("Exif\0\0".utf8) + exif.bytes)
  }

  static func profilePart(
    _ number: Int, of count: Int, _ bytes: ArraySlice<UInt8>
  ) -> (marker: UInt8, body: [UInt8]) {
    (0xE2, Array("ICC_PROFILE\0".utf8) + [UInt8(number), UInt8(count)] + bytes)
  }

  @Test func commentsAreUTF8OrLatin1() throws {
    let comments = try ImageFile.info(
      bytes: Self.file([
        (0xFE, Array("Zoë".utf8)), (0xFE, [0x5A, 0x6F, 0xEB]), (0xFE, [0xA9, 0x41, 0, 0x42]),
      ])
    ).metadata.text.map(\.value)
    #expect(comments == ["Zoë", "Zoë", "©A"])
  }

  private func space(_ segments: [(marker: UInt8, body: [UInt8])]) throws -> ColorSpace {
    try ImageFile.read(bytes: Self.file(segments)).space
  }

  @Test func fileWithoutAColorSpaceIsUntagged() throws {
    #expect(throws: ImageFileError.untagged(file: "data")) { try space([]) }
    #expect(throws: ImageFileError.untagged(file: "data")) {
      try space([Self.exif(TestEXIF(orientation: 1))])
    }
  }

  @Test(arguments: [true, false])
  func camerasNameTheirSpaces(isBigEndian: Bool) throws {
    func space(_ code: Int, _ index: String?) throws -> ColorSpace {
      let exif = TestEXIF(isBigEndian: isBigEndian, colorSpace: code, interoperability: index)
      return try self.space([Self.exif(exif)])
    }
    #expect(try space(1, "R98") == .sRGB)
    #expect(try space(1, nil) == .sRGB)
    #expect(try space(0xFFFF, "R03") == .adobeRGB)
    #expect(try space(2, nil) == .adobeRGB)
    #expect(throws: ImageFileError.untagged(file: "data")) { try space(0xFFFF, "R98") }
    #expect(throws: ImageFileError.untagged(file: "data")) { try space(0xFFFF, nil) }
  }

  @Test func camerasMayStatePrimaries() throws {
    let exif = TestEXIF(
      colorSpace: 0xFFFF, white: [313, 329], lights: [640, 330, 210, 710, 150, 60], gamma: 2200)
    let space = try space([Self.exif(exif)])
    #expect(space.transfer.isInterchangeable(with: .gamma(2.2)))
    #expect(abs(space.primaries.green.y - 0.71) < 1e-12)
  }

  @Test func profileTakesPrecedenceOverEXIF() throws {
    let profile = try ICCProfile(describing: .displayP3).bytes
    let segments = [
      Self.exif(TestEXIF(colorSpace: 1)), Self.profilePart(1, of: 1, profile[...]),
    ]
    #expect(try space(segments) == .displayP3)
    let info = try ImageFile.info(bytes: Self.file(segments))
    #expect(info.profile?.bytes == profile)
    guard case .space(.displayP3, by: .profile) = info.color else {
      Issue.record("\(info.color)")
      return
    }
  }

  @Test func profilesInPartsArePutTogether() throws {
    let profile = try ICCProfile(describing: .adobeRGB).bytes
    let parts = [profile[..<100], profile[100..<200], profile[200...]]
    func segments(_ numbers: [Int], of count: Int = 3) -> [(marker: UInt8, body: [UInt8])] {
      numbers.map { Self.profilePart($0, of: count, parts[$0 - 1]) }
    }
    #expect(try space(segments([1, 2, 3])) == .adobeRGB)
    #expect(try space(segments([3, 1, 2])) == .adobeRGB)
    #expect(try space(segments([1, 1, 2, 3])) == .adobeRGB)
    for wrong in [segments([1, 3]), segments([1, 2, 3], of: 4), segments([1, 2, 3], of: 2)] {
      #expect(throws: ImageFileError.self) { try space(wrong) }
      #expect(
        try ImageFile.read(bytes: Self.file(wrong), assuming: .rec709).space == .rec709)
    }
    let contradiction = segments([1, 2, 3]) + [Self.profilePart(2, of: 3, parts[2])]
    #expect(throws: ImageFileError.self) { try space(contradiction) }
  }

  @Test func aProfileOfManySegmentsIsWrittenAndRead() throws {
    // A table of 32,767 two-byte entries fills one segment and begins another.
    let curve = TransferFunction(
      "fine",
      decodingTable: (0..<32_767).map { index in
        let x = Float(index) / 32_766
        return (x + x * x) / 2
      })
    let space = ColorSpace("fine", primaries: .p3, transfer: curve)
    let bitmap = Bitmap<UInt8>(PixelSize(8, 8), in: space, channels: .rgb)
    let bytes = try ImageFile.encode(.uint8(bitmap), as: .jpeg)
    let name = Array("ICC_PROFILE\0".utf8)
    #expect(bytes.indices.filter { bytes[$0...].starts(with: name) }.count >= 2)
    #expect(try ImageFile.read(bytes: bytes).space.isInterchangeable(with: space))
  }

  @Test func qualityAndSubsamplingAreHonored() throws {
    let bitmap = AnyBitmap(TestPictures.codes(as: UInt8.self))
    var sizes: [Int] = []
    for quality in [1, 30, 60, 85, 95, 100] {
      var options = WritingOptions()
      options.quality = quality
      sizes.append(try ImageFile.encode(bitmap, as: .jpeg, options: options).count)
    }
    #expect(sizes == sizes.sorted() && Set(sizes).count == sizes.count)
    for (chroma, name) in [(ChromaSampling.full, "4:4:4"), (.half, "4:2:2"), (.quarter, "4:2:0")] {
      var options = WritingOptions()
      options.chroma = chroma
      let bytes = try ImageFile.encode(bitmap, as: .jpeg, options: options)
      #expect(try ImageFile.info(bytes: bytes).storage.contains(name))
    }
  }

  @Test func progressiveFilesHoldTheSamePixels() throws {
    let bitmap = AnyBitmap(TestPictures.codes(as: UInt8.self))
    var options = WritingOptions()
    let baseline = try ImageFile.encode(bitmap, as: .jpeg, options: options)
    options.isProgressive = true
    let progressive = try ImageFile.encode(bitmap, as: .jpeg, options: options)
    #expect(try ImageFile.info(bytes: progressive).storage.contains("progressive"))
    guard case .uint8(let a) = try ImageFile.read(bytes: baseline),
      case .uint8(let b) = try ImageFile.read(bytes: progressive)
    else {
      Issue.record("8 bits became something else.")
      return
    }
    #expect(a == b)
  }

  @Test func truncatedFilesAreErrorsWithTheirRowCount() throws {
    let bitmap = AnyBitmap(TestPictures.codes(as: UInt8.self, PixelSize(64, 200)))
    let bytes = try ImageFile.encode(bitmap, as: .jpeg)
    let error = #expect(throws: ImageFileError.self) {
      try ImageFile.read(bytes: Array(bytes.prefix(bytes.count * 3 / 4)))
    }
    guard case .truncated(_, let rows, 200) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect((50..<200).contains(rows))
    // Without its end marker a file is truncated.
    #expect(throws: ImageFileError.self) { try ImageFile.read(bytes: bytes.dropLast(2)) }
  }

  @Test func metadataRoundTripsAndIsUpright() throws {
    var options = WritingOptions()
    options.metadata.exif = TestEXIF(orientation: 6, colorSpace: 1).bytes
    options.metadata.xmp = Array("<x:xmpmeta/>".utf8)
    let bitmap = AnyBitmap(Bitmap<UInt8>(PixelSize(8, 4), in: .displayP3, channels: .rgb))
    let info = try ImageFile.info(bytes: ImageFile.encode(bitmap, as: .jpeg, options: options))
    #expect(info.orientation == .upright)
    #expect(info.metadata.xmp == options.metadata.xmp)
    // Upright, and not in sRGB.
    #expect(info.metadata.exif == TestEXIF(orientation: 1, colorSpace: 0xFFFF).bytes)
  }

  /// A smooth picture, larger than a block.
  private var scene: Bitmap<UInt8> {
    Bitmap(PixelSize(403, 261), in: .sRGB, channels: .rgb) { x, y in
      let wave = { (period: Double) in
        UInt8(128 + 90 * sin(Double(x) / period) * cos(Double(y) / period))
      }
      return [wave(23), wave(31), wave(40)]
    }
  }

  @Test func reducedPicturesAreCloseToResizedOnes() throws {
    let folder = try TemporaryFolder()
    try ImageFile.write(.uint8(scene), to: folder.path("scene.jpg"))
    let picture = try Picture(contentsOf: folder.path("scene.jpg"))
    for (wanted, size) in [
      (PixelSize(403, 261), PixelSize(403, 261)), (PixelSize(202, 131), PixelSize(202, 131)),
      (PixelSize(203, 10), PixelSize(403, 261)), (PixelSize(102, 66), PixelSize(202, 131)),
      (PixelSize(101, 66), PixelSize(101, 66)), (PixelSize(1, 1), PixelSize(51, 33)),
    ] {
      #expect(picture.reduced(toAtLeast: wanted).size == size)
    }
    let whole = try picture.exposure(-0.2).resized(to: .exact(50, 33)).render(as: UInt8.self)
    let quick = picture.exposure(-0.2).reduced(toAtLeast: PixelSize(100, 66))
    #expect(quick.size == PixelSize(101, 66))
    let reduced = try quick.resized(to: .exact(50, 33)).render(as: UInt8.self)
    let steps = (0..<33).flatMap { y in
      zip(whole.row(y), reduced.row(y)).map { abs(Int($0) - Int($1)) }
    }
    // Encoded values are averaged.
    #expect(steps.reduce(0, +) <= 3 * steps.count)
    #expect(steps.max() ?? .max <= 12)
  }

  @Test(arguments: Orientation.allCases)
  func reducedPicturesAreUpright(orientation: Orientation) throws {
    let folder = try TemporaryFolder()
    try ImageFile.write(.uint8(scene), to: folder.path("scene.jpg"))
    let picture = try Picture(contentsOf: folder.path("scene.jpg"))
    let turned = picture.oriented(orientation).reduced(toAtLeast: PixelSize(100, 66))
    let stored = orientation.uprightSize(of: PixelSize(100, 66))
    let expected = picture.reduced(toAtLeast: stored).oriented(orientation)
    #expect(turned.size == expected.size)
    #expect(try turned.render(as: UInt8.self) == expected.render(as: UInt8.self))
  }

  /// A thumbnail decodes no more of a JPEG than it needs, upright, in sRGB.
  @Test func thumbnailsShrinkOnLoad() throws {
    let options = WritingOptions(quality: 95, orientation: .quarterTurned)
    let bytes = try ImageFile.encode(.uint8(scene), as: .jpeg, options: options)
    let picture = try Picture(bytes: bytes)
    let thumbnail = picture.thumbnail(24)
    let (size, width) = (picture.size, thumbnail.size.width)
    #expect(size.width < size.height && max(width, thumbnail.size.height) == 24)
    let expected = picture.reduced(toAtLeast: PixelSize(2 * width, 48))
      .resized(to: .exact(width, 24)).converted(to: .sRGB)
    #expect(try thumbnail.render(as: UInt8.self) == expected.render(as: UInt8.self))
    #expect(
      "\(thumbnail.plan)" == "\(expected.plan)"
        && "\(expected.plan)"
          != "\(picture.resized(to: .exact(width, 24)).converted(to: .sRGB).plan)"
    )
  }

  @Test func behindOtherStepsNothingIsReduced() throws {
    let folder = try TemporaryFolder()
    try ImageFile.write(.uint8(scene), to: folder.path("scene.jpg"))
    try ImageFile.write(.uint8(scene), to: folder.path("scene.png"))
    let small = PixelSize(10, 10)
    let jpeg = try Picture(contentsOf: folder.path("scene.jpg"))
    #expect(jpeg.boxBlurred(radius: 1).reduced(toAtLeast: small).size == jpeg.size)
    #expect(
      try Picture(contentsOf: folder.path("scene.png")).reduced(toAtLeast: small).size == jpeg.size)
  }
}
