import ColorloomTool
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// `--existing`: results that exist before a command.
@Suite struct ExistingResultsTests {
  private let folder: TemporaryFolder
  /// A recipe of the results “a” and “b”.
  private static let recipe = #"""
    {"version": 1, "inputs": ["photo"], "steps": [
      {"name": "x", "from": "photo", "exposure": {"stops": 0.5}},
      {"name": "y", "from": "photo", "exposure": {"stops": -0.5}}
    ], "outputs": {"a": "x", "b": "y"}}
    """#

  init() throws {
    folder = try TemporaryFolder()
    for name in ["in", "out"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
  }

  private func path(_ name: String) -> String { folder.path(name) }

  private func write(_ name: String, width: Int = 24) throws {
    let bitmap = TestPictures.codes(as: UInt8.self, PixelSize(width, 18), channels: .rgb)
    try ImageFile.write(.uint8(bitmap), to: path(name))
  }

  /// A file that no command reads or writes.
  private func mark(_ name: String) throws {
    try Data("kept".utf8).write(to: URL(filePath: path(name)))
  }

  private func isMarked(_ name: String) throws -> Bool {
    try Data(contentsOf: URL(filePath: path(name))) == Data("kept".utf8)
  }

  private struct Report: Decodable {
    struct File: Decodable { let file: String }
    let files: [File]
    let skipped: [String]?
  }

  /// The input of a result that exists is not read: here it is no picture.
  @Test func foldersAreContinued() throws {
    try write("in/a.png")
    try mark("in/b.png")
    try write("in/c.png")
    try mark("out/b.png")
    let words = ["convert", path("in"), "--out", path("out"), "--invert"]
    let skipping = run(words + ["--existing", "skip"])
    #expect(skipping.status == .done, "\(skipping.errors)")
    #expect(skipping.output == ["2 of 3 pictures written, 1 was there"])
    #expect(try isMarked("out/b.png"))
    try mark("out/a.png")
    let report: Report = try run(words + ["--existing", "skip", "--json"]).report()
    #expect(report.files.isEmpty)
    #expect(report.skipped == ["a", "b", "c"].map { path("out/\($0).png") })
    #expect(try isMarked("out/a.png"))
    // By default they are replaced.
    let replacing = run(words)
    #expect(replacing.status == .failed)
    #expect(replacing.output == ["2 of 3 pictures written, 1 failed"])
    #expect(try !isMarked("out/a.png"))
    let replaced = run(["convert", path("in/a.png"), "--out", path("out"), "--json"])
    #expect(try replaced.report(as: Report.self).skipped == nil)
  }

  /// Refused before any picture is read: here one is none.
  @Test func resultsThatExistAreRefused() throws {
    try write("in/a.png")
    try mark("in/b.png")
    try mark("in/c.png")
    try mark("out/b.png")
    try mark("out/c.png")
    let words = ["convert", path("in"), "--out", path("out"), "--existing", "refuse"]
    for words in [words, words + ["--plan"]] {
      let refused = run(words)
      #expect(refused.status == .failed && refused.output.isEmpty)
      #expect(refused.errors.count == 1)
      #expect(
        refused.complaint.contains(
          "“\(path("out/b.png"))” exists already, as the first of 2 of the 3 files to write."),
        "\(refused.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: path("out/a.png")))
    #expect(try isMarked("out/b.png"))
  }

  @Test(arguments: ["convert", "highlight"]) func singleResults(verb: String) throws {
    try mark("in/a.png")
    try mark("out/a.png")
    let words = [verb, path("in/a.png"), path("out/a.png"), "--existing"]
    let refused = run(words + ["refuse"])
    #expect(refused.status == .failed)
    #expect(refused.complaint.contains("“\(path("out/a.png"))” exists already. Name others"))
    let skipping = run(words + ["skip", "--json"])
    #expect(skipping.status == .done && skipping.output.isEmpty)
    #expect(skipping.errors == ["“\(path("out/a.png"))” exists already, and is left as it is."])
    struct Skipped: Decodable { let skipped: [String] }
    #expect(try skipping.report(as: Skipped.self).skipped == [path("out/a.png")])
    #expect(try isMarked("out/a.png"))
    try write("in/a.png")
    #expect(run(words + ["replace"]).status == .done)
    #expect(try !isMarked("out/a.png"))
    let new = run(verb, path("in/a.png"), path("out/new.png"), "--existing", "skip")
    #expect(new.status == .done && new.errors.isEmpty, "\(new.errors)")
    #expect(FileManager.default.fileExists(atPath: path("out/new.png")))
  }

  /// Devices hold no result.
  @Test func devicesAreNoResults() throws {
    try write("in/a.png")
    for word in ["skip", "refuse"] {
      let transcript = run(
        "convert", path("in/a.png"), "/dev/null", "--format", "png", "--existing", word)
      #expect(transcript.status == .done && transcript.errors.isEmpty, "\(transcript.errors)")
    }
  }

  /// Several results of one picture are left out only together.
  @Test func allResultsOfAPictureExistOrNone() throws {
    try write("in/a.png")
    let words = [
      "variants", path("in/a.png"), "--wide", path("out/w.png"), "--narrow", path("out/n.png"),
      "--manifest", path("out/m.json"), "--existing",
    ]
    try mark("out/w.png")
    try mark("out/n.png")
    let refused = run(words + ["refuse"])
    #expect(refused.status == .failed)
    #expect(
      refused.complaint.contains(
        "“\(path("out/w.png"))” exists already, as the first of 2 of the 3 files"),
      "\(refused.errors)")
    #expect(try isMarked("out/w.png"))
    #expect(run(words + ["skip"]).status == .done)
    #expect(try !isMarked("out/w.png") && !isMarked("out/n.png"))
    for name in ["in/a.png", "out/w.png", "out/n.png", "out/m.json"] { try mark(name) }
    let skipping = run(words + ["skip"])
    #expect(skipping.status == .done, "\(skipping.errors)")
    #expect(skipping.complaint.contains("exist already, and are left as they are."))
    #expect(try isMarked("out/w.png") && isMarked("out/m.json"))
  }

  @Test func resultsOfARecipeExistTogether() throws {
    try write("in/a.png")
    try Self.recipe.write(toFile: path("r.json"), atomically: true, encoding: .utf8)
    let outputs = [path("out/a.png"), path("out/b.png")]
    let words = ["run", path("r.json"), path("in/a.png")] + outputs + ["--existing"]
    try mark("out/a.png")
    #expect(run(words + ["refuse"]).complaint.contains("“\(outputs[0])” exists already. Name"))
    #expect(run(words + ["skip"]).status == .done)
    #expect(try !isMarked("out/a.png") && FileManager.default.fileExists(atPath: outputs[1]))
    for name in ["in/a.png", "out/a.png", "out/b.png"] { try mark(name) }
    let skipping = run(words + ["skip"])
    #expect(skipping.status == .done, "\(skipping.errors)")
    #expect(try isMarked("out/a.png") && isMarked("out/b.png"))
  }
}
