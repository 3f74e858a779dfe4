internal import ImageBuffer

/// A row of a tile as pixels, for filters that need all channels together. Columns are in the picture's coordinates.
struct PixelRow {
  private let red, green, blue: UnsafeMutablePointer<Float>
  private let alpha: UnsafeMutablePointer<Float>?

  init(_ tile: Tile, _ y: Int) {
    func plane(_ index: Int) -> UnsafeMutablePointer<Float> {
      tile.pointer(y, index) - tile.region.x
    }
    (red, green, blue) = (plane(0), plane(1), plane(2))
    alpha = tile.planeCount == 4 ? plane(3) : nil
  }

  /// A pixel, which must be inside the tile; alpha is 1 in opaque pictures.
  subscript(x: Int) -> SIMD4<Float> {
    get { SIMD4(red[x], green[x], blue[x], alpha?[x] ?? 1) }
    nonmutating set {
      (red[x], green[x], blue[x]) = (newValue.x, newValue.y, newValue.z)
      alpha?[x] = newValue.w
    }
  }
}

extension Tile {
  /// Passes a row of ones: the alpha of an opaque picture, for loops that always read alpha.
  func withOpaqueRow(_ body: (UnsafeMutablePointer<Float>) -> Void) {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: region.width) { row in
      row.initialize(repeating: 1)
      if let base = row.baseAddress { body(base) }
    }
  }
}
