internal import ImageBuffer

extension Tile {
  /// The first value that pixels of a region need when each needs a square that reaches `reach` pixels to each side.
  func window(of region: Region, reach: Int, _ plane: Int) -> UnsafeMutablePointer<Float> {
    pointer(region.y - reach, plane) + (region.x - reach - self.region.x)
  }
}
