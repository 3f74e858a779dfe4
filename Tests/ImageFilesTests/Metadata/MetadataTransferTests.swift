import Colorloom
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// Metadata between all pairs of formats: kept if the target supports it, otherwise named.
@Suite struct MetadataTransferTests {
  static let formats = ImageFileFormat.all.filter { !$0.metadataKinds.isEmpty }

  static let iptc: [UInt8] =
    [0x1C, 2, 5, 0, 5] + Array("Title".utf8) + [0x1C, 2, 80, 0, 3] + Array("Who".utf8)

  /// A resource block with printer flags, and one with a thumbnail, which is not copied.
  private static let resource: [UInt8] = Array("8BIM".utf8) + [0x03, 0xF3, 0, 0, 0, 0, 0, 2, 1, 2]
  private static let thumbnail: [UInt8] = Array("8BIM".utf8) + [0x04, 0x0C, 0, 0, 0, 0, 0, 2, 7, 7]

  static let everything: ImageMetadata = {
    var metadata = PNGMetadataTests.all
    var exif = TestEXIF(orientation: 1, colorSpace: 0xFFFF)
    exif.maker = "Some maker"
    exif.resolution = 300_000
    metadata.exif = exif.bytes
    metadata.iptc = iptc
    metadata.photoshop = resource + thumbnail
    metadata.text = [
      .init(keyword: "Comment", value: "a comment"), .init(keyword: "Title", value: "é"),
      .init(keyword: "Author", value: "作者", language: "zh", translatedKeyword: "作者"),
      .init(keyword: "Description", value: String(repeating: "long ", count: 1000)),
    ]
    metadata.resolution = .init(horizontal: 300, vertical: 300, unit: .inch)
    return metadata
  }()

  private static let bitmap = Bitmap<UInt8>(PixelSize(8, 6), in: .displayP3, channels: .rgb)

  private static func options(_ metadata: ImageMetadata) -> WritingOptions {
    var options = WritingOptions()
    options.metadata = metadata
    return options
  }

