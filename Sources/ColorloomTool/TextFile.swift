import Foundation

/// Returns the text of a file.
func readText(at path: String) throws -> String {
  do {
    return try String(contentsOf: URL(filePath: path), encoding: .utf8)
  } catch {
    throw Failure(readingFailure(of: path, error))
  }
}

/// Returns a sentence on why a file cannot be read, which names the path as it was typed.
func readingFailure(of path: String, _ error: any Error) -> String {
  var isFolder: ObjCBool = false
  let files = FileManager.default
  guard files.fileExists(atPath: path, isDirectory: &isFolder) else {
    return "“\(path)” does not exist."
  }
  if isFolder.boolValue { return "“\(path)” is a folder, not a file." }
  guard files.isReadableFile(atPath: path) else {
    return "“\(path)” cannot be read: permission denied."
  }
  switch (error as? CocoaError)?.code {
  case .fileReadInapplicableStringEncoding, .fileReadCorruptFile, .fileReadUnknownStringEncoding:
    return "“\(path)” is not text in UTF-8."
  default: return "“\(path)” cannot be read: \(error.localizedDescription)"
  }
}
