import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// `WritingOptions.maximumBytes`: the quality is lowered until a file fits.
@Suite struct FileSizeLimitTests {
  private static let lossy = ImageFileFormat.all.filter { $0.hasQuality(WritingOptions()) }
  private static let lossless = ImageFileFormat.all.filter { !$0.hasQuality(WritingOptions()) }

  /// Noise on gradients, whose files get much smaller with lower qualities.
  private let photo: Bitmap<UInt8> = {
    var random = SeededGenerator(seed: 5)
    return Bitmap(PixelSize(96, 64), in: .sRGB, channels: .rgb) { x, y in
      [x, y, 120 - x].map { UInt8($0 / 2 + 60 + Int.random(in: 0...40, using: &random)) }
    }
  }()

  private func byteCount(_ format: ImageFileFormat, _ quality: Int) throws -> Int {
    try Picture(photo).encoded(
      as: format, samples: .uint8, writing: WritingOptions(quality: quality)
    ).count
  }

  @Test(arguments: lossy) func theHighestQualityFoundIsUsed(format: ImageFileFormat) throws {
    // Between the sizes at the qualities 45 and 46, or at the first of them.
    let limit = try byteCount(format, 45)
    var options = WritingOptions(quality: 85, maximumBytes: limit)
    let search = QualitySearch()
    options.qualitySearch = search
    let bytes = try Picture(photo).encoded(as: format, samples: .uint8, writing: options)
    let chosen = try #require(search.result)
    let quality = try #require(chosen.quality)
    #expect(chosen.fits && chosen.byteCount == bytes.count && bytes.count <= limit)
    #expect((30..<85).contains(quality))
    let plain = WritingOptions(quality: quality)
    #expect(try bytes == Picture(photo).encoded(as: format, samples: .uint8, writing: plain))
    #expect(try byteCount(format, quality + 1) > limit)
    let report = try Picture(photo).encodedWithReport(
      as: format, samples: .uint8, writing: WritingOptions(quality: 85, maximumBytes: limit)
    ).report
    let note = ImageFileNote.reducedQuality(
      quality, requested: 85, byteCount: bytes.count, limit: limit)
    #expect(report.notes == [note])

    #expect(try bytes == ImageFile.encode(.uint8(photo), as: format, options: options))
    let folder = try TemporaryFolder()
    let path = folder.path("out.\(format.fileExtensions[0])")
    try Picture(photo).write(to: path, samples: .uint8, writing: options)
    #expect(try Data(bytes) == Data(contentsOf: URL(filePath: path)))
  }

  @Test(arguments: lossy) func filesThatFitKeepTheirQuality(format: ImageFileFormat) throws {
    let plain = try Picture(photo).encoded(
      as: format, samples: .uint8, writing: WritingOptions(quality: 70))
    for limit in [plain.count, .max] {
      let options = WritingOptions(quality: 70, maximumBytes: limit)
      #expect(try plain == Picture(photo).encoded(as: format, samples: .uint8, writing: options))
    }
  }

  @Test func threadsAndTilesDoNotChangeTheFile() throws {
    let writing = try WritingOptions(quality: 95, maximumBytes: byteCount(.jpeg, 60))
    let blurred = Picture(photo).blurred(sigma: 0.5)
    let expected = try blurred.encoded(as: .jpeg, writing: writing)
    for threads in [1, 2, 5] {
      var options = RenderOptions()
      (options.threads, options.tile) = (threads, PixelSize(40, 7))
      #expect(try blurred.encoded(as: .jpeg, options: options, writing: writing) == expected)
    }
  }

  @Test func thePictureIsRenderedOnce() throws {
    let plain = try Picture(CountedRows()).encoded(as: .jpeg)
    let source = CountedRows()
    let writing = WritingOptions(maximumBytes: plain.count - 1)
    #expect(try Picture(source).encoded(as: .jpeg, writing: writing).count < plain.count)
    #expect(source.readerCount == 1 && source.rowCount == 300)
  }

