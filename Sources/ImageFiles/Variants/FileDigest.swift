internal import FilterGraph

/// How many bytes a file has, and their SHA-256.
package struct FileDigest {
  /// How many bytes there are.
  package let byteCount: Int
  /// The hash of all bytes, in hexadecimal digits.
  package let sha256: String

  /// Reads a file to its end.
  package init(ofFile path: String) throws(ImageFileError) {
    let input = try ByteInput(path)
    var (hash, byteCount) = (SHA256(), 0)
    while true {
      let part = try input.part(upTo: .max)
      if part.isEmpty { break }
      hash.update(part)
      byteCount += part.count
    }
    (self.byteCount, sha256) = (byteCount, hash.hexadecimalDigest())
  }

  /// Hashes the bytes of a file.
  package init(_ bytes: [UInt8]) {
    var hash = SHA256()
    hash.update(bytes)
    (byteCount, sha256) = (bytes.count, hash.hexadecimalDigest())
  }
}
