public import ColorSpaces
internal import ImageBuffer

/// A picture on a ground of one color, opaque.
struct Flatten: CompoundFilter, RecipeFilter {
  var color: ColorPoint

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    let ground = Picture.constant(color, in: picture.space)
    return picture.composited(
      onto: picture.isEndless ? ground : ground.cropped(to: picture.region))
  }

  static let recipeForm = RecipeForm<Flatten>("flatten", RecipeField("onto", \.color)) {
    Flatten(color: $0)
  }
}

extension Picture {
  /// This picture on a ground of one color: for files and printers that know no coverage. Amounts of light are mixed.
  public func flattened(onto color: ColorPoint) -> Picture { applying(Flatten(color: color)) }
}
