public import ColorSpaces

/// How often each number occurs, channel by channel. Fully transparent pixels do not count.
public struct Histogram: Reduction {
  /// Into how many steps 0…1 is divided. The first and the last one are those of 0 and 1 and of all beyond.
  public var steps: Int
  /// The numbers it looks at.
  public var domain: PixelDomain

  /// A histogram of so many steps, 2 or more.
  public init(steps: Int = 256, domain: PixelDomain = .encoded) {
    precondition(
      (2...16_777_216).contains(steps), "A histogram has 2 to 16,777,216 steps; got \(steps).")
    (self.steps, self.domain) = (steps, domain)
  }

  /// How often each number occurs.
  public struct Counts: Hashable, Sendable {
    /// The counts of red, green and blue, one after the other.
    fileprivate var counts: [Int]
    /// How many steps each channel has.
    public let steps: Int

    /// How many pixels of a channel, 0…2, have the number `step`, 0 up to the number of steps.
    public subscript(channel: Int, step: Int) -> Int {
      precondition(
        (0..<3).contains(channel) && (0..<steps).contains(step),
        "There is no step \(step) of channel \(channel) among 3 × \(steps).")
      return counts[channel * steps + step]
    }

    /// How many pixels were counted. Numbers that are none do not count.
    public var pixelCount: Int { counts[..<steps].reduce(0, +) }

    /// The number of each channel below which the part `part` of all pixels lies: ½ is the median.
    public func percentile(_ part: Double) -> SIMD3<Double> {
      var result = SIMD3<Double>.one
      for channel in 0..<3 {
        let counts = counts[channel * steps..<(channel + 1) * steps]
        let wanted = Int((Double(counts.reduce(0, +)) * part).rounded(.up))
        var seen = 0
        for (step, count) in counts.enumerated() {
          seen += count
          if seen >= wanted, count > 0 {
            result[channel] = Double(step) / Double(steps - 1)
            break
          }
        }
      }
      return result
    }
  }

  /// Nothing counted.
  public func start(in space: ColorSpace) -> Counts {
    Counts(counts: [Int](repeating: 0, count: 3 * steps), steps: steps)
  }

  /// Counts the nearest step of each channel.
  public func add(_ pixel: SIMD4<Float>, to state: inout Counts) {
    guard pixel.w > 0 else { return }
    let scaled = pixel * Float(steps - 1)
    for channel in 0..<3 where !scaled[channel].isNaN {
      let step = Int(min(max(scaled[channel], 0), Float(steps - 1)).rounded(.toNearestOrEven))
      state.counts[channel * steps + step] += 1
    }
  }
}

extension Histogram: CustomStringConvertible {
  /// The name in plans.
  public var description: String { "a histogram of \(steps) steps" }
}

extension Picture {
  /// How often each number of this picture occurs, in so many steps of its stored numbers.
  public func histogram(
    steps: Int = 256, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Histogram.Counts {
    try reduced(by: Histogram(steps: steps), options: options)
  }
}
