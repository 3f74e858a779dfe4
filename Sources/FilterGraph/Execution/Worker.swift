internal import CPixelKernels
internal import ImageBuffer

/// One thread's memory, and the way through a plan. After the first tiles nothing is allocated any more.
final class Worker {
  /// What a step made, for those that read it.
  private enum Output {
    /// Rows in a tile, or where the source has them.
    case stored(RowStorage)
    /// Rows of a step that are computed when they are needed.
    case streamed(Int)

    /// Pixels in a tile.
    static func tile(_ tile: Tile) -> Output { .stored(.tile(tile)) }

    /// The tile that holds the pixels; nil where they are elsewhere.
    var tile: Tile? { if case .stored(.tile(let tile)) = self { tile } else { nil } }
  }

  private let plan: Plan
  private let grid: TileGrid
  private let feeds: [RowFeed?]
  private var needs: [Region] = []
  private var wanted: [(step: Int, region: Region)] = []
  /// What each step made; nil before it is computed.
  private var outputs: [Output?]
  /// The inputs of a filter while it computes.
  private var tiles: [Tile] = []
  private let memory: PlanMemory
  private let buffers: [TileMemory]
  private let scratch: Arena
  /// The step that is being computed.
  private var current = 0
  private let isCancelled: (@Sendable () -> Bool)?
  private let meter: StepMeter?
  /// The worker of tiles that it computes blocks for; nil where it computes tiles itself.
  private unowned let parent: Worker?
  /// The workers that compute blocks for this one, by the step of the cache.
  private var blockWorkers: [Int: Worker] = [:]
  private var promisedBlocks: [Region] = []
  /// The rows of steps that are computed in bands, by the step of the reduction that reads them.
  private var bandReaders: [Int: BandReader] = [:]

  /// A worker for tiles, or with other buffers for the blocks of a cache or for bands.
  init(
    _ plan: Plan, _ grid: TileGrid, _ memory: PlanMemory, _ feeds: [RowFeed?],
    isCancelled: (@Sendable () -> Bool)?, meter: StepMeter?,
    buffers needed: PlanMemory.WorkerBuffers? = nil, parent: Worker? = nil
  ) {
    (self.plan, self.grid, self.memory, self.feeds) = (plan, grid, memory, feeds)
    (self.isCancelled, self.meter, self.parent) = (isCancelled, meter, parent)
    outputs = plan.steps.map { _ in nil }
    let needed = needed ?? memory.tileBuffers
    buffers = needed.slots.map(TileMemory.init)
    scratch = Arena(capacity: needed.scratch)
    scratch.filterName = { [unowned self] in self.filterName }
  }

  /// The description of the filter of the step that is being computed.
  private var filterName: String {
    switch plan.steps[current].work {
    case .painted(let painter): "\(painter)"
    case .area(let area): "\(area.filter)"
    case .blend(let filter): "\(filter)"
    default: "step \(current + 1)"
    }
  }

  /// Computes a tile of each result and stores it.
  func render(_ tile: Int, into targets: [BitmapSurface?]) throws(RenderError) {
    plan.list(tile, of: grid, into: &wanted)
    try compute(into: targets)
  }

  /// Computes a region of a step that is in a tile.
  func tile(of index: Int, _ region: Region) throws(RenderError) -> Tile {
    wanted.removeAll(keepingCapacity: true)
    wanted.append((index, region))
    try compute(into: [])
    return tile(of: index)
  }

  /// Computes what is wanted and stores it.
  private func compute(into targets: [BitmapSurface?]) throws(RenderError) {
    plan.steps.regions(for: wanted, bands: memory.bands, into: &needs)
    for index in outputs.indices { outputs[index] = nil }
    for index in plan.steps.indices where !needs[index].isEmpty {
      if isCancelled?() == true { throw .cancelled }
      if let meter {
        try meter.measure(index) { () throws(RenderError) in try compute(index, into: targets) }
      } else {
        try compute(index, into: targets)
      }
    }
  }

  /// Computes a step, and stores it in the results that it is.
  private func compute(_ index: Int, into targets: [BitmapSurface?]) throws(RenderError) {
    let step = plan.steps[index]
    current = index
    if let feed = feeds[index] {
      do {
        try feed.read(upTo: needs[index].rows.upperBound, isCancelled: isCancelled)
      } catch let error as RenderError {
        throw error
      } catch {
        throw .source(SourceError(error))
      }
    }
    if !step.isStoredAtOnce { outputs[index] = try output(of: index) }
    scratch.reset()
    for (target, result) in zip(targets, wanted) where result.step == index {
      // Of a small result a tile may have no pixels.
      guard let target, !result.region.isEmpty else { continue }
      if case .point(let program) = step.work, step.isStoredAtOnce {
        try store(step.inkProgram ?? program, made(by: step.inputs[0]), result.region, in: target)
      } else {
        try store(loading(index), made(by: index), result.region, in: target)
      }
    }
  }

