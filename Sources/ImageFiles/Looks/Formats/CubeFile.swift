internal import ColorSpaces
internal import FilterGraph

// Adobe, Cube LUT Specification 1.0 (2013), and the forms of DaVinci Resolve: an input range in place of a domain, a curve
// before the table in one file, and tables of video range.

/// Parses a `.cube` file line by line, so that the largest LUT needs only the memory of its entries.
struct CubeReader {
  private var text: LookText
  private var title = ""
  private var (lowest, highest) = (SIMD3<Double>.zero, SIMD3<Double>.one)
  private var (curveRange, tableRange): (SIMD2<Double>?, SIMD2<Double>?)
  private var (curveSize, tableSize): (Int?, Int?)
  /// Whether the entries are at codes of video range, and whether they are such codes.
  private var (takesVideoRange, givesVideoRange) = (false, false)
  /// The rows; the 1D curve's rows come first.
  private var rows: LookRows?

  /// Returns the look in a text.
  static func look(in text: LookText) throws(LookFileError) -> Look {
    var reader = CubeReader(text: text)
    return try reader.look()
  }

  private init(text: LookText) { self.text = text }

  private var curveRows: Int { curveSize ?? 0 }
  private var expectedRows: Int { curveRows + (tableSize.map { $0 * $0 * $0 } ?? 0) }

  /// Parses a line that begins with a keyword.
  private mutating func take(_ line: LookText.Line) throws(LookFileError) {
    let words = line.words
    switch words[0] {
    case "TITLE": title = line.rest.filter { $0 != "\"" }
    case "DOMAIN_MIN": lowest = try text.vector(line, from: 1)
    case "DOMAIN_MAX": highest = try text.vector(line, from: 1)
    case "LUT_1D_INPUT_RANGE": curveRange = try text.range(line)
    case "LUT_3D_INPUT_RANGE": tableRange = try text.range(line)
    case "LUT_IN_VIDEO_RANGE": takesVideoRange = true
    case "LUT_OUT_VIDEO_RANGE": givesVideoRange = true
    case "LUT_1D_SIZE", "LUT_3D_SIZE":
      guard rows == nil else {
        throw text.failure(line, "sizes should stand before the rows of numbers")
      }
      if words[0] == "LUT_1D_SIZE" {
        curveSize = try text.count(line, at: 1, in: Look.Step.curveSizes)
      } else {
        tableSize = try text.count(line, at: 1, in: ColorTable.sizes)
      }
    case let word: throw text.failure(line, "“\(word.prefix(40))” is no word of the format")
    }
  }

  /// Parses a line of three numbers.
  private mutating func takeRow(_ line: LookText.Line) throws(LookFileError) {
    guard curveSize != nil || tableSize != nil else { throw missingSize }
    if rows == nil { rows = try text.rows(upTo: expectedRows) }
    let row = try text.vector(line)
    try rows?.append(row)
  }

  private var missingSize: LookFileError {
    text.incomplete("it states no LUT_1D_SIZE and no LUT_3D_SIZE")
  }

  private mutating func look() throws(LookFileError) -> Look {
    while let line = try text.next() {
      if line.isWord { try take(line) } else { try takeRow(line) }
    }
    guard curveSize != nil || tableSize != nil else { throw missingSize }
    guard var rows else {
      throw text.incomplete("\(expectedRows) rows of numbers should follow; there are 0")
    }
    self.rows = nil
    try rows.checkComplete()
    var look = Look(title: title)
    if curveRows > 0 {
      let (lowest, highest) = try box(curveRange)
      look.steps = [
        .spreading(lowest, highest), .curves(rows.removeFirst(curveRows)),
      ]
    }
    if let tableSize {
      // The domain applies to the first stage: a 3D LUT behind a curve has the input range that it states.
      let (lowest, highest) =
        curveRows > 0 && tableRange == nil ? (.zero, .one) : try box(tableRange)
      look.steps.append(
        .table(
          try ColorTable(
            size: tableSize, values: rows.values, lowest: lowest, highest: highest, file: text.file)
        ))
    }
    if takesVideoRange { look.steps.insert(.toVideoRange, at: 0) }
    if givesVideoRange { look.steps.append(.fromVideoRange) }
    return look
  }

  /// A range of its own, or the domain of the whole file.
  private func box(
    _ range: SIMD2<Double>?
  ) throws(LookFileError) -> (SIMD3<Double>, SIMD3<Double>) {
    let box = range.map { (SIMD3(repeating: $0.x), SIMD3(repeating: $0.y)) } ?? (lowest, highest)
    guard all(box.1 - box.0 .>= 1e-6) else {
      throw text.incomplete(
        "its domain ends at \(box.1.spaceSeparated), not above its beginning at \(box.0.spaceSeparated)"
      )
    }
    return box
  }
}

extension Look.Step {
  /// Black and white of video range (Rec. ITU-R BT.709), as fractions of the largest code of 10 bits, by which Resolve scales.
  private static let (videoBlack, videoWhite) = (64.0 / 1023, 940.0 / 1023)

  /// From 0…1 to codes of video range.
  fileprivate static let toVideoRange = affine(
    scale: SIMD3(repeating: videoWhite - videoBlack), offset: SIMD3(repeating: videoBlack))

  /// From codes of video range to 0…1. Codes below black and above white stay below 0 and above 1.
  fileprivate static let fromVideoRange = spreading(
    SIMD3(repeating: videoBlack), SIMD3(repeating: videoWhite))
}

extension LookText {
  fileprivate func range(_ line: Line) throws(LookFileError) -> SIMD2<Double> {
    let numbers = try numbers(line, from: 1, count: 2)
    return [numbers[0], numbers[1]]
  }
}
