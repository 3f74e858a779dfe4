internal import ImageBuffer

/// The sums of all pixels of a square window around each place.
///
/// Windows of one, two, four … values are each made of two of half their length, and a window of any length of those that its
/// length is a sum of. So every value comes from the same operations in the same order, wherever a tile begins.
enum Windows {
  /// The sum of the square around each pixel of a region, row by row. Columns first, then rows: both are the same loop over memory, with
  /// another step from one value to the next. The tile holds whole columns, or rows, where squares cover them.
  static func sums(
    of tile: Tile, _ plane: Int, radius: Int, for region: Region, coversColumns: Bool,
    coversRows: Bool, memory: Tile
  ) -> UnsafeMutablePointer<Float> {
    let (width, height) = (tile.region.width, tile.region.height)
    let (rows, columns) = (region.height, region.width)
    let buffers = (memory.scratchPointer(width * height), memory.scratchPointer(width * height))
    for (index, y) in tile.region.rows.enumerated() {
      (buffers.0 + index * width).update(from: tile.pointer(y, plane), count: width)
    }
    let result = memory.scratchPointer(width * height)
    let side = 2 * radius + 1
    if coversColumns {
      for x in 0..<width {
        cover(
          buffers.0 + x, count: height, step: width, radius: radius, into: result + x,
          places: region.rows)
      }
    } else {
      slide(buffers.0, into: result, count: width * height, step: width, side: side)
    }
    buffers.0.update(from: result, count: width * rows)
    if coversRows {
      for row in 0..<rows {
        cover(
          buffers.0 + row * width, count: width, step: 1, radius: radius,
          into: result + row * columns, places: region.columns)
      }
      return result
    }
    // Windows that reach into the next row are computed too, and not used.
    slide(buffers.0, into: buffers.1, count: width * rows, step: 1, side: side)
    for row in 0..<rows {
      (result + row * columns).update(from: buffers.1 + row * width, count: columns)
    }
    return result
  }

  /// Sets values of `target` to the windows around places of an axis that covers it from each of them: the sum of the axis, and of its ends
  /// as many times as the window reaches beyond them, in double precision. The radius is at least `count - 1`.
  private static func cover(
    _ values: UnsafeMutablePointer<Float>, count: Int, step: Int, radius: Int,
    into target: UnsafeMutablePointer<Float>, places: Range<Int>
  ) {
    var sum = 0.0
    for index in 0..<count { sum += Double(values[index * step]) }
    let (first, last) = (Double(values[0]), Double(values[(count - 1) * step]))
    // 0 · infinity would be NaN.
    func repeated(_ value: Double, _ times: Int) -> Double {
      times == 0 ? 0 : value * Double(times)
    }
    for (index, place) in places.enumerated() {
      let beyond = repeated(first, radius - place) + repeated(last, radius - (count - 1 - place))
      target[index * step] = Float(sum + beyond)
    }
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
