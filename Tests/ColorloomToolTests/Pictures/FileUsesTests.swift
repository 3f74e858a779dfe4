import ColorSpaces
import ColorloomTool
import Foundation
import ICCProfiles
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// What a command writes replaces nothing that it reads, and no other result.
@Suite struct FileUsesTests {
  private let folder: TemporaryFolder
  private let first, second: String

  init() throws {
    folder = try TemporaryFolder()
    (first, second) = (folder.path("a.png"), folder.path("b.png"))
    let picture = TestPictures.codes(as: UInt8.self, PixelSize(20, 14), in: .sRGB, channels: .rgb)
    for path in [first, second] { try ImageFile.write(.uint8(picture), to: path) }
  }

  private func expectRefusal(_ words: [String], _ sentence: String) {
    let transcript = run(words)
    #expect(transcript.status == .misused, "\(words)")
    #expect(transcript.complaint.contains(sentence), "\(transcript.complaint)")
  }

  @Test func filesThatAreReadAreNotReplaced() throws {
    let before = try Data(contentsOf: URL(filePath: first))
    for (words, option) in [
      (["montage", first, second], "--out"), (["compare", first, second], "--difference"),
      (["inspect", first], "--plot"), (["inspect", first], "--extract-profile"),
      (["report", first], "--out"), (["report", second, "--original", first], "--out"),
      (["variants", first, "--narrow", folder.path("n.png")], "--wide"),
    ] {
      expectRefusal(
        words + [option, first], "“\(option) \(first)” would replace “\(first)”, which is read.")
    }
    #expect(try Data(contentsOf: URL(filePath: first)) == before)
  }

  /// A profile is read, but a file that has the name of a space is not.
  @Test func meshesDoNotReplaceTheirProfile() throws {
    let profile = folder.path("p3.icc")
    let bytes = Data(try ICCProfile(describing: .displayP3).bytes)
    try bytes.write(to: URL(filePath: profile))
    expectRefusal(
      ["spaces", profile, "--mesh", profile],
      "“--mesh \(profile)” would replace “\(profile)”, which is read.")
    #expect(try Data(contentsOf: URL(filePath: profile)) == bytes)
    let words = ["spaces", profile, "--steps", "1", "--mesh", folder.path("p3.ply")]
    #expect(run(words).status == .done)
  }

  @Test func resultsDoNotReplaceEachOther() {
    let (wide, narrow) = (folder.path("wide.png"), folder.path("narrow.png"))
    let words = ["variants", first, "--wide", wide, "--narrow", narrow, "--manifest", narrow]
    expectRefusal(words, "“--narrow \(narrow)” and “--manifest \(narrow)” name the same file.")
    #expect(!FileManager.default.fileExists(atPath: wide))
  }

  /// A look of one list, or a baked one, would replace all lists of a file.
  @Test func looksAreNotConvertedInPlace() throws {
    func list(_ id: String) -> String {
      "<ColorCorrection id=\"\(id)\"><SOPNode><Slope>1.1 1 0.9</Slope><Offset>0 0 0</Offset>"
        + "<Power>1 1 1</Power></SOPNode></ColorCorrection>"
    }
    let (grades, link) = (folder.path("grades.ccc"), folder.path("link.ccc"))
    let lists = Data(
      "<ColorCorrectionCollection>\(list("a"))\(list("b"))</ColorCorrectionCollection>".utf8)
    try lists.write(to: URL(filePath: grades))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: grades)
    for (look, output) in [(grades, grades), ("\(grades),id=b", grades), (grades, link)] {
      expectRefusal(
        ["look", "convert", look, output], "“\(output)” would replace “\(grades)”, which is read.")
    }
    #expect(try Data(contentsOf: URL(filePath: grades)) == lists)
    #expect(run("look", "convert", grades, folder.path("other.cc")).status == .done)
  }

  @Test func aPictureThatIsNamedTwiceIsRefused() {
    let out = ["--out", folder.path("o-{name}.png")]
    expectRefusal(["convert", first, first] + out, "“\(first)” is named twice")
    #expect(run("convert", first, first, "--out", folder.path("{number}.png")).status == .done)
  }

  /// A link is the file that it leads to, and “..” behind one leads out of the folder that it leads to.
  @Test func linksAreFollowed() throws {
    let files = FileManager.default
    let (link, deep) = (folder.path("link"), folder.path("in/deep"))
    try files.createDirectory(atPath: deep, withIntermediateDirectories: true)
    try files.createSymbolicLink(atPath: link, withDestinationPath: deep)
    let input = folder.path("in/a.png")
    try files.copyItem(atPath: first, toPath: input)
    expectRefusal(["convert", input, second, "--out", "\(link)/../{name}.png"], "which is read")
    let alias = folder.path("alias.png")
    try files.createSymbolicLink(atPath: alias, withDestinationPath: second)
    expectRefusal(["compare", first, second, "--difference", alias], "which is read")
    // Folders that are not there yet have several names, too.
    let pattern = "{folder}/new/./{name}.png"
    expectRefusal(
      ["convert", first, "\(link)/../../a.png", "--out", pattern, "--make-folders"],
      "would both be written")
  }

  /// One picture may be replaced by what is made of it.
  @Test func onePictureMayBeConvertedInPlace() throws {
    #expect(run("convert", first, first, "--resize", "10x7").status == .done)
    #expect(try ImageFile.info(first).size == PixelSize(10, 7))
  }
}