  /// The program that converts stored rows of a step to pixels; one without stages for tiles and converted rows.
  private func loading(_ index: Int) -> LoweredProgram {
    guard case .stored(.feed) = outputs[index] else { return .nothing }
    return plan.steps[index].inkProgram ?? .nothing
  }

  private func store(
    _ program: LoweredProgram, _ input: Output, _ region: Region, in target: BitmapSurface
  ) throws(RenderError) {
    try run(program, input, region, into: .bitmap(target, .zero))
  }

  /// Computes the part of a step that is needed, except for streamed steps, which their readers compute.
  private func output(of index: Int) throws(RenderError) -> Output {
    let step = plan.steps[index]
    if step.isStreamed { return .streamed(index) }
    switch step.work {
    case .source(let bitmap, let offset):
      return try sourceOutput(of: index, bitmap.surface, offset)
    case .rows: return try feedOutput(of: index)
    case .painted(let painter):
      let tile = newTile(of: index)
      painter.render(into: tile)
      return .tile(tile)
    case .point(let program): return .tile(try pointTile(of: index, step.inkProgram ?? program))
    case .area(let area): return .tile(try areaTile(of: index, area))
    case .window(let window): return .tile(windowTile(of: index, window))
    case .blend(let filter): return .tile(blendTile(of: index, filter))
    case .cached(let grid):
      let tile = newTile(of: index)
      try fill(tile, from: grid, of: index)
      return .tile(tile)
    }
  }

  /// Returns the pixels of a bitmap: in place where the readers convert rows or the bitmap has the form of a tile.
  private func sourceOutput(
    of index: Int, _ surface: BitmapSurface, _ offset: Offset
  ) throws(RenderError) -> Output {
    let (step, region) = (plan.steps[index], needs[index])
    guard step.isLoaded else { return .stored(.bitmap(surface, offset)) }
    if offset == .zero, let view = surface.view(region, planeCount: step.planeCount, scratch) {
      return .tile(view)
    }
    let tile = newTile(of: index)
    try run(.nothing, .stored(.bitmap(surface, offset)), region, into: .tile(tile))
    return .tile(tile)
  }

  /// Returns the rows of a feed: in place where the readers convert rows.
  private func feedOutput(of index: Int) throws(RenderError) -> Output {
    let step = plan.steps[index]
    guard let feed = feeds[index] else {
      preconditionFailure("Step \(index) reads rows, but has no feed.")
    }
    guard step.isLoaded else { return .stored(.feed(feed)) }
    let tile = newTile(of: index)
    try run(step.inkProgram ?? .nothing, .stored(.feed(feed)), needs[index], into: .tile(tile))
    return .tile(tile)
  }

  /// Runs a point program, in the memory of the input where the plan allows it.
  private func pointTile(
    of index: Int, _ program: LoweredProgram
  ) throws(RenderError) -> Tile {
    let (step, region) = (plan.steps[index], needs[index])
    let input = step.inputs[0]
    let tile =
      if step.isInPlace, let tile = made(by: input).tile { tile } else { newTile(of: index) }
    if let format = step.storage {
      run(program, storage(of: input), region, into: tile, roundedAs: format)
    } else {
      try run(program, made(by: input), region, into: .tile(tile))
    }
    return tile
  }

  /// Runs an area filter: over the rows of its input where it streams, else over tiles with a halo.
  private func areaTile(of index: Int, _ area: AreaStep) throws(RenderError) -> Tile {
    let (step, region) = (plan.steps[index], needs[index])
    let tile = newTile(of: index)
    if let stream = area.stream {
      try run(stream, of: index, region, into: PixelRowTarget(.tile(tile)))
      return tile
    }
    tiles.removeAll(keepingCapacity: true)
    for (position, input) in step.inputs.enumerated() {
      tiles.append(self.input(input, area.inputRegion(position, region)))
    }
    area.render(tile, tiles)
    return tile
  }

