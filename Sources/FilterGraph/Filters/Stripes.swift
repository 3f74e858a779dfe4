public import ColorSpaces

/// Stripes of two colors, upright or level.
public struct Stripes: Painter {
  /// Which way stripes run.
  @nonexhaustive
  public enum Direction: String, Hashable, Sendable, CaseIterable {
    /// From top to bottom, side by side.
    case vertical
    /// From left to right, one above the other.
    case horizontal
  }

  /// How many pixels a stripe is wide.
  public let width: Int
  /// Which way the stripes run.
  public let direction: Direction

  private let lights: [SIMD3<Double>]

  /// Stripes of `width` pixels, the first color in the one that begins at (0, 0), painted with the lights of `space`.
  public init(
    _ first: ColorPoint, _ second: ColorPoint, width: Int, direction: Direction = .vertical,
    in space: ColorSpace
  ) {
    precondition(width > 0, "A stripe is at least one pixel wide; got \(width).")
    (self.width, self.direction) = (width, direction)
    lights = [first, second].map { $0.converted(to: space.linear).components }
  }

  /// One color or the other.
  public func pixel(x: Int, y: Int) -> SIMD4<Double> {
    let position = direction == .vertical ? x : y
    // Rounded down, below zero too.
    let stripe = position / width - (position % width < 0 ? 1 : 0)
    return SIMD4(lights[stripe & 1], 1)
  }
}

extension Stripes: CustomStringConvertible {
  /// The name in plans.
  public var description: String { "\(direction.rawValue) stripes of \(width)" }
}

extension Stripes: RecipePainter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<Painting<Stripes>>(
    "stripes", RecipeField("first") { ColorPoint($0.painter.lights[0], in: $0.space.linear) },
    RecipeField("second") { ColorPoint($0.painter.lights[1], in: $0.space.linear) },
    RecipeField("width", \.painter.width, in: 1...1 << 30),
    RecipeField("direction", \.painter.direction, default: .vertical),
    RecipeField("in", \.space)
  ) { Painting(Stripes($0, $1, width: $2, direction: $3, in: $4), in: $4) }
}

extension Stripes.Direction: RecipeChoice {}

extension Picture {
  /// Stripes of two colors without end.
  public static func stripes(
    _ first: ColorPoint, _ second: ColorPoint, width: Int,
    direction: Stripes.Direction = .vertical, in space: ColorSpace
  ) -> Picture {
    Picture(Stripes(first, second, width: width, direction: direction, in: space), in: space)
  }
}
