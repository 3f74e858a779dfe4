import Colorloom
import Foundation
import ICCProfiles
import ImageFiles
import Testing
import _TestSupport

/// Files that other programs wrote, by `Fixtures/Images/make.py`: the checks of ``RealFileTests`` on every machine.
@Suite struct FixtureImageTests {
  private func path(_ name: String) -> String { Fixtures.url("Images/\(name)").path }

  private func bytes(_ name: String, assuming space: ColorSpace? = nil) throws -> Bitmap<UInt8> {
    let bitmap = try ImageFile.read(path(name), assuming: space)
    guard case .uint8(let pixels) = bitmap else {
      throw Failure("\(name): 8 bits became \(bitmap.format).")
    }
    return pixels
  }

  /// A wide-gamut disc of three tenths of the picture is found through JPEG, in spite of the tolerance for compression.
  @Test(arguments: [50, 75, 90]) func wideFieldsAreFoundThroughJPEG(quality: Int) throws {
    let folder = try TemporaryFolder()
    let picture = try Picture(contentsOf: path("wide-p3-red.png"))
      .flattened(onto: ColorPoint(1, 1, 1, in: .sRGB))
    #expect(try picture.firstPixel(outside: .sRGB) != nil)
    var writing = WritingOptions()
    writing.quality = quality
    try picture.write(to: folder.path("wide.jpg"), writing: writing)
    let part = try Picture(contentsOf: folder.path("wide.jpg")).fractionOutside(.sRGB)
    #expect((0.15...0.4).contains(part), "\(part)")
  }

  /// The primaries of Display P3 with another curve, as image editors write them.
  @Test func aProfileOfNoNamedSpaceKeepsItsWideColors() throws {
    let pixels = try bytes("wide-p3-red.png")
    let red = ColorPoint(1, 0, 0, in: pixels.space).converted(to: .displayP3)
    // The profile stores steps of 2⁻¹⁶, and the curve of Display P3 is steep near zero.
    #expect(abs(red.components.x - 1) < 1e-3 && abs(red.components.y) < 1e-2)
    #expect(pixels.space.transfer.isInterchangeable(with: .gamma(2.2), within: 1e-3))
    #expect(pixels.channels == .rgba && pixels.size == PixelSize(64, 64))
    #expect((0..<3).map { pixels[32, 32, $0] } == [255, 0, 0])
    #expect((0..<3).map { pixels[1, 1, $0] } == [234, 51, 35])
    #expect(try Picture(pixels).fractionOutside(.displayP3) == 0)
    #expect(try Picture(pixels).firstPixel(outside: .sRGB) != nil)
  }

  @Test func sixteenBitsWithGammaAndChromaticities() throws {
    let bitmap = try ImageFile.read(path("rgb-16-gamma.png"))
    #expect(bitmap.channels == .rgb && bitmap.space.primaries == .rec709)
    #expect(bitmap.space.transfer.isInterchangeable(with: .gamma(1 / 0.45455)))
    guard case .uint16(let pixels) = bitmap else { throw Failure("16 bits became less.") }
    #expect((0..<3).map { pixels[5, 7, $0] } == [5000, 10_500, 61_035])
  }

  @Test func sixteenBitsOfGrayWithAlphaAndAGrayProfile() throws {
    let bitmap = try ImageFile.read(path("gray-alpha-16.png"))
    #expect(bitmap.channels == .grayAlpha && bitmap.size == PixelSize(109, 96))
    guard case .uint16(let pixels) = bitmap else { throw Failure("16 bits became less.") }
    #expect((0..<2).map { pixels[100, 90, $0] } == [60_000, 4335])
    #expect(abs(bitmap.space.transfer.decode(0.5) - 0.2973) < 1e-3, "x to the power of 1.75")
  }

