internal import ColorSpaces
public import ImageBuffer

extension Picture {
  /// Returns the picture decoded with fewer pixels, at least as wide and as high as `size`; the picture itself where
  /// its source cannot.
  ///
  /// JPEG decoders can skip the highest frequencies, which saves most of their work. They average encoded values, not
  /// linear light, so the result is close but not equal to that of ``resized(to:by:limitsRinging:x:y:)``: ask for twice the
  /// final size, and resize the result. Only point filters, such as conversions and tone curves, and area filters that
  /// are independent of the resolution, such as turns and flips, may lie between the source and this step
  /// (``AreaFilter/inputSize(forAtLeast:)``), and ``flattened(onto:)`` of a picture without alpha, which shows nothing of the color; behind
  /// other steps nothing is reduced.
  ///
  /// Where a side of the file is no multiple of the reduction, the last column or row is decoded in part. A resize of this picture, or
  /// of its turns and reflections, to another size counts that part alone, so that its pixels lie where those of the whole picture lie. Other
  /// filters count it as a whole pixel.
  public func reduced(toAtLeast size: PixelSize) -> Picture {
    applying(ReducedSource(size: size))
  }
}

/// A source that was reduced by a whole factor: its last column and row stand for fewer of the whole picture's where a side of that is
/// no multiple of the factor.
package protocol ReducedRowSource: RowSource {
  /// The size of the whole picture.
  var wholeSize: PixelSize { get }
  /// How many of its columns and rows a pixel stands for.
  var reduction: Int { get }
}

/// The filter that reduces a picture's source where it can.
struct ReducedSource: CompoundFilter, RecipeFilter {
  var size: PixelSize

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    picture.attempting { () throws(RecipeError) in
      guard let node = try picture.node.reduced(toAtLeast: size) else { return picture }
      return Picture(node, origin: picture.origin, failure: picture.failure)
    }
  }

  static let declaration = Declaration<ReducedSource>(
    "reduce-source", "Decodes the source in fewer pixels where it can, as JPEG files can.",
    keepsGray: true, swift: "picture.reduced(toAtLeast: PixelSize(20, 15))",
    Parameter(
      "to-at-least", \.size, "the size that is needed at least", unit: "pixels",
      sample: PixelSize(20, 15))
  ) { ReducedSource(size: $0) }.with(.moves)
}

extension Node {
  /// Returns the same steps over a reduced source; nil where a step or the source prevents it. Throws where the reduced
  /// source has no pixels.
  fileprivate func reduced(toAtLeast size: PixelSize) throws(RecipeError) -> Node? {
    var size = size
    let chain = chain { node in
      if node.program != nil || node.isTag || node.isCached { return .descend }
      if let layer = node.coveringLayer { return .replace(layer) }
      guard let input = node.areaFilter?.inputSize(forAtLeast: size) else { return .end }
      size = input
      return .descend
    }
    guard let fewer = chain.end.rowSource?.reduced(toAtLeast: size) else { return nil }
    try fewer.size.checkNotEmpty()
    return chain.moved(onto: chain.end.with(.rows(fewer), Region(fewer.size)))
  }
}
