internal import PlatformLibc

/// Returns the path of the file that `path` leads to through its symbolic links, whether that file exists or not.
///
/// `realpath` resolves existing files alone; a dangling link stays a link only if the file is created at its end. The links of folders
/// stay in the path: the system follows them, also to names that are not UTF-8.
func followingLinks(_ path: String) throws(ImageFileError) -> String {
  var target = path
  // Linux follows as many.
  for _ in 0..<40 {
    let bytes = linkDestination(of: target)
    if bytes.isEmpty { return target }
    guard let destination = String(validating: bytes, as: UTF8.self) else {
      throw .cannotWrite(
        file: path, reason: "the symbolic link “\(target)” leads to a path that is not UTF-8")
    }
    target =
      destination.hasPrefix("/") ? destination : folder(of: target) + destination
  }
  throw .cannotWrite(file: path, reason: String(cString: strerror(ELOOP)))
}

/// Returns a path by which two names of one file are equal, whether the file exists or not.
func targetPath(_ path: String) throws(ImageFileError) -> String {
  if path == standardStream { return path }
  let target = try followingLinks(path)
  if let real = realPath(target) { return real }
  let folder = folder(of: target)
  let real = realPath(folder.isEmpty ? "." : folder) ?? identity(folder.utf8)
  return "\(real == "/" ? "" : real)/\(identity(target.dropFirst(folder.count).utf8))"
}

/// Returns the folder that a path is in, with the slash; an empty string for the current one.
func folder(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "" }
  return String(path[...slash])
}

/// The words before and after the path of a missing folder.
private let missingFolder = (before: "the folder “", after: "” does not exist")

/// Returns the reason why no file can be written into a folder that does not exist.
func reason(ofMissingFolder path: String) -> String {
  missingFolder.before + path + missingFolder.after
}

extension ImageFileError {
  /// Whether a file cannot be written because its folder does not exist.
  package var isOfMissingFolder: Bool {
    guard case .cannotWrite(_, let reason) = self else { return false }
    return reason.hasPrefix(missingFolder.before) && reason.hasSuffix(missingFolder.after)
  }
}

/// Returns the bytes of the path that a symbolic link leads to, or none for anything else.
private func linkDestination(of path: String) -> [UInt8] {
  let characters = [CChar](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
    count = buffer.baseAddress.map { max(readlink(path, $0, buffer.count), 0) } ?? 0
  }
  return characters.map { UInt8(bitPattern: $0) }
}

/// Returns the ``identity(_:)`` of the path without symbolic links; nil where it leads to no file.
private func realPath(_ path: String) -> String? {
  guard let real = realpath(path, nil) else { return nil }
  defer { free(real) }
  return identity(UnsafeRawBufferPointer(start: real, count: strlen(real)))
}

/// Returns a text that no other path has: bytes that are not UTF-8 are escaped, and so are backslashes.
private func identity(_ path: some Collection<UInt8>) -> String {
  let backslash = UInt8(ascii: "\\")
  return escapingInvalidUTF8(path.flatMap { $0 == backslash ? [$0, $0] : [$0] })
}

/// Returns a text for a person, in which the bytes that are not UTF-8 are escaped, such as \xe9.
package func escapingInvalidUTF8(_ bytes: some Collection<UInt8>) -> String {
  var (text, rest) = ("", bytes[...])
  var parser = Unicode.UTF8.ForwardParser()
  var iterator = bytes.makeIterator()
  while true {
    switch parser.parseScalar(from: &iterator) {
    case .valid(let scalar):
      text.unicodeScalars.append(Unicode.UTF8.decode(scalar))
      rest = rest.dropFirst(scalar.count)
    case .error(let length):
      for byte in rest.prefix(length) { text += "\\x" + String(byte, radix: 16) }
      rest = rest.dropFirst(length)
    case .emptyInput: return text
    }
  }
}
