public import ImageBuffer

/// Smooths what differs little from its surroundings and keeps what differs much: edges stay sharp (He, Sun and Tang, “Guided
/// image filtering”, 2010, with the picture as its own guide, channel by channel).
///
/// Over each square the picture is approximated by a · pixel + (1 − a) · mean, with a = variance / (variance + ε); each pixel is
/// then the mean of what the squares around it say.
public struct GuidedFilter: AreaFilter {
  /// How many pixels a square reaches to each side.
  public let radius: Int
  /// The contrast that is kept by half: the root of ε.
  public let contrast: Double

  /// A filter over squares with 2 · radius + 1 pixels to a side.
  public init(radius: Int, contrast: Double) throws(RecipeError) {
    (self.radius, self.contrast) = (radius, contrast)
    try Self.declaration.check(self)
  }

  /// The squares of the pixels in the square.
  public func inputRegion(for output: Region, of input: PixelSize) -> Region {
    output.expanded(by: 2 * radius)
  }

  /// The mean of what the squares around say.
  public func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    let side = Double(2 * radius + 1)
    func mean(
      _ x: Int, _ y: Int, _ value: (Int, Int) -> SIMD4<Double>
    ) -> SIMD4<Double> {
      var sum = SIMD4<Double>.zero
      for row in y - radius...y + radius {
        for column in x - radius...x + radius { sum += value(column, row) }
      }
      return sum / (side * side)
    }
    let here = read(x, y)
    var (slope, base) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
    for row in y - radius...y + radius {
      for column in x - radius...x + radius {
        let center = mean(column, row, read)
        let square = mean(column, row) { (read($0, $1) - center) * (read($0, $1) - center) }
        let a = square / (square + contrast * contrast)
        slope += a
        base += center - a * center
      }
    }
    return (slope * here + base) / (side * side)
  }

  /// Squares, slopes and bases, and the sums of all of them and of the values.
  public func scratchCount(for output: Region, from input: Region, planes: Int) -> Int {
    let middle = output.expanded(by: radius)
    return Tile.floatCount(input, planes: 1) + 2 * Tile.floatCount(middle, planes: 1) + 3 * 16
      + 2 * Windows.scratchCount(input) + 2 * Windows.scratchCount(middle)
  }

  /// Sums over squares, twice.
  public func render(into output: Tile, from input: Tile, with preparation: Void) {
    let middle = output.region.expanded(by: radius)
    let side = 2 * radius + 1
    let area = Float(side * side)
    let epsilon = Float(contrast * contrast)
    for plane in 0..<output.planeCount {
      output.arena.temporarily {
        func tile(_ region: Region) -> Tile {
          Tile(region, of: input.pictureSize, planeCount: 1, arena: output.arena)
        }
        let squares = tile(input.region)
        for y in input.region.rows {
          let (from, to) = (input.pointer(y, plane), squares.pointer(y, 0))
          for x in 0..<input.region.width { to[x] = from[x] * from[x] }
        }
        let sums = Windows.sums(of: input, plane, side: side, memory: output)
        let squareSums = Windows.sums(of: squares, 0, side: side, memory: output)
        let (slopes, bases) = (tile(middle), tile(middle))
        for (index, y) in middle.rows.enumerated() {
          let (slope, base) = (slopes.pointer(y, 0), bases.pointer(y, 0))
          for x in 0..<middle.width {
            let place = index * middle.width + x
            let mean = sums[place] / area
            let variance = max(squareSums[place] / area - mean * mean, 0)
            slope[x] = variance / (variance + epsilon)
            base[x] = mean - slope[x] * mean
          }
        }
        let slopeSums = Windows.sums(of: slopes, 0, side: side, memory: output)
        let baseSums = Windows.sums(of: bases, 0, side: side, memory: output)
        for (index, y) in output.region.rows.enumerated() {
          let here = input.pointer(y, plane) + (output.region.x - input.region.x)
          let target = output.pointer(y, plane)
          for x in 0..<output.region.width {
            let place = index * output.region.width + x
            target[x] = (slopeSums[place] * here[x] + baseSums[place]) / area
          }
        }
      }
    }
  }
}

extension GuidedFilter: CustomStringConvertible {
  /// The name in plans.
  public var description: String { "guided filter of radius \(radius)" }
}

extension GuidedFilter: RecipeFilter {
  /// The declaration of `guided-filter`.
  public static let declaration = Declaration<GuidedFilter>(
    "guided-filter", "Smooths small differences and keeps edges, guided by the picture itself.",
    keepsGray: true, swift: "picture.guidedSmoothed(radius: 3, contrast: 0.1)",
    Parameter(
      "radius", \.radius, "how far a square reaches to each side", unit: "pixels", in: 0...2000,
      sample: 3),
    Parameter(
      "contrast", \.contrast, "the contrast of which half is kept; less is smoothed",
      unit: "linear light", in: Double.leastNormalMagnitude...1e6, sample: 0.1)
  ) { radius, contrast throws(RecipeError) in
    try GuidedFilter(radius: radius, contrast: contrast)
  }
}

extension Picture {
  /// This picture with what differs by less than about `contrast` from its surroundings smoothed, in linear light; edges stay.
  public func guidedSmoothed(radius: Int, contrast: Double) -> Picture {
    if radius == 0 { return self }
    return applying { () throws(RecipeError) in
      try GuidedFilter(radius: radius, contrast: contrast)
    }
  }
}
