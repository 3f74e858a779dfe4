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
  /// The steps that nodes became, but those that are a part of the step after them.
  let stepsOfNodes: [ObjectIdentifier: Int]

  /// The plan of steps that have no memories yet.
  init(_ steps: [Step], results: [Int], stepsOfNodes: [ObjectIdentifier: Int] = [:]) {
    var steps = steps
    slotCount = Self.giveMemories(to: &steps, results: results)
    (self.steps, self.results, self.stepsOfNodes) = (steps, results, stepsOfNodes)
  }

  init(_ pictures: [Picture], options: RenderOptions) throws(RenderError) {
    var builder = PlanBuilder(options: options)
    var results: [Int] = []
    for picture in pictures {
      if let failure = picture.failure { throw .recipe(failure) }
      if picture.isEndless { throw .recipe(.endless) }
      let size = picture.size
      guard size.pixelCount <= options.pixelLimit else {
        throw .recipe(
          .tooManyPixels(width: size.width, height: size.height, limit: options.pixelLimit))
      }
      results.append(try builder.index(of: picture.node))
    }
    self.init(builder.steps, results: results, stepsOfNodes: builder.known)
  }

  /// How results of these sizes are cut: as the options say, or as the plan likes it.
  func grid(_ sizes: [PixelSize], _ options: RenderOptions) -> TileGrid {
    TileGrid(tile: options.tile ?? preferredTile(workers: options.workerLimit), sizes: sizes)
  }

  /// The step of the result that has the most pixels.
  private var largestResult: Int {
    results[results.map { steps[$0].region.size }.indexOfLargest]
  }

  /// The size of tiles of the largest result when the caller has no wish: strips of whole rows where pixels stand alone, wide
  /// blocks where they need their neighbours, taller ones where they need many, smaller ones where much is shrunk, so that a worker
  /// never holds more than some megapixels.
  private func preferredTile(workers: Int) -> PixelSize {
    let size = steps[largestResult].region.size
    guard steps.contains(where: \.readsTiles) else {
      return PixelSize(size.width, max(1, (1 << 16) / size.width))
    }
    var tile = PixelSize(min(size.width, 2048), min(size.height, 32))
    var limit = 1 << 20
    // Of sources that give their rows in order all columns are kept, of as many rows as the tiles of all workers need.
    func keepsTooManyRows(_ height: Int) -> Bool { keptPixels(for: workers * height) > 1 << 25 }
    while tile.height > 1, keepsTooManyRows(tile.height) { tile.height = (tile.height + 1) / 2 }
    while tile.height < size.height {
      let taller = PixelSize(tile.width, min(size.height, 2 * tile.height))
      let load = largestLoad(for: taller).pixelCount
      // Twice the pixels for less than one and a half times the work.
      guard load <= 1 << 22, 2 * load < 3 * largestLoad(for: tile).pixelCount,
        !keepsTooManyRows(taller.height)
      else { break }
      (tile, limit) = (taller, 1 << 22)
    }
    while tile.pixelCount > 1 {
      let largest = largestLoad(for: tile)
      guard largest.pixelCount > limit else { break }
      if tile.height == 1 || (tile.width > 1 && largest.width > largest.height) {
        tile.width = (tile.width + 1) / 2
      } else {
        tile.height = (tile.height + 1) / 2
      }
    }
    return tile
  }

  /// The most that any step must hold for a tile in the middle of the largest result.
  private func largestLoad(for tile: PixelSize) -> PixelSize {
    largestNeed(for: tile) { $0.isLoaded }
  }

  /// The most pixels that are kept of a source that gives its rows in order, for tiles of a height.
  private func keptPixels(for height: Int) -> Int {
    let size = steps[largestResult].region.size
    return largestNeed(for: PixelSize(size.width, min(height, size.height))) {
      if case .rows = $0.work { true } else { false }
    }.pixelCount
  }

  /// The most of any of some steps that a tile in the middle of the largest result needs, and those of the others that go with it.
  private func largestNeed(for tile: PixelSize, of isMeant: (Step) -> Bool) -> PixelSize {
    let whole = steps[largestResult].region.size
    let wanted = results.map { result in
      let region = steps[result].region
      // As large a part of each as of the largest.
      let width = (tile.width * region.width + whole.width - 1) / whole.width
      let height = (tile.height * region.height + whole.height - 1) / whole.height
      let middle = Region(
        x: region.x + (region.width - width) / 2, y: region.y + (region.height - height) / 2,
        width: width, height: height)
      return (step: result, region: middle)
    }
    var needs: [Region] = []
    steps.regions(for: wanted, into: &needs)
    return needs.indices.filter { isMeant(steps[$0]) }.map { needs[$0].size }
      .max { $0.pixelCount < $1.pixelCount } ?? PixelSize(0, 0)
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
    for index in indices.reversed() where needs[index].width > 0 {
      if self[index].cacheGrid != nil, !throughCaches { continue }
      for input in self[index].inputs {
        let need = self[index].inputRegion(for: needs[index], of: self[input].region)
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
    case painted(@Sendable (_ output: Tile) -> Void)
    case point(LoweredProgram)
    case area(AreaStep)
    case window(Window)
    case blend(@Sendable (_ output: Tile, _ inputs: [Tile]) -> Void)
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
  /// How many steps and results read it.
  var readers = 0
  /// Whether a source must be in a tile, because somebody reads more of it than a row.
  var isLoaded = false
  /// Whether it is a program whose result nobody reads but the bitmap it is stored in.
  var isStoredAtOnce = false
  /// Which of a worker's memories it computes into; one that its input has where it may work in place.
  var slot = 0
  var isInPlace = false

  init(_ work: Work, inputs: [Int], of node: Node, storedAs storage: SampleFormat? = nil) {
    (self.work, self.inputs, self.node, self.storage) = (work, inputs, node, storage)
    (region, planeCount) = (node.region, node.planeCount)
  }

  /// Whether it needs its inputs as tiles; what changes each pixel by itself reads rows.
  var readsTiles: Bool {
    switch work {
    case .area, .window, .blend: true
    case .source, .rows, .painted, .point, .cached: false
    }
  }

  /// The blocks that a cache keeps of it.
  var cacheGrid: CacheGrid? { if case .cached(let grid) = work { grid } else { nil } }

  /// The part of an input that is needed for `output`.
  func inputRegion(for output: Region, of input: Region) -> Region {
    switch work {
    case .source, .rows, .painted, .point, .blend: return output
    case .cached(let grid): return grid.cover(output)
    case .area(let area): return area.inputRegion(output).intersection(input)
    case .window(let window):
      let seen = output.moved(by: window.offset)
      guard let edges = window.edges else { return seen }
      let columns = edges.positions(seen.columns, in: input.width)
      let rows = edges.positions(seen.rows, in: input.height)
      return Region(
        x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
    }
  }
}

/// An area filter with what it prepared, its types put aside.
struct AreaStep: Sendable {
  let inputRegion: @Sendable (Region) -> Region
  let scratchCount: @Sendable (_ output: Region, _ input: Region, _ planes: Int) -> Int
  let render: @Sendable (_ output: Tile, _ input: Tile) -> Void

  init<Filter: AreaFilter>(_ filter: Filter, input: PixelSize) {
    scratchCount = { filter.scratchCount(for: $0, from: $1, planes: $2) }
    inputRegion = { filter.inputRegion(for: $0, of: input) }
    let preparation = filter.prepare(for: input)
    render = { filter.render(into: $0, from: $1, with: preparation) }
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

  private let options: RenderOptions
  private(set) var known: [ObjectIdentifier: Int] = [:]
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

  /// The nodes whose steps the one for `node` reads.
  private mutating func inputs(of node: Node) -> [Node] {
    if let lawful = lawful(node) { return [lawful] }
    return switch node.kind {
    case .point, .measured, .tagged: [flattened(node).input]
    case .stored(let input, let format) where format != .float32: [flattened(input).input]
    // A part of a bitmap is read from the bitmap itself.
    case .window(let input, let window) where window.edges == nil && input.isBitmap: []
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
        Step(.painted { painter.render(into: $0) }, inputs: [], of: node)
      }
    case .point, .measured, .tagged:
      let (input, members) = flattened(node)
      let program = try program(of: members)
      let index = try index(of: input)
      return switch options.fusion {
      case .full: append(Laws.simplify(program), after: index, of: node)
      case .withoutLaws: append(program, after: index, of: node)
      case .stageByStage:
        program.stages.reduce(index) { append(PointProgram([$1]), after: $0, of: node) }
      }
    case .area(let input, let filter):
      for region in [input.region, node.region] where region != .everywhere {
        let size = region.size
        guard size.pixelCount <= options.pixelLimit else {
          throw .recipe(
            .tooManyPixels(width: size.width, height: size.height, limit: options.pixelLimit))
        }
      }
      let index = try index(of: input)
      return append(StepKey(AnyHashable(filter), [index], of: node)) {
        Step(.area(AreaStep(filter, input: input.region.size)), inputs: [index], of: node)
      }
    case .window(let input, let window):
      if case .source(let bitmap) = input.kind, window.edges == nil {
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
      var indices: [Int] = []
      for input in inputs { indices.append(try index(of: input)) }
      return append(StepKey(AnyHashable(filter), indices, of: node)) {
        Step(.blend { filter.render(into: $0, from: $1) }, inputs: indices, of: node)
      }
    case .stored(let input, .float32):
      // Tiles hold nothing else.
      return try index(of: input)
    case .stored(let input, let format):
      let (base, members) = flattened(input)
      var program = try program(of: members)
      if options.fusion == .full { program = Laws.simplify(program) }
      let index = try index(of: base)
      return append(
        Step(.point(LoweredProgram(program)), inputs: [index], of: node, storedAs: format))
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
  private mutating func flattened(_ node: Node) -> (input: Node, members: [Node]) {
    var (node, members): (Node, [Node]) = (node, [])
    while true {
      if let lawful = lawful(node) {
        node = lawful
        continue
      }
      switch node.kind {
      case .point(let input, _), .measured(let input, _), .tagged(let input):
        members.append(node)
        node = input
      default: return (node, members)
      }
    }
  }

  /// What nodes do to each pixel by itself, with their measurements made.
  private func program(of members: [Node]) throws(RenderError) -> PointProgram {
    var stages: [PointProgram.Stage] = []
    for member in members.reversed() { stages += try member.program(options)?.stages ?? [] }
    return PointProgram(stages)
  }

  /// What a law makes of a node, if one does: a crop where the law of crops puts it, channels joined by that of channels.
  private mutating func lawful(_ node: Node) -> Node? {
    guard options.fusion == .full else { return nil }
    if let known = lawful[ObjectIdentifier(node)] { return known }
    let made: Node? =
      switch node.kind {
      case .window(let input, let window): node.windowPushedToSource(input, window)
      case .blend: node.channelsFused
      default: nil
      }
    lawful[ObjectIdentifier(node)] = made
    return made
  }

  /// What is computed already need not be computed again.
  private mutating func append(_ key: StepKey, _ step: () -> Step) -> Int {
    if let known = knownSteps[key] { return known }
    let index = append(step())
    knownSteps[key] = index
    return index
  }

  private mutating func append(_ program: PointProgram, after index: Int, of node: Node) -> Int {
    if program.stages.isEmpty { return index }
    let known = knownPrograms.first {
      $0.input == index && $0.region == node.region && $0.program.isSame(as: program)
        && steps[$0.step].planeCount == node.planeCount
    }
    if let known { return known.step }
    let step = append(Step(.point(LoweredProgram(program)), inputs: [index], of: node))
    knownPrograms.append((program, index, node.region, step))
    return step
  }
}

extension Plan {
  /// Says of every step who reads it, and gives it one of a worker's memories, free again when its last reader is done.
  /// Returns how many memories that takes.
  private static func giveMemories(to steps: inout [Step], results: [Int]) -> Int {
    for step in steps {
      for input in step.inputs {
        steps[input].readers += 1
        if step.readsTiles { steps[input].isLoaded = true }
      }
    }
    for result in results { steps[result].readers += 1 }
    for result in results where steps[result].readers == 1 && steps[result].storage == nil {
      if case .point = steps[result].work { steps[result].isStoredAtOnce = true }
    }
    var slotEnds: [Int] = []
    var lastReader = Array(steps.indices)
    for (index, step) in steps.enumerated() {
      for input in step.inputs { lastReader[input] = max(lastReader[input], index) }
    }
    // What shows a part of its input's memory keeps it alive.
    for index in steps.indices.reversed() {
      if case .window = steps[index].work {
        let input = steps[index].inputs[0]
        lastReader[input] = max(lastReader[input], lastReader[index])
      }
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
}

extension Step {
  /// Whether the tile it computes is its own, not a part of another one.
  fileprivate var ownsMemory: Bool {
    switch work {
    case .painted, .point, .area, .blend, .cached: true
    case .source, .rows, .window: false
    }
  }
}

extension Node {
  fileprivate var isBitmap: Bool { if case .source = kind { true } else { false } }

  /// The law of crops: a part of what a program makes is what the program makes of that part, and a part of a part is a part.
  ///
  /// Code of the caller's sees where its pixels lie, so it stays where it is.
  fileprivate func windowPushedToSource(_ input: Node, _ window: Window) -> Node? {
    guard window.edges == nil else { return nil }
    func part(of base: Node) -> Node {
      Node(
        .window(base, window), region: region, hasAlpha: base.hasAlpha, in: base.space, base.state)
    }
    func node(_ kind: Node.Kind) -> Node {
      Node(kind, region: region, hasAlpha: hasAlpha, in: space, state)
    }
    switch input.withChannelsFused.kind {
    case .point(let base, let program) where !program.dependsOnPlace:
      return node(.point(part(of: base), program))
    case .tagged(let base): return node(.tagged(part(of: base)))
    case .window(let base, let inner):
      return node(
        .window(base, Window(offset: window.offset + inner.offset, edges: inner.edges)))
    default: return nil
    }
  }
}

extension PointProgram {
  fileprivate var dependsOnPlace: Bool {
    stages.contains { if case .rows = $0 { true } else { false } }
  }
}
