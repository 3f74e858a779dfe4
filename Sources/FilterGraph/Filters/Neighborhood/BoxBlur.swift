public import ImageBuffer

/// The mean of a square of pixels around each one.
///
/// Sums of two, four, eight … pixels are made of one another, always from the same ones, so the work grows with the logarithm of
/// the radius and rounding is the same in every tile.
public struct BoxBlur: AreaFilter {
  /// How many pixels it reaches to each side.
  public let radius: Int

  /// The mean of a square with 2 · radius + 1 pixels to a side.
  public init(radius: Int) throws(RecipeError) {
    self.radius = radius
    try Self.declaration.check(self)
  }

  /// The square.
  public func inputRegion(for output: Region, of input: PixelSize) -> Region {
    output.expanded(by: radius)
  }

  /// The mean of the square.
  public func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    var sum = SIMD4<Double>.zero
    for row in y - radius...y + radius {
      for column in x - radius...x + radius { sum += read(column, row) }
    }
    let side = Double(2 * radius + 1)
    return sum / (side * side)
  }

  /// What windows are made of.
  public func scratchCount(for output: Region, from input: Region, planes: Int) -> Int {
    Windows.scratchCount(input)
  }

  /// Columns, then rows.
  public func render(into output: Tile, from input: Tile, with preparation: Void) {
    let side = 2 * radius + 1
    let area = Float(side * side)
    for plane in 0..<output.planeCount {
      output.arena.temporarily {
        let sums = Windows.sums(of: input, plane, side: side, memory: output)
        for (index, y) in output.region.rows.enumerated() {
          let (target, row) = (output.pointer(y, plane), sums + index * output.region.width)
          for x in 0..<output.region.width { target[x] = row[x] / area }
        }
      }
    }
  }
}

extension BoxBlur: CustomStringConvertible {
  /// The name in plans.
  public var description: String { "mean of \(2 * radius + 1) × \(2 * radius + 1)" }
}

extension BoxBlur: RecipeFilter {
  /// The declaration of `box-blur`.
  public static let declaration = Declaration<BoxBlur>(
    "box-blur", "Replaces each pixel by the mean of the square around it.",
    keepsGray: true, swift: "picture.boxBlurred(radius: 3)",
    Parameter(
      "radius", \.radius, "how far the square reaches to each side", unit: "pixels",
      in: 0...10_000, sample: 3)
  ) { radius throws(RecipeError) in try BoxBlur(radius: radius) }
}

extension Picture {
  /// This picture with each pixel the mean of a square that reaches `radius` pixels to each side, in linear light.
  public func boxBlurred(radius: Int) -> Picture {
    radius == 0
      ? self : applying { () throws(RecipeError) in try BoxBlur(radius: radius) }
  }
}
