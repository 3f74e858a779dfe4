public import ColorSpaces

/// Maps the color difference of two pictures in the space of the formula, the standard first: a hundredth of it at each pixel, in all three
/// channels.
///
/// Pixels that are transparent in both pictures count as equal, whatever their colors.
package struct DifferenceMap: BlendFilter {
  private let program: PairProgram<ColorDifference>

  /// Creates a map of differences by the given formula.
  package init(by formula: ColorDifference = .ciede2000()) {
    program = PairProgram(formula) { .differenceMap(by: formula) }
  }

  /// The color difference formula.
  package var formula: ColorDifference { program.definition }

  /// Encoded, as the formula's space has its coordinates.
  package var domain: PixelDomain { .encoded }

  /// The pixels that both pictures have.
  package var extent: BlendExtent { .intersection }

  /// False: the map is opaque.
  package func hasAlpha(_ inputs: [Bool]) -> Bool { false }

  /// Returns the difference, times the larger alpha.
  package func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    SIMD4(SIMD3(repeating: formula.mapped(inputs[0], inputs[1])), 1)
  }

  /// Computes row by row, by the kernels.
  package func render(into output: Tile, from inputs: [Tile]) {
    program.render(into: output, from: inputs)
  }
}

extension DifferenceMap: CustomStringConvertible {
  /// The text of this step in plans, with the color difference formula.
  package var description: String { "difference by \(formula)" }
}

/// Maps the color difference of two pictures in any spaces.
struct DifferenceMapCompound: CompoundFilter, RecipeFilter {
  let formula: ColorDifference

  init(by formula: ColorDifference) throws(RecipeError) {
    try formula.check()
    self.formula = formula
  }

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    others[0].converted(to: formula.axes.space)
      .applying(DifferenceMap(by: formula), with: [picture]).tagged(as: .linearSRGB)
  }

  static let declaration = Declaration<DifferenceMapCompound>(
    "difference-map",
    "Maps the color difference from a second picture; linear 1 is a difference of 100.",
    keepsGray: true, swift: "picture.difference(from: other)",
    Parameter("by", \.formula, "the color difference formula", default: .ciede2000())
  ) { formula throws(RecipeError) in try DifferenceMapCompound(by: formula) }

  static var recipeInputs: ClosedRange<Int> { 2...2 }
}

extension Picture {
  /// Returns a gray picture of the color difference from `standard` at each pixel: linear 1 is a difference of 100.
  ///
  /// A formula whose weights are out of range is an error of type ``RecipeError`` when the picture is rendered.
  public func difference(
    from standard: Picture, by formula: ColorDifference = .ciede2000()
  ) -> Picture {
    applying(with: [standard]) { () throws(RecipeError) in
      try DifferenceMapCompound(by: formula)
    }
  }
}

extension ColorDifference {
  /// Throws for a weight that makes differences infinite, negative or NaN.
  func check() throws(RecipeError) {
    try recipeChecked { () throws(ColorError) in try checkWeights() }
  }
}
