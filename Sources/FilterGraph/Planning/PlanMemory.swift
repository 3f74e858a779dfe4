internal import ImageBuffer

/// How much memory the tiles of a plan take, known before the first one is computed.
struct PlanMemory: Sendable {
  /// The sizes of a worker's buffers for the steps of one tile or block.
  struct WorkerBuffers: Sendable {
    /// The most floats of each buffer.
    var slots: [Int]
    /// The most floats that one step asks for while it computes.
    var scratch = 0
    /// What the inputs of a step must be computed for, used again for each.
    fileprivate var seen: [Region] = []

    fileprivate var floatCount: Int { slots.reduce(0, +) + scratch }
  }

  /// For tiles.
  private(set) var tileBuffers: WorkerBuffers
  /// For the blocks of caches, by their step.
  private(set) var blockBuffers: [Int: WorkerBuffers] = [:]
  /// The reductions that compute their input in bands, by their step.
  let bands: [Int: InputBands]
  /// For these bands, by the step of the reduction.
  private(set) var bandBuffers: [Int: WorkerBuffers] = [:]
  /// For each cache, by its step, the blocks that are asked for.
  private var cached: [Int: BlockSet] = [:]
  /// For each of these caches, the bytes of its blocks.
  private(set) var cachedBytes: [Int: Int] = [:]
  /// For each row source, by its step.
  private(set) var rows: [Int: RowNeed] = [:]
  /// For each step.
  private(set) var needs: [StepNeed]

  /// What the tiles need of a step.
  struct StepNeed: Sendable {
    /// What all of them need together.
    fileprivate(set) var region = Region(x: 0, y: 0, width: 0, height: 0)
    /// The most that one of them needs.
    fileprivate(set) var tile = PixelSize(0, 0)
    /// The memory that this takes on each thread.
    fileprivate(set) var bytes = 0

    fileprivate mutating func add(_ need: Region, floats: Int) {
      region = region.union(need)
      tile = PixelSize(max(tile.width, need.width), max(tile.height, need.height))
      bytes = max(bytes, 4 * floats)
    }
  }

  /// What the tiles need of a source that gives its rows in order.
  struct RowNeed: Sendable {
    /// What all of them need together.
    fileprivate(set) var region = Region(x: 0, y: 0, width: 0, height: 0)
    /// For each tile the first row that it or a later one needs; after the last, the source's height.
    fileprivate(set) var firstRows: [Int] = []
    /// For each tile the row after the last one that it needs.
    fileprivate(set) var lastRows: [Int] = []

    fileprivate init(tileCount: Int) {
      firstRows.reserveCapacity(tileCount + 1)
      lastRows.reserveCapacity(tileCount)
    }

    fileprivate mutating func add(_ need: Region) {
      region = region.union(need)
      firstRows.append(need.isEmpty ? .max : need.rows.lowerBound)
      lastRows.append(need.isEmpty ? 0 : need.rows.upperBound)
    }

    /// Buffers that a later tile needs are kept, too.
    fileprivate mutating func finish(height: Int) {
      var least = height
      for tile in firstRows.indices.reversed() {
        least = min(least, firstRows[tile])
        firstRows[tile] = least
      }
      firstRows.append(height)
    }

    /// The bytes of both lists.
    fileprivate var byteCount: Int { 8 * (firstRows.count + lastRows.count) }
  }

  /// Measures what the tiles of a plan need.
  ///
  /// Complexity: linear in the number of tiles times the number of steps, which ``TileGrid/countLimit(steps:)`` bounds.
  ///
  /// - Parameters:
  ///   - bands: The reductions that compute their input in bands; nil for those where no step is computed several times.
  ///   - isCancelled: Asked from time to time whether to stop.
  init(
    _ plan: Plan, _ grid: TileGrid, bands: [Int: InputBands]? = nil,
    isCancelled: (@Sendable () -> Bool)? = nil
  ) throws(RenderError) {
    let limit = TileGrid.countLimit(steps: plan.steps.count)
    guard grid.count <= limit else {
      throw .tooManyTiles(grid.count, tile: grid.tile, limit: limit)
    }
    let empty = WorkerBuffers(slots: [Int](repeating: 0, count: plan.slotCount))
    tileBuffers = empty
    let bands = bands ?? InputBands.chosen(for: plan, grid, sharing: false)
    self.bands = bands
    bandBuffers = bands.mapValues { _ in empty }
    needs = [StepNeed](repeating: StepNeed(), count: plan.steps.count)
    // A dictionary's values cannot be changed in place while its keys are visited.
    var feeds: [(step: Int, need: RowNeed)] = []
    for (index, step) in plan.steps.enumerated() {
      if case .rows = step.work { feeds.append((index, RowNeed(tileCount: grid.count))) }
      if step.cacheGrid != nil { blockBuffers[index] = empty }
    }
    var cancellation = CancellationCheck(plan, isCancelled)
    var regions: [Region] = []
    var wanted: [(step: Int, region: Region)] = []
    for tile in 0..<grid.count {
      try cancellation.check()
      plan.list(tile, of: grid, into: &wanted)
      plan.steps.regions(for: wanted, bands: bands, into: &regions)
      for index in plan.steps.indices where !regions[index].isEmpty {
        let floats = try tileBuffers.reserve(
          regions[index], for: plan.steps[index], plan, readsBands: bands[index] != nil)
        needs[index].add(regions[index], floats: floats)
      }
      try note(regions, plan, &cancellation)
      if !blockBuffers.isEmpty || !bands.isEmpty {
        plan.steps.regions(for: wanted, throughAll: true, into: &regions)
      }
      for index in feeds.indices { feeds[index].need.add(regions[feeds[index].step]) }
    }
    try measureBlocks(of: plan, &cancellation)
    for (index, var need) in feeds {
      need.finish(height: plan.steps[index].region.height)
      rows[index] = need
    }
  }

