internal import ColorSpaces
internal import ImageBuffer

/// The product of two pictures' stored numbers.
struct Product: BlendFilter, CustomStringConvertible {
  var domain: PixelDomain { .encoded }

  var extent: BlendExtent { .intersection }

  func hasAlpha(_ inputs: [Bool]) -> Bool { false }

  func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> { inputs[0] * inputs[1] }

  var description: String { "product" }
}

/// The similarity of the neighbourhoods of two pixels, from the means of both pictures, of their squares and of their product.
struct SimilarityOfMoments: BlendFilter, CustomStringConvertible {
  var domain: PixelDomain { .encoded }

  func hasAlpha(_ inputs: [Bool]) -> Bool { false }

  func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    let (meanA, meanB) = (inputs[0], inputs[1])
    let (varianceA, varianceB) = (inputs[2] - meanA * meanA, inputs[3] - meanB * meanB)
    let covariance = inputs[4] - meanA * meanB
    // (0.01 · L)² and (0.03 · L)² for numbers up to L = 1.
    let (c1, c2) = (0.0001, 0.0009)
    return (2 * meanA * meanB + c1) * (2 * covariance + c2)
      / ((meanA * meanA + meanB * meanB + c1) * (varianceA + varianceB + c2))
  }

  var description: String { "structural similarity" }
}

extension Picture {
  /// The structural similarity of this picture and another one, the mean of all channels: 1 where nothing differs (Wang, Bovik,
  /// Sheikh and Simoncelli, “Image quality assessment”, 2004, with its window of 11 × 11 and σ = 1.5, where that fits inside).
  ///
  /// Stored numbers are compared, as the authors do. The pictures need at least 11 × 11 pixels in common.
  public func structuralSimilarity(
    to other: Picture, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Double {
    let window = (-5...5).map { exponential(-Double($0 * $0) / 4.5) }
    let total = window.reduce(0, +)
    let weights = window.map { row in window.map { $0 * row / (total * total) } }
    func mean(_ picture: Picture) -> Picture {
      do throws(RecipeError) {
        return picture.applying(try Convolution(weights, domain: .encoded))
      } catch {
        return picture.failing(error)
      }
    }
    let common = region.intersection(other.region)
    let a = cropped(to: common).converted(to: space)
    let b = other.cropped(to: common).converted(to: space)
    let similarity = mean(a).applying(
      SimilarityOfMoments(),
      with: [
        mean(b), mean(a.applying(Product(), with: [a])), mean(b.applying(Product(), with: [b])),
        mean(a.applying(Product(), with: [b])),
      ])
    return try similarity.cropped(to: common.expanded(by: -5))
      .reduced(by: Statistics(domain: .encoded), options: options).mean.sum() / 3
  }
}
