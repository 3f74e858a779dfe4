/// A counter-based random number generator per pixel (Steele, Lea and Flood, “Fast splittable pseudorandom number
/// generators”, 2014; the mixing function of SplitMix64).
///
/// The seed is mixed before the row is added, and that sum before the column is: otherwise the pixels of the next seed
/// would be those of the next row.
@usableFromInline package struct PixelRandom {
  @usableFromInline let state: UInt64

  @inlinable package init(seed: UInt64, x: Int, y: Int) {
    let row = Self.mixed(Self.mixed(seed) &+ UInt64(truncatingIfNeeded: y))
    state = Self.mixed(row &+ UInt64(truncatingIfNeeded: x))
  }

  /// The random value `index` of the pixel: a multiple of 2⁻²⁴ in 0..<1.
  @inlinable package subscript(index: Int) -> Float {
    let bits = Self.mixed(state &+ UInt64(truncatingIfNeeded: index))
    return Float(bits >> 40) * 0x1p-24
  }

  @inlinable static func mixed(_ value: UInt64) -> UInt64 {
    var z = value &+ 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
