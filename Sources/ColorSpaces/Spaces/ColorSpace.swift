/// The definition of a color space: primaries, white point and transfer function, or other coordinates.
///
/// A color space is one declaration of data; see ``ColorSpace/displayP3`` for an example. Everything else is derived
/// from it in double precision.
public struct ColorSpace: Hashable, Sendable {
  /// The name in recipes and messages, such as “Display P3”.
  public var name: String { definition.name }
  /// Further names under which ``init(named:)`` finds it.
  public var aliases: [String] { definition.aliases }
  /// The primaries and the white point.
  public var primaries: Primaries { definition.primaries }
  /// The transfer function between linear and encoded values.
  public var transfer: TransferFunction { definition.transfer }
  /// Whether the space holds grays only: colors converted to it become the gray of their luminance.
  ///
  /// Grays are represented by three equal channels, so that they are also grays of an RGB space.
  public var isGray: Bool { definition.isGray }
  /// The file data that the space was derived from; nil where the definition is complete.
  package var origin: SpaceOrigin? { definition.origin }

  private let definition: Definition

  /// What copies of a space share: a copy is one reference.
  private final class Definition: Sendable {
    let name: String
    let aliases: [String]
    let primaries: Primaries
    let transfer: TransferFunction
    let isGray: Bool
    let origin: SpaceOrigin?

    init(
      _ name: String, aliases: [String], primaries: Primaries, transfer: TransferFunction,
      isGray: Bool, origin: SpaceOrigin?
    ) {
      (self.name, self.aliases, self.origin) = (name, aliases, origin)
      (self.primaries, self.transfer, self.isGray) = (primaries, transfer, isGray)
    }
  }

  /// Creates a space of `primaries`, or of their grays alone, encoded by `transfer`.
  public init(
    _ name: String, aliases: [String] = [], primaries: Primaries, transfer: TransferFunction,
    isGray: Bool = false
  ) {
    self.init(
      name, aliases: aliases, primaries: primaries, transfer: transfer, isGray: isGray, origin: nil)
  }

  /// Creates a space that was derived from `origin`.
  package init(
    _ name: String, aliases: [String] = [], primaries: Primaries, transfer: TransferFunction,
    isGray: Bool = false, origin: SpaceOrigin?
  ) {
    definition = Definition(
      name, aliases: aliases, primaries: primaries, transfer: transfer, isGray: isGray,
      origin: origin)
  }

  /// The space of the same primaries with linear values; the space itself if it is linear.
  public var linear: ColorSpace {
    transfer.isLinear
      ? self
      : ColorSpace("linear \(name)", primaries: primaries, transfer: .linear, isGray: isGray)
  }

  /// Whether grays have three equal channels and no other color does, unlike in Lab or by a profile's lookup tables.
  package var graysHaveEqualChannels: Bool { isGray || transfer.curves != nil }

  /// The RGB space of a gray space's primaries and transfer function; an RGB space returns itself.
  public var withColors: ColorSpace {
    isGray
      ? ColorSpace(
        name, aliases: aliases, primaries: primaries, transfer: transfer, origin: origin) : self
  }

  /// The matrix from linear values to the hub: XYZ with white point D65, adapted by Bradford.
  public var toHub: ColorMatrix {
    .adapting(from: primaries.white, to: .d65) * primaries.toXYZ
  }

  /// Returns the matrix from this space's linear values to those of `other`. White becomes white exactly.
  public func matrix(to other: ColorSpace) -> ColorMatrix {
    if other.isGray, !isGray {
      let toXYZ = ColorMatrix.adapting(from: .d65, to: other.primaries.white) * toHub
      let weights = toXYZ.rows[1]
      return ColorMatrix(rows: weights, weights, weights).preservingWhite(in: Double.self)
    }
    if primaries == other.primaries { return .identity }
    return (other.toHub.inverse * toHub).preservingWhite(in: Double.self)
  }

  /// The weight of each linear channel in luminance Y.
  public var luminanceWeights: SIMD3<Double> { primaries.toXYZ.rows[1] }

  /// Returns whether the two define the same colors, whatever their names.
  ///
  /// Profiles store 16-bit fractions, so primaries are compared within 3·10⁻⁴ and curves within 10⁻⁴ of an encoded
  /// value, less than half a 12-bit step.
  public func isInterchangeable(with other: ColorSpace) -> Bool {
    isGray == other.isGray && primaries.isClose(to: other.primaries, within: 3e-4)
      && transfer.isInterchangeable(with: other.transfer, within: 1e-4)
  }
}

extension ColorSpace {
  /// Whether name, primaries, transfer function and ``isGray`` agree. Aliases do not matter.
  public static func == (a: ColorSpace, b: ColorSpace) -> Bool {
    a.definition === b.definition
      || a.name == b.name && a.primaries == b.primaries && a.transfer == b.transfer
        && a.isGray == b.isGray
  }

  /// Hashes the name and the primaries.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(primaries)
  }
}

extension ColorSpace: CustomStringConvertible {
  /// The name of the space, such as “Display P3”.
  public var description: String { name }
}
