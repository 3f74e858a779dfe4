import Colorloom
import Foundation
import ImageFiles
import Testing
import _TestSupport

func makeThumbnail(of path: String, at result: String) throws {
  let small = try Picture(contentsOf: path).thumbnail(256, in: .sRGB)
  try small.sharpened(sigma: 0.6, amount: 0.4).write(to: result)
}

/// The code of the guide “First minutes”, whose other steps `.ci/first-minutes` runs.
@Suite struct FirstMinutesExamples {
  @Test func aThumbnailIsMade() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("small.png")
    try makeThumbnail(of: Fixtures.url("negative.png").path, at: path)
    let small = try ImageFile.read(path)
    #expect(small.size == PixelSize(256, 171) && small.space == .sRGB)
  }

  /// The guide says that the error of an untagged file names the call to write.
  @Test func anUntaggedFileIsAnErrorThatSaysHowToGoOn() throws {
    let folder = try TemporaryFolder()
    let untagged = Fixtures.url("Images/orientation-6.jpg").path
    let error = try #require(throws: ImageFileError.self) {
      try makeThumbnail(of: untagged, at: folder.path("small.png"))
    }
    let text = "\(error)"
    #expect(text.contains("states no color space") && text.contains("assuming: .sRGB"), "\(text)")
    #expect(!text.contains("\n"))
  }
}
