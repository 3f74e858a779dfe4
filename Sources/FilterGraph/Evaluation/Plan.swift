internal import ColorSpaces
internal import ImageBuffer

/// What will run: a recipe after the laws, with its programs lowered and its tables computed.
struct Plan: Sendable {
  let size: PixelSize
  /// Three, or four with alpha.
  let planeCount: Int
  let step: Step

  init(_ picture: Picture, options: RenderOptions) throws(RenderError) {
    if let failure = picture.failure { throw .recipe(failure) }
    size = picture.size
    planeCount = picture.hasAlpha ? 4 : 3
    step = try Step(picture.node.resolved(options), options: options)
  }

  /// The size of tiles when the caller has no wish: strips of whole rows where pixels stand alone, wide blocks where they need
  /// their neighbours, smaller ones where much is shrunk, so that a worker never holds more than some megapixels.
  var preferredTile: PixelSize {
    guard step.hasArea else { return PixelSize(size.width, max(1, (1 << 16) / size.width)) }
    var tile = PixelSize(min(size.width, 2048), min(size.height, 32))
    while tile.pixelCount > 1 {
      let input = step.largestInput(of: Region(tile))
      if input.pixelCount <= 1 << 20 { break }
      if tile.height == 1 || (tile.width > 1 && input.width > input.height) {
        tile.width = (tile.width + 1) / 2
      } else {
        tile.height = (tile.height + 1) / 2
      }
    }
    return tile
  }
}

/// One step of a plan.
indirect enum Step: Sendable {
  case source(AnyBitmap)
  case point(Step, LoweredProgram)
  case area(Step, AreaStep)

  init(_ node: Node, options: RenderOptions) throws(RenderError) {
    switch node {
    case .source(let bitmap): self = .source(bitmap)
    case .point(let input, let program):
      let step = try Step(input, options: options)
      self =
        switch options.fusion {
        case .full: step.followed(by: Laws.simplify(program))
        case .withoutLaws: step.followed(by: program)
        case .stageByStage: program.stages.reduce(step) { $0.followed(by: PointProgram([$1])) }
        }
    case .area(let input, let filter, let inputSize, let output):
      guard output.pixelCount <= options.pixelLimit else {
        throw .recipe(
          .tooManyPixels(width: output.width, height: output.height, limit: options.pixelLimit))
      }
      self = .area(
        try Step(input, options: options), AreaStep(filter, input: inputSize))
    case .measured: preconditionFailure("Measurements are resolved before a plan is made.")
    }
  }

  private func followed(by program: PointProgram) -> Step {
    program.stages.isEmpty ? self : .point(self, LoweredProgram(program))
  }

  /// The largest region that any area filter sees for a region of the result.
  func largestInput(of region: Region) -> PixelSize {
    switch self {
    case .source: return PixelSize(0, 0)
    case .point(let input, _): return input.largestInput(of: region)
    case .area(let input, let filter):
      let seen = filter.inputRegion(region).intersection(Region(filter.inputSize))
      let before = input.largestInput(of: seen)
      return before.pixelCount > seen.size.pixelCount ? before : seen.size
    }
  }

  var hasArea: Bool {
    switch self {
    case .source: false
    case .point(let input, _): input.hasArea
    case .area: true
    }
  }
}

extension Node {
  /// The same recipe with every measurement made, and what followed from it in its place.
  func resolved(_ options: RenderOptions) throws(RenderError) -> Node {
    switch self {
    case .source: return self
    case .measured(let input, let measured):
      return try Node.point(input, measured.program(options)).resolved(options)
    case .area(let input, let filter, let inputSize, let output):
      return .area(try input.resolved(options), filter, input: inputSize, output: output)
    case .point(let input, let program):
      let input = try input.resolved(options)
      guard case .point(let first, let before) = input else { return .point(input, program) }
      return .point(first, PointProgram(before.stages + program.stages))
    }
  }
}

/// An area filter with what it prepared, its types put aside.
struct AreaStep: Sendable {
  let inputSize: PixelSize
  let inputRegion: @Sendable (Region) -> Region
  let render: @Sendable (_ output: Tile, _ input: Tile) -> Void

  init<Filter: AreaFilter>(_ filter: Filter, input: PixelSize) {
    inputSize = input
    inputRegion = { filter.inputRegion(for: $0, of: input) }
    let preparation = filter.prepare(for: input)
    render = { filter.render(into: $0, from: $1, with: preparation) }
  }
}

extension Picture {
  /// What rendering will do, step by step, with the inserted conversions and after the laws: before anything is computed.
  public var plan: String { storedForm.explanation }

  private var explanation: String {
    if let failure { return "cannot run: \(failure)" }
    return explain(node).joined(separator: "\n")
  }
}

private func explain(_ node: Node) -> [String] {
  switch node {
  case .source(let bitmap):
    return ["load \(bitmap.size) \(bitmap.format) \(bitmap.channels) in \(bitmap.space)"]
  case .point(let input, let program):
    let stages = Laws.simplify(program).stages
    return explain(input) + (stages.isEmpty ? [] : [PointProgram(stages).description])
  case .area(let input, let filter, _, let output):
    return explain(input) + ["── \(filter) to \(output)"]
  case .measured(let input, let measured):
    return explain(input) + [measured.name]
  }
}
