internal import ColorSpaces
internal import ImageBuffer

/// The structural similarity of the neighborhoods of each pixel in two pictures.
///
/// Variances are those of the window's columns and those between their means, in double precision: the mean of squares less the square of
/// the mean would cancel where values are large beside their differences.
struct SimilarityMap: AreaBlendFilter, CustomStringConvertible {
  /// How far the window of 11 × 11 pixels reaches.
  static let radius = 5

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
    // Five moments of each column, and five of each window, in doubles.
    2 * 5 * (2 * output.width + 2 * Self.radius)
  }

  func render(into output: Tile, from inputs: [Tile], with preparation: Void) {
    let width = output.region.width
    let count = width + 2 * Self.radius
    let floats = output.scratchPointer(2 * 5 * (width + count))
    let memory = UnsafeMutableRawPointer(floats).bindMemory(
      to: Double.self, capacity: 5 * (width + count))
    let (columns, windows) = (MomentRow(memory, count), MomentRow(memory + 5 * count, width))
    for y in output.region.rows {
      for plane in 0..<3 {
        func row(_ input: Int, _ y: Int) -> UnsafePointer<Float> {
          let tile = inputs[input]
          return UnsafePointer(
            tile.pointer(y, plane) + (output.region.x - Self.radius - tile.region.x))
        }
        columns.measureColumns(of: { row(0, y + $0) }, { row(1, y + $0) }, by: Self.weights)
        windows.measureWindows(of: columns, by: Self.weights)
        windows.storeSimilarities(in: output.pointer(y, plane))
      }
    }
  }

  var description: String { "structural similarity" }
}

/// The weighted means, variances and covariance of two pictures' values in a window: of one channel, or of three.
private struct Moments {
  var meanA = SIMD3<Double>.zero
  var meanB = SIMD3<Double>.zero
  var varianceA = SIMD3<Double>.zero
  var varianceB = SIMD3<Double>.zero
  var covariance = SIMD3<Double>.zero

  var similarity: SIMD3<Double> {
    let channels = (0..<3).map {
      structuralSimilarity(
        meanA[$0], meanB[$0], varianceA[$0], varianceB[$0], covariance[$0])
    }
    return SIMD3(channels[0], channels[1], channels[2])
  }
}

/// The moments of a row of columns or windows, of one channel.
private struct MomentRow {
  private let count: Int
  private let meanA, meanB, varianceA, varianceB, covariance: UnsafeMutablePointer<Double>

  init(_ memory: UnsafeMutablePointer<Double>, _ count: Int) {
    self.count = count
    (meanA, meanB) = (memory, memory + count)
    (varianceA, varianceB) = (memory + 2 * count, memory + 3 * count)
    covariance = memory + 4 * count
  }

  private func clear() { meanA.update(repeating: 0, count: 5 * count) }

  /// Computes the moments of each column of the rows that lie up to the radius above and below, from differences to the row between.
  func measureColumns(
    of a: (Int) -> UnsafePointer<Float>, _ b: (Int) -> UnsafePointer<Float>, by weights: [Double]
  ) {
    clear()
    let (middleA, middleB) = (a(0), b(0))
    for (index, weight) in weights.enumerated() {
      let (rowA, rowB) = (a(index - weights.count / 2), b(index - weights.count / 2))
      for x in 0..<count {
        let differenceA = Double(rowA[x]) - Double(middleA[x])
        let differenceB = Double(rowB[x]) - Double(middleB[x])
        meanA[x] += weight * differenceA
        meanB[x] += weight * differenceB
        varianceA[x] += weight * (differenceA * differenceA)
        varianceB[x] += weight * (differenceB * differenceB)
        covariance[x] += weight * (differenceA * differenceB)
      }
    }
    for x in 0..<count {
      varianceA[x] -= meanA[x] * meanA[x]
      varianceB[x] -= meanB[x] * meanB[x]
      covariance[x] -= meanA[x] * meanB[x]
      meanA[x] += Double(middleA[x])
      meanB[x] += Double(middleB[x])
    }
  }

  /// Computes the moments of windows from those of their columns.
  func measureWindows(of columns: MomentRow, by weights: [Double]) {
    clear()
    for (first, weight) in weights.enumerated() {
      for x in 0..<count {
        meanA[x] += weight * columns.meanA[first + x]
        meanB[x] += weight * columns.meanB[first + x]
      }
    }
    for (first, weight) in weights.enumerated() {
      for x in 0..<count {
        let differenceA = columns.meanA[first + x] - meanA[x]
        let differenceB = columns.meanB[first + x] - meanB[x]
        varianceA[x] += weight * (columns.varianceA[first + x] + differenceA * differenceA)
        varianceB[x] += weight * (columns.varianceB[first + x] + differenceB * differenceB)
        covariance[x] += weight * (columns.covariance[first + x] + differenceA * differenceB)
      }
    }
  }

  func storeSimilarities(in target: UnsafeMutablePointer<Float>) {
    for x in 0..<count {
      target[x] = Float(
        structuralSimilarity(meanA[x], meanB[x], varianceA[x], varianceB[x], covariance[x]))
    }
  }
}

/// Returns the similarity of two windows by their moments.
private func structuralSimilarity(
  _ meanA: Double, _ meanB: Double, _ varianceA: Double, _ varianceB: Double, _ covariance: Double
) -> Double {
  // (0.01 · L)² and (0.03 · L)² for values up to L = 1.
  let (c1, c2): (Double, Double) = (0.0001, 0.0009)
  let alike = 2 * meanA * meanB + c1
  let together = 2 * covariance + c2
  let brightness = meanA * meanA + meanB * meanB + c1
  let contrast = varianceA + varianceB + c2
  return (alike / brightness) * (together / contrast)
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
    let common = region.intersection(other.region)
    guard min(common.width, common.height) > 2 * SimilarityMap.radius else {
      throw .recipe(
        .other(
          "The structural similarity needs 11 × 11 pixels or more in common; these pictures have \(common.size)."
        ))
    }
    let a = cropped(to: common).converted(to: space)
    let b = other.cropped(to: common).converted(to: space)
    return try a.applying(SimilarityMap(), with: [b])
      .cropped(to: common.expanded(by: -SimilarityMap.radius))
      .reduced(by: Statistics(domain: .encoded), options: options).mean.sum() / 3
  }
}
