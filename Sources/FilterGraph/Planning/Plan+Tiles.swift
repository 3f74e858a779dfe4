internal import ImageBuffer

extension Plan {
  /// How results of these sizes are cut: as the options say, or as the plan likes it. Throws for a tile without pixels.
  func grid(_ sizes: [PixelSize], _ options: RenderOptions) throws(RenderError) -> TileGrid {
    if let tile = options.tile, tile.width < 1 || tile.height < 1 {
      throw .recipe(
        .other("A tile needs at least one pixel; RenderOptions.tile is \(tile). Set it to nil."))
    }
    return TileGrid(tile: options.tile ?? preferredTile(workers: options.workerLimit), sizes: sizes)
  }

  /// The tile with which the search for the preferred one begins.
  static let firstTile = PixelSize(2048, 32)

  /// The step of the result that has the most pixels.
  private var largestResult: Int {
    results[results.map { steps[$0].region.size }.indexOfLargest]
  }

  /// The size of tiles of the largest result when the caller has no wish: strips of whole rows where pixels stand alone, wide
  /// blocks where they need their neighbors, taller ones where they need many, smaller ones where much is shrunk, so that a worker
  /// never holds more than some megapixels, except where any tile needs more; and never more tiles than a plan may have.
  private func preferredTile(workers: Int) -> PixelSize {
    let size = steps[largestResult].region.size
    guard steps.contains(where: \.readsTiles) else {
      return enlarged(PixelSize(size.width, max(1, (1 << 16) / size.width)), in: size)
    }
    var tile = PixelSize(
      min(size.width, Self.firstTile.width), min(size.height, Self.firstTile.height))
    var limit = 1 << 20
    // Of sources that give their rows in order all columns are kept, of as many rows as the tiles of all workers need.
    func keepsTooManyRows(_ height: Int) -> Bool { keptPixels(for: workers * height) > 0x1p25 }
    while tile.height > 1, keepsTooManyRows(tile.height) { tile.height = (tile.height + 1) / 2 }
    // Of rows that enter a ring once, few should enter those of two tiles. Other filters come back to what they read, which should stay near.
    let eighths = steps.allSatisfy { !$0.readsTiles || $0.readsRowsOnce } ? 15.0 : 14
    var less = largestLoad(for: tile).load
    while tile.height < size.height {
      let taller = PixelSize(tile.width, min(size.height, 2 * tile.height))
      let load = largestLoad(for: taller).load
      let isModest =
        keptPixels(for: 1) == 0 && size.width * taller.height <= 1 << 21
        && TileGrid(tile: taller, sizes: [size]).count >= 4 * workers
      // Twice the pixels for less than one and a half times the work; for more, where all pixels are there already, bands of rows stay
      // small and enough tiles remain. Where any tile needs much, a taller one may hardly need more.
      guard load <= max(0x1p22, 1.25 * less), 8 * load < (isModest ? eighths : 12) * less,
        !keepsTooManyRows(taller.height)
      else { break }
      (tile, limit, less) = (taller, 1 << 22, load)
    }
    return enlarged(squared(shrunk(tile, toLoad: limit)), in: size)
  }

  /// Halves the width of a tile as long as two narrower ones need notably fewer pixels together than a wide one.
  ///
  /// Of a rotated picture a tile needs a bounding box, most of which a wide tile does not use. As small squares need hardly more there than
  /// large ones, they become so small that what they need stays in a processor's second cache.
  private func squared(_ tile: PixelSize) -> PixelSize {
    var (squared, load) = (tile, largestLoad(for: tile).load)
    func narrower() -> PixelSize { PixelSize((squared.width + 1) / 2, squared.height) }
    func halve(_ smaller: PixelSize, toAtMost share: Double) -> Bool {
      let less = largestLoad(for: smaller).load
      // Where no step holds pixels, as behind a cache, narrower tiles save nothing.
      guard smaller != squared, load > 0, less <= share * load else { return false }
      (squared, load) = (smaller, less)
      return true
    }
    while halve(narrower(), toAtMost: 0.475) {}
    if squared == tile { return tile }
    while load > 0x1p17,
      halve(
        squared.width > squared.height
          ? narrower() : PixelSize(squared.width, (squared.height + 1) / 2), toAtMost: 0.75)
    {}
    return squared
  }

