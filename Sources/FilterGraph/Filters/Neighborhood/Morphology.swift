public import ImageBuffer

/// The maximum or the minimum of the square of pixels around each one, channel by channel: dilation or erosion.
///
/// Light areas grow, or shrink: masks get a margin, thin lines close or go. `max x(i, j)`, or `min`, over `|i|, |j| ≤ radius`: grayscale
/// dilation and erosion by a flat square (Jean Serra, “Image analysis and mathematical morphology”, 1982).
public struct Morphology: AreaFilter {
  /// What is taken of the square.
  @nonexhaustive
  public enum Operation: String, Hashable, Sendable, CaseIterable {
    /// The maximum: light areas grow.
    case dilate
    /// The minimum: light areas shrink.
    case erode
  }

  /// What is taken of the square.
  public let operation: Operation
  /// How many pixels it reaches to each side.
  public let radius: Int

  /// An operation on a square with 2 · radius + 1 pixels to a side.
  public init(_ operation: Operation, radius: Int) throws(RecipeError) {
    (self.operation, self.radius) = (operation, radius)
    try Self.declaration.check(self)
  }

  /// The square.
  public func inputRegion(for output: Region, of input: PixelSize) -> Region {
    output.expanded(by: radius)
  }

  /// The maximum or the minimum of the square.
  public func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    var result = read(x, y)
    for row in y - radius...y + radius {
      for column in x - radius...x + radius {
        let pixel = read(column, row)
        result = operation == .dilate ? pointwiseMax(result, pixel) : pointwiseMin(result, pixel)
      }
    }
    return result
  }

  /// What windows are made of.
  public func scratchCount(for output: Region, from input: Region, planes: Int) -> Int {
    Windows.scratchCount(input)
  }

  /// Columns, then rows.
  public func render(into output: Tile, from input: Tile, with preparation: Void) {
    let side = 2 * radius + 1
    for plane in 0..<output.planeCount {
      output.arena.temporarily {
        let extremes =
          operation == .dilate
          ? Windows.maxima(of: input, plane, side: side, memory: output)
          : Windows.minima(of: input, plane, side: side, memory: output)
        for (index, y) in output.region.rows.enumerated() {
          output.pointer(y, plane).update(
            from: extremes + index * output.region.width, count: output.region.width)
        }
      }
    }
  }
}

extension Morphology: CustomStringConvertible {
  /// The name in plans.
  public var description: String { "\(operation.rawValue) by \(radius)" }
}

extension Morphology: RecipeFilter {
  /// The declaration of `morphology`.
  public static let declaration = Declaration<Morphology>(
    "morphology", "Dilates or erodes: takes the maximum or the minimum of a square.",
    keepsGray: true, swift: "picture.dilated(by: 2)",
    Parameter(
      "operation", \.operation, "whether light areas grow or shrink", sample: .dilate),
    Parameter(
      "radius", \.radius, "how far the square reaches to each side", unit: "pixels",
      in: 0...10_000, sample: 2)
  ) { operation, radius throws(RecipeError) in try Morphology(operation, radius: radius) }
}

extension Morphology.Operation: RecipeChoice {}

extension Picture {
  /// This picture with its light areas grown by `radius` pixels to each side.
  public func dilated(by radius: Int) -> Picture {
    radius == 0
      ? self : applying { () throws(RecipeError) in try Morphology(.dilate, radius: radius) }
  }

  /// This picture with its light areas shrunk by `radius` pixels from each side.
  public func eroded(by radius: Int) -> Picture {
    radius == 0
      ? self : applying { () throws(RecipeError) in try Morphology(.erode, radius: radius) }
  }
}
