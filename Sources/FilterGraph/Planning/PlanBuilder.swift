internal import ColorSpaces
internal import ImageBuffer

/// The same filter, painter or window over the same steps computes the same.
private struct StepKey: Hashable {
  let work: AnyHashable
  let inputs: [Int]
  let region: Region
  let planeCount: Int

  init(_ work: AnyHashable, _ inputs: [Int] = [], of node: Node) {
    (self.work, self.inputs, region) = (work, inputs, node.region)
    planeCount = node.planeCount
  }
}

/// A program over a step, stored in a format or not, and the step that computes it.
private struct KnownProgram {
  let program: PointProgram
  let input: Int
  let region: Region
  let planeCount: Int
  let storage: SampleFormat?
  let step: Int

  func isSame(as other: KnownProgram) -> Bool {
    input == other.input && region == other.region && planeCount == other.planeCount
      && storage == other.storage && program.isSame(as: other.program)
  }
}

/// A source, read from a pixel on.
private struct SourcePart: Hashable {
  let source: ObjectIdentifier
  let offset: Offset
}

/// Makes steps of nodes.
struct PlanBuilder {
  private(set) var steps: [Step] = []

  /// What must be measured first.
  private(set) var measurements: [Measured] = []
  /// How often each law acted.
  private(set) var laws: [Law: Int] = [:]

  private let options: RenderOptions
  private var known: [ObjectIdentifier: Int] = [:]
  private var knownSteps: [StepKey: Int] = [:]
  private var knownPrograms: [KnownProgram] = []
  // Nodes that a law made live as long as the builder, because they are known by their identity.
  private var lawful: [ObjectIdentifier: Node] = [:]

  init(options: RenderOptions) { self.options = options }

  mutating func index(of node: Node) throws(RenderError) -> Int {
    try visitUpwards(to: node, isVisited: { known[ObjectIdentifier($0)] != nil }) {
      inputs(of: $0)
    } visit: { node throws(RenderError) in
      known[ObjectIdentifier(node)] = try addSteps(for: node)
    }
    guard let index = known[ObjectIdentifier(node)] else {
      preconditionFailure("A node was visited and got no step.")
    }
    return index
  }

  private mutating func indices(of nodes: [Node]) throws(RenderError) -> [Int] {
    var indices: [Int] = []
    for node in nodes { indices.append(try index(of: node)) }
    return indices
  }

  /// The nodes whose steps the one for `node` reads.
  private mutating func inputs(of node: Node) -> [Node] {
    if let lawful = lawful(node) { return [lawful] }
    return switch node.kind {
    case .point, .measured, .tagged: [flattened(node).end]
    case .stored(let input, let format) where format != .float32: [flattened(input).end]
    // A part of a bitmap is read from the bitmap itself.
    case .window(let input, let window) where window.edges == nil && input.bitmap != nil: []
    default: node.inputs
    }
  }

  private mutating func addSteps(for node: Node) throws(RenderError) -> Int {
    if let lawful = lawful(node) { return try index(of: lawful) }
    switch node.kind {
    case .source(let bitmap): return append(Step(.source(bitmap, .zero), inputs: [], of: node))
    case .rows(let source): return append(Step(.rows(source), inputs: [], of: node))
    case .painted(let painter):
      return append(StepKey(AnyHashable(painter), of: node)) {
        Step(.painted(painter), inputs: [], of: node)
      }
    case .point, .measured, .tagged: return try addProgram(for: node)
    case .area(let input, let filter):
      for node in [input, node] { try node.checkSize(options) }
      let index = try index(of: input)
      return append(StepKey(AnyHashable(filter), [index], of: node)) {
        Step(.area(AreaStep(filter, input: input.region.size)), inputs: [index], of: node)
      }
    case .areaBlend(let inputs, let filter):
      // All inputs have the size of the result.
      try node.checkSize(options)
      let indices = try indices(of: inputs)
      return append(StepKey(AnyHashable(filter), indices, of: node)) {
        Step(.area(AreaStep(filter, inputs: node.region.size)), inputs: indices, of: node)
      }
    case .window(let input, let window): return try addWindow(window, on: input, for: node)
    case .blend(let inputs, let filter):
      let indices = try indices(of: inputs)
      return append(StepKey(AnyHashable(filter), indices, of: node)) {
        Step(.blend(filter), inputs: indices, of: node)
      }
    case .stored(let input, let format): return try addStore(of: input, as: format, for: node)
    case .cached(let input, let share):
      let index = try index(of: input)
      let grid = CacheGrid(share, of: input, computedBy: steps, index: index)
      return append(Step(.cached(grid), inputs: [index], of: node))
    }
  }

