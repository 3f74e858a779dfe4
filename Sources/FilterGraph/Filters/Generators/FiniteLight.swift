internal import ColorSpaces

extension ColorPoint {
  /// Throws where linear light is infinite or NaN, as colors in recipes do: conversions would make NaN of all channels.
  func checkFiniteLight() throws(RecipeError) {
    guard !hasFiniteLight else { return }
    let values = (0..<3).map { inWords(components[$0]) }.joined(separator: ", ")
    throw .other(
      "A color needs finite linear light, at most 1e37 in each channel; got \(values) in \(space).")
  }
}

extension Picture {
  /// Returns this picture, which is painted in these colors, or failing where one of them has infinite linear light.
  func requiringFiniteLight(of colors: ColorPoint...) -> Picture {
    attempting { () throws(RecipeError) in
      for color in colors { try color.checkFiniteLight() }
      return self
    }
  }
}
