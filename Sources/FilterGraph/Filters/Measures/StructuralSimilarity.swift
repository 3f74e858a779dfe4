internal import ColorSpaces
internal import ImageBuffer

/// The product of two pictures' encoded values.
struct Product: BlendFilter, CustomStringConvertible {
  var domain: PixelDomain { .encoded }

  var extent: BlendExtent { .intersection }

  func hasAlpha(_ inputs: [Bool]) -> Bool { false }

  func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> { inputs[0] * inputs[1] }

  func render(into output: Tile, from inputs: [Tile]) {
    for y in output.region.rows {
      for plane in 0..<3 {
        let target = output.pointer(y, plane)
        let (a, b) = (inputs[0].pointer(y, plane), inputs[1].pointer(y, plane))
        for x in 0..<output.region.width { target[x] = a[x] * b[x] }
      }
    }
  }

  var description: String { "product" }
}

/// The similarity of the neighborhoods of two pixels, from the local means of both pictures, of their squares and of
/// their product.
struct SimilarityOfMoments: BlendFilter, CustomStringConvertible {
  var domain: PixelDomain { .encoded }

  func hasAlpha(_ inputs: [Bool]) -> Bool { false }

  func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    SIMD4(
      similarity(inputs[0].x, inputs[1].x, inputs[2].x, inputs[3].x, inputs[4].x),
      similarity(inputs[0].y, inputs[1].y, inputs[2].y, inputs[3].y, inputs[4].y),
      similarity(inputs[0].z, inputs[1].z, inputs[2].z, inputs[3].z, inputs[4].z), 1)
  }

  func render(into output: Tile, from inputs: [Tile]) {
    for y in output.region.rows {
      for plane in 0..<3 {
        let target = output.pointer(y, plane)
        let (a, b) = (inputs[0].pointer(y, plane), inputs[1].pointer(y, plane))
        let (squareA, squareB) = (inputs[2].pointer(y, plane), inputs[3].pointer(y, plane))
        let product = inputs[4].pointer(y, plane)
        for x in 0..<output.region.width {
          target[x] = Float(
            similarity(
              Double(a[x]), Double(b[x]), Double(squareA[x]), Double(squareB[x]),
              Double(product[x])))
        }
      }
    }
  }

  private func similarity(
    _ meanA: Double, _ meanB: Double, _ squareA: Double, _ squareB: Double, _ product: Double
  ) -> Double {
    let (varianceA, varianceB) = (squareA - meanA * meanA, squareB - meanB * meanB)
    let covariance = product - meanA * meanB
    // (0.01 · L)² and (0.03 · L)² for values up to L = 1.
    let (c1, c2): (Double, Double) = (0.0001, 0.0009)
    let alike = 2 * meanA * meanB + c1
    let together = 2 * covariance + c2
    let brightness = meanA * meanA + meanB * meanB + c1
    let contrast = varianceA + varianceB + c2
    return alike * together / (brightness * contrast)
  }

  var description: String { "structural similarity" }
}

extension Picture {
  /// Returns the structural similarity (SSIM) of this picture and another one, as the mean of all channels: 1 for equal
  /// pictures (Wang, Bovik, Sheikh and Simoncelli, “Image quality assessment”, 2004, with its 11 × 11 window of σ =
  /// 1.5, where that fits inside).
  ///
  /// Encoded values are compared, as in the paper. The pictures need at least 11 × 11 pixels in common.
  public func structuralSimilarity(
    to other: Picture, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Double {
    let window = (-5...5).map { exponential(-Double($0 * $0) / 4.5) }
    let total = window.reduce(0, +)
    let weights = window.map { $0 / total }
    func mean(_ picture: Picture) -> Picture {
      do throws(RecipeError) {
        // A Gaussian window is separable: along rows, then along columns.
        return picture.applying(try Convolution([weights], domain: .encoded))
          .applying(try Convolution(weights.map { [$0] }, domain: .encoded))
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
