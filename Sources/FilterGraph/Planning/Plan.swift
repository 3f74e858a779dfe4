internal import ColorSpaces
internal import ImageBuffer

/// What will run: recipes after the laws, with their programs lowered and their tables computed.
///
/// Steps stand in the order in which a tile is computed, each after all that it reads. What several steps read is there once.
struct Plan: Sendable {
  let steps: [Step]
  /// The step of each picture that was asked for.
  let results: [Int]
  /// How many memories a worker needs.
  let slotCount: Int
  /// What must be measured before programs of the plan are known; empty where the plan was allowed to measure.
  let measurements: [Measured]
  /// How often each law acted; missing for those that did not.
  let laws: [Law: Int]

  /// The plan of steps that have no memories yet.
  init(
    _ steps: [Step], results: [Int], measurements: [Measured] = [], laws: [Law: Int] = [:]
  ) {
    var steps = steps
    slotCount = Self.giveMemories(to: &steps, results: results)
    Self.joinInkPrograms(to: &steps, results: results)
    (self.steps, self.results, self.measurements) = (steps, results, measurements)
    self.laws = laws
  }

  /// The plan that renders pictures; throws where one of them cannot be rendered.
  init(_ pictures: [Picture], options: RenderOptions) throws(RenderError) {
    for picture in pictures { try picture.checkRenders(options) }
    try self.init(of: pictures.map(\.node), options: options)
  }

  /// The plan that computes nodes, which may be infinite.
  init(of nodes: [Node], options: RenderOptions) throws(RenderError) {
    var builder = PlanBuilder(options: options)
    var results: [Int] = []
    for node in nodes { results.append(try builder.index(of: node)) }
    self.init(
      builder.steps, results: results, measurements: builder.measurements, laws: builder.laws)
  }
}

extension [Step] {
  /// What every step must compute so that each of `wanted` is there. Caches are asked for what they keep, and nothing before them,
  /// unless `throughCaches`. Reuses the memory of `needs`.
  func regions(
    for wanted: some Sequence<(step: Int, region: Region)>, throughCaches: Bool = false,
    into needs: inout [Region]
  ) {
    needs.removeAll(keepingCapacity: true)
    for _ in self { needs.append(Region(x: 0, y: 0, width: 0, height: 0)) }
    for (step, region) in wanted { needs[step] = needs[step].union(region) }
    for index in indices.reversed() where !needs[index].isEmpty {
      if self[index].cacheGrid != nil, !throughCaches { continue }
      for (position, input) in self[index].inputs.enumerated() {
        let need = self[index].inputRegion(
          for: needs[index], ofInput: position, in: self[input].region)
        needs[input] = needs[input].union(need)
      }
    }
  }
}

/// One step of a plan.
struct Step: Sendable {
  enum Work: Sendable {
    /// Reads a bitmap from an offset on.
    case source(AnyBitmap, Offset)
    case rows(any RowSource)
    case painted(any Painter)
    case point(LoweredProgram)
    case area(AreaStep)
    case window(Window)
    case blend(any BlendFilter)
    case cached(CacheGrid)
  }

  let work: Work
  /// The steps it reads.
  let inputs: [Int]
  /// What it computes.
  let node: Node
  /// The pixels it could compute.
  let region: Region
  /// Three, or four with alpha.
  let planeCount: Int
  /// What its numbers are rounded as.
  let storage: SampleFormat?
  /// What the values mean after each stage of its program; empty for other work.
  let forms: [PixelForm]
  /// What it also shows in plans, each with the number of stages of its program before it.
  private(set) var notes: [(position: Int, note: StepNote)]
  /// How many steps and results read it.
  var readers = 0
  /// Whether a source must be in a tile, because somebody reads more of it than a row.
  var isLoaded = false
  /// Whether an area step reads its rows one after the other, in whatever form they have.
  var isSeenInRows = false
  /// Whether nothing is kept of it: its one reader has its rows computed when they are needed.
  var isStreamed = false
  /// Whether it is a program whose result nobody reads but the bitmap it is stored in.
  var isStoredAtOnce = false
  /// For sources of inks what makes colors of them, and for the programs that read such a source row by row the same with the program's own
  /// stages; nil for other steps.
  fileprivate(set) var inkProgram: LoweredProgram?
  /// Which of a worker's memories it computes into; one that its input has where it may work in place.
  var slot = 0
  var isInPlace = false

  init(
    _ work: Work, inputs: [Int], of node: Node, storedAs storage: SampleFormat? = nil,
    forms: [PixelForm] = [], notes: [(position: Int, note: StepNote)] = []
  ) {
    (self.work, self.inputs, self.node, self.storage) = (work, inputs, node, storage)
    (region, planeCount) = (node.region, node.planeCount)
    (self.forms, self.notes) = (forms, notes)
  }

  /// Adds notes after all that the step does, unless the step has the same ones in a row already.
  fileprivate mutating func append(_ added: [StepNote]) {
    if added.isEmpty { return }
    let (known, texts) = (notes.map(\.note.description), added.map(\.description))
    if known.contains(texts) { return }
    notes += added.map { (.max, $0) }
  }

