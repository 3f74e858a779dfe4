public import ImageBuffer

/// The median of the square of pixels around each one, channel by channel: specks go, edges stay.
public struct Median: AreaFilter {
  /// How many pixels it reaches to each side.
  public let radius: Int

  /// The median of a square with 2 · radius + 1 pixels to a side.
  public init(radius: Int) throws(RecipeError) {
    self.radius = radius
    try Self.declaration.check(self)
  }

  /// The square.
  public func inputRegion(for output: Region, of input: PixelSize) -> Region {
    output.expanded(by: radius)
  }

  /// The median of the square.
  public func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    var pixels: [SIMD4<Double>] = []
    for row in y - radius...y + radius {
      for column in x - radius...x + radius { pixels.append(read(column, row)) }
    }
    var result = SIMD4<Double>.zero
    for channel in 0..<4 {
      result[channel] = pixels.map { $0[channel] }.sorted()[pixels.count / 2]
    }
    return result
  }

  /// The square's values.
  public func scratchCount(for output: Region, from input: Region, planes: Int) -> Int {
    (2 * radius + 1) * (2 * radius + 1)
  }

  /// Three by three in a network that sorts many pixels at once; larger squares one pixel after the other.
  public func render(into output: Tile, from input: Tile, with preparation: Void) {
    let side = 2 * radius + 1
    let values = output.scratchPointer(side * side)
    for plane in 0..<output.planeCount {
      if radius == 1 {
        renderThreeByThree(plane, into: output, from: input)
      } else {
        render(plane, into: output, from: input, values)
      }
    }
  }

  private func render(
    _ plane: Int, into output: Tile, from input: Tile, _ values: UnsafeMutablePointer<Float>
  ) {
    let side = 2 * radius + 1
    for y in output.region.rows {
      let target = output.pointer(y, plane) - output.region.x
      for x in output.region.columns {
        for row in 0..<side {
          (values + row * side).update(
            from: input.pointer(y - radius + row, plane) + (x - radius - input.region.x),
            count: side)
        }
        target[x] = middle(of: values, count: side * side)
      }
    }
  }

  /// The value that stands in the middle when `values` are sorted (Hoare's selection).
  private func middle(of values: UnsafeMutablePointer<Float>, count: Int) -> Float {
    let middle = count / 2
    var (low, high) = (0, count - 1)
    while low < high {
      let pivot = values[(low + high) / 2]
      var (i, j) = (low, high)
      while i <= j {
        while values[i] < pivot { i += 1 }
        while pivot < values[j] { j -= 1 }
        if i <= j {
          (values[i], values[j]) = (values[j], values[i])
          (i, j) = (i + 1, j - 1)
        }
      }
      if middle <= j { high = j } else if middle >= i { low = i } else { break }
    }
    return values[middle]
  }

  private func renderThreeByThree(_ plane: Int, into output: Tile, from input: Tile) {
    typealias Lanes = SIMD16<Float>
    let width = output.region.width
    for y in output.region.rows {
      let corner = input.pointer(y - 1, plane) + (output.region.x - 1 - input.region.x)
      let target = output.pointer(y, plane)
      for x in stride(from: 0, to: width, by: Lanes.scalarCount) {
        let count = min(Lanes.scalarCount, width - x)
        func load(_ row: Int, _ shift: Int) -> Lanes {
          let from = corner + (row * input.rowStride + x + shift)
          if count == Lanes.scalarCount {
            return UnsafeRawPointer(from).loadUnaligned(as: Lanes.self)
          }
          var lanes = Lanes.zero
          for i in 0..<count { lanes[i] = from[i] }
          return lanes
        }
        // The middle of the greatest of the least, the middle of the middles and the least of the greatest, of sorted columns.
        func column(_ shift: Int) -> (Lanes, Lanes, Lanes) {
          sorted(load(0, shift), load(1, shift), load(2, shift))
        }
        let (left, center, right) = (column(0), column(1), column(2))
        let least = pointwiseMax(left.0, pointwiseMax(center.0, right.0))
        let middle = sorted(left.1, center.1, right.1).1
        let most = pointwiseMin(left.2, pointwiseMin(center.2, right.2))
        let median = sorted(least, middle, most).1
        for i in 0..<count { target[x + i] = median[i] }
      }
    }
  }

  @inline(__always)
  private func sorted(
    _ a: SIMD16<Float>, _ b: SIMD16<Float>, _ c: SIMD16<Float>
  ) -> (SIMD16<Float>, SIMD16<Float>, SIMD16<Float>) {
    let (low, high) = (pointwiseMin(a, b), pointwiseMax(a, b))
    let middle = pointwiseMin(high, c)
    return (pointwiseMin(low, middle), pointwiseMax(low, middle), pointwiseMax(high, c))
  }
}

extension Median: CustomStringConvertible {
  /// The name in plans.
  public var description: String { "median of \(2 * radius + 1) × \(2 * radius + 1)" }
}

extension Median: RecipeFilter {
  /// The declaration of `median`.
  public static let declaration = Declaration<Median>(
    "median", "Replaces each pixel by the median of the square around it, channel by channel.",
    keepsGray: true, swift: "picture.median(radius: 2)",
    Parameter(
      "radius", \.radius, "how far the square reaches to each side", unit: "pixels", in: 0...50,
      sample: 2)
  ) { radius throws(RecipeError) in try Median(radius: radius) }
}

extension Picture {
  /// This picture with each pixel the median of a square that reaches `radius` pixels to each side.
  public func median(radius: Int) -> Picture {
    radius == 0 ? self : applying { () throws(RecipeError) in try Median(radius: radius) }
  }
}
