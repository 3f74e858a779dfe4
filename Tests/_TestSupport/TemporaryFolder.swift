internal import Foundation

/// A folder that is removed with its last reference.
public final class TemporaryFolder: Sendable {
  private let url: URL

  /// Creates an empty folder.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "colorloom-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// Returns the path of a file in the folder.
  public func path(_ name: String) -> String { url.appending(path: name).path }

  /// Returns whether a call opens a file in a temporary folder, such as an unnamed one, which not every file system has.
  public static func canOpen(_ open: (_ folder: String, _ mode: UInt32) -> Int32) -> Bool {
    guard let folder = try? TemporaryFolder() else { return false }
    let descriptor = open(folder.path(""), 0o600)
    if descriptor >= 0 { close(descriptor) }
    return descriptor >= 0
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
