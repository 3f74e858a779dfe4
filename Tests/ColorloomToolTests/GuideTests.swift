import Colorloom
import ColorloomTool
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// The commands in the documentation are valid.
@Suite struct GuideTests {
  private static let guide = "Documentation/Guides/CommandLine.md"

  /// The lines of fenced code of one language, in a file of the repository.
  private static func fenced(_ language: String, in path: String) -> [String] {
    let url = Fixtures.url("../\(path)")
    guard let text = try? String(contentsOf: url, encoding: .utf8) else { return [] }
    var isInside = false
    return text.split(separator: "\n").map(String.init).filter { line in
      if line.hasPrefix("```") {
        isInside = line == "```\(language)"
        return false
      }
      return isInside
    }
  }

  private static let pages =
    ["README.md", "Documentation/Guides/ComingFrom.md"]
    + [
      "ColorLoss", "CommandLine", "Film", "LiveHighlighter", "Pictures", "Profiles", "Recipes",
      "WideColor",
      "WideTriangle",
    ].map { "Documentation/Guides/\($0).md" }

  private static func commands(in page: String) -> [String] {
    fenced("sh", in: page).filter { $0.hasPrefix("colorloom ") }
  }

  private static let commands = pages.flatMap(commands)

  /// All words are parsed; then help is printed instead of running.
  @Test func guideCommandsAreValid() throws {
    let desk = try Desk()
    for line in Self.commands {
      let transcript = run(desk.words(line).dropFirst() + ["--help"])
      #expect(transcript.status == .done, "\(line): \(transcript.errors)")
    }
  }

  /// Sequentially, on small files, except commands that read standard input or a full-size frame.
  @Test(arguments: pages)
  func guideCommandsRun(page: String) throws {
    let desk = try Desk()
    let foreign = ["<", " - ", "frames.rgb"]
    for line in Self.commands(in: page) where !foreign.contains(where: line.contains) {
      let words = desk.words(line)
      let transcript = run(Array(words.dropFirst()))
      let isFinding = ["canary", "certify"].contains(words[1]) || words.contains("--scan")
      #expect(
        transcript.status == .done || isFinding && transcript.status == .failed,
        "\(line): \(transcript.errors)")
      // Resizes overshoot; clipped samples are no failure.
      let errors = transcript.errors.filter { !$0.hasSuffix("are clipped.") }
      #expect(errors.isEmpty, "\(line): \(errors)")
    }
  }

  @Test func guideJobsAreValid() {
    let jobs = Self.fenced("json", in: Self.guide)
    #expect(!jobs.isEmpty)
    for (job, line) in zip(jobs, run("batch", input: jobs).output) {
      #expect(!line.contains("is no job"), "\(job)")
      // Its files are missing, but its words are valid.
      #expect(!line.contains("\"status\":2"), "\(line)")
    }
  }

  @Test func everyVerbHasAnExampleInTheGuides() {
    let help = run("help").output.joined(separator: "\n").split(separator: "\n")
    let verbs = help.drop { $0 != "Verbs:" }.dropFirst().prefix { $0.hasPrefix("  ") }
      .filter { !$0.hasPrefix("   ") }.compactMap { $0.split(separator: " ").first }
    #expect(verbs.count > 5)
    for verb in verbs {
      #expect(Self.commands.contains { shellWords($0)[1] == verb }, "\(verb)")
    }
  }
}

/// A folder with the files that the guides mention.
private struct Desk {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let photo = TestPictures.codes(as: UInt16.self, PixelSize(48, 32), in: .displayP3)
    for name in ["photo.png", "copy.png", "uploaded.png", "gray.png"] {
      try ImageFile.write(.uint16(photo), to: folder.path(name))
    }
    try ImageFile.write(
      .uint8(TestPictures.codes(as: UInt8.self, PixelSize(48, 32), channels: .rgba)),
      to: folder.path("logo.png"))
    for name in ["thumbnail.jpg", "turned.jpg"] { try Picture(photo).write(to: folder.path(name)) }
    try FileManager.default.copyItem(
      atPath: Fixtures.url("negative.png").path, toPath: folder.path("negative.png"))
    for (index, name) in FilmRollFixture.names.prefix(2).enumerated() {
      try ImageFile.write(.uint16(FilmRollFixture.scan(index)), to: folder.path("\(name).png"))
    }
    try FileManager.default.copyItem(
      atPath: Fixtures.url("film.curves").path, toPath: folder.path("mine.curves"))
    try Look(ColorTable(size: 2) { $0 }).write(to: folder.path("graded.cube"))
    func profile(_ space: String, _ channels: Int) -> [UInt8] {
      TableProfile.profile(.mft2, space: space, channels: channels, version: 2).bytes
    }
    let texts: [(String, [UInt8])] = [
      ("printer.icc", profile("CMYK", 4)), ("display.icc", profile("RGB ", 3)),
      ("grade.json", Array(#"{"version": 1, "steps": [{"exposure": {"stops": 1}}]}"#.utf8)),
      (
        "in.y4m",
        Array("YUV4MPEG2 W4 H2 F25:1 C444\nFRAME\n".utf8) + [UInt8](repeating: 90, count: 24)
      ),
    ]
    for (name, bytes) in texts {
      try Data(bytes).write(to: URL(filePath: folder.path(name)))
    }
  }

  /// Splits a line into words, with files in this folder.
  func words(_ line: String) -> [String] {
    // A step may have a file before its parameters: logo.png,mode=screen.
    shellWords(line).map { word in
      let parts = word.split(separator: ",", maxSplits: 1).map(String.init)
      if parts.count == 2, parts[0].hasSuffix(".png") {
        return "\(folder.path(parts[0])),\(parts[1])"
      }
      let ending = word.split(separator: ".").last.map(String.init) ?? ""
      let isFile =
        !word.contains(" ") && word.contains(".")
        && [
          "cube", "curves", "exr", "html", "icc", "jpg", "json", "ply", "png", "ppm", "rgb", "svg",
          "tiff",
          "y4m",
        ]
        .contains(
          ending)
      return isFile ? folder.path(String(word.split(separator: "/").last ?? "")) : word
    }
  }
}
