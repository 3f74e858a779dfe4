/// A range of tones of a grade, and how much it is changed.
public struct ToneZone: Hashable, Sendable {
  /// The changes of red, green, blue and all channels: 1 changes nothing, more brightens.
  package let values: SIMD4<Double>
  /// Where the range begins, or its middle for midtones; nil for that of the style.
  package let start: Double?
  /// The width of the range; for shadows and highlights the value that they keep at its other end. Nil for that of the style.
  package let width: Double?

  /// A zone that changes nothing.
  public static let neutral = ToneZone()

  /// Creates a zone.
  public init(
    _ values: SIMD4<Double> = .one, start: Double? = nil, width: Double? = nil
  ) {
    (self.values, self.start, self.width) = (values, start, width)
  }

  /// Creates a zone that is changed alike in all channels.
  public init(_ value: Double, start: Double? = nil, width: Double? = nil) {
    self.init(SIMD4(1, 1, 1, value), start: start, width: width)
  }
}

extension ToneZone: RecipeRecord {
  /// Four numbers, or JSON.
  public static var textForm: TextForm {
    TextForm("R,G,B,ALL") { text in
      if text.hasPrefix("{") { return TextForm.json.read(text) }
      return SIMD4<Double>.textForm.read(text).map {
        .object([RecipeValue.Member("values", $0)])
      }
    }
  }

  /// The changes, and where they happen.
  public static let declaration = Declaration<ToneZone>(
    of: "tone zone",
    Parameter("values", \.values, "the changes of red, green, blue and all", default: .one),
    Parameter("start", \.start, "where the zone begins, or the middle of midtones"),
    Parameter("width", \.width, "the width, or the value that shadows and highlights keep")
  ) { ToneZone($0, start: $1, width: $2) }
}