  @Test(arguments: ImageFileFormat.all)
  func metadataRoundTripsOrIsNamed(format: ImageFileFormat) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("x.\(format.fileExtensions[0])")
    var options = Self.options(Self.everything)
    options.orientation = .quarterTurned
    options.isUntagged = !format.statesColor
    var picture = Picture(Self.bitmap)
    if format == .openEXR { picture = picture.converted(to: picture.space.linear) }
    let report = try picture.write(to: path, as: format, writing: options)
    let omitted = report.notes.compactMap { note -> MetadataKind? in
      switch note {
      case .omitted(let kind, format): kind
      case .omittedTexts(["Title", "Author", "Description"], format): .text
      default: nil
      }
    }
    let kinds = Self.everything.kinds.union([.orientation])
    #expect(Set(omitted) == kinds.subtracting(format.metadataKinds))
    let info = try ImageFile.info(path)
    #expect(
      info.metadata.kinds.isSuperset(of: Self.everything.kinds.intersection(format.metadataKinds)))
    // libheif applies the orientation itself, so only the size shows that it was kept.
    if format.metadataKinds.contains(.orientation) { #expect(info.size == PixelSize(6, 8)) }
  }

  /// A JPEG file keeps the comment, so the other texts are named.
  @Test func omittedTextsAreNamed() throws {
    func note(_ keywords: [String], _ format: ImageFileFormat) throws -> [String] {
      let folder = try TemporaryFolder()
      var metadata = ImageMetadata()
      metadata.text = keywords.map { .init(keyword: $0, value: "a text") }
      return try Picture(Self.bitmap).write(
        to: folder.path("x"), as: format, writing: Self.options(metadata)
      ).notes.map { "\($0)" }
    }
    #expect(
      try note(["Comment", "Author", "Author"], .jpeg)
        == ["JPEG files hold no text but a comment; “Author” is left out."])
    #expect(
      try note(["a", "b", "Comment", "c", "d", "e"], .jpeg)
        == ["JPEG files hold no text but a comment; “a”, “b”, “c” and 2 others are left out."])
    #expect(
      try note(["Author", "Title"], .tiff)
        == ["TIFF files hold no text; “Author”, “Title” are left out."])
    #expect(try note(["Comment"], .jpeg) == [] && note(["Author"], .png) == [])
  }

  private static func notes(
    _ metadata: ImageMetadata, as format: ImageFileFormat
  ) throws -> (notes: [ImageFileNote], read: ImageMetadata) {
    let folder = try TemporaryFolder()
    let path = folder.path("x")
    let report = try Picture(bitmap).write(to: path, as: format, writing: options(metadata))
    return (report.notes, try ImageFile.info(path).metadata)
  }

  private static let invalidKeywords = [
    "", "a\0b", " lead", "trail ", "two  spaces", "日本", "XML:com.adobe.xmp",
    "Raw profile type iptc", String(repeating: "k", count: 80),
  ]

  @Test(arguments: invalidKeywords)
  func textsWithInvalidKeywordsAreNamed(keyword: String) throws {
    var metadata = ImageMetadata()
    metadata.text = [
      .init(keyword: keyword, value: "x"), .init(keyword: "one space", value: "y"),
    ]
    let (notes, read) = try Self.notes(metadata, as: .png)
    #expect(notes == [.invalidTexts(keywords: [keyword], format: .png)])
    #expect(read.text == [metadata.text[1]] && read.xmp == nil && read.iptc == nil)
  }

  @Test(arguments: [ImageFileFormat.png, .jpeg])
  func textsWithNULAreNamed(format: ImageFileFormat) throws {
    var metadata = ImageMetadata()
    metadata.text = [.init(keyword: "Comment", value: "x\0y")]
    let (notes, read) = try Self.notes(metadata, as: format)
    #expect(notes == [.invalidTexts(keywords: ["Comment"], format: format)] && read.text.isEmpty)
    #expect(notes.first?.description.hasSuffix("“Comment” is left out.") == true)
    guard format == .png else { return }
    metadata.text = [
      .init(keyword: "a", value: "x", language: "e\0n"),
      .init(keyword: "b", value: "x", translatedKeyword: "\0"),
    ]
    #expect(
      try Self.notes(metadata, as: format).notes
        == [.invalidTexts(keywords: ["a", "b"], format: format)])
  }

  @Test(arguments: [ImageFileFormat.png, .jpeg])
  func manyTextsAreNamed(format: ImageFileFormat) throws {
    let keywords = (0..<20_000).map { " \($0)" }
    var metadata = ImageMetadata()
    metadata.text = (keywords + keywords.prefix(9)).map { .init(keyword: $0, value: "") }
    let expected: ImageFileNote =
      format == .png
      ? .invalidTexts(keywords: keywords, format: format)
      : .omittedTexts(keywords: keywords, format: format)
    // No `==` within the expectation, which would print all keywords.
    let isNamed = try Self.notes(metadata, as: format).notes == [expected]
    #expect(isNamed)
  }

  @Test(arguments: [ImageFileFormat.png, .jpeg, .tiff])
  func damagedBlocksAreNamed(format: ImageFileFormat) throws {
    for bytes in [[], [1, 2, 3], Array("no IPTC".utf8)] as [[UInt8]] {
      var metadata = ImageMetadata()
      metadata.iptc = bytes
      let (notes, read) = try Self.notes(metadata, as: format)
      #expect(notes == [.damagedMetadata(.iptc)] && read.iptc == nil)
    }
    let truncated = Array(Self.resource.dropLast())
    for bytes in [Array("no resources".utf8), truncated, Self.resource + [1, 2]] {
      var metadata = ImageMetadata()
      metadata.photoshop = bytes
      let (notes, read) = try Self.notes(metadata, as: format)
      #expect(notes == [.damagedMetadata(.photoshop)] && read.photoshop == nil)
    }
    var metadata = ImageMetadata()
    metadata.photoshop = Self.resource + [0, 0]
    #expect(try Self.notes(metadata, as: format).notes == [])
  }

  @Test(arguments: formats, formats)
  func metadataSurvivesEveryPairOfFormats(first: ImageFileFormat, second: ImageFileFormat) throws {
    func file(_ format: ImageFileFormat, _ metadata: ImageMetadata) throws -> [UInt8] {
      let linear = Bitmap<Float>(Self.bitmap.size, in: .linearDisplayP3, channels: .rgb)
      return try ImageFile.encode(
        format == .openEXR ? .float32(linear) : .uint8(Self.bitmap), as: format,
        options: Self.options(metadata))
    }
    let one = try file(first, Self.everything)
    let read = try ImageFile.info(bytes: one).metadata
    let two = try file(second, read)
    let last = try ImageFile.info(bytes: two).metadata
    let shared = first.metadataKinds.intersection(second.metadataKinds)
    if shared.contains(.iptc) { #expect(last.iptc == Self.iptc) }
    if shared.contains(.photoshop) { #expect(last.photoshop == Self.resource) }
    if shared.contains(.xmp) { #expect(last.xmp == Self.everything.xmp) }
    if shared.contains(.exif) {
      let exif = try #require(last.exif)
      #expect(exif.indices.contains { exif[$0...].starts(with: "Some maker".utf8) })
    }
    if shared.contains(.comment) {
      #expect(last.text.first { $0.keyword == "Comment" }?.value == "a comment")
    }
    if shared.contains(.text) {
      // Attributes of OpenEXR files have no language, and are sorted by name.
      let formats = [first, second]
      #expect(
        formats.contains(.openEXR)
          ? Set(last.text.map(\.value)) == Set(Self.everything.text.map(\.value))
          : last.text == Self.everything.text)
    }
    if shared.contains(.resolution) {
      let resolution = try #require(last.resolution)
      let inch = resolution.unit == .inch ? 1 : 2.54
      // Integers per meter differ by 0.002 % from 300 pixels per inch.
      #expect(abs(resolution.horizontal * inch - 300) < 0.01)
    }
    if shared.contains(.contentLight) {
      let (light, given) = (
        try #require(last.contentLight), try #require(Self.everything.contentLight)
      )
      // HEIF and AVIF files hold whole numbers.
      let isWhole = ![first, second].allSatisfy { $0 == .png }
      let step = isWhole ? 0.5 : 0
      #expect(abs(light.maximum - given.maximum) <= step)
      #expect(abs(light.frameAverage - given.frameAverage) <= step)
    }
  }

  @Test func unitlessResolutionsKeepThePixelAspectRatio() throws {
    for format in [ImageFileFormat.png, .jpeg, .tiff] {
      var metadata = ImageMetadata()
      metadata.resolution = .init(horizontal: 4, vertical: 3, unit: .none)
      let file = try ImageFile.encode(
        .uint8(Self.bitmap), as: format, options: Self.options(metadata))
      let read = try #require(try ImageFile.info(bytes: file).metadata.resolution)
      #expect(read.unit == .none && read.horizontal * 3 == read.vertical * 4)
    }
  }

  /// No format has fractions of such numbers, whose ratio is left out.
  @Test(arguments: [ImageFileFormat.png, .jpeg, .tiff])
  func theSmallestResolutionsAreLeftOut(format: ImageFileFormat) throws {
    var metadata = ImageMetadata()
    let least = Double.leastNonzeroMagnitude
    metadata.resolution = .init(horizontal: 1000 * least, vertical: 3000 * least, unit: .none)
    let file = try ImageFile.encode(
      .uint8(Self.bitmap), as: format, options: Self.options(metadata))
    #expect(try ImageFile.info(bytes: file).metadata.resolution == nil)
  }

  /// Files state the resolution of stored pixels, ``ImageMetadata`` that of the upright picture.
  @Test(
    arguments: ImageFileFormat.all.filter {
      $0.metadataKinds.isSuperset(of: [.resolution, .orientation])
    }, Orientation.allCases)
  func resolutionsAreOriented(format: ImageFileFormat, orientation: Orientation) throws {
    var options = Self.options(ImageMetadata())
    options.orientation = orientation
    options.metadata.resolution = .init(horizontal: 150, vertical: 300, unit: .inch)
    options.metadata.exif = TestEXIF(orientation: 1).bytes
    let bitmap = Bitmap<UInt8>(PixelSize(48, 32), in: .sRGB, channels: .rgb)
    let file = try ImageFile.encode(.uint8(bitmap), as: format, options: options)
    let read = try #require(try ImageFile.info(bytes: file).metadata.resolution)
    let inch = read.unit == .inch ? 1 : 2.54
    #expect(abs(read.horizontal * inch - 150) < 0.1 && abs(read.vertical * inch - 300) < 0.1)
  }

  /// A camera's file of stored pixels, at 300 × 150 pixels per inch, is 150 × 300 when it is upright.
  @Test func turnedPicturesExchangeTheirResolution() throws {
    var jpeg = TestJPEG { _, _ in [0, 0, 0] }
    var jfif = Array("JFIF\0".utf8) + [1, 1, 1]
    jfif += [1, 44, 0, 150, 0, 0]
    jpeg.segments = [
      (0xE0, jfif), (0xE1, Array("Exif\0\0".utf8) + TestEXIF(orientation: 6).bytes),
    ]
    let read = try ImageFile.info(bytes: jpeg.bytes).metadata
    #expect(read.resolution == .init(horizontal: 150, vertical: 300, unit: .inch))
    let upright = try ImageFile.encode(
      .uint8(Bitmap<UInt8>(PixelSize(31, 45), in: .sRGB, channels: .rgb)), as: .tiff,
      options: Self.options(read))
    #expect(try ImageFile.info(bytes: upright).metadata.resolution == read.resolution)
  }

  /// Baseline TIFF needs a resolution and its unit.
  @Test func everyTIFFHasAResolution() throws {
    let file = try ImageFile.encode(.uint8(Self.bitmap), as: .tiff)
    #expect(try ImageFile.info(bytes: file).metadata.resolution == nil)
    let tags = [0x011A, 0x011B, 0x0128].map { [UInt8($0 & 255), UInt8($0 >> 8)] }
    for tag in tags {
      let entry = tag + (tag == [0x28, 0x01] ? [3, 0, 1, 0, 0, 0, 1, 0] : [5, 0, 1, 0, 0, 0])
      #expect(file.indices.contains { file[$0...].starts(with: entry) })
    }
  }

  private static let exiftool = Client("exiftool")

  @Test(
    .enabled(if: exiftool.isPresent, "exiftool is not installed"),
    arguments: [ImageFileFormat.png, .jpeg, .tiff])
  func exiftoolReadsAllOfIt(format: ImageFileFormat) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("x.\(format.fileExtensions[0])")
    try ImageFile.write(.uint8(Self.bitmap), to: path, options: Self.options(Self.everything))
    let text = try Self.exiftool.run(
      "-s", "-n", "-a", "-G1", "-Make", "-ObjectName", "-By-line", "-XResolution",
      "-PixelsPerUnitX",
      "-Comment", "-Title", "-Author-zh", "-Warning", "-Error", "-ResolutionUnit", path)
    // The names of tags and their values; lines are like “[PNG] Title : é”.
    let values = Dictionary(
      text.split(separator: "\n").map { line in
        let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
        let name = parts[0].split(separator: " ").last.map(String.init)
        return (name ?? "", parts.count > 1 ? parts[1] : "")
      }, uniquingKeysWith: { first, _ in first })
    #expect(values["Make"] == "Some maker", "\(text)")
    #expect(values["ObjectName"] == "Title" && values["By-line"] == "Who", "\(text)")
    #expect(!text.contains("Warning") && !text.contains("Error"), "\(text)")
    if format != .tiff { #expect(values["Comment"] == "a comment", "\(text)") }
    if format == .png {
      #expect(values["Title"] == "é" && values["Author-zh"] == "作者", "\(text)")
    }
    #expect(text.contains("300") || text.contains("11811"), "\(text)")
  }

  @Test(
    .enabled(if: exiftool.isPresent, "exiftool is not installed"),
    arguments: [ImageFileFormat.png, .jpeg, .tiff])
  func whatExiftoolWritesIsRead(format: ImageFileFormat) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("x.\(format.fileExtensions[0])")
    try ImageFile.write(.uint8(Self.bitmap), to: path)
    try Self.exiftool.run(
      "-q", "-overwrite_original", "-IPTC:ObjectName=Title", "-IPTC:By-line=Who",
      "-EXIF:Make=Some maker",
      "-EXIF:ExposureTime=1/60", "-XMP-dc:Title=Hello", "-XMP-tiff:Orientation#=6", path)
    let metadata = try ImageFile.info(path).metadata
    let iptc = Data(try #require(metadata.iptc))
    #expect(iptc.range(of: Data("Title".utf8)) != nil && iptc.range(of: Data("Who".utf8)) != nil)
    let exif = try #require(metadata.exif)
    #expect(exif.indices.contains { exif[$0...].starts(with: "Some maker".utf8) })
    let next = folder.path("y.jpg")
    try ImageFile.write(.uint8(Self.bitmap), to: next, options: Self.options(metadata))
    let text = try Self.exiftool.run(
      "-s", "-n", "-a", "-G1", "-ObjectName", "-Make", "-ExposureTime", "-XMP:all", "-Warning",
      next)
    for part in ["Title", "Some maker", "0.0166", "Hello"] {
      #expect(text.contains(part), "\(text)")
    }
    #expect(!text.contains(": 6") && !text.contains("Warning"), "\(text)")
  }

  @Test(
    .enabled(if: Peers.hasPillow, "Pillow is not installed"),
    arguments: [ImageFileFormat.png, .jpeg, .tiff])
  func pillowReadsResolutionAndEXIF(format: ImageFileFormat) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("x.\(format.fileExtensions[0])")
    var metadata = Self.everything
    var exif = TestEXIF(orientation: 1, colorSpace: 1)
    exif.maker = "Some maker"
    exif.pixelSize = [60, 40]
    metadata.exif = exif.bytes
    try ImageFile.write(.uint8(Self.bitmap), to: path, options: Self.options(metadata))
    let text = String(
      decoding: try Peers.pillow(
        """
        image = Image.open(sys.argv[1])
        exif = image.getexif()
        print(exif.get(0x010F), dict(exif.get_ifd(0x8769)).get(0xA002), [round(float(n)) for n in image.info["dpi"]])
        """, [path]), as: UTF8.self)
    #expect(text == "Some maker 8 [300, 300]\n")
  }

  /// Metadata that PNG libraries and Photoshop store as text is corrected as metadata: its statements would be wrong.
  @Test func rawProfilesInPNGTextsAreCorrected() throws {
    let exif = TestEXIF(orientation: 6, colorSpace: 1).bytes
    let digits = (Array("Exif\0\0".utf8) + exif).map {
      ($0 < 16 ? "0" : "") + String($0, radix: 16)
    }
    let text = "\nexif\n    \(exif.count + 6)\n\(digits.joined())\n"
    var png = TestPNG { _, _ in [0, 0, 0] }
    png.chunks.append(("tEXt", Array("Raw profile type exif\0\(text)".utf8)))
    let info = try ImageFile.info(bytes: png.bytes)
    #expect(info.orientation == Orientation(rawValue: 6))
    #expect(info.metadata.text.isEmpty && info.metadata.exif == exif)
  }

  @Test func compressedTextsAreLimited() throws {
    var png = TestPNG { _, _ in [0, 0, 0] }
    var metadata = ImageMetadata()
    metadata.text = [.init(keyword: "Bomb", value: String(repeating: "a", count: 3_000_000))]
    let file = try ImageFile.encode(.uint8(Self.bitmap), as: .png, options: Self.options(metadata))
    #expect(file.count < 20_000)
    var limits = FileLimits()
    limits.metadataBytes = 1_000_000
    #expect(throws: ImageFileError.tooMuchMetadata(file: "data", limit: 1_000_000)) {
      try ImageFile.info(bytes: file, limits: limits)
    }
    for body in [[], [0], [65], [65, 0], [65, 0, 0], [65, 0, 1, 2], [65, 0, 0, 9, 9]] as [[UInt8]] {
      for name in ["tEXt", "zTXt", "iTXt"] { png.chunks.append((name, body)) }
    }
    let notes = try ImageFile.info(bytes: png.bytes).notes
    #expect(
      notes
        == ["iTXt", "tEXt", "zTXt"].map { .unread("a text of a chunk “\($0)”, which is damaged") })
  }

  @Test func clippedSamplesAreCounted() throws {
    let folder = try TemporaryFolder()
    let values = Bitmap<Float>(PixelSize(100, 3), in: .sRGB, channels: .rgb) { x, _ in
      [x < 7 ? 1.5 : 0.5, x < 2 ? -0.5 : 1, x < 1 ? .nan : x < 50 ? 1.0001 : 0]
    }
    for samples in [SampleFormat.uint8, .uint16] {
      // 1.0001 rounds to the last 8-bit code, and exceeds the last 16-bit code by 6.6 codes.
      let expected = 3 * (7 + 2 + 1 + (samples == .uint16 ? 49 : 0))
      for dither in [nil, Dither(.ordered), Dither(.errorDiffusion)] {
        var options = RenderOptions()
        options.tile = PixelSize(7, 2)
        let report = try Picture(values).write(
          to: folder.path("x.png"), samples: samples, dither: dither, options: options)
        #expect(report.clippedSamples == expected)
        #expect(report.sampleCount == 900)
      }
    }
    let whole = try Picture(values).write(to: folder.path("x.tif"), samples: .float32)
    #expect(whole.clippedSamples == 0)
    // Infinity and NaN are kept, and 65,519 rounds to the largest half.
    let bright = Bitmap<Float>(PixelSize(9, 1), in: .linearSRGB, channels: .rgb) { x, _ in
      [x < 4 ? 1e6 : 65_519, x < 2 ? -65_520 : .infinity, x < 1 ? 3e38 : .nan]
    }
    for name in ["x.exr", "x.npy", "x.tif"] {
      var writing = WritingOptions()
      writing.isUntagged = name == "x.npy"
      for (samples, expected) in [(SampleFormat.float16, 4 + 2 + 1), (.float32, 0)] {
        let file = folder.path(name)
        guard try #require(ImageFileFormat(ofFileNamed: file)).samples.contains(samples) else {
          continue
        }
        let report = try Picture(bright).write(to: file, samples: samples, writing: writing)
        #expect(report.clippedSamples == expected && report.samples == samples)
      }
    }
    let gray = Bitmap<Float>(PixelSize(10, 1), in: .sRGB, channels: .gray) { _, _ in [2] }
    var file = PictureFile(Picture(gray), at: folder.path("g.png"))
    file.writing.isGray = true
    #expect(try Picture.write([file])[0].clippedSamples == 10)
  }

  /// Colors that nobody sees are no loss, and alpha beyond 0…1 means the same as 0 or 1. NaN is counted wherever it is.
  @Test func transparentPixelsAndAlphaAreNotCounted() throws {
    let folder = try TemporaryFolder()
    let alphas: [Float] = [0, -0.1, 0.0001, 0.5, 1, 1.1, .nan]
    let veiled = Bitmap<Float>(PixelSize(alphas.count, 1), in: .sRGB, channels: .rgba) { x, _ in
      [2, 0.5, -1, alphas[x]]
    }
    for (samples, visible) in [(SampleFormat.uint8, 4), (.uint16, 5)] {
      let path = folder.path("veiled.png")
      let report = try Picture(veiled).write(to: path, samples: samples)
      #expect(report.clippedSamples == 2 * visible + 1, "\(samples)")
    }
  }
}
