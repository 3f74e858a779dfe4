import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Pictures from bytes and into bytes.
@Suite struct BytesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func writing(_ format: ImageFileFormat) -> WritingOptions {
    WritingOptions(quality: 85, chroma: .half, isUntagged: !format.statesColor)
  }

  // MARK: Bytes

  @Test(arguments: ImageFileFormat.all)
  func encodedBytesAreThoseOfTheFile(format: ImageFileFormat) throws {
    let picture = FormatPictures.picture(for: format)
    let path = folder.path("file")
    try picture.write(to: path, as: format, writing: Self.writing(format))
    let bytes = try picture.encoded(as: format, writing: Self.writing(format))
    #expect(try bytes == Array(Data(contentsOf: URL(filePath: path))))
  }

  @Test(arguments: ImageFileFormat.all)
  func bytesAreReadLikeFiles(format: ImageFileFormat) throws {
    let bytes = try FormatPictures.picture(for: format).encoded(
      as: format, writing: Self.writing(format))
    let path = folder.path("file")
    try Data(bytes).write(to: URL(filePath: path))
    let space: ColorSpace? = format.statesColor ? nil : .displayP3
    let fromFile = try Picture(contentsOf: path, assuming: space)
    let fromBytes = try Picture(bytes: bytes, assuming: space)
    let options = RenderOptions()
    #expect(try fromBytes.render(as: UInt16.self) == fromFile.render(as: UInt16.self))
    // The bytes count as memory that rendering takes; those of a large file do not, they stay on the disk.
    let kept = bytes.count > 1 << 16 ? bytes.count : 0
    #expect(
      try fromBytes.planReport(as: UInt8.self, options: options).peakBytes
        == fromFile.planReport(as: UInt8.self, options: options).peakBytes + kept)
  }

  @Test(arguments: ImageFileFormat.all, [Int.min, -1, 0, 2, Int.max])
  func missingPagesAreNamed(format: ImageFileFormat, page: Int) throws {
    let bytes = try FormatPictures.picture(for: format).encoded(
      as: format, writing: Self.writing(format))
    let space: ColorSpace? = format.statesColor ? nil : .displayP3
    let pages = try ImageFile.info(bytes: bytes).pages
    let error = ImageFileError.noSuchPage(file: "data", page, pages)
    #expect(throws: error) { try ImageFile.info(bytes: bytes, page: page) }
    #expect(throws: error) { try ImageFile.read(bytes: bytes, page: page, assuming: space) }
    #expect(throws: error) { try Picture(bytes: bytes, page: page, assuming: space) }
  }

  @Test func limitsHoldForBytes() throws {
    let bytes = try FormatPictures.picture(for: .png).encoded(as: .png)
    #expect(throws: ImageFileError.tooManyBytes(file: "data", limit: 100)) {
      try Picture(bytes: bytes, limits: FileLimits(bytes: 100))
    }
    #expect(throws: ImageFileError.tooManyPixels(file: "data", FormatPictures.size, limit: 99)) {
      try Picture(bytes: bytes, limits: FileLimits(pixels: 99))
    }
    #expect(throws: ImageFileError.self) { try Picture(bytes: []) }
    #expect(throws: ImageFileError.self) { try Picture(bytes: Array(bytes.prefix(40))) }
  }

  /// Returns the memory that rendering a picture as bytes needs, from the error for a limit that is too low.
  private func needed(
    _ picture: Picture, _ format: ImageFileFormat, _ options: RenderOptions,
    _ writing: WritingOptions
  ) throws -> Int {
    var options = options
    options.memoryLimit = 1000
    let refused = #expect(throws: ImageFileError.self) {
      try picture.encoded(as: format, options: options, writing: writing)
    }
    guard case .rendering(.tooMuchMemory(let needed, 1000)) = refused else {
      Issue.record("\(String(describing: refused))")
      return 0
    }
    return needed
  }

  /// The memory that a rendering asks for suffices: bytes that do not fit beside it wait in a file.
  @Test func renderedBytesNeedNoFurtherMemory() throws {
    let picture = FormatPictures.picture(for: .png)
    var options = RenderOptions()
    options.threads = 1
    let needed = try needed(picture, .png, options, WritingOptions())
    let expected = try picture.encoded(as: .png)
    for limit in [needed, needed + 1000, needed + 4 * expected.count] {
      options.memoryLimit = limit
      #expect(try picture.encoded(as: .png, options: options) == expected)
    }
  }

  @Test func bytesBeyondTheMemoryLimitAreRefused() throws {
    let picture = Picture.constant(ColorPoint(0.5, 0.5, 0.5, in: .sRGB), in: .sRGB)
      .cropped(to: Region(PixelSize(500, 20_000)))
    var options = RenderOptions()
    options.threads = 1
    var writing = WritingOptions()
    writing.compression = .none
    let needed = try needed(picture, .tiff, options, writing)
    let expected = try picture.encoded(as: .tiff, options: options, writing: writing)
    try #require(needed < expected.count)
    options.memoryLimit = expected.count - 1
    // The error names the option whose limit is the lower one.
    let count = expected.count
    #expect(throws: ImageFileError.rendering(.tooMuchMemory(bytes: count, limit: count - 1))) {
      try picture.encoded(as: .tiff, options: options, writing: writing)
    }
    writing.memoryLimit = count - 2
    #expect(
      throws: ImageFileError.tooMuchMemoryToWrite(
        file: "TIFF data", bytes: count, limit: count - 2)
    ) { try picture.encoded(as: .tiff, options: options, writing: writing) }
    let ofWriting = ImageFileError.tooMuchMemoryToWrite(file: "a", bytes: 2, limit: 1)
    let ofReading = ImageFileError.tooMuchMemory(file: "a", bytes: 2, limit: 1)
    #expect("\(ofWriting)".hasSuffix("Raise WritingOptions.memoryLimit to allow it."))
    #expect("\(ofReading)".hasSuffix("Raise FileLimits.memoryLimit to allow it."))
    (options.memoryLimit, writing.memoryLimit) = (count, nil)
    #expect(try picture.encoded(as: .tiff, options: options, writing: writing) == expected)
  }

  /// Bytes come with the report that writing a file returns.
  @Test func bytesComeWithTheirReport() async throws {
    let picture = Picture(
      Bitmap<Float>(PixelSize(4, 4), in: .sRGB, channels: .rgb) { _, _ in [2, -1, 0.5] })
    var writing = WritingOptions()
    writing.metadata.text = [ImageMetadata.Text(keyword: "Copyright", value: "Somebody")]
    let encode = { try picture.encodedWithReport(as: .jpeg, writing: writing) }
    let (bytes, report) = try encode()
    #expect(report.clippedSamples == 32 && report.sampleCount == 48 && report.samples == .uint8)
    #expect(report.notes.count == 1 && "\(report)".contains("Copyright"))
    #expect("\(report)".hasPrefix("32 of 48 samples (uint8) clipped; "))
    let path = folder.path("a.jpg")
    let write = { try picture.write(to: path, writing: writing) }
    #expect(try write() == report)
    let other = try await picture.encodedWithReport(as: .jpeg, writing: writing)
    #expect(other.bytes == bytes && other.report == report)
  }

  /// ACEScc encodes no negative light, and Apple Log none below −0.056: floating-point samples lose it, too.
  @Test(arguments: [SampleFormat.float32, .float16], [Channels.rgb, .rgba])
  func lightBelowATransferFunctionIsCounted(samples: SampleFormat, channels: Channels) throws {
    let light = Picture(
      Bitmap<Float>(PixelSize(6, 4), in: .linearSRGB, channels: channels) { x, _ in
        [x < 2 ? -0.5 : x == 2 ? 0 : 0.5, 0.5, 0.5] + (channels.hasAlpha ? [0.5] : [])
      })
    func report(_ picture: Picture) throws -> WritingReport {
      try picture.encodedWithReport(as: .tiff, samples: samples).report
    }
    for space in [ColorSpace.acescc, .appleLog] {
      let report = try report(light.converted(to: space))
      let count = report.sampleCount
      #expect(
        report.notes == [.clippedByTransfer(samples: 8, of: count, space: space.name)], "\(space)")
      #expect(count == 24 * channels.count && report.clippedSamples == 0)
    }
    // Without a floor, or without negative light, nothing is lost.
    for picture in [light, light.converted(to: .acescct), light.exposure(1).converted(to: .sRGB)] {
      #expect(try report(picture).notes.isEmpty)
    }
    let black = Picture(
      Bitmap<Float>(PixelSize(6, 4), in: .linearSRGB, channels: .rgb) { x, _ in
        [0, 0, x == 0 ? 0 : 1]
      })
    #expect(try report(black.converted(to: .acescc)).notes.isEmpty)
    // The count changes no sample.
    let clipped = try black.exposure(-1).converted(to: .acescc).encoded(
      as: .tiff, samples: .float32)
    #expect(
      try Picture(bytes: clipped).render(as: Float.self).samples
        == black.exposure(-1).converted(to: .acescc).render(as: Float.self).samples)
  }

  /// ADX clamps the exposures of film layers, of which one is negative for a saturated color without a negative channel.
  @Test(arguments: [SampleFormat.float32, .float16])
  func lightBelowAClampOfMixedLightIsCounted(samples: SampleFormat) throws {
    let light = Picture(
      Bitmap<Float>(PixelSize(6, 4), in: .aces2065, channels: .rgb) { x, _ in
        x < 2 ? [0.02, 0.3, 0.05] : x == 2 ? [0, 0, 0] : [0.2, 0.2, 0.2]
      })
    let report = try light.converted(to: .adx16).encodedWithReport(
      as: .tiff, samples: samples, writing: WritingOptions(isUntagged: true)
    ).report
    #expect(
      report.notes.contains(
        .clippedByTransfer(samples: 8, of: report.sampleCount, space: "ADX16")),
      "\(report.notes)")
  }

  /// What conversions round below black is no clipped sample, however steep the transfer function is there.
  @Test func roundingBelowBlackIsNotCounted() throws {
    func clipped(_ low: Float, in space: ColorSpace) throws -> Int {
      let light = Picture(
        Bitmap<Float>(PixelSize(3, 2), in: space.linear, channels: .rgb) { _, _ in [low, 0.5, 0.5] }
      )
      return try light.converted(to: space).encodedWithReport(as: .tiff, samples: .uint16).report
        .clippedSamples
    }
    let cinema = try ColorSpace(named: "P3-D65 - Display")
    for space in [cinema, .sRGB, .adobeRGB] {
      #expect(try clipped(-1e-7, in: space) == 0, "\(space)")
      #expect(try clipped(-1e-4, in: space) == 6, "\(space)")
    }
  }

  @Test func initializerSetsTheNamedWritingOptions() {
    let options = WritingOptions(quality: 85, chroma: .quarter, isProgressive: true)
    #expect(options.quality == 85 && options.chroma == .quarter && options.isProgressive)
    let usual = WritingOptions()
    #expect(usual.quality == 90 && usual.chroma == nil && usual.compression == .deflate)
    #expect(!usual.isUntagged && !usual.isLossless && usual.orientation == .upright)
    #expect(!usual.isGray && WritingOptions(isGray: true).isGray)
  }

  // MARK: Names

  @Test func formatsHaveNames() {
    for format in ImageFileFormat.all {
      #expect(ImageFileFormat(named: format.name.uppercased()) == format)
      for ending in format.fileExtensions {
        #expect(ImageFileFormat(named: ending) == format)
        #expect(ImageFileFormat(named: ".\(ending)") == format)
      }
      for type in format.mimeTypes { #expect(ImageFileFormat(mimeType: type) == format) }
    }
    #expect(ImageFileFormat(mimeType: "Image/JPEG; q=0.8") == .jpeg)
    #expect(ImageFileFormat(mimeType: "text/html") == nil && ImageFileFormat(named: "") == nil)
  }

  private static let fields: [(String?, ImageFileFormat?)] = [
    (nil, ImageFileFormat.jpeg), ("", .jpeg), ("*/*", .jpeg), ("image/*;q=0.2", .jpeg),
    ("image/png", .png), ("image/avif,image/png,*/*;q=0.8", .png),
    ("image/jpeg;q=0.5, image/png;q=0.9", .png), ("image/jpeg;q=0, */*", .png),
    ("text/html", nil), ("image/jpeg;q=0,image/png;q=0,*/*", nil),
    ("image/png;q=0.7,image/*;q=0.7", .jpeg),
  ]

  @Test(arguments: fields)
  func theAcceptFieldChooses(accept: String?, format: ImageFileFormat?) {
    #expect(ImageFileFormat.preferred(of: [.jpeg, .png], accept: accept) == format)
  }

  // MARK: Foundation

  /// The bytes of this data cannot be read, so that copying them would crash.
  @Test func dataBeyondTheLimitIsNotCopied() async throws {
    let count = 1 << 20
    let memory = try #require(
      mmap(nil, count, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), "no address space")
    defer { munmap(memory, count) }
    try #require(memory != MAP_FAILED)
    let data = Data(bytesNoCopy: memory, count: count, deallocator: .none)
    let limits = FileLimits(bytes: count - 1)
    let error = ImageFileError.tooManyBytes(file: "data", limit: count - 1)
    #expect(throws: error) { _ = try openedAtOnce(data, limits) }
    await #expect(throws: error) { _ = try await Picture(data: data, limits: limits) }
  }

  /// The form that blocks, which asynchronous functions would not choose.
  private func openedAtOnce(_ data: Data, _ limits: FileLimits) throws -> Picture {
    try Picture(data: data, limits: limits)
  }

  @Test func dataAndURLs() throws {
    let picture = FormatPictures.picture(for: .png)
    let url = URL(filePath: folder.path("Mit Leerzeichen & ü.png"))
    try picture.write(to: url)
    let data = try Data(contentsOf: url)
    #expect(try data == Data(picture.encoded(as: .png)))
    let expected = try picture.render(as: UInt16.self)
    #expect(try Picture(data: data).render() == expected)
    #expect(try Picture(data: data.dropFirst(0)).render() == expected)
    #expect(try Picture(contentsOf: url).render() == expected)
    #expect(try ImageFile.info(url).size == FormatPictures.size)
    let page = try #require(URL(string: "https://example.org/a.png"))
    let read = #expect(throws: ImageFileError.self) { try Picture(contentsOf: page) }
    #expect(read.map { "\($0)".contains("https://example.org/a.png") } == true)
    #expect(throws: ImageFileError.self) { try picture.write(to: page) }
    let other = URL(filePath: folder.path("other.png"))
    try ImageFile.write(ImageFile.read(url), to: other)
    #expect(try Data(contentsOf: other) == data)
    try Picture.write([PictureFile(picture, at: other, samples: .uint8)])
    #expect(try ImageFile.info(other).samples == .uint8)
    #expect(throws: ImageFileError.self) { try PictureFile(picture, at: page) }
    #expect(throws: ImageFileError.self) { try ImageFile.write(ImageFile.read(url), to: page) }
  }
}
