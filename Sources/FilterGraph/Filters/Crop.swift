internal import ColorSpaces
public import ImageBuffer

/// The part of a picture inside of a region.
struct Crop: CompoundFilter, RecipeFilter {
  var region: Region

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    let part = picture.region.intersection(region)
    guard part.width > 0, part.height > 0 else {
      return picture.failing(.emptySize(width: part.width, height: part.height))
    }
    return picture.window(on: part, edges: .clear)
  }

  static let recipeForm = RecipeForm<Crop>("crop", RecipeField("to", \.region)) { Crop(region: $0) }
}

/// A picture with more pixels around it, or fewer.
struct Pad: CompoundFilter, RecipeFilter {
  var region: Region
  var edges: Edges

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    guard region.width > 0, region.height > 0 else {
      return picture.failing(.emptySize(width: region.width, height: region.height))
    }
    return picture.window(on: region, edges: edges)
  }

  static let recipeForm = RecipeForm<Pad>(
    "pad", RecipeField("to", \.region), RecipeField("edges", \.edges, default: .clear)
  ) { Pad(region: $0, edges: $1) }
}

/// A picture that goes on in all directions.
struct Extension: CompoundFilter, RecipeFilter {
  var edges: Edges

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    picture.window(on: .everywhere, edges: edges)
  }

  static let recipeForm = RecipeForm<Extension>("extend", RecipeField("by", \.edges)) {
    Extension(edges: $0)
  }
}

/// A picture somewhere else.
struct Move: CompoundFilter, RecipeFilter {
  var offset: Offset

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    Picture(picture.node, origin: picture.origin + offset, failure: picture.failure)
  }

  static let recipeForm = RecipeForm<Move>("move", RecipeField("by", \.offset)) {
    Move(offset: $0)
  }
}

/// A picture with its upper left corner somewhere.
struct Placement: CompoundFilter, RecipeFilter {
  var corner: Offset

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    picture.isEndless
      ? picture.failing(.endless) : picture.moved(by: corner - picture.region.origin)
  }

  static let recipeForm = RecipeForm<Placement>("place", RecipeField("at", \.corner)) {
    Placement(corner: $0)
  }
}

extension Picture {
  /// The part of this picture inside of `region`. The pixels stay where they are: the part begins at the region's corner.
  public func cropped(to region: Region) -> Picture { applying(Crop(region: region)) }

  /// This picture with more pixels around it, so that it fills `region`; where the region is smaller, it is cropped.
  public func padded(to region: Region, edges: Edges = .clear) -> Picture {
    applying(Pad(region: region, edges: edges))
  }

  /// This picture going on in all directions, by repeating its edge, mirroring it or as tiles.
  public func extended(by edges: Edges) -> Picture { applying(Extension(edges: edges)) }

  /// This picture somewhere else, in whole pixels: where it lies counts when pictures are blended.
  public func moved(by offset: Offset) -> Picture { applying(Move(offset: offset)) }

  /// This picture with its upper left corner at `corner`.
  public func placed(at corner: Offset) -> Picture { applying(Placement(corner: corner)) }
}
