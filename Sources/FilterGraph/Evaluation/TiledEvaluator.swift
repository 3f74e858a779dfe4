internal import CPixelKernels
internal import ColorSpaces
internal import Dispatch
internal import ImageBuffer
internal import Synchronization

/// Runs a plan tile by tile on several threads.
///
/// A tile asks the step before it for the region it needs, and so on to the source. Neither the size of the tiles nor the number
/// of threads changes a pixel: every pixel is computed from the same numbers in the same order.
struct TiledEvaluator {
  let plan: Plan
  let options: RenderOptions

  /// Renders all of the plan into `target`.
  func render(into target: BitmapSurface) throws(RenderError) {
    let tile = options.tile ?? plan.preferredTile
    precondition(tile.width > 0 && tile.height > 0, "A tile needs at least one pixel; got \(tile).")
    let columns = (plan.size.width + tile.width - 1) / tile.width
    let rows = (plan.size.height + tile.height - 1) / tile.height
    let count = columns * rows
    let progress = ProgressReport(total: count, report: options.progress)
    let next = Atomic(0)
    let cancelled = Atomic(false)

    @Sendable func work() {
      let arena = Arena()
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < count, !cancelled.load(ordering: .relaxed) else { return }
        if options.isCancelled?() == true {
          cancelled.store(true, ordering: .relaxed)
          return
        }
        let region = Region(
          x: index % columns * tile.width, y: index / columns * tile.height,
          width: tile.width, height: tile.height
        ).intersection(Region(plan.size))
        write(plan.step, region, to: target, arena)
        arena.reset()
        progress.finishOne()
      }
    }

    let workers = min(max(options.threads ?? activeProcessorCount, 1), count)
    if workers == 1 {
      work()
    } else {
      DispatchQueue.concurrentPerform(iterations: workers) { _ in work() }
    }
    if cancelled.load(ordering: .relaxed) { throw .cancelled }
  }

  /// Computes `region` of a step and stores it in the bitmap.
  private func write(
    _ step: Step, _ region: Region, to target: BitmapSurface, _ arena: Arena
  ) {
    switch step {
    case .source(let bitmap): copy(bitmap.surface, region, to: target, .nothing)
    case .point(.source(let bitmap), let program):
      copy(bitmap.surface, region, to: target, program)
    case .point(let input, let program):
      let tile = evaluate(input, region, of: plan.size, arena)
      for y in region.rows {
        program.run(
          tile.surface(y, from: region.x), target.row(y, from: region.x), count: region.width,
          x: region.x, y: y)
      }
    case .area:
      let tile = evaluate(step, region, of: plan.size, arena)
      for y in region.rows {
        LoweredProgram.nothing.run(
          tile.surface(y, from: region.x), target.row(y, from: region.x), count: region.width,
          x: region.x, y: y)
      }
    }
  }

  private func copy(
    _ source: BitmapSurface, _ region: Region, to target: BitmapSurface, _ program: LoweredProgram
  ) {
    for y in region.rows {
      program.run(
        source.row(y, from: region.x), target.row(y, from: region.x), count: region.width,
        x: region.x, y: y)
    }
  }

  /// Computes `region` of a step into a tile. All of the region lies inside of the picture.
  private func evaluate(
    _ step: Step, _ region: Region, of size: PixelSize, _ arena: Arena
  ) -> Tile {
    switch step {
    case .source(let bitmap):
      if let view = bitmap.surface.view(region, planeCount: plan.planeCount, arena) { return view }
      let tile = Tile(region, of: size, planeCount: plan.planeCount, arena: arena)
      load(bitmap.surface, into: tile, .nothing)
      return tile
    case .point(.source(let bitmap), let program):
      let tile = Tile(region, of: size, planeCount: plan.planeCount, arena: arena)
      load(bitmap.surface, into: tile, program)
      return tile
    case .point(let input, let program):
      let tile = evaluate(input, region, of: size, arena)
      for y in region.rows {
        let row = tile.surface(y, from: region.x)
        program.run(row, row, count: region.width, x: region.x, y: y)
      }
      return tile
    case .area(let input, let filter):
      let output = Tile(region, of: size, planeCount: plan.planeCount, arena: arena)
      arena.temporarily {
        filter.render(output, evaluateBeyondEdges(input, filter.inputRegion(region), filter, arena))
      }
      return output
    }
  }

  /// Computes a region that may reach beyond the picture, where the pixels of the edge are repeated.
  private func evaluateBeyondEdges(
    _ step: Step, _ region: Region, _ filter: AreaStep, _ arena: Arena
  ) -> Tile {
    let inside = region.intersection(Region(filter.inputSize))
    if inside == region { return evaluate(step, region, of: filter.inputSize, arena) }
    let whole = Tile(region, of: filter.inputSize, planeCount: plan.planeCount, arena: arena)
    arena.temporarily {
      let tile = evaluate(step, inside, of: filter.inputSize, arena)
      for plane in 0..<plan.planeCount {
        for y in inside.rows {
          (whole.pointer(y, plane) + (inside.x - region.x))
            .update(from: tile.pointer(y, plane), count: inside.width)
        }
      }
    }
    whole.repeatEdges(beyond: inside)
    return whole
  }

  private func load(_ source: BitmapSurface, into tile: Tile, _ program: LoweredProgram) {
    for y in tile.region.rows {
      program.run(
        source.row(y, from: tile.region.x), tile.surface(y, from: tile.region.x),
        count: tile.region.width, x: tile.region.x, y: y)
    }
  }
}

extension BitmapSurface {
  /// A region as a tile that reads the bitmap in place, where it already has a tile's form.
  fileprivate func view(_ region: Region, planeCount: Int, _ arena: Arena) -> Tile? {
    guard channels.count == planeCount, let (base, row, plane) = planarFloats else { return nil }
    return Tile(
      region: region, pictureSize: size, planeCount: planeCount,
      base: base + region.y * row + region.x, rowStride: row, planeStride: plane, arena: arena)
  }
}

extension LoweredProgram {
  /// Loads and stores alone.
  static let nothing = LoweredProgram(.init())
}

/// Counts finished tiles for whoever wants to know, in order.
private final class ProgressReport: Sendable {
  private let finished = Mutex(0)
  private let total: Int
  private let report: (@Sendable (Double) -> Void)?

  init(total: Int, report: (@Sendable (Double) -> Void)?) {
    (self.total, self.report) = (total, report)
  }

  func finishOne() {
    guard let report else { return }
    finished.withLock { count in
      count += 1
      report(Double(count) / Double(total))
    }
  }
}
