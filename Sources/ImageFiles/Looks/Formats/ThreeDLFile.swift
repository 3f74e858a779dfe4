internal import ColorSpaces
internal import FilterGraph

extension Look {
  /// Autodesk's table of whole numbers: the input codes of the entries, then the entries, blue varying fastest.
  ///
  /// The largest code is stated (`Mesh 4 12`: 2⁴ steps, 12 bits), or is the smallest even number of bits of which twice its codes hold all
  /// numbers, as in OpenColorIO.
  init(threeDL text: LookText) throws(LookFileError) {
    var text = text
    var mesh: [Double] = []
    var bits: Int?
    var read: LookRows?
    while let line = try text.next() {
      switch line.keyword.lowercased() {
      case "3dmesh", "lut8", "gamma": continue
      case "mesh":
        _ = try text.count(line, at: 1, in: 1...7)
        bits = try text.count(line, at: 2, in: 8...16)
      default:
        let numbers = try text.numbers(line)
        if numbers.count == 3 {
          if read == nil { read = try text.rows(upTo: text.mostRows(mesh: mesh.count)) }
          try read?.append(SIMD3(numbers[0], numbers[1], numbers[2]))
        } else if mesh.isEmpty, read == nil {
          mesh = numbers
        } else {
          throw text.failure(line, "three numbers should stand here; there are \(numbers.count)")
        }
      }
    }
    guard var rows = read else { throw text.incomplete("it has no rows of three numbers") }
    read = nil
    if mesh.isEmpty, rows.count == 28 {
      // Three input codes look like an entry.
      mesh = rows.removeFirst(1).map { Double($0) }
    }
    guard let size = ColorTable.sizes.first(where: { $0 * $0 * $0 == rows.count }) else {
      throw text.incomplete(
        "\(rows.count) rows of three numbers fill no cube of 2³ to \(ColorTable.sizes.upperBound)³")
    }
    if !mesh.isEmpty { try text.check(mesh: mesh, size: size) }
    let largest = Double(rows.values.max() ?? 0)
    let likely = stride(from: 8, through: 16, by: 2).first { largest <= Double(2 << $0 - 1) }
    rows.scale(by: 1 / Double(1 << (bits ?? likely ?? 16) - 1))
    rows.exchangeRedAndBlue(size: size)
    self.init(try ColorTable(size: size, values: rows.values, file: text.file))
  }
}

extension LookText {
  /// The most rows that follow so many input codes; where they state no grid size, as many as the file has bytes for.
  fileprivate func mostRows(mesh: Int) -> Int {
    let size = ColorTable.sizes.contains(mesh) ? mesh : ColorTable.sizes.upperBound
    // A row has at least three digits and their separators.
    return min(size * size * size, byteCount / 6 + 1)
  }

  /// Throws where input codes do not divide the axes of a 3D LUT evenly.
  fileprivate func check(mesh: [Double], size: Int) throws(LookFileError) {
    guard mesh.count == size else {
      throw incomplete("its \(mesh.count) input codes do not fit its \(size * size * size) rows")
    }
    // Codes are rounded: 1023 / 16 is none.
    let step = (mesh[size - 1] - mesh[0]) / Double(size - 1)
    let isEven = mesh.indices.allSatisfy { abs(mesh[$0] - mesh[0] - step * Double($0)) <= 1 }
    guard mesh[0] == 0, step > 0, isEven else {
      throw .unsupported(file: file, reason: "its input codes are not evenly spread from 0 up")
    }
  }
}
