internal import CPixelKernels

/// Sums of rows of a tile.
enum Convolving {
  /// Sets each of `count` values to the sum of those of the rows that `row` names, each times its weight.
  static func mix(
    _ row: (Int) -> UnsafePointer<Float>, _ weights: [Float],
    into target: UnsafeMutablePointer<Float>, count: Int
  ) {
    let block = Int(kernels.lanes)
    withUnsafeTemporaryAllocation(of: UnsafeRawPointer?.self, capacity: block) { rows in
      weights.withUnsafeBufferPointer { weights in
        for first in stride(from: 0, to: weights.count, by: block) {
          let part = min(block, weights.count - first)
          for index in 0..<part {
            rows.initializeElement(at: index, to: UnsafeRawPointer(row(first + index)))
          }
          var line = cpk_line(
            values: target, weights: weights.baseAddress.map { $0 + first }, first: 0,
            end: Int32(part), is_new: first == 0)
          kernels.add_rows(&line, 1, rows.baseAddress, part, 0, Int32(CPK_F32), false, count)
        }
      }
    }
  }
}