  /// Measures what the blocks of caches need.
  private mutating func measureBlocks(
    of plan: Plan, _ cancellation: inout CancellationCheck
  ) throws(RenderError) {
    var regions: [Region] = []
    // In reverse order: later caches determine which blocks of earlier ones are needed.
    for index in blockBuffers.keys.sorted(by: >) {
      guard let grid = plan.steps[index].cacheGrid, let blocks = cached[index],
        var buffers = blockBuffers[index]
      else { continue }
      for block in blocks.regions(of: grid) {
        try cancellation.check()
        cachedBytes[index, default: 0] += grid.byteCount(block)
        plan.steps.regions(
          for: [(plan.steps[index].inputs[0], block)], bands: bands, into: &regions)
        for step in plan.steps.indices where !regions[step].isEmpty {
          _ = try buffers.reserve(
            regions[step], for: plan.steps[step], plan, readsBands: bands[step] != nil)
        }
        try note(regions, plan, &cancellation)
      }
      blockBuffers[index] = buffers
    }
  }

  /// Measures what the bands of a reduction's input need, for a region of the reduction.
  private mutating func measureBands(
    of index: Int, for output: Region, _ plan: Plan, _ cancellation: inout CancellationCheck
  ) throws(RenderError) {
    guard let bands = bands[index], var buffers = bandBuffers[index] else { return }
    var regions: [Region] = []
    let seen = plan.input(of: index, for: output)
    var y = seen.y
    while seen.rows.contains(y) {
      try cancellation.check()
      let band = bands.band(with: y, of: seen)
      plan.steps.regions(for: [(bands.source, band)], bands: self.bands, into: &regions)
      for step in plan.steps.indices where !regions[step].isEmpty {
        let floats = try buffers.reserve(
          regions[step], for: plan.steps[step], plan, readsBands: self.bands[step] != nil)
        needs[step].add(regions[step], floats: floats)
      }
      // Reductions before this one may compute their input in bands, too.
      try note(regions, plan, &cancellation)
      y = band.rows.upperBound
    }
    bandBuffers[index] = buffers
  }

  /// Notes what is needed of caches, and measures bands that are needed.
  private mutating func note(
    _ needs: [Region], _ plan: Plan, _ cancellation: inout CancellationCheck
  ) throws(RenderError) {
    for index in bands.keys where !needs[index].isEmpty {
      try measureBands(of: index, for: needs[index], plan, &cancellation)
    }
    for index in blockBuffers.keys where !needs[index].isEmpty {
      guard let blocks = plan.steps[index].cacheGrid?.blocks(covering: needs[index]) else {
        continue
      }
      cached[index, default: BlockSet()].insert(blocks)
    }
  }

  /// The most bytes that caches take for the plan: those that they may keep, and for each worker the blocks in its hands.
  private func cacheBytes(of plan: Plan, workers: Int) -> Int {
    var kept: [ObjectIdentifier: (bytes: Int, limit: Int)] = [:]
    var inHands = 0
    for (index, bytes) in cachedBytes {
      guard let grid = plan.steps[index].cacheGrid else { continue }
      let cache = grid.share.cache
      kept[ObjectIdentifier(cache), default: (0, cache.byteLimit)].bytes += bytes
      inHands += grid.byteCount(
        Region(PixelSize(grid.side, grid.side)).intersection(Region(grid.bounds.size)))
    }
    return kept.values.map { min($0.bytes, $0.limit) }.reduce(0, +) + workers * inHands
  }

