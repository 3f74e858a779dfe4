import Colorloom
import ColorloomTool
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// The commands in the documentation are valid.
@Suite struct GuideTests {
  private static let guide = "Documentation/Guides/CommandLine.md"

  /// The README, and every guide.
  private static let pages: [String] = {
    let guides = "Documentation/Guides"
    let folder = Fixtures.url("../\(guides)").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return ["README.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "\(guides)/\($0)" }
  }()

  /// Those with lines that begin with a command.
  private static let pagesWithCommands = pages.filter { page in
    (try? text(of: page))?.contains("\ncolorloom ") == true
  }

  private static func text(of page: String) throws -> String {
    try String(contentsOf: Fixtures.url("../\(page)"), encoding: .utf8)
  }

  /// The lines of fenced code of one language, in a file of the repository.
  private static func fenced(_ language: String, in page: String) throws -> [String] {
    var isInside = false
    return try text(of: page).split(separator: "\n").map(String.init).filter { line in
      if line.hasPrefix("```") {
        isInside = line == "```\(language)"
        return false
      }
      return isInside
    }
  }

  private static func commands(in page: String) throws -> [String] {
    try fenced("sh", in: page).filter { $0.hasPrefix("colorloom ") }
  }

  private static func commands() throws -> [String] { try pages.flatMap(commands) }

  /// The rows of the table below a heading, without its head.
  private static func rows(below heading: String, in page: String) throws -> [String] {
    let lines = try text(of: page).split(separator: "\n").map(String.init)
    let rows = lines.drop { $0 != heading }.dropFirst().prefix { !$0.hasPrefix("## ") }
      .filter { $0.hasPrefix("| ") }.dropFirst()
    try #require(!rows.isEmpty, "\(page) has no table below “\(heading)”.")
    return Array(rows)
  }

  /// All words are parsed; then help is printed instead of running.
  @Test func guideCommandsAreValid() throws {
    let desk = try Desk()
    for line in try Self.commands() {
      let transcript = run(desk.words(line).dropFirst() + ["--help"])
      #expect(transcript.status == .done, "\(line): \(transcript.errors)")
    }
  }

  /// Sequentially, on small files, except commands that read standard input or a full-size frame.
  @Test(arguments: pagesWithCommands)
  func guideCommandsRun(page: String) throws {
    let desk = try Desk()
    let foreign = ["<", " - ", "frames.rgb"]
    let commands = try Self.commands(in: page)
    try #require(!commands.isEmpty, "\(page) has commands outside of fences of sh.")
    for line in commands where !foreign.contains(where: line.contains) {
      expectSuccess(of: line, on: desk)
    }
  }

  /// Each row of the README's table, on shipped files.
  @Test func quickRecipesRun() throws {
    let desk = try Desk.ofShippedFiles()
    for row in try Self.rows(below: "## Quick recipes", in: "README.md") {
      let command = try #require(row.firstMatch(of: /`(colorloom [^`]+)`/), "\(row)")
      expectSuccess(of: String(command.1), on: desk)
    }
  }

  /// The options that replace those of other programs.
  @Test func optionsInPlaceOfOtherProgramsRun() throws {
    let desk = try Desk.ofShippedFiles()
    for row in try Self.rows(
      below: "## From Pillow, ImageMagick and libvips", in: "Documentation/Guides/ComingFrom.md")
    {
      let options = row.matches(of: /`(--[^`]+)`/).map { String($0.1) }
      #expect(!options.isEmpty || row.contains("`colorloom "), "\(row)")
      for option in options {
        let isLossy = ["--quality", "--max-bytes"].contains { option.hasPrefix($0) }
        let output = isLossy ? "out.jpg" : "out.png"
        expectSuccess(of: "colorloom convert in.png \(output) \(option)", on: desk)
      }
    }
  }

