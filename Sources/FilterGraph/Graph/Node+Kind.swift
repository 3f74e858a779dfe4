internal import ColorSpaces
internal import ImageBuffer

/// Queries on a node. They keep the cases of ``Node/Kind`` local to plans and the reference evaluator.
extension Node {
  /// The nodes it reads.
  var inputs: [Node] {
    switch kind {
    case .source, .rows, .painted: []
    case .point(let input, _), .area(let input, _), .window(let input, _), .measured(let input, _),
      .tagged(let input), .stored(let input, _), .cached(let input, _):
      [input]
    case .blend(let inputs, _), .areaBlend(let inputs, _): inputs
    }
  }

  /// Returns a node of the same kind with other inputs, as many as this one has.
  ///
  /// A point node takes the region of its new input, an area filter the size it computes from the input's size; nodes
  /// of several inputs and windows keep their region. A cache keeps the pixels of the new node separately.
  ///
  /// - Returns: The node, or nil where an area filter rejects the size of its new input.
  func replacing(inputs: [Node]) -> Node? {
    precondition(inputs.count == self.inputs.count, "A node reads as many inputs as before.")
    guard let input = inputs.first else { return self }
    switch kind {
    case .source, .rows, .painted: return self
    case .point(_, let program): return with(.point(input, program), input.region)
    case .measured(_, let measured): return with(.measured(input, measured), input.region)
    case .tagged: return with(.tagged(input), input.region)
    case .stored(_, let format): return with(.stored(input, format), input.region)
    case .cached(_, let share):
      return with(.cached(input, CacheShare(of: share.cache)), input.region)
    case .area(let before, let filter):
      if input.region == before.region { return with(.area(input, filter), region) }
      guard let size = try? filter.outputSize(for: input.region.size) else { return nil }
      return with(.area(input, filter), Region(size))
    case .window(_, let window): return with(.window(input, window), region)
    case .blend(_, let filter): return with(.blend(inputs, filter), region)
    case .areaBlend(_, let filter): return with(.areaBlend(inputs, filter), region)
    }
  }

  /// The bitmap of a source.
  var bitmap: AnyBitmap? { if case .source(let bitmap) = kind { bitmap } else { nil } }

  /// The row source of a source.
  var rowSource: (any RowSource)? { if case .rows(let source) = kind { source } else { nil } }

  /// The channels and the sample format of a source; nil for computed nodes.
  var samples: (channels: Channels, format: SampleFormat)? {
    if let bitmap { return (bitmap.channels, bitmap.format) }
    return rowSource?.pixelSamples
  }

  /// The point program.
  var program: PointProgram? { if case .point(_, let program) = kind { program } else { nil } }

  /// The point program that depends on a measurement.
  var measured: Measured? { if case .measured(_, let measured) = kind { measured } else { nil } }

  /// Returns the point program, measured where necessary if the options allow it.
  func program(_ options: RenderOptions) throws(RenderError) -> PointProgram? {
    if let measured { return try measured.program(options) }
    return program
  }

  /// Whether it assigns another space to its input's values.
  var isTag: Bool { if case .tagged = kind { true } else { false } }

  /// Whether plans can fuse it with its neighbors into one program: stages, measured stages and tags.
  var isPartOfProgram: Bool { program != nil || measured != nil || isTag }

  /// The area filter.
  var areaFilter: (any AreaFilter)? { if case .area(_, let filter) = kind { filter } else { nil } }

  /// The blend filter.
  var blendFilter: (any BlendFilter)? {
    if case .blend(_, let filter) = kind { filter } else { nil }
  }

  /// The window.
  var window: Window? { if case .window(_, let window) = kind { window } else { nil } }

  /// The sample format to which it quantizes.
  var storedFormat: SampleFormat? { if case .stored(_, let format) = kind { format } else { nil } }

  /// Whether a cache keeps its pixels.
  var isCached: Bool { if case .cached = kind { true } else { false } }

  /// The node without any caches around it.
  var withoutCache: Node { isCached ? inputs[0] : self }
}
