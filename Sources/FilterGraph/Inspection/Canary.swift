internal import ColorSpaces
public import ImageBuffer

/// A test picture that reveals damage to wide-gamut colors, by three marks that only a wide gamut can distinguish.
///
/// It has fields of Display P3's red, green and blue primaries side by side, each with a mark in sRGB's primary.
/// Clipping to sRGB makes field and mark equal. Three grays below reveal changes of tone. After the canary went through
/// a pipeline, ``Verdict`` reports the damage.
public struct Canary: Painter {
  private let width, height: Int
  private let fields, marks, grays: [SIMD4<Double>]

  /// Creates a canary of the given size.
  public init(size: PixelSize) {
    (width, height) = (size.width, size.height)
    fields = Self.colors(of: .displayP3)
    marks = Self.colors(of: .sRGB)
    grays = Self.grays
  }

  /// The size of the canary.
  public var size: PixelSize? { PixelSize(width, height) }

  /// Encoded values, of Display P3.
  public var domain: PixelDomain { .encoded }

  /// Returns the color of a field, of the diamond in its middle, or of the gray below.
  public func pixel(x: Int, y: Int) -> SIMD4<Double> {
    let across = 3 * (Double(x) + 0.5) / Double(width)
    let field = min(Int(across), 2)
    let down = (Double(y) + 0.5) / Double(height) / Self.heightOfFields
    if down >= 1 { return grays[field] }
    let (dx, dy) = (across - Double(field) - 0.5, down - 0.5)
    return abs(dx) + abs(dy) < Self.reach ? marks[field] : fields[field]
  }

  /// The fraction of the height that the fields take; the grays take the rest.
  static let heightOfFields = 0.75

  /// The distance from the middle of a mark to its corners, in widths and heights of a field.
  private static let reach = 0.35

  /// A dark, a middle and a light gray, as encoded Display P3.
  static let grays = [0.25, 0.5, 0.75].map { SIMD4($0, $0, $0, 1) }

  /// The primaries of a space, as encoded Display P3.
  static func colors(of space: ColorSpace) -> [SIMD4<Double>] {
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map {
      SIMD4(ColorPoint($0, in: space).converted(to: .displayP3).components, 1)
    }
  }
}

extension Canary: CustomStringConvertible {
  /// The text of this step in plans: “canary”.
  public var description: String { "canary" }
}

extension Canary: RecipePainter {
  /// The declaration of `canary`.
  public static let declaration = Declaration<Painting<Canary>>(
    "canary", "Paints marks that show whether wide color survives a pipeline.",
    swift: "Picture(Canary(size: PixelSize(40, 30)), in: .displayP3)",
    Parameter(
      "size", { PixelSize($0.painter.width, $0.painter.height) }, "the width and the height",
      unit: "pixels", sample: PixelSize(40, 30)),
    Parameter("in", \.space, "the color space of the picture", default: .displayP3)
  ) { Painting(Canary(size: $0), in: $1) }
}
