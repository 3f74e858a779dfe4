public import ColorSpaces
internal import ImageBuffer

/// Composites a picture over an opaque color.
struct Flattening: CompoundFilter, RecipeFilter {
  var color: ColorPoint

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    let ground = Picture.constant(color, in: picture.space.holding(color))
    return picture.composited(
      onto: picture.isEndless ? ground : ground.cropped(to: picture.region))
  }

  static let declaration = Declaration<Flattening>(
    "flatten", "Composites a picture over a color, in linear light.",
    swift: "picture.flattened(onto: ColorPoint(0.2, 0.4, 0.6, in: .sRGB))",
    Parameter(
      "onto", \.color, "the color behind the picture",
      sample: ColorPoint(0.2, 0.4, 0.6, in: .sRGB))
  ) { Flattening(color: $0) }.keepingGray { $0.color.isGray }
}

extension Picture {
  /// Returns this picture composited over a color in linear light, for formats and printers without alpha.
  ///
  /// With a color behind a gray picture, the result is in the RGB space of its primaries.
  public func flattened(onto color: ColorPoint) -> Picture { applying(Flattening(color: color)) }
}

extension Node {
  /// The layer of a composite that hides the backdrop everywhere, as a picture without alpha does when it is flattened; nil for other nodes.
  ///
  /// The layer's values are those of the composite: both have the same space, encoding and region.
  var coveringLayer: Node? {
    guard case .blend(let inputs, let filter) = kind, let composite = filter as? Composite,
      composite.operator == .sourceOver, composite.mode == .normal, inputs.count == 2
    else { return nil }
    let layer = inputs[1]
    guard !layer.hasAlpha, layer.region == region, layer.space == space, layer.state == state
    else { return nil }
    return layer
  }
}
