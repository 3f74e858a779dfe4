public import Foundation
public import Testing

/// Reference numbers and files too large or not free enough for the repository. Some machines keep them beside it, in
/// `../shared/reference`; tests that read them carry ``whenPresent``.
public enum SharedReference {
  /// The folder, nil on machines without it.
  public static func folder() -> URL? {
    let folder = repository.deletingLastPathComponent().appending(path: "shared/reference")
    return FileManager.default.fileExists(atPath: folder.path()) ? folder : nil
  }

  /// Skips a test, with the reason, on machines without the folder.
  public static var whenPresent: ConditionTrait {
    .enabled(if: folder() != nil, "needs the reference numbers in ../shared/reference")
  }

  /// What a file in JSON holds; nil on machines without the folder.
  public static func json<Value: Decodable>(_ path: String, as type: Value.Type) throws -> Value? {
    guard let folder = folder() else { return nil }
    return try JSONDecoder().decode(type, from: Data(contentsOf: folder.appending(path: path)))
  }
}
