internal import ColorSpaces
internal import FilterGraph

/// The words of a text, line by line, and the numbers among them.
struct LookText {
  struct Line {
    let number: Int
    let words: [Substring]
  }

  let file: String
  let text: String
  /// The nonempty lines, without comments after `#`.
  let lines: [Line]

  /// One line of a text.
  init(line: ArraySlice<UInt8>, number: Int, file: String) {
    self.init(
      file: file, text: String(decoding: line, as: UTF8.self), firstLine: number)
  }

  init(_ bytes: [UInt8], file: String) {
    var bytes = bytes[...]
    if bytes.starts(with: byteOrderMark) { bytes = bytes.dropFirst(byteOrderMark.count) }
    // Lines may end in CR alone.
    let (lf, cr) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    if !bytes.contains(lf) {
      for index in bytes.indices where bytes[index] == cr { bytes[index] = lf }
    }
    self.init(file: file, text: String(decoding: bytes, as: UTF8.self), firstLine: 1)
  }

  private init(file: String, text: String, firstLine: Int) {
    (self.file, self.text) = (file, text)
    lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .enumerated().compactMap { index, line in
        let words = line.prefix { $0 != UInt8(ascii: "#") }.split { $0 <= UInt8(ascii: " ") }
        return words.isEmpty
          ? nil : Line(number: firstLine + index, words: words.map { Substring($0) })
      }
  }

  func failure(_ line: Line, _ reason: String) -> LookFileError {
    .line(file: file, number: line.number, reason: reason)
  }

  func incomplete(_ reason: String) -> LookFileError { .incomplete(file: file, reason: reason) }

  func number(_ word: Substring, _ line: Line) throws(LookFileError) -> Double {
    guard let number = Double(word), number.isFinite else {
      throw failure(line, "“\(word.prefix(40))” is no number")
    }
    return number
  }

  /// Returns exactly `count` numbers, from the word `first` on.
  func numbers(
    _ line: Line, from first: Int = 0, count: Int? = nil
  ) throws(LookFileError) -> [Double] {
    let words = line.words.dropFirst(first)
    if let count, words.count != count {
      throw failure(line, "\(count) numbers should stand here; there are \(words.count)")
    }
    var numbers: [Double] = []
    for word in words { numbers.append(try number(word, line)) }
    return numbers
  }

  func vector(_ line: Line, from first: Int = 0) throws(LookFileError) -> SIMD3<Double> {
    let numbers = try numbers(line, from: first, count: 3)
    return [numbers[0], numbers[1], numbers[2]]
  }

  /// A whole number in a range.
  func count(
    _ line: Line, at word: Int = 0, in range: ClosedRange<Int>
  ) throws(LookFileError) -> Int {
    guard line.words.count > word, let count = Int(line.words[word]), range.contains(count) else {
      throw failure(
        line, "a whole number of \(range.lowerBound) to \(range.upperBound) should stand here")
    }
    return count
  }
}

extension Look.Step {
  /// The most values a curve of a file may have.
  static let curveSizes = 2...65_536

  /// From `lowest`…`highest` to 0…1.
  static func spreading(_ lowest: SIMD3<Double>, _ highest: SIMD3<Double>) -> Look.Step {
    let scale = 1 / (highest - lowest)
    return .affine(scale: scale, offset: -lowest * scale)
  }

  /// Curves from tables of three channels over 0…1.
  static func curves(_ rows: [SIMD3<Double>]) -> Look.Step {
    func curve(_ channel: Int) -> Curve {
      .sampled(SampledCurve(rows.map { Float($0[channel]) }))
    }
    return .curves(curve(0), curve(1), curve(2))
  }
}

extension ColorTable {
  /// A table of `size`³ rows, along which red varies fastest or blue.
  init(
    size: Int, rows: [SIMD3<Double>], isBlueFastest: Bool = false, lowest: SIMD3<Double> = .zero,
    highest: SIMD3<Double> = .one, interpolation: Interpolation = .tetrahedral, file: String
  ) throws(LookFileError) {
    var entries = [Float](repeating: 0, count: 3 * rows.count)
    for (index, row) in rows.enumerated() {
      let (a, b, c) = (index % size, index / size % size, index / size / size)
      let place = isBlueFastest ? c + size * (b + size * a) : index
      for channel in 0..<3 { entries[3 * place + channel] = Float(row[channel]) }
    }
    do throws(ColorError) {
      try self.init(
        size: size, entries: entries, lowest: lowest, highest: highest,
        interpolation: interpolation)
    } catch {
      throw .parameter(file: file, RecipeError(error))
    }
  }
}
