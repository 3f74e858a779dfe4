import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// The page that shows what happens to the colors of a picture.
@Suite struct ReportVerbTests {
  private let pages: ReportPages

  init() throws { pages = try ReportPages() }

  @Test func stepsThatLoseColorAreNamed() throws {
    let text = try pages.page([pages.path("original.png"), "--to", "sRGB"])
    let verdict = try pages.verdict(text)
    #expect(verdict.contains("store as uint8: gamut is lost"), "\(verdict)")
    #expect(verdict.contains("ΔE2000"))
    for part in ["Pictures", "Where color is lost", "Colors", "Plan", "File"] {
      #expect(text.contains("<h2>\(part)</h2>"), "\(part)")
    }
    // Everything is in the page, and described.
    #expect(!text.contains("<script") && !text.contains("http"))
    let images = text.components(separatedBy: "<img ").dropFirst()
    #expect(images.count >= 4)
    #expect(images.allSatisfy { $0.hasPrefix("alt=\"") && !$0.hasPrefix("alt=\"\"") })
    #expect(
      text.components(separatedBy: "<svg ").dropFirst().allSatisfy { $0.contains("aria-label=\"") })
  }

  /// Without --samples, the map of lost color is that of the sample format of the source.
  @Test func mapsOfLostColorAreThoseOfTheSamples() throws {
    let deep = pages.path("deep.png")
    try pages.scene.write(to: deep, samples: .uint16)
    func maps(_ words: String...) throws -> String {
      let text = try pages.page([deep, "--to", "sRGB"] + words)
      let start = try #require(text.range(of: "<h2>Where color is lost</h2>"))
      let end = try #require(text[start.upperBound...].range(of: "<h2>"))
      return String(text[start.upperBound..<end.lowerBound])
    }
    let kept = try maps()
    #expect(try kept == maps("--samples", "u16"))
    #expect(try kept != maps("--samples", "u8"))
  }

  @Test func canariesAreRecognized() throws {
    let canary = pages.path("canary.png")
    #expect(run("canary", "make", canary).status == .done)
    #expect(try pages.verdict(pages.page([canary])).contains("The canary is intact"))
    let clipped = pages.path("clipped.png")
    #expect(run("convert", canary, clipped, "--to", "sRGB", "--gamut", "clip").status == .done)
    #expect(try pages.verdict(pages.page([clipped])).contains("The canary is clipped"))
  }

  /// Parts of a file that are not read are listed, but no loss of color.
  @Test func unreadPartsLoseNoColor() throws {
    let path = pages.path("two.pgm")
    let map = Array("P5\n8 8\n255\n".utf8) + [UInt8](repeating: 99, count: 64)
    try Data(map + map).write(to: URL(filePath: path))
    let text = try pages.page([path, "--assume", "sRGB"])
    #expect(text.contains("Not read: what follows its first picture"))
    #expect(!(try pages.verdict(text)).contains("Not read"))
  }

  /// A combining mark makes one grapheme of itself and the quote before it, and the quote still ends an attribute.
  @Test func marksHideNoQuotesFromEscaping() throws {
    let recipe = pages.path("evil\"\u{301} onload=alert(1) x=.json")
    try #"{"version": 1, "inputs": ["a"], "steps": [{"monochrome": {}}]}"#
      .write(toFile: recipe, atomically: true, encoding: .utf8)
    let text = try pages.page([pages.path("original.png"), "--recipe", recipe])
    #expect(text.unicodeScalars.contains("evil&quot;\u{301} onload".unicodeScalars))
    #expect(!text.unicodeScalars.contains("evil\"\u{301} onload".unicodeScalars))
  }

  /// Standard output of a batch holds results.
  @Test func jobsWriteNoPageIntoTheStreamOfResults() {
    let refused = run("report", pages.path("original.png"), "--out", "-")
    #expect(refused.status == .misused && refused.output.isEmpty)
    #expect(refused.complaint.contains("“-” cannot be used here"), "\(refused.complaint)")
  }

  @Test func aPageNeedsAFile() {
    #expect(run("report", pages.path("original.png")).status == .misused)
    let missing = pages.path("nowhere/report.html")
    #expect(run("report", pages.path("original.png"), "--out", missing).status == .failed)
  }
}
