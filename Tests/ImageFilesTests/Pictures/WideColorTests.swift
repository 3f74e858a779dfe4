import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Wide-gamut color from capture to delivery, through real files.
@Suite struct WideColorTests {
  private let folder: TemporaryFolder
  private let canary = Picture(Canary(size: PixelSize(192, 64)), in: .displayP3)

  init() throws { folder = try TemporaryFolder() }

  private static let formats: [ImageFileFormat] = [.png, .jpeg, .tiff]

  /// The damage of a canary that went through a file.
  private func fate(
    of picture: Picture, in format: ImageFileFormat, isTagged: Bool = true
  ) throws -> Canary.Fate {
    let path = folder.path("canary.\(format.fileExtensions[0])")
    var writing = WritingOptions()
    writing.isUntagged = !isTagged
    try picture.write(to: path, samples: .uint8, writing: writing)
    return try Canary.check(contentsOf: path).fate
  }

  @Test(arguments: formats)
  func sixBrokenPipelinesAreNamed(format: ImageFileFormat) throws {
    #expect(try fate(of: canary, in: format) == .intact)
    #expect(try fate(of: canary, in: format, isTagged: false) == .profileDropped)
    let narrow = canary.converted(to: .sRGB)
    #expect(try fate(of: narrow, in: format, isTagged: false) == .convertedAndUntagged)
    #expect(try fate(of: narrow, in: format) == .clipped)
    #expect(try fate(of: canary.tagged(as: .sRGB), in: format) == .mistagged)
    let bitmap = try canary.render(as: UInt8.self)
    let swapped = Bitmap<UInt8>(bitmap.size, in: .displayP3, channels: .rgb) { x, y in
      [bitmap[x, y, 2], bitmap[x, y, 1], bitmap[x, y, 0]]
    }
    #expect(try fate(of: Picture(swapped), in: format) == .channelsSwapped)
    let curve = try CubicCurve(through: [[0, 0], [0.25, 0.2], [0.75, 0.85], [1, 1]])
    let clamped = try narrow.toneCurve(curve).render(as: UInt16.self)
    let wideAgain = Picture(clamped).converted(to: .displayP3)
    #expect(try fate(of: wideAgain, in: format) == .toneCurveClamped)
  }

  @Test(arguments: formats)
  func otherChangesAreNamed(format: ImageFileFormat) throws {
    #expect(try fate(of: canary.saturation(0), in: format) == .desaturated)
    #expect(try fate(of: canary.turned(quarters: 1), in: format) == .turned)
    #expect(try fate(of: canary.converted(to: .adobeRGB), in: format) == .clipped)
    let part = canary.cropped(to: Region(x: 0, y: 0, width: 96, height: 64))
    #expect(try fate(of: part, in: format) == .notACanary)
    let gray = Bitmap<UInt8>(PixelSize(192, 64), in: .sRGB, channels: .gray) { x, _ in [UInt8(x)] }
    #expect(try fate(of: Picture(gray), in: format) == .notACanary)
  }

  /// Each kind of damage is found behind harmless stages, and before some.
  @Test func damageIsNamedBehindOtherStages() throws {
    let before = canary.resized(to: .exact(384, 96)).converted(to: .rec2020)
    try before.write(to: folder.path("1.tiff"), samples: .uint16)
    let second = try Picture(contentsOf: folder.path("1.tiff"))
    try second.converted(to: .sRGB).write(to: folder.path("2.png"), samples: .uint8)
    let third = try Picture(contentsOf: folder.path("2.png"))
    try third.converted(to: .displayP3).write(to: folder.path("3.jpg"))
    let fates = try ["1.tiff", "2.png", "3.jpg"].map {
      try Canary.check(contentsOf: folder.path($0)).fate
    }
    #expect(fates == [.intact, .clipped, .clipped])
  }

  @Test func assumptionsCount() throws {
    var writing = WritingOptions()
    writing.isUntagged = true
    let path = folder.path("canary.png")
    try canary.write(to: path, writing: writing)
    #expect(try Canary.check(contentsOf: path, assuming: .displayP3).fate == .intact)
    #expect(try Canary.check(contentsOf: path, assuming: .sRGB).fate == .mistagged)
  }

