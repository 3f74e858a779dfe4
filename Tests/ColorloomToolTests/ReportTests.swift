import ColorSpaces
import ColorloomTool
import Foundation
import ICCProfiles
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// What verbs report with `--json`.
@Suite struct ReportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct File: Decodable {
    let file, space: String
    let width, height: Int
    let pixelsOutside: Int?
  }

  private func photo() throws -> String {
    let photo = TestPictures.codes(
      as: UInt16.self, PixelSize(8, 6), in: .displayP3, channels: .rgb)
    try ImageFile.write(.uint16(photo), to: folder.path("in.png"))
    return folder.path("in.png")
  }

  @Test func writtenFilesAreReported() throws {
    let (input, output) = (try photo(), folder.path("out.png"))
    let profile = folder.path("p.icc")
    try Data(ICCProfile(describing: .sRGB).bytes).write(to: URL(filePath: profile))
    for words in [
      ["convert", input, output, "--resize", "4x3"],
      ["highlight", input, output, "--resize", "4x3"],
      ["proof", input, output, "--resize", "4x3", "--on", profile],
      ["develop", input, output, "--resize", "4x3", "--film", "published"],
      ["triangle", output, "--size", "4x3", "--space", "p3"],
      ["canary", "make", output, "--size", "24x16"],
    ] {
      let transcript = run(words + ["--json"])
      #expect(transcript.status == .done, "\(transcript.errors)")
      #expect(transcript.output.isEmpty)
      let report = try transcript.report(as: File.self)
      #expect(report.file == output && report.space == "Display P3")
      #expect(try ImageFile.info(output).size == PixelSize(report.width, report.height))
      #expect(report.pixelsOutside == nil)
    }
    let counted = run("highlight", input, output, "--count", "--json")
    #expect(try counted.report(as: File.self).pixelsOutside != nil)
    #expect(counted.output.isEmpty)
    struct Plan: Decodable { let threads: Int }
    #expect(try run("convert", input, "--plan", "--json").report(as: Plan.self).threads > 0)
  }

  @Test func headsAndVariantsAreReported() throws {
    struct Head: Decodable {
      let file, format, storage, channels, samples, stated, orientation: String
      let width, height: Int
    }
    let input = try photo()
    let head = try run("info", input, "--json").report(as: Head.self)
    #expect(head.file == input && head.format == "PNG" && head.samples == "uint16")
    #expect(head.width == 8 && head.height == 6 && head.orientation == "upright")
    struct Manifest: Decodable {
      struct Variant: Decodable { let file, sha256: String }
      let variants: [Variant]
    }
    let (wide, narrow) = (folder.path("w.png"), folder.path("n.png"))
    let variants = run("variants", input, "--wide", wide, "--narrow", narrow, "--json")
    #expect(try variants.report(as: Manifest.self).variants.map(\.file) == [wide, narrow])
  }

  @Test func framesAreCounted() throws {
    struct Report: Decodable { let frames, width, height: Int }
    try Data(repeating: 99, count: 3 * 8 * 2).write(to: URL(filePath: folder.path("in.rgb")))
    let transcript = run(
      "stream", folder.path("in.rgb"), folder.path("out.rgb"), "--raw", "rgb24", "--size", "4x2",
      "--bare", "--json")
    let report = try transcript.report(as: Report.self)
    #expect(report.frames == 2 && report.width == 4 && report.height == 2)
  }

  private struct Rows: Decodable { let rows: [[Double?]?] }

  private func rows(_ words: String...) throws -> [[Double?]?] {
    let report: Rows = try run(words + ["--json"]).report()
    return report.rows
  }

  /// Unreadable rows and powerless components are null, in their positions.
  @Test func numbersAreReported() throws {
    #expect(
      try rows("color", "--from", "p3", "--to", "p3", "1 0 0", "?", "0 0 .5")
        == [[1, 0, 0], nil, [0, 0, 0.5]])
    #expect(try rows("color", "--from", "sRGB", "--to", "oklch", "0 0 0")[0]?[2] == .some(nil))
    #expect(try rows("curve", "linear", "encode", "0.5") == [[0.5]])
    #expect(try rows("deltae", "red red") == [[0]])
  }

  @Test func assumptionsOfChecksAreReported() throws {
    let canary = folder.path("canary.ppm")
    #expect(run("canary", "make", canary, "--untagged").status == .done)
    let transcript = run("canary", "check", canary, "--assume", "p3")
    #expect(transcript.status == .done)
    #expect(transcript.errors == ["“\(canary)” is taken for Display P3, as --assume says."])
  }
}
