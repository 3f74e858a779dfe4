internal import ColorSpaces
internal import FilterGraph

/// Reads a text line by line, as words and numbers, so that it is never in memory as a whole.
struct LookText {
  /// A line that has words, without its comment after `#`. In quotes, `#` begins none.
  struct Line {
    let number: Int
    fileprivate let bytes: ArraySlice<UInt8>

    /// The first word.
    var keyword: String {
      let start = bytes.drop { $0 <= UInt8(ascii: " ") }
      return String(decoding: start.prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self)
    }

    /// The text after the first word, without the blanks around it.
    var rest: String {
      let words = bytes.drop { $0 <= UInt8(ascii: " ") }.drop { $0 > UInt8(ascii: " ") }
      let text = words.drop { $0 <= UInt8(ascii: " ") }
      let end = text.lastIndex { $0 > UInt8(ascii: " ") }
      return String(decoding: text[..<(end.map { $0 + 1 } ?? text.startIndex)], as: UTF8.self)
    }

    /// The words. Lines of many numbers are read by ``LookText/numbers(_:from:count:)``, which keeps none.
    var words: [Substring] {
      String(decoding: bytes, as: UTF8.self).utf8.split { $0 <= UInt8(ascii: " ") }
        .map { Substring($0) }
    }

    /// Whether the line begins with a letter.
    var isWord: Bool {
      guard let first = bytes.first(where: { $0 > UInt8(ascii: " ") }) else { return false }
      return first >= 0x80 || (0x41...0x5A).contains(first & ~0x20)
    }
  }

  let file: String
  let byteCount: Int
  let memory: LookMemory
  private var lines: ByteLines

  /// A text in a source, from its first line on.
  init(_ source: ByteSource, file: String, memoryLimit: Int?) {
    (self.file, byteCount) = (file, source.count)
    memory = LookMemory(file: file, limit: memoryLimit, held: source.memoryBytes)
    lines = ByteLines(source, file: file)
  }

  /// Returns the next line that has words; nil after the last one.
  mutating func next() throws(LookFileError) -> Line? {
    while let bytes = try lines.next() {
      let content = Self.withoutComment(bytes)
      if content.contains(where: { $0 > UInt8(ascii: " ") }) {
        return Line(number: lines.number, bytes: content)
      }
    }
    return nil
  }

  /// A line up to the first `#` that stands in no pair of quotes.
  private static func withoutComment(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var index = line.startIndex
    while index < line.endIndex, line[index] != UInt8(ascii: "#") {
      if line[index] == UInt8(ascii: "\"") {
        index = line[(index + 1)...].firstIndex(of: UInt8(ascii: "\"")) ?? index
      }
      index += 1
    }
    return line[..<index]
  }

  /// Returns the next line, which must exist.
  mutating func required() throws(LookFileError) -> Line {
    guard let line = try next() else { throw incomplete("it ends too early") }
    return line
  }

  /// Prepares for up to `limit` rows of values.
  func rows(upTo limit: Int) throws(LookFileError) -> LookRows {
    try LookRows(upTo: limit, in: byteCount, memory)
  }

  func failure(_ line: Line, _ reason: String) -> LookFileError {
    .line(file: file, number: line.number, reason: reason)
  }

  func incomplete(_ reason: String) -> LookFileError { .incomplete(file: file, reason: reason) }

  func number(_ word: Substring, _ line: Line) throws(LookFileError) -> Double {
    guard let number = decimalNumber(word), number.isFinite else {
      throw failure(line, "“\(word.prefix(40))” is not a number")
    }
    return number
  }

  /// Returns the numbers from the word `first` on, exactly `count` of them where that is not nil.
  func numbers(
    _ line: Line, from first: Int = 0, count: Int? = nil
  ) throws(LookFileError) -> [Double] {
    var numbers: [Double] = []
    try forEachNumber(line, from: first, count: count) { index, number in
      if index < count ?? .max { numbers.append(number) }
    }
    return numbers
  }

  /// Returns three numbers, from the word `first` on.
  func vector(_ line: Line, from first: Int = 0) throws(LookFileError) -> SIMD3<Double> {
    var vector = SIMD3<Double>.zero
    try forEachNumber(line, from: first, count: 3) { index, number in
      if index < 3 { vector[index] = number }
    }
    return vector
  }

  /// Calls `body` with the index and the value of each number. Throws where there are not `count`.
  private func forEachNumber(
    _ line: Line, from first: Int, count: Int?, _ body: (Int, Double) -> Void
  ) throws(LookFileError) {
    let (found, wrong) = line.bytes.withUnsafeBytes { bytes in
      DecimalNumber.forEach(in: bytes, from: first, body)
    }
    if let wrong { throw failure(line, "“\(wrong)” is not a \(DecimalNumber.needed)") }
    if let count, found != count {
      throw failure(line, "\(count) numbers should stand here; there are \(found)")
    }
  }

  /// A whole number in a range.
  func count(
    _ line: Line, at word: Int = 0, in range: ClosedRange<Int>
  ) throws(LookFileError) -> Int {
    let words = line.words
    guard words.count > word, let count = Int(words[word]), range.contains(count) else {
      throw wrongCount(line, in: range)
    }
    return count
  }

  /// The error for a number that is not whole or not in a range.
  func wrongCount(_ line: Line, in range: ClosedRange<Int>) -> LookFileError {
    failure(line, "a whole number of \(range.lowerBound) to \(range.upperBound) should stand here")
  }

  /// The grid size of a 3D LUT in a line of three equal numbers.
  func gridSize(_ line: Line) throws(LookFileError) -> Int {
    let size = try count(line, in: ColorTable.sizes)
    let words = line.words
    guard words.count == 3, words.allSatisfy({ Int($0) == size }) else {
      throw .unsupported(file: file, reason: "its sides are of different sizes")
    }
    return size
  }
}

/// Reads the lines of a source in parts, so that it is never in memory as a whole. A byte-order mark is skipped.
private struct ByteLines {
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
private let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

extension Look.Step {
  /// How many values a curve of a file may have, as in OpenColorIO.
  ///
  /// Positions in longer curves have hardly any fraction in single precision.
  static let curveSizes = 2...1_048_576

  /// From `lowest`…`highest` to 0…1.
  static func spreading(_ lowest: SIMD3<Double>, _ highest: SIMD3<Double>) -> Look.Step {
    let scaling = ChannelScaling(spreading: ColorBox(lowest, highest))
    return .affine(scale: scaling.scale, offset: scaling.offset)
  }

  /// Curves over 0…1 from rows of red, green and blue.
  static func curves(_ values: [Float]) -> Look.Step {
    func curve(_ channel: Int) -> Curve {
      .sampled(SampledCurve(stride(from: channel, to: values.count, by: 3).map { values[$0] }))
    }
    return .curves(curve(0), curve(1), curve(2))
  }
}

extension ColorTable {
  /// Creates a 3D LUT from the values of a file, red varying fastest.
  init(
    size: Int, values: [Float], lowest: SIMD3<Double> = .zero, highest: SIMD3<Double> = .one,
    interpolation: Interpolation = .tetrahedral, file: String
  ) throws(LookFileError) {
    do throws(ColorError) {
      try self.init(
        size: size, entries: values, lowest: lowest, highest: highest,
        interpolation: interpolation)
    } catch {
      throw .parameter(file: file, RecipeError(error))
    }
  }
}
