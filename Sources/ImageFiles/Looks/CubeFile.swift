internal import ColorSpaces
internal import FilterGraph

// Adobe, Cube LUT Specification 1.0 (2013), and the forms of DaVinci Resolve: an input range in place of a domain, and a curve
// before the table in one file.

extension Look {
  init(cube text: LookText) throws(LookFileError) {
    var title = ""
    var (lowest, highest) = (SIMD3<Double>.zero, SIMD3<Double>.one)
    var (curveRange, tableRange): (SIMD2<Double>?, SIMD2<Double>?)
    var (curveSize, tableSize): (Int?, Int?)
    var rows: [SIMD3<Double>] = []
    for line in text.lines {
      switch line.words[0] {
      case "TITLE":
        title = line.words.dropFirst().joined(separator: " ").filter { $0 != "\"" }
      case "DOMAIN_MIN": lowest = try text.vector(line, from: 1)
      case "DOMAIN_MAX": highest = try text.vector(line, from: 1)
      case "LUT_1D_INPUT_RANGE": curveRange = try text.range(line)
      case "LUT_3D_INPUT_RANGE": tableRange = try text.range(line)
      case "LUT_1D_SIZE": curveSize = try text.count(line, at: 1, in: Step.curveSizes)
      case "LUT_3D_SIZE": tableSize = try text.count(line, at: 1, in: ColorTable.sizes)
      case let word where word.first?.isLetter == true:
        throw text.failure(line, "“\(word.prefix(40))” is no word of the format")
      default: rows.append(try text.vector(line))
      }
    }
    if curveSize == nil, tableSize == nil {
      throw text.incomplete("it states no LUT_1D_SIZE and no LUT_3D_SIZE")
    }
    let curveCount = curveSize ?? 0
    let expected = curveCount + (tableSize.map { $0 * $0 * $0 } ?? 0)
    guard rows.count == expected else {
      throw text.incomplete("\(expected) rows of numbers should follow; there are \(rows.count)")
    }
    /// A range of its own, or the domain of the whole file.
    func box(_ range: SIMD2<Double>?) throws(LookFileError) -> (SIMD3<Double>, SIMD3<Double>) {
      let box = range.map { (SIMD3(repeating: $0.x), SIMD3(repeating: $0.y)) } ?? (lowest, highest)
      guard all(box.1 - box.0 .>= 1e-6) else {
        throw text.incomplete("its domain ends at \(box.1) before it begins at \(box.0)")
      }
      return box
    }
    self.init(title: title)
    if curveCount > 0 {
      let (lowest, highest) = try box(curveRange)
      steps.append(.spreading(lowest, highest))
      steps.append(.curves(Array(rows[..<curveCount])))
    }
    if let tableSize {
      // The domain is that of what comes in first: a table behind a curve has the range that it states.
      let (lowest, highest) =
        curveCount > 0 && tableRange == nil ? (.zero, .one) : try box(tableRange)
      steps.append(
        .table(
          try ColorTable(
            size: tableSize, rows: Array(rows[curveCount...]), lowest: lowest, highest: highest,
            file: text.file)))
    }
  }

  /// The look as a file's text.
  func cubeText(file: String) throws(LookFileError) -> String {
    let refusal = LookFileError.cannotHold(
      file: file,
      reason:
        "a .cube holds one table, or one table of a curve for each channel over 0…1; bake the "
        + "look into a table first")
    guard steps.count == 1 else { throw refusal }
    var lines = title.isEmpty ? [] : ["TITLE \"\(title.filter { $0 != "\"" && !$0.isNewline })\""]
    func row(_ values: [Float]) -> String { values.map { "\($0)" }.joined(separator: " ") }
    switch steps[0] {
    case .table(let table):
      lines.append("LUT_3D_SIZE \(table.size)")
      if table.lowest != .zero || table.highest != .one {
        lines.append("DOMAIN_MIN \(table.lowest.x) \(table.lowest.y) \(table.lowest.z)")
        lines.append("DOMAIN_MAX \(table.highest.x) \(table.highest.y) \(table.highest.z)")
      }
      lines += stride(from: 0, to: table.entries.count, by: 3).map {
        row(Array(table.entries[$0..<$0 + 3]))
      }
    case .curves(.sampled(let red), .sampled(let green), .sampled(let blue))
    where red.values.count == green.values.count && red.values.count == blue.values.count:
      lines.append("LUT_1D_SIZE \(red.values.count)")
      lines += red.values.indices.map { row([red.values[$0], green.values[$0], blue.values[$0]]) }
    default: throw refusal
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension LookText {
  fileprivate func range(_ line: Line) throws(LookFileError) -> SIMD2<Double> {
    let numbers = try numbers(line, from: 1, count: 2)
    return [numbers[0], numbers[1]]
  }
}
