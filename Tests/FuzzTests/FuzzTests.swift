import Foundation
import ImageFiles
import Testing
import _TestSupport

/// A short run of `colorloom-fuzz`: it shows that the harness works, and that no reader fails on frequent kinds of
/// damage.
@Suite(.serialized) struct FuzzTests {
  #if canImport(Glibc)
    @Test func noMutatedInputCrashesHangsOrTakesTooMuchMemory() throws {
      let folder = try TemporaryFolder()
      let count = 400
      let run = try fuzz("--count", "\(count)", "--save", folder.path("findings"))
      #expect(run.status == 0, "\(run.text)")
      let lines = run.text.split(separator: "\n").filter { $0.contains(" inputs from ") }
      let images = ImageFileFormat.readable.map { $0.name.lowercased().filter { $0 != " " } }
      let looks = LookFileFormat.allCases.map(\.rawValue)
      let others = [
        "y4m", "icc", "curves", "recipe", "core-image", "film", "manifest", "hint", "css",
      ]
      #expect(Set(lines.map { String($0.prefix { $0 != ":" }) }) == Set(images + looks + others))
      for line in lines {
        // A seed that is refused is a finding.
        let words = line.split(separator: " ")
        let seeds = try #require(words.firstIndex(of: "seeds,").flatMap { Int(words[$0 - 1]) })
        #expect((1...count).contains(seeds), "\(line)")
        #expect(!line.contains(" 0 accepted"), "\(line)")
      }
    }

    /// The harness detects each kind of failure, and continues after it.
    @Test(arguments: [
      ("crash", "too long by intention"), ("hang", "processor time"), ("memory", "held"),
      ("seed", "refused: not one of ours"),
    ])
    func harnessDetectsFailures(kind: String, reason: String) throws {
      let folder = try TemporaryFolder()
      let arguments = [
        "--format", "broken-\(kind)", "--count", "40", "--jobs", "2", "--seconds", "1",
        "--save", folder.path("findings"),
      ]
      let run = try fuzz(arguments)
      #expect(run.status == 1)
      let findings = run.text.split(separator: "\n").filter { $0.contains(": \(kind): ") }
      #expect(findings.count >= 1, "\(run.text)")
      #expect(!run.text.contains(" 0 accepted"), "Other inputs are fine.")
      #expect(findings.allSatisfy { $0.contains(reason) }, "\(run.text)")
      let saved = try FileManager.default.contentsOfDirectory(atPath: folder.path("findings"))
      #expect(saved.count == findings.count)
      // The same seed gives the same findings; the memory and time in their lines are measured anew.
      let names = findings.map { $0.prefix { $0 != ":" } }
      let again = try fuzz(arguments).text
      #expect(names.allSatisfy { again.contains("\($0): \(kind): ") }, "\(run.text)\n\(again)")
    }

    @Test func errorsNameTheMistake() throws {
      #expect(try fuzz("--format", "tga").text.contains("There are: png"))
      #expect(try fuzz("--count", "0").status == 2)
      #expect(try fuzz("--nonsense", "1").text.contains("usage:"))
    }
  #endif

  private func fuzz(_ words: String...) throws -> (status: Int32, text: String) { try fuzz(words) }

  /// Runs the harness.
  private func fuzz(_ words: [String]) throws -> (status: Int32, text: String) {
    let run = try Client.ending(of: Client.built("colorloom-fuzz"), words)
    return (run.status, String(decoding: run.output, as: UTF8.self))
  }
}
