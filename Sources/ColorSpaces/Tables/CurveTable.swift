/// A curve by its values at equal steps from 0 to 1, in steps of 1/65,535, with straight lines between them.
package struct CurveTable: Hashable, Sendable {
  package let values: [UInt16]

  /// The most entries a table may have: one for every number of 16 bits.
  package static let largestCount = 65_536

  /// Whether its values are `x` itself, from 0 to 1.
  package var isIdentity: Bool {
    values.enumerated().allSatisfy { Int($1) * (values.count - 1) == 65_535 * $0 }
  }

  /// The curve's value at `x`. Beyond its ends the end value holds.
  package func callAsFunction(_ x: Double) -> Double {
    let position = min(max(x, 0), 1) * Double(values.count - 1)
    // A number that is none has no position; it stays none.
    guard position == position else { return position }
    let index = min(Int(position), values.count - 2)
    let (low, high) = (Double(values[index]), Double(values[index + 1]))
    return (low + (high - low) * (position - Double(index))) / 65_535
  }

  package init(values: [UInt16]) { self.values = values }

  /// The inverse of a table.
  package struct Inverse: Hashable, Sendable {
    package let table: CurveTable
    /// Whether the table's last value is below its first.
    package let isFalling: Bool
    /// The least value from here on, by which the last place of a value is found even where the table trembles.
    package let least: [UInt16]

    init(_ table: CurveTable) {
      self.table = table
      isFalling = (table.values.last ?? 0) < (table.values.first ?? 0)
      var least = isFalling ? table.values.reversed() : table.values
      for index in least.indices.dropLast().reversed() {
        least[index] = min(least[index], least[index + 1])
      }
      self.least = least
    }

    /// The last place where the table has the value `y`, or the value that it has next to that.
    package func callAsFunction(_ y: Double) -> Double {
      guard y == y else { return y }
      // Light that the table does not have counts as the least that it has.
      let target = max(y * 65_535, Double(least[0]))
      var (low, high) = (0, least.count)
      // The first place with more than the target.
      while low < high {
        let middle = (low + high) / 2
        if Double(least[middle]) <= target { low = middle + 1 } else { high = middle }
      }
      guard low < least.count else { return isFalling ? 0 : 1 }
      let (before, after) = (Double(least[low - 1]), Double(least[low]))
      let position =
        (Double(low - 1) + (target - before) / (after - before)) / Double(least.count - 1)
      return isFalling ? 1 - position : position
    }
  }

  /// The inverse.
  package var inverse: Inverse { Inverse(self) }
}
