internal import ColorSpaces
public import FilterGraph

extension Look {
  /// Writes the look to a file of the format that its name ends with: `.clf` for a chain of steps; `.cube`, `.3dl`, `.spi1d`, `.spi3d` or `.csp`
  /// for one table, or one sampled curve for each channel; `.cc`, `.ccc` or `.cdl` for color decisions; `.spimtx` for matrices and offsets.
  /// Look images (see ``init(lookImage:title:)``) are pictures: ``lookImage()``.
  ///
  /// A `.clf` has an element for each step: a matrix, a range, 1D and 3D LUTs, color decisions, powers of its `Exponent` and logarithms of its
  /// `Log`. A `.csp` also holds a curve for each channel before the table, as points: those of a sampled curve, or 1,025 points of a rising
  /// function. A `.cube` also holds a sampled curve before the table, as DaVinci Resolve reads it; the title is then a comment.
  ///
  /// A `.3dl` holds whole numbers of 16 bits, of 2ⁿ + 1 entries a side. The others hold every value. Only a `.clf` holds trilinear
  /// interpolation; 3D LUTs in other files are interpolated tetrahedrally.
  ///
  /// A table or a curve may have a domain: its own box, or a scale and an offset for each channel before it. `.cube`, `.csp` and `.clf` hold
  /// any, `.spi1d` one range for all channels, `.3dl` and `.spi3d` only 0…1. What a format cannot hold throws.
  ///
  /// The file appears when it is complete, as pictures do.
  public func write(to path: String) throws(LookFileError) {
    let format = try LookFileFormat(ofFile: path)
    switch format {
    case .spiMatrix: return try Self.write(spiMatrix(file: path), to: path)
    case .colorCorrection, .colorCorrectionCollection, .colorDecisionList:
      return try Self.write(colorDecisions(as: format, file: path), to: path)
    case .commonLUT: return try commonLUT(file: path).write(to: path)
    default: break
    }
    let content: LookContent
    do throws(LookFileError) {
      content = try LookContent(self, format, file: path)
    } catch {
      guard let shaped = try ShapedContent(self, format, file: path) else { throw error }
      return try shaped.lines(title: title).write(to: path)
    }
    let lines: LookLines
    switch format {
    case .threeDL: lines = try content.threeDL(file: path)
    case .spi1D: lines = try content.spi1D(file: path)
    case .spi3D: lines = try content.spi3D(file: path)
    case .cineSpace: lines = content.cineSpace
    default: lines = content.cube(title: title)
    }
    try [lines].write(to: path)
  }

  private static func write(_ text: String, to path: String) throws(LookFileError) {
    do throws(ImageFileError) { try writeFile(Array(text.utf8), to: path) } catch {
      throw .file(error)
    }
  }
}

extension LookFileFormat {
  /// The LUTs that one of its files holds, for errors.
  fileprivate var lutsInWords: String {
    switch self {
    case .threeDL, .spi3D: "one 3D LUT over 0…1"
    case .spi1D: "a 1D LUT for each channel, over one range of input values for all channels"
    default:
      "one 3D LUT, or a 1D LUT for each channel, over one range of input values per channel"
    }
  }
}

/// What files of tables hold: one table, or one curve for each channel, over a box.
struct LookContent {
  private(set) var table: ColorTable?
  private var curves: [SampledCurve] = []
  /// The step from the box to 0…1.
  let scaling: ChannelScaling
  /// The box of input values.
  let domain: ColorBox

