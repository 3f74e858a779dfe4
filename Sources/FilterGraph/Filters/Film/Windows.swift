internal import ImageBuffer

/// The sums of all pixels of a square window, for every place of it in a tile.
///
/// Windows of one, two, four … values are each made of two of half their length, and a window of any length of those that its
/// length is a sum of. So every value comes from the same operations in the same order, wherever a tile begins.
enum Windows {
  /// The sum of each square of pixels inside of a tile, row by row: as many as there are places for it. Columns first, then rows: both
  /// are the same loop over memory, with another step from one value to the next.
  static func sums(
    of tile: Tile, _ plane: Int, side: Int, memory: Tile
  ) -> UnsafeMutablePointer<Float> {
    let (width, height) = (tile.region.width, tile.region.height)
    let rows = height - side + 1
    let buffers = (memory.scratchPointer(width * height), memory.scratchPointer(width * height))
    for (index, y) in tile.region.rows.enumerated() {
      (buffers.0 + index * width).update(from: tile.pointer(y, plane), count: width)
    }
    let result = memory.scratchPointer(width * height)
    slide(buffers.0, into: result, count: width * height, step: width, side: side)
    // Rows: windows that reach into the next row are computed too, and not used.
    buffers.0.update(from: result, count: width * rows)
    slide(buffers.0, into: buffers.1, count: width * rows, step: 1, side: side)
    let columns = width - side + 1
    for row in 0..<rows {
      (result + row * columns).update(from: buffers.1 + row * width, count: columns)
    }
    return result
  }

  /// How many floats one of these takes.
  static func scratchCount(_ region: Region) -> Int {
    3 * (region.width * region.height + 16)
  }

  /// Sets each value of `target` to the window that begins there, as far as windows fit; `values` is used up.
  private static func slide(
    _ values: UnsafeMutablePointer<Float>, into target: UnsafeMutablePointer<Float>, count: Int,
    step: Int, side: Int
  ) {
    var length = 1
    var done = 0
    while true {
      // `values` holds windows of `length`, `target` those of `done`.
      if side & length != 0 {
        let shift = done * step
        if done == 0 {
          target.update(from: values, count: count)
        } else {
          for i in 0..<count - shift { target[i] += values[i + shift] }
        }
        done += length
        if done == side { return }
      }
      let shift = length * step
      for i in 0..<max(count - shift, 0) { values[i] += values[i + shift] }
      length *= 2
    }
  }
}
