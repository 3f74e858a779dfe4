import ColorSpaces
import ColorloomTool
import Foundation
import ICCProfiles
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Errors and notes advise options that the verb has, for the file that they are about.
@Suite struct AdviceTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let photo = TestPictures.codes(as: UInt8.self, PixelSize(12, 8), channels: .rgb)
    for name in ["a.png", "b.png"] {
      try ImageFile.write(.uint8(photo), to: folder.path(name))
    }
    var options = WritingOptions()
    options.isUntagged = true
    try ImageFile.write(.uint8(photo), to: folder.path("untagged.png"), options: options)
    let pages = (1...2).map { TestPages.Directory(value: UInt8(10 * $0)) }
    try Data(TestPages.tiff(pages)).write(to: URL(filePath: folder.path("pages.tif")))
    try Data(ICCProfile(describing: .sRGB).bytes).write(to: URL(filePath: folder.path("p.icc")))
    try Data(#"{"version": 1, "steps": ["invert"]}"#.utf8)
      .write(to: URL(filePath: folder.path("recipe.json")))
    let frame = [UInt8](repeating: 128, count: 3 * 6 * 4)
    try (Data("YUV4MPEG2 W6 H4 F25:1 Ip A1:1 C444\nFRAME\n".utf8) + Data(frame))
      .write(to: URL(filePath: folder.path("in.y4m")))
  }

  /// Runs a command whose words with a file extension are files in the folder.
  private func tool(_ words: [String]) -> Transcript {
    let endings = [".png", ".exr", ".json", ".icc", ".tif", ".y4m", ".cube", ".foo"]
    return run(
      words.map { word in endings.contains { word.hasSuffix($0) } ? folder.path(word) : word })
  }

  @Test(arguments: [
    ["stream", "in.y4m", "out.y4m", "--composite", "untagged.png"],
    ["triangle", "o.png", "--composite", "untagged.png"],
    ["look", "bake", "o.cube", "--composite", "untagged.png"],
    ["convert", "a.png", "o.png", "--composite", "untagged.png"],
    ["compare", "a.png", "b.png", "--difference", "o.exr"],
    ["canary", "make", "o.exr"],
    ["montage", "a.png", "--out", "o.exr"],
    ["variants", "a.png", "--wide", "o.exr", "--narrow", "o.png"],
    ["inspect", "p.icc", "--plot", "o.foo"],
    ["inspect", "a.png", "--plot", "o.foo"],
    ["triangle", "o.foo"],
    ["run", "recipe.json", "pages.tif", "o.png", "--assume", "sRGB"],
    ["compare", "pages.tif", "pages.tif", "--assume", "sRGB"],
    ["plan", "recipe.json", "pages.tif", "--assume", "sRGB"],
    ["montage", "pages.tif", "--out", "o.png", "--assume", "sRGB"],
  ])
  func adviceNamesOptionsThatTheVerbHas(words: [String]) {
    let complaint = tool(words).complaint
    #expect(!complaint.isEmpty)
    // Commands of other verbs are quoted with the name of the tool.
    let advice = complaint.replacing(folder.path(""), with: "")
      .replacing(/“colorloom [^”]*”/, with: "")
    for option in advice.matches(of: /--[a-z][a-z-]*/).map({ String($0.output) }) {
      let known = run(words[0], option).complaint
      #expect(!known.contains("has no option"), "\(words[0]) \(option): \(complaint)")
    }
  }

  /// `--page` of “convert” is for its input.
  @Test func pagesOfFurtherPicturesAreNotChosen() {
    let words = ["convert", "a.png", "o.png", "--composite", "pages.tif", "--assume", "sRGB"]
    let complaint = tool(words).complaint
    #expect(complaint.contains("It has 2 pages"), "\(complaint)")
    #expect(complaint.contains("“colorloom convert --page” writes another one to a file."))
  }

  @Test(arguments: [
    ["stream", "in.y4m", "out.y4m"], ["triangle", "o.png"],
  ])
  func untaggedLayersCanBeUsed(words: [String]) {
    let layer = ["--composite", "untagged.png"]
    let refused = tool(words + layer)
    #expect(refused.complaint.contains("such as --assume sRGB"), "\(refused.errors)")
    let assumed = tool(words + layer + ["--assume", "sRGB"])
    #expect(assumed.status == .done, "\(assumed.errors)")
  }
}