  @Test func untaggedFileIsRefusedUnlessAssumed() throws {
    #expect(throws: ImageFileError.untagged(file: path("untagged-alpha.png"))) {
      try ImageFile.read(path("untagged-alpha.png"))
    }
    let pixels = try bytes("untagged-alpha.png", assuming: .sRGB)
    #expect((0..<4).map { pixels[10, 20, $0] } == [40, 200, 100, 215])
  }

  /// One scene in the eight orientations, each compressed separately.
  @Test func cameraFilesAreReadUpright() throws {
    let upright = try bytes("orientation-1.jpg", assuming: .sRGB)
    for number in 2...8 {
      let turned = try bytes("orientation-\(number).jpg", assuming: .sRGB)
      #expect(turned.size == upright.size)
      var sum = 0
      for y in 0..<upright.size.height {
        for x in 0..<upright.size.width { sum += abs(Int(turned[x, y, 1]) - Int(upright[x, y, 1])) }
      }
      // Compression differs between the files by 2 codes on average; a wrong orientation by 16 and more.
      let mean = Double(sum) / Double(upright.size.width * upright.size.height)
      #expect(mean < 5, "orientation \(number): \(mean)")
    }
  }

  @Test(arguments: [
    ("wide-p3.jpg", ColorSpace.displayP3), ("wide-rec2020-progressive.jpg", .rec2020Camera),
    ("camera-adobe-rgb.jpg", .adobeRGB), ("scene.png", .sRGB), ("tiled-lzw.tiff", .sRGB),
  ])
  func filesKeepTheirSpace(name: String, space: ColorSpace) throws {
    #expect(try ImageFile.read(path(name)).space == space)
  }

  /// Tiles, planes, Adam7 and palettes hold the same pixels as the plain file.
  @Test(arguments: ["tiled-lzw.tiff", "planes-zip.tiff", "interlaced.png"])
  func everyLayoutHoldsTheSamePixels(name: String) throws {
    #expect(try bytes(name).sampleBytes == bytes("scene.png").sampleBytes)
  }

  @Test func palettesAreExpanded() throws {
    let (plain, reduced) = (try bytes("scene.png"), try bytes("palette.png", assuming: .sRGB))
    #expect(reduced.size == plain.size)
    var most = 0
    for y in 0..<plain.size.height {
      for x in 0..<plain.size.width {
        most = max(most, abs(Int(plain[x, y, 1]) - Int(reduced[x, y, 1])))
      }
    }
    // The colors of the scene in 256 or fewer, by libvips.
    #expect(most < 24)
  }

  @Test func cmykRequiresItsProfile() throws {
    guard case .float32(let picture) = try ImageFile.read(path("cmyk-profile.jpg")) else {
      throw Failure("Inks became something else than floats.")
    }
    #expect(picture.space == .proPhoto)
    let samples = (0..<picture.size.height).flatMap { Array(picture.row($0)) }
    let (least, most) = (samples.min() ?? .nan, samples.reduce(-.infinity, larger))
    // Paper is white, within half a step of the profile's table; no print is brighter.
    #expect(least > -0.05 && (0.9...1.01).contains(most), "\(least)…\(most)")
    #expect(throws: ImageFileError.inks(file: path("cmyk-no-profile.jpg"))) {
      try ImageFile.read(path("cmyk-no-profile.jpg"), assuming: .sRGB)
    }
  }

  /// Tiled rendering on all threads equals the rows of decoders, bit for bit.
  @Test func cmykPicturesEqualTheirRows() throws {
    guard case .float32(let rows) = try ImageFile.read(path("cmyk-profile.jpg")) else {
      throw Failure("CMYK did not become floats.")
    }
    let picture = try Picture(contentsOf: path("cmyk-profile.jpg"))
    for (tile, threads) in [(16, 1), (64, 2), (4096, 4)] {
      var options = RenderOptions()
      (options.tile, options.threads) = (PixelSize(tile, tile), threads)
      #expect(try picture.render(as: Float.self, options: options) == rows)
    }
    // The first step is fused with the conversion of CMYK; a source that is not read row by row is not.
    let opened = try OpenedImageFile(path("cmyk-profile.jpg"))
    let reference = ReferenceEvaluator()
    for changed in [
      picture.converted(to: .sRGB), picture.blurred(sigma: 1), picture.exposure(1).flipped(),
      picture.cached(in: PictureCache(bytes: 1 << 20)).exposure(1),
    ] {
      let exact = try reference.render(changed)
      let shown = try changed.render(as: Float.self)
      var worst = 0.0
      for y in 0..<shown.size.height {
        for x in 0..<shown.size.width {
          for channel in 0..<3 {
            worst = larger(worst, abs(Double(shown[x, y, channel]) - exact[x, y][channel]))
          }
        }
      }
      // Single precision against double precision.
      #expect(worst < 1e-5, "\(worst)")
    }
    #expect(opened.info.holdsInks)
  }

  /// CMYK without a profile is read with an assumed one.
  @Test func untaggedCMYKTakesAnAssumedProfile() throws {
    let press = try Fixtures.profile("cmyk-mft2")
    let picture = try Picture(contentsOf: path("cmyk-no-profile.jpg"), assumingInks: press)
    #expect(picture.space == .proPhoto)
    let stored = try picture.render(as: Float.self)
    let samples = (0..<stored.size.height).flatMap { Array(stored.row($0)) }
    #expect(samples.allSatisfy { $0 > -0.05 && $0 < 1.01 })
    #expect(throws: ImageFileError.self) {
      try Picture(
        contentsOf: path("cmyk-no-profile.jpg"), assumingInks: ICCProfile(describing: .sRGB))
    }
  }

  @Test func labAndFaxFilesAreRead() throws {
    #expect(try ImageFile.read(path("lab.tiff")).space == .lab)
    let fax = try ImageFile.read(path("fax.tiff"), assuming: .sRGB)
    #expect(fax.channels == .gray && fax.size == PixelSize(304, 200))
    let bits = fax.sampleBytes
    for (x, y) in [(0, 0), (8, 0), (303, 199), (100, 77)] {
      #expect(bits[304 * y + x] == ((x / 8 + y / 5) % 3 == 0 ? 0 : 255), "\(x), \(y)")
    }
  }

  @Test(arguments: ["tiles.exr", "mipmap.exr"])
  func tilesOfTheLargestLevelAreRead(name: String) throws {
    guard case .float16(let ramp) = try ImageFile.read(path(name)) else {
      throw Failure("Halves became something else.")
    }
    #expect(ramp.size == PixelSize(40, 24))
    for (x, y) in [(0, 0), (39, 23), (17, 15), (16, 16)] {
      // Blue, green and red are stored in this order, as channels 0, 1 and 2.
      let expected = (0..<3).map { Float16(Double(x) / 40 + Double((2 - $0) * y) / 50) }
      #expect((0..<3).map { ramp[x, y, $0] } == expected, "\(x), \(y)")
    }
  }

  @Test func everyHalfOfAnOpenEXRFileIsRead() throws {
    guard case .float16(let all) = try ImageFile.read(path("all-halves.exr")) else {
      throw Failure("Halves became something else.")
    }
    var patterns: Set<UInt16> = []
    for y in 0..<all.size.height { patterns.formUnion(all.row(y).map(\.bitPattern)) }
    #expect(patterns.count == 65_536)
  }
}

extension Bitmap<UInt8> {
  fileprivate var sampleBytes: [UInt8] { AnyBitmap(self).sampleBytes }
}
