import PlatformLibc
import Synchronization

/// The files that the options and steps of a command name to be read: LUTs, recipes, profiles, further pictures.
final class FilesRead: Sendable {
  private let list = Mutex<[String]>([])
  /// The path by which standard input is read; nil where it is not.
  private let standardInput = Mutex<String?>(nil)
  /// Which part was read of files that hold several filters, in sentences that were not reported yet.
  private let choices = Mutex<[String]>([])

  var paths: [String] { list.withLock { $0 } }

  func add(_ path: String) { list.withLock { $0.append(path) } }

  func add(choice: String) { choices.withLock { $0.append(choice) } }

  /// Returns the choices that were added since the last call.
  func takeChoices() -> [String] {
    choices.withLock { taken in
      defer { taken = [] }
      return taken
    }
  }

  /// Records that standard input is read by a path; returns the path by which it is read already.
  func takeStandardInput(as path: String) -> String? {
    standardInput.withLock { taken in
      defer { taken = taken ?? path }
      return taken
    }
  }
}

extension Tool {
  /// The files that the command whose words are read or which runs on this thread reads besides its inputs; nil outside of commands.
  @TaskLocal static var filesRead: FilesRead?
}

extension Parser<String> {
  /// Parses the path of a file that the command reads besides its inputs.
  static var pathToRead: Parser {
    Parser("FILE", needed: path.needed, completion: path.completion) { word in
      Tool.filesRead?.add(word)
      return word
    }
  }
}

/// The files that a command reads and writes, told apart by where their paths lead.
///
/// Nothing that is written may replace a file that is read, or another result.
struct FileUses {
  private var sources: [String: String] = [:]
  private var results: [String: String] = [:]

  /// Creates the uses of a command that reads the files at `paths`, and those in ``Tool/filesRead``.
  init(reading paths: [String] = []) {
    for path in (Tool.filesRead?.paths ?? []) + paths where path != "-" {
      sources[resolvedPath(path)] = path
    }
  }

  /// The name of the file that is read at a path.
  func source(at path: String) -> String? { sources[resolvedPath(path)] }

  /// Adds a result, called `name`; returns the name of an earlier one at the same path.
  mutating func addResult(_ name: String, at path: String) -> String? {
    results.updateValue(name, forKey: resolvedPath(path))
  }

  /// Adds the file that an option names, if it is given. Throws where that would replace a file that is read, or another result.
  mutating func add(_ option: String, _ path: String?) throws {
    guard let path else { return }
    try add("\(option) \(path)", at: path)
  }

  /// Adds a result, called `name`. Throws where it would replace a file that is read, or another result.
  mutating func add(_ name: String, at path: String) throws {
    if let source = source(at: path) {
      throw Misuse("“\(name)” would replace “\(source)”, which is read. Name another file.")
    }
    if let other = addResult(name, at: path) {
      throw Misuse("“\(other)” and “\(name)” name the same file. Name two.")
    }
  }

  /// Adds the only result of a command with the single input `input`, which it may replace. Throws where it would replace another file
  /// that is read.
  mutating func add(_ output: String, inPlaceOf input: String) throws {
    if resolvedPath(output) != resolvedPath(input) { try add(output, at: output) }
  }
}

/// Returns a path by which two names of one file are equal, whether it and its folders exist or not; “-” for a standard stream.
private func resolvedPath(_ path: String) -> String {
  if path == "-" { return path }
  if let real = realpath(path, nil) {
    defer { free(real) }
    return String(cString: real)
  }
  guard let slash = path.lastIndex(of: "/") else {
    return path == "." ? path : joined(resolvedPath("."), path)
  }
  let folder = slash == path.startIndex ? "/" : resolvedPath(String(path[..<slash]))
  return joined(folder, String(path[path.index(after: slash)...]))
}

/// Returns the path of a name in a folder whose path is resolved.
private func joined(_ folder: String, _ name: String) -> String {
  switch name {
  case "", ".": folder
  case "..": String(folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)])
  default: folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }
}
