public import ColorSpaces

/// The minimum, maximum, mean and standard deviation of each channel, and of alpha. Channels of fully transparent
/// pixels are ignored.
///
/// The minimum and the maximum skip NaN; the mean and the standard deviation of a channel with NaN are NaN.
public struct Statistics: Reduction {
  /// The domain of the values, which have straight alpha in any case. ``PixelDomain/any`` stands for encoded values.
  public var domain: PixelDomain

  /// Creates statistics, by default of linear light.
  public init(domain: PixelDomain = .linear) { self.domain = domain }

  /// The statistics of all pixels.
  public struct Value: Hashable, Sendable {
    /// The number of pixels counted.
    public fileprivate(set) var count = 0
    /// The minimum of each channel, without NaN; infinity where all samples are NaN.
    public fileprivate(set) var least = SIMD3<Double>(repeating: .infinity)
    /// The maximum of each channel, without NaN; −infinity where all samples are NaN.
    public fileprivate(set) var greatest = SIMD3<Double>(repeating: -.infinity)
    /// The minimum alpha.
    public fileprivate(set) var leastAlpha = Double.infinity
    /// The maximum alpha.
    public fileprivate(set) var greatestAlpha = -Double.infinity
    fileprivate var alphas = 0.0
    fileprivate var all = 0
    // Sums of differences from the first pixel lose less precision than sums of squares of large values.
    fileprivate var first = SIMD3<Double>.zero
    fileprivate var sum = SIMD3<Double>.zero
    fileprivate var squares = SIMD3<Double>.zero

    /// The mean of each channel.
    public var mean: SIMD3<Double> { first + sum / Double(count) }

    /// The mean alpha of all pixels.
    public var meanAlpha: Double { alphas / Double(all) }

    /// The standard deviation of each channel; NaN where the mean is NaN or infinite.
    public var standardDeviation: SIMD3<Double> {
      let step = sum / Double(count)
      let variance = squares / Double(count) - step * step
      // Rounding may leave a variance of equal values below 0. A comparison keeps NaN.
      return variance.replacing(with: 0, where: variance .< 0).squareRoot()
    }
  }

  /// Returns empty statistics.
  public func start(in space: ColorSpace) -> Value { Value() }

  /// Adds a pixel.
  public func add(_ pixel: SIMD4<Float>, to state: inout Value) {
    state.add(SIMD3(pixel.x, pixel.y, pixel.z), alpha: pixel.w)
  }
}

extension Statistics: RowReduction {
  func add(_ pixels: PixelRow, to state: inout Value) {
    // A copy stays in registers.
    var value = state
    for index in 0..<pixels.count {
      value.add(pixels.color(index), alpha: pixels.alpha(index))
    }
    state = value
  }
}

extension Statistics.Value {
  @inline(__always)
  fileprivate mutating func add(_ pixel: SIMD3<Float>, alpha: Float) {
    let opacity = Double(alpha)
    all += 1
    alphas += opacity
    leastAlpha = min(leastAlpha, opacity)
    greatestAlpha = max(greatestAlpha, opacity)
    guard alpha > 0 else { return }
    let color = SIMD3<Double>(pixel)
    if count == 0 { first = color }
    count += 1
    // A NaN is passed over: comparisons with it are false.
    least.replace(with: color, where: color .< least)
    greatest.replace(with: color, where: color .>= greatest)
    let step = color - first
    sum += step
    squares += step * step
  }
}

extension Statistics: CustomStringConvertible {
  /// The text of this step in plans: “statistics”.
  public var description: String { "statistics" }
}

extension Picture {
  /// Returns the statistics of this picture's linear light.
  public func statistics(
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Statistics.Value {
    try reduced(by: Statistics(), options: options)
  }
}
