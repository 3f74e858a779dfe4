public import Foundation

/// The test files under `Fixtures` in the repository.
public enum Fixtures {
  /// Returns the URL of a fixture by its path under `Fixtures`, such as `"Tables/canary.json"`.
  public static func url(_ path: String) -> URL {
    repository.appending(path: "Fixtures").appending(path: path)
  }

  /// Reads the bytes of a fixture.
  public static func bytes(_ path: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: url(path)))
  }

  /// Decodes a fixture in JSON.
  public static func json<Value: Decodable>(_ path: String, as type: Value.Type) throws -> Value {
    try JSONDecoder().decode(type, from: Data(contentsOf: url(path)))
  }
}

/// The folder of `Package.swift`.
let repository = URL(filePath: #filePath).resolvingSymlinksInPath()
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
