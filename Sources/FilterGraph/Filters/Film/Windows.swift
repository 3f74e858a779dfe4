internal import ImageBuffer

/// The sum, maximum or minimum over a square window, at every position of the window in a tile.
///
/// Windows of a power of two are each computed from two of half the length, and a window of any other length from those
/// its length is a sum of. Every value therefore comes from the same operations in the same order, wherever a tile
/// begins.
enum Windows {
  /// Computes the sum of each window inside of a tile, in row-major order.
  static func sums(
    of tile: Tile, _ plane: Int, side: Int, memory: Tile
  ) -> UnsafeMutablePointer<Float> {
    all(of: tile, plane, side: side, overlapping: false, memory: memory) { $0 + $1 }
  }

  /// Computes the maximum of each window inside of a tile.
  static func maxima(
    of tile: Tile, _ plane: Int, side: Int, memory: Tile
  ) -> UnsafeMutablePointer<Float> {
    all(of: tile, plane, side: side, overlapping: true, memory: memory) { max($0, $1) }
  }

  /// Computes the minimum of each window inside of a tile.
  static func minima(
    of tile: Tile, _ plane: Int, side: Int, memory: Tile
  ) -> UnsafeMutablePointer<Float> {
    all(of: tile, plane, side: side, overlapping: true, memory: memory) { min($0, $1) }
  }

  /// The number of floats of scratch memory.
  static func scratchCount(_ region: Region) -> Int {
    3 * (region.width * region.height + 16)
  }

  /// Columns first, then rows: the same loop over memory with another stride.
  @inline(__always)
  private static func all(
    of tile: Tile, _ plane: Int, side: Int, overlapping: Bool, memory: Tile,
    _ combine: (Float, Float) -> Float
  ) -> UnsafeMutablePointer<Float> {
    let (width, height) = (tile.region.width, tile.region.height)
    let rows = height - side + 1
    let buffers = (memory.scratchPointer(width * height), memory.scratchPointer(width * height))
    for (index, y) in tile.region.rows.enumerated() {
      (buffers.0 + index * width).update(from: tile.pointer(y, plane), count: width)
    }
    let result = memory.scratchPointer(width * height)
    slide(
      buffers.0, into: result, count: width * height, step: width, side: side,
      overlapping: overlapping, combine)
    // Rows: windows that wrap into the next row are computed as well, and not used.
    buffers.0.update(from: result, count: width * rows)
    slide(
      buffers.0, into: buffers.1, count: width * rows, step: 1, side: side,
      overlapping: overlapping, combine)
    let columns = width - side + 1
    for row in 0..<rows {
      (result + row * columns).update(from: buffers.1 + row * width, count: columns)
    }
    return result
  }

  /// Sets each value of `target` to the window that begins there, as far as windows fit; overwrites `values`.
  @inline(__always)
  private static func slide(
    _ values: UnsafeMutablePointer<Float>, into target: UnsafeMutablePointer<Float>, count: Int,
    step: Int, side: Int, overlapping: Bool, _ combine: (Float, Float) -> Float
  ) {
    var length = 1
    var done = 0
    while true {
      // `values` holds windows of `length`, `target` those of `done`.
      if overlapping {
        // Two overlapping windows of the largest power of two cover any length.
        if 2 * length > side {
          let shift = (side - length) * step
          for i in 0..<count - shift { target[i] = combine(values[i], values[i + shift]) }
          return
        }
      } else if side & length != 0 {
        let shift = done * step
        if done == 0 {
          target.update(from: values, count: count)
        } else {
          for i in 0..<count - shift { target[i] = combine(target[i], values[i + shift]) }
        }
        done += length
        if done == side { return }
      }
      let shift = length * step
      for i in 0..<max(count - shift, 0) { values[i] = combine(values[i], values[i + shift]) }
      length *= 2
    }
  }
}
