internal import Foundation

/// A folder that is gone when nobody needs it any more.
public final class TemporaryFolder: Sendable {
  private let url: URL

  /// A new, empty folder.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "colorloom-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// Where a file of this name in the folder is.
  public func path(_ name: String) -> String { url.appending(path: name).path }

  deinit { try? FileManager.default.removeItem(at: url) }
}
