internal import CPixelKernels
internal import ColorSpaces
internal import Dispatch
internal import ImageBuffer
internal import Synchronization

/// Runs a plan tile by tile on several threads.
///
/// A tile of the result says which regions of the steps before it are needed, back to the sources; then every step computes its
/// region once. Neither the size of the tiles nor the number of threads changes a pixel: every pixel is computed from the same
/// numbers in the same order.
struct TiledEvaluator {
  let plan: Plan
  let options: RenderOptions
  let grid: TileGrid
  let memory: PlanMemory
  /// Whoever takes tiles says when they are done with.
  let progress: ProgressReport
  /// As many as the options allow. Fewer where all would take too much memory and the caller has named no number.
  private var workers: Int
  /// How many tiles a thread takes at once.
  private let tilesAtOnce: Int

  /// Refuses what would take more memory than the options allow, or than there is; `result` bytes are for what is rendered into. Threads
  /// take one tile at once, or all that lie beside each other.
  init(
    _ plan: Plan, sizes: [PixelSize], inBands: Bool = false, resultBytes: Int,
    options: RenderOptions
  ) throws(RenderError) {
    (self.plan, self.options) = (plan, options)
    grid = plan.grid(sizes, options)
    tilesAtOnce = inBands ? grid.columns : 1
    progress = ProgressReport(total: grid.count, report: options.progress)
    workers = min(options.workerLimit, grid.count)
    memory = try PlanMemory(plan, grid, isCancelled: options.isCancelled)
    var refusal = self.refusal(resultBytes)
    while refusal != nil, options.threads == nil, workers > 1 {
      workers /= 2
      refusal = self.refusal(resultBytes)
    }
    if let refusal, options.refuses { throw refusal }
  }

  /// Why this evaluator and results of so many bytes are refused.
  private func refusal(_ resultBytes: Int) -> RenderError? {
    let (bytes, overflow) = peakBytes.addingReportingOverflow(resultBytes)
    return options.refusal(ofBytes: overflow ? .max : bytes)
  }

  /// How many tiles are computed at once.
  var workerCount: Int { workers }

  /// The most bytes that computing takes, results aside.
  var peakBytes: Int {
    memory.peakBytes(of: plan, workers: workers, tilesAhead: groupsAhead * tilesAtOnce)
  }

  /// How many groups of tiles are begun at most from the first that is not done.
  private var groupsAhead: Int { workers == 1 ? 1 : 2 * workers }

  /// Renders the plan's results into `targets`.
  func render(into targets: [BitmapSurface]) throws(RenderError) {
    let targets = targets.map(Optional.init)
    let pool = BufferPool(capacity: workers) { () throws(RenderError) in targets }
    try forEachGroup(holding: pool) { worker, targets, tiles, finish throws(RenderError) in
      defer { pool.giveBack(targets) }
      for tile in tiles {
        try worker.render(tile, into: targets)
        progress.finish(1)
        try finish(tile)
      }
    }
  }

  /// What a thread does with some tiles. It tells of each one when it is computed, and ends when that throws.
  typealias Work<Buffer> =
    @Sendable (
      _ worker: Worker, _ buffer: Buffer, _ tiles: Range<Int>,
      _ finish: (_ tile: Int) throws(RenderError) -> Void
    ) throws(RenderError) -> Void

