internal import CPixelKernels
package import ImageBuffer

/// The sum of the pixels around each one, each times a weight of a table.
///
/// The table lies on the picture as it is written down: its middle is the pixel, its first row is above. (Mathematicians, who turn
/// it by half a turn, call this a correlation.)
package struct Convolution: AreaFilter {
  /// The weights, row by row.
  package let weights: [Double]
  /// How many weights a row has; odd.
  package let width: Int
  /// The domain of the values that are summed.
  package let domain: PixelDomain

  /// A table of odd width and height, of weights in ±10³⁰.
  package init(
    _ rows: [[Double]], domain: PixelDomain = .linearPremultiplied
  ) throws(RecipeError) {
    let width = rows.first?.count ?? 0
    guard width % 2 == 1, rows.count % 2 == 1, rows.allSatisfy({ $0.count == width }) else {
      throw .unevenTable(rows: rows.map(\.count))
    }
    for weight in rows.joined() {
      try checked("A weight of a convolution", weight, in: -1e30...1e30)
    }
    (weights, self.width, self.domain) = (rows.flatMap { $0 }, width, domain)
  }

  /// The second derivative: bright where a place is darker than its four neighbors.
  package static let laplacian = Convolution(
    weights: [0, 1, 0, 1, -4, 1, 0, 1, 0], width: 3, domain: .linear)

  private init(weights: [Double], width: Int, domain: PixelDomain) {
    (self.weights, self.width, self.domain) = (weights, width, domain)
  }

  private var rows: [[Double]] {
    stride(from: 0, to: weights.count, by: width).map { Array(weights[$0..<$0 + width]) }
  }

  private var reach: (x: Int, y: Int) { (width / 2, weights.count / width / 2) }

  /// Returns the region, extended by half of the table on each side.
  package func inputRegion(for output: Region, of input: PixelSize) -> Region {
    Region(
      x: output.x - reach.x, y: output.y - reach.y, width: output.width + 2 * reach.x,
      height: output.height + 2 * reach.y)
  }

  /// The sum. Where the domain is not premultiplied, alpha stays.
  package func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    var sum = SIMD4<Double>.zero
    for (index, weight) in weights.enumerated() where weight != 0 {
      sum += weight * read(x + index % width - reach.x, y + index / width - reach.y)
    }
    if domain.coverage != .premultiplied { sum.w = read(x, y).w }
    return sum
  }

  /// The weights in single precision.
  package func preparationByteCount(for input: PixelSize) -> Int { 32 + 4 * weights.count }

  /// The weights in single precision.
  package func prepare(for input: PixelSize) -> [Float] { weights.map(Float.init) }

  package func render(into output: Tile, from input: Tile, with preparation: [Float]) {
    render(
      into: PixelBlock(output), from: PixelBlock(input), memory: output.arena, with: preparation)
  }
}

extension Convolution: BlockFilter {
  func render(
    into output: PixelBlock, from input: PixelBlock, memory: Arena, with preparation: [Float]
  ) {
    let keepsAlpha = domain.coverage != .premultiplied
    for plane in 0..<output.planes {
      if plane == 3, keepsAlpha {
        output.copyAlpha(from: input)
        continue
      }
      preparation.withUnsafeBufferPointer { weights in
        var table = cpk_table(
          weights: weights.baseAddress, width: width, height: weights.count / width,
          keeps_alpha: keepsAlpha && output.channels == 4)
        kernels.convolve(
          output.pointer(plane), output.rowStride,
          input.window(of: output, columns: reach.x, rows: reach.y, plane), input.rowStride,
          output.width, output.region.height, output.channels, &table, output.streams)
      }
    }
  }
}

extension Convolution: CustomStringConvertible {
  /// The text of this step in plans: “Laplacian”, or the size of the table, such as “convolution by 3 × 3”.
  package var description: String {
    self == .laplacian ? "Laplacian" : "convolution by \(width) × \(weights.count / width)"
  }
}

extension Convolution: RecipeFilter {
  /// The declaration of `convolution`.
  package static let declaration = Declaration<Convolution>(
    "convolution", "Convolves with a table of weights of odd width and height.",
    aliases: ["convolve"],
    keepsGray: true, swift: "picture.convolved([[-1, 0, 0], [0, 1, 0], [0, 0, 1]])",
    Parameter(
      "rows", \.rows, "the weights, row by row from the top",
      sample: [[-1, 0, 0], [0, 1, 0], [0, 0, 1]]),
    Parameter.mixing(
      \.domain, "what is summed: linear or encoded values, straight or premultiplied",
      default: .linearPremultiplied)
  ) { rows, domain throws(RecipeError) in try Convolution(rows, domain: domain) }
  .working("in linear light, premultiplied, or in the domain that in=… names")
}

extension Picture {
  /// This picture with each pixel the sum of those around it, each times a weight of a table of odd width and height.
  ///
  /// Linear light is summed, unless `domain` names other values. With a domain of straight alpha, alpha stays. Beyond the
  /// edges the edge pixels repeat. The table is not turned: its first row weighs the pixels above.
  public func convolved(
    _ rows: [[Double]], in domain: PixelDomain = .linearPremultiplied
  ) -> Picture {
    applying { () throws(RecipeError) in try Convolution(rows, domain: domain) }
  }

  /// The second derivative of this picture's light: bright where a place is darker than its neighbors, below zero where it is
  /// brighter. Beyond the edges the edge pixels repeat.
  public func laplacian() -> Picture { applying(Convolution.laplacian) }
}