  /// Halves a tile until no step holds more than `limit` pixels, as long as that leaves each step notably less to hold.
  ///
  /// Where filters reach so far that a small tile needs as many pixels as a large one, more tiles would only be more work.
  private func shrunk(_ tile: PixelSize, toLoad limit: Int) -> PixelSize {
    var tile = tile
    while tile.pixelCount > 1 {
      let largest = largestLoad(for: tile)
      guard largest.pixelCount > limit else { break }
      let narrower = PixelSize((tile.width + 1) / 2, tile.height)
      let lower = PixelSize(tile.width, (tile.height + 1) / 2)
      let isNarrowedFirst = tile.height == 1 || (tile.width > 1 && largest.width > largest.height)
      let candidates = isNarrowedFirst ? [narrower, lower] : [lower, narrower]
      let helpful = candidates.first {
        $0 != tile && 4 * largestLoad(for: $0).load <= 3 * largest.load
      }
      guard let helpful else { break }
      tile = helpful
    }
    return tile
  }

  /// Doubles a tile while there are more tiles than a plan may have, or while filters reach so far that a larger tile hardly needs
  /// more pixels.
  private func enlarged(_ tile: PixelSize, in size: PixelSize) -> PixelSize {
    var tile = tile
    let limit = TileGrid.countLimit(steps: steps.count)
    while tile.width < size.width || tile.height < size.height {
      let taller = PixelSize(tile.width, min(2 * tile.height, size.height))
      let wider = PixelSize(min(2 * tile.width, size.width), tile.height)
      let load = largestLoad(for: tile).load
      let isFree = { (larger: PixelSize) in
        larger != tile && load > 0x1p22 && larger.load <= load
          && 4 * largestLoad(for: larger).load <= 5 * load
          && 4 * keptPixels(for: larger.height) <= 5 * keptPixels(for: tile.height)
      }
      if let larger = [taller, wider].first(where: isFree) {
        tile = larger
      } else if TileGrid(tile: tile, sizes: [size]).count > limit {
        tile = taller == tile ? wider : taller
      } else {
        break
      }
    }
    return tile
  }

  /// The most that any step must hold for the tile in the middle of the largest result, or for the first one.
  ///
  /// A step that is read at several places is computed for all that lies between them. Those of a picture and of its mirror image are
  /// one place in the middle, and opposite edges for the first tile.
  private func largestLoad(for tile: PixelSize) -> PixelSize {
    let isHeld = { (step: Step) in step.isLoaded || step.isSeenInRows }
    let middle = largestNeed(for: tile, of: isHeld)
    let first = largestNeed(for: tile, isFirst: true, of: isHeld)
    return first.pixelCount > middle.pixelCount ? first : middle
  }

  /// The most pixels that are kept of a source that gives its rows in order, for tiles of a height.
  private func keptPixels(for height: Int) -> Double {
    let size = steps[largestResult].region.size
    return largestNeed(for: PixelSize(size.width, min(height, size.height))) {
      if case .rows = $0.work { true } else { false }
    }.load
  }

  /// The most of any of some steps that a tile in the middle of the largest result needs, or the first one, and those of the others
  /// that go with it.
  private func largestNeed(
    for tile: PixelSize, isFirst: Bool = false, of isMeant: (Step) -> Bool
  ) -> PixelSize {
    let whole = steps[largestResult].region.size
    let wanted = results.map { result in
      let region = steps[result].region
      // As large a part of each as of the largest.
      let width = (tile.width * region.width + whole.width - 1) / whole.width
      let height = (tile.height * region.height + whole.height - 1) / whole.height
      let part = Region(x: region.x, y: region.y, width: width, height: height)
      let middle = Offset((region.width - width) / 2, (region.height - height) / 2)
      return (step: result, region: isFirst ? part : part.moved(by: middle))
    }
    var needs: [Region] = []
    steps.regions(for: wanted, into: &needs)
    return needs.indices.filter { isMeant(steps[$0]) }.map { needs[$0].size }
      .max { $0.pixelCount < $1.pixelCount } ?? PixelSize(0, 0)
  }
}

extension PixelSize {
  /// The number of pixels, in a type that holds multiples of it: filters may ask for a picture of infinite extent.
  var load: Double { Double(pixelCount) }
}
