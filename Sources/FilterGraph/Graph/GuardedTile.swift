package import ImageBuffer

/// A tile surrounded by guard memory, which reveals writes outside of the tile to the conformance kit.
package final class GuardedTile {
  /// The tile.
  package let tile: Tile
  /// The width of the guard memory on each side, in pixels.
  private static let margin = 16
  private let memory: UnsafeMutableBufferPointer<Float>

  /// Creates a tile filled with `filler`, like the memory around it.
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

  /// The bit patterns of the tile and the memory around it.
  package var bits: [UInt32] { memory.map(\.bitPattern) }

  /// The bit patterns of the memory around the tile.
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
