public import ColorSpaces

/// The least, the greatest, the mean and the spread of each channel, and the coverage. For channels, fully transparent pixels do not
/// count.
public struct Statistics: Reduction {
  /// The numbers it looks at.
  public var domain: PixelDomain

  /// Statistics of linear light unless another domain is named.
  public init(domain: PixelDomain = .linear) { self.domain = domain }

  /// What all pixels together are like.
  public struct Value: Hashable, Sendable {
    /// How many pixels were counted.
    public fileprivate(set) var count = 0
    /// The least number of each channel.
    public fileprivate(set) var least = SIMD3<Double>(repeating: .infinity)
    /// The greatest number of each channel.
    public fileprivate(set) var greatest = SIMD3<Double>(repeating: -.infinity)
    /// The least coverage of all pixels.
    public fileprivate(set) var leastCoverage = Double.infinity
    /// The greatest coverage of all pixels.
    public fileprivate(set) var greatestCoverage = -Double.infinity
    fileprivate var coverage = 0.0
    fileprivate var all = 0
    // Sums of differences from the first pixel, which lose less than sums of squares of large numbers.
    fileprivate var first = SIMD3<Double>.zero
    fileprivate var sum = SIMD3<Double>.zero
    fileprivate var squares = SIMD3<Double>.zero

    /// The mean of each channel.
    public var mean: SIMD3<Double> { first + sum / Double(count) }

    /// The mean coverage of all pixels.
    public var meanCoverage: Double { coverage / Double(all) }

    /// The root of the mean of the squared differences from the mean.
    public var standardDeviation: SIMD3<Double> {
      let step = sum / Double(count)
      return (squares / Double(count) - step * step)
        .clamped(lowerBound: .zero, upperBound: SIMD3(repeating: .infinity)).squareRoot()
    }
  }

  /// Nothing counted.
  public func start(in space: ColorSpace) -> Value { Value() }

  /// Adds a pixel's numbers.
  public func add(_ pixel: SIMD4<Float>, to state: inout Value) {
    let coverage = Double(pixel.w)
    state.all += 1
    state.coverage += coverage
    state.leastCoverage = min(state.leastCoverage, coverage)
    state.greatestCoverage = max(state.greatestCoverage, coverage)
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
  /// The name in plans.
  public var description: String { "statistics" }
}

extension Picture {
  /// The least, the greatest, the mean and the spread of each channel's linear light.
  public func statistics(
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Statistics.Value {
    try reduced(by: Statistics(), options: options)
  }
}