  /// The most bytes that so many workers take together, who begin so many tiles from the first that is not done.
  func peakBytes(of plan: Plan, workers: Int, tilesAhead: Int) -> Int {
    let floats = (Array(blockBuffers.values) + bandBuffers.values)
      .reduce(tileBuffers.floatCount) { $0 + $1.floatCount }
    let tiles = floats.multipliedSaturated(by: 4 * workers)
    let feeds = rows.map { index, need in
      guard case .rows(let source) = plan.steps[index].work else { return 0 }
      return need.byteCount.addingSaturated(
        RowFeed.peakBytes(of: source, need, tilesAhead: tilesAhead))
    }
    return
      ([tiles, cacheBytes(of: plan, workers: workers), plan.ownBytes] + feeds)
      .reduce(0) { $0.addingSaturated($1) }
  }
}

extension PlanMemory.WorkerBuffers {
  /// More than any machine has, and few enough for all workers' bytes to be counted.
  private static let floatLimit = 1 << 42

  /// Makes the buffer of a step large enough for a tile or a block. Returns how many floats that takes, scratch buffers aside.
  fileprivate mutating func reserve(
    _ region: Region, for step: Step, _ plan: Plan, readsBands: Bool
  ) throws(RenderError) -> Int {
    var floats = 0
    if step.needsMemory {
      floats = try Self.floatCount(region, step.planeCount)
      slots[step.slot] = max(slots[step.slot], floats)
    }
    scratch = max(scratch, try scratchCount(of: step, for: region, plan, readsBands))
    try Self.check(floatCount)
    return floats
  }

  /// Returns how many floats a step asks for while it computes `region`.
  private mutating func scratchCount(
    of step: Step, for region: Region, _ plan: Plan, _ readsBands: Bool
  ) throws(RenderError) -> Int {
    guard case .area(let area) = step.work else {
      return step.storage == nil ? 0 : Tile.floatCount(region.firstRow, planes: step.planeCount)
    }
    if readsBands, let scratchCount = area.bandScratchCount {
      let asked = scratchCount(region, step.planeCount)
      try Self.check(asked)
      return asked
    }
    var copied = 0
    seen.removeAll(keepingCapacity: true)
    for (position, input) in step.inputs.enumerated() {
      let seen = area.inputRegion(position, region)
      self.seen.append(seen)
      let seenFloats = try Self.floatCount(seen, plan.steps[input].planeCount)
      // An input in a tile is copied where it must be extended beyond its edges.
      if area.stream == nil, !plan.steps[input].region.contains(seen) { copied += seenFloats + 16 }
    }
    let asked = area.scratchCount(region, seen, step.planeCount)
    try Self.check(asked)
    return copied + max(asked, 0)
  }

  /// Returns the floats of a tile, which may be a filter's own idea of what it sees.
  private static func floatCount(_ region: Region, _ planes: Int) throws(RenderError) -> Int {
    if region.isEmpty { return 0 }
    try check(max(region.width, region.height))
    try check(region.size.pixelCount)
    let floats = Tile.floatCount(region, planes: planes)
    try check(floats)
    return floats
  }

  private static func check(_ floats: Int) throws(RenderError) {
    if floats > floatLimit {
      throw .moreThanMachineMemory(bytes: min(floats, 1 << 60) * 4, machine: MachineMemory.bytes)
    }
  }
}

/// Asks after every few thousand regions whether to stop.
private struct CancellationCheck {
  private let interval: Int
  private var count = 0
  private let isCancelled: (@Sendable () -> Bool)?

  init(_ plan: Plan, _ isCancelled: (@Sendable () -> Bool)?) {
    interval = max(1, 4096 / max(1, plan.steps.count))
    self.isCancelled = isCancelled
  }

  mutating func check() throws(RenderError) {
    count += 1
    if count % interval == 0, isCancelled?() == true { throw .cancelled }
  }
}

extension Plan {
  /// Lists what a tile of the grid asks of each result. Reuses the memory of `wanted`.
  func list(_ tile: Int, of grid: TileGrid, into wanted: inout [(step: Int, region: Region)]) {
    wanted.removeAll(keepingCapacity: true)
    for (result, step) in results.enumerated() {
      wanted.append((step, grid.region(of: tile, result: result)))
    }
  }

  /// The bytes of a plan besides its pixels, at most: objects, what is copied for the kernels, and what filters prepare.
  fileprivate var ownBytes: Int {
    steps.reduce(1 << 18) { bytes, step in
      let inks = step.inkProgram?.payloadBytes ?? 0
      return switch step.work {
      case .area(let area):
        bytes.addingSaturated(area.preparationBytes).addingSaturated(1 << 12)
      case .point(let program): bytes.addingSaturated(program.payloadBytes).addingSaturated(inks)
      default: bytes.addingSaturated(inks)
      }
    }
  }
}

extension Step {
  /// Whether it computes into a buffer of a worker.
  var needsMemory: Bool {
    switch work {
    case .source, .rows: isLoaded
    case .point: !isStoredAtOnce && !isStreamed
    case .area: !isStreamed
    case .painted, .window, .blend, .cached: true
    }
  }
}

extension Region {
  var firstRow: Region { Region(x: x, y: y, width: width, height: min(height, 1)) }
}
