import ColorSpaces
import FilterGraph
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// Titles of looks, in the files that hold them.
@Suite struct LookTitleTests {
  private static let titles = [
    "Shot #12 warm", "two  blanks", " Grün & co ", "#", "a <b> 'c'", "",
  ]

  @Test(arguments: titles, ["cube", "clf"])
  func titlesRoundTripThroughFiles(title: String, ending: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.\(ending)")
    let table = try ColorTable(size: 2) { $0 }
    try Look(table, title: title).write(to: path)
    #expect(try Look(contentsOf: path).title == title)
  }

  /// Files in XML stay well-formed whatever the title holds: markup before a combining mark, and characters that XML does not allow.
  @Test(arguments: ["clf", "cc", "cdl", "ccc"])
  func titlesKeepFilesWellFormed(ending: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.\(ending)")
    let title = "a &\u{302} <\u{302} \"\u{302}\u{1}\u{8} b"
    let look =
      ending == "clf"
      ? Look(try ColorTable(size: 2) { $0 })
      : try Look(contentsOf: try written("slope.cc", in: folder))
    try Look(title: title, steps: look.steps).write(to: path)
    #expect(try Look(contentsOf: path).title == "a &\u{302} <\u{302} \"\u{302} b")
  }

  /// The path of a new file with color decisions.
  private func written(_ name: String, in folder: TemporaryFolder) throws -> String {
    let path = folder.path(name)
    try """
    <ColorCorrection id="x"><SOPNode><Slope>2 1 1</Slope><Offset>0 0 0</Offset><Power>1 1 1</Power></SOPNode></ColorCorrection>
    """.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  /// The quotes of a comment begin no text in which `#` stands for itself.
  @Test func commentsFollowTitles() throws {
    let text = """
      # the "first look
      TITLE  "Shot #12"  # not "this
      LUT_1D_SIZE 2 # two "entries
      0 0 0
      1 1 1 # "the last one"
      """
    let look = try Look(Array(text.utf8), as: .cube)
    #expect(look.title == "Shot #12")
    #expect(look([0.25, 0.5, 0.75]) == [0.25, 0.5, 0.75])
  }

  @Test func titlesMayHaveNoQuotes() throws {
    let text = "TITLE warm look # of 2012\nLUT_1D_SIZE 2\n0 0 0\n1 1 1\n"
    #expect(try Look(Array(text.utf8), as: .cube).title == "warm look")
  }
}
