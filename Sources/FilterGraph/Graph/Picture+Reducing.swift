internal import ColorSpaces
public import ImageBuffer

extension RowSource {
  /// Nothing: the source has its pixels and no others.
  public func reduced(toAtLeast size: PixelSize) -> (any RowSource)? { nil }
}

extension Picture {
  /// This picture as its source gives it in fewer pixels, at least as wide and as high as `size`; itself where it cannot.
  ///
  /// JPEG decoders can leave out the finest detail, which saves most of their work. They average encoded values, not linear light, so the
  /// result is close to that of ``resized(to:by:limitsRinging:)``, but not equal: ask for twice the pixels that are needed in the end, and
  /// let a resize do the rest. Only point filters, such as conversions and tone curves, and orientation may lie between the source and this
  /// step; behind other steps nothing is reduced.
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
    var (node, size) = (self, size)
    var steps: [(Node) -> Node] = []
    // Down to the source, and up again from another one.
    while true {
      let step = node
      switch step.kind {
      case .rows(let source):
        guard let fewer = source.reduced(toAtLeast: size) else { return nil }
        return steps.reversed().reduce(step.with(.rows(fewer), Region(fewer.size))) { $1($0) }
      case .point(let input, let program):
        steps.append { step.with(.point($0, program), $0.region) }
        node = input
      case .tagged(let input):
        steps.append { step.with(.tagged($0), $0.region) }
        node = input
      case .cached(let input, let share):
        steps.append { step.with(.cached($0, CacheShare(of: share.cache)), $0.region) }
        node = input
      case .area(let input, let filter as Orient):
        let orientation = filter.orientation
        steps.append { input in
          step.with(
            .area(input, filter), Region(orientation.uprightSize(of: input.region.size)))
        }
        (node, size) = (input, orientation.uprightSize(of: size))
      default: return nil
      }
    }
  }
}
