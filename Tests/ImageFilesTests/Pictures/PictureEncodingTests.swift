import ColorSpaces
import FilterGraph
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Several pictures that become the bytes of files in one pass.
@Suite struct PictureEncodingTests {
  /// Sizes, spaces, formats, samples and options of one picture.
  private static func variants(of picture: Picture) -> [PictureFile] {
    let small = picture.resized(to: .exact(31, 27))
    var plain = WritingOptions()
    plain.compression = .none
    return [
      PictureFile(picture, as: .png), PictureFile(small, as: .png, samples: .uint8),
      PictureFile(picture, as: .png, writing: WritingOptions(paletteColors: 16)),
      PictureFile(
        small.converted(to: .sRGB), as: .jpeg, writing: WritingOptions(quality: 60, chroma: .half)),
      PictureFile(small, as: .jpeg, writing: WritingOptions(isProgressive: true)),
      PictureFile(
        picture, as: .tiff, samples: .uint8, dither: Dither(.errorDiffusion), writing: plain),
      PictureFile(picture.converted(to: .linearSRGB), as: .tiff, samples: .float32),
    ]
  }

  /// The bytes and the report of a picture that is encoded alone.
  private func alone(
    _ file: PictureFile, _ options: RenderOptions = RenderOptions()
  ) throws -> (bytes: [UInt8], report: WritingReport) {
    try file.picture.encodedWithReport(
      as: #require(file.format), samples: file.samples, dither: file.dither, options: options,
      writing: file.writing)
  }

  /// The form that blocks, which asynchronous functions would not choose.
  private func atOnce(
    _ files: [PictureFile], _ options: RenderOptions
  ) throws -> [(bytes: [UInt8], report: WritingReport)] {
    try Picture.encoded(files, options: options)
  }

  @Test func bytesAndReportsAreThoseOfSeparateEncodings() async throws {
    let files = Self.variants(of: FormatPictures.picture(for: .png).exposure(0.5))
    var options = RenderOptions()
    (options.threads, options.tile) = (3, PixelSize(64, 7))
    let results = try atOnce(files, options)
    let others = try await Picture.encoded(files, options: options)
    #expect(results.count == files.count && others.count == files.count)
    for index in files.indices {
      let expected = try alone(files[index])
      #expect(results[index].bytes == expected.bytes, "\(index)")
      #expect(results[index].report == expected.report, "\(index)")
      #expect(others[index].bytes == expected.bytes, "\(index)")
      #expect(others[index].report == expected.report, "\(index)")
    }
  }

  @Test func noPicturesGiveNoBytes() throws {
    #expect(try Picture.encoded([]).isEmpty)
  }

  @Test func oneSourceIsReadOnceForTheBytesOfAll() throws {
    let source = CountedRows()
    let picture = Picture(source)
    let results = try Picture.encoded([
      PictureFile(picture.fitted(into: .displayP3), as: .png),
      PictureFile(picture.fitted(into: .sRGB).resized(to: .exact(20, 94)), as: .jpeg),
      PictureFile(picture, as: .tiff, samples: .uint8),
    ])
    #expect(source.readerCount == 1 && source.rowCount == 300)
    let sizes = try results.map { try ImageFile.info(bytes: $0.bytes).size }
    #expect(sizes == [PixelSize(64, 300), PixelSize(20, 94), PixelSize(64, 300)])
  }

  // MARK: Memory

  /// An uncompressed picture of so many rows, whose bytes are more than its rendering takes.
  private static func large(rows: Int) -> PictureFile {
    var writing = WritingOptions()
    writing.compression = .none
    let gray = Picture.constant(ColorPoint(0.5, 0.5, 0.5, in: .sRGB), in: .sRGB)
    return PictureFile(
      gray.cropped(to: Region(PixelSize(500, rows))), as: .tiff, samples: .uint8, writing: writing)
  }

  private static var singleThreaded: RenderOptions {
    var options = RenderOptions()
    options.threads = 1
    return options
  }

  /// Each result is within the limit, but not both together.
  @Test func bytesOfAllAreWithinTheMemoryLimit() throws {
    var options = Self.singleThreaded
    let files = [Self.large(rows: 9000), Self.large(rows: 9500)]
    let expected = try files.map { try alone($0, options).bytes }
    let count = expected[0].count + expected[1].count
    options.memoryLimit = count - 1
    for file in files { #expect(throws: Never.self) { try alone(file, options) } }
    #expect(throws: ImageFileError.rendering(.tooMuchMemory(bytes: count, limit: count - 1))) {
      try Picture.encoded(files, options: options)
    }
    options.memoryLimit = count
    #expect(try Picture.encoded(files, options: options).map(\.bytes) == expected)
  }

