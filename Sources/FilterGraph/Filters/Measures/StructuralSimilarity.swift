internal import CPixelKernels
internal import ColorSpaces
internal import ImageBuffer

/// The structural similarity of the neighborhoods of each pixel in two pictures.
///
/// Variances are those of the window's columns and those between their means, in double precision: the mean of squares less the square of
/// the mean would cancel where values are large beside their differences.
struct SimilarityMap: AreaBlendFilter, CustomStringConvertible {
  /// How far the window of 11 × 11 pixels reaches.
  static let radius = 5

  /// (0.01 · L)² and (0.03 · L)² for values up to L = 1.
  fileprivate static let (c1, c2): (Double, Double) = (0.0001, 0.0009)

  /// The weights of a row or column of the window; their sum is 1.
  private static let weights: [Double] = {
    let window = (-radius...radius).map { exponential(-Double($0 * $0) / 4.5) }
    let total = window.reduce(0, +)
    return window.map { $0 / total }
  }()

  /// Premultiplied, so that the colors of fully transparent pixels do not count.
  var domain: PixelDomain { .encodedPremultiplied }

  func hasAlpha(_ inputs: [Bool]) -> Bool { false }

  func inputRegion(_ input: Int, for output: Region, of size: PixelSize) -> Region {
    output.expanded(by: Self.radius)
  }

  func pixel(
    x: Int, y: Int, of size: PixelSize, read: (_ input: Int, _ x: Int, _ y: Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    let reach = -Self.radius...Self.radius
    let columns = reach.map { column in
      reach.map { row in
        let (a, b) = (read(0, x + column, y + row), read(1, x + column, y + row))
        return (a: SIMD3(a.x, a.y, a.z), b: SIMD3(b.x, b.y, b.z))
      }
    }
    var whole = Moments()
    for (column, weight) in zip(columns, Self.weights) {
      for (pixel, share) in zip(column, Self.weights) {
        whole.meanA += weight * share * pixel.a
        whole.meanB += weight * share * pixel.b
      }
    }
    for (column, weight) in zip(columns, Self.weights) {
      for (pixel, share) in zip(column, Self.weights) {
        let (a, b) = (pixel.a - whole.meanA, pixel.b - whole.meanB)
        whole.varianceA += weight * share * (a * a)
        whole.varianceB += weight * share * (b * b)
        whole.covariance += weight * share * (a * b)
      }
    }
    return SIMD4(whole.similarity, 1)
  }

  func scratchCount(for output: Region, from inputs: [Region], planes: Int) -> Int {
    kernels.similarity_scratch(Self.weights.count, output.width)
  }

  func render(into output: Tile, from inputs: [Tile], with preparation: Void) {
    let (region, radius) = (output.region, Self.radius)
    let scratch = output.scratchPointer(
      kernels.similarity_scratch(Self.weights.count, region.width))
    Self.weights.withUnsafeBufferPointer { weights in
      var window = cpk_similarity(
        weights: weights.baseAddress, side: weights.count, c1: Self.c1, c2: Self.c2)
      for y in region.rows {
        for plane in 0..<3 {
          let rows = inputs.map { input in
            (y - radius...y + radius).map { y -> UnsafePointer<Float>? in
              UnsafePointer(input.pointer(y, plane) + (region.x - radius - input.region.x))
            }
          }
          kernels.similarities(
            &window, output.pointer(y, plane), rows[0], rows[1], region.width, scratch)
        }
      }
    }
  }

  var description: String { "structural similarity" }
}

/// The weighted means, variances and covariance of two pictures' values in a window.
private struct Moments {
  var meanA = SIMD3<Double>.zero
  var meanB = SIMD3<Double>.zero
  var varianceA = SIMD3<Double>.zero
  var varianceB = SIMD3<Double>.zero
  var covariance = SIMD3<Double>.zero

  var similarity: SIMD3<Double> {
    let alike = 2 * meanA * meanB + SimilarityMap.c1
    let together = 2 * covariance + SimilarityMap.c2
    let brightness = meanA * meanA + meanB * meanB + SimilarityMap.c1
    let contrast = varianceA + varianceB + SimilarityMap.c2
    return (alike / brightness) * (together / contrast)
  }
}

extension Picture {
  /// Returns the structural similarity (SSIM) of this picture and another one, as the mean of all channels: 1 for equal
  /// pictures (Wang, Bovik, Sheikh and Simoncelli, “Image quality assessment”, 2004, with its 11 × 11 window of σ =
  /// 1.5, where that fits inside).
  ///
  /// Encoded values are compared, as in the paper, premultiplied by alpha. The pictures need at least 11 × 11 pixels in common.
  public func structuralSimilarity(
    to other: Picture, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Double {
    try similarityMap(to: other).reduced(by: Self.similarityReduction, options: options)
      .mean.sum() / 3
  }

  /// The reduction of a similarity map.
  static let similarityReduction = Statistics(domain: .encoded)

  /// The structural similarity of each window that lies inside of both pictures.
  func similarityMap(to other: Picture) throws(RenderError) -> Picture {
    let common = region.intersection(other.region)
    guard min(common.width, common.height) > 2 * SimilarityMap.radius else {
      throw .recipe(
        .other(
          "The structural similarity needs 11 × 11 pixels or more in common; these pictures have \(common.size)."
        ))
    }
    return cropped(to: common).applying(SimilarityMap(), with: [other.cropped(to: common)])
      .cropped(to: common.expanded(by: -SimilarityMap.radius))
  }
}
