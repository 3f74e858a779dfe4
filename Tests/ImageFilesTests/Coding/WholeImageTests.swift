#if WebP || JPEGXL || HEIF
  import Colorloom
  import Foundation
  import ICCProfiles
  import ImageFiles
  import Testing
  import _TestSupport

  /// The formats of package traits: behavior beyond that of every format.
  @Suite struct WholeImageTests {
    private static var formats: [ImageFileFormat] {
      let names = ["WebP", "JPEG XL", "HEIF", "AVIF"]
      return ImageFileFormat.all.filter { names.contains($0.name) }
    }

    /// Smooth, like photographs.
    private func photo(in space: ColorSpace) -> Bitmap<UInt8> {
      Bitmap(PixelSize(96, 64), in: space, channels: .rgb) { x, y in
        [UInt8(2 * x), UInt8(3 * y), UInt8(255 - x - y)]
      }
    }

    @Test(arguments: formats)
    func qualityIsHonored(format: ImageFileFormat) throws {
      let photo = photo(in: .displayP3)
      var sizes: [Int] = []
      for (quality, largest) in [(30, 20.0), (95, 3)] {
        var options = WritingOptions()
        options.quality = quality
        let bytes = try ImageFile.encode(.uint8(photo), as: format, options: options)
        let read = try Picture(ImageFile.read(bytes: bytes))
        // Visible differences begin at ΔE 1; a few pixels may differ by more.
        let comparison = try PictureComparison(of: read, with: Picture(photo))
        #expect(comparison.mean < largest / 3 && comparison.maximum < largest * 2)
        sizes.append(bytes.count)
      }
      #expect(sizes[0] < sizes[1])
    }

    @Test(arguments: formats)
    func spacesAreStated(format: ImageFileFormat) throws {
      var options = WritingOptions()
      options.isLossless = true
      for space in [ColorSpace.sRGB, .displayP3, .adobeRGB, .proPhoto, .rec709] {
        let bytes = try ImageFile.encode(.uint8(photo(in: space)), as: format, options: options)
        #expect(try ImageFile.info(bytes: bytes).color.isSpace(space), "\(format), \(space)")
      }
      // High dynamic range needs code points, which WebP does not have.
      for space in [ColorSpace.rec2100PQ, .rec2100HLG] where format.name != "WebP" {
        let bitmap = Bitmap<UInt16>(PixelSize(8, 8), in: space, channels: .rgb) { x, y in
          [UInt16(x * 8000), UInt16(y * 8000), 30_000]
        }
        let bytes = try ImageFile.encode(.uint16(bitmap), as: format, options: options)
        #expect(try ImageFile.info(bytes: bytes).color.isSpace(space), "\(format), \(space)")
      }
    }

    @Test(arguments: formats)
    func metadataIsKept(format: ImageFileFormat) throws {
      var options = WritingOptions()
      options.metadata.xmp = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8)
      options.metadata.exif = TestEXIF(orientation: 6).bytes
      let bytes = try ImageFile.encode(.uint8(photo(in: .sRGB)), as: format, options: options)
      let info = try ImageFile.info(bytes: bytes)
      #expect(info.metadata.xmp == options.metadata.xmp)
      #expect(info.metadata.exif?.isEmpty == false)
      // Pixels are written upright, and the metadata states that.
      #expect(info.orientation == .upright)
    }

    /// The light levels of HDR pictures, in the steps of the boxes.
    @Test(arguments: formats.filter { $0.metadataKinds.contains(.contentLight) })
    func lightLevelsAreKept(format: ImageFileFormat) throws {
      var options = WritingOptions()
      options.metadata.contentLight = .init(maximum: 1234, frameAverage: 321)
      options.metadata.masteringDisplay = .init(
        primaries: ColorSpace.displayP3.primaries, luminance: 0.005...1000)
      let bytes = try ImageFile.encode(.uint8(photo(in: .rec2100PQ)), as: format, options: options)
      let read = try ImageFile.info(bytes: bytes).metadata
      #expect(read.contentLight == options.metadata.contentLight)
      let display = try #require(read.masteringDisplay)
      #expect(abs(display.luminance.lowerBound - 0.005) < 1e-9)
      #expect(abs(display.luminance.upperBound - 1000) < 1e-9)
      for (found, given) in zip(
        [display.primaries.red, display.primaries.green, display.primaries.blue],
        [Chromaticity(0.68, 0.32), Chromaticity(0.265, 0.69), Chromaticity(0.15, 0.06)])
      {
        // Half a step of 0.00002.
        #expect(abs(found.x - given.x) <= 1.01e-5 && abs(found.y - given.y) <= 1.01e-5)
      }
      #expect(abs(display.primaries.white.x - 0.3127) <= 1.01e-5)
      // The PNG of the same picture says the same.
      options.metadata = read
      let png = try ImageFile.encode(.uint8(photo(in: .rec2100PQ)), as: .png, options: options)
      #expect(try ImageFile.info(bytes: png).metadata == read)
      // A file cut off within its boxes states nothing or is an error, and neither crashes.
      for count in stride(from: 12, to: min(bytes.count, 600), by: 7) {
        _ = try? ImageFile.info(bytes: Array(bytes.prefix(count)))
      }
    }

    /// JPEG XL keeps 16 bits; the others hold fewer, and say so.
    @Test(arguments: formats)
    func lostBitsOfLosslessFilesAreNoted(format: ImageFileFormat) throws {
      let folder = try TemporaryFolder()
      let path = folder.path("a.\(format.fileExtensions[0])")
      let deep = Picture(TestPictures.codes(as: UInt16.self, PixelSize(16, 16), channels: .rgb))
      let expected: [ImageFileNote] =
        switch format.name {
        case "WebP": [.reducedDepth(bits: 8, format: format)]
        case "JPEG XL": []
        default: [.reducedDepth(bits: 12, format: format)]
        }
      let lossless = WritingOptions(isLossless: true)
      #expect(try deep.write(to: path, writing: lossless).notes == expected)
      #expect(try deep.write(to: path).notes.isEmpty)
      let shallow = Picture(photo(in: .sRGB))
      #expect(try shallow.write(to: path, samples: .uint8, writing: lossless).notes.isEmpty)
    }

    @Test(arguments: formats)
    func filesPassThroughPictures(format: ImageFileFormat) throws {
      let folder = try TemporaryFolder()
      let path = folder.path("a.\(format.fileExtensions[0])")
      var writing = WritingOptions()
      writing.isLossless = true
      let picture = Picture(photo(in: .displayP3))
      try picture.write(to: path, samples: .uint8, writing: writing)
      #expect(try Picture(contentsOf: path).render(as: UInt8.self) == picture.render())
    }
  }

  extension StatedColor {
    fileprivate func isSpace(_ space: ColorSpace) -> Bool {
      if case .space(space, by: _) = self { true } else { false }
    }
  }
#endif
