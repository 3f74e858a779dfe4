/// Random access to single bytes of a source, which are read in windows of `length` bytes.
final class ByteWindow {
  let source: ByteSource
  private var bytes: [UInt8] = []
  private var start = 0
  private let length: Int

  init(_ source: ByteSource, length: Int = 1 << 16) {
    (self.source, self.length) = (source, length)
  }

  /// One byte. Traps where there is none.
  subscript(position: Int) -> UInt8 {
    get throws(ImageFileError) {
      if !(start..<start + bytes.count).contains(position) {
        bytes = try source.array(position..<min(position + length, source.count))
        start = position
      }
      return bytes[position - start]
    }
  }
}
