import Colorloom
import ImageFiles
import Testing
import _TestSupport

/// Metadata in PNG files.
@Suite struct PNGMetadataTests {
  static let all: ImageMetadata = {
    var metadata = ImageMetadata()
    metadata.exif = TestEXIF(orientation: 1, colorSpace: 0xFFFF).bytes
    metadata.xmp = Array("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"/>".utf8)
    metadata.contentLight = .init(maximum: 1000, frameAverage: 180.5)
    metadata.masteringDisplay = .init(
      primaries: ColorSpace.displayP3.primaries, luminance: 0.005...1600)
    return metadata
  }()

  @Test func metadataRoundTrips() throws {
    var options = WritingOptions()
    options.metadata = Self.all
    let bitmap = AnyBitmap(Bitmap<UInt16>(PixelSize(3, 2), in: .displayP3))
    let read = try ImageFile.info(bytes: ImageFile.encode(bitmap, as: .png, options: options))
    #expect(read.metadata.exif == Self.all.exif)
    #expect(read.metadata.xmp == Self.all.xmp)
    #expect(read.metadata.contentLight == Self.all.contentLight)
    let display = try #require(read.metadata.masteringDisplay)
    #expect(display.luminance == 0.005...1600)
    // Chromaticities are stored in steps of 0.00002.
    #expect(abs(display.primaries.red.x - 0.68) < 1e-5)
    #expect(abs(display.primaries.white.y - 0.329) < 1e-5)
  }

  /// Numbers that the chunks do not hold become the nearest that they hold, and NaN becomes 0.
  @Test func numbersBeyondTheChunksAreClamped() throws {
    var options = WritingOptions()
    options.metadata.contentLight = .init(maximum: .nan, frameAverage: .infinity)
    options.metadata.masteringDisplay = .init(
      primaries: Primaries(
        red: Chromaticity(.nan, 1e300), green: Chromaticity(-.infinity, 0.7),
        blue: Chromaticity(-0.1, 0.06)),
      luminance: -1...1e300)
    let bitmap = AnyBitmap(Bitmap<UInt8>(PixelSize(1, 1), in: .sRGB))
    let bytes = try ImageFile.encode(bitmap, as: .png, options: options)
    let metadata = try ImageFile.info(bytes: bytes).metadata
    let most = Double(UInt32.max) * 0.0001
    #expect(metadata.contentLight == .init(maximum: 0, frameAverage: most))
    let display = try #require(metadata.masteringDisplay)
    #expect(display.luminance == 0...most)
    #expect(display.primaries.red == Chromaticity(0, Double(UInt16.max) * 0.00002))
    #expect(display.primaries.green.x == 0 && display.primaries.blue.x == 0)
  }

  @Test func bytesEqualTheStandard() throws {
    // PNG, third edition, 11.3.2.7: the example of BT.2100 primaries, 1000 and 0.05 cd/m².
    let display: [UInt8] = [
      0x8A, 0x48, 0x39, 0x08, 0x21, 0x34, 0x9B, 0xAA, 0x19, 0x96, 0x08, 0xFC, 0x3D, 0x13, 0x40,
      0x42, 0x00, 0x98, 0x96, 0x80, 0x00, 0x00, 0x01, 0xF4,
    ]
    var png = TestPNG { _, _ in [0, 0, 0] }
    png.chunks += [("mDCV", display), ("cLLI", [0, 0x98, 0x96, 0x80, 0, 0x26, 0x25, 0xA0])]
    let metadata = try ImageFile.info(bytes: png.bytes).metadata
    #expect(metadata.contentLight == .init(maximum: 1000, frameAverage: 250))
    let read = try #require(metadata.masteringDisplay)
    #expect(abs(read.primaries.red.x - 0.708) < 1e-5)
    #expect(abs(read.primaries.blue.y - 0.046) < 1e-5)
    #expect(abs(read.primaries.white.x - 0.3127) < 1.1e-5)
    #expect(read.luminance == 0.05...1000)

    var options = WritingOptions()
    options.metadata = metadata
    let bitmap = AnyBitmap(Bitmap<UInt8>(PixelSize(1, 1), in: .sRGB))
    let bytes = try ImageFile.encode(bitmap, as: .png, options: options)
    #expect(bytes.indices.contains { bytes[$0...].starts(with: Array("mDCV".utf8) + display) })
  }

  @Test func exifDataMayFollowThePixels() throws {
    let png = TestPNG(colorType: 0) { _, _ in [0] }
    let end = TestPNG.chunk("IEND", [])
    let bytes =
      png.bytes.dropLast(end.count)
      + TestPNG.chunk("eXIf", TestEXIF(isBigEndian: false, orientation: 8).bytes) + end
    #expect(try ImageFile.info(bytes: Array(bytes)).orientation == .quarterTurnedBack)
  }

  @Test func oversizedMetadataIsAnError() throws {
    var png = TestPNG { _, _ in [0, 0, 0] }
    png.chunks.append(("eXIf", [UInt8](repeating: 0, count: 5000)))
    var limits = FileLimits()
    limits.metadataBytes = 4000
    #expect(throws: ImageFileError.tooMuchMetadata(file: "data", limit: 4000)) {
      try ImageFile.info(bytes: png.bytes, limits: limits)
    }
  }
}
