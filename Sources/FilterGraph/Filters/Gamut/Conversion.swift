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
    .clamping(
      "The conversion itself clamps nothing. Where values are then encoded, when a picture is written or rendered and by filters that "
        + "work on encoded values, a transfer function with a floor clamps linear values below it, and one with a ceiling those above it. "
        + "Named spaces with a floor are those with the transfer functions \(namesOfFloors); pairs such as Rec. 709/Cineon and tables of "
        + "profiles can have one, too. trace counts the pixels that lose color there, except in ADX10 and ADX16."
    ) { $0.space.transfer.clampedRange != nil }

  /// The transfer functions of named spaces that have a floor.
  private static var namesOfFloors: String {
    var names: [String] = []
    for space in ColorSpace.all where space.transfer.clampedRange?.lowerBound.isFinite == true {
      if !names.contains(space.transfer.name) { names.append(space.transfer.name) }
    }
    return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
  }

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
