public import ColorSpaces
public import ImageBuffer

/// The color bars of high-definition television (SMPTE RP 219-1), for aligning a studio's monitors and lines.
///
/// Four rows: 75 % bars between 40 % grays; 100 % white with 100 % cyan and blue at the sides; a ramp from black to
/// white between 100 % yellow and red; and black beside −2, +2 and +4 % (PLUGE) for the brightness of a monitor. Where
/// the standard leaves a choice (its *2 and *3), the patches are 100 % white and black. Values are encoded; −2 % is
/// below zero.
package struct BroadcastBars: Painter {
  private let width, height: Int

  /// Creates bars that fill `size`.
  package init(size: PixelSize) { (width, height) = (size.width, size.height) }

  /// The size of the bars.
  package var size: PixelSize? { PixelSize(width, height) }

  /// Encoded values.
  package var domain: PixelDomain { .encoded }

  /// A patch and its end, in 336ths of the width: a side is 42 of them, an eighth, and a bar is 36.
  private struct Patch {
    var end: Int
    var color: SIMD3<Double>

    init(_ end: Int, _ color: SIMD3<Double>) { (self.end, self.color) = (end, color) }
    init(_ end: Int, _ gray: Double) { self.init(end, SIMD3(repeating: gray)) }
  }

  // In one list, so that all patches are initialized at once.
  private static let rows = (
    bars: [
      Patch(42, 0.4), Patch(78, 0.75), Patch(114, [0.75, 0.75, 0]), Patch(150, [0, 0.75, 0.75]),
      Patch(186, [0, 0.75, 0]), Patch(222, [0.75, 0, 0.75]), Patch(258, [0.75, 0, 0]),
      Patch(294, [0, 0, 0.75]), Patch(336, 0.4),
    ],
    reference: [
      Patch(42, [0, 1, 1]), Patch(78, 1), Patch(294, 0.75), Patch(336, [0, 0, 1]),
    ],
    levels: [
      Patch(42, 0.15), Patch(96, 0), Patch(168, 1), Patch(198, 0), Patch(210, -0.02), Patch(222, 0),
      Patch(234, 0.02), Patch(246, 0), Patch(258, 0.04), Patch(294, 0), Patch(336, 0.15),
    ]
  )
  private static let sides = (left: SIMD3(1.0, 1, 0), right: SIMD3(1.0, 0, 0))

  /// Returns the color of the patch at the pixel, or of the ramp.
  package func pixel(x: Int, y: Int) -> SIMD4<Double> {
    let (column, row) = (336 * x / width, 12 * y / height)
    func color(of patches: [Patch]) -> SIMD4<Double> {
      SIMD4(patches.first { column < $0.end }?.color ?? .zero, 1)
    }
    switch row {
    case ..<7: return color(of: Self.rows.bars)
    case 7: return color(of: Self.rows.reference)
    case 8:
      if column < 42 { return SIMD4(Self.sides.left, 1) }
      if column >= 294 { return SIMD4(Self.sides.right, 1) }
      // Black for a bar, the ramp for five, white for one.
      let position = 336 * (Double(x) + 0.5) / Double(width)
      let ramp = min(max((position - 78) / 180, 0), 1)
      return SIMD4(ramp, ramp, ramp, 1)
    default: return color(of: Self.rows.levels)
    }
  }
}

extension BroadcastBars: CustomStringConvertible {
  /// The text of this step in plans: “bars of RP 219”.
  package var description: String { "bars of RP 219" }
}

extension BroadcastBars: RecipePainter {
  /// The declaration of `broadcast-bars`.
  package static let declaration = Declaration<Painting<BroadcastBars>>(
    "broadcast-bars", "Paints the color bars of high-definition television (SMPTE RP 219-1).",
    swift: "Picture.broadcastBars(size: PixelSize(40, 30))",
    Parameter(
      "size", { PixelSize($0.painter.width, $0.painter.height) }, "the width and the height",
      unit: "pixels", sample: PixelSize(40, 30)),
    Parameter("in", \.space, "the color space of the picture", default: .rec709)
  ) { Painting(BroadcastBars(size: $0), in: $1) }
}

extension Picture {
  /// The bars of SMPTE RP 219-1 in the encoded values of `space`.
  public static func broadcastBars(
    in space: ColorSpace = .rec709, size: PixelSize
  ) -> Picture {
    Picture(BroadcastBars(size: size), in: space)
  }
}
