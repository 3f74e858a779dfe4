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
  /// The bytes that a rendering takes besides its evaluator, for one grid.
  struct ResultBytes {
    /// Of whole results, and of what holds or consumes them.
    var whole: Int
    /// Of a band of each result; nil where results are not rendered in bands.
    var band: Int?
  }

  /// The plan that runs: the original one, or one with copies of steps where that keeps the memory limit and the original does not, or
  /// where it runs on more threads.
  let plan: Plan
  let options: RenderOptions
  let grid: TileGrid
  private(set) var memory: PlanMemory
  /// The receiver of tiles reports when it has used them.
  let progress: ProgressReport
  /// As many as the options allow. Fewer where all would take too much memory and the caller has named no number.
  private var workers: Int
  /// How many tiles a thread takes at once.
  fileprivate let tilesAtOnce: Int
  private let results: ResultBytes

  /// Throws where rendering would take more memory than the options allow, or than there is. `resultBytes` is the size of what is rendered
  /// into.
  init(
    _ plan: Plan, sizes: [PixelSize], resultBytes: Int, options: RenderOptions
  ) throws(RenderError) {
    try self.init(plan, sizes: sizes, options: options) { _ in ResultBytes(whole: resultBytes) }
  }

  /// Throws where rendering would take more memory than the options allow, or than there is, even with copies of steps. A thread takes one
  /// tile at once, or all tiles of a row where results are rendered in bands.
  init(
    _ plan: Plan, sizes: [PixelSize], options: RenderOptions,
    resultBytes: (TileGrid) throws(RenderError) -> ResultBytes
  ) throws(RenderError) {
    var chosen = Result { () throws(RenderError) in
      try TiledEvaluator(running: plan, sizes, options, resultBytes)
    }
    let tries =
      switch chosen {
      case .success(let evaluator): evaluator.mayGainFromCopies(sizes)
      // A step's bounding box alone is larger than any memory.
      case .failure(.moreThanMachineMemory): true
      case .failure: false
      }
    if tries, let copied = plan.copyingStepsReadFarApart(sizes, tile: options.tile) {
      // A plan of more steps may have too many tiles: then the original one runs, or is refused for its own memory.
      let other = Result { () throws(RenderError) in
        try TiledEvaluator(running: copied, sizes, options, resultBytes)
      }
      if case .success(let evaluator) = other, evaluator.isBetter(than: chosen) { chosen = other }
    }
    self = try chosen.get()
    if options.refuses, let refusal { throw refusal }
  }

  /// Whether copies of steps that are read far apart may help: where the plan would be refused, or runs on fewer threads than allowed.
  private func mayGainFromCopies(_ sizes: [PixelSize]) -> Bool {
    if refusal != nil || options.copiesStepsReadFarApart { return true }
    return workers < options.workerLimit
      && TileGrid(tile: options.tile ?? Plan.firstTile, sizes: sizes).count > 1
  }

  /// Whether this evaluator, of a plan with copies, is preferred to that of the original plan: where that is refused, or where more
  /// threads outweigh the steps that are computed several times.
  private func isBetter(than original: Result<TiledEvaluator, RenderError>) -> Bool {
    guard case .success(let original) = original else { return true }
    if refusal != nil { return false }
    if original.refusal != nil || options.copiesStepsReadFarApart { return true }
    return workers * original.plan.steps.count > original.workers * plan.steps.count
  }

  /// Chooses tiles and as many threads as the memory limit allows, at least one.
  private init(
    running plan: Plan, _ sizes: [PixelSize], _ options: RenderOptions,
    _ resultBytes: (TileGrid) throws(RenderError) -> ResultBytes
  ) throws(RenderError) {
    (self.plan, self.options) = (plan, options)
    grid = try plan.grid(sizes, options)
    results = try resultBytes(grid)
    tilesAtOnce = results.band == nil ? 1 : grid.columns
    progress = ProgressReport(total: grid.count, report: options.progress)
    workers = min(options.workerLimit, grid.count)
    memory = try PlanMemory(plan, grid, isCancelled: options.isCancelled)
    reduceWorkers()
    if refusal == nil { return }
    // More reductions may compute their input in bands, at the cost of computing steps several times.
    let bands = InputBands.chosen(for: plan, grid, sharing: true)
    if bands.count == memory.bands.count { return }
    memory = try PlanMemory(plan, grid, bands: bands, isCancelled: options.isCancelled)
    workers = min(options.workerLimit, grid.count)
    reduceWorkers()
  }

  /// Halves the number of threads until the memory limit is kept, unless the caller has named the number.
  private mutating func reduceWorkers() {
    while refusal != nil, options.threads == nil, workers > 1 { workers /= 2 }
  }

  /// Why this evaluator, with its bands and results, is refused.
  private var refusal: RenderError? {
    options.refusal(ofBytes: peakBytes.addingSaturated(resultBytes))
  }

  /// The bytes of the results, or of their bands, and of what holds or consumes them.
  var resultBytes: Int {
    results.whole.addingSaturated((results.band ?? 0).multipliedSaturated(by: bandsAtOnce))
  }

  /// How many tiles are computed at once.
  var workerCount: Int { workers }

  /// The most bands that are computed or wait for delivery at once.
  var bandsAtOnce: Int { min(2 * workers, grid.rows) }

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

  /// The work of a thread on some tiles. It reports each one when it is computed, and ends when that throws.
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
    let pass = TilePass(self, holding: pool, render)
    let slots = (0..<workers).map { _ in WorkerSlot() }
    let share = options.threads == nil ? CoreShare() : nil
    let queue = RenderQueue.current
    while pass.goesOn {
      let round = WorkRound(limit: workers, share: share)
      if round.threads == 1 {
        pass.work(at: slots[0], in: round)
      } else {
        DispatchQueue.concurrentPerform(iterations: round.threads) { index in
          RenderQueue.$current.withValue(queue) { pass.work(at: slots[index], in: round) }
        }
      }
    }
    try pass.throwFailure()
  }

  /// The rows of each source that gives its rows in order, by its step.
  fileprivate func feeds() -> [RowFeed?] {
    plan.steps.enumerated().map { index, step in
      guard case .rows(let source) = step.work, let need = memory.rows[index] else { return nil }
      return RowFeed(
        source, need, tilesAhead: groupsAhead * tilesAtOnce, handOver: options.handOver)
    }
  }

  /// Limits how far threads run ahead of the slowest one; nil where no source keeps rows for it.
  fileprivate func limiter(of feeds: [RowFeed?]) -> RunAheadLimiter? {
    if feeds.allSatisfy({ $0 == nil }) { return nil }
    return RunAheadLimiter(
      groups: groupsAhead, tilesPerGroup: tilesAtOnce, handOver: options.handOver)
  }
}

