internal import ImageBuffer

extension Tile {
  /// The first value that pixels of a region need when each needs a square that reaches `reach` pixels to each side.
  func window(of region: Region, reach: Int, _ plane: Int) -> UnsafeMutablePointer<Float> {
    pointer(region.y - reach, plane) + (region.x - reach - self.region.x)
  }

  /// Copies a channel from a tile that has at least the same pixels.
  func copyPlane(_ plane: Int, from source: Tile) {
    for y in region.rows {
      pointer(y, plane).update(
        from: source.pointer(y, plane) + (region.x - source.region.x), count: region.width)
    }
  }
}
