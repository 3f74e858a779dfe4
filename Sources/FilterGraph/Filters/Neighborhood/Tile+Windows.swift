internal import ImageBuffer

extension Tile {
  /// The first value that pixels of a region need when each needs a window that reaches `columns` and `rows` to each side.
  func window(
    of region: Region, columns: Int, rows: Int, _ plane: Int
  ) -> UnsafeMutablePointer<Float> {
    pointer(region.y - rows, plane) + (region.x - columns - self.region.x)
  }
}