/// One pass over all tiles: what its threads share, and the work of each.
private final class TilePass<Buffer: Sendable>: Sendable {
  private let evaluator: TiledEvaluator
  private let pool: BufferPool<Buffer>
  private let render: TiledEvaluator.Work<Buffer>
  private let feeds: [RowFeed?]
  private let limiter: RunAheadLimiter?
  /// The first tile that no thread has taken.
  private let next = Atomic(0)
  private let failure = Mutex<RenderError?>(nil)

  init(
    _ evaluator: TiledEvaluator, holding pool: BufferPool<Buffer>,
    _ render: @escaping TiledEvaluator.Work<Buffer>
  ) {
    (self.evaluator, self.pool, self.render) = (evaluator, pool, render)
    feeds = evaluator.feeds()
    limiter = evaluator.limiter(of: feeds)
  }

  /// Whether tiles are left and no thread has failed.
  var goesOn: Bool { next.load(ordering: .relaxed) < evaluator.grid.count && !hasFailed }

  private var hasFailed: Bool { failure.withLock { $0 != nil } }

  /// Throws the first failure of a thread, if there is one.
  func throwFailure() throws(RenderError) {
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  /// Works until no tile is left, or the round is over.
  func work(at slot: WorkerSlot, in round: WorkRound) {
    let worker = slot.worker ?? makeWorker()
    slot.worker = worker
    while round.goesOn() {
      do throws(RenderError) {
        guard try renderNextGroup(worker) else { return }
      } catch {
        fail(error)
      }
    }
  }

  private func makeWorker() -> Worker {
    // What waits for another thread of this rendering in vain must end when that one failed.
    Worker(
      evaluator.plan, evaluator.grid, evaluator.memory, feeds,
      isCancelled: { self.isCancelled || self.hasFailed }, meter: evaluator.options.meter)
  }

  /// Takes a buffer and the next tiles, and renders them. Returns false where nothing is left to do.
  private func renderNextGroup(_ worker: Worker) throws(RenderError) -> Bool {
    guard let buffer = try pool.take() else { return false }
    evaluator.options.handOver?(.bufferTaken)
    limiter?.wait()
    let (count, tilesAtOnce) = (evaluator.grid.count, evaluator.tilesAtOnce)
    let first = next.add(tilesAtOnce, ordering: .relaxed).oldValue
    guard first < count, !hasFailed else {
      pool.giveBack(buffer)
      return false
    }
    try throwIfCancelled()
    try render(worker, buffer, first..<min(first + tilesAtOnce, count)) {
      tile throws(RenderError) in
      limiter?.finish(tile: tile) { firstUnfinished in
        for feed in feeds { feed?.release(before: firstUnfinished) }
      }
      try throwIfCancelled()
    }
    return true
  }

  /// Whatever ends the rendering early, no thread waits any more.
  private func fail(_ error: RenderError) {
    failure.withLock { $0 = $0 ?? error }
    limiter?.permit(evaluator.workerCount)
    pool.close()
  }

  private var isCancelled: Bool { evaluator.options.isCancelled?() == true }

  private func throwIfCancelled() throws(RenderError) {
    if isCancelled { throw .cancelled }
  }
}

/// The buffers of one thread at a time; the next one reuses them. The threads of a round have a slot each, and the next round begins when
/// they have ended, so no two threads use a slot at a time.
private final class WorkerSlot: @unchecked Sendable {
  var worker: Worker?
}
