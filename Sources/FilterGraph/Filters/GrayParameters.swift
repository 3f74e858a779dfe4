internal import ColorSpaces

// Tests of parameters for declarations that keep gray, and spaces of gray pictures to which colors are added.

extension SIMD3<Double> {
  /// Whether all channels have the same value.
  var isEqual: Bool { x == y && y == z }
}

extension SIMD4<Double> {
  /// Whether red, green and blue have the same value.
  var hasEqualColors: Bool { x == y && y == z }
}

extension ColorMatrix {
  /// Whether the rows have the same sum, but for rounding: equal channels then stay equal.
  var keepsEqualChannels: Bool {
    let sums = self * SIMD3<Double>.one
    return sums.max() - sums.min() <= 1e-9
  }
}

extension ColorTable {
  /// Whether equal channels stay equal: they lie on the diagonal, where tetrahedral interpolation reads grid points of the diagonal alone.
  var keepsEqualChannels: Bool {
    guard lowest.isEqual, highest.isEqual, interpolation == .tetrahedral else { return false }
    return (0..<size).allSatisfy { point in
      let index = 3 * point * (1 + size * (1 + size))
      return entries[index] == entries[index + 1] && entries[index] == entries[index + 2]
    }
  }
}

extension ColorPoint {
  /// Whether it is a gray in equal channels, and so in every space that has its grays there.
  package var isGray: Bool { components.isEqual && space.graysHaveEqualChannels }
}

extension ColorSpace {
  /// The space of a picture in this one after colors of `other` are added: of a gray space an RGB space of its primaries, unless `other` is
  /// gray, too.
  func holding(_ other: ColorSpace) -> ColorSpace { other.isGray ? self : holdingColors }

  /// The space of a picture in this one after a color is added.
  func holding(_ color: ColorPoint) -> ColorSpace { color.isGray ? self : holdingColors }

  /// Grays by lightness or by a table have no curve that colors could be encoded with.
  private var holdingColors: ColorSpace {
    guard isGray, transfer.curves == nil else { return withColors }
    return ColorSpace(
      "RGB of \(name)", primaries: primaries, transfer: ColorSpace.sRGB.transfer)
  }
}
