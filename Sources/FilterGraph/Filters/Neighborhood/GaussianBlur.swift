internal import CPixelKernels
internal import ColorSpaces
public import ImageBuffer

/// Blurs as a lens out of focus would if its aperture had no edge: each pixel counts by a Gaussian of its distance.
///
/// The weights are those of the Gaussian at the middles of pixels, up to 5.5 standard deviations away, normalized. Within 10⁻⁶ of
/// the brightest pixel the result is that sum, for every standard deviation; the work for a pixel does not grow with it.
public struct GaussianBlur: AreaFilter {
  /// The standard deviation in pixels.
  public let sigma: Double

  /// A blur with the given standard deviation.
  public init(sigma: Double) throws(RecipeError) {
    self.sigma = sigma
    try Self.declaration.check(self)
  }

  private static func reach(_ sigma: Double) -> Int { Int((5.5 * sigma).rounded(.up)) }

  private static func weights(_ sigma: Double, _ distances: [Double]) -> [Float] {
    if sigma == 0 { return [1] }
    return Convolving.normalized(distances.map { exponential(-$0 * $0 / (2 * sigma * sigma)) })
  }

  private static func weights(_ sigma: Double) -> [Float] {
    let reach = reach(sigma)
    return weights(sigma, (-reach...reach).map(Double.init))
  }

  /// A wide blur is three narrower ones: onto a grid of every k-th pixel, on the grid, and from there to all pixels again. Their
  /// variances add up. A Gaussian of 2 k has, at the frequencies that a grid of k pixels confuses, less than 10⁻⁸ left.
  fileprivate struct Grid: Hashable {
    var step: Int
    /// The blur on the grid, in steps.
    var sigma: Double

    init?(_ sigma: Double) {
      step = 1
      while Double(6 * step) <= sigma { step *= 2 }
      if step == 1 { return nil }
      self.sigma = (sigma * sigma / Double(step * step) - 8).squareRoot()
    }

    /// How far the blurs to and from the grid reach, in pixels.
    var reach: Int { 11 * step }

    /// How many points make a pixel. Of a pixel between points the last one lies just beyond reach.
    static let taps = 23

    /// The first of the points that make a pixel.
    func firstPoint(of pixel: Int) -> Int {
      let position = pixel - reach + step - 1
      return (position - (position % step + step) % step) / step
    }

    /// The points of the grid that the pixels of `range` are made of.
    func points(for range: Range<Int>) -> Range<Int> {
      firstPoint(of: range.lowerBound)..<firstPoint(of: range.upperBound - 1) + Self.taps
    }

    /// The pixels that the points of `range` are made of, on the grid itself blurred.
    func pixels(for range: Range<Int>) -> Range<Int> {
      let margin = GaussianBlur.reach(sigma)
      return (range.lowerBound - margin) * step - reach..<(range.upperBound - 1 + margin) * step
        + reach + 1
    }
  }

  /// Some deviations around; for wide blurs some more, for the grid.
  public func inputRegion(for output: Region, of input: PixelSize) -> Region {
    guard let grid = Grid(sigma) else { return output.expanded(by: Self.reach(sigma)) }
    let columns = grid.pixels(for: grid.points(for: output.columns))
    let rows = grid.pixels(for: grid.points(for: output.rows))
    return Region(
      x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }

  /// The sum over all pixels within reach.
  public func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    let reach = Self.reach(sigma)
    if reach == 0 { return read(x, y) }
    let weights = (-reach...reach).map { exponential(-Double($0 * $0) / (2 * sigma * sigma)) }
    var (sum, total) = (SIMD4<Double>.zero, 0.0)
    for (row, rowWeight) in weights.enumerated() {
      for (column, columnWeight) in weights.enumerated() {
        sum += read(x + column - reach, y + row - reach) * (rowWeight * columnWeight)
        total += rowWeight * columnWeight
      }
    }
    return sum / total
  }

  /// What lies between rows and columns, and on the grid.
  public func scratchCount(for output: Region, from input: Region, planes: Int) -> Int {
    guard let grid = Grid(sigma) else { return input.width + 16 }
    let (columns, rows) = (
      input.width / grid.step + 2, input.height / grid.step + 2
    )
    let ontoGrid = Gathering.scratchCount(
      columns: columns, taps: 22 * grid.step + 1, width: input.width)
    let fromGrid = Gathering.scratchCount(columns: output.width, taps: Grid.taps, width: columns)
    return rows * (input.width + 2 * columns) + columns * (Int(kernels.lanes) + 1)
      + ontoGrid + fromGrid + 5 * 16
  }

  /// The weights, and their distances and exact values while they are computed.
  public func preparationByteCount(for input: PixelSize) -> Int {
    // For each place between points of the grid an array of so many weights.
    let places = (Grid(sigma)?.step ?? 0) * (32 + 4 * Grid.taps + 16)
    return 32 * (2 * Self.reach(sigma) + 1) + places
  }

