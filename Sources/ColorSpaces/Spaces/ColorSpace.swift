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
  /// Whether it has grays alone: whatever comes into it becomes as gray as it is bright.
  ///
  /// Grays are stored as three equal numbers, so that they are those of an RGB space too.
  public let isGray: Bool
  /// What the space was read from; nil where its definition says all.
  package let origin: SpaceOrigin?

  /// A space that mixes `primaries`, or their grays alone, stored through `transfer`.
  public init(
    _ name: String, aliases: [String] = [], primaries: Primaries, transfer: TransferFunction,
    isGray: Bool = false
  ) {
    self.init(
      name, aliases: aliases, primaries: primaries, transfer: transfer, isGray: isGray, origin: nil)
  }

  /// A space that was read from `origin`.
  package init(
    _ name: String, aliases: [String] = [], primaries: Primaries, transfer: TransferFunction,
    isGray: Bool = false, origin: SpaceOrigin?
  ) {
    (self.name, self.aliases, self.origin) = (name, aliases, origin)
    (self.primaries, self.transfer, self.isGray) = (primaries, transfer, isGray)
  }

  /// The same lights, stored as plain amounts.
  public var linear: ColorSpace {
    transfer.isLinear
      ? self
      : ColorSpace("linear \(name)", primaries: primaries, transfer: .linear, isGray: isGray)
  }

  /// The space of all colors whose grays this one has; itself, where it has colors.
  public var withColors: ColorSpace {
    isGray
      ? ColorSpace(
        name, aliases: aliases, primaries: primaries, transfer: transfer, origin: origin) : self
  }

  /// From this space's linear light to the hub: XYZ with the white of D65, adapted by Bradford.
  public var toHub: ColorMatrix {
    .adapting(from: primaries.white, to: .d65) * primaries.toXYZ
  }

  /// From this space's linear light to another's. White becomes white exactly.
  public func matrix(to other: ColorSpace) -> ColorMatrix {
    if other.isGray, !isGray {
      let toXYZ = ColorMatrix.adapting(from: .d65, to: other.primaries.white) * toHub
      let weights = toXYZ.rows[1]
      return ColorMatrix(rows: weights, weights, weights).preservingWhite(in: Double.self)
    }
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
    isGray == other.isGray && primaries.isClose(to: other.primaries, within: 3e-4)
      && transfer.isInterchangeable(with: other.transfer, within: 1e-4)
  }
}

extension ColorSpace {
  /// Whether name, lights and transfer function agree, and whether both are gray. Aliases do not matter.
  public static func == (a: ColorSpace, b: ColorSpace) -> Bool {
    a.name == b.name && a.primaries == b.primaries && a.transfer == b.transfer
      && a.isGray == b.isGray
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
