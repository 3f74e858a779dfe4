import Colorloom
import ImageFiles
import Testing
import _TestSupport

/// Metadata that a JPEG file states twice, or in one of several ways.
@Suite struct JPEGMetadataTests {
  private typealias Segment = (marker: UInt8, body: [UInt8])

  private static func jfif(_ across: UInt8, _ down: UInt8, unit: UInt8) -> Segment {
    (0xE0, Array("JFIF\0".utf8) + [1, 1, unit, 0, across, 0, down, 0, 0])
  }

  private static func xmp(_ text: String) -> Segment {
    (0xE1, Array("http://ns.adobe.com/xap/1.0/\0\(text)".utf8))
  }

  private func info(_ segments: [Segment]) throws -> ImageFileInfo {
    var jpeg = TestJPEG { _, _ in [0, 0, 0] }
    jpeg.segments = segments
    return try ImageFile.info(bytes: jpeg.bytes)
  }

  private func resolution(_ segments: [Segment]) throws -> ImageMetadata.Resolution? {
    try info(segments).metadata.resolution
  }

  @Test func resolutionOfEXIFTakesPrecedence() throws {
    var exif = TestEXIF(orientation: 1)
    #expect(
      try resolution([Self.jfif(72, 72, unit: 1), JPEGTests.exif(exif)])
        == .init(horizontal: 72, vertical: 72, unit: .inch))
    exif.resolution = 180_000
    for unit in [0, 1, 2] as [UInt8] {
      #expect(
        try resolution([Self.jfif(72, 36, unit: unit), JPEGTests.exif(exif)])
          == .init(horizontal: 180, vertical: 180, unit: .inch))
    }
    // A resolution of 0 is none.
    exif.resolution = 0
    #expect(
      try resolution([Self.jfif(72, 36, unit: 2), JPEGTests.exif(exif)])
        == .init(horizontal: 72, vertical: 36, unit: .centimetre))
  }

  /// The JFIF segment and EXIF of a written file state the same.
  @Test func writtenFilesKeepTheResolutionOfEXIF() throws {
    var exif = TestEXIF(orientation: 1)
    exif.resolution = 180_000
    var options = WritingOptions()
    options.metadata = try info([Self.jfif(72, 72, unit: 1), JPEGTests.exif(exif)]).metadata
    let bitmap = Bitmap<UInt8>(PixelSize(4, 4), in: .sRGB, channels: .rgb)
    let bytes = try ImageFile.encode(.uint8(bitmap), as: .jpeg, options: options)
    let jfif = Array("JFIF\0".utf8) + [1, 1, 1, 0, 180, 0, 180]
    #expect(bytes.indices.contains { bytes[$0...].starts(with: jfif) })
    #expect(try ImageFile.info(bytes: bytes).metadata.resolution == options.metadata.resolution)
  }

  /// JFIF segments have whole numbers of 16 bits, EXIF fractions of 32.
  @Test(arguments: [(200_000, 0.01), (72.5, 72.5), (72.25, 300)])
  func resolutionsBeyondJFIFAreStatedByEXIF(horizontal: Double, vertical: Double) throws {
    let resolution = ImageMetadata.Resolution(
      horizontal: horizontal, vertical: vertical, unit: .inch)
    #expect(try written(resolution) == resolution)
  }

  /// A PNG file of 72 dpi states 2835 pixels per meter, which is 72.009 dpi.
  @Test func resolutionsNearWholeNumbersAreRounded() throws {
    let resolution = ImageMetadata.Resolution(horizontal: 28.35, vertical: 28.35, unit: .centimetre)
    #expect(try written(resolution) == .init(horizontal: 72, vertical: 72, unit: .inch))
  }

  private func written(
    _ resolution: ImageMetadata.Resolution
  ) throws -> ImageMetadata.Resolution? {
    var options = WritingOptions()
    options.metadata.resolution = resolution
    let bitmap = Bitmap<UInt8>(PixelSize(4, 4), in: .sRGB, channels: .rgb)
    let bytes = try ImageFile.encode(.uint8(bitmap), as: .jpeg, options: options)
    return try ImageFile.info(bytes: bytes).metadata.resolution
  }

  @Test func secondPacketsAreNoted() throws {
    let (first, second) = (Self.xmp("<a/>"), Self.xmp("<b/>"))
    let both = try info([first, second])
    #expect(both.metadata.xmp == Array("<a/>".utf8))
    #expect(both.notes == [.unread("a second XMP packet")])
    #expect(try info([first, first]).notes == [])
    let exif = [1, 3].map { JPEGTests.exif(TestEXIF(orientation: $0)) }
    let turned = try info(exif)
    #expect(turned.orientation == .upright)
    #expect(turned.notes == [.unread("a second EXIF segment")])
  }

  /// libjpeg skips such bytes: 0xFF and zero are no marker (Rec. ITU-T T.81, B.1.1.2).
  @Test func strayBytesBeforeSegmentsAreSkipped() throws {
    var jpeg = TestJPEG { _, _ in [0, 0, 0] }
    jpeg.segments = [JPEGTests.exif(TestEXIF(orientation: 3, colorSpace: 1)), Self.xmp("<a/>")]
    let bytes = jpeg.bytes
    let expected = try ImageFile.info(bytes: bytes)
    for stray in [[0xFF, 0], [0xFF, 0xFF, 0], [0xFF, 0, 9, 0xFF, 0]] as [[UInt8]] {
      let info = try ImageFile.info(bytes: bytes[..<2] + stray + bytes[2...])
      #expect(info.orientation == .halfTurned && info.metadata == expected.metadata, "\(stray)")
    }
  }

  /// SBYTE, SSHORT and SLONG (TIFF 6.0, section 2).
  @Test(arguments: [(6, 1), (8, 2), (9, 4)])
  func signedFieldsAreReadAndCorrected(type: Int, byteCount: Int) throws {
    func exif(_ orientation: Int) -> TestEXIF {
      func field(_ tag: Int, _ value: Int) -> TestEXIF.Entry {
        (tag, type, 1, value.bytes(byteCount, isBigEndian: true))
      }
      var exif = TestEXIF()
      exif.fields = [field(0x0100, 99), field(0x0101, 98), field(0x0112, orientation)]
      return exif
    }
    #expect(try info([JPEGTests.exif(exif(-6))]).orientation == .upright)
    #expect(try info([JPEGTests.exif(exif(6))]).orientation == .quarterTurned)
    var options = WritingOptions()
    options.metadata.exif = exif(6).bytes
    let bitmap = Bitmap<UInt8>(PixelSize(7, 5), in: .sRGB, channels: .rgb)
    let bytes = try ImageFile.encode(.uint8(bitmap), as: .jpeg, options: options)
    let written = try #require(try ImageFile.info(bytes: bytes).metadata.exif)
    for (tag, value) in [(0x00, 7), (0x01, 5), (0x12, 1)] as [(UInt8, UInt8)] {
      let zeros = [UInt8](repeating: 0, count: byteCount - 1)
      let entry: [UInt8] = [1, tag, 0, UInt8(type), 0, 0, 0, 1] + zeros + [value]
      #expect(written.indices.contains { written[$0...].starts(with: entry) }, "\(tag)")
    }
  }
}
