internal import ColorSpaces

// Curves as color spaces need them: with a way back, and recognized where they are known.

extension ProfileCurve {
  /// Colors must have a way back, and calibrated displays' tables may tremble a little.
  func checkInvertible(_ tag: Signature) throws(ICCProfileError) {
    func malformed(_ reason: String) -> ICCProfileError {
      .malformedTag(tag.description, reason: reason)
    }
    let values =
      if case .table(let table) = self {
        table.values.map { Double($0) / 65_535 }
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

  /// Whether two curves are the same up to 10⁻⁴ of a stored number or one step of 16-bit light, whichever is more.
  ///
  /// Tables hold light, which near black has fewer steps than stored numbers have: a comparison of stored numbers alone would
  /// find every table of a plain power wrong there.
  func agrees(with other: ProfileCurve) -> Bool {
    Self.agree(callAsFunction, other.callAsFunction)
  }

  private static func agree(_ a: (Double) -> Double, _ b: (Double) -> Double) -> Bool {
    let steps = 512
    return (0...steps).allSatisfy { step in
      let x = Double(step) / Double(steps)
      let (low, high) = (max(x - 1e-4, 0), min(x + 1e-4, 1))
      let slope = (b(high) - b(low)) / (high - low)
      return abs(a(x) - b(x)) <= max(slope * 1e-4, 1 / 65_535)
    }
  }

  /// Those that stay within what tables hold; those of spaces first, in the order of use.
  private static let known = (ICCProfile.knownSpaces.map(\.transfer) + TransferFunction.named)
    .reduce(into: [TransferFunction]()) { known, transfer in
      let (black, white) = (transfer.decode(0), transfer.decode(1))
      if (0..<0.1).contains(black), (0...1 + 1e-9).contains(white), !known.contains(transfer) {
        known.append(transfer)
      }
    }

  /// The transfer function: a known one where the curve is one, up to what a profile can store.
  func transfer(_ tag: Signature) throws(ICCProfileError) -> TransferFunction {
    if let match = Self.known.first(where: { Self.agree(callAsFunction, $0.decode) }) {
      return match
    }
    if case .parametric(let curve) = self, curve == ParametricCurve(exponent: curve.g) {
      return .gamma(curve.g)
    }
    let curves = try curves(tag)
    return TransferFunction(name, decoding: curves.decoding, encoding: curves.encoding)
  }

  private var name: String {
    if case .table(let table) = self {
      "table of \(table.values.count)"
    } else {
      "parametric curve"
    }
  }

  /// The curve and its inverse.
  func curves(_ tag: Signature) throws(ICCProfileError) -> (decoding: Curve, encoding: Curve) {
    switch self {
    case .table(let table):
      let curve = SampledCurve(table.values.map { Float($0) / 65_535 })
      return (.sampled(curve), .sampled(curve.inverse()))
    case .parametric(let curve):
      guard let power = curve.powerCurve else {
        throw .malformedTag(
          tag.description, reason: "its power falls where the numbers rise")
      }
      return (.power(power), .power(power.inverse))
    case .identity, .parametricInverse, .tableInverse: return (.identity, .identity)
    }
  }
}
