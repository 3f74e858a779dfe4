public import ColorSpaces
internal import ImageBuffer

extension Picture {
  /// Returns the palette of this picture: the colors that most of its pixels resemble, and the fraction of each.
  ///
  /// ```swift
  /// for (color, fraction) in try photo.dominantColors(count: 5) { print(color, fraction) }
  /// ```
  ///
  /// Pixels are clustered in Oklab, whose distances are those of perception, and each color is the mean of a cluster: of pixels that
  /// are weighted by their alpha. The palette is deterministic: it depends on pixels alone, neither on random numbers nor on tiles and
  /// threads. Clusters that vary by less than a just noticeable difference are not divided, so that there may be fewer colors than
  /// asked for, and none of a picture that is fully transparent.
  ///
  /// Each pixel is counted, in cells of 1/64 in Oklab. That takes 16 MiB, whatever the picture's size.
  ///
  /// - Parameters:
  ///   - count: The most colors, 1…256.
  ///   - options: How the picture is rendered.
  /// - Returns: The colors in Oklab, the most frequent one first, with fractions that sum to 1. A color may be out of the gamut of sRGB.
  /// - Throws: ``RenderError`` for another count, and where the picture cannot be rendered.
  public func dominantColors(
    count: Int = 8, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> [(color: ColorPoint, fraction: Double)] {
    do throws(RecipeError) {
      try checked("The number of dominant colors", Double(count), in: 1...256)
    } catch {
      throw .recipe(error)
    }
    let cells = ColorCells(of: self)
    try Picture.count([cells], options: options)
    let palette = ColorClusters(of: cells.occupied, count: count)
    return palette.means.map { mean in
      (ColorPoint(mean[0], mean[1], mean[2], in: .oklab), mean.w / palette.weight)
    }
  }
}

/// The sums of the pixels in each cell of Oklab. Rows are added by one thread at a time, hence the unchecked conformance.
private final class ColorCells: Counting, @unchecked Sendable {
  let picture: Picture
  /// The sums of L, a and b, weighted by alpha, and of the weights.
  private var sums: [SIMD4<Double>]

  /// A cell is narrower than a just noticeable difference, 0.02 in Oklab.
  private static let cellsPerUnit: Float = 64
  /// L of 0…2, which is 8 times the luminance of white: all brighter colors share the last cells.
  private static let lightnesses = 128
  /// a and b of −½…½, more than those of Rec. 2020.
  private static let chromas = 64
  private static let count = lightnesses * chromas * chromas

  var stateByteCount: Int { Self.count * MemoryLayout<SIMD4<Double>>.stride }

  init(of picture: Picture) {
    self.picture = picture.converted(to: .oklab)
    sums = [SIMD4<Double>](repeating: .zero, count: Self.count)
  }

  /// The sums of cells with visible pixels, in the order of the cells.
  var occupied: [SIMD4<Double>] { sums.filter { $0.w > 0 } }

  func add(_ row: UnsafeBufferPointer<Float>) {
    let channels = picture.usualChannels.count
    for start in stride(from: 0, to: row.count, by: channels) {
      let alpha = channels == 4 ? min(row[start + 3], 1) : 1
      let color = SIMD4(row[start], row[start + 1], row[start + 2], 1)
      // False for NaN, too. An infinite color has no mean.
      guard alpha > 0, all(color * color .< Float.infinity) else { continue }
      sums[Self.index(of: color)] += SIMD4<Double>(color * alpha)
    }
  }

  /// The cell of a color, or the nearest one.
  private static func index(of color: SIMD4<Float>) -> Int {
    let half = Float(chromas / 2)
    let cell = (color * cellsPerUnit + SIMD4(0, half, half, 0))
      .clamped(
        lowerBound: .zero,
        upperBound: SIMD4(Float(lightnesses - 1), Float(chromas - 1), Float(chromas - 1), .infinity)
      )
    return (Int(cell.x) * chromas + Int(cell.y)) * chromas + Int(cell.z)
  }
}

/// Clusters of colors: divided along the axis of the largest variance, then improved by Lloyd's iterations of k-means.
///
/// The division replaces the usual random start, and gives the same clusters for the same colors.
private struct ColorClusters {
  /// The mean color of each cluster and its weight, by falling weight.
  private(set) var means: [SIMD4<Double>]
  /// The weight of all colors.
  let weight: Double

  /// Half of a just noticeable difference, 0.02 in Oklab: the standard deviation of two equal areas that differ by as much.
  private static let leastDeviation = 0.01
  /// Iterations usually end after fewer, when no color changes its cluster.
  private static let mostIterations = 32

  /// Creates at most `count` clusters of colors, which are sums of colors and of their weights.
  init(of sums: [SIMD4<Double>], count: Int) {
    // The mean of each cell, with its weight.
    let colors = sums.map { sum in (sum / sum.w).replacing(w: sum.w) }
    weight = colors.reduce(0) { $0 + $1.w }
    means = Self.divided(colors, count: count).map { Self.mean(of: $0) }
    improve(with: colors)
    means.sort { a, b in
      (-a.w, a.x, a.y, a.z) < (-b.w, b.x, b.y, b.z)
    }
  }

