internal import ImageBuffer

/// How the results of a plan are cut into tiles, row by row.
///
/// The largest result is cut into tiles of one size; of the others each tile computes the same part as of that one.
struct TileGrid: Sendable {
  let tile: PixelSize
  let sizes: [PixelSize]
  let columns, rows: Int
  private let largest: Int

  init(tile: PixelSize, sizes: [PixelSize]) {
    precondition(tile.width > 0 && tile.height > 0, "A tile needs at least one pixel; got \(tile).")
    largest = sizes.indexOfLargest
    let whole = sizes[largest]
    let tile = PixelSize(min(tile.width, whole.width), min(tile.height, whole.height))
    (self.tile, self.sizes) = (tile, sizes)
    columns = (whole.width + tile.width - 1) / tile.width
    rows = (whole.height + tile.height - 1) / tile.height
  }

  var count: Int { columns * rows }

  func region(of index: Int, result: Int) -> Region {
    let (column, row) = (index % columns, index / columns)
    let size = sizes[result]
    if result == largest {
      return Region(
        x: column * tile.width, y: row * tile.height, width: tile.width, height: tile.height
      ).intersection(Region(size))
    }
    let (left, right) = (column * size.width / columns, (column + 1) * size.width / columns)
    let (top, bottom) = (row * size.height / rows, (row + 1) * size.height / rows)
    return Region(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The rows of a result that tiles beside each other compute.
  func rows(ofBand index: Int, result: Int) -> Range<Int> {
    region(of: index * columns, result: result).rows
  }

  /// The most rows that any of a result's bands has.
  func bandHeight(of result: Int) -> Int {
    result == largest ? tile.height : (sizes[result].height + rows - 1) / rows
  }
}

extension [PixelSize] {
  /// The first of those that have the most pixels.
  var indexOfLargest: Int {
    indices.reduce(0) { self[$1].pixelCount > self[$0].pixelCount ? $1 : $0 }
  }
}

/// How much memory the tiles of a plan take, known before the first one is computed.
struct PlanMemory: Sendable {
  /// What a worker has for the steps of one tile.
  struct Desk: Sendable {
    /// The most floats of each memory.
    var slots: [Int]
    /// The most floats that one step asks for while it computes.
    var scratch = 0

    fileprivate var floatCount: Int { slots.reduce(0, +) + scratch }
  }

  /// For tiles.
  var desk: Desk
  /// For the blocks of caches, by their step.
  var blockDesks: [Int: Desk] = [:]
  /// For each cache, by its step, the region of all blocks that are asked for.
  private var cached: [Int: Region] = [:]
  /// For each row source, by its step.
  var rows: [Int: RowNeed] = [:]
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

    fileprivate mutating func add(_ need: Region, of step: Step) {
      guard need.width > 0, need.height > 0 else { return }
      region = region.union(need)
      tile = PixelSize(max(tile.width, need.width), max(tile.height, need.height))
      if step.needsMemory {
        bytes = max(bytes, 4 * Tile.floatCount(need, planes: step.planeCount))
      }
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

    fileprivate mutating func add(_ need: Region) {
      region = region.union(need)
      firstRows.append(need.width > 0 ? need.rows.lowerBound : .max)
      lastRows.append(need.width > 0 ? need.rows.upperBound : 0)
    }

    /// What a later tile needs is kept, too.
    fileprivate mutating func finish(height: Int) {
      var least = height
      for tile in firstRows.indices.reversed() {
        least = min(least, firstRows[tile])
        firstRows[tile] = least
      }
      firstRows.append(height)
    }
  }

  /// Walks over all tiles, which takes a while where there are millions; asked from time to time whether to stop.
  init(
    _ plan: Plan, _ grid: TileGrid, isCancelled: (@Sendable () -> Bool)? = nil
  ) throws(RenderError) {
    let empty = Desk(slots: [Int](repeating: 0, count: plan.slotCount))
    desk = empty
    self.needs = [StepNeed](repeating: StepNeed(), count: plan.steps.count)
    for (index, step) in plan.steps.enumerated() {
      if case .rows = step.work { rows[index] = RowNeed() }
      if step.cacheGrid != nil { blockDesks[index] = empty }
    }
    var needs: [Region] = []
    for tile in 0..<grid.count {
      if tile % 1024 == 1023, isCancelled?() == true { throw .cancelled }
      let wanted = plan.wanted(of: tile, in: grid)
      plan.steps.regions(for: wanted, into: &needs)
      try desk.makeRoom(for: needs, plan)
      note(needs, plan)
      for (index, step) in plan.steps.enumerated() { self.needs[index].add(needs[index], of: step) }
      if !blockDesks.isEmpty {
        plan.steps.regions(for: wanted, throughCaches: true, into: &needs)
      }
      for index in rows.keys { rows[index]?.add(needs[index]) }
    }
    // What follows says first what it needs of those before it.
    for index in blockDesks.keys.sorted(by: >) {
      guard let grid = plan.steps[index].cacheGrid, let region = cached[index] else { continue }
      for block in grid.blocks(covering: region) {
        plan.steps.regions(for: [(plan.steps[index].inputs[0], block)], into: &needs)
        try blockDesks[index]?.makeRoom(for: needs, plan)
        note(needs, plan)
      }
    }
    for index in rows.keys { rows[index]?.finish(height: plan.steps[index].region.height) }
  }

  /// Notes what is needed of caches.
  private mutating func note(_ needs: [Region], _ plan: Plan) {
    for index in blockDesks.keys where needs[index].width > 0 && needs[index].height > 0 {
      guard let cover = plan.steps[index].cacheGrid?.cover(needs[index]) else { continue }
      cached[index] = cached[index]?.union(cover) ?? cover
    }
  }

  /// The most bytes that caches take for the plan: those that they may keep, and for each worker the blocks in its hands.
  private func cacheBytes(of plan: Plan, workers: Int) -> Int {
    var kept: [ObjectIdentifier: (bytes: Int, limit: Int)] = [:]
    var inHands = 0
    for (index, region) in cached {
      guard let grid = plan.steps[index].cacheGrid else { continue }
      let cache = grid.share.cache
      kept[ObjectIdentifier(cache), default: (0, cache.byteLimit)].bytes += grid.byteCount(region)
      inHands += grid.byteCount(
        Region(PixelSize(grid.side, grid.side)).intersection(Region(grid.bounds.size)))
    }
    return kept.values.map { min($0.bytes, $0.limit) }.reduce(0, +) + workers * inHands
  }

  /// The most bytes that so many workers take together, who begin so many tiles from the first that is not done.
  func peakBytes(of plan: Plan, workers: Int, tilesAhead: Int) -> Int {
    let floats = blockDesks.values.map(\.floatCount).reduce(desk.floatCount, +)
    let tiles = workers * 4 * floats + cacheBytes(of: plan, workers: workers)
    let feeds = rows.map { index, need in
      guard case .rows(let source) = plan.steps[index].work else { return 0 }
      return RowFeed.peakBytes(of: source, need, tilesAhead: tilesAhead)
    }
    return tiles + feeds.reduce(0, +) + plan.ownBytes
  }
}

extension PlanMemory.Desk {
  /// Makes room for what the steps compute.
  fileprivate mutating func makeRoom(
    for needs: [Region], _ plan: Plan
  ) throws(RenderError) {
    for (step, region) in zip(plan.steps, needs) where region.width > 0 && region.height > 0 {
      // More than any machine has, and more than what is summed up from here on could count.
      let (bytes, limit) = (min(region.size.pixelCount, 1 << 58) * 16, 1 << 44)
      if bytes > limit, step.needsMemory { throw .tooMuchMemory(bytes: bytes, limit: limit) }
      if step.needsMemory {
        let floats = Tile.floatCount(region, planes: step.planeCount)
        slots[step.slot] = max(slots[step.slot], floats)
      }
      scratch = max(scratch, plan.scratchCount(of: step, for: region))
    }
  }
}

extension Plan {
  /// What a tile of the grid asks of each result.
  func wanted(of tile: Int, in grid: TileGrid) -> [(step: Int, region: Region)] {
    results.enumerated().map { ($1, grid.region(of: tile, result: $0)) }
  }

  /// What a plan takes besides its pixels, at most: objects, tables of curves, and for each column and row that a filter sees or
  /// makes the weights of what it is made of.
  fileprivate var ownBytes: Int {
    let tables = steps.map { step in
      guard case .area = step.work else { return 0 }
      let sizes = [step.region.size, steps[step.inputs[0]].region.size]
      return sizes.map { 64 * ($0.width + $0.height) }.reduce(0, +)
    }
    return (1 << 18) + tables.reduce(0, +)
  }

  /// How many floats a step asks for while it computes `region`.
  fileprivate func scratchCount(of step: Step, for region: Region) -> Int {
    guard case .area(let area) = step.work else {
      return step.storage == nil ? 0 : Tile.floatCount(region.firstRow, planes: step.planeCount)
    }
    let seen = area.inputRegion(region)
    let input = steps[step.inputs[0]].region
    let beyondEdges =
      input.contains(seen) ? 0 : Tile.floatCount(seen, planes: step.planeCount) + 16
    return beyondEdges + area.scratchCount(region, seen, step.planeCount)
  }
}

extension Step {
  /// Whether it computes into memory of a worker.
  fileprivate var needsMemory: Bool {
    switch work {
    case .source, .rows: isLoaded
    case .point: !isStoredAtOnce
    case .painted, .area, .window, .blend, .cached: true
    }
  }
}

extension Region {
  var firstRow: Region { Region(x: x, y: y, width: width, height: min(height, 1)) }
}