  /// The content of a look. Throws where it has more.
  init(_ look: Look, _ format: LookFileFormat, file: String) throws(LookFileError) {
    let refusal = LookFileError.cannotHold(
      file: file,
      reason:
        "a .\(format.rawValue) holds \(format.lutsInWords); "
        + (format.holdsTables
          ? "bake the look into a 3D LUT first"
          : "write a format that holds the look, such as .cube"))
    guard let (first, lookup) = look.scaledLookup else { throw refusal }
    var box = ColorBox.unit
    switch lookup {
    case .table(let only):
      guard !format.isTetrahedral || only.isTetrahedral else {
        throw .cannotHold(
          file: file,
          reason:
            "3D LUTs of .\(format.rawValue) files are interpolated tetrahedrally, and this one "
            + "trilinearly; write .clf, or bake the look into a 3D LUT first")
      }
      table = only
      box = ColorBox(only.lowest, only.highest)
    case .curves(.sampled(let red), .sampled(let green), .sampled(let blue)):
      curves = [red, green, blue]
      guard curves.allSatisfy({ $0.values.count == red.values.count && $0.belowZero == .clamped })
      else { throw refusal }
    default: throw refusal
    }
    let spreading = ChannelScaling(spreading: box)
    scaling = first.followed(by: spreading)
    // A table's own box is stated as it is.
    guard let domain = first == .identity ? box : scaling.domain else { throw refusal }
    self.domain = domain
  }

  private var size: Int { table?.size ?? curves[0].values.count }
  private var count: Int { table.map { $0.size * $0.size * $0.size } ?? size }
  private var isOverUnit: Bool { domain == .unit }

  /// A row, red varying fastest.
  private func values(_ row: Int) -> [Float] {
    table.map { Array($0.entries[3 * row..<3 * row + 3]) } ?? curves.map { $0.values[row] }
  }

  /// A row, blue varying fastest.
  private func blueFastest(_ row: Int) -> [Float] {
    values(row / size / size + size * (row / size % size + size * (row % size)))
  }

  private func text(_ values: [Float]) -> String {
    values.map { "\($0)" }.joined(separator: " ")
  }

  private func requireTable(_ needed: Bool, file: String) throws(LookFileError) {
    guard (table != nil) == needed else {
      throw .cannotHold(
        file: file,
        reason: needed
          ? "the format holds a 3D LUT, and the look is a curve for each channel; bake it into a 3D LUT first"
          : "the format holds curves, and the look is a 3D LUT")
    }
  }

  private func requireUnit(file: String) throws(LookFileError) {
    guard isOverUnit else {
      throw .cannotHold(
        file: file,
        reason:
          "the format's 3D LUT is over 0…1, and this one over \(domain.lowest.spaceSeparated) to "
          + "\(domain.highest.spaceSeparated); write .cube, .csp or .clf"
      )
    }
  }

