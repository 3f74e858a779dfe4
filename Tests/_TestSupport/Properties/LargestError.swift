/// Returns the larger of the largest error so far and another error. NaN counts as infinitely wrong, where `max` would ignore it.
public func larger<Number: FloatingPoint>(_ worst: Number, _ error: Number) -> Number {
  worst.isNaN || error.isNaN ? .infinity : max(worst, error)
}

// `SIMD3.min()` and `SIMD3.max()` ignore NaN.

extension SIMD3<Double> {
  /// The largest magnitude of a component; NaN if a component is NaN.
  public var largest: Double { containsNaN ? .nan : Swift.max(abs(x), abs(y), abs(z)) }

  /// The difference of the largest and the smallest component; NaN if a component is NaN.
  public var spread: Double { containsNaN ? .nan : max() - min() }
}

extension SIMD3 where Scalar: FloatingPoint {
  /// Whether a component is NaN.
  public var containsNaN: Bool { x.isNaN || y.isNaN || z.isNaN }

  /// Whether all components are in a range, in which NaN never is.
  public func isWithin(_ range: ClosedRange<Scalar>) -> Bool {
    (0..<3).allSatisfy { range.contains(self[$0]) }
  }
}
