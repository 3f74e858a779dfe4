import Foundation
import ImageFiles
import PlatformLibc

extension Tool {
  /// Whether the command is a job of a batch, which reads its jobs from standard input.
  ///
  /// The pictures of one command may share a recipe from standard input, which is read once, but no picture: for each of many pictures
  /// this is the value of their command, and ``Console/ownsStreams`` is false.
  @TaskLocal static var isJobOfBatch = false
}

/// Records that the command reads a file, once for each time that it does. Refuses a path to standard input for a job in a batch, which
/// would read the jobs after it, and for a second reader.
func beginReading(_ path: String) throws {
  Tool.filesRead?.add(path)
  if Tool.isJobOfBatch, path == "-" || isPath(path, ofStream: STDIN_FILENO) {
    throw Misuse(onForeignStream: path)
  }
  try takeStandardInput(as: path)
}

/// Records that the command reads standard input, if a path leads there. Throws where it reads that already: a second reader would find
/// no byte.
func takeStandardInput(as path: String) throws {
  guard isStandardInput(path), let other = Tool.filesRead?.takeStandardInput(as: path) else {
    return
  }
  throw Misuse(
    "Standard input can be read once, and the command reads "
      + (other == path ? "“\(path)” twice" : "it as “\(other)” and as “\(path)”")
      + ". Save it to a file first.")
}

extension Misuse {
  /// A path of a job in a batch leads to one of the batch's streams.
  init(onForeignStream path: String) {
    self.init(
      "“\(path)” cannot be used here: standard input and output are in use. Name a file.")
  }
}

/// Returns the text of a file or a pipe, without a byte order mark.
func readText(at path: String) throws -> String {
  let bytes: [UInt8]
  do { bytes = try readBytes(at: path) } catch let error as ImageFileError {
    throw Failure(readingFailure(of: path, error))
  }
  let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  let content = bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0)
  guard let text = String(validating: content, as: UTF8.self) else {
    throw Failure("“\(path)” is not text in UTF-8.")
  }
  return text
}

/// Returns the bytes of a file or a pipe that holds no picture; by default of at most 256 MiB, as files of looks are.
func readBytes(at path: String, limit: Int = 256 << 20) throws -> [UInt8] {
  try beginReading(path)
  return try bytesOfFile(at: path, limit: limit)
}

/// Returns a sentence on why a file cannot be read, which names the path as it was typed.
func readingFailure(of path: String, _ error: ImageFileError) -> String {
  if path == "-" { return Tool.sentence(for: error, with: []) }
  guard FileManager.default.fileExists(atPath: path) else { return "“\(path)” does not exist." }
  if isFolder(path) { return "“\(path)” is a folder, not a file." }
  return error.finding
}

/// Returns the system's reason for an error of Foundation, whose own description is longer and says less.
func systemReason(for error: any Error) -> String {
  let reason = (error as? CocoaError)?.underlying as? POSIXError
  return reason.map { String(cString: strerror($0.code.rawValue)) } ?? error.localizedDescription
}
