public import ColorSpaces
internal import ImageBuffer

/// Maps the color difference of two pictures: a hundredth of it at each pixel, in all three channels.
///
/// Pixels that are transparent in both pictures count as equal, whatever their colors.
public struct DifferenceMap: BlendFilter {
  /// The color difference formula.
  public var formula: ColorDifference

  /// Creates a map of differences by the given formula.
  public init(by formula: ColorDifference = .ciede2000()) { self.formula = formula }

  /// Encoded: the coordinates of the formula.
  public var domain: PixelDomain { .encoded }

  /// The pixels that both pictures have.
  public var extent: BlendExtent { .intersection }

  /// False: the map is opaque.
  public func hasAlpha(_ inputs: [Bool]) -> Bool { false }

  /// Returns the difference, times the larger alpha.
  public func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    difference(of: inputs[1], from: inputs[0])
  }

  private func difference(
    of sample: SIMD4<Double>, from standard: SIMD4<Double>
  ) -> SIMD4<Double> {
    let difference = formula(
      SIMD3(standard.x, standard.y, standard.z), SIMD3(sample.x, sample.y, sample.z))
    return SIMD4(SIMD3(repeating: difference / 100 * max(standard.w, sample.w)), 1)
  }

  /// Computes row by row.
  public func render(into output: Tile, from inputs: [Tile]) {
    for y in output.region.rows {
      let rows = (PixelRow(output, y), PixelRow(inputs[0], y), PixelRow(inputs[1], y))
      for x in output.region.columns {
        rows.0[x] = SIMD4<Float>(
          difference(of: SIMD4<Double>(rows.2[x]), from: SIMD4<Double>(rows.1[x])))
      }
    }
  }
}

extension DifferenceMap: CustomStringConvertible {
  /// The description that plans show.
  public var description: String { "difference by \(formula)" }
}

extension DifferenceMap: RecipeFilter {
  /// The declaration of `difference-map`.
  public static let declaration = Declaration<DifferenceMap>(
    "difference-map", "Maps the color difference of two pictures; 1 is a difference of 100.",
    swift: "picture.difference(from: other)",
    Parameter("by", \.formula, "the color difference formula", default: .ciede2000())
  ) { DifferenceMap(by: $0) }
}

extension Picture {
  /// Returns a gray picture of the color difference from `standard` at each pixel: linear 1 is a difference of 100.
  public func difference(
    from standard: Picture, by formula: ColorDifference = .ciede2000()
  ) -> Picture {
    standard.converted(to: formula.axes.space).applying(DifferenceMap(by: formula), with: [self])
      .tagged(as: .linearSRGB)
  }
}
