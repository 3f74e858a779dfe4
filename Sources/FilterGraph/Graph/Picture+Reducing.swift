internal import ColorSpaces
public import ImageBuffer

extension Picture {
  /// This picture as its source gives it in fewer pixels, at least as wide and as high as `size`; itself where it cannot.
  ///
  /// JPEG decoders can leave out the finest detail, which saves most of their work. They average encoded values, not linear light, so the
  /// result is close to that of ``resized(to:by:limitsRinging:)``, but not equal: ask for twice the pixels that are needed in the end, and
  /// let a resize do the rest. Only point filters, such as conversions and tone curves, and area filters that mean the same at every
  /// resolution, such as ``Reorientation``, may lie between the source and this step (``AreaFilter/inputSize(forAtLeast:)``); behind other steps
  /// nothing is reduced.
  public func reduced(toAtLeast size: PixelSize) -> Picture {
    applying(ReducedSource(size: size))
  }
}

/// Has a picture decoded in fewer pixels where its source can.
struct ReducedSource: CompoundFilter, RecipeFilter {
  var size: PixelSize

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    guard let node = picture.node.reduced(toAtLeast: size) else { return picture }
    return Picture(node, origin: picture.origin, failure: picture.failure)
  }

  static let declaration = Declaration<ReducedSource>(
    "reduce-source", "Decodes the source in fewer pixels where it can, as JPEG files can.",
    swift: "picture.reduced(toAtLeast: PixelSize(20, 15))",
    Parameter(
      "to-at-least", \.size, "the size that is needed at least", unit: "pixels",
      sample: PixelSize(20, 15))
  ) { ReducedSource(size: $0) }
}

extension Node {
  /// The same steps behind a source of fewer pixels.
  fileprivate func reduced(toAtLeast size: PixelSize) -> Node? {
    var size = size
    let chain = chain { node in
      if node.program != nil || node.isTag || node.isCached { return .descend }
      guard let input = node.areaFilter?.inputSize(forAtLeast: size) else { return .end }
      size = input
      return .descend
    }
    guard let fewer = chain.end.rowSource?.reduced(toAtLeast: size) else { return nil }
    return chain.moved(onto: chain.end.with(.rows(fewer), Region(fewer.size)))
  }
}
