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
  private let base: UnsafeMutablePointer<SIMD4<Float>>

  /// Copies a tile into scratch memory of `output`; alpha is 1 in opaque pictures.
  init(_ tile: Tile, scratch output: Tile) {
    region = tile.region
    let floats = output.scratchPointer(Self.floatCount(region))
    base = UnsafeMutableRawPointer(floats).bindMemory(
      to: SIMD4<Float>.self, capacity: region.width * region.height)
    let base = base
    tile.withOpaqueRow { opaque in
      for (index, y) in tile.region.rows.enumerated() {
        let target = base + index * tile.region.width
        let (red, green, blue) = (tile.pointer(y, 0), tile.pointer(y, 1), tile.pointer(y, 2))
        let alpha = tile.pointer(y, 3, or: opaque)
        for x in 0..<tile.region.width { target[x] = SIMD4(red[x], green[x], blue[x], alpha[x]) }
      }
    }
  }

  /// The floats of scratch memory that a tile of a region takes.
  static func floatCount(_ region: Region) -> Int { 4 * region.width * region.height }

  /// The pixels of a row from column 0 of the picture on, which must be inside the region.
  func row(_ y: Int) -> UnsafeMutablePointer<SIMD4<Float>> {
    base + ((y - region.y) * region.width - region.x)
  }
}