  /// Divides the colors into clusters, each time the one with the largest sum of squared differences.
  private static func divided(_ colors: [SIMD4<Double>], count: Int) -> [[SIMD4<Double>]] {
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
  private mutating func improve(with colors: [SIMD4<Double>]) {
    var nearest = [Int](repeating: -1, count: colors.count)
    let groups = ColorGroup.groups(of: colors)
    for _ in 0..<Self.mostIterations {
      var isUnchanged = true
      let all = means.enumerated().map { ColorGroup.Candidate(mean: $1, index: $0) }
      for group in groups {
        let candidates = group.candidates(among: all)
        for index in group.indices {
          let found = candidates[Self.nearest(to: colors[index], among: candidates)].index
          if found != nearest[index] { (nearest[index], isUnchanged) = (found, false) }
        }
      }
      if isUnchanged { break }
      var sums = [SIMD4<Double>](repeating: .zero, count: means.count)
      for (index, color) in colors.enumerated() {
        sums[nearest[index]] += (color * color.w).replacing(w: color.w)
      }
      // A cluster that lost all colors keeps its mean, without weight.
      for (index, sum) in sums.enumerated() {
        means[index] = sum.w > 0 ? (sum / sum.w).replacing(w: sum.w) : means[index].replacing(w: 0)
      }
    }
    means.removeAll { $0.w == 0 }
  }

  /// The first of the nearest candidates.
  private static func nearest(
    to color: SIMD4<Double>, among candidates: [ColorGroup.Candidate]
  ) -> Int {
    var (found, least) = (0, Double.infinity)
    for (index, candidate) in candidates.enumerated() {
      let step = candidate.mean - color
      let distance = (step * step).spatialSum
      if distance < least { (found, least) = (index, distance) }
    }
    return found
  }

  fileprivate static func mean(of colors: [SIMD4<Double>]) -> SIMD4<Double> {
    let sum = colors.reduce(SIMD4.zero) { $0 + ($1 * $1.w).replacing(w: $1.w) }
    return (sum / sum.w).replacing(w: sum.w)
  }

  /// Some colors with the axis along which they vary most.
  private struct Cluster {
    let colors: [SIMD4<Double>]
    /// The sum of squared differences from the mean along the axis, and the standard deviation.
    let squares, deviation: Double
    private let axis: Int

    init(_ colors: [SIMD4<Double>]) {
      self.colors = colors
      let mean = ColorClusters.mean(of: colors)
      let squares = colors.reduce(SIMD4<Double>.zero) { sum, color in
        let step = color - mean
        return sum + step * step * color.w
      }
      axis = (0..<3).reduce(0) { squares[$1] > squares[$0] ? $1 : $0 }
      self.squares = squares[axis]
      deviation = (squares[axis] / mean.w).squareRoot()
    }

    /// The two parts along the axis whose sums of squared differences are least (Otsu's threshold).
    var halves: (low: [SIMD4<Double>], high: [SIMD4<Double>]) {
      let sorted = colors.sorted { a, b in
        (a[axis], a.x, a.y, a.z) < (b[axis], b.x, b.y, b.z)
      }
      let (whole, total) = sorted.reduce((0.0, 0.0)) { ($0.0 + $1.w, $0.1 + $1[axis] * $1.w) }
      var (weight, sum) = (0.0, 0.0)
      var (end, most) = (1, -Double.infinity)
      for (index, color) in sorted.dropLast().enumerated() {
        weight += color.w
        sum += color[axis] * color.w
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

  static func groups(of colors: [SIMD4<Double>]) -> [ColorGroup] {
    var groups: [ColorGroup] = []
    var numbers: [SIMD3<Int>: Int] = [:]
    for (index, color) in colors.enumerated() {
      let place = (SIMD3(color.x, color.y, color.z) * boxesPerUnit)
        .clamped(lowerBound: SIMD3(repeating: -1000), upperBound: SIMD3(repeating: 1000))
        .rounded(.down)
      let box = SIMD3(Int(place.x), Int(place.y), Int(place.z))
      let number = numbers[box] ?? groups.count
      if number == groups.count {
        groups.append(ColorGroup())
        numbers[box] = number
      }
      groups[number].add(color, at: index)
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
      bound = min(bound, pointwiseMax(toLow * toLow, toHigh * toHigh).spatialSum)
    }
    return means.filter { candidate in
      let outside = pointwiseMax(low - candidate.mean, candidate.mean - high)
        .clamped(lowerBound: .zero, upperBound: SIMD4(repeating: .infinity))
      return (outside * outside).spatialSum <= bound
    }
  }
}

extension SIMD4<Double> {
  /// The sum of the elements but the last one.
  fileprivate var spatialSum: Double { x + y + z }

  /// The same vector with another last element.
  fileprivate func replacing(w: Double) -> SIMD4 {
    var result = self
    result.w = w
    return result
  }
}
