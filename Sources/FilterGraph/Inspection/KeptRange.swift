package import ColorSpaces

/// The linear light that a clamp keeps, such as that of a transfer function with a floor.
package struct KeptRange: Sendable {
  /// The values of each channel that are kept, infinite on a side without a bound.
  package let values: ClosedRange<Double>
  /// The matrix from linear light in the space's primaries to the channels that are clamped, such as the layers of a film; nil where
  /// these are the space's own.
  package let mix: ColorMatrix?

  init(_ values: ClosedRange<Double>, of mix: ColorMatrix? = nil) {
    (self.values, self.mix) = (values, mix)
  }

  /// The channels that are clamped, of linear light in the space's primaries.
  func channels(of light: SIMD3<Double>) -> SIMD3<Double> { mix.map { $0 * light } ?? light }
}

extension TransferFunction {
  /// The range to which encoding clamps linear values, infinite on a side without a bound; nil where it clamps none from −6 to 6, as the
  /// conformance kit's law of the range of values tests.
  ///
  /// Of coordinates, transfer functions (`encode` stages) count, so that a video form clamps as its curve does, and clamps of mixed
  /// linear light, such as those of ADX; curves per channel of ICC profiles do not.
  package var clampedRange: ClosedRange<Double>? { keptRange?.values }

  /// The linear light that encoding keeps; nil where ``clampedRange`` is.
  package var keptRange: KeptRange? {
    if case .coordinates(let coordinates) = form { return coordinates.keptRange }
    /// The bound on the side of `end`: there is one where encoding takes values on their way to it to the same value.
    func bound(toward end: Double) -> Double {
      let encoded = encode(end)
      return encoded == encode(end * 5 / 6) ? decode(encoded) : end * .infinity
    }
    let (low, high) = (bound(toward: -6), bound(toward: 6))
    // A constant has no range, and a function of a caller may be none of increasing values.
    guard low < high, low.isFinite || high.isFinite else { return nil }
    return KeptRange(low...high)
  }
}

extension Coordinates {
  /// What the first stage that clamps keeps.
  fileprivate var keptRange: KeptRange? {
    var mix: ColorMatrix?
    var isLinear = true
    for stage in encoding.stages {
      switch stage {
      case .matrix(let matrix): mix = mix.map { matrix * $0 } ?? matrix
      case .clamp(let range) where isLinear && (range.lowerBound > -6 || range.upperBound < 6):
        return KeptRange(range, of: mix)
      case .encode(let transfer):
        if let range = transfer.clampedRange { return KeptRange(range, of: isLinear ? mix : nil) }
        isLinear = false
      case .clamp: break
      default: isLinear = false
      }
    }
    return nil
  }
}
