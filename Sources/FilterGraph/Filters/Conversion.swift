internal import ColorSpaces

/// The same colors in another space: ``Picture/converted(to:)`` in recipes.
struct Conversion: RecipeFilter {
  var space: ColorSpace

  init(to space: ColorSpace) { self.space = space }

  func picture(of inputs: [Picture]) -> Picture { inputs[0].converted(to: space) }

  static let recipeForm = RecipeForm<Conversion>("convert", RecipeField("to", \.space)) {
    Conversion(to: $0)
  }

  static var recipeInputs: ClosedRange<Int> { 1...1 }
}

/// The same numbers, read as those of another space: ``Picture/tagged(as:)`` in recipes.
struct Retagging: RecipeFilter {
  var space: ColorSpace

  init(as space: ColorSpace) { self.space = space }

  func picture(of inputs: [Picture]) -> Picture { inputs[0].tagged(as: space) }

  static let recipeForm = RecipeForm<Retagging>("tag", RecipeField("as", \.space)) {
    Retagging(as: $0)
  }

  static var recipeInputs: ClosedRange<Int> { 1...1 }
}
