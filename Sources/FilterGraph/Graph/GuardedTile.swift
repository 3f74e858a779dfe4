package import ImageBuffer

/// A tile amid guarded memory, for those who check filters: it knows whether anybody wrote around it.
package final class GuardedTile {
  /// The tile.
  package let tile: Tile
  /// How much of the memory on all sides is guarded, in pixels.
  private static let margin = 16
  private let memory: UnsafeMutableBufferPointer<Float>

  /// A tile full of `filler`, as its surroundings are.
  package init(
    _ region: Region, of pictureSize: PixelSize, planeCount: Int, filler: Float, arena: Arena
  ) {
    let stride = region.width + 2 * Self.margin
    let plane = stride * (region.height + 2 * Self.margin)
    memory = .allocate(capacity: plane * planeCount)
    memory.initialize(repeating: filler)
    tile = Tile(
      region: region, pictureSize: pictureSize, planeCount: planeCount,
      base: memory.baseAddress.unsafelyUnwrapped + Self.margin * stride + Self.margin,
      rowStride: stride, planeStride: plane, arena: arena)
  }

  /// All of the memory, bit by bit.
  package var bits: [UInt32] { memory.map(\.bitPattern) }

  /// The bits around the tile.
  package var bitsAround: [UInt32] {
    var bits = bits
    for plane in 0..<tile.planeCount {
      for y in 0..<tile.region.height {
        let start =
          plane * tile.planeStride + (y + Self.margin) * tile.rowStride + Self.margin
        for index in start..<start + tile.region.width { bits[index] = 0 }
      }
    }
    return bits
  }

  deinit { memory.deallocate() }
}
