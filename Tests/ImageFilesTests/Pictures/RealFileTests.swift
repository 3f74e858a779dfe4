import ColorSpaces
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Published files. They cannot be redistributed, so they lie beside the checkout.
private let folder = Fixtures.url("../../shared/images").standardizedFileURL
private let isPresent = FileManager.default.fileExists(atPath: folder.path)

@Suite(.enabled(if: isPresent, "skipped: the folder with other people's images is not here"))
struct RealFileTests {
  func path(_ name: String) -> String { folder.appending(path: name).path }

  @Test func aFileFromPhotoshopKeepsItsWideSpace() throws {
    let bitmap = try ImageFile.read(path("wide-P3-sRGB-red.png"))
    // The primaries of Display P3, with the curve of the profile's maker.
    #expect(bitmap.space.name == "DCI-P3-D65-2_2-Gamma")
    let displayP3 = ColorSpace("", primaries: bitmap.space.primaries, transfer: .sRGB)
    #expect(displayP3.isInterchangeable(with: .displayP3))
    #expect(bitmap.space.transfer.isInterchangeable(with: .gamma(2.2), within: 1e-3))
    #expect(bitmap.size == PixelSize(1000, 1000))
    #expect(bitmap.channels == .rgba)
    // The canary: two reds that become equal when the profile is dropped, or when they are clipped to sRGB.
    guard case .uint8(let pixels) = bitmap else {
      Issue.record("8 bits became \(bitmap.format)")
      return
    }
    var reds: Set<[UInt8]> = []
    for y in stride(from: 0, to: 1000, by: 10) {
      for x in stride(from: 0, to: 1000, by: 10) { reds.insert((0..<3).map { pixels[x, y, $0] }) }
    }
    #expect(reds.count >= 2)
  }

  @Test func realSixteenBitsWithGammaAndChromaticities() throws {
    let bitmap = try ImageFile.read(path("rgb-16.png"))
    #expect(bitmap.format == .uint16)
    #expect(bitmap.channels == .rgb)
    #expect(bitmap.space.primaries == .rec709)
    #expect(bitmap.space.transfer.isInterchangeable(with: .gamma(1 / 0.45455)))
  }

  @Test func realSixteenBitsOfGrayWithAlphaAndAGrayProfile() throws {
    let bitmap = try ImageFile.read(path("gray-alpha-16.png"))
    #expect(bitmap.format == .uint16)
    #expect(bitmap.channels == .grayAlpha)
    #expect(bitmap.size == PixelSize(109, 96))
  }

  @Test func realUntaggedFileIsRefusedUnlessAssumed() throws {
    #expect(throws: ImageFileError.untagged(file: path("alpha-paper.png"))) {
      try ImageFile.read(path("alpha-paper.png"))
    }
    let bitmap = try ImageFile.read(path("alpha-paper.png"), assuming: .sRGB)
    #expect(bitmap.space == .sRGB)
    #expect(bitmap.channels == .rgba)
  }

  /// One scene in the eight orientations, each compressed separately.
  @Test func realCameraFilesAreReadUpright() throws {
    guard case .uint8(let upright) = try ImageFile.read(path("orientation-1.jpg"), assuming: .sRGB)
    else { throw Failure("8 bits became something else.") }
    for number in 2...8 {
      guard
        case .uint8(let turned) = try ImageFile.read(
          path("orientation-\(number).jpg"), assuming: .sRGB)
      else { throw Failure("8 bits became something else.") }
      #expect(turned.size == upright.size)
      var sum = 0
      for y in stride(from: 0, to: upright.size.height, by: 5) {
        for x in stride(from: 0, to: upright.size.width, by: 5) {
          sum += abs(Int(turned[x, y, 1]) - Int(upright[x, y, 1]))
        }
      }
      // Compression differs between the files by 14 codes on average; a wrong orientation by 50 and more.
      let count = (upright.size.height / 5) * (upright.size.width / 5)
      #expect(sum < 20 * count, "orientation \(number): \(Double(sum) / Double(count))")
    }
  }

  @Test func wideCameraFilesKeepTheirSpace() throws {
    #expect(try ImageFile.read(path("wide-P3-sRGB-red.jpg")).space.primaries != .rec709)
    #expect(try ImageFile.read(path("wide-R2020-sRGB-color-ring.jpg")).space.primaries != .rec709)
  }

  @Test func realCMYKRequiresItsProfile() throws {
    guard case .float32(let picture) = try ImageFile.read(path("cmyk-profile.jpg")) else {
      throw Failure("Inks became something else than floats.")
    }
    #expect(picture.space == .proPhoto)
    var (least, most) = (Float.infinity, -Float.infinity)
    for y in stride(from: 0, to: picture.size.height, by: 7) {
      for sample in picture.row(y) { (least, most) = (min(least, sample), larger(most, sample)) }
    }
    // Paper is white, within half a step of the profile's table; no print is brighter.
    #expect(least > -0.05 && (0.5...1.01).contains(most))
    #expect(throws: ImageFileError.inks(file: path("cmyk-no-profile.jpg"))) {
      try ImageFile.read(path("cmyk-no-profile.jpg"), assuming: .sRGB)
    }
  }

  @Test func realLabAndFaxFilesAreRead() throws {
    #expect(try ImageFile.read(path("lab.tiff")).space == .lab)
    let fax = try ImageFile.read(path("bilevel.tiff"), assuming: .sRGB)
    #expect(fax.channels == .gray && fax.size == PixelSize(2464, 3248))
  }

  @Test func everyHalfOfARealOpenEXRFileIsRead() throws {
    guard case .float16(let all) = try ImageFile.read(path("AllHalfValues.exr")) else {
      throw Failure("Halves became something else.")
    }
    var patterns: Set<UInt16> = []
    for y in 0..<all.size.height { patterns.formUnion(all.row(y).map(\.bitPattern)) }
    #expect(patterns.count == 65_536)
  }
}
