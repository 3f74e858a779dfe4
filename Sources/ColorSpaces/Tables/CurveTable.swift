/// A lookup table of 16-bit values at equal steps from 0 to 1, with linear interpolation.
package struct CurveTable: Hashable, Sendable {
  package let values: [UInt16]

  /// The maximum number of entries: one for every 16-bit code.
  package static let largestCount = 65_536

  /// Whether it is the identity on 0…1.
  package var isIdentity: Bool {
    values.enumerated().allSatisfy { Int($1) * (values.count - 1) == 65_535 * $0 }
  }

  /// The curve's value at `x`. Inputs outside 0…1 take the end values.
  package func callAsFunction(_ x: Double) -> Double {
    let position = min(max(x, 0), 1) * Double(values.count - 1)
    // A NaN has no position and is returned.
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
    /// The running minimum from each entry to the end, by which a value is found even in a table that is not monotone; of
    /// a falling table in reverse order.
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

    /// The position at which the table has the value `y`, or the closest value it has.
    ///
    /// Of several positions it is the last one in a rising table and the first one in a falling table, as in Little
    /// CMS (`cmsReverseToneCurve`).
    package func callAsFunction(_ y: Double) -> Double {
      guard y == y else { return y }
      // Values below the table's range count as its minimum.
      let target = max(y * 65_535, Double(least[0]))
      var (low, high) = (0, least.count)
      // Binary search for the first entry above the target.
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
