internal import ColorSpaces

/// A tone curve as a profile stores it.
enum ProfileCurve: Hashable {
  case identity
  case parametric(PowerCurve)
  case table([UInt16])

  /// The most entries a table may have: one for every number of 16 bits.
  static let largestTable = 65_536

  /// The powers that a curve may be made of: beyond them all numbers become black or white.
  static let exponents = 0.05...20.0

  /// Linear light for a stored number from 0 to 1.
  func callAsFunction(_ x: Double) -> Double {
    switch self {
    case .identity: x
    case .parametric(let curve): curve(x)
    case .table(let values): Self.interpolate(values, at: x)
    }
  }

  private static func interpolate(_ values: [UInt16], at x: Double) -> Double {
    let position = x * Double(values.count - 1)
    let index = min(Int(position), values.count - 2)
    let (low, high) = (Double(values[index]), Double(values[index + 1]))
    return (low + (high - low) * (position - Double(index))) / 65_535
  }
}

extension ProfileCurve {
  /// The curve in the tag called `tag`.
  init(
    _ tag: Signature, of profile: ICCProfile, through reader: borrowing LittleCMSProfile
  ) throws(ICCProfileError) {
    guard let data = profile.data(tag) else { throw .missingTag(tag.description) }
    func malformed(_ reason: String) -> ICCProfileError {
      .malformedTag(tag.description, reason: reason)
    }
    guard data.count >= 12 else { throw malformed("a curve needs 12 bytes; it has \(data.count)") }
    switch data.signature(at: 0) {
    case "curv":
      // Read here, because Little CMS refuses tables of more than 32,767 entries.
      try self.init(table: data, malformed: malformed)
    case "para":
      let function = Int(data.uint16(at: 8))
      guard let count = parametricParameterCounts[function] else {
        throw malformed("function \(function) is unknown; 0 to 4 exist")
      }
      guard data.count >= 12 + 4 * count else {
        throw malformed(
          "function \(function) needs \(12 + 4 * count) bytes; it has \(data.count)")
      }
      let curve = try reader.parametricCurve(tag)
      try self.init(function: curve.function, curve.parameters, malformed: malformed)
    case let type: throw malformed("its type is “\(type)”, where a curve is “curv” or “para”")
    }
    try checkInvertible(malformed: malformed)
  }

  /// A `curveType` (ICC.1:2022, 10.6).
  private init(
    table data: ArraySlice<UInt8>, malformed: (String) -> ICCProfileError
  ) throws(ICCProfileError) {
    let count = Int(data.uint32(at: 8))
    guard count <= Self.largestTable else {
      throw malformed("it states \(count) entries; \(Self.largestTable) are allowed")
    }
    guard data.count >= 12 + 2 * count else {
      throw malformed("\(count) entries need \(12 + 2 * count) bytes; it has \(data.count)")
    }
    switch count {
    case 0: self = .identity
    case 1:
      let gamma = Double(data.uint16(at: 12)) / 256
      guard Self.exponents.contains(gamma) else {
        throw malformed("its gamma is \(gamma); \(Self.exponents) are allowed")
      }
      self = gamma == 1 ? .identity : .parametric(PowerCurve(exponent: gamma))
    default: self = .table((0..<count).map { data.uint16(at: 12 + 2 * $0) })
    }
  }

  /// A `parametricCurveType` (ICC.1:2022, 10.18).
  private init(
    function: Int, _ p: [Double], malformed: (String) -> ICCProfileError
  ) throws(ICCProfileError) {
    guard Self.exponents.contains(p[0]), function == 0 || p[1] > 0 else {
      throw malformed("its parameters \(p) make no rising curve that can be computed with")
    }
    let curve =
      switch function {
      case 0: PowerCurve(exponent: p[0])
      case 1: PowerCurve(g: p[0], a: p[1], b: p[2], c: 0, d: -p[2] / p[1])
      case 2: PowerCurve(g: p[0], a: p[1], b: p[2], c: 0, d: -p[2] / p[1], e: p[3], f: p[3])
      case 3: PowerCurve(g: p[0], a: p[1], b: p[2], c: p[3], d: p[4])
      default: PowerCurve(g: p[0], a: p[1], b: p[2], c: p[3], d: p[4], e: p[5], f: p[6])
      }
    self = curve == PowerCurve(exponent: 1) ? .identity : .parametric(curve)
  }

  /// Colors must have a way back, and calibrated displays' tables may tremble a little.
  private func checkInvertible(
    malformed: (String) -> ICCProfileError
  ) throws(ICCProfileError) {
    let values =
      if case .table(let values) = self {
        values.map { Double($0) / 65_535 }
      } else {
        (0...256).map { self(Double($0) / 256) }
      }
    guard values.allSatisfy({ $0.isFinite && abs($0) < 1e4 }) else {
      throw malformed("the curve leaves the numbers that can be computed with")
    }
    guard let first = values.first, let last = values.last, last - first >= 0.001 else {
      throw malformed("the curve does not rise from 0 to 1, so that no color has a way back")
    }
    var highest = first
    for (step, value) in values.enumerated() {
      guard value >= highest - 0.001 else {
        throw malformed(
          "the curve falls from \(highest) to \(value) after \(step) of \(values.count - 1) steps")
      }
      highest = max(highest, value)
    }
  }
}

extension ProfileCurve {
  /// Whether two curves are the same up to 10⁻⁴ of a stored number or one step of 16-bit light, whichever is more.
  ///
  /// Tables hold light, which near black has fewer steps than stored numbers have: a comparison of stored numbers alone would
  /// find every table of a plain power wrong there.
  static func agree(_ a: (Double) -> Double, _ b: (Double) -> Double) -> Bool {
    let steps = 512
    return (0...steps).allSatisfy { step in
      let x = Double(step) / Double(steps)
      let (low, high) = (max(x - 1e-4, 0), min(x + 1e-4, 1))
      let slope = (b(high) - b(low)) / (high - low)
      return abs(a(x) - b(x)) <= max(slope * 1e-4, 1 / 65_535)
    }
  }

  /// The transfer function: a known one where the curve is one, up to what a profile can store.
  var transfer: TransferFunction {
    let known: [TransferFunction] =
      [.linear, .sRGB, .rec709, .proPhoto]
      + [563.0 / 256, 2.6, 1.8, 2.2].map(TransferFunction.gamma)
    if let match = known.first(where: { Self.agree(self.callAsFunction, $0.decode) }) {
      return match
    }
    switch self {
    case .identity: return .linear
    case .parametric(let curve):
      return curve == PowerCurve(exponent: curve.exponent)
        ? .gamma(curve.exponent) : TransferFunction("parametric curve", decoding: curve)
    case .table(let values):
      return TransferFunction(
        "table of \(values.count)", decodingTable: values.map { Float($0) / 65_535 })
    }
  }
}
