package import ColorSpaces

/// Converts colors to another space: ``Picture/converted(to:)`` in recipes.
struct Conversion: RecipeFilter {
  var space: ColorSpace

  init(to space: ColorSpace) { self.space = space }

  func picture(of inputs: [Picture]) -> Picture { inputs[0].converted(to: space) }

  static let declaration = Declaration<Conversion>(
    "convert", "Converts colors to another color space.",
    swift: "picture.converted(to: .rec2020)",
    Parameter("to", \.space, "the color space to convert to", sample: .rec2020)
  ) { Conversion(to: $0) }.with(.converts).keepingGray { $0.space.graysHaveEqualChannels }

  static var recipeInputs: ClosedRange<Int> { 1...1 }
}

/// Assigns another space to the same values: ``Picture/tagged(as:)`` in recipes.
package struct Retagging: RecipeFilter {
  package var space: ColorSpace

  package init(as space: ColorSpace) { self.space = space }

  package func picture(of inputs: [Picture]) -> Picture { inputs[0].tagged(as: space) }

  package static let declaration = Declaration<Retagging>(
    "tag", "Assigns a color space, or that of a profile, without changing any value.",
    swift: "picture.tagged(as: .adobeRGB)",
    Parameter("as", \.space, "the color space that the values belong to", sample: .adobeRGB)
  ) { Retagging(as: $0) }.keepingGray { $0.space.graysHaveEqualChannels }

  package static var recipeInputs: ClosedRange<Int> { 1...1 }
}
