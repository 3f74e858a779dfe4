internal import ImageBuffer

extension Tile {
  /// Passes a row of ones: the alpha of an opaque picture, for loops that always read alpha.
  func withOpaqueRow(_ body: (UnsafeMutablePointer<Float>) -> Void) {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: region.width) { row in
      row.initialize(repeating: 1)
      if let base = row.baseAddress { body(base) }
    }
  }

  /// A row of a plane, or `opaque` where the picture has no such plane.
  func pointer(
    _ y: Int, _ plane: Int, or opaque: UnsafeMutablePointer<Float>
  ) -> UnsafeMutablePointer<Float> {
    plane < planeCount ? pointer(y, plane) : opaque
  }

  /// Sets a pixel, which must be inside the tile.
  func set(_ x: Int, _ y: Int, to pixel: SIMD4<Float>) {
    let first = base + ((y - region.y) * rowStride + x - region.x)
    first[0] = pixel.x
    first[planeStride] = pixel.y
    first[2 * planeStride] = pixel.z
    if planeCount == 4 { first[3 * planeStride] = pixel.w }
  }
}

/// The pixels of a tile with their four channels together, for filters that read many pixels around each place.
struct InterleavedPixels {
  private let region: Region
  private let base: UnsafeMutablePointer<Float>
  /// From a row to the next, in floats.
  var rowStride: Int { 4 * region.width }

  /// Copies a tile into scratch memory of `output`; alpha is 1 in opaque pictures.
  init(_ tile: Tile, scratch output: Tile) {
    region = tile.region
    base = output.scratchPointer(Self.floatCount(region))
    for y in region.rows {
      let row = FloatRow(base: pointer(region.x, y), channels: 4, planes: 1, stride: 0)
      LoweredProgram.nothing.run(
        tile.surface(y, from: region.x), row.surface(from: 0, planeCount: 4), count: region.width,
        x: region.x, y: y)
    }
  }

  /// The floats of scratch memory that a tile of a region takes.
  static func floatCount(_ region: Region) -> Int { 4 * region.width * region.height }

  /// The pixel at a place of the picture, which must be inside the region.
  func pointer(_ x: Int, _ y: Int) -> UnsafeMutablePointer<Float> {
    base + ((y - region.y) * rowStride + 4 * (x - region.x))
  }
}
