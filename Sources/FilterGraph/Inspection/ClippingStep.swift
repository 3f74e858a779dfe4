internal import ColorSpaces
internal import ImageBuffer

/// A gamut mapping, a clamp, an encoding that clamps or a store of integers in a graph, with the picture before it and after it.
struct ClippingStep {
  /// The name of the stage in plans.
  let name: String
  let before, after: Picture
  /// The linear light that it keeps, up to rounding.
  let kept: KeptRange
}

/// Finds the clipping steps that each picture of a pipeline adds to those before it.
struct ClippingSearch {
  /// A stage of a program. The programs of a pipeline's pictures begin with the same stages on the same node.
  private struct Place: Hashable {
    let input: ObjectIdentifier
    let stages: [String]
  }

  private var nodes: Set<ObjectIdentifier> = []
  private var places: Set<Place> = []

  /// Returns the clipping steps of a picture that no earlier picture has, in the order of evaluation.
  ///
  /// Only the first input of each node is searched: layers and masks are other pictures, whose colors are not those of the pipeline.
  mutating func steps(addedBy picture: Picture) -> [ClippingStep] {
    var added: [Node] = []
    visitUpwards(to: picture.node, isVisited: { nodes.contains(ObjectIdentifier($0)) }) {
      Array($0.inputs.prefix(1))
    } visit: { node in
      nodes.insert(ObjectIdentifier(node))
      added.append(node)
    }
    return added.flatMap { steps(of: $0, in: picture) }
  }

  private mutating func steps(of node: Node, in picture: Picture) -> [ClippingStep] {
    if let format = node.storedFormat {
      let before = picture.with(node.inputs[0])
      return before.rangeKept(by: format).map {
        [
          ClippingStep(
            name: "store as \(format)", before: before, after: picture.with(node),
            kept: KeptRange($0))
        ]
      } ?? []
    }
    guard let program = node.program else { return [] }
    let (stages, forms) = (program.stages, node.forms(of: program))
    return stages.indices.compactMap { index in
      guard let kept = stages[index].rangeKept(in: forms[index].space) else { return nil }
      let place = Place(
        input: ObjectIdentifier(node.inputs[0]), stages: stages[...index].map(\.description))
      guard places.insert(place).inserted else { return nil }
      func part(_ count: Int) -> Picture {
        picture.with(node.part(of: count, stages, forms))
      }
      return ClippingStep(
        name: "\(stages[index])", before: part(index), after: part(index + 1), kept: kept)
    }
  }
}

extension Node {
  /// The picture after the first `count` stages of this node's program.
  fileprivate func part(
    of count: Int, _ stages: [PointProgram.Stage], _ forms: [PixelForm]
  ) -> Node {
    if count == 0 { return inputs[0] }
    let end = forms[count - 1]
    return Node(
      .point(inputs[0], PointProgram(Array(stages[..<count]))), region: region,
      hasAlpha: hasAlpha, in: end.space, end.state, stageForms: Array(forms[..<count]))
  }
}

extension PointProgram.Stage {
  /// The linear light that it keeps where it brings all colors into a gamut or a range; nil for other stages.
  ///
  /// The encoding of `space` is one of them where its transfer function clamps. Of a filter's own encodings, the picture between them
  /// could not be compared.
  fileprivate func rangeKept(in space: ColorSpace) -> KeptRange? {
    switch self {
    case .clamp: KeptRange(0...1)
    case .encode(let transfer): transfer == space.transfer ? transfer.keptRange : nil
    case .gamut(let stage):
      switch stage.change {
      case .clip, .search, .trace, .soften: KeptRange(0...1)
      case .compress(_, let clips): clips ? KeptRange(0...1) : nil
      case .expand: nil
      }
    default: nil
    }
  }
}

extension Picture {
  /// The linear values that integers keep, up to rounding; nil for other formats, and for spaces without a curve for each channel.
  fileprivate func rangeKept(by format: SampleFormat) -> ClosedRange<Double>? {
    guard format == .uint8 || format == .uint16 else { return nil }
    let curve: Curve?
    switch state.light {
    case .linear: curve = TransferFunction.linear.curves?.decoding
    case .encoded: curve = space.transfer.curves?.decoding
    case .perceptual: curve = TransferFunction.gamma(2).curves?.decoding
    }
    guard let curve else { return nil }
    let half = 0.5 / (format == .uint8 ? 255 : 65_535)
    let (low, high) = (curve(-half), curve(1 + half))
    return low < high ? low...high : nil
  }
}