  /// Computes all tiles on several threads, started in their order. A thread takes a buffer from `pool` before it takes tiles, and
  /// hands it to `render`, which gives it back.
  func forEachGroup<Buffer: Sendable>(
    holding pool: BufferPool<Buffer>, _ render: @escaping Work<Buffer>
  ) throws(RenderError) {
    let next = Atomic(0)
    let failure = Mutex<RenderError?>(nil)
    let feeds = feeds()
    let limiter =
      feeds.allSatisfy { $0 == nil }
      ? nil
      : RunAheadLimiter(
        groups: groupsAhead, tilesPerGroup: tilesAtOnce, handOver: options.handOver)
    let places = (0..<workers).map { _ in WorkPlace() }
    let share = options.threads == nil ? CoreShare() : nil
    let queue = RenderQueue.current
    /// What waits for another thread of this rendering in vain must end when that one failed.
    let mustStop: @Sendable () -> Bool = {
      options.isCancelled?() == true || failure.withLock { $0 != nil }
    }

    /// Whatever ends the rendering early, no thread waits any more.
    @Sendable func fail(_ error: RenderError) {
      failure.withLock { $0 = $0 ?? error }
      limiter?.permit(workers)
      pool.close()
    }

    /// Works until no tile is left, or the round is over.
    @Sendable func work(at place: WorkPlace, in round: WorkRound) {
      let worker =
        place.worker
        ?? Worker(
          plan, grid, memory, feeds, isCancelled: mustStop, meter: options.meter)
      place.worker = worker
      while round.goesOn() {
        do throws(RenderError) {
          guard let buffer = try pool.take() else { return }
          options.handOver?(.bufferTaken)
          limiter?.wait()
          let first = next.add(tilesAtOnce, ordering: .relaxed).oldValue
          guard first < grid.count, failure.withLock({ $0 == nil }) else {
            return pool.giveBack(buffer)
          }
          try throwIfCancelled()
          try render(worker, buffer, first..<min(first + tilesAtOnce, grid.count)) {
            tile throws(RenderError) in
            limiter?.finish(tile: tile) { firstUnfinished in
              for feed in feeds { feed?.release(before: firstUnfinished) }
            }
            try throwIfCancelled()
          }
        } catch {
          fail(error)
        }
      }
    }

    while next.load(ordering: .relaxed) < grid.count, failure.withLock({ $0 == nil }) {
      let round = WorkRound(limit: workers, share: share)
      if round.threads == 1 {
        work(at: places[0], in: round)
      } else {
        DispatchQueue.concurrentPerform(iterations: round.threads) { index in
          RenderQueue.$current.withValue(queue) { work(at: places[index], in: round) }
        }
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  private func throwIfCancelled() throws(RenderError) {
    if options.isCancelled?() == true { throw .cancelled }
  }

  /// The rows of each source that gives its rows in order, by its step.
  private func feeds() -> [RowFeed?] {
    plan.steps.enumerated().map { index, step in
      guard case .rows(let source) = step.work, let need = memory.rows[index] else { return nil }
      return RowFeed(
        source, need, tilesAhead: groupsAhead * tilesAtOnce, handOver: options.handOver)
    }
  }
}

/// Where one thread at a time works; what is there is found again by the next.
private final class WorkPlace: @unchecked Sendable {
  var worker: Worker?
}

/// One thread's memory, and the way through a plan. After the first tiles nothing is allocated any more.
final class Worker {
  /// What a step made, for those that read it.
  private enum Output {
    case nothing
    case tile(Tile)
    /// Rows of a bitmap, read in place.
    case bitmap(BitmapSurface, Offset)
    /// Rows of a source that gives them in order, read in place.
    case rows(RowFeed)
    /// Rows of a step that are computed when they are needed.
    case streamed(Int)
  }

  private let plan: Plan
  private let grid: TileGrid
  private let feeds: [RowFeed?]
  private var needs: [Region] = []
  private var wanted: [(step: Int, region: Region)] = []
  private var outputs: [Output]
  /// The inputs of a filter while it computes.
  private var tiles: [Tile] = []
  private let memory: PlanMemory
  private let memories: [TileMemory]
  private let scratch: Arena
  private let isCancelled: (@Sendable () -> Bool)?
  private let meter: StepMeter?
  /// The worker that it computes blocks for; nil where it computes tiles.
  private unowned let employer: Worker?
  /// Those that compute blocks for this one, by the step of the cache.
  private var helpers: [Int: Worker] = [:]
  private var promisedBlocks: [Region] = []

  /// A worker for tiles, or for the blocks of the step `cache`.
  init(
    _ plan: Plan, _ grid: TileGrid, _ memory: PlanMemory, _ feeds: [RowFeed?],
    isCancelled: (@Sendable () -> Bool)?, meter: StepMeter?, cache: Int? = nil,
    employer: Worker? = nil
  ) {
    (self.plan, self.grid, self.memory, self.feeds) = (plan, grid, memory, feeds)
    (self.isCancelled, self.meter, self.employer) = (isCancelled, meter, employer)
    outputs = plan.steps.map { _ in .nothing }
    let desk = cache.flatMap { memory.blockDesks[$0] } ?? memory.desk
    memories = desk.slots.map(TileMemory.init)
    scratch = Arena(capacity: desk.scratch)
  }

  /// Computes a tile of each result and stores it.
  func render(_ tile: Int, into targets: [BitmapSurface?]) throws(RenderError) {
    plan.list(tile, of: grid, into: &wanted)
    try compute(into: targets)
  }

  /// Computes what is wanted and stores it.
  private func compute(into targets: [BitmapSurface?]) throws(RenderError) {
    plan.steps.regions(for: wanted, into: &needs)
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
        store(step.inkProgram ?? program, outputs[step.inputs[0]], result.region, in: target)
      } else {
        store(loading(index), outputs[index], result.region, in: target)
      }
    }
  }

  /// What makes pixels of a step's output where that is rows as they are stored.
  private func loading(_ index: Int) -> LoweredProgram {
    guard case .rows = outputs[index] else { return .nothing }
    return plan.steps[index].inkProgram ?? .nothing
  }

  private func store(
    _ program: LoweredProgram, _ input: Output, _ region: Region, in target: BitmapSurface
  ) {
    run(program, input, region) { target.row($0, from: region.x) }
  }

  private func output(of index: Int) throws(RenderError) -> Output {
    let (step, region) = (plan.steps[index], needs[index])
    if step.isStreamed { return .streamed(index) }
    switch step.work {
    case .source(let bitmap, let offset):
      let surface = bitmap.surface
      guard step.isLoaded else { return .bitmap(surface, offset) }
      if offset == .zero, let view = surface.view(region, planeCount: step.planeCount, scratch) {
        return .tile(view)
      }
      let tile = newTile(of: index)
      run(.nothing, .bitmap(surface, offset), region) { tile.surface($0, from: region.x) }
      return .tile(tile)
    case .rows:
      guard let feed = feeds[index] else { return .nothing }
      guard step.isLoaded else { return .rows(feed) }
      let tile = newTile(of: index)
      run(step.inkProgram ?? .nothing, .rows(feed), region) { tile.surface($0, from: region.x) }
      return .tile(tile)
    case .painted(let painter):
      let tile = newTile(of: index)
      painter.render(into: tile)
      return .tile(tile)
    case .point(let lowered):
      let program = step.inkProgram ?? lowered
      let input = outputs[step.inputs[0]]
      let tile =
        if step.isInPlace, case .tile(let tile) = input { tile } else { newTile(of: index) }
      if let format = step.storage {
        run(program, input, region, into: tile, roundedAs: format)
      } else {
        run(program, input, region) { tile.surface($0, from: region.x) }
      }
      return .tile(tile)
    case .area(let area):
      let tile = newTile(of: index)
      if let stream = area.stream {
        stream(region, rows(of: step.inputs[0]), PixelRowTarget(tile), scratch)
        return .tile(tile)
      }
      tiles.removeAll(keepingCapacity: true)
      for (position, input) in step.inputs.enumerated() {
        tiles.append(self.input(input, area.inputRegion(position, region)))
      }
      area.render(tile, tiles)
      return .tile(tile)
    case .window(let window):
      return .tile(windowTile(of: index, window))
    case .blend(let filter):
      let tile = newTile(of: index)
      tiles.removeAll(keepingCapacity: true)
      for input in step.inputs {
        if case .tile(let input) = outputs[input] { tiles.append(input.part(region)) }
      }
      filter.render(into: tile, from: tiles)
      return .tile(tile)
    case .cached(let grid):
      let tile = newTile(of: index)
      try fill(tile, from: grid, of: index)
      return .tile(tile)
    }
  }

  /// Fills a tile with blocks of a cache. What others compute is waited for only when nothing is left to do.
  private func fill(
    _ tile: Tile, from grid: CacheGrid, of index: Int
  ) throws(RenderError) {
    promisedBlocks.removeAll(keepingCapacity: true)
    for region in grid.blocks(covering: tile.region) {
      if let block = try block(region, from: grid, of: index, waiting: false) {
        copy(block, to: tile)
      } else {
        promisedBlocks.append(region)
      }
    }
    while let region = promisedBlocks.popLast() {
      if let block = try block(region, from: grid, of: index, waiting: true) {
        copy(block, to: tile)
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
    let helper = helper(for: index)
    helper.wanted = [(plan.steps[index].inputs[0], name.region)]
    try helper.compute(into: [block.surface])
    return block
  }

  private func copy(_ block: CachedBlock, to tile: Tile) {
    let part = tile.region.intersection(block.name.region)
    run(.nothing, .bitmap(block.surface, .zero), part) { tile.surface($0, from: part.x) }
  }

  /// Who computes blocks of a step for this thread.
  private func helper(for index: Int) -> Worker {
    if let employer { return employer.helper(for: index) }
    if let helper = helpers[index] { return helper }
    let helper = Worker(
      plan, grid, memory, feeds, isCancelled: isCancelled, meter: nil, cache: index,
      employer: self)
    helpers[index] = helper
    return helper
  }

  /// Runs a program over the rows of `region`.
  private func run(
    _ program: LoweredProgram, _ input: Output, _ region: Region,
    to target: (Int) -> cpk_surface
  ) {
    if case .streamed(let index) = input, let stream = plan.steps[index].stream {
      return withoutActuallyEscaping(target) { target in
        let end = PixelRowTarget(program: program) { y, x in
          target(y).advanced(by: x - region.x)
        }
        stream(region, rows(of: plan.steps[index].inputs[0]), end, scratch)
      }
    }
    for y in region.rows {
      let source: cpk_surface
      switch input {
      case .nothing, .streamed: return
      case .tile(let tile): source = tile.surface(y, from: region.x)
      case .bitmap(let surface, let offset):
        source = surface.row(y + offset.y, from: region.x + offset.x)
      case .rows(let feed): source = feed.row(y, from: region.x)
      }
      program.run(source, target(y), count: region.width, x: region.x, y: y)
    }
  }

  /// The rows of a step, for an area step that reads them in any form.
  private func rows(of index: Int) -> PixelRows {
    let step = plan.steps[index]
    func rows(
      in bounds: Region, by program: LoweredProgram,
      _ surface: @escaping (_ y: Int, _ x: Int) -> cpk_surface
    ) -> PixelRows {
      PixelRows(bounds, planeCount: step.planeCount, program: program, surface: surface)
    }
    var (output, program) = (outputs[index], loading(index))
    if case .point(let lowered) = step.work, step.isStreamed {
      (output, program) = (outputs[step.inputs[0]], step.inkProgram ?? lowered)
    }
    switch output {
    case .tile(let tile):
      return rows(in: tile.region, by: program) { tile.surface($0, from: $1) }
    case .bitmap(let surface, let offset):
      return rows(in: step.region, by: program) { surface.row($0 + offset.y, from: $1 + offset.x) }
    case .rows(let feed):
      return rows(in: step.region, by: program) { feed.row($0, from: $1) }
    case .nothing, .streamed:
      preconditionFailure("A step was read before it was computed.")
    }
  }

  /// Runs a program over the rows of `region`, and rounds what comes out.
  private func run(
    _ program: LoweredProgram, _ input: Output, _ region: Region, into tile: Tile,
    roundedAs format: SampleFormat
  ) {
    let row = Tile(
      region.firstRow, of: tile.pictureSize, planeCount: tile.planeCount, arena: scratch)
    var samples = row.surface(region.y, from: region.x)
    samples.format = format.kernelFormat
    for y in region.rows {
      run(program, input, Region(x: region.x, y: y, width: region.width, height: 1)) { _ in samples
      }
      LoweredProgram.nothing.run(
        samples, tile.surface(y, from: region.x), count: region.width, x: region.x, y: y)
    }
  }

  /// A tile for all of a step's region that is needed, in the step's own memory.
  private func newTile(of index: Int) -> Tile {
    let step = plan.steps[index]
    let memory = memories[step.slot]
    return Tile(
      needs[index], of: step.region.size, planeCount: step.planeCount, arena: scratch,
      memory: memory.floats)
  }

  /// Returns a step's pixels in `region`, with the pixels of the edges repeated where it reaches beyond the picture.
  private func input(_ index: Int, _ region: Region) -> Tile {
    let step = plan.steps[index]
    let inside = region.clamped(to: step.region)
    if !inside.isEmpty, inside == region, case .tile(let tile) = outputs[index] {
      return tile.part(region)
    }
    let whole = Tile(
      inside.isEmpty ? inside : region, of: step.region.size, planeCount: step.planeCount,
      arena: scratch)
    if inside.isEmpty { return whole }
    guard case .tile(let tile) = outputs[index] else {
      preconditionFailure("A step was read before it was computed.")
    }
    whole.fill(from: tile.part(inside))
    return whole
  }

  /// A part of a step's input; shared memory where all of it is there.
  private func windowTile(of index: Int, _ window: Window) -> Tile {
    let (step, region) = (plan.steps[index], needs[index])
    let input = plan.steps[step.inputs[0]]
    let seen = region.moved(by: window.offset)
    let output = outputs[step.inputs[0]]
    if case .tile(let tile) = output, window.edges == nil || input.region.contains(seen),
      tile.planeCount == step.planeCount
    {
      return tile.part(seen).moved(to: region, of: step.region.size)
    }
    let target = newTile(of: index)
    let edges = window.edges ?? .clear
    for y in region.rows {
      guard case .tile(let tile) = output,
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

extension LoweredProgram {
  /// Loads and stores alone.
  static let nothing = LoweredProgram(.init())
}
