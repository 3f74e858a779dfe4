import Colorloom
import Foundation
import Testing
import _TestSupport

/// Every filter of the package has an example in a guide: code that is shown there, and run by a test.
@Suite struct FilterGuideTests {
  /// A file of the module.
  private struct Source {
    /// The filters' types by their names in recipes.
    let types: [String: String]
    /// The modifiers and painters that users call, with their bodies.
    let modifiers: [(name: String, body: Substring)]

    init(_ text: String) {
      let form = /Declaration<(?:Painting<)?([A-Za-z0-9]+)>{1,2}\(\s*"([a-z0-9-]+)"/
      let modifier = /public (?:static )?func ([A-Za-z0-9]+)\([^{]*?\) -> Picture\s*\{/
      types = Dictionary(
        text.matches(of: form).map { (String($0.2), String($0.1)) }, uniquingKeysWith: { $1 })
      modifiers = text.matches(of: modifier).map { match in
        let rest = text[match.range.upperBound...]
        let end = rest.firstRange(of: "\n\n")?.lowerBound ?? rest.endIndex
        return (String(match.1), rest[..<end])
      }
    }
  }

  private let fences: String
  private let sources: [Source]

  init() throws {
    func files(_ path: String, ending: String) throws -> [String] {
      let folder = Fixtures.url("../\(path)").standardizedFileURL
      return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix(ending) }.sorted()
        .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
    }
    fences = try files("Documentation/Guides", ending: ".md").flatMap { guide in
      guide.components(separatedBy: "```swift\n").dropFirst()
        .map { $0.components(separatedBy: "```")[0] }
    }.joined()
    sources = try files("Sources/FilterGraph", ending: ".swift").map(Source.init)
  }

  /// What users write in the place of a modifier, or where a declaration is made by a function that others share.
  private static let otherwise = [
    "channel-composite": "Picture(\n  red:", "develop": "developed(",
  ]

  /// What users write to use a filter: its type, or a modifier that makes it; where only another filter makes it, that one's modifiers,
  /// which lie beside it.
  private func spellings(of filter: String) -> [String]? {
    if let spelling = Self.otherwise[filter] { return [spelling] }
    for source in sources {
      guard let type = source.types[filter] else { continue }
      let makers = sources.flatMap(\.modifiers).filter { modifier in
        ["(", "."].contains { modifier.body.contains("\(type)\($0)") }
      }
      return ([type] + (makers.isEmpty ? source.modifiers : makers).map(\.name)).map { "\($0)(" }
    }
    return nil
  }

  @Test func everyFilterHasAnExample() throws {
    for filter in FilterCatalog.builtIn.names {
      let known = try #require(spellings(of: filter), "No source declares “\(filter)”.")
      let isShown = known.contains { spelling in
        fences.ranges(of: spelling).contains { range in
          // Not the end of a longer name.
          !(fences[..<range.lowerBound].last?.isLetter ?? false)
        }
      }
      #expect(isShown, "No guide shows one of \(known.joined(separator: ", ")).")
    }
  }
}