  private func expectSuccess(of line: String, on desk: Desk) {
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

  @Test func guideJobsAreValid() throws {
    let jobs = try Self.fenced("json", in: Self.guide)
    let output = run("batch", input: jobs).output
    #expect(!jobs.isEmpty && output.count == jobs.count)
    for (job, line) in zip(jobs, output) {
      #expect(!line.contains("is no job"), "\(job)")
      // Its files are missing, but its words are valid.
      #expect(!line.contains("\"status\":2"), "\(line)")
    }
  }

  /// Jobs that run at the same time: none names a file that another one names behind its input.
  @Test func guideJobsReadNoResults() throws {
    struct Job: Decodable { let run: [String] }
    let jobs = try Self.fenced("json", in: Self.guide).map { line in
      try JSONDecoder().decode(Job.self, from: Data(line.utf8)).run
    }
    let written = jobs.filter { $0[0] == "convert" }.map { $0[2] }
    try #require(!written.isEmpty)
    for job in jobs where job[0] != "convert" {
      #expect(Set(job).isDisjoint(with: written), "\(job)")
    }
  }

  /// `ImageFiles` and `ICCProfiles` do not pass on the types of the core, so that code with either import alone does not compile.
  @Test(arguments: pages)
  func pagesThatNameAnImportNameTheCore(page: String) throws {
    let text = try Self.text(of: page)
    let modules = ["ImageFiles", "ICCProfiles"].filter { text.contains("import \($0)") }
    #expect(modules.isEmpty || text.contains("import Colorloom"), "\(modules)")
  }

  /// The list has each decision by its title, and a link to its page.
  @Test func everyDecisionIsListed() throws {
    let folder = "Documentation/Decisions"
    let list = try Self.text(of: "\(folder)/README.md")
    let names = try FileManager.default.contentsOfDirectory(
      atPath: Fixtures.url("../\(folder)").path
    ).filter { $0.hasSuffix(".md") && $0 != "README.md" }
    #expect(names.count > 30)
    for name in names {
      let title = try Self.text(of: "\(folder)/\(name)").prefix { $0 != "\n" }.dropFirst(2)
      #expect(list.contains("| [\(title)](\(name)) |"), "\(name)")
    }
    #expect(list.components(separatedBy: "](0").count - 1 == names.count)
  }

  /// Filters are explained by the filter reference; help lists them by their names alone.
  @Test func everyOptionOfAVerbIsInAGuide() throws {
    let text = try Self.pages.map(Self.text).joined()
    let known = Set(text.matches(of: /--[a-z0-9-]+/).map { String($0.0) })
    var count = 0
    for verb in DeclarationTests.verbs {
      var listsFilters = false
      for line in run("help", verb).output.joined(separator: "\n").split(separator: "\n") {
        if !line.hasPrefix(" ") { listsFilters = line.contains("explains one") }
        guard !listsFilters, let option = line.prefixMatch(of: #/ {2}(--[a-z0-9-]+)/#) else {
          continue
        }
        count += 1
        #expect(known.contains(String(option.1)), "\(verb) \(option.1)")
      }
    }
    #expect(count > 100)
  }

  /// Tables, code, headings, pictures and a long word alone in its line are exempt.
  @Test(arguments: pages)
  func proseIsWrapped(page: String) throws {
    var isCode = false
    for line in try Self.text(of: page).split(separator: "\n") {
      if line.hasPrefix("```") { isCode.toggle() }
      let isProse = !isCode && !["|", "#", "!"].contains { line.hasPrefix($0) }
      #expect(!isProse || line.count <= 140 || !line.contains(" "), "\(line)")
    }
  }

  @Test func everyVerbHasAnExampleInTheGuides() throws {
    let commands = try Self.commands()
    for verb in DeclarationTests.verbs {
      #expect(commands.contains { shellWords($0)[1] == verb }, "\(verb)")
    }
  }
}

/// A folder with the files that commands mention.
private struct Desk {
  private let folder: TemporaryFolder

  private init(_ folder: TemporaryFolder) { self.folder = folder }

  /// The README's files: shipped ones by other names, and a logo with alpha.
  static func ofShippedFiles() throws -> Desk {
    let desk = Desk(try TemporaryFolder())
    for (name, fixture) in [
      ("in.png", "Images/scene.png"), ("in.jpg", "Images/wide-p3.jpg"),
      ("scan.png", "negative.png"),
      ("film.cube", "Looks/look-3d-5.cube"), ("display.icc", "Profiles/display-p3-v4.icc"),
      ("printer.icc", "Profiles/cmyk-mft2.icc"),
    ] {
      try FileManager.default.copyItem(
        atPath: Fixtures.url(fixture).path, toPath: desk.folder.path(name))
    }
    try desk.writeLogo()
    return desk
  }

  private func writeLogo() throws {
    let logo = TestPictures.codes(as: UInt8.self, PixelSize(48, 32), channels: .rgba)
    try ImageFile.write(.uint8(logo), to: folder.path("logo.png"))
  }

  /// The files of the guides.
  init() throws {
    folder = try TemporaryFolder()
    let photo = TestPictures.codes(as: UInt16.self, PixelSize(48, 32), in: .displayP3)
    for name in ["photo.png", "copy.png", "uploaded.png", "gray.png"] {
      try ImageFile.write(.uint16(photo), to: folder.path(name))
    }
    try writeLogo()
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
      // A folder to write.
      if word.hasSuffix("/") { return folder.path(word) }
      let ending = word.split(separator: ".").last.map(String.init) ?? ""
      let isFile =
        !word.contains(" ") && word.contains(".")
        && [
          "clf", "cube", "curves", "exr", "html", "icc", "jpg", "json", "ply", "png", "ppm", "rgb",
          "svg", "tiff", "y4m",
        ]
        .contains(
          ending)
      return isFile ? folder.path(String(word.split(separator: "/").last ?? "")) : word
    }
  }
}
