internal import ColorSpaces
internal import FilterGraph

// The formats of Sony Pictures Imageworks, as OpenColorIO documents them.

extension Look {
  /// A curve for all channels, or one for each.
  init(spi1D text: LookText) throws(LookFileError) {
    var range = SIMD2(0.0, 1.0)
    var (count, components): (Int?, Int?)
    var rows: [SIMD3<Double>] = []
    for line in text.lines {
      switch line.words[0].lowercased() {
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
        let numbers = try text.numbers(line, count: components ?? 1)
        rows.append(
          components == 3
            ? SIMD3(numbers[0], numbers[1], numbers[2]) : SIMD3(repeating: numbers[0]))
      }
    }
    guard let count, rows.count == count, components != 2 else {
      throw text.incomplete(
        "it states \(count.map { "\($0)" } ?? "no") rows of 1 or 3 numbers and has \(rows.count)")
    }
    guard range.y - range.x >= 1e-6 else {
      throw text.incomplete("its range ends at \(range.y) before it begins at \(range.x)")
    }
    self.init(steps: [
      .spreading(SIMD3(repeating: range.x), SIMD3(repeating: range.y)), .curves(rows),
    ])
  }

  /// A table, each row with the place where it belongs.
  init(spi3D text: LookText) throws(LookFileError) {
    guard text.lines.count > 3, text.lines[0].words[0].lowercased() == "spilut" else {
      throw text.incomplete("it does not begin with SPILUT and its sizes")
    }
    let size = try text.count(text.lines[2], at: 0, in: ColorTable.sizes)
    guard text.lines[2].words.count == 3, text.lines[2].words.allSatisfy({ Int($0) == size }) else {
      throw .unsupported(file: text.file, reason: "its sides are of different sizes")
    }
    let lines = text.lines.dropFirst(3)
    // Before the memory of all entries is allocated.
    guard lines.count >= size * size * size else {
      throw text.incomplete(
        "\(size * size * size) rows of numbers should follow; there are \(lines.count)")
    }
    var rows = [SIMD3<Double>?](repeating: nil, count: size * size * size)
    for line in lines {
      let red = try text.count(line, at: 0, in: 0...size - 1)
      let green = try text.count(line, at: 1, in: 0...size - 1)
      let blue = try text.count(line, at: 2, in: 0...size - 1)
      rows[red + size * (green + size * blue)] = try text.vector(line, from: 3)
    }
    let present = rows.compactMap { $0 }
    guard present.count == rows.count else {
      throw text.incomplete(
        "\(rows.count - present.count) of its \(rows.count) entries are missing")
    }
    self.init(try ColorTable(size: size, rows: present, file: text.file))
  }
  /// Parses a matrix; its fourth column is an offset in steps of 1 / 65,535.
  init(spiMatrix text: LookText) throws(LookFileError) {
    var numbers: [Double] = []
    for line in text.lines { numbers += try text.numbers(line) }
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
