internal import ColorSpaces
package import ImageBuffer

/// Blurs as a lens out of focus would if its aperture had no edge: each pixel counts by a Gaussian of its distance.
///
/// The weights are those of the Gaussian at the middles of pixels, up to 5.5 standard deviations away, normalized. Within 10⁻⁶ of
/// the brightest pixel the result is that sum, for every standard deviation; from 4 pixels on the work for a pixel does not grow with it.
/// An axis that is shorter than such a blur is summed as a whole: there NaN, and infinity as NaN, reach all of it.
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

    /// The first point of a pixel.
    private func point(of pixel: Int) -> Int { (pixel + shift).dividedDown(by: step) }

    /// Whether an axis of so many pixels lies within reach of each point: then the first blur reads all of it, and the weights of pixels
    /// beyond an edge, which equal the one at the edge, are added to that one's. So the work does not grow with the deviation.
    func folds(_ size: Int) -> Bool { size <= 2 * reach + 1 }

    /// The pixels that a range of pixels of an axis is made of.
    func input(of range: Range<Int>, in size: Int) -> Range<Int> {
      if folds(size) { return 0..<size }
      let (first, last) = (point(of: range.lowerBound), point(of: range.upperBound - 1))
      return first * step - reach..<(last + points - 1) * step + reach + 1
    }

    /// How many weights an axis has.
    func weightCount(in size: Int) -> Int {
      2 * reach + 1 + points * step + (folds(size) ? (pointCount(in: size) + 1) * size : 0)
    }

    /// The points of all pixels of an axis.
    private func pointCount(in size: Int) -> Int { point(of: size - 1) + points - point(of: 0) }

    /// Both blurs along an axis.
    func shapes(in size: Int) -> [AxisShape] {
      [
        folds(size)
          ? AxisShape(taps: size, input: 0, output: 1)
          : AxisShape(taps: 2 * reach + 1, input: step, output: 1),
        AxisShape(taps: points, input: 1, output: step),
      ]
    }

    /// Whether both axes have the same weights.
    func isSame(in size: PixelSize) -> Bool {
      size.width == size.height || !folds(size.width) && !folds(size.height)
    }

    /// Whether the first blur mixes columns first: where it folds, and from blurs of 64 pixels on, 45 in each of both,
    /// whose rows would otherwise wait at their full width, in more memory than the caches have.
    func mixesColumnsFirst(in size: PixelSize) -> Bool {
      sigma > 45 || folds(size.width) || folds(size.height)
    }

    func axes(in size: Int) -> [AxisTaps] {
      let shapes = shapes(in: size)
      let weights = GaussianBlur.weights(sigma, -reach...reach)
      let back = (0..<step).flatMap { pixel in
        let first = point(of: pixel)
        return AxisTaps.normalized(
          GaussianBlur.weights(sigma, (first..<first + points).lazy.map { $0 * step - pixel }))
      }
      guard folds(size) else {
        return [
          AxisTaps(shapes[0], shift: -reach, weights: AxisTaps.normalized(weights)),
          AxisTaps(shapes[1], shift: shift, weights: back),
        ]
      }
      // Points are counted from the first one.
      let (first, count) = (point(of: 0), pointCount(in: size))
      let folded = (first..<first + count).flatMap { point in
        var sums = [Double](repeating: 0, count: size)
        for (index, weight) in weights.enumerated() {
          sums[min(max(point * step + index - reach, 0), size - 1)] += weight
        }
        return AxisTaps.normalized(sums)
      }
      return [
        AxisTaps(
          shapes[0], places: (0..<count).map { AxisTaps.Place(start: 0, row: Int32($0)) },
          weights: folded),
        AxisTaps(shapes[1], shift: shift - first * step, weights: back),
      ]
    }
  }

  /// The pixels within reach of the sum; over a grid, those of both blurs.
  package func inputRegion(for output: Region, of input: PixelSize) -> Region {
    guard let grid = Grid(sigma) else { return output.expanded(by: Self.reach(sigma)) }
    return Region(
      columns: grid.input(of: output.columns, in: input.width),
      rows: grid.input(of: output.rows, in: input.height))
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

  /// What rings of rows take, and the grid. An axis that the blur folds is read as a whole, and one that it does not fold is longer, so the
  /// region tells which it is.
  package func scratchCount(for output: Region, from input: Region, planes: Int) -> Int {
    scratchCount(
      passShapes(for: input.size), for: output, inputHeight: input.height, planes: planes)
  }

  /// The bytes of the weights, and of their exact values while they are computed.
  package func preparationByteCount(for input: PixelSize) -> Int {
    let count =
      Grid(sigma).map { grid in
        grid.weightCount(in: input.width)
          + (grid.isSame(in: input) ? 0 : grid.weightCount(in: input.height))
      } ?? 2 * Self.computedReach(sigma) + 1
    return 32 * count + 256
  }

  /// The weights of each pass.
  package struct Preparation: Sendable {
    let passes: [SeparablePass]
  }

  /// Computes the weights of each pass, which depend on the size where the blur folds an axis.
  package func prepare(for input: PixelSize) -> Preparation {
    guard let grid = Grid(sigma) else {
      let axis = AxisTaps(
        symmetric: AxisTaps.normalizedHalf(Self.weights(sigma, -Self.computedReach(sigma)...0)))
      return Preparation(passes: [SeparablePass(columns: axis, rows: axis)])
    }
    let columns = grid.axes(in: input.width)
    let rows = grid.isSame(in: input) ? columns : grid.axes(in: input.height)
    return Preparation(
      passes: zip(passShapes(for: input), zip(columns, rows)).map { shape, axes in
        SeparablePass(columns: axes.0, rows: axes.1, shape: shape)
      })
  }

  /// Columns and rows; over a grid where that is less work.
  package func render(into output: Tile, from input: Tile, with preparation: Preparation) {
    renderRows(into: output, from: input, with: preparation)
  }
}

extension GaussianBlur: SeparableFilter {
  func passShapes(for input: PixelSize) -> [SeparablePass.Shape] {
    guard let grid = Grid(sigma) else {
      let axis = AxisShape(taps: 2 * Self.computedReach(sigma) + 1, input: 1, output: 1)
      return [SeparablePass.Shape(columns: axis, rows: axis)]
    }
    let (columns, rows) = (grid.shapes(in: input.width), grid.shapes(in: input.height))
    return [
      SeparablePass.Shape(
        columns: columns[0], rows: rows[0], columnsFirst: grid.mixesColumnsFirst(in: input)),
      SeparablePass.Shape(columns: columns[1], rows: rows[1]),
    ]
  }

  func passes(of preparation: Preparation) -> [SeparablePass] { preparation.passes }
}

extension GaussianBlur: NeutralFilter {
  var isNeutral: Bool { sigma == 0 }
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
  /// This picture blurred by a Gaussian with a standard deviation of `sigma` pixels, in linear light. Beyond the edges
  /// the edge pixels repeat; pad the picture first to have it fade away.
  public func blurred(sigma: Double) -> Picture {
    applying { () throws(RecipeError) in try GaussianBlur(sigma: sigma) }
  }
}
