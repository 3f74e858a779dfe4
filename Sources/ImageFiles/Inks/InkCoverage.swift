public import FilterGraph
internal import ImageBuffer

/// The total area coverage of a picture of ink channels: the sum of all channels, in percent. CMYK has 400 % at most.
///
/// The values of each ink are in ``inks``. The mean of an ink times the printed area is the area of solid ink, from which the consumption
/// of the ink is estimated.
public struct InkCoverage: Hashable, Sendable {
  /// The values of one ink channel, in percent.
  public struct Ink: Hashable, Sendable {
    /// The name of the ink channel.
    public let name: String
    /// The mean over all pixels.
    public let mean: Double
    /// The largest value of a pixel.
    public let maximum: Double
  }

  /// The largest sum of a pixel.
  public let maximum: Double
  /// The mean over all pixels.
  public let mean: Double
  /// The requested limit in percent.
  public let limit: Double
  /// The part of the pixels, 0…1, whose sum is above ``limit``.
  public let partAboveLimit: Double
  /// The mean and the largest value of each ink, in the order of the channels. Values outside of 0…100 %, which float files may hold, are
  /// clamped, and NaN counts as 0.
  public let inks: [Ink]
  /// A histogram with bins of 0.1 %.
  private let counts: [Int]
  private let pixelCount: Int

  fileprivate init(_ tally: Tally, of names: [String], limit: Double) {
    (counts, self.limit) = (tally.counts, limit)
    pixelCount = tally.counts.reduce(0, +)
    let count = Double(max(pixelCount, 1))
    (maximum, mean) = (Double(tally.maximum) * 100, tally.sum / count * 100)
    partAboveLimit = Double(tally.above) / count
    inks = names.indices.map { ink in
      Ink(
        name: names[ink], mean: tally.inks[ink].sum / count * 100,
        maximum: Double(tally.inks[ink].maximum) * 100)
    }
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
    /// The sum and the largest value of each ink.
    var inks: [(sum: Double, maximum: Float)]

    init(inkCount: Int) {
      counts = [Int](repeating: 0, count: 1000 * inkCount + 1)
      inks = Array(repeating: (0, 0), count: inkCount)
    }

    mutating func add(_ row: UnsafeBufferPointer<Float>, limit: Float) {
      let inkCount = inks.count
      for start in stride(from: 0, to: row.count - inkCount + 1, by: inkCount) {
        var total: Float = 0
        for ink in 0..<inkCount {
          let value = row[start + ink]
          total += value
          let amount = value > 0 ? min(value, 1) : 0
          inks[ink].sum += Double(amount)
          inks[ink].maximum = max(inks[ink].maximum, amount)
        }
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
  /// Each ink is measured in the same pass.
  ///
  /// - Parameters:
  ///   - limit: The total area coverage in percent above which pixels are counted, usually the limit of the press, such as 300.
  ///   - options: How to render.
  public func coverage(
    limit: Double = 300, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> InkCoverage {
    // A tolerance for the rounding of single precision.
    let most = Float(limit / 100) + 1e-5
    let tally = SharedTally(InkCoverage.Tally(inkCount: count))
    try PlateRendering(self, as: .float32, options: options).run { _, row in
      tally.value.add(row.bindMemory(to: Float.self), limit: most)
    }
    return InkCoverage(tally.value, of: names, limit: limit)
  }
}

/// The renderer delivers one row at a time, so access needs no lock.
private final class SharedTally: @unchecked Sendable {
  var value: InkCoverage.Tally

  init(_ value: InkCoverage.Tally) { self.value = value }
}
