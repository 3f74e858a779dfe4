internal import ColorSpaces
internal import FilterGraph

// Adobe, Cube LUT Specification 1.0 (2013), and the forms of DaVinci Resolve: an input range in place of a domain, and a curve
// before the table in one file.

/// Parses a `.cube` file line by line, so that the largest LUT needs only the memory of its entries.
struct CubeReader {
  private let file: String
  private var title = ""
  private var (lowest, highest) = (SIMD3<Double>.zero, SIMD3<Double>.one)
  private var (curveRange, tableRange): (SIMD2<Double>?, SIMD2<Double>?)
  private var (curveSize, tableSize): (Int?, Int?)
  /// The red, green and blue values of the rows; the 1D curve's rows come first.
  private var (curve, table): ([Float], [Float]) = ([], [])
  private var rowCount = 0

  /// Returns the look in a source, which errors call `file`.
  static func look(in source: ByteSource, file: String) throws(LookFileError) -> Look {
    var reader = CubeReader(file: file)
    var lines = ByteLines(source, file: file)
    while let line = try lines.next() {
      try reader.take(line, number: lines.number, most: source.count)
    }
    return try reader.look()
  }

  private init(file: String) { self.file = file }

  private var curveRows: Int { curveSize ?? 0 }
  private var expectedRows: Int { curveRows + (tableSize.map { $0 * $0 * $0 } ?? 0) }

  private mutating func take(
    _ line: ArraySlice<UInt8>, number: Int, most byteCount: Int
  ) throws(LookFileError) {
    guard let first = line.first(where: { $0 > 0x20 }), first != UInt8(ascii: "#") else { return }
    let isWord = first >= 0x80 || (0x41...0x5A).contains(first & ~0x20)
    guard isWord else {
      try takeRow(line, number: number, most: byteCount)
      return
    }
    let text = LookText(line: line, number: number, file: file)
    for line in text.lines { try take(line, of: text) }
  }

  /// Parses a line that begins with a keyword.
  private mutating func take(_ line: LookText.Line, of text: LookText) throws(LookFileError) {
    switch line.words[0] {
    case "TITLE":
      title = line.words.dropFirst().joined(separator: " ").filter { $0 != "\"" }
    case "DOMAIN_MIN": lowest = try text.vector(line, from: 1)
    case "DOMAIN_MAX": highest = try text.vector(line, from: 1)
    case "LUT_1D_INPUT_RANGE": curveRange = try text.range(line)
    case "LUT_3D_INPUT_RANGE": tableRange = try text.range(line)
    case "LUT_1D_SIZE", "LUT_3D_SIZE":
      guard rowCount == 0 else {
        throw text.failure(line, "sizes should stand before the rows of numbers")
      }
      if line.words[0] == "LUT_1D_SIZE" {
        curveSize = try text.count(line, at: 1, in: Look.Step.curveSizes)
      } else {
        tableSize = try text.count(line, at: 1, in: ColorTable.sizes)
      }
    case let word: throw text.failure(line, "“\(word.prefix(40))” is no word of the format")
    }
  }

  /// Parses a line of three numbers.
  private mutating func takeRow(
    _ line: ArraySlice<UInt8>, number: Int, most byteCount: Int
  ) throws(LookFileError) {
    guard curveSize != nil || tableSize != nil else { throw missingSize }
    guard rowCount < expectedRows else {
      throw .incomplete(
        file: file, reason: "\(expectedRows) rows of numbers should follow; there are more")
    }
    if rowCount == curveRows, table.isEmpty {
      // A number and its separator have at least two bytes, which bounds the allocation by the size of the file.
      table.reserveCapacity(min(3 * (expectedRows - curveRows), byteCount / 2))
    }
    var (row, count) = (SIMD3<Double>.zero, 0)
    var reason: String?
    line.withUnsafeBytes { bytes in
      forEachWord(of: bytes) { word in
        guard let value = DecimalNumber.value(of: word) else {
          reason = reason ?? "“\(String(decoding: word.prefix(40), as: UTF8.self))” is no number"
          return
        }
        if count < 3 { row[count] = value }
        count += 1
      }
    }
    if reason == nil, count != 3 { reason = "3 numbers should stand here; there are \(count)" }
    if let reason { throw .line(file: file, number: number, reason: reason) }
    for channel in 0..<3 {
      if rowCount < curveRows {
        curve.append(Float(row[channel]))
      } else {
        table.append(Float(row[channel]))
      }
    }
    rowCount += 1
  }

  private var missingSize: LookFileError {
    .incomplete(file: file, reason: "it states no LUT_1D_SIZE and no LUT_3D_SIZE")
  }

  private func look() throws(LookFileError) -> Look {
    guard curveSize != nil || tableSize != nil else { throw missingSize }
    guard rowCount == expectedRows else {
      throw .incomplete(
        file: file,
        reason: "\(expectedRows) rows of numbers should follow; there are \(rowCount)")
    }
    var look = Look(title: title)
    if curveRows > 0 {
      let (lowest, highest) = try box(curveRange)
      look.steps.append(.spreading(lowest, highest))
      func values(_ channel: Int) -> Curve {
        .sampled(SampledCurve(stride(from: channel, to: curve.count, by: 3).map { curve[$0] }))
      }
      look.steps.append(.curves(values(0), values(1), values(2)))
    }
    if let tableSize {
      // The domain applies to the first stage: a 3D LUT behind a curve has the input range that it states.
      let (lowest, highest) =
        curveRows > 0 && tableRange == nil ? (.zero, .one) : try box(tableRange)
      do throws(ColorError) {
        look.steps.append(
          .table(
            try ColorTable(size: tableSize, entries: table, lowest: lowest, highest: highest)))
      } catch {
        throw .parameter(file: file, RecipeError(error))
      }
    }
    return look
  }

  /// A range of its own, or the domain of the whole file.
  private func box(
    _ range: SIMD2<Double>?
  ) throws(LookFileError) -> (SIMD3<Double>, SIMD3<Double>) {
    let box = range.map { (SIMD3(repeating: $0.x), SIMD3(repeating: $0.y)) } ?? (lowest, highest)
    guard all(box.1 - box.0 .>= 1e-6) else {
      throw .incomplete(
        file: file,
        reason: "its domain ends at \(list(box.1)), not above its beginning at \(list(box.0))")
    }
    return box
  }
}

private func list(_ color: SIMD3<Double>) -> String { "\(color.x) \(color.y) \(color.z)" }

/// Calls `body` with each word of a line, up to a comment.
private func forEachWord(
  of line: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
) {
  var index = 0
  while index < line.count {
    let start = index
    while index < line.count, line[index] > 0x20, line[index] != UInt8(ascii: "#") { index += 1 }
    if index > start { body(UnsafeRawBufferPointer(rebasing: line[start..<index])) }
    if index < line.count, line[index] == UInt8(ascii: "#") { return }
    index += 1
  }
}

extension LookText {
  fileprivate func range(_ line: Line) throws(LookFileError) -> SIMD2<Double> {
    let numbers = try numbers(line, from: 1, count: 2)
    return [numbers[0], numbers[1]]
  }
}
