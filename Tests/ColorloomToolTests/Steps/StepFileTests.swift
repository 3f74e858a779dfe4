import Colorloom
import ColorloomTool
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// Files that steps and recipes name in place of parameters, and the parameters beside them.
@Suite struct StepFileTests {
  private let folder: TemporaryFolder
  private let grades, input: String

  init() throws {
    folder = try TemporaryFolder()
    (grades, input) = (folder.path("grades.ccc"), folder.path("photo.png"))
    let corrections = [("shot1", "0.5"), ("shot2", "2")].map { id, slope in
      "<ColorCorrection id=\"\(id)\"><SOPNode><Slope>\(slope) \(slope) \(slope)</Slope>"
        + "<Offset>0 0 0</Offset><Power>1 1 1</Power></SOPNode></ColorCorrection>"
    }
    try Data("<ColorCorrectionCollection>\(corrections.joined())</ColorCorrectionCollection>".utf8)
      .write(to: URL(filePath: grades))
    try ImageFile.write(
      .float32(
        Bitmap(PixelSize(2, 2), in: .linearSRGB, channels: .rgb) { _, _ in [0.25, 0.25, 0.75] }),
      to: folder.path("light.exr"))
    try ImageFile.write(
      .uint8(Bitmap(PixelSize(2, 2), in: .sRGB, channels: .rgb) { _, _ in [64, 64, 191] }),
      to: input)
  }

  private static let note = "the first of 2 color decision lists: “shot1”, “shot2”"

  /// The first pixel after steps.
  private func color(after words: String...) throws -> [Float] {
    let output = folder.path("out.exr")
    let result = run(["convert", folder.path("light.exr"), output, "--samples", "float"] + words)
    #expect(result.status == .done && result.errors.isEmpty, "\(result.errors)")
    let pixels = try Picture(contentsOf: output).render(as: Float.self)
    return (0..<3).map { pixels[0, 0, $0] }
  }

  @Test func stepsChooseADecisionListByItsID() throws {
    for option in ["--lut", "--look"] {
      #expect(try color(after: option, "\(grades),id=shot1") == [0.125, 0.125, 0.375])
      #expect(try color(after: option, "\(grades),id=shot2") == [0.5, 0.5, 1])
      #expect(try color(after: option, "@\(grades), id=shot2, style=unclamped") == [0.5, 0.5, 1.5])
    }
    let missing = run("convert", input, folder.path("no.png"), "--lut", "\(grades),id=shot3")
    #expect(missing.status == .failed)
    #expect(missing.complaint.contains("“shot3”") && missing.complaint.contains("shot1, shot2"))
  }

  @Test func parametersThatFitNoFileAreRefused() throws {
    let table = folder.path("warm.cube")
    try Data("LUT_1D_SIZE 2\n0 0 0\n1 0.9 0.8\n".utf8).write(to: URL(filePath: table))
    for (value, sentence) in [
      ("\(grades),title=x", "“--lut” takes only id, style beside a file, but “title=x” follows"),
      ("\(grades),id=shot1,id=shot2", "“--lut” states “id” twice."),
      ("\(grades),style=soft", "style"),
      ("id=shot1", "“--lut” needs a file before “id=shot1”."),
      ("\(table),id=shot1", "“id” and “style” are for color decision lists"),
      ("\(table),style=unclamped", "“id” and “style” are for color decision lists"),
    ] {
      let result = run("convert", input, folder.path("no.png"), "--lut", value)
      #expect(result.status != .done && result.complaint.contains(sentence), "\(result.errors)")
    }
    // A file whose name has the form of a parameter is read.
    let odd = folder.path("odd.ccc,id=shot1.ccc")
    try FileManager.default.copyItem(atPath: grades, toPath: odd)
    #expect(run("convert", input, folder.path("odd.png"), "--lut", odd).status == .done)
  }

  /// A choice is reported once, although many pictures take it.
  @Test func choicesAreReportedOnce() throws {
    let copies = (0..<12).map { folder.path("in\($0).png") }
    for copy in copies { try FileManager.default.copyItem(atPath: input, toPath: copy) }
    let result = run(
      ["convert"] + copies + ["--out", folder.path("{name}-out.png"), "--lut", grades])
    #expect(result.status == .done)
    #expect(result.errors.count { $0.contains(Self.note) } == 1, "\(result.errors)")
    #expect(result.errors.first?.hasPrefix("\(grades): \(Self.note)") == true)
    struct Report: Decodable { let notes: [String] }
    let report: Report = try run(
      "convert", input, folder.path("out.png"), "--lut", grades, "--json"
    ).report()
    #expect(report.notes.count { $0.contains(Self.note) } == 1)
  }

  /// The result of a job in a batch does not depend on the jobs beside it: each has the choice once, unless it names an id.
  @Test(arguments: ["1", "2"]) func jobsReportTheirChoices(workers: String) throws {
    struct Result: Decodable { let errors: [String] }
    let jobs = [grades, "\(grades),id=shot2", grades].enumerated().map { index, value in
      #"{"run": ["convert", "\#(input)", "\#(folder.path("out\(index).png"))", "--lut", "\#(value)"]}"#
    }
    let counts = try run(["batch", "--jobs", workers], input: jobs).output.map { line in
      let result = try JSONDecoder().decode(Result.self, from: Data(line.utf8))
      return result.errors.count { $0.contains(Self.note) }
    }
    #expect(counts == [1, 0, 1])
  }

  @Test func recipesChooseADecisionListByItsID() throws {
    func recipe(_ parameters: String) throws -> String {
      let path = folder.path("grade.json")
      let text = #"{"version": 1, "steps": [{"look": {\#(parameters)"file": "grades.ccc"}}]}"#
      try Data(text.utf8).write(to: URL(filePath: path))
      return path
    }
    let second = try recipe(#""style": "unclamped", "id": "shot2", "#)
    #expect(try color(after: "--recipe", second) == [0.5, 0.5, 1.5])
    for words in [["run", second, input], ["convert", input]] {
      let chosen = run(
        words + [folder.path("out.png")] + (words[0] == "run" ? [] : ["--recipe", second]))
      #expect(chosen.status == .done && !chosen.complaint.contains(Self.note), "\(chosen.errors)")
    }
    let first = try recipe("")
    for words in [
      ["run", first, input, folder.path("out.png")], ["plan", first, input],
      ["verify", first, input],
      ["convert", input, folder.path("out.png"), "--recipe", first],
    ] {
      let noted = run(words)
      #expect(noted.errors.count { $0.contains(Self.note) } == 1, "\(words[0]): \(noted.errors)")
    }
    let unknown = run("plan", try recipe(#""name": "shot2", "#), input)
    #expect(unknown.status != .done, "\(unknown.errors)")
    #expect(unknown.complaint.contains(#"look: there is no parameter "name""#), "\(unknown.errors)")
  }
}