  /// Blends the tiles of a step's inputs.
  private func blendTile(of index: Int, _ filter: any BlendFilter) -> Tile {
    let tile = newTile(of: index)
    tiles.removeAll(keepingCapacity: true)
    for input in plan.steps[index].inputs {
      tiles.append(self.tile(of: input).part(needs[index]))
    }
    filter.render(into: tile, from: tiles)
    return tile
  }

  /// Fills a tile with blocks of a cache. Waits for blocks of other threads only when nothing is left to do.
  private func fill(
    _ tile: Tile, from grid: CacheGrid, of index: Int
  ) throws(RenderError) {
    promisedBlocks.removeAll(keepingCapacity: true)
    for region in grid.blocks(covering: tile.region) {
      if let block = try block(region, from: grid, of: index, waiting: false) {
        try copy(block, to: tile)
      } else {
        promisedBlocks.append(region)
      }
    }
    while let region = promisedBlocks.popLast() {
      if let block = try block(region, from: grid, of: index, waiting: true) {
        try copy(block, to: tile)
      } else {
        promisedBlocks.append(region)
      }
    }
  }

  /// A block that a cache keeps, computed where it does not; nil where somebody else computes it, or tried in vain.
  private func block(
    _ region: Region, from grid: CacheGrid, of index: Int, waiting: Bool
  ) throws(RenderError) -> CachedBlock? {
    let name = grid.name(of: region)
    switch grid.share.cache.ask(for: name) {
    case .found(let block): return block
    case .promised(let promise):
      return waiting ? try promise.wait { isCancelled?() == true } : nil
    case .missing(let promise):
      do throws(RenderError) {
        let block = try compute(name, from: grid, of: index)
        grid.share.cache.keep(block, promisedAs: promise)
        return block
      } catch {
        grid.share.cache.give(up: name, promisedAs: promise)
        throw error
      }
    }
  }

  private func compute(
    _ name: BlockName, from grid: CacheGrid, of index: Int
  ) throws(RenderError) -> CachedBlock {
    if isCancelled?() == true { throw .cancelled }
    let block = CachedBlock(name, planeCount: grid.planeCount, format: grid.format)
    let worker = blockWorker(for: index)
    worker.wanted = [(plan.steps[index].inputs[0], name.region)]
    try worker.compute(into: [block.surface])
    return block
  }

  private func copy(_ block: CachedBlock, to tile: Tile) throws(RenderError) {
    let part = tile.region.intersection(block.name.region)
    try run(.nothing, .stored(.bitmap(block.surface, .zero)), part, into: .tile(tile))
  }

  /// The worker that computes this thread's blocks of a cached step.
  private func blockWorker(for index: Int) -> Worker {
    if let parent { return parent.blockWorker(for: index) }
    if let worker = blockWorkers[index] { return worker }
    let worker = Worker(
      plan, grid, memory, feeds, isCancelled: isCancelled, meter: nil,
      buffers: memory.blockBuffers[index], parent: self)
    blockWorkers[index] = worker
    return worker
  }

  /// The rows that a reduction has computed in bands. One reader for each reduction suffices: bands are computed from steps before it.
  private func bandReader(for index: Int, _ bands: InputBands) -> BandReader {
    if let parent { return parent.bandReader(for: index, bands) }
    if let reader = bandReaders[index] { return reader }
    let worker = Worker(
      plan, grid, memory, feeds, isCancelled: isCancelled, meter: nil,
      buffers: memory.bandBuffers[index], parent: self)
    let reader = BandReader(bands, worker: worker)
    bandReaders[index] = reader
    return reader
  }

  /// Runs a program over the rows of `region`.
  private func run(
    _ program: LoweredProgram, _ input: Output, _ region: Region, into target: RowStorage
  ) throws(RenderError) {
    switch input {
    case .stored(let rows):
      for y in region.rows {
        program.run(
          rows.surface(y, from: region.x), target.surface(y, from: region.x),
          count: region.width, x: region.x, y: y)
      }
    case .streamed(let index):
      guard let stream = plan.steps[index].stream else {
        preconditionFailure("Step \(index) is marked as streamed, but its work has no stream.")
      }
      try run(stream, of: index, region, into: PixelRowTarget(target, program: program))
    }
  }

