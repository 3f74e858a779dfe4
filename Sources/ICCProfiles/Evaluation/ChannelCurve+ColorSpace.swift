internal import ColorSpaces

// Curves for color spaces: they must be invertible, and known transfer functions are recognized.

extension ChannelCurve {
  /// Throws where the curve is not invertible. Small reversals are allowed, because tables of calibrated displays contain noise.
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
      throw malformed("the curve has values that are not finite, or 10000 or more")
    }
    guard let first = values.first, let last = values.last, last - first >= 0.001 else {
      throw malformed("the curve does not rise from 0 to 1, so it has no inverse")
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

  /// Returns whether two curves agree within 10⁻⁴ of an encoded value or one 16-bit step of a linear value, whichever is larger.
  ///
  /// Curve tables store linear values of 16 bits, which are coarse near black. A comparison of encoded values alone would reject every
  /// table of a pure power function there.
  func agrees(with other: ChannelCurve) -> Bool {
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

  private static let known = (ICCProfile.knownSpaces.map(\.transfer) + TransferFunction.named)
    .reduce(into: [TransferFunction]()) { known, transfer in
      if transfer.curves != nil, !known.contains(transfer) { known.append(transfer) }
    }

  /// The known transfer functions within the range of tables, those of spaces first, in order of use.
  private static let withinTables = known.filter { transfer in
    (0..<0.1).contains(transfer.decode(0)) && (0...1 + 1e-9).contains(transfer.decode(1))
  }

  /// The known transfer functions that exceed white.
  private static let bright = known.filter { $0.decode(1) > 1 + 1e-9 }

  /// Returns whether the curve, of linear values in units of `light`, equals a transfer function within the range that a profile can store.
  /// Negative linear values, which tables cannot store, are ignored.
  private func isTransfer(_ transfer: TransferFunction, light: Double) -> Bool {
    let largest = transfer.decode(1)
    let unit = light == 1 ? 1 : largest
    return abs(unit / light - 1) < 1e-4
      && Self.agree(callAsFunction) { max(transfer.decode($0), 0) / unit }
  }

  /// Returns the transfer function of a curve of linear values in units of `light`: a known one if the curve equals one, preferably that of
  /// the space with the profile's name.
  func transfer(
    _ tag: Signature, light: Double = 1, of profile: ICCProfile
  ) throws(ICCProfileError) -> TransferFunction {
    let named = ICCProfile.knownSpaces.first { $0.name == profile.description }?.transfer
    let candidates =
      Self.known.filter { $0 == named } + (light == 1 ? Self.withinTables : Self.bright)
    if let match = candidates.first(where: { isTransfer($0, light: light) }) { return match }
    if case .parametric(let curve) = self, curve == ParametricCurve(exponent: curve.g), light == 1 {
      return .gamma(curve.g)
    }
    let (decoding, encoding) = try curves(tag)
    if light == 1 { return TransferFunction(name, decoding: decoding, encoding: encoding) }
    return TransferFunction(
      Coordinates(
        "\(profile), up to light of \(light)", origin: profile.origin,
        decoding: [
          .curves("curve of the profile", decoding, decoding, decoding),
          .affine(scale: SIMD3(repeating: light), offset: .zero),
        ],
        encoding: [
          .affine(scale: SIMD3(repeating: 1 / light), offset: .zero),
          .curves("curve of the profile, back", encoding, encoding, encoding),
        ]))
  }

  private var name: String {
    if case .table(let table) = self {
      "table of \(table.values.count)"
    } else {
      "parametric curve"
    }
  }

  /// Returns the curve and its inverse.
  func curves(_ tag: Signature) throws(ICCProfileError) -> (decoding: Curve, encoding: Curve) {
    switch self {
    case .table(let table):
      let curve = SampledCurve(table.values.map { Float($0) / 65_535 })
      return (.sampled(curve), .sampled(curve.inverse()))
    case .parametric(let curve):
      guard let power = curve.powerCurve else {
        throw .malformedTag(
          tag.description, reason: "its power decreases where the input increases")
      }
      return (.power(power), .power(power.inverse))
    case .identity: return (.identity, .identity)
    case .parametricInverse, .tableInverse:
      preconditionFailure("Tags hold no inverse curves; those of “\(tag)” were inverted.")
    }
  }
}
