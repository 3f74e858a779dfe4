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
    let alpha = Double(pixel.w)
    state.all += 1
    state.alphas += alpha
    state.leastAlpha = min(state.leastAlpha, alpha)
    state.greatestAlpha = max(state.greatestAlpha, alpha)
    guard pixel.w > 0 else { return }
    let color = SIMD3<Double>(SIMD3(pixel.x, pixel.y, pixel.z))
    if state.count == 0 { state.first = color }
    state.count += 1
    state.least = pointwiseMin(state.least, color)
    state.greatest = pointwiseMax(state.greatest, color)
    let step = color - state.first
    state.sum += step
    state.squares += step * step
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
