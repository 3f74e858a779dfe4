import ColorloomTool
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// What `info` prints of a file's metadata.
@Suite struct InfoVerbTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct Report: Decodable {
    struct Metadata: Decodable {
      let copyright: String?
      let creators: [String]?
    }
    let metadata: Metadata
  }

  private func file(texts: [ImageMetadata.Text]) throws -> String {
    let path = folder.path("in.png")
    var options = WritingOptions()
    options.metadata.text = texts
    let bitmap = TestPictures.codes(as: UInt8.self, PixelSize(8, 6), channels: .rgb)
    try ImageFile.write(.uint8(bitmap), to: path, options: options)
    return path
  }

  @Test func copyrightAndCreatorsAreShown() throws {
    let path = try file(texts: [
      .init(keyword: "Copyright", value: "2025 A. Wu\nAll rights reserved"),
      .init(keyword: "Author", value: "A. Wu"),
    ])
    let line = run("info", path).text
    #expect(line.hasSuffix(", copyright “2025 A. Wu All rights reserved”, by “A. Wu”"), "\(line)")
    let metadata = try run("info", path, "--json").report(as: Report.self).metadata
    #expect(metadata.copyright == "2025 A. Wu\nAll rights reserved")
    #expect(metadata.creators == ["A. Wu"])
  }

  /// The space has the name that reports on written files have, apart from what states it.
  @Test func spacesAndStatementsAreNamed() throws {
    struct Color: Decodable { let stated: String, space: String?, statedBy: String? }
    func color(_ words: String...) throws -> Color {
      let path = folder.path("space.png")
      #expect(run(["convert", try file(texts: []), path] + words).status == .done)
      return try run("info", path, "--json").report()
    }
    let p3 = try color("--to", "p3")
    #expect(p3.space == "Display P3" && p3.statedBy != nil)
    #expect(p3.stated.hasPrefix("Display P3 by its "))
    let bare = try color("--untagged")
    #expect(bare.space == nil && bare.statedBy == nil)
    let inks: Color = try run(
      "info", Fixtures.url("Images/cmyk-profile.jpg").path, "--json"
    ).report()
    #expect(inks.statedBy == "profile" && inks.stated == "“\(inks.space ?? "")” by its ICC profile")
    let noInks: Color = try run(
      "info", Fixtures.url("Images/cmyk-no-profile.jpg").path, "--json"
    ).report()
    #expect(noInks.space == nil && noInks.statedBy == nil)
  }

  /// A long notice, or a long list of names, takes no more than a line.
  @Test func longNoticesAreShortened() throws {
    let path = try file(texts: [
      .init(keyword: "Copyright", value: String(repeating: "abcdefghij", count: 20))
    ])
    let line = run("info", path).text
    #expect(line.hasSuffix("abcdefghij…”") && line.count < 300, "\(line)")
    let other = try file(texts: [])
    #expect(!run("info", other).text.contains("copyright"))
    #expect(try run("info", other, "--json").report(as: Report.self).metadata.copyright == nil)
  }
}
