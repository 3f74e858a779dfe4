public import ColorSpaces
public import ImageBuffer

/// Adds a frame of one color around a picture; transparent pixels of the picture stay transparent.
struct ColoredPadding: CompoundFilter, RecipeFilter {
  var region: Region
  var color: ColorPoint

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    let padded = picture.padded(to: region)
    guard padded.failure == nil, !picture.region.contains(region) else { return padded }
    let ground = Picture.constant(color, in: picture.space).cropped(to: region)
    if !picture.hasAlpha { return padded.composited(onto: ground) }
    let inside = picture.region.intersection(region)
    if inside.width < 1 || inside.height < 1 { return ground }
    let mask = Picture.constant(
      ColorPoint(.one, in: picture.space.linear), in: picture.space.linear
    )
    .cropped(to: inside)
    return ground.applying(MaskBlend(by: .alpha), with: [padded, mask])
  }

  static let declaration = Declaration<ColoredPadding>(
    "frame", "Adds a frame of one color so that a picture fills a region.",
    swift:
      "picture.padded(to: Region(x: -4, y: -3, width: 48, height: 36), "
      + "with: ColorPoint(0.2, 0.4, 0.6, in: .sRGB))",
    Parameter(
      "to", \.region, "the region to fill: left, top, width and height", unit: "pixels",
      sample: Region(x: -4, y: -3, width: 48, height: 36)),
    Parameter(
      "color", \.color, "the color of the frame", sample: ColorPoint(0.2, 0.4, 0.6, in: .sRGB))
  ) { ColoredPadding(region: $0, color: $1) }.with(.moves, .addsColor)
    .keepingGray { $0.color.isGray }
}

extension Picture {
  /// Returns this picture padded with a color to fill `region`; where the region is smaller, the picture is cropped.
  /// Transparent pixels of the picture stay transparent.
  public func padded(to region: Region, with color: ColorPoint) -> Picture {
    applying(ColoredPadding(region: region, color: color))
  }
}