  @Test func theErrorStatesBothSizes() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("small.jpg")
    try Data("old".utf8).write(to: URL(filePath: path))
    for (quality, lowest, tried) in [(85, 30, 30), (85, 50, 50), (20, 30, 20), (85, 0, 1)] {
      var writing = WritingOptions(quality: quality, maximumBytes: 400)
      writing.minimumQuality = lowest
      let size = try byteCount(.jpeg, tried)
      let error = try #require(throws: ImageFileError.self) {
        try Picture(photo).write(to: path, writing: writing)
      }
      #expect(
        error.description.contains(
          "it has \(size) bytes at quality \(tried), the lowest one allowed, and WritingOptions.maximumBytes is 400"
        ),
        "\(error)")
      #expect(error.description.contains("allow a lower quality") == (tried > 1), "\(error)")
      #expect(try Data(contentsOf: URL(filePath: path)) == Data("old".utf8))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")) == ["small.jpg"])
  }

  /// A file without loss, of a format that has no other or of one that may be lossy, is written if it fits, and refused with its size if
  /// it does not.
  @Test(arguments: lossless + lossy.filter { $0 != .jpeg })
  func losslessFilesAreWrittenWhereTheyFit(format: ImageFileFormat) throws {
    let plain =
      Self.lossy.contains(format)
      ? WritingOptions(isLossless: true) : WritingOptions(isUntagged: true)
    let folder = try TemporaryFolder()
    let path = folder.path("out.\(format.fileExtensions[0])")
    let picture = Picture(photo)
    let expected = try picture.encoded(as: format, writing: plain)
    var writing = plain
    for limit in [expected.count, .max] {
      writing.maximumBytes = limit
      #expect(try picture.encoded(as: format, writing: writing) == expected)
      let report = try picture.write(to: path, as: format, writing: writing)
      #expect(try Data(contentsOf: URL(filePath: path)) == Data(expected))
      #expect(!report.notes.contains { if case .reducedQuality = $0 { true } else { false } })
    }
    writing.maximumBytes = expected.count - 1
    let error = try #require(throws: ImageFileError.self) {
      try picture.write(to: path, as: format, writing: writing)
    }
    for part in [
      "it has \(expected.count) bytes", "is \(expected.count - 1)",
      "\(format) files have no quality that could be lowered",
    ] {
      #expect(error.description.contains(part), "\(error)")
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(expected))
  }

  /// Several pictures with limits of their own.
  @Test func eachOfSeveralFilesHasItsLimit() throws {
    let limits = try [byteCount(.jpeg, 75), byteCount(.jpeg, 40)]
    let files = limits.map {
      PictureFile(
        Picture(photo), as: .jpeg, writing: WritingOptions(quality: 85, maximumBytes: $0))
    }
    let results = try Picture.encoded(files)
    #expect(results[0].bytes.count <= limits[0] && results[1].bytes.count <= limits[1])
    #expect(results[0].bytes.count > results[1].bytes.count)
    var refused = files
    refused[1].writing.maximumBytes = 300
    #expect {
      try Picture.encoded(refused)
    } throws: { error in
      guard case ImageFileError.picture(at: 1, .cannotWrite) = error else { return false }
      return true
    }
  }

  /// The rows that are kept count toward the memory limits.
  @Test func memoryIsLimited() throws {
    var writing = WritingOptions(quality: 85, maximumBytes: 4000)
    let large = Picture(
      Bitmap<UInt8>(PixelSize(2000, 2000), in: .sRGB, channels: .rgb) { x, y in
        [UInt8(x & 255), UInt8(y & 255), 7]
      })
    writing.memoryLimit = 8_000_000
    #expect {
      try large.encoded(as: .jpeg, writing: writing)
    } throws: { error in
      guard case ImageFileError.tooMuchMemoryToWrite = error else { return false }
      return true
    }
    var options = RenderOptions()
    options.memoryLimit = 10_000_000
    writing.memoryLimit = nil
    #expect {
      try large.encoded(as: .jpeg, options: options, writing: writing)
    } throws: { error in
      guard case ImageFileError.rendering(.tooMuchMemory) = error else { return false }
      return true
    }
  }
}
