internal import FilterGraph

/// How many bytes a file has, and their SHA-256.
package struct FileDigest {
  /// How many bytes there are.
  package private(set) var byteCount = 0
  /// The hash of all bytes, in hexadecimal digits.
  package let sha256: String

  /// Reads a file to its end.
  package init(ofFile path: String) throws(ImageFileError) {
    let input = try ByteInput(path)
    var hash = SHA256()
    while true {
      let part = try input.part(upTo: .max)
      if part.isEmpty { break }
      hash.update(part)
      byteCount += part.count
    }
    sha256 = hash.hexadecimalDigest()
  }
}
