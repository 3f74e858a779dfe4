import CLibJPEG
import ColorSpaces
import FilterGraph
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Cancellation while a decoder works on a row that takes long, because the file stores all rows several times.
@Suite struct ReadingStopTests {
  /// Few columns, and so many rows that reading them once, band by band, takes far fewer questions than the limit.
  private static let size = PixelSize(40, 512)
  private static let limit = 200

  private static func picture(_ x: Int, _ y: Int) -> [UInt8] {
    [UInt8((x * y) & 255), UInt8((3 * x + y) & 255), UInt8((x + 5 * y) & 255)]
  }

  private static var progressive: [UInt8] {
    var jpeg = TestJPEG(pixel: picture)
    (jpeg.size, jpeg.isProgressive) = (size, true)
    return jpeg.bytes
  }

  private static func png(isInterlaced: Bool, hasWrongCheck: Bool = false) -> [UInt8] {
    var png = TestPNG { x, y in picture(x, y).map(Int.init) }
    (png.width, png.height) = (size.width, size.height)
    (png.isInterlaced, png.hasWrongCheck) = (isInterlaced, hasWrongCheck)
    return png.bytes
  }

  /// Renders a file, and stops after the limit of questions.
  private func render(_ file: [UInt8], _ questions: Questions) throws {
    var options = RenderOptions()
    (options.threads, options.isCancelled) = (1, questions.ask)
    _ = try Picture(bytes: file, assuming: .sRGB).render(as: UInt8.self, options: options)
  }

  /// A progressive JPEG has 64 rows of blocks in each of its scans, an interlaced PNG up to 512 rows in each of its passes, and a PNG
  /// with a wrong Adler-32 is read again from its first row.
  @Test func cancellingEndsTheRowThatIsRead() throws {
    let files = [
      "progressive JPEG": Self.progressive,
      "interlaced PNG": Self.png(isInterlaced: true),
      "PNG that is read twice": Self.png(isInterlaced: false, hasWrongCheck: true),
    ]
    for (name, file) in files {
      let questions = Questions(limit: Self.limit)
      #expect(throws: RenderError.cancelled, "\(name)") { try render(file, questions) }
      #expect(questions.count <= Self.limit + 10, "\(name): \(questions.count)")
    }
  }

  /// A file of one pass takes fewer questions, so the ones above come from within a row.
  @Test func filesOfOnePassAreReadBeforeTheLimit() throws {
    try render(Self.png(isInterlaced: false), Questions(limit: Self.limit))
  }

  /// A stop is no damage, so nothing is salvaged, and the next rendering of the same picture reads the file anew.
  @Test func cancelledFilesCanBeReadAgain() throws {
    let file = Self.progressive
    let opened = try OpenedImageFile(bytes: file, salvaging: true)
    let picture = try opened.picture(assuming: .sRGB)
    var options = RenderOptions()
    (options.threads, options.isCancelled) = (1, Questions(limit: Self.limit).ask)
    #expect(throws: RenderError.cancelled) {
      try picture.render(as: UInt8.self, options: options)
    }
    #expect(opened.salvage == nil)
    let expected = try Picture(bytes: file, assuming: .sRGB).render(as: UInt8.self)
    #expect(try picture.render(as: UInt8.self) == expected)
  }

  /// The rows of ink channels are those of another reader.
  @Test func cancellingReachesInkChannels() throws {
    var jpeg = TestJPEG { x, y in Self.picture(x, y) + [UInt8(x)] }
    (jpeg.size, jpeg.isProgressive) = (Self.size, true)
    (jpeg.given, jpeg.stored, jpeg.hasAdobeMarker) = (JCS_CMYK, JCS_CMYK, true)
    let opened = try OpenedImageFile(bytes: jpeg.bytes)
    let inks = try #require(try opened.inkPicture())
    var options = RenderOptions()
    (options.threads, options.isCancelled) = (1, Questions(limit: Self.limit).ask)
    #expect(throws: RenderError.cancelled) { try inks.render(as: .uint8, options: options) }
  }
}
