package import ImageBuffer

/// The mean of a square of pixels around each one.
///
/// Small squares are sums of rows and columns. In larger ones sums of two, four, eight … pixels are made of one another, always from the
/// same ones, so the work grows with the logarithm of the radius and rounding is the same in every tile. Where a square covers a whole
/// column or row of the picture from every place in it, all of it is summed, and its ends count for the pixels beyond them.
package struct BoxBlur: AreaFilter {
  /// The distance from the center of the window to its sides, in pixels.
  package let radius: Int

  /// The mean of a square with 2 · radius + 1 pixels to a side.
  package init(radius: Int) throws(RecipeError) {
    self.radius = radius
    try Self.declaration.check(self)
  }

  /// Returns the region, extended by the radius on each side; whole columns and rows where the square covers them from every place.
  package func inputRegion(for output: Region, of input: PixelSize) -> Region {
    func seen(_ range: Range<Int>, _ size: Int) -> Range<Int> {
      covers(size) ? 0..<size : range.lowerBound - radius..<range.upperBound + radius
    }
    return Region(
      columns: seen(output.columns, input.width), rows: seen(output.rows, input.height))
  }

  /// Whether a large square covers an axis of so many pixels from every place in it.
  private func covers(_ size: Int) -> Bool { !readsRows && radius >= size - 1 }

  /// The mean of the square.
  package func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    var sum = SIMD4<Double>.zero
    for row in y - radius...y + radius {
      for column in x - radius...x + radius { sum += read(column, row) }
    }
    let side = Double(2 * radius + 1)
    return sum / (side * side)
  }

  /// What a ring of rows takes, or windows are made of.
  package func scratchCount(for output: Region, from input: Region, planes: Int) -> Int {
    scratchCount(
      passShapes(for: input.size), for: output, inputHeight: input.height, planes: planes)
      + tileScratchCount(from: input)
  }

  /// The weights of a small square.
  package struct Preparation: Sendable {
    let passes: [SeparablePass]
  }

  /// The weights of a small square.
  package func prepare(for input: PixelSize) -> Preparation {
    guard readsRows else { return Preparation(passes: []) }
    let axis = AxisTaps(
      symmetric: AxisTaps.normalizedHalf([Double](repeating: 1, count: radius + 1)))
    return Preparation(passes: [SeparablePass(columns: axis, rows: axis)])
  }

  /// The weights of a small square.
  package func preparationByteCount(for input: PixelSize) -> Int {
    readsRows ? 32 * shape.taps + 256 : 0
  }

  /// Columns, then rows.
  package func render(into output: Tile, from input: Tile, with preparation: Preparation) {
    if readsRows { return renderRows(into: output, from: input, with: preparation) }
    let side = 2 * radius + 1
    let area = Float(side * side)
    let (picture, region) = (input.pictureSize, output.region)
    for plane in 0..<output.planeCount {
      output.arena.temporarily {
        let sums = Windows.sums(
          of: input, plane, radius: radius, for: region,
          coversColumns: covers(picture.height), coversRows: covers(picture.width),
          memory: output)
        for (index, y) in region.rows.enumerated() {
          let (target, row) = (output.pointer(y, plane), sums + index * region.width)
          for x in 0..<region.width { target[x] = row[x] / area }
        }
      }
    }
  }
}

extension BoxBlur: SeparableFilter {
  private var shape: AxisShape { AxisShape(taps: 2 * radius + 1, input: 1, output: 1) }

  /// Larger squares are less work as windows.
  var readsRows: Bool { radius <= 32 }

  func passShapes(for input: PixelSize) -> [SeparablePass.Shape] {
    readsRows ? [SeparablePass.Shape(columns: shape, rows: shape)] : []
  }

  func passes(of preparation: Preparation) -> [SeparablePass] { preparation.passes }

  func tileScratchCount(from input: Region) -> Int {
    readsRows ? 0 : Windows.scratchCount(input)
  }
}

extension BoxBlur: NeutralFilter {
  var isNeutral: Bool { radius == 0 }
}

extension BoxBlur: CustomStringConvertible {
  /// The text of this step in plans, such as “mean of 5 × 5”.
  package var description: String { "mean of \(2 * radius + 1) × \(2 * radius + 1)" }
}

extension BoxBlur: RecipeFilter {
  /// The declaration of `box-blur`.
  package static let declaration = Declaration<BoxBlur>(
    "box-blur", "Replaces each pixel by the mean of the square around it.",
    keepsGray: true, swift: "picture.boxBlurred(radius: 3)",
    Parameter(
      "radius", \.radius, "how far the square reaches to each side", unit: "pixels",
      in: 0...10_000, sample: 3)
  ) { radius throws(RecipeError) in try BoxBlur(radius: radius) }
}

extension Picture {
  /// This picture with each pixel the mean of a square that reaches `radius` pixels to each side, in linear light. Beyond the edges
  /// the edge pixels repeat.
  public func boxBlurred(radius: Int) -> Picture {
    applying { () throws(RecipeError) in try BoxBlur(radius: radius) }
  }
}
