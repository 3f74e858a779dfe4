public import Foundation
public import Testing

/// Reference numbers that independent implementations computed, in `Fixtures/Reference`; and profiles that are not free enough for the
/// repository, which some machines keep beside it, in `../shared/reference/icc`.
public enum SharedReference {
  /// The folder of the numbers.
  public static func folder() -> URL? {
    let folder = Fixtures.url("Reference")
    return FileManager.default.fileExists(atPath: folder.path()) ? folder : nil
  }

  /// Always holds in a complete checkout.
  public static var whenPresent: ConditionTrait {
    .enabled(if: folder() != nil, "needs the reference numbers in Fixtures/Reference")
  }

  /// What a file in JSON holds; nil where there is no folder.
  public static func json<Value: Decodable>(_ path: String, as type: Value.Type) throws -> Value? {
    guard let folder = folder() else { return nil }
    return try JSONDecoder().decode(type, from: Data(contentsOf: folder.appending(path: path)))
  }

  /// The folder of others' profiles, nil on machines without it.
  public static func profiles() -> URL? {
    let folder = repository.deletingLastPathComponent().appending(path: "shared/reference/icc")
    return FileManager.default.fileExists(atPath: folder.path()) ? folder : nil
  }

  /// Skips a test, with the reason, on machines without others' profiles.
  public static var whenProfilesArePresent: ConditionTrait {
    .enabled(if: profiles() != nil, "needs the profiles in ../shared/reference/icc")
  }
}
