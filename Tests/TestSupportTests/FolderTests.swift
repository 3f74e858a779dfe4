import Foundation
import Testing
import _TestSupport

/// The tests mirror the folders of the sources, so that the tests of a file are found by its path.
@Suite struct FolderTests {
  /// The folders of modules.
  private static let modules: [String] = {
    let sources = Fixtures.url("../Sources").standardizedFileURL
    return (try? FileManager.default.contentsOfDirectory(atPath: sources.path).sorted()) ?? []
  }()

  /// Returns the folders below `root` with a Swift file that contains `text`, by their paths from there.
  private func folders(below root: String, containing text: String = "") throws -> Set<String> {
    let url = Fixtures.url("../\(root)").standardizedFileURL
    var folders: Set<String> = []
    for path in FileManager.default.enumerator(atPath: url.path) ?? .init() {
      guard let path = path as? String, path.hasSuffix(".swift") else { continue }
      let folder = path.split(separator: "/").dropLast().joined(separator: "/")
      if folder.isEmpty || folders.contains(folder) { continue }
      let content = try String(contentsOf: url.appending(path: path), encoding: .utf8)
      if text.isEmpty || content.contains(text) { folders.insert(folder) }
    }
    return folders
  }

  @Test func modulesAreFound() throws {
    #expect(Self.modules.contains("ColorSpaces") && Self.modules.contains("ColorloomTool"))
    #expect(try folders(below: "Sources/ColorSpaces").contains("Spaces/Catalog"))
  }

  @Test(arguments: modules) func everyFolderOfAModuleHasTests(module: String) throws {
    let missing = try folders(below: "Sources/\(module)").subtracting(
      folders(below: "Tests/\(module)Tests", containing: "@Test"))
    #expect(missing.isEmpty, "Tests/\(module)Tests has no test in \(missing.sorted())")
  }

  @Test(arguments: modules) func everyFolderOfTestsIsOneOfTheModule(module: String) throws {
    let extra = try folders(below: "Tests/\(module)Tests").subtracting(
      folders(below: "Sources/\(module)"))
    #expect(extra.isEmpty, "Sources/\(module) has no \(extra.sorted())")
  }
}
