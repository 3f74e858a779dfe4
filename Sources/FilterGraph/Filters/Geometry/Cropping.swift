internal import ColorSpaces
public import ImageBuffer

/// Keeps the part of a picture inside of a region.
struct Cropping: CompoundFilter, RecipeFilter {
  var region: Region

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    let part = picture.region.intersection(region)
    guard part.width > 0, part.height > 0 else {
      return picture.failing(
        region.isEmpty
          ? .emptySize(width: region.width, height: region.height)
          : .regionOutside(region, picture: picture.region))
    }
    return picture.window(on: part, edges: .clear)
  }

  static let declaration = Declaration<Cropping>(
    "crop", "Keeps the part of a picture inside of a region.",
    keepsGray: true, swift: "picture.cropped(to: Region(x: 6, y: 4, width: 24, height: 18))",
    Parameter(
      "to", \.writtenRegion,
      "the region to keep: left, top, width and height; it is cut at the picture's edges",
      unit: "pixels", sample: Region(x: 6, y: 4, width: 24, height: 18))
  ) { region throws(RecipeError) in
    try region.size.checkNotEmpty()
    return Cropping(region: region)
  }.with(.moves)

  /// The part of the region that a picture can have, which recipes hold however far the region itself reaches. All others
  /// are written as they are.
  private var writtenRegion: Region {
    let part = region.intersection(.everywhere)
    let isFar = uncountable([region.x, region.y, region.width, region.height]) != nil
    return isFar && !part.isEmpty ? part : region
  }
}

extension PixelSize {
  /// Throws if the region is empty.
  func checkNotEmpty() throws(RecipeError) {
    guard width > 0, height > 0 else { throw .emptySize(width: width, height: height) }
  }
}

/// Extends a picture infinitely in all directions.
struct Extension: CompoundFilter, RecipeFilter {
  var edges: Edges

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    picture.window(on: .everywhere, edges: edges)
  }

  static let declaration = Declaration<Extension>(
    "extend", "Extends a picture to infinite extent in all directions.",
    keepsGray: true, swift: "picture.extended(by: .mirrored)",
    Parameter("by", \.edges, "what the added pixels show", sample: .mirrored)
  ) { Extension(edges: $0) }.with(.moves)
}

/// Translates a picture by whole pixels.
struct Translation: CompoundFilter, RecipeFilter {
  var offset: Offset

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    Picture(picture.node, origin: picture.origin + offset, failure: picture.failure)
  }

  static let declaration = Declaration<Translation>(
    "move", "Moves a picture by whole pixels.",
    keepsGray: true, swift: "picture.moved(by: Offset(5, 3))",
    Parameter(
      "by", \.offset, "how far to the right and down", unit: "pixels", sample: Offset(5, 3))
  ) { Translation(offset: $0) }.with(.moves)
}

/// Translates a picture so that its top left corner is at a position.
struct Placement: CompoundFilter, RecipeFilter {
  var corner: Offset

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    picture.isEndless
      ? picture.failing(.endless) : picture.moved(by: corner - picture.region.origin)
  }

  static let declaration = Declaration<Placement>(
    "place", "Moves a picture so that its upper left corner lies at a pixel.",
    keepsGray: true, swift: "picture.placed(at: Offset(5, 3))",
    Parameter(
      "at", \.corner, "the column and the row of the upper left corner", unit: "pixels",
      sample: Offset(5, 3))
  ) { Placement(corner: $0) }.with(.moves)
}

extension Picture {
  /// Returns the part of this picture inside of `region`. The pixels keep their positions: the part begins at the
  /// region's corner. A region that reaches beyond the picture is cut at its edges; one that lies wholly outside is an error of rendering.
  public func cropped(to region: Region) -> Picture { applying(Cropping(region: region)) }

  /// Returns this picture extended infinitely, by its edge pixels, mirrored or tiled.
  public func extended(by edges: Edges) -> Picture { applying(Extension(edges: edges)) }

  /// Returns this picture translated by whole pixels. The position matters when pictures are blended.
  public func moved(by offset: Offset) -> Picture { applying(Translation(offset: offset)) }

  /// Returns this picture with its top left corner at `corner`.
  public func placed(at corner: Offset) -> Picture { applying(Placement(corner: corner)) }
}
