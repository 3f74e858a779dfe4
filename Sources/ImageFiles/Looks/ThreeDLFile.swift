internal import ColorSpaces
internal import FilterGraph

extension Look {
  /// Autodesk's table of whole numbers: the input codes of the entries, then the entries, blue varying fastest.
  ///
  /// The largest code is stated (`Mesh 4 12`: 2⁴ steps, 12 bits), or is the smallest even number of bits of which twice its codes hold all
  /// numbers, as in OpenColorIO.
  init(threeDL text: LookText) throws(LookFileError) {
    var mesh: [Double] = []
    var bits: Int?
    var rows: [SIMD3<Double>] = []
    for line in text.lines {
      switch line.words[0].lowercased() {
      case "3dmesh", "lut8", "gamma": continue
      case "mesh":
        _ = try text.count(line, at: 1, in: 1...7)
        bits = try text.count(line, at: 2, in: 8...16)
      default:
        if line.words.count == 3 {
          rows.append(try text.vector(line))
        } else if mesh.isEmpty, rows.isEmpty {
          mesh = try text.numbers(line)
        } else {
          throw text.failure(line, "three numbers should stand here; there are \(line.words.count)")
        }
      }
    }
    if mesh.isEmpty, rows.count == 28 {
      // Three input codes look like an entry.
      let codes = rows.removeFirst()
      mesh = [codes.x, codes.y, codes.z]
    }
    let size = ColorTable.sizes.first { $0 * $0 * $0 == rows.count }
    guard let size else {
      throw text.incomplete(
        "\(rows.count) rows of three numbers fill no cube of 2³ to \(ColorTable.sizes.upperBound)³")
    }
    if !mesh.isEmpty {
      guard mesh.count == size else {
        throw text.incomplete("its \(mesh.count) input codes do not fit its \(rows.count) rows")
      }
      // Codes are rounded: 1023 / 16 is none.
      let step = (mesh[size - 1] - mesh[0]) / Double(size - 1)
      let isEven = mesh.indices.allSatisfy { abs(mesh[$0] - mesh[0] - step * Double($0)) <= 1 }
      guard mesh[0] == 0, step > 0, isEven else {
        throw .unsupported(
          file: text.file, reason: "its input codes are not evenly spread from 0 up")
      }
    }
    let largest = rows.map { $0.max() }.max() ?? 0
    let likely = stride(from: 8, through: 16, by: 2).first { largest <= Double(2 << $0 - 1) }
    let scale = 1 / Double(1 << (bits ?? likely ?? 16) - 1)
    self.init(
      try ColorTable(
        size: size, rows: rows.map { $0 * scale }, isBlueFastest: true, file: text.file))
  }
}
