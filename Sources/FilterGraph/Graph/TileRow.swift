/// A row of a tile's pixels, with its addresses computed once: loops over pixels in Swift check neither rows nor columns.
struct TileRow {
  private let red, green, blue: UnsafeMutablePointer<Float>
  /// Nil in opaque pictures.
  private let alpha: UnsafeMutablePointer<Float>?

  /// The row `y` of a tile, which must have it.
  init(_ tile: Tile, _ y: Int) {
    (red, green, blue) = (tile.pointer(y, 0), tile.pointer(y, 1), tile.pointer(y, 2))
    alpha = tile.planeCount > 3 ? tile.pointer(y, 3) : nil
  }

  /// The pixel at an index from the tile's first column; alpha is 1 in opaque pictures.
  subscript(index: Int) -> SIMD4<Float> {
    get { SIMD4(red[index], green[index], blue[index], alpha?[index] ?? 1) }
    nonmutating set {
      (red[index], green[index], blue[index]) = (newValue.x, newValue.y, newValue.z)
      alpha?[index] = newValue.w
    }
  }
}
