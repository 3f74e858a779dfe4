import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Published files. They cannot be redistributed, so they lie beside the checkout.
private let images = Fixtures.url("../../shared/images").standardizedFileURL
private let hasImages = FileManager.default.fileExists(atPath: images.path)

/// Out-of-gamut detection in JPEG files, with the precision of their quantization tables.
@Suite struct JPEGPrecisionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The print of the shipped negative, gamut-mapped to sRGB: many colors lie on the surface.
  private static func narrowPhoto() throws -> Picture {
    let scan = try Picture(contentsOf: Fixtures.url("negative.png").path)
    let photo = scan.developed(.colorNegative()).resized(to: .fit(180, 120))
    return Picture(try photo.converted(to: .sRGB).render(as: UInt8.self))
  }

  @Test(arguments: [50, 60, 75, 90, 95, 100], [ChromaSampling.full, .quarter])
  func photosInGamutStayInGamut(quality: Int, chroma: ChromaSampling) throws {
    let narrow = try Self.narrowPhoto()
    let wide = Picture(Canary(size: PixelSize(192, 64)), in: .displayP3)
    var writing = WritingOptions()
    (writing.quality, writing.chroma) = (quality, chroma)
    for space in [ColorSpace.displayP3, .rec2020, .adobeRGB] {
      let path = folder.path("narrow.jpg")
      try narrow.converted(to: space).write(to: path, writing: writing)
      let file = try Picture(contentsOf: path)
      // At low qualities, ringing next to hard edges exceeds the tolerance in single pixels.
      let bound = quality < 75 ? 1e-3 : 0
      #expect(try file.fractionOutside(.sRGB) <= bound, "\(space)")
      // Without the tolerance of the tables, some pixels are out of gamut at every quality.
      let halfCode = try Picture(file.render(as: UInt8.self)).fractionOutside(.sRGB)
      if quality < 95 { #expect(halfCode > 0, "\(space)") }
    }
    let path = folder.path("wide.jpg")
    try wide.write(to: path, writing: writing)
    #expect(try Picture(contentsOf: path).fractionOutside(.sRGB) > 0.1)
  }

  /// The finest tables have a small tolerance, coarse ones more, subsampled chroma at least 25 codes, and none more
  /// than 40.
  @Test func marginsFollowTheTables() throws {
    let picture = Picture(Canary(size: PixelSize(96, 32)), in: .displayP3)
    func codes(_ quality: Int, _ chroma: ChromaSampling) throws -> Double {
      var writing = WritingOptions()
      (writing.quality, writing.chroma) = (quality, chroma)
      let path = folder.path("\(quality).jpg")
      try picture.write(to: path, writing: writing)
      return try Picture(contentsOf: path).sourcePrecisions[0].compressionError * 255
    }
    #expect(try codes(100, .full) == 6)
    #expect(try codes(100, .quarter) == 25)
    // The chroma table of quality 90 (ISO 10918-1, table K.2, divided by 5) has a root mean square of 18.
    #expect(abs(try codes(90, .full) - 25.7) < 0.5)
    #expect(try codes(30, .full) == 40)
  }

  /// Real files of a wide-gamut logo and a wide-gamut ring. The PNG's background differs from sRGB's red by up to 1.5
  /// codes, which half a code does not explain for a part of it; a fixed tolerance flagged all of it.
  @Test(.enabled(if: hasImages, "skipped: the folder with other people's images is not here"))
  func realWideFilesAreFound() throws {
    for (name, parts) in [
      ("wide-P3-sRGB-red.png", 0.07...0.4), ("wide-P3-sRGB-red.jpg", 0.07...0.1),
      ("wide-R2020-sRGB-color-ring.jpg", 0.05...0.95),
    ] {
      let picture = try Picture(contentsOf: images.appending(path: name).path)
      let part = try picture.fractionOutside(.sRGB)
      #expect(parts.contains(part), "\(name): \(part)")
      for quality in [50, 75, 100] {
        var writing = WritingOptions()
        writing.quality = quality
        let again = folder.path("again.jpg")
        let opaque = picture.flattened(onto: ColorPoint(1, 1, 1, in: .sRGB))
        try opaque.write(to: again, writing: writing)
        #expect(try Picture(contentsOf: again).firstPixel(outside: .sRGB) != nil, "\(name)")
      }
    }
  }
}
