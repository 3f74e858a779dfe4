public import Foundation

/// The files under `Fixtures`, which the repository keeps for its tests.
public enum Fixtures {
  /// Where a fixture is, from its path under `Fixtures`, such as `"Tables/canary.json"`.
  public static func url(_ path: String) -> URL {
    repository.appending(path: "Fixtures").appending(path: path)
  }

  /// What a fixture in JSON holds.
  public static func json<Value: Decodable>(_ path: String, as type: Value.Type) throws -> Value {
    try JSONDecoder().decode(type, from: Data(contentsOf: url(path)))
  }
}

/// The folder that holds `Package.swift`.
let repository = URL(filePath: #filePath).resolvingSymlinksInPath()
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
