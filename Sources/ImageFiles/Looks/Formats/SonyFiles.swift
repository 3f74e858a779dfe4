internal import ColorSpaces
internal import FilterGraph

// The formats of Sony Pictures Imageworks, as OpenColorIO documents them.

extension Look {
  /// Parses a curve for all channels, or one for each.
  init(spi1D text: LookText) throws(LookFileError) {
    var text = text
    var range = SIMD2(0.0, 1.0)
    var (count, components): (Int?, Int?)
    func wrongCount(_ rows: String) -> LookFileError {
      text.incomplete(
        "it states \(count.map { "\($0)" } ?? "no") rows of 1 or 3 numbers and has \(rows)")
    }
    var read: LookRows?
    while let line = try text.next() {
      switch line.keyword.lowercased() {
      case "version":
        guard try text.count(line, at: 1, in: 1...99) == 1 else {
          throw .unsupported(file: text.file, reason: "only version 1 of the format is known")
        }
      case "from":
        let numbers = try text.numbers(line, from: 1, count: 2)
        range = [numbers[0], numbers[1]]
      case "length": count = try text.count(line, at: 1, in: Step.curveSizes)
      case "components": components = try text.count(line, at: 1, in: 1...3)
      case "{", "}": continue
      default:
        guard let count, read?.count ?? 0 < count else { throw wrongCount("more") }
        if read == nil { read = try text.rows(upTo: count) }
        let numbers = try text.numbers(line, count: components ?? 1)
        try read?.append(
          components == 3
            ? SIMD3(numbers[0], numbers[1], numbers[2]) : SIMD3(repeating: numbers[0]))
      }
    }
    guard let rows = read, rows.count == count, components != 2 else {
      throw wrongCount("\(read?.count ?? 0)")
    }
    guard range.y - range.x >= 1e-6 else {
      throw text.incomplete("its range ends at \(range.y) before it begins at \(range.x)")
    }
    self.init(steps: [
      .spreading(SIMD3(repeating: range.x), SIMD3(repeating: range.y)), .curves(rows.values),
    ])
  }

  /// Parses a 3D LUT, each row with the indices of its grid point.
  init(spi3D text: LookText) throws(LookFileError) {
    var text = text
    guard let first = try text.next(), first.keyword.lowercased() == "spilut",
      try text.next() != nil, let sizes = try text.next()
    else { throw text.incomplete("it does not begin with SPILUT and its sizes") }
    let size = try text.gridSize(sizes)
    let rowCount = size * size * size
    func wrongCount(_ rows: String) -> LookFileError {
      text.incomplete("\(rowCount) rows of numbers should follow; there are \(rows)")
    }
    // A row has six digits, a separator after each, and may come in any order: all are allocated at once.
    guard 12 * rowCount <= text.byteCount + 1 else { throw wrongCount("fewer") }
    try text.memory.check(rows: rowCount)
    var values = [Float](repeating: .nan, count: 3 * rowCount)
    var count = 0
    while let line = try text.next() {
      guard count < rowCount else { throw wrongCount("more") }
      count += 1
      let numbers = try text.numbers(line, count: 6)
      var place = 0
      for index in numbers[..<3].reversed() {
        guard let index = Int(exactly: index), (0..<size).contains(index) else {
          throw text.wrongCount(line, in: 0...size - 1)
        }
        place = size * place + index
      }
      for channel in 0..<3 { values[3 * place + channel] = Float(numbers[3 + channel]) }
    }
    guard count == rowCount else { throw wrongCount("\(count)") }
    let missing = values.count(where: \.isNaN) / 3
    guard missing == 0 else {
      throw text.incomplete("\(missing) of its \(rowCount) entries are missing")
    }
    self.init(try ColorTable(size: size, values: values, file: text.file))
  }

  /// Parses a matrix; its fourth column is an offset in steps of 1 / 65,535.
  init(spiMatrix text: LookText) throws(LookFileError) {
    var text = text
    var numbers: [Double] = []
    while numbers.count <= 12, let line = try text.next() { numbers += try text.numbers(line) }
    guard numbers.count == 12 else {
      throw text.incomplete("a matrix of 3 × 4 has 12 numbers; it has \(numbers.count)")
    }
    func row(_ index: Int) -> SIMD3<Double> {
      SIMD3(numbers[4 * index], numbers[4 * index + 1], numbers[4 * index + 2])
    }
    self.init(steps: [
      .matrix(ColorMatrix(rows: row(0), row(1), row(2))),
      .affine(scale: .one, offset: SIMD3(numbers[3], numbers[7], numbers[11]) / 65_535),
    ])
  }
}
