public import ColorSpaces
internal import ImageBuffer

/// The fraction of a picture's pixels that is out of gamut, for several gamuts. Fully transparent pixels are ignored.
///
/// Gamuts are those of ``Picture/gamutMask(outside:tolerance:metric:marking:)``: with PQ and HLG they reach to the signal 1.
public struct GamutCoverage: Reduction {
  /// The spaces whose gamuts are tested.
  public let gamuts: [ColorSpace]
  /// The distance out of gamut at which a color counts, in units of ``metric``; nil for the precision of the picture's
  /// sources.
  public let tolerance: Double?
  /// The unit of the tolerance.
  public let metric: GamutMetric

  private var precisions: [ColorPrecision]?

  /// Creates a count for these gamuts; see ``Picture/gamutMask(outside:tolerance:metric:marking:)`` for tolerances.
  ///
  /// - Throws: ``RecipeError`` for a tolerance that is not in 0…1,000,000, for a formula whose weights are out of range,
  ///   and for a space without conversions.
  public init(
    of gamuts: [ColorSpace], tolerance: Double? = nil, metric: GamutMetric = .light
  ) throws(RecipeError) {
    try GamutBoundary.check(tolerance, by: metric, of: gamuts)
    (self.gamuts, self.tolerance, self.metric) = (gamuts, tolerance, metric)
  }

  /// The numbers of pixels in total and out of gamut.
  public struct Counts: Sendable {
    fileprivate let boundaries: [GamutBoundary]
    /// The number of pixels that are not fully transparent.
    public fileprivate(set) var pixelCount = 0
    /// The number of pixels out of each gamut, in the order of the gamuts.
    public fileprivate(set) var outside: [Int]

    /// The fraction of the pixels, 0…1, out of each gamut.
    public var fractionsOutside: [Double] {
      outside.map { pixelCount == 0 ? 0 : Double($0) / Double(pixelCount) }
    }
  }

  /// Returns empty counts.
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
    withUnsafeBytes(of: pixel) { bytes in
      if let row = PixelRow(bytes.bindMemory(to: Float.self), channels: 4) { add(row, to: &state) }
    }
  }
}

extension GamutCoverage: RowReduction {
  func add(_ pixels: PixelRow, to state: inout Counts) {
    state.pixelCount += (0..<pixels.count).count { pixels.alpha($0) > 0 }
    for index in state.outside.indices {
      var count = 0
      state.boundaries[index].judge(pixels) { pixel, isOutside in
        if isOutside && pixels.alpha(pixel) > 0 { count += 1 }
      }
      state.outside[index] += count
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
  /// The text of this step in plans, such as “coverage by sRGB, Display P3”.
  public var description: String { "coverage by \(gamuts.map(\.name).joined(separator: ", "))" }
}

extension Picture {
  /// Returns the fraction of this picture's pixels, 0…1, that is out of `gamut`. Without a tolerance,
  /// ``sourcePrecisions`` decides.
  public func fractionOutside(
    _ gamut: ColorSpace, tolerance: Double? = nil, metric: GamutMetric = .light,
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Double {
    let coverage: GamutCoverage
    do throws(RecipeError) {
      coverage = try GamutCoverage(of: [gamut], tolerance: tolerance, metric: metric)
    } catch {
      throw .recipe(error)
    }
    return try reduced(by: coverage, options: options).fractionsOutside[0]
  }
}
