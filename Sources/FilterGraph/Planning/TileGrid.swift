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

  /// The most tiles that a plan of so many steps may be cut into.
  ///
  /// Planning visits each step once for each tile, so this bounds its time: some seconds. A gigapixel in tiles of 16 × 16 is allowed.
  static func countLimit(steps: Int) -> Int { min(1 << 22, max(1, (1 << 25) / max(1, steps))) }

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
