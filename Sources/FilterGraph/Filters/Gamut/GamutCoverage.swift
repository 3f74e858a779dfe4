public import ColorSpaces
internal import ImageBuffer

/// Which part of a picture's pixels gamuts cannot hold: whether it needs wide color at all. Fully transparent pixels do not count.
public struct GamutCoverage: Reduction {
  /// The spaces whose gamuts are asked about.
  public var gamuts: [ColorSpace]
  /// How far outside a color must lie to count, in ``metric``'s numbers; nil for farther than the precision of the picture's sources
  /// explains.
  public var tolerance: Double?
  /// What the tolerance is counted in.
  public var metric: GamutMask.Metric

  private var precisions: [ColorPrecision]?

  /// The coverage by these gamuts; see ``GamutMask`` for tolerances.
  public init(
    of gamuts: [ColorSpace], tolerance: Double? = nil, metric: GamutMask.Metric = .light
  ) {
    (self.gamuts, self.tolerance, self.metric) = (gamuts, tolerance, metric)
  }

  /// How many pixels were looked at, and how many of them lie outside.
  public struct Counts: Sendable {
    fileprivate let boundaries: [GamutBoundary]
    /// How many pixels there are that can be seen.
    public fileprivate(set) var pixelCount = 0
    /// How many of them each gamut cannot hold, in the order of the gamuts.
    public fileprivate(set) var outside: [Int]

    /// Which part of the pixels, 0…1, each gamut cannot hold.
    public var fractionsOutside: [Double] {
      outside.map { pixelCount == 0 ? 0 : Double($0) / Double(pixelCount) }
    }
  }

  /// Nothing counted.
  public func start(in space: ColorSpace) -> Counts {
    Counts(
      boundaries: gamuts.map {
        GamutBoundary(
          of: $0, from: space, tolerance, metric,
          precisions ?? [ColorPrecision(.float32, in: space)])
      },
      outside: [Int](repeating: 0, count: gamuts.count))
  }

  /// Counts a pixel.
  public func add(_ pixel: SIMD4<Float>, to state: inout Counts) {
    guard pixel.w > 0 else { return }
    state.pixelCount += 1
    let light = SIMD3(pixel.x, pixel.y, pixel.z)
    for index in state.outside.indices
    where state.boundaries[index].excludes(light, alpha: pixel.w) {
      state.outside[index] += 1
    }
  }
}

extension GamutCoverage: PrecisionDependent {
  func resolved(for precisions: [ColorPrecision]) -> GamutCoverage {
    var copy = self
    copy.precisions = precisions
    return copy
  }
}

extension GamutCoverage: CustomStringConvertible {
  /// The name in plans.
  public var description: String { "coverage by \(gamuts.map(\.name).joined(separator: ", "))" }
}

extension Picture {
  /// Returns the part of this picture's pixels, 0…1, that `gamut` cannot hold. Without a tolerance, ``sourcePrecisions`` decides.
  public func fractionOutside(
    _ gamut: ColorSpace, tolerance: Double? = nil, metric: GamutMask.Metric = .light,
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Double {
    try reduced(
      by: GamutCoverage(of: [gamut], tolerance: tolerance, metric: metric), options: options
    ).fractionsOutside[0]
  }
}
