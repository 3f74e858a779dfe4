public import ColorSpaces

/// A histogram of each channel. Fully transparent pixels are ignored.
public struct Histogram: Reduction, SizedReduction {
  /// The scale of the bins.
  @nonexhaustive
  public enum Scale: Hashable, Sendable {
    /// Uniform bins of 0…1.
    case even
    /// Bins uniform in stops, the logarithm to base 2, over a range of stops: 0 is the value 1. Values of 0 or less are
    /// in the first bin.
    case stops(ClosedRange<Double>)
  }

  /// The number of bins. The first and the last one include all values beyond the ends of the scale.
  public let steps: Int
  /// The domain of the values, which have straight alpha in any case. ``PixelDomain/any`` stands for encoded values.
  public var domain: PixelDomain
  /// The scale of the bins.
  public let scale: Scale
  /// Whether pixels are weighted by their alpha. Counts are then 65,536ths of a pixel.
  public var weightsByAlpha: Bool

  /// Creates a histogram.
  ///
  /// - Throws: ``RecipeError`` unless there are 2 to 16,777,216 bins, and for a range of stops that is empty or reaches
  ///   beyond ±1000.
  public init(
    steps: Int = 256, domain: PixelDomain = .encoded, scale: Scale = .even,
    weightsByAlpha: Bool = false
  ) throws(RecipeError) {
    try checked("The number of bins of a histogram", Double(steps), in: 2...16_777_216)
    if case .stops(let range) = scale {
      let limits = -1000.0...1000
      try checked("The first stop of a histogram", range.lowerBound, in: limits)
      try checked("The last stop of a histogram", range.upperBound, in: limits)
      guard range.lowerBound < range.upperBound else {
        throw .other("The stops of a histogram need two different ends; got \(range).")
      }
    }
    self.init(
      uncheckedSteps: steps, domain: domain, scale: scale, weightsByAlpha: weightsByAlpha)
  }

  /// Creates a histogram whose parameters are in range.
  init(
    uncheckedSteps steps: Int, domain: PixelDomain, scale: Scale = .even,
    weightsByAlpha: Bool = false
  ) {
    (self.steps, self.domain) = (steps, domain)
    (self.scale, self.weightsByAlpha) = (scale, weightsByAlpha)
  }

  /// The counts of a histogram.
  public struct Counts: Hashable, Sendable {
    /// The counts of red, then green, then blue.
    fileprivate var counts: [Int]
    /// The number of bins of each channel, and their scale.
    public let steps: Int, scale: Scale

    /// The number of pixels whose channel, 0…2, is in the bin `step`.
    public subscript(channel: Int, step: Int) -> Int {
      precondition(
        (0..<3).contains(channel) && (0..<steps).contains(step),
        "There is no step \(step) of channel \(channel) among 3 × \(steps).")
      return counts[channel * steps + step]
    }

    /// The sum of red's counts: the number of pixels whose red is not NaN. Counts that are weighted by alpha are in
    /// 65,536ths of an opaque pixel.
    public var pixelCount: Int { counts[..<steps].reduce(0, +) }

    /// The value of each channel below which the fraction `part` of all pixels lies: ½ gives the median. Fractions are
    /// clamped to 0…1. NaN gives NaN, and so does a channel without a counted pixel.
    public func percentile(_ part: Double) -> SIMD3<Double> {
      var result = SIMD3(repeating: Double.nan)
      if part.isNaN { return result }
      let part = min(max(part, 0), 1)
      for channel in 0..<3 {
        let counts = counts[channel * steps..<(channel + 1) * steps]
        let wanted = Int((Double(counts.reduce(0, +)) * part).rounded(.up))
        var seen = 0
        for (step, count) in counts.enumerated() {
          seen += count
          if seen >= wanted, count > 0 {
            result[channel] = value(ofBin: step)
            break
          }
        }
      }
      return result
    }

    /// The value at the middle of a bin.
    public func value(ofBin bin: Int) -> Double {
      let part = Double(bin) / Double(steps - 1)
      return switch scale {
      case .even: part
      case .stops(let range):
        exp2(range.lowerBound + (range.upperBound - range.lowerBound) * part)
      }
    }
  }

  var stateByteCount: Int { 3 * steps * MemoryLayout<Int>.size }

  /// Returns empty counts.
  public func start(in space: ColorSpace) -> Counts {
    Counts(counts: [Int](repeating: 0, count: 3 * steps), steps: steps, scale: scale)
  }

  /// Counts the nearest bin of each channel.
  public func add(_ pixel: SIMD4<Float>, to state: inout Counts) {
    var places = SIMD3(pixel.x, pixel.y, pixel.z)
    if case .stops(let range) = scale {
      for channel in 0..<3 {
        places[channel] = Float(Formula.place(of: Double(places[channel]), onStops: range))
      }
    }
    state.counts.withUnsafeMutableBufferPointer { add(places, alpha: pixel.w, to: $0) }
  }

  /// Counts a pixel by the places of its channels on the scale, 0…1.
  @inline(__always)
  private func add(
    _ places: SIMD3<Float>, alpha: Float, to counts: UnsafeMutableBufferPointer<Int>
  ) {
    guard alpha > 0 else { return }
    let scaled = places * Float(steps - 1)
    // Integer sums do not depend on the order.
    let weight = weightsByAlpha ? Int((min(alpha, 1) * 65_536).rounded(.toNearestOrEven)) : 1
    for channel in 0..<3 where !scaled[channel].isNaN {
      let held = min(max(scaled[channel], 0), Float(steps - 1))
      // From 2⁵² on a double's last place is 1: the sum is rounded to an integer, ties to even, which its last bits are.
      let bin = Int((Double(held) + 0x1p52).bitPattern & 0xffff_ffff)
      counts[channel * steps + bin] += weight
    }
  }
}

extension Histogram: RowReduction {
  /// From values to their places on the scale.
  var preparation: PointProgram {
    if case .stops(let range) = scale {
      PointProgram([.formula(.places(onStops: range))])
    } else {
      PointProgram()
    }
  }

  func add(_ pixels: PixelRow, to state: inout Counts) {
    add(pixels, to: &state, where: { _ in true })
  }

  /// Counts the pixels of a prepared row whose color satisfies a condition.
  @inline(__always)
  func add(
    _ pixels: PixelRow, to state: inout Counts, where isCounted: (SIMD3<Float>) -> Bool
  ) {
    state.counts.withUnsafeMutableBufferPointer { counts in
      for index in 0..<pixels.count {
        let color = pixels.color(index)
        if isCounted(color) { add(color, alpha: pixels.alpha(index), to: counts) }
      }
    }
  }
}

extension Histogram: CustomStringConvertible {
  /// The text of this step in plans, such as “a histogram of 256 steps”.
  public var description: String { "a histogram of \(steps) steps" }
}

extension Picture {
  /// Returns a histogram of this picture's encoded values.
  public func histogram(
    steps: Int = 256, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Histogram.Counts {
    let histogram: Histogram
    do throws(RecipeError) { histogram = try Histogram(steps: steps) } catch {
      throw .recipe(error)
    }
    return try reduced(by: histogram, options: options)
  }
}
