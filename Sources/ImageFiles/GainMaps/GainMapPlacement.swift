internal import ColorSpaces
internal import FilterGraph
internal import ImageBuffer

/// The part of a picture that becomes another one where pixels are only cropped, turned, mirrored and resized.
///
/// It is measured, so that any steps can be asked: pixels that hold their own positions are moved by the same geometry. Pixels that
/// are not resized keep their positions exactly.
struct GainMapPlacement {
  /// The columns and the rows of the picture that become the result, before it is turned.
  private let columns, rows: Part
  /// How the part is turned and mirrored.
  private let orientation: Orientation

  /// The most columns or rows that are measured: single precision holds the middle of each pixel.
  private static let longestSide = 1 << 20

  /// Measures a geometry of pictures of a size; nil for any other geometry, such as a rotation by a few degrees, or a frame.
  init?(of size: PixelSize, by geometry: (Picture) throws -> Picture) rethrows {
    guard max(size.width, size.height) <= Self.longestSide else { return nil }
    let positions = PixelPositions(
      x: try geometry(PixelPositions.columns(of: size)),
      y: try geometry(PixelPositions.rows(of: size)))
    let result = positions.size
    // Away from the edges, which kernels repeat.
    let near = Offset(result.width / 4, result.height / 4)
    let far = Offset(result.width - 1 - near.x, result.height - 1 - near.y)
    guard far.x > near.x, far.y > near.y, let start = positions[near.x, near.y],
      let right = positions[far.x, near.y], let below = positions[near.x, far.y]
    else { return nil }
    let (across, down) = (right - start, below - start)
    let exchangesAxes = abs(across.y) > abs(across.x)
    // How far apart neighbors of the result are in the picture, to the right and down in the picture.
    let step =
      exchangesAxes
      ? SIMD2(down.x / Double(far.y - near.y), across.y / Double(far.x - near.x))
      : SIMD2(across.x / Double(far.x - near.x), down.y / Double(far.y - near.y))
    /// The expected position of a pixel of the result.
    func expected(_ x: Double, _ y: Double) -> SIMD2<Double> {
      let (right, down) = (x - Double(near.x), y - Double(near.y))
      return start + step * (exchangesAxes ? SIMD2(down, right) : SIMD2(right, down))
    }
    for y in [0, result.height / 2, result.height - 1] {
      for x in [0, result.width / 2, result.width - 1] {
        guard let position = positions[x, y] else { return nil }
        let error = position - expected(Double(x), Double(y))
        // Kernels that repeat an edge, or take whole pixels, miss by less than a pixel of either picture.
        guard abs(error.x) <= max(1, abs(step.x)), abs(error.y) <= max(1, abs(step.y)) else {
          return nil
        }
      }
    }
    let first = expected(-0.5, -0.5)
    let last = expected(Double(result.width) - 0.5, Double(result.height) - 0.5)
    let (width, height) =
      exchangesAxes ? (result.height, result.width) : (result.width, result.height)
    guard let columns = Part(from: first.x, to: last.x, count: width, of: size.width),
      let rows = Part(from: first.y, to: last.y, count: height, of: size.height)
    else { return nil }
    (self.columns, self.rows) = (columns, rows)
    orientation = Orientation(
      exchangesAxes: exchangesAxes, turnsColumns: step.x < 0, turnsRows: step.y < 0)
  }

  /// Returns the same part of a map of the whole picture. Values are interpolated once at most: not at all where the edges of the part
  /// are edges of the map's pixels, and the part is not resized.
  func part(of map: Picture) -> Picture {
    let (columns, rows) = (
      columns.scaled(to: map.size.width), rows.scaled(to: map.size.height)
    )
    let size = PixelSize(columns.count, rows.count)
    let shrink = max(columns.span / Double(size.width), rows.span / Double(size.height))
    let part: Picture
    // Transforms alias where they shrink to less than 1/16. There a pixel of the map is little of one of the result.
    if columns.isWhole && rows.isWhole || shrink > 16 {
      part = map.cropped(
        to: Region(
          x: columns.whole.lowerBound, y: rows.whole.lowerBound, width: columns.whole.count,
          height: rows.whole.count)
      ).placed(at: .zero).resized(to: .exact(size.width, size.height), by: .triangle)
    } else {
      let scale = SIMD2(Double(size.width) / columns.span, Double(size.height) / rows.span)
      part = map.extended(by: .repeated).transformed(
        by: .affine(scale.x, 0, -columns.start * scale.x, 0, scale.y, -rows.start * scale.y),
        kernel: .triangle
      ).cropped(to: Region(size))
    }
    return part.oriented(orientation)
  }
}

