public import Foundation
public import Testing

/// Reference values computed by independent implementations, in `Fixtures/Reference`; and profiles that cannot be
/// redistributed, which some machines have beside the repository, in `../shared/reference/icc`.
public enum SharedReference {
  /// The folder of the reference values.
  public static func folder() -> URL? {
    let folder = Fixtures.url("Reference")
    return FileManager.default.fileExists(atPath: folder.path()) ? folder : nil
  }

  /// A condition that holds in every complete checkout.
  public static var whenPresent: ConditionTrait {
    .enabled(if: folder() != nil, "needs the reference numbers in Fixtures/Reference")
  }

  /// Decodes a file in JSON; nil if there is no folder.
  public static func json<Value: Decodable>(_ path: String, as type: Value.Type) throws -> Value? {
    guard let folder = folder() else { return nil }
    return try JSONDecoder().decode(type, from: Data(contentsOf: folder.appending(path: path)))
  }

  /// The folder of published profiles; nil on machines without it.
  public static func profiles() -> URL? {
    let folder = repository.deletingLastPathComponent().appending(path: "shared/reference/icc")
    return FileManager.default.fileExists(atPath: folder.path()) ? folder : nil
  }

  /// Skips a test, with the reason, on machines without published profiles.
  public static var whenProfilesArePresent: ConditionTrait {
    .enabled(if: profiles() != nil, "needs the profiles in ../shared/reference/icc")
  }
}
