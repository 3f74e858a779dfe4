public import ColorSpaces

/// How often each number occurs, channel by channel. Fully transparent pixels do not count.
public struct Histogram: Reduction {
  /// Which numbers the steps stand for.
  @nonexhaustive
  public enum Scale: Hashable, Sendable {
    /// Even steps of 0…1.
    case even
    /// Even steps of the numbers' logarithm to the base of 2, from so many stops to so many: 0 is the number 1. What is 0 or less
    /// belongs to the first step.
    case stops(ClosedRange<Double>)
  }

  /// Into how many steps the scale is divided. The first and the last one are those of its ends and of all beyond.
  public var steps: Int
  /// The numbers it looks at.
  public var domain: PixelDomain
  /// Which numbers the steps stand for.
  public var scale: Scale
  /// Whether a pixel counts by its coverage. Counts are then 65,536ths of a pixel.
  public var countsCoverage: Bool

  /// A histogram of so many steps, 2 or more.
  public init(
    steps: Int = 256, domain: PixelDomain = .encoded, scale: Scale = .even,
    countsCoverage: Bool = false
  ) {
    precondition(
      (2...16_777_216).contains(steps), "A histogram has 2 to 16,777,216 steps; got \(steps).")
    if case .stops(let range) = scale {
      precondition(
        range.lowerBound < range.upperBound, "A scale of stops has two ends; got \(range).")
    }
    (self.steps, self.domain) = (steps, domain)
    (self.scale, self.countsCoverage) = (scale, countsCoverage)
  }

  /// How often each number occurs.
  public struct Counts: Hashable, Sendable {
    /// The counts of red, green and blue, one after the other.
    fileprivate var counts: [Int]
    /// How many steps each channel has.
    public let steps: Int
    /// Which numbers the steps stand for.
    public let scale: Scale

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
            result[channel] = number(of: step)
            break
          }
        }
      }
      return result
    }

    /// The number that a step stands for: the middle of those that it counts.
    public func number(of step: Int) -> Double {
      let part = Double(step) / Double(steps - 1)
      return switch scale {
      case .even: part
      case .stops(let range):
        exp2(range.lowerBound + (range.upperBound - range.lowerBound) * part)
      }
    }
  }

  /// Nothing counted.
  public func start(in space: ColorSpace) -> Counts {
    Counts(counts: [Int](repeating: 0, count: 3 * steps), steps: steps, scale: scale)
  }

  /// Counts the nearest step of each channel.
  public func add(_ pixel: SIMD4<Float>, to state: inout Counts) {
    guard pixel.w > 0 else { return }
    let scaled = parts(pixel) * Float(steps - 1)
    // A sum of whole numbers is the same in whatever order.
    let weight = countsCoverage ? Int((min(pixel.w, 1) * 65_536).rounded(.toNearestOrEven)) : 1
    for channel in 0..<3 where !scaled[channel].isNaN {
      let step = Int(min(max(scaled[channel], 0), Float(steps - 1)).rounded(.toNearestOrEven))
      state.counts[channel * steps + step] += weight
    }
  }

  /// Where each channel lies between the ends of the scale, 0 and 1.
  private func parts(_ pixel: SIMD4<Float>) -> SIMD4<Float> {
    guard case .stops(let range) = scale else { return pixel }
    var parts = pixel
    for channel in 0..<3 where !pixel[channel].isNaN {
      let number = min(Double(pixel[channel]), 0x1p200)
      let stops = number > 0 ? log2(number) : range.lowerBound
      parts[channel] = Float(
        (stops - range.lowerBound) / (range.upperBound - range.lowerBound))
    }
    return parts
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
