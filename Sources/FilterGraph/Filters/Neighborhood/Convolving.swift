internal import CPixelKernels
internal import ImageBuffer

/// Sums of rows and of shifted rows, as all convolutions are made of.
enum Convolving {
  /// Sets each of `count` values to the sum of those of rows that lie `step` apart, each times its weight.
  static func mix(
    _ first: UnsafePointer<Float>, step: Int, _ weights: [Float],
    into target: UnsafeMutablePointer<Float>, count: Int
  ) {
    mix({ first + $0 * step }, weights, into: target, count: count)
  }

  /// Sets each of `count` values to the sum of those of the rows that `row` names, each times its weight.
  static func mix(
    _ row: (Int) -> UnsafePointer<Float>, _ weights: [Float],
    into target: UnsafeMutablePointer<Float>, count: Int
  ) {
    withUnsafeTemporaryAllocation(
      of: UnsafePointer<Float>?.self, capacity: weights.count
    ) { rows in
      for index in weights.indices { rows.initializeElement(at: index, to: row(index)) }
      var start: Int32 = 0
      kernels.blend_rows(
        target, count, rows.baseAddress, weights.count, &start, weights, weights.count, 1, count)
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

/// Which values of a row make each of some columns, and how much of each. It lives in the memory of a tile.
struct Gathering {
  private let starts: UnsafeMutablePointer<Int32>
  private let weights: UnsafeMutablePointer<Float>
  private let taps, count: Int
  private let memory: Tile

  /// For each column where its values begin, and their weights, as many for all.
  init(
    columns: Range<Int>, from start: (Int) -> Int, by weights: (Int) -> [Float], memory: Tile
  ) {
    (count, taps, self.memory) = (columns.count, weights(columns.lowerBound).count, memory)
    starts = UnsafeMutableRawPointer(memory.scratchPointer(count)).bindMemory(
      to: Int32.self, capacity: count)
    self.weights = memory.scratchPointer(taps * count)
    for (index, column) in columns.enumerated() {
      starts[index] = Int32(start(column))
      (self.weights + index * taps).update(from: weights(column), count: taps)
    }
  }

  /// Makes the columns of `count` rows, each `width` long.
  func callAsFunction(
    _ rows: UnsafePointer<Float>, width: Int, count: Int,
    into target: UnsafeMutablePointer<Float>, stride: Int
  ) {
    memory.arena.temporarily {
      kernels.blend_columns(
        target, stride, rows, width, width, count, starts, weights, taps, self.count,
        memory.scratchPointer(TileColumns.scratchCount(width)))
    }
  }

  /// How many floats that takes in all.
  static func scratchCount(columns: Int, taps: Int, width: Int) -> Int {
    (taps + 1) * columns + TileColumns.scratchCount(width) + 3 * 16
  }
}
