public import FilterGraph
internal import ImageBuffer

/// The total area coverage of a picture of ink channels: the sum of all channels, in percent. CMYK has 400 % at most.
public struct InkCoverage: Hashable, Sendable {
  /// The largest sum of a pixel.
  public let maximum: Double
  /// The mean over all pixels.
  public let mean: Double
  /// The limit that was asked for.
  public let limit: Double
  /// The part of the pixels, 0…1, whose sum is above ``limit``.
  public let partAboveLimit: Double
  /// How many pixels have each tenth of a percent, from 0 on.
  private let counts: [Int]
  private let pixelCount: Int

  fileprivate init(_ tally: Tally, limit: Double) {
    (counts, self.limit) = (tally.counts, limit)
    pixelCount = tally.counts.reduce(0, +)
    let count = Double(max(pixelCount, 1))
    (maximum, mean) = (Double(tally.maximum) * 100, tally.sum / count * 100)
    partAboveLimit = Double(tally.above) / count
  }

  /// The smallest sum, to a tenth of a percent, that at least `part` of the pixels do not exceed: 0.5 for the median.
  public func percentile(_ part: Double) -> Double {
    let wanted = Int((min(max(part, 0), 1) * Double(pixelCount)).rounded(.up))
    var found = 0
    for (tenth, count) in counts.enumerated() {
      found += count
      if found >= max(wanted, 1) { return Double(tenth) / 10 }
    }
    return maximum
  }

  fileprivate struct Tally {
    var counts: [Int]
    var maximum: Float = 0
    var sum = 0.0
    var above = 0

    mutating func add(_ row: UnsafeBufferPointer<Float>, inkCount: Int, limit: Float) {
      for start in stride(from: 0, to: row.count - inkCount + 1, by: inkCount) {
        var total: Float = 0
        for ink in start..<start + inkCount { total += row[ink] }
        // A float file may hold anything.
        total = total > 0 ? min(total, Float(inkCount)) : 0
        maximum = max(maximum, total)
        sum += Double(total)
        if total > limit { above += 1 }
        counts[min(Int((total * 1000).rounded()), counts.count - 1)] += 1
      }
    }
  }
}

extension InkPicture {
  /// Measures the total area coverage.
  ///
  /// - Parameters:
  ///   - limit: The coverage in percent above which pixels are counted; that of the press, such as 300.
  ///   - options: How to render.
  public func coverage(
    limit: Double = 300, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> InkCoverage {
    let count = count
    // What single precision rounds is no more ink.
    let most = Float(limit / 100) + 1e-5
    let tally = SharedTally(
      InkCoverage.Tally(counts: [Int](repeating: 0, count: 1000 * count + 1)))
    try PlateRendering(self, as: .float32, options: options).run { _, row in
      tally.value.add(row.bindMemory(to: Float.self), inkCount: count, limit: most)
    }
    return InkCoverage(tally.value, limit: limit)
  }
}

/// Rows come one at a time, so nobody else looks at it.
private final class SharedTally: @unchecked Sendable {
  var value: InkCoverage.Tally

  init(_ value: InkCoverage.Tally) { self.value = value }
}
