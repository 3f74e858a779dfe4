/// A color of up to four coordinates, and how many pixels it stands for. Unused coordinates are 0.
package struct WeightedColor: Sendable {
  package var point: SIMD4<Double>
  package var weight: Double

  package init(_ point: SIMD4<Double>, weight: Double) {
    (self.point, self.weight) = (point, weight)
  }

  /// Creates the mean of colors from their weighted sum.
  init(sum: SIMD4<Double>, weight: Double) {
    (point, self.weight) = (sum / weight, weight)
  }
}

/// Clusters of colors: divided along the axis of the largest variance, then improved by Lloyd's iterations of k-means.
///
/// The division replaces the usual random start, and gives the same clusters for the same colors.
package struct ColorClusters: Sendable {
  /// The mean color of each cluster and its weight, by falling weight.
  package private(set) var means: [WeightedColor]
  /// The weight of all colors.
  package let weight: Double

  /// Iterations usually end after fewer, when no color changes its cluster.
  private static let mostIterations = 32

  /// Creates at most `count` clusters. Those whose standard deviation along each axis is at most `leastDeviation` are not divided.
  package init(of colors: [WeightedColor], count: Int, leastDeviation: Double) {
    weight = colors.reduce(0) { $0 + $1.weight }
    means = Self.divided(colors, count: count, leastDeviation: leastDeviation)
      .map { Self.mean(of: $0) }
    improve(with: colors)
    means.sort { a, b in
      if a.weight != b.weight { return a.weight > b.weight }
      return a.point.precedes(b.point)
    }
  }

  /// Divides the colors into clusters, each time the one with the largest sum of squared differences.
  private static func divided(
    _ colors: [WeightedColor], count: Int, leastDeviation: Double
  ) -> [[WeightedColor]] {
    var clusters = colors.isEmpty ? [] : [Cluster(colors)]
    while clusters.count < count {
      let divisible = clusters.indices.filter { clusters[$0].deviation > leastDeviation }
      guard let index = divisible.max(by: { clusters[$0].squares < clusters[$1].squares }) else {
        break
      }
      let (low, high) = clusters[index].halves
      clusters[index] = Cluster(low)
      clusters.append(Cluster(high))
    }
    return clusters.map(\.colors)
  }

  /// Moves colors to the cluster of the nearest mean until all are there.
  private mutating func improve(with colors: [WeightedColor]) {
    var nearest = [Int](repeating: -1, count: colors.count)
    let groups = ColorGroup.groups(of: colors)
    for _ in 0..<Self.mostIterations {
      var isUnchanged = true
      let all = means.enumerated().map { ColorGroup.Candidate(mean: $1.point, index: $0) }
      for group in groups {
        let candidates = group.candidates(among: all)
        for index in group.indices {
          let found = candidates[Self.nearest(to: colors[index].point, among: candidates)].index
          if found != nearest[index] { (nearest[index], isUnchanged) = (found, false) }
        }
      }
      if isUnchanged { break }
      var sums = [WeightedColor](repeating: WeightedColor(.zero, weight: 0), count: means.count)
      for (index, color) in colors.enumerated() {
        sums[nearest[index]].point += color.point * color.weight
        sums[nearest[index]].weight += color.weight
      }
      // A cluster that lost all colors keeps its mean, without weight.
      for (index, sum) in sums.enumerated() {
        if sum.weight > 0 {
          means[index] = WeightedColor(sum: sum.point, weight: sum.weight)
        } else {
          means[index].weight = 0
        }
      }
    }
    means.removeAll { $0.weight == 0 }
  }

  /// The first of the nearest candidates.
  private static func nearest(
    to color: SIMD4<Double>, among candidates: [ColorGroup.Candidate]
  ) -> Int {
    var (found, least) = (0, Double.infinity)
    for (index, candidate) in candidates.enumerated() {
      let step = candidate.mean - color
      let distance = (step * step).total
      if distance < least { (found, least) = (index, distance) }
    }
    return found
  }

  fileprivate static func mean(of colors: [WeightedColor]) -> WeightedColor {
    let weight = colors.reduce(0) { $0 + $1.weight }
    return WeightedColor(
      sum: colors.reduce(SIMD4.zero) { $0 + $1.point * $1.weight }, weight: weight)
  }

  /// Some colors with the axis along which they vary most.
  private struct Cluster {
    let colors: [WeightedColor]
    /// The sum of squared differences from the mean along the axis, and the standard deviation.
    let squares, deviation: Double
    private let axis: Int

    init(_ colors: [WeightedColor]) {
      self.colors = colors
      let mean = ColorClusters.mean(of: colors)
      let squares = colors.reduce(SIMD4<Double>.zero) { sum, color in
        let step = color.point - mean.point
        return sum + step * step * color.weight
      }
      axis = (0..<4).reduce(0) { squares[$1] > squares[$0] ? $1 : $0 }
      self.squares = squares[axis]
      deviation = (squares[axis] / mean.weight).squareRoot()
    }

    /// The two parts along the axis whose sums of squared differences are least (Otsu's threshold).
    var halves: (low: [WeightedColor], high: [WeightedColor]) {
      let sorted = colors.sorted { a, b in
        if a.point[axis] != b.point[axis] { return a.point[axis] < b.point[axis] }
        return a.point.precedes(b.point)
      }
      let (whole, total) = sorted.reduce((0.0, 0.0)) {
        ($0.0 + $1.weight, $0.1 + $1.point[axis] * $1.weight)
      }
      var (weight, sum) = (0.0, 0.0)
      var (end, most) = (1, -Double.infinity)
      for (index, color) in sorted.dropLast().enumerated() {
        weight += color.weight
        sum += color.point[axis] * color.weight
        // The variance between the parts, which grows as that within them shrinks.
        let gap = sum / weight - (total - sum) / (whole - weight)
        let between = weight * (whole - weight) * gap * gap
        if between > most { (end, most) = (index + 1, between) }
      }
      return (Array(sorted[..<end]), Array(sorted[end...]))
    }
  }
}