  /// Runs an area step over the rows of its input, which are there or computed in bands meanwhile.
  private func run(
    _ stream: AreaStep.Stream, of index: Int, _ region: Region, into target: PixelRowTarget
  ) throws(RenderError) {
    let input = plan.steps[index].inputs[0]
    guard let bands = memory.bands[index] else {
      return stream(region, rows(of: input), target, scratch)
    }
    let reader = bandReader(for: index, bands)
    let seen = plan.input(of: index, for: region)
    try reader.start(seen)
    var program = LoweredProgram.nothing
    if input != bands.source, case .point(let lowered) = plan.steps[input].work {
      program = lowered
    }
    let rows = PixelRows(
      seen, planeCount: plan.steps[input].planeCount, program: program, in: .feed(reader))
    stream(region, rows, target, scratch)
    try reader.finish()
  }

  /// Runs a program over the rows of `region`, and rounds what comes out.
  private func run(
    _ program: LoweredProgram, _ rows: RowStorage, _ region: Region, into tile: Tile,
    roundedAs format: SampleFormat
  ) {
    let row = Tile(
      region.firstRow, of: tile.pictureSize, planeCount: tile.planeCount, arena: scratch)
    var samples = row.surface(region.y, from: region.x)
    samples.format = format.kernelFormat
    for y in region.rows {
      program.run(
        rows.surface(y, from: region.x), samples, count: region.width, x: region.x, y: y)
      LoweredProgram.nothing.run(
        samples, tile.surface(y, from: region.x), count: region.width, x: region.x, y: y)
    }
  }

  /// The rows of a step, for an area step that reads them in any form.
  private func rows(of index: Int) -> PixelRows {
    let step = plan.steps[index]
    var (source, program) = (index, loading(index))
    if case .point(let lowered) = step.work, step.isStreamed {
      (source, program) = (step.inputs[0], step.inkProgram ?? lowered)
    }
    // A tile has only the part of the step's pixels that is needed.
    return PixelRows(
      made(by: source).tile?.region ?? step.region, planeCount: step.planeCount, program: program,
      in: storage(of: source))
  }

  /// The output of a step. Traps before the step is computed, because tiles and results begin uninitialized.
  private func made(by index: Int) -> Output {
    guard let output = outputs[index] else {
      preconditionFailure("Step \(index) was read before it was computed.")
    }
    return output
  }

  /// The rows of a step that keeps them. Traps for a streamed step.
  private func storage(of index: Int) -> RowStorage {
    guard case .stored(let rows) = made(by: index) else {
      preconditionFailure("Step \(index) is streamed, but its reader needs stored rows.")
    }
    return rows
  }

  /// The tile of a step that is computed into one. Traps for other steps.
  private func tile(of index: Int) -> Tile {
    guard case .tile(let tile) = storage(of: index) else {
      preconditionFailure("Step \(index) is not in a tile, but its reader needs one.")
    }
    return tile
  }

  /// A tile for all of a step's region that is needed, in the step's own memory.
  private func newTile(of index: Int) -> Tile {
    let step = plan.steps[index]
    let memory = buffers[step.slot]
    return Tile(
      needs[index], of: step.region.size, planeCount: step.planeCount, arena: scratch,
      memory: memory.floats)
  }

  /// Returns a step's pixels in `region`, with the pixels of the edges repeated where it reaches beyond the picture.
  private func input(_ index: Int, _ region: Region) -> Tile {
    let step = plan.steps[index]
    let inside = region.clamped(to: step.region)
    if !inside.isEmpty, inside == region { return tile(of: index).part(region) }
    let whole = Tile(
      inside.isEmpty ? inside : region, of: step.region.size, planeCount: step.planeCount,
      arena: scratch)
    if inside.isEmpty { return whole }
    whole.fill(from: tile(of: index).part(inside))
    return whole
  }

  /// A part of a step's input; shared memory where all of it is there.
  private func windowTile(of index: Int, _ window: Window) -> Tile {
    let (step, region) = (plan.steps[index], needs[index])
    let input = plan.steps[step.inputs[0]]
    let seen = region.moved(by: window.offset)
    // There is none where the window shows only what lies beyond the edges.
    let output = outputs[step.inputs[0]]?.tile
    if let tile = output, window.edges == nil || input.region.contains(seen),
      tile.planeCount == step.planeCount
    {
      return tile.part(seen).moved(to: region, of: step.region.size)
    }
    let target = newTile(of: index)
    let edges = window.edges ?? .clear
    for y in region.rows {
      guard let tile = output,
        let from = edges.position(y + window.offset.y, in: input.region.height)
      else {
        target.clear(row: y)
        continue
      }
      target.copy(
        row: y, from: tile, row: from, offset: window.offset.x, width: input.region.width, edges)
    }
    return target
  }
}
