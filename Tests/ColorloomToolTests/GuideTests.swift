import Colorloom
import ColorloomTool
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// A page of the documentation: the README, or a guide.
enum GuidePage {
  static let all: [String] = {
    let guides = "Documentation/Guides"
    let folder = Fixtures.url("../\(guides)").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return ["README.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "\(guides)/\($0)" }
  }()

  static func text(of page: String) throws -> String {
    try String(contentsOf: Fixtures.url("../\(page)"), encoding: .utf8)
  }

  /// The command lines of a page, in order: those in fences of the shell, each as one line, and those between backquotes.
  static func commands(in page: String) throws -> [String] {
    let parts = try text(of: page).components(separatedBy: "```")
    return parts.enumerated().flatMap { index, part -> [String] in
      if index % 2 == 0 {
        return part.matches(of: /`(colorloom [^`]+)`/).map {
          String($0.1).replacing("\n", with: " ")
        }
      }
      guard part.hasPrefix("sh\n") else { return [] }
      return part.replacing("\\\n", with: " ").split(separator: "\n")
        .filter { $0.contains(#/(^|\| |swift run -c release )colorloom /#) }.map(String.init)
    }
  }

  static func commands() throws -> [String] { try all.flatMap(commands) }
}

/// The commands in the documentation are valid.
@Suite struct GuideTests {
  private static let guide = "Documentation/Guides/CommandLine.md"

  private static let pages = GuidePage.all
  private static let pagesWithCommands = pages.filter {
    (try? GuidePage.commands(in: $0).isEmpty) == false
  }

  /// Command lines that no test here runs, and why.
  private static let notRun = [
    "colorloom VERB --help": "a sentence about all verbs",
    "colorloom filters NAME": "a sentence about all filters",
    "colorloom convert IN OUT …": "the head of a table",
    "colorloom trace": "a sentence about the verb",
    "colorloom convert --dither blue-noise": "a sentence about the option",
    "colorloom inspect --colors": "a sentence about the option",
    "colorloom convert --to sRGB --fit 2048": "names what a figure measures",
    "colorloom --thumbnail": "names what a figure measures",
    "colorloom --thumbnail --threads 1": "names what a figure measures",
    "colorloom develop scan.dng print.png": "needs the trait RAW, whose tests develop such files",
    install: "installs packages; what it runs then is the first command of another guide",
  ]

  private static let install =
    "$(command -v sudo) apt-get update && $(command -v sudo) apt-get install -y liblcms2-dev libpng-dev "
    + "libjpeg-dev libtiff-dev libopenexr-dev pkg-config && "
    + "swift run -c release colorloom develop Fixtures/negative.png print.png"

  private static func text(of page: String) throws -> String { try GuidePage.text(of: page) }

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

  /// The rows of the table below a heading, without its head.
  private static func rows(below heading: String, in page: String) throws -> [String] {
    let lines = try text(of: page).split(separator: "\n").map(String.init)
    let rows = lines.drop { $0 != heading }.dropFirst().prefix { !$0.hasPrefix("## ") }
      .filter { $0.hasPrefix("| ") }.dropFirst()
    try #require(!rows.isEmpty, "\(page) has no table below “\(heading)”.")
    return Array(rows)
  }

  /// Sequentially, on small files; a later command may read what an earlier one wrote.
  @Test(arguments: pagesWithCommands)
  func guideCommandsRun(page: String) throws {
    let desk = try GuideDesk(for: page)
    for line in try GuidePage.commands(in: page) where Self.notRun[line] == nil {
      try expectSuccess(of: line, on: desk)
    }
  }

  @Test func linesThatAreNotRunAreInTheGuides() throws {
    let commands = Set(try GuidePage.commands())
    for line in Self.notRun.keys { #expect(commands.contains(line), "\(line)") }
  }

  @Test func everyQuickRecipeHasACommand() throws {
    for row in try Self.rows(below: "## Quick recipes", in: "README.md") {
      #expect(row.contains("`colorloom "), "\(row)")
    }
  }

  /// The options that replace those of other programs.
  @Test func optionsInPlaceOfOtherProgramsRun() throws {
    let page = "Documentation/Guides/ComingFrom.md"
    let desk = try GuideDesk(for: page)
    for row in try Self.rows(below: "## From Pillow, ImageMagick and libvips", in: page) {
      let options = row.matches(of: /`(--[^`]+)`/).map { String($0.1) }
      #expect(!options.isEmpty || row.contains("`colorloom "), "\(row)")
      for option in options {
        let isLossy = ["--quality", "--max-bytes"].contains { option.hasPrefix($0) }
        let output = isLossy ? "out.jpg" : "out.png"
        try expectSuccess(of: "colorloom convert in.png \(output) \(option)", on: desk)
      }
    }
  }

  private func expectSuccess(of line: String, on desk: GuideDesk) throws {
    let isFinding = ["canary check", "certify", "--scan"].contains { line.contains($0) }
    let (isDone, errors): (Bool, [String])
    if ["<", "|", " - "].contains(where: line.contains) {
      (isDone, errors) = try desk.shell(line)
    } else {
      let transcript = run(Array(desk.words(line).dropFirst()))
      isDone = transcript.status == .done || isFinding && transcript.status == .failed
      errors = transcript.errors
    }
    #expect(isDone, "\(line): \(errors)")
    // Resizes overshoot, and files have further channels: notes about clipped samples and unread channels are no failure.
    let others = errors.filter { !$0.hasSuffix("are clipped.") && !$0.contains(": Not read: ") }
    #expect(others.isEmpty, "\(line): \(others)")
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
    let commands = try GuidePage.commands().filter { $0.hasPrefix("colorloom ") }
    for verb in DeclarationTests.verbs {
      #expect(commands.contains { shellWords($0)[1] == verb }, "\(verb)")
    }
  }
}
