/// The text of a file of a table, or of an element of one: lines in front, rows of values, lines behind.
struct LookLines {
  let header: String
  var count = 0
  var footer = ""
  var row: (Int) -> String = { _ in "" }
}

extension [LookLines] {
  /// Writes the parts one after another, some rows at a time.
  func write(to path: String) throws(LookFileError) {
    do throws(ImageFileError) {
      let file = try AtomicFile(path)
      var (bytes, position) = ([UInt8](), 0)
      for part in self {
        bytes += part.header.utf8
        for index in 0..<part.count {
          bytes += part.row(index).utf8
          bytes.append(UInt8(ascii: "\n"))
          guard bytes.count >= 1 << 16 else { continue }
          try file.store(bytes, at: position, file: path)
          position += bytes.count
          bytes.removeAll(keepingCapacity: true)
        }
        bytes += part.footer.utf8
      }
      if !bytes.isEmpty { try file.store(bytes, at: position, file: path) }
      try file.commit()
    } catch {
      throw .file(error)
    }
  }
}