  /// The weights.
  public struct Preparation: Sendable {
    fileprivate let grid: Grid?
    /// Of the blur, on the grid if there is one.
    fileprivate let blur: [Float]
    /// Of the blur onto the grid.
    fileprivate let spread: [Float]
    /// Of the blur from the grid, for each place that a pixel can have between points.
    fileprivate let back: [[Float]]
  }

  /// The weights.
  public func prepare(for input: PixelSize) -> Preparation {
    guard let grid = Grid(sigma) else {
      return Preparation(grid: nil, blur: Self.weights(sigma), spread: [], back: [])
    }
    let wide = Double(2 * grid.step)
    return Preparation(
      grid: grid, blur: Self.weights(grid.sigma),
      spread: Self.weights(wide, (-grid.reach...grid.reach).map(Double.init)),
      back: (0..<grid.step).map { place in
        let first = grid.firstPoint(of: place)
        return Self.weights(
          wide, (first..<first + Grid.taps).map { Double($0 * grid.step - place) })
      })
  }

  /// Rows, then columns; over a grid where that is less work.
  public func render(into output: Tile, from input: Tile, with preparation: Preparation) {
    if let grid = preparation.grid {
      for plane in 0..<output.planeCount {
        render(plane, into: output, from: input, over: grid, preparation)
      }
    } else {
      let weights = preparation.blur
      let mixed = output.scratchPointer(input.region.width)
      for plane in 0..<output.planeCount {
        for (index, y) in output.region.rows.enumerated() {
          Convolving.mix(
            input.pointer(input.region.y + index, plane), step: input.rowStride, weights,
            into: mixed, count: input.region.width)
          Convolving.mix(
            mixed, step: 1, weights, into: output.pointer(y, plane), count: output.region.width)
        }
      }
    }
  }

  private func render(
    _ plane: Int, into output: Tile, from input: Tile, over grid: Grid, _ weights: Preparation
  ) {
    let (spread, blur) = (weights.spread, weights.blur)
    func back(_ pixel: Int) -> [Float] {
      weights.back[(pixel % grid.step + grid.step) % grid.step]
    }
    let margin = blur.count / 2
    let columns = grid.points(for: output.region.columns)
    let rows = grid.points(for: output.region.rows)
    let wideColumns = columns.lowerBound - margin..<columns.upperBound + margin
    let wideRows = rows.lowerBound - margin..<rows.upperBound + margin
    let width = input.region.width

    output.arena.temporarily {
      // Onto the grid.
      let mixed = output.scratchPointer(width * wideRows.count)
      for (index, row) in wideRows.enumerated() {
        Convolving.mix(
          input.pointer(row * grid.step - grid.reach, plane), step: input.rowStride, spread,
          into: mixed + index * width, count: width)
      }
      let points = output.scratchPointer(wideColumns.count * wideRows.count)
      let ontoGrid = Gathering(
        columns: wideColumns, from: { $0 * grid.step - grid.reach - input.region.x },
        by: { _ in spread }, memory: output)
      ontoGrid(
        mixed, width: width, count: wideRows.count, into: points, stride: wideColumns.count)

      // On the grid.
      let blurred = output.scratchPointer(columns.count * rows.count)
      let line = output.scratchPointer(wideColumns.count)
      for row in 0..<rows.count {
        Convolving.mix(
          points + row * wideColumns.count, step: wideColumns.count, blur, into: line,
          count: wideColumns.count)
        Convolving.mix(
          line, step: 1, blur, into: blurred + row * columns.count, count: columns.count)
      }

      // And back to all pixels, some rows at a time.
      let lanes = Int(kernels.lanes)
      let fromGrid = Gathering(
        columns: output.region.columns, from: { grid.firstPoint(of: $0) - columns.lowerBound },
        by: back, memory: output)
      let lines = output.scratchPointer(columns.count * lanes)
      for y in stride(from: output.region.y, to: output.region.rows.upperBound, by: lanes) {
        let count = min(lanes, output.region.rows.upperBound - y)
        for row in 0..<count {
          let first = grid.firstPoint(of: y + row) - rows.lowerBound
          Convolving.mix(
            blurred + first * columns.count, step: columns.count, back(y + row),
            into: lines + row * columns.count, count: columns.count)
        }
        fromGrid(
          lines, width: columns.count, count: count, into: output.pointer(y, plane),
          stride: output.rowStride)
      }
    }
  }
}

extension GaussianBlur: CustomStringConvertible {
  /// The name in plans.
  public var description: String { "Gaussian blur of \(sigma)" }
}

extension GaussianBlur: RecipeFilter {
  /// The declaration of `gaussian-blur`.
  public static let declaration = Declaration<GaussianBlur>(
    "gaussian-blur", "Blurs with a Gaussian.", aliases: ["blur"],
    keepsGray: true, swift: "picture.blurred(sigma: 2.5)",
    Parameter(
      "sigma", \.sigma, "the standard deviation", unit: "pixels", in: 0...10_000, sample: 2.5)
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
