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

  /// An OpenEXR file is linear light of Rec. 709 by the rule of its format or by its chromaticities, so that an assumption has no effect.
  @Test func assumptionsWithoutEffectAreReported() throws {
    let input = folder.path("rule.exr")
    try ImageFile.write(
      .float32(Bitmap(PixelSize(2, 2), in: .linearSRGB, channels: .rgb)), to: input)
    for (space, isReported) in [("p3", true), ("srgb-linear", false)] {
      let taken = run("convert", input, folder.path("out.png"), "--assume", space)
      #expect(taken.status == .done)
      let notes = taken.errors.joined(separator: "\n")
      #expect(notes.contains("--assume has no effect") == isReported, "\(notes)")
      #expect(notes.contains("--tag gives its values another one.") == isReported, "\(notes)")
    }
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

  /// Files of floating-point samples lose negative light in spaces that encode none.
  @Test func lightLostByTheSpaceIsInReports() throws {
    let input = folder.path("light.exr")
    let light = Bitmap<Float>(PixelSize(10, 10), in: .linearSRGB, channels: .rgb) { x, _ in
      [x < 3 ? -0.5 : 0.5, 0.5, 0.5]
    }
    try ImageFile.write(.float32(light), to: input)
    let words = ["convert", input, folder.path("o.tif"), "--samples", "float", "--json", "--to"]
    let lost = run(words + ["ACEScc"])
    #expect(
      lost.errors.joined().contains(
        "30 of 300 samples are out of the range of linear values that the transfer function of ACEScc encodes"
      ),
      "\(lost.errors)")
    #expect(try lost.report(as: Report.self).notes == lost.errors)
    // ACESproxy encodes no black: the color of transparent pixels is not lost by it.
    let layer = folder.path("layer.exr")
    let transparent = Bitmap<Float>(
      PixelSize(10, 10), in: .linearSRGB, channels: .rgba, alpha: .premultiplied
    ) { x, _ in
      x < 3 ? [0, 0, 0, 0] : [0.5, 0.5, 0.5, 1]
    }
    try ImageFile.write(.float32(transparent), to: layer)
    let whole = run([words[0], layer] + words[2...] + ["ACESproxy"])
    #expect(whole.status == .done, "\(whole.errors)")
    #expect(!whole.errors.joined().contains("are clipped"), "\(whole.errors)")
    let kept = run(words + ["ACEScct"])
    #expect(kept.status == .done && kept.errors.isEmpty, "\(kept.errors)")
  }

  /// A report keeps the notes of its own that are not printed, as on the other pages where one is requested.
  @Test func notesOfAReportAreKept() throws {
    let path = folder.path("pages.tif")
    try Data(TwoPages.bytes).write(to: URL(filePath: path))
    let words = ["inspect", path, "--assume", "p3", "--json"]
    let chosen = run(words + ["--page", "2"])
    #expect(chosen.errors == [note("pages.tif")])
    let notes = try chosen.report(as: Report.self).notes
    #expect(notes.count == 2 && notes.first == note("pages.tif"), "\(notes)")
    #expect(notes.last?.hasPrefix("It has 2 pages") == true, "\(notes)")
    let first = run(words)
    #expect(first.errors.count == 2)
    #expect(try first.report(as: Report.self).notes == first.errors)
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

/// An untagged TIFF of two pages, each a gray pixel: a byte of the first directory.
private enum TwoPages {
  static let bytes: [UInt8] =
    Array("II*\0".utf8) + long(8) + directory(next: 122) + directory(next: 0)

  private static func directory(next: UInt32) -> [UInt8] {
    let entries: [(tag: UInt16, value: UInt16)] = [
      (256, 1), (257, 1), (258, 8), (259, 1), (262, 1), (273, 8), (277, 1), (278, 1), (279, 1),
    ]
    var bytes = short(UInt16(entries.count))
    for (tag, value) in entries {
      bytes += short(tag)
      bytes += short(3)
      bytes += long(1)
      bytes += long(UInt32(value))
    }
    return bytes + long(next)
  }

  private static func short(_ number: UInt16) -> [UInt8] {
    [UInt8(number & 255), UInt8(number >> 8)]
  }

  private static func long(_ number: UInt32) -> [UInt8] {
    short(UInt16(number & 0xFFFF)) + short(UInt16(number >> 16))
  }
}
