/// What three stored numbers mean as a color.
///
/// A color space is one declaration of data; see ``ColorSpace/displayP3`` for a whole one. Everything else is derived from it
/// in double precision.
public struct ColorSpace: Hashable, Sendable {
  /// What people call it.
  public let name: String
  /// What else people call it.
  public let aliases: [String]
  /// The lights it mixes, and its white.
  public let primaries: Primaries
  /// How its numbers stand for light.
  public let transfer: TransferFunction

  /// A space that mixes `primaries`, stored through `transfer`.
  public init(
    _ name: String, aliases: [String] = [], primaries: Primaries, transfer: TransferFunction
  ) {
    (self.name, self.aliases) = (name, aliases)
    (self.primaries, self.transfer) = (primaries, transfer)
  }

  /// The same lights, stored as plain amounts.
  public var linear: ColorSpace {
    transfer.isLinear
      ? self : ColorSpace("linear \(name)", primaries: primaries, transfer: .linear)
  }

  /// From this space's linear light to the hub: XYZ with the white of D65, adapted by Bradford.
  public var toHub: ColorMatrix {
    .adapting(from: primaries.white, to: .d65) * primaries.toXYZ
  }

  /// From this space's linear light to another's. White becomes white exactly.
  public func matrix(to other: ColorSpace) -> ColorMatrix {
    if primaries == other.primaries { return .identity }
    return (other.toHub.inverse * toHub).preservingWhite(in: Double.self)
  }

  /// What each linear channel adds to luminance.
  public var luminanceWeights: SIMD3<Double> { primaries.toXYZ.rows[1] }

  /// Whether the two mean the same colors, whatever their names.
  ///
  /// Profiles store 16-bit fractions, so primaries are compared to 3·10⁻⁴ and curves to 10⁻⁴ of a stored number, less than half
  /// a step of 12 bits.
  public func isInterchangeable(with other: ColorSpace) -> Bool {
    primaries.isClose(to: other.primaries, within: 3e-4)
      && transfer.isInterchangeable(with: other.transfer, within: 1e-4)
  }
}

extension ColorSpace {
  /// Whether name, lights and transfer function agree. Aliases do not matter.
  public static func == (a: ColorSpace, b: ColorSpace) -> Bool {
    a.name == b.name && a.primaries == b.primaries && a.transfer == b.transfer
  }

  /// Hashes the name and the lights.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(primaries)
  }
}

extension ColorSpace: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}
