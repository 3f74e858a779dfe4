import Colorloom
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// Crops of a picture read parts of its file.
@Suite struct PartialReadingTests {
  private static let size = PixelSize(75, 131)

  /// A picture of noise in each format and arrangement with random access, and in some without.
  private static func files() throws -> [(name: String, bytes: [UInt8])] {
    let noise = TestPictures.codes(as: UInt8.self, size, channels: .rgb)
    let light = TestPictures.floats(size, in: .linearSRGB, channels: .rgb)
    var untagged = WritingOptions()
    untagged.isUntagged = true
    var files = [
      ("png", try ImageFile.encode(.uint8(noise), as: .png)),
      ("tiff", try ImageFile.encode(.uint8(noise), as: .tiff)),
      ("exr", try ImageFile.encode(.float32(light), as: .openEXR)),
      ("bmp", try ImageFile.encode(.uint8(noise), as: .bmp)),
      ("ppm", try ImageFile.encode(.uint8(noise), as: .pnm, options: untagged)),
      ("pfm", try ImageFile.encode(.float32(light), as: .pfm, options: untagged)),
      ("npy", try ImageFile.encode(.uint8(noise), as: .numpy, options: untagged)),
    ]
    for isPlanar in [false, true] {
      var tiled = TestTIFF(width: size.width, height: size.height) { x, y, channel in
        Int(noise[x, y, channel])
      }
      (tiled.isPlanar, tiled.tile) = (isPlanar, (32, 16))
      files.append(("tiles" + (isPlanar ? " in planes" : ""), tiled.bytes))
    }
    return files
  }

  @Test func partsEqualThoseOfTheWhole() throws {
    let folder = try TemporaryFolder()
    for (name, bytes) in try Self.files() {
      let path = folder.path(name)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let picture = try Picture(contentsOf: path, assuming: .sRGB)
      let whole = try picture.render(as: Float.self)
      var generator = SeededGenerator(seed: 5)
      for _ in 0..<20 {
        let (x, y) = (
          Int.random(in: 0..<75, using: &generator), Int.random(in: 0..<131, using: &generator)
        )
        let part = Region(
          x: x, y: y, width: .random(in: 1...75 - x, using: &generator),
          height: .random(in: 1...131 - y, using: &generator))
        let expected = try Picture(whole).cropped(to: part).render(as: Float.self)
        let result = try picture.cropped(to: part).render(as: Float.self)
        #expect(result.firstDifference(from: expected) == nil, "\(name), \(part)")
      }
    }
  }

  /// Unneeded parts may even be damaged.
  @Test(arguments: ["tiff", "exr"]) func rowsAboveAreNotRead(name: String) throws {
    let folder = try TemporaryFolder()
    // Several strips that compress well.
    let size = PixelSize(400, 400)
    let codes = Bitmap<UInt8>(size, in: .sRGB, channels: .rgb) { x, y in
      [UInt8(x * y / 1000), UInt8(x / 2), UInt8(y / 2)]
    }
    let light = Bitmap<Float>(size, in: .linearSRGB, channels: .rgb) { x, y in
      [Float(x * y), Float(x / 8), Float(y / 8)]
    }
    var bytes =
      try name == "tiff"
      ? ImageFile.encode(.uint8(codes), as: .tiff) : ImageFile.encode(.float32(light), as: .openEXR)
    let sound = folder.path("sound"), damaged = folder.path("damaged")
    try Data(bytes).write(to: URL(fileURLWithPath: sound))
    for index in bytes.count / 4..<bytes.count / 4 + 50 { bytes[index] = 0xFF }
    try Data(bytes).write(to: URL(fileURLWithPath: damaged))
    let bottom = Region(x: 3, y: 380, width: 20, height: 11)
    let expected = try Picture(contentsOf: sound).cropped(to: bottom).render(as: Float.self)
    let picture = try Picture(contentsOf: damaged)
    #expect(throws: RenderError.self) { try picture.render(as: Float.self) }
    let result = try picture.cropped(to: bottom).render(as: Float.self)
    #expect(result.firstDifference(from: expected) == nil)
  }
}
