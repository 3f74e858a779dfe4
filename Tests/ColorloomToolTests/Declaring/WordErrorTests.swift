import ColorSpaces
import ColorloomTool
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Errors repeat the words that were typed, and say what is allowed in their place.
@Suite struct WordErrorTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let photo = TestPictures.codes(as: UInt8.self, PixelSize(8, 6), in: .sRGB, channels: .rgb)
    try ImageFile.write(.uint8(photo), to: folder.path("in.png"))
  }

  @Test(arguments: [
    (["--exposure", ""], "“--exposure” needs NUMBER after it, not “”."),
    (["--exposure="], "“--exposure” needs NUMBER after it, not “”."),
    (["--crop", "1,2,3"], "“--crop” needs X,Y,WxH for “to”, not “1,2,3”. Meaning of “to”:"),
    (["--tile", "99999999999"], "“--tile 99999999999” is too large. A width and a height are at"),
    (["--fit", "2147483648"], "“--fit 2147483648” needs a width and a height of at most 107374"),
    (["--resize", "-5%"], "“--resize -5%” is out of range. A scale is from 0.0001% to"),
    (["--resize", "1e9%"], "“--resize 1e9%” is out of range. A scale is from 0.0001% to"),
    (["--fill", "20x20,x=1.5"], "“--fill.x”: expected a number in 0…1, found 1.5."),
  ])
  func valuesAreRepeated(words: [String], sentence: String) {
    let refused = run(["convert", folder.path("in.png"), folder.path("o.png")] + words)
    #expect(refused.status == .misused)
    #expect(refused.complaint.contains(sentence), "\(refused.errors)")
  }

  @Test(arguments: [
    (["look", "bogus"], "“look” needs one of info, convert, bake, not “bogus”."),
    (["completions", "tcsh"], "“completions” needs one of bash, zsh, fish, not “tcsh”."),
    (["canary", "bogus"], "“canary” needs one of make, check, not “bogus”."),
    (["curve", "pq", "nan"], "“curve” needs one of encode, decode, not “nan”."),
    (["-x"], "“colorloom” has no option “-x”."),
    (["--bogus", "info"], "“colorloom” has no option “--bogus”. Options of a verb stand after"),
    (["--thread", "2"], "Did you mean “--threads”?"),
    (["variants", "a.png", "b.png"], "“variants” takes IN; “b.png” is one word too many."),
    (["compare", "a.png", "b.png", "c.png"], "takes A B; “c.png” is one word too many."),
    (["laws", "x"], "“laws” takes options only; “x” is one word too many."),
    (
      ["compare", "a.png", "b.png", "--fail-above", "-1"],
      "“--fail-above” needs a number from 0 up, not “-1”."
    ),
    (["explain", "a.png", "--at", "2147483648,0"], "“--at 2147483648,0” is too far away."),
    (
      ["convert", "a.png", "b.png", "--to", "sRGB", "--hdr-peak", "2.0"],
      "“--hdr-peak” needs a number from 203 to 10000 cd/m², not “2.0”."
    ),
    (
      ["verify", "r.json", "--tolerance", "7"], "“--tolerance” needs a number from 0 to 1, not “7”."
    ),
    (["convert", "a.png", "--out="], "“--out” needs a file, not “”."),
    (["inspect", "a.png", "--plot="], "“--plot” needs a file, not “”."),
    (["tiles", "a.png", "b", "--id="], "“--id” needs a text, not “”."),
    (
      ["convert", "a.png", "b.png", "--background", "color(srgb 1e38 0 0)"],
      "“--background color(srgb 1e38 0 0)” has infinite linear light."
    ),
    (
      ["proof", "a.png", "b.png", "--on", "sRGB"],
      "“--on sRGB” names a color space. It needs the path of an ICC profile."
    ),
  ])
  func verbsAreNamedAsTyped(words: [String], sentence: String) {
    let refused = run(words)
    #expect(refused.status == .misused)
    #expect(refused.complaint.contains(sentence), "\(refused.errors)")
  }

  /// The edit distance takes time in proportion to the length of a word.
  @Test(arguments: [
    [], ["filters"], ["convert", "a.png", "b.png"], ["compare", "a.png", "b.png"],
  ])
  func longWordsAreCut(words: [String]) {
    let long = String(repeating: "exposure", count: 50_000)
    for word in [long, "--\(long)"] {
      let refused = run(words + [word])
      #expect(refused.status == .misused)
      #expect(!refused.complaint.contains("Did you mean"))
      // “convert” does not repeat a third file name.
      let isNamed = words.first != "convert" || word.hasPrefix("--")
      #expect(refused.complaint.contains("…”") == isNamed)
      #expect(refused.complaint.count < 600)
    }
  }

  /// libjpeg's own message names neither the size nor the limit of a side.
  @Test func sidesOfJPEGFilesAreNamed() {
    let words = ["convert", folder.path("in.png"), folder.path("o.jpg"), "--resize", "70000x1"]
    let refused = run(words)
    #expect(refused.status == .failed)
    #expect(
      refused.complaint.hasSuffix(
        "cannot be written: it has 70000 × 1 pixels, and a JPEG file up to 65500 a side."),
      "\(refused.errors)")
  }
}
