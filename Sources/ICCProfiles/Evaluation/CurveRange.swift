internal import ColorSpaces

/// The values that a curve takes at 0…1, each with one of its inputs there: also of a curve that rises and falls.
struct CurveRange: Sendable {
  private let curve: ChannelCurve
  /// The least and the greatest value.
  let low, high: Double
  /// The extremes of a table's entries up to each of them.
  private let least, greatest: [UInt16]

  init(_ curve: ChannelCurve) {
    self.curve = curve
    var values = [curve(0), curve(1)]
    (least, greatest) =
      if case .table(let table) = curve {
        (table.values.runningExtreme(min), table.values.runningExtreme(max))
      } else {
        ([], [])
      }
    if case .parametric(let parametric) = curve {
      values += parametric.turns.map { curve($0) }
    }
    values += [least.last, greatest.last].compactMap { $0.map { Double($0) / 65_535 } }
    (low, high) = (values.min() ?? 0, values.max() ?? 1)
  }

  /// Returns an input of 0…1 at which the curve has the value `y`; where it jumps over the value, one beside the jump.
  func input(of y: Double) -> Double {
    switch curve {
    case .table(let table): table.input(of: y, least: least, greatest: greatest)
    case .parametric(let curve): curve.input(of: y)
    case .identity, .parametricInverse, .tableInverse: min(max(y, 0), 1)
    }
  }
}

extension [UInt16] {
  fileprivate func runningExtreme(_ choose: (UInt16, UInt16) -> UInt16) -> [UInt16] {
    var extremes = self
    for index in indices.dropFirst() {
      extremes[index] = choose(extremes[index - 1], extremes[index])
    }
    return extremes
  }

  /// The first index whose entry satisfies a condition that all entries after it satisfy, too; the last index if none does.
  fileprivate func partitioningIndex(where holds: (Double) -> Bool) -> Int {
    var (low, high) = (0, count - 1)
    while low < high {
      let middle = (low + high) / 2
      if holds(Double(self[middle])) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension CurveTable {
  /// The first input at which the table has the value `y`: before it, all entries are below the value, or all are above.
  fileprivate func input(of y: Double, least: [UInt16], greatest: [UInt16]) -> Double {
    let target = min(
      max(y * 65_535, Double(least[least.count - 1])), Double(greatest[least.count - 1]))
    let index =
      target >= Double(values[0])
      ? greatest.partitioningIndex { $0 >= target } : least.partitioningIndex { $0 <= target }
    guard index > 0 else { return 0 }
    let (before, after) = (Double(values[index - 1]), Double(values[index]))
    return (Double(index - 1) + (target - before) / (after - before)) / Double(values.count - 1)
  }
}

extension ParametricCurve {
  /// The inputs of 0…1 between which the curve rises or falls.
  fileprivate var turns: [Double] {
    [d.nextDown, d, -b / a].filter { $0 > 0 && $0 < 1 }
  }

  fileprivate func input(of y: Double) -> Double {
    var (best, error) = (0.0, Double.infinity)
    func consider(_ x: Double, from low: Double, to high: Double) {
      guard low <= high, x == x else { return }
      let x = min(max(x, low), high)
      let distance = abs(self(x) - y)
      if distance < error { (best, error) = (x, distance) }
    }
    consider(
      ((y > e ? power(y - e, 1 / g) : 0) - b) / a, from: max(d, 0), to: 1)
    // Most curves rise, so that the power alone has the value.
    if error > 1e-14, d > 0 {
      consider(c == 0 ? 0 : (y - f) / c, from: 0, to: min(d.nextDown, 1))
    }
    return best
  }
}