  /// Forgets who reads it, for another plan.
  fileprivate mutating func forgetReaders() {
    (readers, slot) = (0, 0)
    (isLoaded, isStoredAtOnce, isInPlace) = (false, false, false)
    (isSeenInRows, isStreamed) = (false, false)
  }

  /// What its values mean.
  var form: PixelForm { PixelForm(node.space, node.state) }

  /// Whether it needs its inputs as tiles; what changes each pixel by itself reads rows.
  var readsTiles: Bool {
    switch work {
    case .area, .window, .blend: true
    case .source, .rows, .painted, .point, .cached: false
    }
  }

  /// The area filter that reads and writes rows in any form.
  var stream: AreaStep.Stream? { if case .area(let area) = work { area.stream } else { nil } }

  /// The blocks that a cache keeps of it.
  var cacheGrid: CacheGrid? { if case .cached(let grid) = work { grid } else { nil } }

  /// Returns the part of an input that is needed for `output`.
  ///
  /// - Parameters:
  ///   - output: The region to compute.
  ///   - position: The position of the input among the step's inputs.
  ///   - input: All pixels of the input.
  func inputRegion(for output: Region, ofInput position: Int, in input: Region) -> Region {
    switch work {
    case .source, .rows, .painted, .point, .blend: return output
    case .cached(let grid): return grid.cover(output)
    case .area(let area): return area.inputRegion(position, output).clamped(to: input)
    case .window(let window):
      let seen = output.moved(by: window.offset)
      guard let edges = window.edges else { return seen }
      let columns = edges.positions(seen.columns, in: input.width)
      let rows = edges.positions(seen.rows, in: input.height)
      return Region(
        x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
    }
  }

  /// The pixel of an input that one of its own is made of; of several the one in the middle, nil where there is none.
  func position(of pixel: Offset, inInput position: Int, of input: Region) -> Offset? {
    switch work {
    case .window(let window): return window.position(of: pixel, in: input)
    case .area:
      let seen = inputRegion(for: Region(pixel: pixel), ofInput: position, in: input)
      return seen.isEmpty ? nil : seen.middle
    case .source, .rows, .painted, .point, .blend, .cached: return pixel
    }
  }
}

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

/// A source, read from a pixel on.
private struct SourcePart: Hashable {
  let source: ObjectIdentifier
  let offset: Offset
}

/// Makes steps of nodes.
private struct PlanBuilder {
  private(set) var steps: [Step] = []

  /// What must be measured first.
  private(set) var measurements: [Measured] = []
  /// How often each law acted.
  private(set) var laws: [Law: Int] = [:]

  private let options: RenderOptions
  private var known: [ObjectIdentifier: Int] = [:]
  private var knownSteps: [StepKey: Int] = [:]
  private var knownPrograms: [(program: PointProgram, input: Int, region: Region, step: Int)] = []
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
    case .point, .measured, .tagged:
      let chain = flattened(node)
      var program = try program(of: chain.members)
      var index = try index(of: chain.end)
      program.simplify(options, counting: &laws)
      let stages = program.program.stages
      guard options.uses(.passes) else {
        for (stage, form) in zip(stages, program.forms) {
          index = append(PointProgram([stage]), forms: [form], after: index, of: node)
        }
        steps[index].append(program.notes.map(\.note))
        return index
      }
      if stages.count > 1 { laws[.passes, default: 0] += stages.count - 1 }
      return append(
        program.program, forms: program.forms, notes: program.notes, after: index, of: node)
    case .area(let input, let filter):
      for region in [input.region, node.region] where region != .everywhere {
        try options.check(region.size)
      }
      let index = try index(of: input)
      return append(StepKey(AnyHashable(filter), [index], of: node)) {
        Step(.area(AreaStep(filter, input: input.region.size)), inputs: [index], of: node)
      }
    case .areaBlend(let inputs, let filter):
      // All inputs have the size of the result.
      if node.region != .everywhere { try options.check(node.region.size) }
      let indices = try indices(of: inputs)
      return append(StepKey(AnyHashable(filter), indices, of: node)) {
        Step(.area(AreaStep(filter, inputs: node.region.size)), inputs: indices, of: node)
      }
    case .window(let input, let window):
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
    case .blend(let inputs, let filter):
      let indices = try indices(of: inputs)
      return append(StepKey(AnyHashable(filter), indices, of: node)) {
        Step(.blend(filter), inputs: indices, of: node)
      }
    case .stored(let input, .float32):
      // Tiles hold nothing else.
      let index = try index(of: input)
      steps[index].append([.stored(.float32)])
      return index
    case .stored(let input, let format):
      let chain = flattened(input)
      var program = try program(of: chain.members)
      program.simplify(options, counting: &laws)
      let index = try index(of: chain.end)
      return append(
        Step(
          .point(LoweredProgram(program.program)), inputs: [index], of: node, storedAs: format,
          forms: program.forms, notes: program.notes))
    case .cached(let input, let share):
      let index = try index(of: input)
      let grid = CacheGrid(share, of: input, computedBy: steps, index: index)
      return append(Step(.cached(grid), inputs: [index], of: node))
    }
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

