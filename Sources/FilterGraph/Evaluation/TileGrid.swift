internal import ImageBuffer

/// How the results of a plan are cut into tiles, row by row.
///
/// The first result is cut into tiles of one size; of the others each tile computes the same part as of the first.
struct TileGrid: Sendable {
  let tile: PixelSize
  let sizes: [PixelSize]
  let columns, rows: Int

  init(tile: PixelSize, sizes: [PixelSize]) {
    precondition(tile.width > 0 && tile.height > 0, "A tile needs at least one pixel; got \(tile).")
    (self.tile, self.sizes) = (tile, sizes)
    columns = (sizes[0].width + tile.width - 1) / tile.width
    rows = (sizes[0].height + tile.height - 1) / tile.height
  }

  var count: Int { columns * rows }

  func region(of index: Int, result: Int) -> Region {
    let (column, row) = (index % columns, index / columns)
    let size = sizes[result]
    if result == 0 {
      return Region(
        x: column * tile.width, y: row * tile.height, width: tile.width, height: tile.height
      ).intersection(Region(size))
    }
    let (left, right) = (column * size.width / columns, (column + 1) * size.width / columns)
    let (top, bottom) = (row * size.height / rows, (row + 1) * size.height / rows)
    return Region(x: left, y: top, width: right - left, height: bottom - top)
  }
}

/// How much memory the tiles of a plan take, known before the first one is computed.
struct PlanMemory: Sendable {
  /// The most floats of each of a worker's memories.
  var slots: [Int]
  /// The most floats that one step asks for while it computes.
  var scratch = 0
  /// For each row source, by its step: the first row that each tile or a later one needs, and the row after the last.
  var rows: [Int: (first: [Int], last: [Int])] = [:]

  init(_ plan: Plan, _ grid: TileGrid) {
    slots = [Int](repeating: 0, count: plan.slotCount)
    for (index, step) in plan.steps.enumerated() {
      if case .rows = step.work { rows[index] = ([], []) }
    }
    var needs: [Region] = []
    for tile in 0..<grid.count {
      plan.regions(for: plan.wanted(of: tile, in: grid), into: &needs)
      for (index, step) in plan.steps.enumerated() {
        let region = needs[index]
        rows[index]?.first.append(region.width > 0 ? region.rows.lowerBound : .max)
        rows[index]?.last.append(region.width > 0 ? region.rows.upperBound : 0)
        guard region.width > 0, region.height > 0 else { continue }
        if step.needsMemory {
          let floats = Tile.floatCount(region, planes: step.planeCount)
          slots[step.slot] = max(slots[step.slot], floats)
        }
        scratch = max(scratch, plan.scratchCount(of: step, for: region))
      }
    }
    for index in rows.keys {
      // What a later tile needs is kept, too.
      guard case .rows(let source) = plan.steps[index].work else { continue }
      var least = source.size.height
      var first = rows[index]?.first ?? []
      for tile in first.indices.reversed() {
        least = min(least, first[tile])
        first[tile] = least
      }
      rows[index]?.first = first + [source.size.height]
    }
  }

  /// The most bytes that so many workers take together.
  func peakBytes(of plan: Plan, workers: Int) -> Int {
    let tiles = workers * 4 * (slots.reduce(0, +) + scratch)
    let feeds = rows.map { index, rows in
      guard case .rows(let source) = plan.steps[index].work else { return 0 }
      return RowFeed.peakBytes(
        of: source, firstRows: rows.first, lastRows: rows.last, workers: workers)
    }
    return tiles + feeds.reduce(0, +) + plan.ownBytes
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
    guard case .area(let area) = step.work else { return 0 }
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
    case .painted, .area, .window, .blend: true
    }
  }
}
