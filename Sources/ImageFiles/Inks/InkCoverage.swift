public import FilterGraph
internal import ImageBuffer

/// The total area coverage of a picture of ink channels: the sum of all channels, in percent. CMYK has 400 % at most.
public struct InkCoverage: Hashable, Sendable {
  /// The largest sum of a pixel.
  public let maximum: Double
  /// The mean over all pixels.
  public let mean: Double
  /// The requested limit in percent.
  public let limit: Double
  /// The part of the pixels, 0…1, whose sum is above ``limit``.
  public let partAboveLimit: Double
  /// A histogram with bins of 0.1 %.
  private let counts: [Int]
  private let pixelCount: Int

  fileprivate init(_ tally: Tally, limit: Double) {
    (counts, self.limit) = (tally.counts, limit)
    pixelCount = tally.counts.reduce(0, +)
    let count = Double(max(pixelCount, 1))
    (maximum, mean) = (Double(tally.maximum) * 100, tally.sum / count * 100)
    partAboveLimit = Double(tally.above) / count
  }

  /// The smallest sum, to 0.1 %, that at least `part` of the pixels do not exceed: 0.5 for the median. NaN for a `part` of NaN.
  public func percentile(_ part: Double) -> Double {
    if part.isNaN { return .nan }
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
        // A float file may hold values outside of 0…1, and NaN.
        total = total > 0 ? min(total, Float(inkCount)) : 0
        maximum = max(maximum, total)
        sum += Double(total)
        if total > limit { above += 1 }
        counts[min(Int((total * 1000).rounded()), counts.count - 1)] += 1
      }
    }
  }
}

extension InkCoverage: CustomStringConvertible {
  /// One line, such as “up to 320.0 %, mean 141.2 %, 0.4 % of the pixels above 300.0 %”.
  public var description: String {
    func rounded(_ percent: Double) -> String { "\((percent * 10).rounded() / 10) %" }
    return "up to \(rounded(maximum)), mean \(rounded(mean)), "
      + "\(rounded(partAboveLimit * 100)) of the pixels above \(limit) %"
  }
}

extension InkPicture {
  /// Measures the total area coverage.
  ///
  /// - Parameters:
  ///   - limit: The total area coverage in percent above which pixels are counted, usually the limit of the press, such as 300.
  ///   - options: How to render.
  public func coverage(
    limit: Double = 300, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> InkCoverage {
    let count = count
    // A tolerance for the rounding of single precision.
    let most = Float(limit / 100) + 1e-5
    let tally = SharedTally(
      InkCoverage.Tally(counts: [Int](repeating: 0, count: 1000 * count + 1)))
    try PlateRendering(self, as: .float32, options: options).run { _, row in
      tally.value.add(row.bindMemory(to: Float.self), inkCount: count, limit: most)
    }
    return InkCoverage(tally.value, limit: limit)
  }
}

/// The renderer delivers one row at a time, so access needs no lock.
private final class SharedTally: @unchecked Sendable {
  var value: InkCoverage.Tally

  init(_ value: InkCoverage.Tally) { self.value = value }
}