  /// What is computed already need not be computed again.
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
    _ program: PointProgram, forms: [PixelForm],
    notes: [(position: Int, note: StepNote)] = [], after index: Int, of node: Node
  ) -> Int {
    let shared =
      program.stages.isEmpty
      ? index
      : !options.uses(.sharing)
        ? nil
        : knownPrograms.first {
          $0.input == index && $0.region == node.region && $0.program.isSame(as: program)
            && steps[$0.step].planeCount == node.planeCount
        }?.step
    if let shared {
      if shared != index { laws[.sharing, default: 0] += 1 }
      steps[shared].append(notes.map(\.note))
      return shared
    }
    let step = append(
      Step(
        .point(LoweredProgram(program)), inputs: [index], of: node, forms: forms, notes: notes))
    knownPrograms.append((program, index, node.region, step))
    return step
  }
}

extension Plan {
  /// Gives sources of inks, and the programs that read them, what makes colors of inks.
  ///
  /// A source that programs alone read has none of its own, so that its tables are copied once.
  private static func joinInkPrograms(to steps: inout [Step], results: [Int]) {
    var converted = Set(results)
    for step in steps {
      if case .point = step.work { continue }
      converted.formUnion(step.inputs)
    }
    for index in steps.indices {
      switch steps[index].work {
      case .rows(let source) where converted.contains(index):
        steps[index].inkProgram = source.inkProgram.map { LoweredProgram($0) }
      case .point(let lowered):
        let input = steps[steps[index].inputs[0]]
        guard !input.isLoaded, case .rows(let source) = input.work,
          let colors = source.inkProgram
        else { continue }
        steps[index].inkProgram = LoweredProgram(
          Laws.simplify(PointProgram(colors.stages + lowered.program.stages)))
      default: continue
      }
    }
  }

  /// Says of every step who reads it, and gives it one of a worker's memories, free again when its last reader is done.
  /// Returns how many memories that takes.
  private static func giveMemories(to steps: inout [Step], results: [Int]) -> Int {
    for index in steps.indices { steps[index].forgetReaders() }
    for step in steps {
      for input in step.inputs {
        steps[input].readers += 1
        if step.stream != nil {
          steps[input].isSeenInRows = true
        } else if step.readsTiles {
          steps[input].isLoaded = true
        }
      }
    }
    for result in results { steps[result].readers += 1 }
    for result in results where steps[result].readers == 1 && steps[result].storage == nil {
      if case .point = steps[result].work { steps[result].isStoredAtOnce = true }
    }
    streamRows(through: &steps, results: results)
    var slotEnds: [Int] = []
    var lastReader = Array(steps.indices)
    for (index, step) in steps.enumerated() {
      for input in step.inputs { lastReader[input] = max(lastReader[input], index) }
    }
    // What shows a part of its input's memory, or reads it later, keeps it alive.
    for index in steps.indices.reversed() {
      var isLate = steps[index].isStreamed
      if case .window = steps[index].work { isLate = true }
      guard isLate, let input = steps[index].inputs.first else { continue }
      lastReader[input] = max(lastReader[input], lastReader[index])
    }
    for index in steps.indices {
      let input = steps[index].inputs.first
      if case .point = steps[index].work, let input, steps[input].readers == 1,
        steps[input].ownsMemory
      {
        steps[index].isInPlace = true
        steps[index].slot = steps[input].slot
        slotEnds[steps[index].slot] = lastReader[index]
      } else if let free = slotEnds.firstIndex(where: { $0 < index }) {
        steps[index].slot = free
        slotEnds[free] = lastReader[index]
      } else {
        steps[index].slot = slotEnds.count
        slotEnds.append(lastReader[index])
      }
    }
    return slotEnds.count
  }

  /// Marks the programs that area steps run over the rows they read, and the area steps whose rows go straight to those that read them.
  private static func streamRows(through steps: inout [Step], results: [Int]) {
    for index in steps.indices where steps[index].stream != nil {
      let input = steps[index].inputs[0]
      guard case .point = steps[input].work else { continue }
      steps[input].isStreamed = steps[input].readers == 1 && steps[input].storage == nil
    }
    for index in steps.indices {
      guard case .point = steps[index].work, !steps[index].isStreamed,
        steps[index].storage == nil
      else { continue }
      let input = steps[index].inputs[0]
      if steps[input].stream != nil { steps[input].isStreamed = steps[input].readers == 1 }
    }
    for result in results where steps[result].stream != nil {
      steps[result].isStreamed = steps[result].readers == 1
    }
  }
}

extension Step {
  /// Whether the tile it computes is its own, not a part of another one.
  fileprivate var ownsMemory: Bool {
    switch work {
    case .painted, .point, .area, .blend, .cached: !isStreamed
    case .source, .rows, .window: false
    }
  }
}
