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

  /// The kinds that a file left out because of their values. It must not state them.
  private func unrepresentable(
    _ metadata: ImageMetadata, in format: ImageFileFormat = .png
  ) throws -> [MetadataKind] {
    let folder = try TemporaryFolder()
    var writing = WritingOptions()
    writing.metadata = metadata
    let picture = Picture(Bitmap<UInt8>(PixelSize(1, 1), in: .sRGB, channels: .rgb))
    let report = try picture.write(to: folder.path("x"), as: format, writing: writing)
    let kinds = report.notes.compactMap { note -> MetadataKind? in
      if case .unrepresentable(let kind, format) = note { kind } else { nil }
    }
    let read = try ImageFile.info(folder.path("x")).metadata
    #expect(read.kinds.isDisjoint(with: kinds))
    return kinds
  }

  @Test func lightLevelsBeyondTheChunkAreLeftOut() throws {
    let most = Double(UInt32.max) * 0.0001
    for level in [Double.nan, .infinity, -.infinity, -1, 2 * most] {
      for light in [(level, 1.0), (1.0, level)] {
        var metadata = ImageMetadata()
        metadata.contentLight = .init(maximum: light.0, frameAverage: light.1)
        #expect(try unrepresentable(metadata) == [.contentLight], "\(light)")
      }
    }
    var metadata = ImageMetadata()
    metadata.contentLight = .init(maximum: most, frameAverage: 0)
    #expect(try unrepresentable(metadata) == [])
  }

  @Test func mastersBeyondTheChunkAreLeftOut() throws {
    func display(_ x: Double, _ luminance: ClosedRange<Double>) -> ImageMetadata {
      var metadata = ImageMetadata()
      let rec2020 = Primaries.rec2020
      metadata.masteringDisplay = .init(
        primaries: Primaries(
          red: Chromaticity(x, 0.3), green: rec2020.green, blue: rec2020.blue,
          white: rec2020.white),
        luminance: luminance)
      return metadata
    }
    for x in [Double.nan, .infinity, -4, 1e300] {
      #expect(try unrepresentable(display(x, 0...1000)) == [.masteringDisplay], "\(x)")
    }
    for luminance in [-1...1000, 0...Double.infinity, 0...1e300] as [ClosedRange<Double>] {
      #expect(try unrepresentable(display(0.7, luminance)) == [.masteringDisplay], "\(luminance)")
    }
    #expect(try unrepresentable(display(0.7, 0...1000)) == [])
  }

  @Test(arguments: [ImageFileFormat.png, .jpeg, .tiff])
  func resolutionsBeyondTheFieldsAreLeftOut(format: ImageFileFormat) throws {
    for number in [Double.nan, .infinity, 0, -1, 1e300, 1e-300] {
      for unit in [ImageMetadata.Resolution.Unit.none, .inch, .centimetre] {
        var metadata = ImageMetadata()
        metadata.resolution = .init(horizontal: 300, vertical: number, unit: unit)
        #expect(try unrepresentable(metadata, in: format) == [.resolution], "\(number), \(unit)")
      }
    }
  }

  /// EXIF states what pHYs and JFIF cannot, and keeps no resolution that is left out.
  @Test(arguments: [ImageFileFormat.png, .jpeg])
  func resolutionsInEXIFAgree(format: ImageFileFormat) throws {
    func reread(_ horizontal: Double, _ vertical: Double) throws -> ImageMetadata.Resolution? {
      var metadata = ImageMetadata()
      metadata.exif = TestEXIF(resolution: 72_000).bytes
      metadata.resolution = .init(horizontal: horizontal, vertical: vertical, unit: .inch)
      var options = WritingOptions()
      options.metadata = metadata
      let picture = Picture(Bitmap<UInt8>(PixelSize(2, 2), in: .sRGB, channels: .rgb))
      return try ImageFile.info(bytes: picture.encoded(as: format, writing: options))
        .metadata.resolution
    }
    #expect(try reread(300, .nan) == nil)
    let fine = try #require(try reread(0.001, 0.001))
    #expect(abs(fine.horizontal - 0.001) < 1e-9 && fine.unit == .inch)
  }

  @Test func notesOfValuesNameTheFormat() {
    #expect(
      ImageFileNote.unrepresentable(.resolution, format: .png).description
        == "Its resolution has a value that PNG files cannot hold, and is left out.")
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

  /// A file with chunks behind its pixels.
  private static func bytes(behindPixels chunks: [UInt8]) -> [UInt8] {
    let png = TestPNG { _, _ in [0, 0, 0] }.bytes
    // The chunk IEND has 12 bytes.
    return Array(png[..<(png.count - 12)]) + chunks + png[(png.count - 12)...]
  }

  /// libpng only warns of them, and the pixels are intact.
  @Test(arguments: ["eXIf", "tEXt", "iTXt"])
  func unreadMetadataBehindThePixelsIsNoted(name: String) throws {
    let exif = TestEXIF(orientation: 6).bytes
    let body = name == "eXIf" ? exif : Array("Title\0\0\0\0\0text".utf8)
    let intact = TestPNG.chunk(name, body)
    func info(_ chunks: [UInt8], limits: FileLimits = FileLimits()) throws -> ImageFileInfo {
      try ImageFile.info(bytes: Self.bytes(behindPixels: chunks), limits: limits)
    }
    let note = ImageFileNote.unread(
      "its chunk “\(name)” behind the pixels, which is damaged, or beyond the limit of metadata")
    #expect(try !info(intact).notes.contains(note))
    // Each byte of the body and of the checksum, and another chunk of the name.
    for index in 8..<intact.count {
      var damaged = intact
      damaged[index] ^= 1
      let found = try info(damaged)
      #expect(found.notes == [note], "byte \(index)")
      #expect(found.metadata.exif == nil && found.orientation == .upright, "byte \(index)")
      #expect(try info(damaged + damaged).notes == [note])
    }
    var limits = FileLimits()
    // The chunk sRGB before the pixels has one byte.
    limits.metadataBytes = body.count + 1
    #expect(try !info(intact, limits: limits).notes.contains(note))
    limits.metadataBytes = body.count
    #expect(try info(intact, limits: limits).notes == [note])
  }

  /// A text of 1 MiB behind the pixels, which a short chunk unpacks to.
  @Test func textsBehindThePixelsThatUnpackToTooMuchAreNoted() throws {
    var options = WritingOptions()
    options.metadata.text = [.init(keyword: "Title", value: String(repeating: "a", count: 1 << 20))]
    let bitmap = AnyBitmap(Bitmap<UInt8>(PixelSize(1, 1), in: .sRGB))
    let bytes = try ImageFile.encode(bitmap, as: .png, options: options)
    let name = try #require(bytes.firstRange(of: Array("zTXt".utf8)))
    let count = bytes[name.lowerBound - 4..<name.lowerBound].reduce(0) { $0 << 8 | Int($1) }
    let chunk = TestPNG.chunk("zTXt", Array(bytes[name.upperBound...].prefix(count)))
    let file = Self.bytes(behindPixels: chunk)
    #expect(try ImageFile.info(bytes: file).metadata.text == options.metadata.text)
    var limits = FileLimits()
    // The text alone is within the second limit, and with its chunk beyond.
    for limit in [100_000, 1 << 20] {
      limits.metadataBytes = limit
      let info = try ImageFile.info(bytes: file, limits: limits)
      #expect(info.metadata.text.isEmpty, "\(limit)")
      #expect(
        info.notes == [
          .unread(
            "its chunk “zTXt” behind the pixels, which is damaged, or beyond the limit of metadata")
        ], "\(limit)")
    }
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