  /// Adds the program of all point filters, measurements and tags up to a node; a step for each stage where the options ask for it.
  private mutating func addProgram(for node: Node) throws(RenderError) -> Int {
    let (program, input) = try simplifiedProgram(endingAt: node)
    let stages = program.program.stages
    guard options.uses(.passes) else {
      var index = input
      for (stage, form) in zip(stages, program.forms) {
        index = append(PointProgram([stage]), forms: [form], after: index, of: node)
      }
      steps[index].append(program.notes.map(\.note))
      return index
    }
    if stages.count > 1 { laws[.passes, default: 0] += stages.count - 1 }
    return append(
      program.program, forms: program.forms, notes: program.notes, after: input, of: node)
  }

  /// Adds a window, or for a part of a bitmap the source that reads it.
  private mutating func addWindow(
    _ window: Window, on input: Node, for node: Node
  ) throws(RenderError) -> Int {
    if let bitmap = input.bitmap, window.edges == nil {
      let part = SourcePart(source: ObjectIdentifier(input), offset: window.offset)
      return append(StepKey(part, of: node)) {
        Step(.source(bitmap, window.offset), inputs: [], of: node)
      }
    }
    let index = try index(of: input)
    return append(StepKey(window, [index], of: node)) {
      Step(.window(window), inputs: [index], of: node)
    }
  }

  /// Adds the rounding to a format, with the program before it.
  private mutating func addStore(
    of input: Node, as format: SampleFormat, for node: Node
  ) throws(RenderError) -> Int {
    if format == .float32 {
      // Tiles hold nothing else.
      let index = try index(of: input)
      steps[index].append([.stored(.float32)])
      return index
    }
    let (program, index) = try simplifiedProgram(endingAt: input)
    return append(
      program.program, storedAs: format, forms: program.forms, notes: program.notes, after: index,
      of: node)
  }

  /// The program of all point filters, measurements and tags up to a node, after the laws, and the step that it reads.
  private mutating func simplifiedProgram(
    endingAt node: Node
  ) throws(RenderError) -> (program: FlatProgram, input: Int) {
    let chain = flattened(node)
    var program = try program(of: chain.members)
    program.simplify(options, counting: &laws)
    return (program, try index(of: chain.end))
  }

  private mutating func append(_ step: Step) -> Int {
    steps.append(step)
    return steps.count - 1
  }

  /// Programs, measurements, tags and crops of them up to a node, the last one first, and the first node before it that is none of
  /// these.
  private mutating func flattened(_ node: Node) -> NodeChain {
    node.chain { node in
      if let lawful = lawful(node) { return .replace(lawful) }
      return node.isPartOfProgram ? .descend : .end
    }
  }

  /// What nodes do to each pixel by itself, with their measurements made where the options allow it.
  private mutating func program(of members: [Node]) throws(RenderError) -> FlatProgram {
    var program = FlatProgram()
    for member in members.reversed() {
      try program.append(member, options)
      if let measured = member.measured, !measured.isKnown,
        !measurements.contains(where: { $0 === measured })
      {
        measurements.append(measured)
      }
    }
    return program
  }

  /// What a law makes of a node, if one does: a crop where the law of crops puts it, channels joined by that of channels.
  private mutating func lawful(_ node: Node) -> Node? {
    if let known = lawful[ObjectIdentifier(node)] { return known }
    var made: Node?
    if options.uses(.crops), node.window != nil {
      let input = options.uses(.channels) ? node.inputs[0].withChannelsFused : node.inputs[0]
      made = node.window(pushedThrough: input)
      if made != nil { laws[.crops, default: 0] += 1 }
      if made != nil, input !== node.inputs[0] { laws[.channels, default: 0] += 1 }
    }
    if made == nil, options.uses(.channels) {
      made = node.channelsFused
      if made != nil { laws[.channels, default: 0] += 1 }
    }
    lawful[ObjectIdentifier(node)] = made
    return made
  }

  /// Appends a step, or returns the index of an equal one.
  private mutating func append(_ key: StepKey, _ step: () -> Step) -> Int {
    guard options.uses(.sharing) else { return append(step()) }
    if let known = knownSteps[key] {
      laws[.sharing, default: 0] += 1
      return known
    }
    let index = append(step())
    knownSteps[key] = index
    return index
  }

  private mutating func append(
    _ program: PointProgram, storedAs format: SampleFormat? = nil, forms: [PixelForm],
    notes: [(position: Int, note: StepNote)] = [], after index: Int, of node: Node
  ) -> Int {
    if program.stages.isEmpty, format == nil {
      steps[index].append(notes.map(\.note))
      return index
    }
    let made = KnownProgram(
      program: program, input: index, region: node.region, planeCount: node.planeCount,
      storage: format, step: steps.count)
    if options.uses(.sharing), let known = knownPrograms.first(where: { $0.isSame(as: made) }) {
      laws[.sharing, default: 0] += 1
      steps[known.step].append(notes.map(\.note))
      return known.step
    }
    knownPrograms.append(made)
    return append(
      Step(
        .point(LoweredProgram(program)), inputs: [index], of: node, storedAs: format, forms: forms,
        notes: notes))
  }
}
