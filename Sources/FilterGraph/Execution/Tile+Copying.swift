internal import ImageBuffer

extension Tile {
  func clear(row y: Int) {
    for plane in 0..<planeCount { pointer(y, plane).update(repeating: 0, count: region.width) }
  }

  /// The row `from` of a picture `width` wide, so that the column x is its column x + offset.
  func copy(
    row y: Int, from tile: Tile, row from: Int, offset: Int, width: Int, _ edges: Edges
  ) {
    let left = min(max(-offset, region.columns.lowerBound), region.columns.upperBound)
    let right = min(max(width - offset, left), region.columns.upperBound)
    let inside = left..<right
    for plane in 0..<planeCount {
      let row = pointer(y, plane) - region.x
      // An opaque picture has no alpha in memory.
      let source = plane < tile.planeCount ? tile.pointer(from, plane) - tile.region.x : nil
      if let source {
        (row + inside.lowerBound)
          .update(from: source + (inside.lowerBound + offset), count: inside.count)
      } else {
        (row + inside.lowerBound).update(repeating: 1, count: inside.count)
      }
      func fill(_ outside: Range<Int>) {
        for x in outside {
          row[x] = edges.position(x + offset, in: width).map { source?[$0] ?? 1 } ?? 0
        }
      }
      fill(region.columns.lowerBound..<inside.lowerBound)
      fill(inside.upperBound..<region.columns.upperBound)
    }
  }
}

extension BitmapSurface {
  /// A region as a tile that reads the bitmap in place, where it already has a tile's form.
  func view(_ region: Region, planeCount: Int, _ arena: Arena) -> Tile? {
    guard channels.count == planeCount, let (base, row, plane) = planarFloats else { return nil }
    return Tile(
      region: region, pictureSize: size, planeCount: planeCount,
      base: base + region.y * row + region.x, rowStride: row, planeStride: plane, arena: arena)
  }
}
