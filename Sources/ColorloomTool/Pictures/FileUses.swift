import PlatformLibc

/// The files that a command reads and writes, told apart by where their paths lead.
///
/// Nothing that is written may replace a file that is read, or another result.
struct FileUses {
  private var sources: [String: String] = [:]
  private var results: [String: String] = [:]

  init(reading paths: [String]) {
    for path in paths where path != "-" { sources[resolvedPath(path)] = path }
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
    let name = "\(option) \(path)"
    if let source = source(at: path) {
      throw Misuse("“\(name)” would replace “\(source)”, which is read. Name another file.")
    }
    if let other = addResult(name, at: path) {
      throw Misuse("“\(other)” and “\(name)” name the same file. Name two.")
    }
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
