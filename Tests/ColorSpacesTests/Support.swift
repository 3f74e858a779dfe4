import ColorSpaces
import _TestSupport

extension Generator where Value == SIMD3<Double> {
  /// Colors of adversarial values within ±`limit`.
  static func color(limit: Double) -> Generator {
    let channel = Generator<Double>.adversarialDouble().map { min(max($0, -limit), limit) }
    return Generator<(Double, Double, Double)>.zip(channel, channel, channel)
      .map { SIMD3($0.0, $0.1, $0.2) }
  }
}

extension SIMD3<Double> {
  /// Creates a color from three numbers of a table.
  init(_ numbers: [Double]) { self.init(numbers[0], numbers[1], numbers[2]) }

  /// The largest distance of a component from that of another color, in ulp.
  func ulps(to other: SIMD3) -> UInt64 {
    (0..<3).map { ulpDistance(self[$0], other[$0]) }.max() ?? 0
  }
}

extension ColorMatrix {
  /// Creates a matrix from the rows of a table.
  init(table rows: [[Double]]) {
    self.init(rows: SIMD3(rows[0]), SIMD3(rows[1]), SIMD3(rows[2]))
  }

  /// The largest difference of an entry from that of another matrix.
  func distance(to other: ColorMatrix) -> Double {
    zip(rows, other.rows).map { ($0 - $1).largest }.reduce(0, larger)
  }
}

/// Fails a property with the values that disagree.
func requireClose(
  _ value: Double, _ expected: Double, within tolerance: Double, _ what: String = "got"
) throws -> Bool {
  // The first comparison covers infinities, the order of the second NaN.
  if value == expected || abs(value - expected) <= tolerance { return true }
  throw Failure(
    "\(what) \(value) instead of \(expected), off by \(abs(value - expected)), allowed \(tolerance)"
  )
}
