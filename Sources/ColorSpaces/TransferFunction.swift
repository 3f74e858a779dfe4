/// How stored numbers stand for amounts of light.
public struct TransferFunction: Hashable, Sendable {
  /// What people call it.
  public let name: String
  /// From stored number to linear light.
  public let decoding: Curve
  /// From linear light to stored number.
  public let encoding: Curve

  /// A transfer function from both its directions.
  public init(_ name: String, decoding: Curve, encoding: Curve) {
    (self.name, self.decoding, self.encoding) = (name, decoding, encoding)
  }

  /// A transfer function from its decoding direction; the other one is derived.
  public init(_ name: String, decoding: PowerCurve) {
    self.init(name, decoding: .power(decoding), encoding: .power(decoding.inverse))
  }

  /// A transfer function from a table of linear light over stored numbers 0…1.
  public init(_ name: String, decodingTable: [Float]) {
    let curve = SampledCurve(decodingTable)
    self.init(name, decoding: .sampled(curve), encoding: .sampled(curve.inverse()))
  }

  /// Linear light for a stored number.
  public func decode(_ x: Double) -> Double { decoding(x) }

  /// The stored number for linear light.
  public func encode(_ x: Double) -> Double { encoding(x) }

  /// Whether stored numbers already are linear light.
  public var isLinear: Bool { decoding == .identity }

  /// The same function with another answer to negative numbers.
  public func belowZero(_ policy: NegativePolicy) -> TransferFunction {
    func changed(_ curve: Curve) -> Curve {
      switch curve {
      case .power(var curve):
        curve.belowZero = policy
        return .power(curve)
      case .sampled(var curve):
        curve.belowZero = policy
        return .sampled(curve)
      case .identity, .cubic: return curve
      }
    }
    return TransferFunction(name, decoding: changed(decoding), encoding: changed(encoding))
  }

  /// Whether the two mean the same, up to `tolerance` in stored numbers 0…1, whatever their names.
  public func isInterchangeable(
    with other: TransferFunction, within tolerance: Double = 1e-5
  ) -> Bool {
    if decoding == other.decoding { return true }
    return (0...256).allSatisfy { step in
      let x = Double(step) / 256
      // Compared as stored numbers: there a step is what an eye or a file sees, everywhere alike.
      return abs(other.encode(decode(x)) - x) <= tolerance
        && abs(encode(other.decode(x)) - x) <= tolerance
    }
  }
}

extension TransferFunction {
  /// Stored numbers are linear light.
  public static let linear = TransferFunction("linear", decoding: .identity, encoding: .identity)

  /// IEC 61966-2-1, with its printed thresholds in both directions.
  public static let sRGB = TransferFunction(
    "sRGB",
    decoding: .power(
      PowerCurve(g: 2.4, a: 1 / 1.055, b: 0.055 / 1.055, c: 1 / 12.92, d: 0.04045)),
    encoding: .power(
      PowerCurve(
        scale: 1.055, exponent: 1 / 2.4, offset: -0.055, slope: 12.92, threshold: 0.0031308)))

  /// The camera curve of Rec. ITU-R BT.709 and BT.2020, with the constants that make it continuous (BT.2020, table 4, note).
  public static let rec709 = TransferFunction(
    "Rec. 709",
    decoding: PowerCurve(
      scale: 1 / power(1.099_296_826_809_44, 1 / 0.45),
      shift: 0.099_296_826_809_44, exponent: 1 / 0.45, slope: 1 / 4.5,
      threshold: 4.5 * 0.018_053_968_510_807))

  /// ROMM RGB (ISO 22028-2): gamma 1.8 with a line of slope 1/16 at its foot.
  public static let proPhoto = TransferFunction(
    "ProPhoto", decoding: PowerCurve(exponent: 1.8, slope: 1.0 / 16, threshold: 1.0 / 32))

  /// A plain power.
  public static func gamma(_ exponent: Double) -> TransferFunction {
    TransferFunction("gamma \(exponent)", decoding: PowerCurve(exponent: exponent))
  }
}

extension TransferFunction: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}
