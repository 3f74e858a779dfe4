internal import CPixelKernels

/// Sums of rows of a tile.
enum Convolving {
  /// Sets each of `count` values to the sum of those of the rows that `row` names, each times its weight.
  static func mix(
    _ row: (Int) -> UnsafePointer<Float>, _ weights: [Float],
    into target: UnsafeMutablePointer<Float>, count: Int
  ) {
    withUnsafeTemporaryAllocation(
      of: UnsafeRawPointer?.self, capacity: weights.count
    ) { rows in
      for index in weights.indices {
        rows.initializeElement(at: index, to: UnsafeRawPointer(row(index)))
      }
      var (target, zero): (UnsafeMutableRawPointer?, Int32) = (UnsafeMutableRawPointer(target), 0)
      weights.withUnsafeBufferPointer { weights in
        withUnsafePointer(to: &zero) { zero in
          var taps = cpk_taps(
            starts: zero, offsets: zero, weights: weights.baseAddress, count: weights.count,
            is_symmetric: false)
          kernels.mix_rows(&target, rows.baseAddress, weights.count, &taps, 1, count)
        }
      }
    }
  }
}
