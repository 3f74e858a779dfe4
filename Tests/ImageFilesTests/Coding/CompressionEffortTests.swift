import ColorSpaces
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// `WritingOptions.effort` in each format that has such a setting.
@Suite struct CompressionEffortTests {
  /// The formats with a setting of effort, losslessly compressed.
  private static let formats = ImageFileFormat.all.filter { $0.hasEffort(WritingOptions()) }

  /// Gradients with some noise, as photographs have.
  private func photo(as format: ImageFileFormat) -> AnyBitmap {
    var random = SeededGenerator(seed: 11)
    let size = PixelSize(96, 64)
    if format.samples.contains(.uint8) {
      return .uint8(
        Bitmap(size, in: .sRGB, channels: .rgb) { x, y in
          [x, y, 255 - x].map { UInt8($0 / 2 + 40 + Int.random(in: 0...5, using: &random)) }
        })
    }
    return .float16(
      Bitmap(size, in: .linearSRGB, channels: .rgb) { x, y in
        [x, y, 255 - x].map { Float16($0 / 8 + Int.random(in: 0...2, using: &random)) / 64 }
      })
  }

  private func encoded(
    _ photo: AnyBitmap, as format: ImageFileFormat, effort: Int?, isLossless: Bool = true
  ) throws -> [UInt8] {
    try ImageFile.encode(
      photo, as: format, options: WritingOptions(isLossless: isLossless, effort: effort))
  }

  @Test(arguments: formats)
  func everyEffortKeepsLosslessPixels(format: ImageFileFormat) throws {
    let photo = photo(as: format)
    var files: [[UInt8]] = []
    for effort in 0...9 {
      files.append(try encoded(photo, as: format, effort: effort))
      #expect(try ImageFile.read(bytes: files[effort]).sampleBytes == photo.sampleBytes)
    }
    #expect(files[0] != files[9])
    // libaom's lossless files are of nearly one size.
    #expect(format.name == "AVIF" || files[0].count > files[9].count)
  }

  /// The documented defaults, of the formats for which they are numbers of their libraries in any version.
  @Test(arguments: [("PNG", 6), ("WebP", 6), ("JPEG XL", 7), ("HEIF", 6), ("AVIF", 3)])
  func theDefaultIsTheDocumentedEffort(name: String, effort: Int) throws {
    guard let format = Self.formats.first(where: { $0.name == name }) else { return }
    let photo = photo(as: format)
    for isLossless in [false, true] {
      let plain = try encoded(photo, as: format, effort: nil, isLossless: isLossless)
      let same = try encoded(photo, as: format, effort: effort, isLossless: isLossless)
      #expect(plain == same, "lossless: \(isLossless)")
    }
  }

  /// The same property decides whether the tool takes `--effort`.
  @Test(arguments: [LosslessCompression.none, .deflate, .lzw])
  func formatsWithoutTheSettingIgnoreTheEffort(compression: LosslessCompression) throws {
    for format in ImageFileFormat.all where !["HEIF", "AVIF"].contains(format.name) {
      let photo = photo(as: format)
      guard format.samples.contains(photo.format) else { continue }
      var options = WritingOptions(isLossless: true, compression: compression, effort: 1)
      options.isUntagged = !format.statesColor
      let fast = try ImageFile.encode(photo, as: format, options: options)
      options.effort = 9
      let slow = try ImageFile.encode(photo, as: format, options: options)
      #expect((fast != slow) == format.hasEffort(options), "\(format)")
    }
  }

  @Test(arguments: formats) func effortsAreClamped(format: ImageFileFormat) throws {
    let photo = photo(as: format)
    #expect(
      try encoded(photo, as: format, effort: -5) == encoded(photo, as: format, effort: 0))
    #expect(
      try encoded(photo, as: format, effort: 50) == encoded(photo, as: format, effort: 9))
  }

  #if WebP || JPEGXL || HEIF
    /// Lossy compression depends on the effort, too.
    @Test(arguments: formats.filter { ["WebP", "JPEG XL", "HEIF", "AVIF"].contains($0.name) })
    func lossyFilesDependOnTheEffort(format: ImageFileFormat) throws {
      let photo = photo(as: format)
      let (fast, slow) = (
        try encoded(photo, as: format, effort: 0, isLossless: false),
        try encoded(photo, as: format, effort: 9, isLossless: false)
      )
      #expect(fast != slow)
    }
  #endif

  /// Level 0 of zlib stores rows, of which each has a byte that names its filter.
  @Test func effort0StoresPNGUncompressed() throws {
    let photo = photo(as: .png)
    let bytes = try encoded(photo, as: .png, effort: 0)
    #expect(bytes.count > 64 * (3 * 96 + 1))
    #expect(try encoded(photo, as: .png, effort: 1).count < bytes.count * 3 / 4)
  }

  #if COLORLOOM_TIFF
    /// Without deflate there is no level to choose.
    @Test(arguments: [LosslessCompression.none, .lzw])
    func otherCompressionsIgnoreTheEffort(compression: LosslessCompression) throws {
      let photo = photo(as: .tiff)
      let plain = WritingOptions(compression: compression)
      var slow = plain
      slow.effort = 9
      #expect(
        try ImageFile.encode(photo, as: .tiff, options: plain)
          == ImageFile.encode(photo, as: .tiff, options: slow))
    }
  #endif

  #if JPEGXL
    /// libjxl compares its lossy encodings with the picture from effort 8 on, which takes more memory.
    @Test(arguments: [(7, 48 + 6), (8, 288 + 6)])
    func memoryOfJPEGXLDependsOnTheEffort(effort: Int, bytesPerPixel: Int) throws {
      let photo = photo(as: .jpegXL)
      var options = WritingOptions(memoryLimit: 1, effort: effort)
      options.isLossless = false
      let error = #expect(throws: ImageFileError.self) {
        try ImageFile.encode(photo, as: .jpegXL, options: options)
      }
      guard case .tooMuchMemoryToWrite(_, let needed, limit: 1) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      // One group of 256 × 256 pixels, and what the tables of libjxl take.
      #expect((0..<1 << 20).contains(needed - 5 << 22 - 96 * 64 * bytesPerPixel))
    }
  #endif
}
