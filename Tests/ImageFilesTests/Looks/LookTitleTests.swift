import ColorSpaces
import FilterGraph
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
