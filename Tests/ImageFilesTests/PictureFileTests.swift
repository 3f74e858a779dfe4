import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Pictures from files to files.
@Suite struct PictureFileTests {
  @Test func theThread() throws {
    let folder = try TemporaryFolder()
    let source = TestPictures.codes(as: UInt16.self, in: .displayP3, channels: .rgba)
    try ImageFile.write(.uint16(source), to: folder.path("in.png"))

    let picture = try Picture(contentsOf: folder.path("in.png"))
      .inverted()
      .toneCurves(red: FilmCurves.red, green: FilmCurves.green, blue: FilmCurves.blue)
      .exposure(0.5)
      .resized(to: .exact(31, 17))
      .converted(to: .sRGB)
    try picture.write(to: folder.path("out.png"))

    guard case .uint16(let result) = try ImageFile.read(folder.path("out.png")) else {
      Issue.record("The file has no 16-bit samples.")
      return
    }
    #expect(result.space == .sRGB)
    #expect(try result == picture.render())
    let reference = try ReferenceEvaluator().render(picture)
    for y in 0..<17 {
      for x in 0..<31 {
        for channel in 0..<4 {
          let expected = min(max(reference[x, y][channel], 0), 1) * 65535
          // Half a code for the rounding, and the chain's error of 4·10⁻⁵, enlarged by dividing by coverage.
          let coverage = max(reference[x, y].w, 1e-3)
          #expect(abs(Double(result[x, y, channel]) - expected) <= 0.5 + 2.6 / coverage)
        }
      }
    }
  }

  @Test func otherDepthsAndRefusals() throws {
    let folder = try TemporaryFolder()
    let picture = Picture(TestPictures.codes(as: UInt8.self))
    try picture.write(to: folder.path("8.png"), samples: .uint8)
    #expect(try ImageFile.read(folder.path("8.png")).format == .uint8)
    #expect(throws: ImageFileError.self) {
      try picture.write(to: folder.path("float.png"), samples: .float32)
    }
    #expect(throws: ImageFileError.self) {
      try picture.resized(to: .exact(0, 0)).write(to: folder.path("empty.png"))
    }
    for name in ["float.png", "empty.png"] {
      #expect(!FileManager.default.fileExists(atPath: folder.path(name)))
    }
  }
}
