/// A multidimensional lookup table (the CLUT of an ICC profile) with interpolation between grid points.
///
/// Interpolation is tetrahedral in the last three inputs and linear in the ones before them; three inputs may also be
/// trilinear. Both match Little CMS, so that profiles give the same colors.
package struct Lattice: Sendable {
  /// The number of grid points along each input.
  package let gridCounts: [Int]
  /// The number of output channels.
  package let outputCount: Int
  /// The values of the grid points in steps of 1/65,535, the last input varying fastest.
  package let values: [UInt16]
  /// The stride of each input in `values`.
  private let strides: [Int]
  /// Whether the last three inputs are interpolated tetrahedrally.
  package let isTetrahedral: Bool

  /// The maximum number of values.
  package static let largestCount = 10_000_000

  /// The number of values of a lattice of this shape; nil above the limit.
  package static func valueCount(gridCounts: [Int], outputCount: Int) -> Int? {
    gridCounts.reduce(outputCount) { (count: Int?, grid) in
      // Both factors are small enough that their product does not overflow.
      count.flatMap { $0 * grid <= largestCount ? $0 * grid : nil }
    }
  }

  /// Creates a lattice from values in steps of 1/65,535, the last input varying fastest.
  package init(gridCounts: [Int], outputCount: Int, values: [UInt16], isTetrahedral: Bool) {
    precondition(
      gridCounts.allSatisfy { $0 >= 2 }
        && values.count == gridCounts.reduce(outputCount, *),
      "A lattice of \(gridCounts) points has other than \(values.count) values.")
    (self.gridCounts, self.outputCount, self.values) = (gridCounts, outputCount, values)
    self.isTetrahedral = isTetrahedral && gridCounts.count >= 3
    var strides = [Int](repeating: outputCount, count: gridCounts.count)
    for index in strides.indices.dropLast().reversed() {
      strides[index] = strides[index + 1] * gridCounts[index + 1]
    }
    self.strides = strides
  }

  /// Replaces the inputs at `color` by the outputs, for each of `count` colors at a stride of
  /// `ChannelProgram.channelLimit`.
  func apply(to colors: UnsafeMutablePointer<Double>, count: Int) {
    let limit = ChannelProgram.channelLimit
    withUnsafeTemporaryAllocation(of: Double.self, capacity: 2 * limit) { scratch in
      guard let fractions = scratch.baseAddress else { return }
      let sums = fractions + limit
      values.withUnsafeBufferPointer { values in
        for index in 0..<count {
          let color = colors + index * limit
          let base = locate(color, fractions)
          sums.update(repeating: 0, count: outputCount)
          add(values, from: base, input: 0, weight: 1, fractions, to: sums)
          for channel in 0..<outputCount { color[channel] = sums[channel] / 65_535 }
        }
      }
    }
  }

  /// Finds the offset of the cell's lowest corner, and the color's fraction along each input.
  private func locate(
    _ color: UnsafeMutablePointer<Double>, _ fractions: UnsafeMutablePointer<Double>
  ) -> Int {
    var base = 0
    for (input, grid) in gridCounts.enumerated() {
      let position = min(max(color[input], 0), 1) * Double(grid - 1)
      let cell = position == position ? min(Int(position), grid - 2) : 0
      fractions[input] = position - Double(cell)
      base += cell * strides[input]
    }
    return base
  }

  /// Accumulates the interpolation of the inputs from `input` on, for the corners from `offset` on.
  private func add(
    _ values: UnsafeBufferPointer<UInt16>, from offset: Int, input: Int, weight: Double,
    _ fractions: UnsafeMutablePointer<Double>, to sums: UnsafeMutablePointer<Double>
  ) {
    guard weight != 0 else { return }
    if isTetrahedral && input == gridCounts.count - 3 {
      addTetrahedron(values, from: offset, input: input, weight: weight, fractions, to: sums)
    } else if input == gridCounts.count {
      for channel in 0..<outputCount { sums[channel] += weight * Double(values[offset + channel]) }
    } else {
      let fraction = fractions[input]
      add(
        values, from: offset, input: input + 1, weight: weight * (1 - fraction), fractions, to: sums
      )
      add(
        values, from: offset + strides[input], input: input + 1, weight: weight * fraction,
        fractions, to: sums)
    }
  }

  /// Walks the cell's edges from its lowest corner to its highest, in the order of decreasing fractions.
  private func addTetrahedron(
    _ values: UnsafeBufferPointer<UInt16>, from offset: Int, input: Int, weight: Double,
    _ fractions: UnsafeMutablePointer<Double>, to sums: UnsafeMutablePointer<Double>
  ) {
    var (first, second, third) = (input, input + 1, input + 2)
    if fractions[first] < fractions[second] { swap(&first, &second) }
    if fractions[second] < fractions[third] { swap(&second, &third) }
    if fractions[first] < fractions[second] { swap(&first, &second) }
    let a = offset + strides[first]
    let b = a + strides[second]
    let c = b + strides[third]
    let (f, g, h) = (fractions[first], fractions[second], fractions[third])
    for channel in 0..<outputCount {
      let low = (1 - f) * Double(values[offset + channel]) + (f - g) * Double(values[a + channel])
      let high = (g - h) * Double(values[b + channel]) + h * Double(values[c + channel])
      sums[channel] += weight * (low + high)
    }
  }
}

extension Lattice: CustomStringConvertible {
  /// The shape of the grid as plans show it, such as “table of 11^4 colors”.
  package var description: String {
    let isEven = Set(gridCounts).count == 1
    let grid =
      isEven
      ? "\(gridCounts[0])^\(gridCounts.count)"
      : gridCounts.map(String.init).joined(separator: "×")
    return "table of \(grid) colors"
  }
}