/// Colors that lie near each other, so that few means can be the nearest to one of them.
private struct ColorGroup {
  /// A mean and its place among the means.
  struct Candidate {
    let mean: SIMD4<Double>
    let index: Int
  }

  /// The places of the colors.
  private(set) var indices: [Int] = []
  /// The corners of the box around the colors.
  private var low = SIMD4(repeating: Double.infinity)
  private var high = SIMD4(repeating: -Double.infinity)

  /// Smaller boxes have fewer candidates, but there are more of them.
  private static let boxesPerUnit = 8.0

  static func groups(of colors: [WeightedColor]) -> [ColorGroup] {
    var groups: [ColorGroup] = []
    var numbers: [SIMD4<Int>: Int] = [:]
    for (index, color) in colors.enumerated() {
      let place = (color.point * boxesPerUnit)
        .clamped(lowerBound: SIMD4(repeating: -1000), upperBound: SIMD4(repeating: 1000))
        .rounded(.down)
      let box = SIMD4(Int(place.x), Int(place.y), Int(place.z), Int(place.w))
      let number = numbers[box] ?? groups.count
      if number == groups.count {
        groups.append(ColorGroup())
        numbers[box] = number
      }
      groups[number].add(color.point, at: index)
    }
    return groups
  }

  private mutating func add(_ color: SIMD4<Double>, at index: Int) {
    indices.append(index)
    low = pointwiseMin(low, color)
    high = pointwiseMax(high, color)
  }

  /// The means that are no farther from the box than the whole box is from some mean, in their order. All others are farther from each
  /// color than that mean, whatever is rounded: no difference, square or sum rounds up past a larger one.
  func candidates(among means: [Candidate]) -> [Candidate] {
    // Fewer colors are compared with all means in less time.
    if indices.count < 4 { return means }
    var bound = Double.infinity
    for candidate in means {
      let (toLow, toHigh) = (candidate.mean - low, candidate.mean - high)
      bound = min(bound, pointwiseMax(toLow * toLow, toHigh * toHigh).total)
    }
    return means.filter { candidate in
      let outside = pointwiseMax(low - candidate.mean, candidate.mean - high)
        .clamped(lowerBound: .zero, upperBound: SIMD4(repeating: .infinity))
      return (outside * outside).total <= bound
    }
  }
}

extension SIMD4<Double> {
  /// The sum of the elements, added in order.
  fileprivate var total: Double { x + y + z + w }

  /// Whether it comes first in the order of elements.
  fileprivate func precedes(_ other: SIMD4) -> Bool {
    (x, y, z, w) < (other.x, other.y, other.z, other.w)
  }
}
