import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// `--crop WxH`.
@Suite struct SizedCropTests {
  private let folder: TemporaryFolder
  private let input, output: String

  init() throws {
    folder = try TemporaryFolder()
    (input, output) = (folder.path("photo.png"), folder.path("out.png"))
    let photo = TestPictures.codes(as: UInt8.self, PixelSize(40, 30), in: .sRGB, channels: .rgb)
    try ImageFile.write(.uint8(photo), to: input)
  }

  private func bytes(after words: [String]) throws -> Data {
    let result = run(["convert", input, output] + words)
    #expect(result.status == .done, "\(words): \(result.complaint)")
    return try Data(contentsOf: URL(filePath: output))
  }

  @Test(arguments: [
    ("12x8", "14,11,12x8"), ("to=12x8", "14,11,12x8"), ("12x8,x=0", "0,11,12x8"),
    ("12x8,y=1", "14,22,12x8"), ("12x8, x=1, y=0", "28,0,12x8"), ("to=12x8,y=0", "14,0,12x8"),
    ("40x8", "0,11,40x8"),
    // A side that is smaller stays.
    ("12x100", "14,0,12x30"), ("100x100,x=0", "0,0,40x30"),
  ])
  func sizesAreKeptAtTheCenterOrWhereSaid(value: String, region: String) throws {
    #expect(try bytes(after: ["--crop", value]) == bytes(after: ["--crop", region]))
  }

  /// The size of the picture at the step counts, and the crop is one among steps.
  @Test func theCropFollowsTheStepsBeforeIt() throws {
    #expect(
      try bytes(after: ["--resize", "50%", "--crop", "10x5", "--flip"])
        == bytes(after: ["--resize", "20x15", "--crop", "5,5,10x5", "--flip"]))
    #expect(
      try bytes(after: ["--crop", "0,0,20x20", "--crop", "10x10"])
        == bytes(after: ["--crop", "5,5,10x10"]))
  }

  @Test(arguments: [
    ("0x8", "“--crop 0x8” has no pixels."), ("12x8,z=1", "has no parameter “z” beside a size"),
    ("12x8,x=2", "needs a number from 0 to 1 for “x”"), ("12x8,x=0,x=1", "states “x” twice"),
    ("12", "A size alone, such as 800x600, is kept at the center."),
    ("12x", "A size alone, such as 800x600, is kept at the center."),
    ("12x8,", "A comma in the value of “--crop” has nothing before or after it"),
  ])
  func otherValuesAreExplained(value: String, sentence: String) {
    let refused = run("convert", input, output, "--crop", value)
    #expect(refused.status == .misused)
    #expect(refused.complaint.contains(sentence), "\(refused.complaint)")
  }
}
