internal import ColorSpaces
public import ImageBuffer

/// The greatest or the least of a square of pixels around each one, channel by channel.
///
/// Light areas grow, or shrink: masks get a margin, thin lines close or go. `max x(i, j)`, or `min`, over `|i|, |j| ≤ radius`: dilation and
/// erosion of gray pictures by a flat square (Jean Serra, “Image analysis and mathematical morphology”, 1982).
public struct Morphology: AreaFilter {
  /// What is taken of the square.
  @nonexhaustive
  public enum Operation: String, Hashable, Sendable, CaseIterable {
    /// The greatest: light grows.
    case dilate
    /// The least: light shrinks.
    case erode
  }

  /// What is taken of the square.
  public var operation: Operation
  /// How many pixels it reaches to each side.
  public var radius: Int

  /// An operation on a square with 2 · radius + 1 pixels to a side.
  public init(_ operation: Operation, radius: Int) {
    precondition((0...10_000).contains(radius), "A radius lies in 0…10,000; got \(radius).")
    (self.operation, self.radius) = (operation, radius)
  }

  /// The square.
  public func inputRegion(for output: Region, of input: PixelSize) -> Region {
    output.expanded(by: radius)
  }

  /// The greatest or the least of the square.
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
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<Morphology>(
    "morphology", RecipeField("operation", \.operation),
    RecipeField("radius", \.radius, in: 0...10_000)
  ) { Morphology($0, radius: $1) }
}

extension Morphology.Operation: RecipeChoice {}

extension Picture {
  /// This picture with its light areas grown by `radius` pixels to each side.
  public func dilated(by radius: Int) -> Picture {
    radius == 0 ? self : applying(Morphology(.dilate, radius: radius))
  }

  /// This picture with its light areas shrunk by `radius` pixels from each side.
  public func eroded(by radius: Int) -> Picture {
    radius == 0 ? self : applying(Morphology(.erode, radius: radius))
  }
}
