import ColorSpaces
import ColorloomTool
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// What “highlight --count” reports.
@Suite struct HighlightVerbTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The report names the formula by a word that --metric takes.
  @Test(arguments: [
    ("94", "cie94"), ("cie94-textiles", "cie94-textiles"), ("2000", "ciede2000"),
    ("ciede2000:2,1,1", "ciede2000:2,1,1"), ("cmc", "cmc"), ("cmc-1:1", "cmc-1:1"), ("ok", "ok"),
  ])
  func tolerancesNameTheFormula(typed: String, word: String) throws {
    let photo = TestPictures.codes(as: UInt8.self, PixelSize(4, 3), channels: .rgb)
    try ImageFile.write(.uint8(photo), to: folder.path("in.png"))
    let words = [
      "highlight", folder.path("in.png"), folder.path("out.png"), "--tolerance", "2", "--count",
    ]
    let counted = run(words + ["--metric", typed])
    #expect(counted.status == .done, "\(counted.errors)")
    #expect(
      counted.output.joined().hasSuffix("tolerance: ΔE 2.0 by \(word)"), "\(counted.output)")
    struct Report: Decodable { let tolerance: String? }
    let report: Report = try run(words + ["--metric", word, "--json"]).report()
    #expect(report.tolerance == "ΔE 2.0 by \(word)")
  }
}
