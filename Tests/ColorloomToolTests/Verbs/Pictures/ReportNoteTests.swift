import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Notes printed on standard error are in the reports of --json, too.
@Suite struct ReportNoteTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a.png", "b.png"] {
      let photo = TestPictures.codes(as: UInt8.self, PixelSize(12, 8), channels: .rgb)
      var options = WritingOptions()
      options.isUntagged = true
      try ImageFile.write(.uint8(photo), to: folder.path(name), options: options)
    }
  }

  private struct Report: Decodable { let notes: [String] }

  private func note(_ name: String) -> String {
    "“\(folder.path(name))” is taken for Display P3, as --assume says."
  }

  @Test(arguments: [
    ["convert", "a.png", "o.png"], ["convert", "a.png", "--plan"],
    ["highlight", "a.png", "o.png"], ["inspect", "a.png"], ["inspect", "a.png", "--scan"],
    ["variants", "a.png", "--wide", "w.png", "--narrow", "n.png"],
    ["explain", "a.png", "--at", "1,1"], ["trace", "a.png", "--to", "srgb"],
    ["canary", "check", "a.png"], ["montage", "a.png", "--out", "o.png"],
  ])
  func assumptionsAreInReports(words: [String]) throws {
    let words = words.map { $0.hasSuffix(".png") ? folder.path($0) : $0 }
    let transcript = run(words + ["--assume", "p3", "--json"])
    #expect(transcript.errors == [note("a.png")])
    #expect(try transcript.report(as: Report.self).notes == transcript.errors)
  }

  @Test func allFilesOfAComparisonAreNoted() throws {
    let words = ["compare", folder.path("a.png"), folder.path("b.png"), "--assume", "p3", "--json"]
    #expect(try run(words).report(as: Report.self).notes == [note("a.png"), note("b.png")])
  }

  @Test func eachOfManyFilesHasItsNotes() throws {
    struct Many: Decodable {
      let files: [Report]
      let notes: [String]
    }
    let names = ["a.png", "b.png"]
    let report: Many = try run(
      ["convert"] + names.map(folder.path) + [
        "--out", folder.path("{name}-2.png"), "--assume", "p3", "--json",
      ]
    ).report()
    #expect(report.files.map(\.notes) == names.map { [note($0)] })
    #expect(report.notes == names.map(note))
  }

  @Test func clippedSamplesAreNoted() throws {
    let output = folder.path("o.png")
    let transcript = run(
      "convert", folder.path("a.png"), output, "--assume", "srgb", "--exposure", "3", "--json")
    #expect(transcript.errors.contains { $0.hasPrefix("“\(output)”: ") && $0.contains("clipped") })
    #expect(try transcript.report(as: Report.self).notes == transcript.errors)
  }

  @Test func reportsWithoutNotesHaveNoneToSay() throws {
    struct Comparison: Decodable { let notes: [String]? }
    let path = folder.path("tagged.png")
    let photo = TestPictures.codes(as: UInt8.self, PixelSize(12, 8), channels: .rgb)
    try ImageFile.write(.uint8(photo), to: path)
    #expect(try run("compare", path, path, "--json").report(as: Comparison.self).notes == nil)
  }
}
