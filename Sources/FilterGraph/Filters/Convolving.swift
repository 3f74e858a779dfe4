internal import CPixelKernels
internal import ImageBuffer

/// Sums of rows and of shifted rows, as all convolutions are made of.
enum Convolving {
  /// Sets each of `count` values to the sum of those of `rows`, each times its weight.
  static func mix(
    _ rows: [UnsafePointer<Float>?], _ weights: [Float], into target: UnsafeMutablePointer<Float>,
    count: Int
  ) {
    kernels.blend_rows(target, rows, weights, weights.count, count)
  }

  /// Sets each of `count` values to the sum of the `weights.count` values from its place on, each times its weight.
  static func slide(
    over row: UnsafePointer<Float>, _ weights: [Float],
    into target: UnsafeMutablePointer<Float>, count: Int
  ) {
    mix(weights.indices.map { row + $0 }, weights, into: target, count: count)
  }

  /// Sets each value of some rows to the sum of the `taps` values from its start on, each times its own weight.
  static func gather(
    starts: [Int32], weights: [Float], taps: Int, from rows: UnsafePointer<Float>,
    width: Int, count: Int, into target: UnsafeMutablePointer<Float>, stride: Int, memory: Tile
  ) {
    memory.arena.temporarily {
      kernels.blend_columns(
        target, stride, rows, width, width, count, starts, weights, taps, starts.count,
        memory.scratch(TileColumns.scratchCount(width)))
    }
  }

  /// Weights in single precision that sum to 1 in the kernels' order, so that flat areas of 1 stay 1.
  static func normalized(_ weights: [Double]) -> [Float] {
    let sum = weights.reduce(0, +)
    var rounded = weights.map { Float($0 / sum) }
    guard let largest = rounded.indices.max(by: { rounded[$0] < rounded[$1] }) else { return [] }
    for index in largest..<rounded.count {
      let sum = rounded.reduce(Float(0), +)
      if sum == 1 { break }
      rounded[index] += 1 - sum
    }
    return rounded
  }
}
