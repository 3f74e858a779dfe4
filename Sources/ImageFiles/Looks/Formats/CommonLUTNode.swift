internal import ColorSpaces
internal import FilterGraph

/// A process node of a written file of the Common LUT Format (S-2014-006): an element, and the hash of its table's values.
struct CommonLUTNode {
  let lines: LookLines
  var digest = ""

  /// An element without a table: its name, its attributes and the lines within it. All samples are floating-point.
  init(_ name: String, _ attributes: String = "", content: String) {
    lines = LookLines(header: Self.start(name, attributes) + content + "</\(name)>\n")
  }

  private init(
    _ name: String, _ attributes: String, dimensions: String, count: Int, of values: [Float],
    row: @escaping (Int) -> [Float]
  ) {
    lines = LookLines(
      header: Self.start(name, attributes) + "<Array dim=\"\(dimensions)\">\n", count: count,
      footer: "</Array>\n</\(name)>\n"
    ) { index in row(index).map { "\($0)" }.joined(separator: " ") }
    digest = values.withUnsafeBytes { ContentHash(bytes: $0).digits }
  }

  private static func start(_ name: String, _ attributes: String) -> String {
    let rest = attributes.isEmpty ? "" : " " + attributes
    return "<\(name) inBitDepth=\"32f\" outBitDepth=\"32f\"\(rest)>\n"
  }

  /// A `Matrix` that scales and offsets each channel.
  static func matrix(_ scaling: ChannelScaling) -> CommonLUTNode {
    matrix(ColorMatrix(diagonal: scaling.scale), offset: scaling.offset)
  }

  /// A `Matrix`; of 3 × 4 where there is an offset.
  static func matrix(_ matrix: ColorMatrix, offset: SIMD3<Double>? = nil) -> CommonLUTNode {
    let rows = (0..<3).map { row in
      matrix.rows[row].spaceSeparated + (offset.map { " \($0[row])" } ?? "") + "\n"
    }
    return CommonLUTNode(
      "Matrix",
      content: "<Array dim=\"3 \(offset == nil ? 3 : 4)\">\n\(rows.joined())</Array>\n")
  }

  /// A `Range` that clamps; an infinite end clamps nothing.
  static func range(_ range: ClosedRange<Double>) -> CommonLUTNode {
    // The order of the format's schema.
    let elements = [
      ("minInValue", range.lowerBound), ("maxInValue", range.upperBound),
      ("minOutValue", range.lowerBound), ("maxOutValue", range.upperBound),
    ]
    let lines = elements.filter { $0.1.isFinite }.map { "<\($0.0)>\($0.1)</\($0.0)>\n" }
    return CommonLUTNode("Range", content: lines.joined())
  }

  /// A `LUT1D` of three curves with as many values each.
  static func curves(_ curves: [SampledCurve], keepingHues: Bool = false) -> CommonLUTNode {
    let size = curves[0].values.count
    return CommonLUTNode(
      "LUT1D", "interpolation=\"linear\"" + (keepingHues ? " hueAdjust=\"dw3\"" : ""),
      dimensions: "\(size) 3", count: size, of: curves.flatMap(\.values)
    ) { row in curves.map { $0.values[row] } }
  }

  /// A `LUT3D`, in whose rows blue varies fastest. It lies over 0…1, whatever the table's box.
  static func table(_ table: ColorTable) -> CommonLUTNode {
    let size = table.size
    let name = table.interpolation == .trilinear ? "trilinear" : "tetrahedral"
    return CommonLUTNode(
      "LUT3D", "interpolation=\"\(name)\"", dimensions: "\(size) \(size) \(size) 3",
      count: size * size * size, of: table.entries
    ) { row in
      let place = row / size / size + size * (row / size % size + size * (row % size))
      return Array(table.entries[3 * place..<3 * place + 3])
    }
  }

  /// An `ASC_CDL`.
  static func decisions(_ decisions: ColorDecisions) -> CommonLUTNode {
    CommonLUTNode(
      "ASC_CDL", "style=\"\(decisions.style == .clamped ? "Fwd" : "FwdNoClamp")\"",
      content: decisions.elements)
  }
}
