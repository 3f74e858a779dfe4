public import ColorSpaces
public import ImageBuffer

/// Adds a frame of one color around a picture; transparent pixels of the picture stay transparent.
struct ColoredPadding: CompoundFilter, RecipeFilter {
  let extent: PaddingExtent
  let color: ColorPoint

  init(_ extent: PaddingExtent, color: ColorPoint) throws(RecipeError) {
    (self.extent, self.color) = (extent, color)
    try Self.declaration.check(self)
    try extent.check()
    try color.checkFiniteLight()
  }

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    guard let region = extent.region(around: picture) else { return picture.failing(.endless) }
    let padded = picture.padded(to: region)
    guard padded.failure == nil, !picture.region.contains(region) else { return padded }
    let ground = Picture.constant(color, in: picture.space.holding(color)).cropped(to: region)
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
    "frame",
    "Adds a frame of one color so that a picture fills a region or a size, or has a border.",
    swift:
      "picture.padded(to: Region(x: -4, y: -3, width: 48, height: 36), "
      + "with: ColorPoint(0.2, 0.4, 0.6, in: .sRGB))",
    Parameter.paddingTarget(\.extent.target), Parameter.border(\.extent.border),
    Parameter(
      "color", \.color, "the color of the frame", sample: ColorPoint(0.2, 0.4, 0.6, in: .sRGB)),
    Parameter.keptColumn(\.extent.x, PaddingExtent.place),
    Parameter.keptRow(\.extent.y, PaddingExtent.place)
  ) { target, border, color, x, y throws(RecipeError) in
    try ColoredPadding(PaddingExtent(target, border: border, x: x, y: y), color: color)
  }.with(.moves, .addsColor)
    .keepingGray { $0.color.isGray }
}

extension Picture {
  /// Returns this picture padded with a color to fill `region`; where the region is smaller, the picture is cropped.
  /// Transparent pixels of the picture stay transparent. With a color around a gray picture, the result is in the RGB space of its primaries.
  public func padded(to region: Region, with color: ColorPoint) -> Picture {
    applying { () throws(RecipeError) in
      try ColoredPadding(PaddingExtent(.region(region)), color: color)
    }
  }

  /// Returns this picture padded with a color to a size; where the size is smaller, the picture is cropped.
  /// The pixels keep their positions, and transparent ones stay transparent.
  ///
  /// - Parameters:
  ///   - size: The size of the result.
  ///   - color: The color of the added pixels.
  ///   - x: Where the picture lies in the width: 0 at the left, 0.5 in the middle, 1 at the right.
  ///   - y: Where the picture lies in the height: 0 at the top, 0.5 in the middle, 1 at the bottom.
  public func padded(
    to size: PixelSize, with color: ColorPoint, x: Double = 0.5, y: Double = 0.5
  ) -> Picture {
    applying { () throws(RecipeError) in
      try ColoredPadding(PaddingExtent(.size(size), x: x, y: y), color: color)
    }
  }

  /// Returns this picture with a border of one color: of `x` pixels at the left and the right, and of `y` pixels, by default as many, at the
  /// top and the bottom. The pixels keep their positions, and transparent ones stay transparent.
  public func padded(by x: Int, _ y: Int? = nil, with color: ColorPoint) -> Picture {
    applying { () throws(RecipeError) in
      try ColoredPadding(PaddingExtent(nil, border: Border(x: x, y: y ?? x)), color: color)
    }
  }
}