  @Test func filesOfOnePassAreThoseOfMany() throws {
    let photo = TestPictures.codes(as: UInt16.self, PixelSize(90, 130), in: .displayP3)
    let source = folder.path("photo.png")
    try ImageFile.write(.uint16(photo), to: source)
    let picture = try Picture(contentsOf: source).exposure(0.3)
    let opaque = Picture(
      TestPictures.codes(as: UInt8.self, PixelSize(33, 70), in: .rec2020, channels: .rgb))
    func files(_ prefix: String) -> [PictureFile] {
      [
        PictureFile(picture, at: folder.path("\(prefix)a.png")),
        PictureFile(
          picture.resized(to: .exact(30, 41)).converted(to: .sRGB),
          at: folder.path("\(prefix)b.tiff"), samples: .float16),
        PictureFile(picture.converted(to: .linearSRGB), at: folder.path("\(prefix)c.exr")),
        PictureFile(opaque, at: folder.path("\(prefix)d.jpg")),
      ]
    }
    var options = RenderOptions()
    (options.threads, options.tile) = (3, PixelSize(1, 7))
    try Picture.write(files("together-"), options: options)
    for (together, alone) in zip(files("together-"), files("alone-")) {
      try alone.picture.write(to: alone.path, samples: alone.samples)
      let bytes = try [together, alone].map { try Data(contentsOf: URL(filePath: $0.path)) }
      #expect(bytes[0] == bytes[1], "\(together.path)")
    }
  }

  @Test func oneSourceIsReadOnceForAllFiles() throws {
    let source = CountedRows()
    let picture = Picture(source)
    try Picture.write([
      PictureFile(picture.fitted(into: .displayP3), at: folder.path("wide.png")),
      PictureFile(
        picture.fitted(into: .sRGB).resized(to: .exact(20, 94)), at: folder.path("narrow.jpg")),
    ])
    #expect(source.readerCount == 1)
    #expect(source.rowCount == 300)
  }

  /// A file and a count of the source's out-of-gamut colors, as for “highlight --count”.
  @Test func oneSourceIsReadOnceForAFileAndACount() throws {
    let source = CountedRows()
    let picture = Picture(source)
    let coverage = try GamutCoverage(of: [.sRGB])
    let file = PictureFile(
      picture.gamutMask(outside: .sRGB).resized(to: .exact(20, 94)), at: folder.path("mask.png"))
    let found = try Picture.write(
      [file], measuring: picture, by: coverage, options: RenderOptions()
    ).value
    #expect(source.readerCount == 1)
    #expect(source.rowCount == 300)
    #expect(found.pixelCount == 64 * 300)
    // Grays, which are in every gamut.
    #expect(found.outside == [0])
    #expect(try Picture(contentsOf: file.path).size == PixelSize(20, 94))
  }

  /// The measurements of “inspect”.
  @Test func oneSourceIsReadOnceForAllMeasures() throws {
    let source = CountedRows()
    let (statistics, coverage, histogram) = try Picture(source).reduced(
      by: Statistics(domain: .encoded), GamutCoverage(of: [.sRGB]), Histogram())
    #expect(source.readerCount == 1)
    #expect(statistics.count == 64 * 300 && coverage.pixelCount == 64 * 300)
    #expect(histogram.pixelCount == 64 * 300)
  }

  @Test func noFileOfSeveralAppearsBeforeAllAreDone() throws {
    let good = PictureFile(canary, at: folder.path("good.png"))
    let bad = PictureFile(canary, at: folder.path("missing/bad.png"))
    let float = PictureFile(canary, at: folder.path("float.png"), samples: .float32)
    for files in [[good, bad], [good, float], [good, good]] {
      #expect(throws: ImageFileError.self) { try Picture.write(files) }
      #expect(!FileManager.default.fileExists(atPath: good.path))
    }
  }
}
