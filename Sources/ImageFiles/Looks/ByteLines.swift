internal import PlatformLibc

/// Reads the lines of a source in parts, so that it is never in memory as a whole.
struct ByteLines {
  /// The size of a part in bytes, and the longest line.
  private static let partSize = 1 << 16

  private let source: ByteSource
  private let file: String
  private var part: [UInt8] = []
  /// The offset of the next line in the part.
  private var start = 0
  /// How many bytes of the source were read.
  private var position = 0
  /// The number of the line that came last, from 1.
  private(set) var number = 0

  init(_ source: ByteSource, file: String) { (self.source, self.file) = (source, file) }

  /// The next line, without its end; nil after the last one.
  mutating func next() throws(LookFileError) -> ArraySlice<UInt8>? {
    var end = lineEnd(from: start)
    while end == nil, position < source.count {
      guard part.count - start <= Self.partSize else {
        throw .line(
          file: file, number: number + 1, reason: "it has more than \(Self.partSize) bytes")
      }
      let known = part.count - start
      let next = position..<min(position + Self.partSize, source.count)
      do throws(ImageFileError) {
        part = try Array(part[start...]) + source.array(next)
      } catch {
        throw .file(error)
      }
      (start, position) = (0, next.upperBound)
      end = lineEnd(from: known)
    }
    guard end != nil || start < part.count else { return nil }
    let line = part[start..<(end ?? part.count)]
    start = min(line.endIndex + 1, part.count)
    number += 1
    return line
  }

  private func lineEnd(from index: Int) -> Int? {
    part.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, index < bytes.count,
        let end = memchr(base + index, 0x0A, bytes.count - index)
      else { return nil }
      return UnsafeRawPointer(end) - base
    }
  }
}