  func cube(title: String) -> LookLines {
    var lines = title.isEmpty ? [] : ["TITLE \"\(title.filter { $0 != "\"" && !$0.isNewline })\""]
    lines.append(table == nil ? "LUT_1D_SIZE \(size)" : "LUT_3D_SIZE \(size)")
    if !isOverUnit {
      lines += [
        "DOMAIN_MIN \(domain.lowest.spaceSeparated)", "DOMAIN_MAX \(domain.highest.spaceSeparated)",
      ]
    }
    return LookLines(header: lines.map { $0 + "\n" }.joined(), count: count) { text(values($0)) }
  }

  /// The lines of a `.cube` of DaVinci Resolve before its rows: a curve over a range, then a 3D LUT over 0…1.
  ///
  /// The title is a comment: OpenColorIO refuses a `TITLE` in such files.
  func cube(title: String, curveSize: Int, over range: String) -> String {
    let comment = title.isEmpty ? [] : ["# \(title.filter { !$0.isNewline })"]
    let lines =
      comment + [
        "LUT_1D_SIZE \(curveSize)", "LUT_1D_INPUT_RANGE \(range)", "LUT_3D_SIZE \(size)",
        "LUT_3D_INPUT_RANGE 0.0 1.0",
      ]
    return lines.map { $0 + "\n" }.joined()
  }

  /// The rows of a table behind a curve.
  var rows: LookLines { LookLines(header: "", count: count) { text(values($0)) } }

  func threeDL(file: String) throws(LookFileError) -> LookLines {
    try requireTable(true, file: file)
    try requireUnit(file: file)
    let steps = (size - 1).trailingZeroBitCount
    guard size - 1 == 1 << steps, (1...7).contains(steps) else {
      throw .cannotHold(
        file: file,
        reason:
          "a .3dl has 2ⁿ + 1 grid points per side, such as 17, 33 or 65, and the LUT has \(size)")
    }
    let largest = 65_535.0
    for entry in table?.entries ?? [] {
      _ = try storedCode(of: entry, largest: largest, file: file)
    }
    let codes = (0..<size).map { "\((Double($0) * largest / Double(size - 1)).rounded().whole)" }
    return LookLines(
      header: "3DMESH\nMesh \(steps) 16\n\(codes.joined(separator: " "))\n", count: count
    ) { row in
      blueFastest(row).map { "\((Double($0) * largest).rounded().whole)" }.joined(separator: " ")
    }
  }

  func spi1D(file: String) throws(LookFileError) -> LookLines {
    try requireTable(false, file: file)
    let (low, high) = (domain.lowest.x, domain.highest.x)
    guard domain == ColorBox(SIMD3(repeating: low), SIMD3(repeating: high)) else {
      throw .cannotHold(
        file: file,
        reason:
          "a .spi1d holds one range of input values for all channels, and the look has "
          + "\(domain.lowest.spaceSeparated) to \(domain.highest.spaceSeparated)")
    }
    return LookLines(
      header: "Version 1\nFrom \(low) \(high)\nLength \(size)\nComponents 3\n{\n", count: count,
      footer: "}\n"
    ) { text(values($0)) }
  }

  func spi3D(file: String) throws(LookFileError) -> LookLines {
    try requireTable(true, file: file)
    try requireUnit(file: file)
    return LookLines(header: "SPILUT 1.0\n3 3\n\(size) \(size) \(size)\n", count: count) { row in
      "\(row % size) \(row / size % size) \(row / size / size) \(text(values(row)))"
    }
  }

  var cineSpace: LookLines {
    cineSpace(
      curves: (0..<3).map { channel in
        "2\n\(domain.lowest[channel]) \(domain.highest[channel])\n0 1\n"
      })
  }

  /// A cineSpace file with these curves before the table, as its text states them.
  func cineSpace(curves: [String]) -> LookLines {
    let header = """
      CSPLUTV100
      \(table == nil ? "1D" : "3D")

      BEGIN METADATA
      END METADATA

      \(curves.joined())
      \(table == nil ? "\(size)" : "\(size) \(size) \(size)")

      """
    return LookLines(header: header, count: count) { text(values($0)) }
  }

  /// The elements of the Common LUT Format, whose tables lie over 0…1: where the domain is another one, a matrix that spreads it, and the
  /// table or the curves.
  var commonLUT: [CommonLUTNode] {
    let spreading = isOverUnit ? [] : [CommonLUTNode.matrix(scaling)]
    return spreading + [table.map(CommonLUTNode.table) ?? .curves(curves)]
  }
}

extension ColorTable {
  /// Whether tetrahedral interpolation gives the table's colors, within the rounding of its entries.
  ///
  /// Trilinear interpolation agrees with it where the table is a sum of functions of one channel each.
  var isTetrahedral: Bool {
    interpolation == .tetrahedral
      || (isAdditive(1, size) && isAdditive(size, size * size) && isAdditive(size * size, 1))
  }

  /// Whether the differences along one axis do not depend on the other one. Axes are given by the distance of their grid points.
  private func isAdditive(_ first: Int, _ second: Int) -> Bool {
    entries.indices.allSatisfy { index in
      let point = index / 3
      guard point / first % size < size - 1, point / second % size < size - 1 else { return true }
      let corners = SIMD4(
        Double(entries[index]), -Double(entries[index + 3 * first]),
        -Double(entries[index + 3 * second]), Double(entries[index + 3 * (first + second)]))
      return abs(corners.sum()) <= pointwiseMax(corners, -corners).sum() * 0x1p-24
    }
  }
}

extension Double {
  fileprivate var whole: Int { Int(self) }
}
