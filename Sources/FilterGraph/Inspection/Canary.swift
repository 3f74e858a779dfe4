internal import ColorSpaces
public import ImageBuffer

/// A picture that shows whether wide color survives: three marks that can only be seen where it does.
///
/// Side by side lie fields of Display P3's reddest red, greenest green and bluest blue, each with a mark of sRGB's own. Whatever
/// holds pictures in sRGB makes field and mark the same. Three grays below show whether tones changed too. After a canary went
/// through a pipeline, ``Verdict`` says what happened.
public struct Canary: Painter {
  private let width, height: Int
  private let fields, marks, grays: [SIMD4<Double>]

  /// A canary of the given size.
  public init(size: PixelSize) {
    (width, height) = (size.width, size.height)
    fields = Self.colors(of: .displayP3)
    marks = Self.colors(of: .sRGB)
    grays = Self.grays
  }

  /// What it fills.
  public var size: PixelSize? { PixelSize(width, height) }

  /// The encoded values of Display P3.
  public var domain: PixelDomain { .encoded }

  /// A field, the diamond in the middle of it, or the gray below.
  public func pixel(x: Int, y: Int) -> SIMD4<Double> {
    let across = 3 * (Double(x) + 0.5) / Double(width)
    let field = min(Int(across), 2)
    let down = (Double(y) + 0.5) / Double(height) / Self.heightOfFields
    if down >= 1 { return grays[field] }
    let (dx, dy) = (across - Double(field) - 0.5, down - 0.5)
    return abs(dx) + abs(dy) < Self.reach ? marks[field] : fields[field]
  }

  /// The part of the height that fields have; grays have the rest.
  static let heightOfFields = 0.75

  /// From the middle of a mark to its corners, in widths and heights of a field.
  private static let reach = 0.35

  /// A dark, a middle and a light gray, in encoded values of Display P3.
  static let grays = [0.25, 0.5, 0.75].map { SIMD4($0, $0, $0, 1) }

  /// Red, green and blue of a space, in encoded values of Display P3.
  static func colors(of space: ColorSpace) -> [SIMD4<Double>] {
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map {
      SIMD4(ColorPoint($0, in: space).converted(to: .displayP3).components, 1)
    }
  }
}

extension Canary: CustomStringConvertible {
  /// The name in plans.
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