extension GainMapPlacement {
  /// Columns or rows of a picture that become `count` of another one.
  private struct Part {
    /// Where they begin and end in the picture, in pixels.
    let start, end: Double
    let count: Int
    /// How many columns or rows the picture has.
    let length: Int

    var span: Double { end - start }
    var isWhole: Bool { start == start.rounded() && end == end.rounded() }
    /// The columns or rows of which a part is in the span.
    var whole: Range<Int> { Int(start.rounded(.down))..<Int(end.rounded(.up)) }

    private init(start: Double, end: Double, count: Int, length: Int) {
      (self.start, self.end, self.count, self.length) = (start, end, count, length)
    }

    /// Creates a part from measured ends, in either order; nil for one that is empty.
    init?(from first: Double, to last: Double, count: Int, of length: Int) {
      let step = abs(last - first) / Double(count)
      func edge(_ measured: Double) -> Double {
        // Kernels that keep straight lines measure whole pixels so exactly, and those that take whole pixels miss the picture's edge.
        let whole = measured.rounded()
        if abs(measured - whole) <= min(step / 10, 0.5) { return whole }
        let miss = max(1, step) * 0.75
        return abs(measured) <= miss
          ? 0 : abs(measured - Double(length)) <= miss ? Double(length) : measured
      }
      start = max(edge(min(first, last)), 0)
      end = min(edge(max(first, last)), Double(length))
      (self.count, self.length) = (count, length)
      guard end > start else { return nil }
    }

    /// Returns the same part of a map that has so many columns or rows, and the count that keeps the map's resolution.
    func scaled(to mapLength: Int) -> Part {
      let (map, all) = (Double(mapLength), Double(length))
      let scaledCount = Double(count) * min(map / all, 1)
      // Rounded up, but for the rounding error of the quotient.
      return Part(
        start: start * map / all, end: end * map / all,
        count: max(Int((scaledCount - 1e-6).rounded(.up)), 1), length: mapLength)
    }
  }
}

/// The positions in a picture, in pixels from its corner, that the pixels of a changed picture come from.
private struct PixelPositions {
  /// Pictures whose values are the columns and the rows.
  let x, y: Picture

  var size: PixelSize { x.size }

  /// The middle of the pixel that becomes one of the result; nil where it is not opaque, or cannot be computed.
  subscript(column: Int, row: Int) -> SIMD2<Double>? {
    guard let x = Self.value(x, column, row), let y = Self.value(y, column, row) else { return nil }
    return SIMD2(x, y)
  }

  private static func value(_ picture: Picture, _ column: Int, _ row: Int) -> Double? {
    var options = RenderOptions()
    options.threads = 1
    let (x, y) = (picture.region.x + column, picture.region.y + row)
    let pixel = picture.cropped(to: Region(x: x, y: y, width: 1, height: 1))
    guard !picture.isEndless,
      let bitmap = try? pixel.render(as: Float.self, channels: .rgba, options: options),
      bitmap[0, 0, 3] == 1, bitmap[0, 0, 0].isFinite
    else { return nil }
    return Double(bitmap[0, 0, 0])
  }

  static func columns(of size: PixelSize) -> Picture {
    line(PixelSize(size.width, 1), of: size)
  }

  static func rows(of size: PixelSize) -> Picture { line(PixelSize(1, size.height), of: size) }

  /// A picture of a line of positions, all of whose rows or columns are the same.
  private static func line(_ line: PixelSize, of size: PixelSize) -> Picture {
    let bitmap = Bitmap<Float>(line, in: .linearSRGB, channels: .rgb) { x, y in
      let middle = Float(max(x, y)) + 0.5
      return [middle, middle, middle]
    }
    return Picture(bitmap).extended(by: .repeated).cropped(to: Region(size))
  }
}

extension Orientation {
  /// The orientation that exchanges columns and rows or not, and whose result begins with the last columns and the last rows or not.
  fileprivate init(exchangesAxes: Bool, turnsColumns: Bool, turnsRows: Bool) {
    self =
      switch (exchangesAxes, turnsColumns, turnsRows) {
      case (false, false, false): .upright
      case (false, true, false): .mirrored
      case (false, false, true): .flipped
      case (false, true, true): .halfTurned
      case (true, false, false): .transposed
      case (true, false, true): .quarterTurned
      case (true, true, false): .quarterTurnedBack
      case (true, true, true): .transverse
      }
  }
}
