import Foundation
import Testing

/// Every Swift fence of the documentation is code that the tests in this folder compile and run.
///
/// `fenceProblems(in:examples:)` states the rule.
@Suite("Documentation fences")
struct DocumentationFenceTests {
  @Test("Every Swift fence is code of an example", arguments: try documentationPages())
  func fencesAreExamples(page: DocumentationPage) throws {
    let markdown = try page.read()
    for problem in fenceProblems(in: markdown, examples: try exampleFiles()) {
      Issue.record(
        "\(problem)",
        sourceLocation: SourceLocation(
          fileID: "Documentation/\(page.name)", filePath: page.path, line: problem.line, column: 1))
    }
  }

  @Test("The README has Swift fences to check")
  func readmeHasFences() throws {
    let readme = try DocumentationPage(name: "README.md").read()
    #expect(!swiftFences(in: readme).fences.isEmpty)
  }

  @Test("The README is among the pages, and there are examples")
  func nothingIsMissing() throws {
    #expect(try documentationPages().contains { $0.name == "README.md" })
    #expect(try !exampleFiles().isEmpty)
  }
}

/// A Markdown file, named by its path from the root of the package.
struct DocumentationPage: Sendable, CustomTestStringConvertible {
  let name: String

  var testDescription: String { name }
  var path: String { packageRoot.appending(path: name).path }

  func read() throws -> TextFile {
    TextFile(name: name, text: try String(contentsOfFile: path, encoding: .utf8))
  }
}

private let examplesFolder = URL(filePath: #filePath).deletingLastPathComponent()
private let packageRoot = examplesFolder.deletingLastPathComponent().deletingLastPathComponent()

/// The README, and the pages directly in `Documentation` and in `Documentation/Guides`.
private func documentationPages() throws -> [DocumentationPage] {
  let inFolders = try ["Documentation", "Documentation/Guides"].flatMap { folder in
    try FileManager.default.contentsOfDirectory(atPath: packageRoot.appending(path: folder).path)
      .filter { $0.hasSuffix(".md") }
      .sorted()
      .map { DocumentationPage(name: "\(folder)/\($0)") }
  }
  return [DocumentationPage(name: "README.md")] + inFolders
}

/// The Swift files of this folder, except the checker of fences: it quotes code that does not run.
private func exampleFiles() throws -> [TextFile] {
  let checker: Set = [
    "DocumentationFenceTests.swift", "ExampleSource.swift", "FenceChecker.swift",
    "FenceCheckerTests.swift", "MarkdownFences.swift",
  ]
  return try FileManager.default.subpathsOfDirectory(atPath: examplesFolder.path)
    .filter { $0.hasSuffix(".swift") && !checker.contains($0) }
    .sorted()
    .map { path in
      let url = examplesFolder.appending(path: path)
      return TextFile(name: path, text: try String(contentsOf: url, encoding: .utf8))
    }
}
