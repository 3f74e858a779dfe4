import ColorSpaces
import ColorloomTool
import Foundation
import ICCProfiles
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// What is known of the output path is refused before pictures are measured, which the damage of this one shows: measuring names it.
@Suite struct EarlyRefusalTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    var random = SeededGenerator(seed: 3)
    let noise = Bitmap<UInt8>(PixelSize(100, 90), in: .sRGB, channels: .rgb) { _, _ in
      (0..<3).map { _ in .random(in: 0...255, using: &random) }
    }
    let path = folder.path("in.png")
    try ImageFile.write(.uint8(noise), to: path)
    let bytes = try Data(contentsOf: URL(filePath: path))
    try bytes.prefix(bytes.count * 2 / 3).write(to: URL(filePath: path))
  }

  private func tool(_ words: [String]) -> Transcript {
    let endings = [".png", ".exr", ".html", ".xyz"]
    return run(
      words.map { word in endings.contains { word.hasSuffix($0) } ? folder.path(word) : word })
  }

  @Test(arguments: [
    (["report", "in.png", "--out", "none/r.html"], "none/r.html"),
    (["compare", "in.png", "in.png", "--difference", "none/d.png"], "none/d.png"),
    (["compare", "in.png", "in.png", "--difference", "d.exr"], "d.exr"),
    (["inspect", "in.png", "--plot", "none/p.png"], "none/p.png"),
    (["montage", "in.png", "--out", "sheet.xyz"], "sheet.xyz"),
    (["montage", "in.png", "--out", "none/s.png"], "none/s.png"),
  ])
  func outputPathsAreCheckedFirst(words: [String], path: String) {
    let refused = tool(words)
    #expect(refused.status != .done)
    #expect(!refused.complaint.contains("is truncated"), "\(refused.errors)")
    #expect(refused.complaint.contains(path) || path == "d.exr", "\(refused.errors)")
  }

  /// The film of a roll may stand in the file already.
  @Test func misusedDevelopmentsSaveNoFilm() throws {
    let scan = folder.path("scan.png")
    let bitmap = TestPictures.codes(as: UInt16.self, PixelSize(60, 40), channels: .rgb)
    try ImageFile.write(.uint16(bitmap), to: scan)
    let film = folder.path("film.json")
    try Data("kept".utf8).write(to: URL(filePath: film))
    let refused = run(
      "develop", scan, folder.path("x.exr"), "--quality", "50", "--save-film", film, "--roll")
    #expect(refused.status == .misused)
    #expect(refused.complaint.contains("“--quality 50” is for "), "\(refused.errors)")
    #expect(try String(contentsOfFile: film, encoding: .utf8) == "kept")
  }

  /// A sheet of empty cells only is no result; the report says why.
  @Test func sheetsWithoutPicturesAreNotWritten() throws {
    struct Report: Decodable {
      struct Failed: Decodable { let file: String }
      let failed: [Failed]
    }
    let empty = folder.path("empty")
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
    for input in [empty, folder.path("nosuch.png"), folder.path("in.png")] {
      let refused = run("montage", input, "--out", folder.path("sheet.png"), "--json")
      #expect(refused.status == .failed)
      #expect(try refused.report(as: Report.self).failed.map(\.file) == [input])
      #expect(!FileManager.default.fileExists(atPath: folder.path("sheet.png")))
    }
  }
}