  /// Some results fit into the memory beside the rendering and others do not; none of them is changed by the way it took.
  @Test func bytesInFilesAndInMemoryAreTheSame() throws {
    var options = Self.singleThreaded
    let files = [Self.large(rows: 9000), Self.large(rows: 300), Self.large(rows: 500)]
    let expected = try files.map { try alone($0, options).bytes }
    let count = expected.reduce(0) { $0 + $1.count }
    for limit in [count, count + 100_000, 3 * count] {
      options.memoryLimit = limit
      #expect(try Picture.encoded(files, options: options).map(\.bytes) == expected, "\(limit)")
    }
  }

  // MARK: Errors

  private func error(_ files: [PictureFile]) -> ImageFileError? {
    do throws(ImageFileError) {
      _ = try Picture.encoded(files)
      return nil
    } catch { return error }
  }

  /// Errors of any moment: of the request, the size, the header of the file, its samples and its memory.
  @Test func errorsNameThePicture() throws {
    let picture = FormatPictures.picture(for: .png)
    let good = PictureFile(picture, as: .png)
    let clear = Picture(TestPictures.codes(as: UInt8.self, in: .sRGB, channels: .rgba))
    var narrow = Self.large(rows: 9000)
    narrow.writing.memoryLimit = 1 << 22
    var encoder = good
    encoder.writing.memoryLimit = 1000
    let bad = [
      PictureFile(picture, as: .png, samples: .float32), PictureFile(clear, as: .jpeg),
      PictureFile(picture.resized(to: .exact(0, 5)), as: .png),
      PictureFile(picture.resized(to: .exact(70_000, 1)), as: .jpeg), narrow, encoder,
    ]
    for (number, file) in bad.enumerated() {
      let alone = try #require(error([file]), "\(number)")
      if case .picture = alone { Issue.record("\(number): \(alone)") }
      #expect(error([good, file]) == .picture(at: 1, alone), "\(number)")
      #expect(error([file, good, good]) == .picture(at: 0, alone), "\(number)")
    }
    let named = ImageFileError.picture(
      at: 2, .unsupportedSamples(.float32, format: .png))
    #expect(named.finding.hasPrefix("Of the pictures to encode, the one at index 2: PNG files"))
    #expect("\(named)".hasSuffix("Render as one of those first."))
  }

  /// An error of the common rendering names no single picture.
  @Test func errorsOfTheRenderingAreThrownAsTheyAre() throws {
    let bytes = try ImageFile.encode(
      .uint16(TestPictures.codes(as: UInt16.self, PixelSize(300, 200))), as: .png)
    let half = try Picture(bytes: Array(bytes.prefix(bytes.count / 2)))
    let found = error([PictureFile(half, as: .png), PictureFile(half, as: .jpeg)])
    guard case .truncated("data", _, 200) = found else {
      Issue.record("\(String(describing: found))")
      return
    }
    var options = RenderOptions()
    options.isCancelled = { true }
    #expect(throws: ImageFileError.rendering(.cancelled)) {
      try Picture.encoded(Self.variants(of: FormatPictures.picture(for: .png)), options: options)
    }
  }

  /// Encoders may take long after the last row, such as those of whole pictures.
  @Test func cancellingReachesEncodersAfterTheLastRow() throws {
    let folder = try TemporaryFolder()
    let file = PictureFile(FormatPictures.picture(for: .png), at: folder.path("a.png"))
    /// Options that cancel when all rows are there.
    func options() -> RenderOptions {
      let told = Fractions()
      var options = RenderOptions()
      (options.progress, options.isCancelled) = (told.add, { told.last == 1 })
      return options
    }
    #expect(throws: ImageFileError.rendering(.cancelled)) {
      try Picture.encoded([file, file], options: options())
    }
    #expect(throws: ImageFileError.rendering(.cancelled)) {
      try Picture.write([file], options: options())
    }
    #expect(throws: ImageFileError.self) { try Picture(contentsOf: file.path) }
  }

  /// A path names the format, and nothing is written to it.
  @Test func pathsAreNotWritten() throws {
    let folder = try TemporaryFolder()
    let picture = FormatPictures.picture(for: .png)
    let file = PictureFile(picture, at: folder.path("a.png"))
    let bytes = try picture.encoded(as: .png)
    #expect(try Picture.encoded([file, file]).map(\.bytes) == [bytes, bytes])
    #expect(throws: ImageFileError.self) { try Picture(contentsOf: file.path) }
  }
}
