import ColorloomTool
import Foundation
import Testing
import _TestSupport

/// What the documentation tells people to type is understood.
@Suite struct GuideTests {
  private static let guide = "Documentation/Guides/CommandLine.md"

  /// The lines of the fences of one language, in a file of the repository.
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

  private static let commands = [
    "README.md", guide, "Documentation/Guides/Film.md", "Documentation/Guides/LiveHighlighter.md",
    "Documentation/Guides/WideColor.md", "Documentation/Guides/WideTriangle.md",
  ]
  .flatMap { fenced("sh", in: $0) }.filter { $0.hasPrefix("colorloom ") }

  /// All words are read; only then help is given instead of running.
  @Test(arguments: commands)
  func commandsAreUnderstood(line: String) {
    let transcript = run(shellWords(line).dropFirst() + ["--help"])
    #expect(transcript.status == .done, "\(transcript.errors)")
  }

  @Test func jobsAreJobs() {
    let jobs = Self.fenced("json", in: Self.guide)
    #expect(!jobs.isEmpty)
    for (job, line) in zip(jobs, run("batch", input: jobs).output) {
      #expect(!line.contains("is no job"), "\(job)")
      // Its files are missing, its words are right.
      #expect(!line.contains("\"status\":2"), "\(line)")
    }
  }

  @Test func everyVerbHasAnExample() {
    let help = run("help").output.joined(separator: "\n").split(separator: "\n")
    let verbs = help.drop { $0 != "Verbs:" }.dropFirst().prefix { $0.hasPrefix("  ") }
      .filter { !$0.hasPrefix("   ") }.compactMap { $0.split(separator: " ").first }
    #expect(verbs.count > 5)
    for verb in verbs {
      #expect(Self.commands.contains { shellWords($0)[1] == verb }, "\(verb)")
    }
  }
}
