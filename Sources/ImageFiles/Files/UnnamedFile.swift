internal import PlatformLibc

/// Temporary files that the system removes when they are closed, however the process ends.
package enum UnnamedFile {
  private static var folder: String {
    folder(forVariable: getenv("TMPDIR").map { String(cString: $0) })
  }

  /// Returns the folder for a value of `TMPDIR`, which counts as unset where it is empty.
  package static func folder(forVariable value: String?) -> String {
    guard let value, !value.isEmpty else { return "/tmp" }
    return value
  }

  /// A new file, open for reading and writing; nil where the system refuses.
  static func open() -> Int32? {
    let descriptor = TemporaryFiles.openUnnamed(in: folder + "/")
    return descriptor >= 0 ? descriptor : nil
  }

  /// Returns the message for bytes that cannot be stored.
  static func refusal(_ reason: String) -> String {
    "its bytes cannot be kept in “\(folder)” meanwhile (\(reason)). Let TMPDIR name a folder with room"
  }
}
