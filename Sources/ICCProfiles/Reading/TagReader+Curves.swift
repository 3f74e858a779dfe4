internal import ColorSpaces

extension TagReader {
  /// Reads a `curveType` or `parametricCurveType`; `offset` advances beyond it.
  func curve(at offset: inout Int) throws(ICCProfileError) -> ChannelCurve {
    let start = offset
    switch try signature(at: start) {
    case "curv":
      let count = try uint32(at: start + 8)
      guard count <= CurveTable.largestCount else {
        throw malformed("\(count) entries are more than \(CurveTable.largestCount)")
      }
      offset = start + 12 + 2 * count
      return try curve(samples(count, byteCount: 2, at: start + 12))
    case "para":
      let function = try uint16(at: start + 8)
      guard function < ParametricCurve.parameterCounts.count else {
        throw malformed("function \(function) is unknown; 0 to 4 exist")
      }
      let count = ParametricCurve.parameterCounts[function]
      offset = start + 12 + 4 * count
      return try curve(function: function, fixed(count, at: start + 12))
    case let type:
      throw malformed("“\(type)” is no type of curve")
    }
  }

  /// The curve of a function type's parameters (ICC.1:2022, 10.18).
  func curve(
    function: Int, _ parameters: [Double]
  ) throws(ICCProfileError) -> ChannelCurve {
    guard let curve = ParametricCurve(function: function, parameters) else {
      throw malformed("its parameters \(parameters) make no curve that can be computed with")
    }
    return curve == ParametricCurve(exponent: 1) ? .identity : .parametric(curve)
  }

  /// The curve of a `curveType`'s entries (ICC.1:2022, 10.6). A single entry is an exponent, in steps of 1/256.
  func curve(_ entries: [UInt16]) throws(ICCProfileError) -> ChannelCurve {
    switch entries.count {
    case 0: return .identity
    case 1:
      let exponent = Double(entries[0]) / 256
      guard ParametricCurve.exponents.contains(exponent) else {
        throw malformed("its power is \(exponent); \(ParametricCurve.exponents) are allowed")
      }
      return exponent == 1 ? .identity : .parametric(ParametricCurve(exponent: exponent))
    default: return .table(CurveTable(values: entries))
    }
  }
}
