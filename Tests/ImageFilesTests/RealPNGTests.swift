import ColorSpaces
import Foundation
import ImageBuffer
import ImageFiles
import Testing

/// Files from the world. They are others' property, so they lie beside the checkout.
private let folder = URL(filePath: #filePath).deletingLastPathComponent()
  .appending(path: "../../../shared/images").standardizedFileURL
private let isPresent = FileManager.default.fileExists(atPath: folder.path)

@Suite(.enabled(if: isPresent, "skipped: the folder with other people's images is not here"))
struct RealPNGTests {
  func path(_ name: String) -> String { folder.appending(path: name).path }

  @Test func aFileFromPhotoshopKeepsItsWideSpace() throws {
    let bitmap = try ImageFile.read(path("wide-P3-sRGB-red.png"))
    // The lights of Display P3, with the curve that the profile's maker chose.
    #expect(bitmap.space.name == "DCI-P3-D65-2_2-Gamma")
    let displayP3 = ColorSpace("", primaries: bitmap.space.primaries, transfer: .sRGB)
    #expect(displayP3.isInterchangeable(with: .displayP3))
    #expect(bitmap.space.transfer.isInterchangeable(with: .gamma(2.2), within: 1e-3))
    #expect(bitmap.size == PixelSize(1000, 1000))
    #expect(bitmap.channels == .rgba)
    // The canary: two reds that become one when the profile is dropped, or clipped to sRGB.
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

  @Test func sixteenBitsWithGammaAndLights() throws {
    let bitmap = try ImageFile.read(path("rgb-16.png"))
    #expect(bitmap.format == .uint16)
    #expect(bitmap.channels == .rgb)
    #expect(bitmap.space.primaries == .rec709)
    #expect(bitmap.space.transfer.isInterchangeable(with: .gamma(1 / 0.45455)))
  }

  @Test func sixteenBitsOfGrayWithAlphaAndAGrayProfile() throws {
    let bitmap = try ImageFile.read(path("gray-alpha-16.png"))
    #expect(bitmap.format == .uint16)
    #expect(bitmap.channels == .grayAlpha)
    #expect(bitmap.size == PixelSize(109, 96))
  }

  @Test func aFileThatDoesNotSayIsRefusedUnlessAssumed() throws {
    #expect(throws: ImageFileError.untagged(file: path("alpha-paper.png"))) {
      try ImageFile.read(path("alpha-paper.png"))
    }
    let bitmap = try ImageFile.read(path("alpha-paper.png"), assuming: .sRGB)
    #expect(bitmap.space == .sRGB)
    #expect(bitmap.channels == .rgba)
  }
}
