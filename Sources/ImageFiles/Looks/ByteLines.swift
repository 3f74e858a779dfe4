/// Reads the lines of a source in parts, so that it is never in memory as a whole. A byte-order mark is skipped.
struct ByteLines {
  /// The size of a part in bytes.
  private static let partSize = 1 << 16
  /// The most bytes of a line: the 65,536 values of a cineSpace curve stand in one.
  private static let longestLine = 1 << 21

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
      guard part.count - start <= Self.longestLine else {
        throw .line(
          file: file, number: number + 1, reason: "it has more than \(Self.longestLine) bytes")
      }
      let known = part.count - start
      let next = position..<min(position + Self.partSize, source.count)
      do throws(ImageFileError) {
        part = try Array(part[start...]) + source.array(next)
      } catch {
        throw .file(error)
      }
      let isFirst = next.lowerBound == 0
      start = isFirst && part.starts(with: byteOrderMark) ? byteOrderMark.count : 0
      position = next.upperBound
      // The last byte may have been a CR.
      end = lineEnd(from: max(known - 1, start))
    }
    guard end != nil || start < part.count else { return nil }
    let line = part[start..<(end ?? part.count)]
    start = min(line.endIndex + 1, part.count)
    number += 1
    return line
  }

  /// Returns the place of an LF, of that of CR LF, or of a CR alone; nil where it is not in the part.
  private func lineEnd(from index: Int) -> Int? {
    part.withUnsafeBytes { bytes -> Int? in
      var index = index
      while index < bytes.count {
        if bytes[index] == 0x0A { return index }
        if bytes[index] == 0x0D {
          guard index + 1 < bytes.count else { return position == source.count ? index : nil }
          if bytes[index + 1] != 0x0A { return index }
        }
        index += 1
      }
      return nil
    }
  }
}

/// The byte-order mark of UTF-8, with which some editors begin every text.
let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
