internal import ColorSpaces
package import ImageBuffer

/// Blurs as a lens out of focus would if its aperture had no edge: each pixel counts by a Gaussian of its distance.
///
/// The weights are those of the Gaussian at the middles of pixels, up to 5.5 standard deviations away, normalized. Within 10⁻⁶ of
/// the brightest pixel the result is that sum, for every standard deviation; the work for a pixel does not grow with it.
package struct GaussianBlur: AreaFilter {
  /// The standard deviation in pixels.
  package let sigma: Double

  /// A blur with the given standard deviation.
  package init(sigma: Double) throws(RecipeError) {
    self.sigma = sigma
    try Self.declaration.check(self)
  }

  /// How far the exact sum reaches, in pixels.
  private static func reach(_ sigma: Double) -> Int { Int((5.5 * sigma).rounded(.up)) }

  /// How far the sum that is computed reaches: to 5.2 deviations, as over a grid.
  private static func computedReach(_ sigma: Double) -> Int { Int((5.2 * sigma).rounded()) }

  private static func weights(_ sigma: Double, _ distances: some Sequence<Int>) -> [Double] {
    // The square of a tiny deviation is 0.
    distances.map { $0 == 0 ? 1 : exponential(-Double($0 * $0) / (2 * sigma * sigma)) }
  }

  /// A wide blur is two narrower ones: onto a grid of every k-th pixel, and from there to all pixels again. Their variances add up.
  ///
  /// With k ≤ σ / 2 each has a deviation of at least √2 k: at the frequencies that the grid confuses both together leave 3 · 10⁻⁹. Each ends
  /// at 5.2 deviations, beyond which 2 · 10⁻⁷ of a Gaussian lie.
  private struct Grid {
    /// From a point to the next, in pixels.
    let step: Int
    /// The deviation of each of the two blurs, and how far they reach, in pixels.
    let sigma: Double
    let reach: Int

    init?(_ sigma: Double) {
      if sigma < 4 { return nil }
      step = Int(sigma / 2)
      self.sigma = sigma * 0.5.squareRoot()
      reach = Int(5.2 * self.sigma)
    }

    /// The most points within reach of a pixel. Of a pixel between points the last one may lie just beyond reach.
    var points: Int { 2 * reach / step + 1 }

    /// The first point of the pixel `x` is ⌊(x + shift) / step⌋.
    var shift: Int { step - 1 - reach }

    /// The pixels that a range of pixels is made of.
    func input(of range: Range<Int>) -> Range<Int> {
      let first = (range.lowerBound + shift).dividedDown(by: step)
      let last = (range.upperBound - 1 + shift).dividedDown(by: step) + points - 1
      return first * step - reach..<last * step + reach + 1
    }

    var shapes: [AxisShape] {
      [
        AxisShape(taps: 2 * reach + 1, input: step, output: 1),
        AxisShape(taps: points, input: 1, output: step),
      ]
    }

    var axes: [AxisTaps] {
      let shapes = shapes
      let back = (0..<step).flatMap { pixel in
        let first = (pixel + shift).dividedDown(by: step)
        return AxisTaps.normalized(
          GaussianBlur.weights(sigma, (first..<first + points).lazy.map { $0 * step - pixel }))
      }
      return [
        AxisTaps(
          shapes[0], shift: -reach,
          weights: AxisTaps.normalized(GaussianBlur.weights(sigma, -reach...reach))),
        AxisTaps(shapes[1], shift: shift, weights: back),
      ]
    }
  }

  /// Some deviations around.
  package func inputRegion(for output: Region, of input: PixelSize) -> Region {
    guard let grid = Grid(sigma) else { return output.expanded(by: Self.reach(sigma)) }
    let (columns, rows) = (grid.input(of: output.columns), grid.input(of: output.rows))
    return Region(
      x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }

  /// The sum over all pixels within reach.
  package func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    let reach = Self.reach(sigma)
    if reach == 0 { return read(x, y) }
    let weights = Self.weights(sigma, -reach...reach)
    var (sum, total) = (SIMD4<Double>.zero, 0.0)
    for (row, rowWeight) in weights.enumerated() {
      for (column, columnWeight) in weights.enumerated() {
        sum += read(x + column - reach, y + row - reach) * (rowWeight * columnWeight)
        total += rowWeight * columnWeight
      }
    }
    return sum / total
  }

  /// What rings of rows take, and the grid.
  package func scratchCount(for output: Region, from input: Region, planes: Int) -> Int {
    scratchCount(
      passShapes(for: input.size), for: output, inputHeight: input.height, planes: planes)
  }

  /// The weights, and their exact values while they are computed.
  package func preparationByteCount(for input: PixelSize) -> Int {
    let count =
      Grid(sigma).map { 2 * $0.reach + 1 + $0.points * $0.step } ?? 2 * Self.computedReach(sigma)
      + 1
    return 32 * count + 256
  }

  /// The weights.
  package struct Preparation: Sendable {
    let passes: [SeparablePass]
  }

  /// The weights.
  package func prepare(for input: PixelSize) -> Preparation {
    Preparation(passes: axes.map { SeparablePass(columns: $0, rows: $0) })
  }

  /// Columns and rows; over a grid where that is less work.
  package func render(into output: Tile, from input: Tile, with preparation: Preparation) {
    renderRows(into: output, from: input, with: preparation)
  }
}

extension GaussianBlur: SeparableFilter {
  private var axes: [AxisTaps] {
    if let grid = Grid(sigma) { return grid.axes }
    return [
      AxisTaps(
        symmetric: AxisTaps.normalizedHalf(Self.weights(sigma, -Self.computedReach(sigma)...0)))
    ]
  }

  func passShapes(for input: PixelSize) -> [SeparablePass.Shape] {
    let shapes =
      Grid(sigma)?.shapes
      ?? [AxisShape(taps: 2 * Self.computedReach(sigma) + 1, input: 1, output: 1)]
    return shapes.map { SeparablePass.Shape(columns: $0, rows: $0) }
  }

  func passes(of preparation: Preparation) -> [SeparablePass] { preparation.passes }
}

extension GaussianBlur: CustomStringConvertible {
  /// The text of this step in plans, with σ in pixels, such as “Gaussian blur of 2.5”.
  package var description: String { "Gaussian blur of \(sigma)" }
}

extension GaussianBlur: RecipeFilter {
  /// The allowed standard deviations.
  static let sigmas = 0...10_000.0

  /// The declaration of `gaussian-blur`.
  package static let declaration = Declaration<GaussianBlur>(
    "gaussian-blur", "Blurs with a Gaussian.", aliases: ["blur"],
    keepsGray: true, swift: "picture.blurred(sigma: 2.5)",
    Parameter(
      "sigma", \.sigma, "the standard deviation", unit: "pixels", in: sigmas, sample: 2.5)
  ) { sigma throws(RecipeError) in try GaussianBlur(sigma: sigma) }
}

extension Picture {
  /// This picture blurred by a Gaussian with a standard deviation of `sigma` pixels, in linear light. Beyond the edges the edge
  /// goes on; pad the picture first to have it fade away.
  public func blurred(sigma: Double) -> Picture {
    sigma == 0
      ? self : applying { () throws(RecipeError) in try GaussianBlur(sigma: sigma) }
  }
}
