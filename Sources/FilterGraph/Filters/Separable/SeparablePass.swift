internal import CPixelKernels
internal import ImageBuffer

/// A weighted sum over columns and one over rows, one after the other: a resampling, or a separable convolution.
///
/// A row enters once. As many as the kernel needs stay in a ring, in strips of columns that fit the second-level cache, and each row of
/// the result leaves for its target as soon as it is complete. Neither the strips nor the tile changes a bit: each value is the same sum of
/// products in the same order.
struct SeparablePass: Sendable {
  let columns, rows: AxisTaps
  let shape: Shape

  /// What planning needs of it.
  struct Shape: Sendable {
    let columns, rows: AxisShape
    /// Whether rows are mixed before columns: decided for the whole picture, so that no tile differs from another.
    let rowsFirst: Bool

    init(columns: AxisShape, rows: AxisShape) {
      (self.columns, self.rows) = (columns, rows)
      // Multiplications a pixel; mixing columns costs more, because their order in memory must be changed.
      func cost(_ first: AxisShape, _ second: AxisShape, _ factors: (Double, Double)) -> Double {
        factors.0 * Double(first.taps) * Double(second.input) / Double(second.output)
          + factors.1 * Double(second.taps)
      }
      rowsFirst = cost(rows, columns, (1, 1.5)) <= cost(columns, rows, (1.5, 1))
    }
  }

  init(columns: AxisTaps, rows: AxisTaps) {
    (self.columns, self.rows) = (columns, rows)
    shape = Shape(columns: columns.shape, rows: rows.shape)
  }

  /// The pixels that a region of the result is made of.
  func inputRegion(for output: Region) -> Region {
    let (columns, rows) = (columns.input(of: output.columns), rows.input(of: output.rows))
    return Region(
      x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }

  /// Changes `count` pixels of a row of the result, from the pixel (x, y) on, before they are written.
  typealias Finish = (_ row: FloatRow, _ count: Int, _ x: Int, _ y: Int) -> Void

  /// Computes a region of the result.
  ///
  /// - Parameters:
  ///   - output: The region to compute.
  ///   - input: The rows to read.
  ///   - target: Where rows of the result are written.
  ///   - memory: The arena of the ring.
  ///   - changesRows: Whether `finish` changes rows. Otherwise kernels may write rows to `target` directly.
  ///   - finish: Called for each row of each strip, before it is written. Not optional, because an optional closure escapes, and its
  ///     context would be an allocation for each tile.
  func run(
    _ output: Region, from input: PixelRows, into target: PixelRowTarget, memory: Arena,
    changesRows: Bool = false, finish: Finish = { _, _, _, _ in }
  ) {
    let seen = inputRegion(for: output)
    let source = input.nearest(seen.x, seen.y)
    // Planes are mixed one by one, other pixels with four channels together.
    let channels = source.step == 1 ? 1 : 4
    let isRead =
      input.program.isEmpty
      && source.isPlain(
        channels: channels, planeCount: input.planeCount, hasSpareAlpha: true)
    let isWritten =
      !changesRows && target.program.isEmpty
      && target.surface(output.y, from: output.x)
        .isPlain(
          channels: channels, planeCount: input.planeCount, hasSpareAlpha: target.hasSpareAlpha)
    // Rows beyond an edge are copied, all planes together.
    let isApart = isRead && isWritten && input.contain(seen.columns)
    let together = channels == 4 || isApart ? 1 : input.planeCount
    memory.temporarily {
      let ring = SeparableRing(
        pass: self, input: input, target: target,
        layout: SeparableLayout(
          shape, output.width, inputHeight: input.bounds.height, channels: channels,
          planes: together),
        isRead: isRead, isWritten: isWritten, memory: memory)
      for first in stride(from: 0, to: channels == 4 ? 1 : input.planeCount, by: together) {
        ring.run(output, planesFrom: first, finish: finish)
      }
    }
  }

  /// The most floats that ``run(_:from:into:memory:changesRows:finish:)`` asks for, whatever the layout of the rows, for inputs of up to
  /// `inputHeight` rows.
  static func scratchCount(_ shape: Shape, width: Int, inputHeight: Int, planes: Int) -> Int {
    func floats(channels: Int, planes: Int) -> Int {
      SeparableLayout(
        shape, width, inputHeight: inputHeight, channels: channels, planes: planes
      ).mostFloats
    }
    return max(
      floats(channels: 1, planes: 1), floats(channels: 1, planes: planes),
      floats(channels: 4, planes: 1))
  }
}

/// How a pass uses its memory.
struct SeparableLayout {
  /// So many channels lie together, in so many planes.
  let channels, planes: Int
  /// The most output columns of a strip, and the most input columns that they need.
  private(set) var width, inputWidth: Int
  /// How many rows enter or leave the mixing of columns together.
  let group: Int
  /// How many lines leave together.
  let lines: Int
  let ringRows: Int
  /// The most rows that lines are made of, and those after them.
  let listedRows: Int
  private let shape: SeparablePass.Shape
  /// The width of all strips together, and the floats of rows if they were one.
  private let whole: Int
  private var wholeCount = 0

  /// The floats of a strip that should stay in the second-level cache.
  private static let cached = 1 << 17

  init(
    _ shape: SeparablePass.Shape, _ width: Int, inputHeight: Int, channels: Int, planes: Int
  ) {
    (self.shape, self.channels, self.planes) = (shape, channels, planes)
    (self.width, whole) = (width, width)
    group = Int(kernels.lanes) / channels
    lines = shape.rowsFirst ? group : 4
    ringRows = min(shape.rows.span(lines), inputHeight) + (shape.rowsFirst ? 0 : group)
    listedRows = shape.rows.span(2 * lines)
    inputWidth = shape.columns.span(width)
    wholeCount = rowsCount
    while self.width > 32, rowsCount > Self.cached {
      let narrower = (self.width + 1) / 2
      let input = shape.columns.span(narrower)
      // What neighbouring strips read twice stays a small part.
      if input < 4 * shape.columns.taps { break }
      (self.width, inputWidth) = (narrower, input)
    }
  }

  /// A whole number of cache lines.
  private static func line(_ floats: Int) -> Int { (floats + 15) / 16 * 16 }

  var inputStride: Int { Self.line(inputWidth * channels) }
  var outputStride: Int { Self.line(width * channels) }
  var ringStride: Int { shape.rowsFirst ? inputStride : outputStride }
  /// Rows between the two directions, or on their way into the ring.
  var middleCount: Int { group * inputStride * (shape.rowsFirst ? 1 : planes) }
  var columnScratch: Int {
    Int(kernels.lanes) * (max(CPK_COLUMN_SPAN, shape.columns.span(16)) + 16)
  }
  private var rowsCount: Int {
    (ringRows * ringStride + lines * outputStride) * planes + middleCount
  }

  /// All floats, as ``SeparableRing`` divides them.
  var floatCount: Int { rowsCount + otherCount(width) }

  /// As many as for an input of fewer rows, which may have wider strips.
  var mostFloats: Int { max(rowsCount, min(wholeCount, Self.cached)) + otherCount(whole) }

  private func otherCount(_ width: Int) -> Int {
    let lists = 2 * Self.line(width) + 2 * Self.line(lines)
    let pointers = Self.line(2 * listedRows) + 3 * Self.line(2 * max(group, lines))
    return Self.line(columnScratch) + lists + pointers
  }
}

/// The memory of a pass while it computes a region.
private struct SeparableRing {
  private let pass: SeparablePass
  private let input: PixelRows
  private let target: PixelRowTarget
  private let layout: SeparableLayout
  /// Whether rows are read and written where they lie.
  private let isRead, isWritten: Bool

  private typealias Floats = UnsafeMutablePointer<Float>
  private let ring, middle, out, columnScratch: Floats
  private let columnStarts, columnOffsets, lineStarts, lineOffsets: UnsafeMutablePointer<Int32>
  /// The rows that lines are made of, and where lines go.
  private let lineRows: UnsafeMutablePointer<UnsafePointer<Float>?>
  private let lineTargets: UnsafeMutablePointer<Floats?>
  /// The rows whose columns are mixed, and where they go.
  private let sources: UnsafeMutablePointer<UnsafePointer<Float>?>
  private let targets: UnsafeMutablePointer<Floats?>

  init(
    pass: SeparablePass, input: PixelRows, target: PixelRowTarget, layout: SeparableLayout,
    isRead: Bool, isWritten: Bool, memory: Arena
  ) {
    (self.pass, self.input, self.target) = (pass, input, target)
    (self.layout, self.isRead, self.isWritten) = (layout, isRead, isWritten)
    var next = memory.floats(layout.floatCount)
    func floats(_ count: Int) -> Floats {
      defer { next += (count + 15) / 16 * 16 }
      return next
    }
    func integers(_ count: Int) -> UnsafeMutablePointer<Int32> {
      UnsafeMutableRawPointer(floats(count)).bindMemory(to: Int32.self, capacity: count)
    }
    func pointers<Pointer>(_ count: Int) -> UnsafeMutablePointer<Pointer?> {
      UnsafeMutableRawPointer(floats(2 * count)).bindMemory(to: Pointer?.self, capacity: count)
    }
    ring = floats(layout.ringRows * layout.ringStride * layout.planes)
    middle = floats(layout.middleCount)
    out = floats(layout.lines * layout.outputStride * layout.planes)
    columnScratch = floats(layout.columnScratch)
    (columnStarts, columnOffsets) = (integers(layout.width), integers(layout.width))
    (lineStarts, lineOffsets) = (integers(layout.lines), integers(layout.lines))
    (lineRows, lineTargets) = (pointers(layout.listedRows), pointers(layout.lines))
    (sources, targets) = (
      pointers(max(layout.group, layout.lines)), pointers(max(layout.group, layout.lines))
    )
  }

  /// Computes a region, of the planes of the layout from `first` on.
  func run(_ output: Region, planesFrom first: Int, finish: SeparablePass.Finish) {
    for x in stride(from: output.x, to: output.columns.upperBound, by: layout.width) {
      let columns = x..<min(x + layout.width, output.columns.upperBound)
      let seen = pass.columns.input(of: columns)
      pass.columns.list(
        columns, from: seen.lowerBound, starts: columnStarts, offsets: columnOffsets)
      let strip = Strip(
        columns: columns, seen: seen, firstPlane: first, isRead: isRead && input.contain(seen),
        lastRow: input.nearestRow(pass.rows.input(of: output.rows).upperBound - 1),
        lineEnd: output.rows.upperBound)
      var filled = Int.min
      for y in stride(from: output.y, to: output.rows.upperBound, by: layout.lines) {
        let lines = y..<min(y + layout.lines, output.rows.upperBound)
        leave(lines, of: strip, filled: &filled, finish: finish)
      }
    }
  }

  private struct Strip {
    let columns, seen: Range<Int>
    let firstPlane: Int
    /// Whether its rows are read where they lie.
    let isRead: Bool
    /// The last row that the region needs, and the line after its last one.
    let lastRow, lineEnd: Int
  }

  /// Computes some lines of the result and writes them to the target.
  private func leave(
    _ lines: Range<Int>, of strip: Strip, filled: inout Int, finish: SeparablePass.Finish
  ) {
    let needed = pass.rows.input(of: lines)
    pass.rows.list(lines, from: needed.lowerBound, starts: lineStarts, offsets: lineOffsets)
    let rowsFirst = pass.shape.rowsFirst
    if !(rowsFirst && strip.isRead) { fill(needed, of: strip, filled: &filled) }
    for plane in 0..<layout.planes {
      // Rows that are read in place and needed soon are listed, too, for the kernel to ask for them.
      let listed = rowsFirst && strip.isRead ? withRowsAhead(needed, lines, strip) : needed
      for (index, y) in listed.enumerated() {
        let row = input.nearestRow(y)
        lineRows[index] = UnsafePointer(
          rowsFirst && strip.isRead
            ? input.surface(row, from: strip.seen.lowerBound).floats(strip.firstPlane + plane)
            : slot(of: row, plane))
      }
      for (index, y) in lines.enumerated() {
        let end =
          isWritten
          ? target.surface(y, from: strip.columns.lowerBound).floats(strip.firstPlane + plane)
          : outRow(index).plane(plane)
        (lineTargets[index], targets[index]) = (end, end)
        if rowsFirst {
          lineTargets[index] = middle + index * layout.inputStride
          sources[index] = UnsafePointer(middle + index * layout.inputStride)
        }
      }
      pass.rows.withTaps(from: lines.lowerBound, starts: lineStarts, offsets: lineOffsets) {
        kernels.mix_rows(
          lineTargets, lineRows, listed.count, $0, lines.count,
          (rowsFirst ? strip.seen.count : strip.columns.count) * layout.channels)
      }
      if rowsFirst { mixColumns(of: strip, rows: lines.count) }
    }
    if isWritten { return }
    for (index, y) in lines.enumerated() {
      let row = outRow(index)
      let (x, count) = (strip.columns.lowerBound, strip.columns.count)
      finish(row, count, x, y)
      target.program.run(
        row.surface(from: 0, planeCount: input.planeCount), target.surface(y, from: x),
        count: count, x: x, y: y)
    }
  }

  /// The rows that lines need, and those that the lines after them need, too.
  private func withRowsAhead(
    _ needed: Range<Int>, _ lines: Range<Int>, _ strip: Strip
  ) -> Range<Int> {
    let next = lines.upperBound..<min(lines.upperBound + lines.count, strip.lineEnd)
    if next.isEmpty { return needed }
    let end = min(pass.rows.input(of: next).upperBound, strip.lastRow + 1)
    return needed.lowerBound..<max(needed.upperBound, end)
  }

  /// Brings the rows of `needed` that are not there yet into the ring, and mixes their columns where that comes first.
  private func fill(_ needed: Range<Int>, of strip: Strip, filled: inout Int) {
    let last = input.nearestRow(needed.upperBound - 1)
    var row = max(filled, input.nearestRow(needed.lowerBound))
    while row <= last {
      if pass.shape.rowsFirst {
        let place = FloatRow(
          base: slot(of: row, 0), channels: layout.channels, planes: layout.planes,
          stride: layout.ringStride)
        input.load(row, strip.seen, into: place, lastRow: strip.lastRow)
        row += 1
        continue
      }
      let count = min(layout.group, strip.lastRow - row + 1)
      if !strip.isRead {
        for index in 0..<count {
          input.load(row + index, strip.seen, into: middleRow(index), lastRow: strip.lastRow)
        }
      }
      for plane in 0..<layout.planes {
        for index in 0..<count {
          sources[index] = UnsafePointer(
            strip.isRead
              ? input.surface(row + index, from: strip.seen.lowerBound)
                .floats(strip.firstPlane + plane)
              : middleRow(index).plane(plane))
          targets[index] = slot(of: row + index, plane)
        }
        mixColumns(of: strip, rows: count)
      }
      row += count
    }
    filled = row
  }

  /// Mixes the columns of the rows listed.
  private func mixColumns(of strip: Strip, rows: Int) {
    pass.columns.withTaps(
      from: strip.columns.lowerBound, starts: columnStarts, offsets: columnOffsets
    ) {
      kernels.mix_columns(
        targets, sources, strip.seen.count, rows, layout.channels, $0, 0, strip.columns.count,
        columnScratch)
    }
  }

  private func slot(of row: Int, _ plane: Int) -> Floats {
    let place = row - row.dividedDown(by: layout.ringRows) * layout.ringRows
    return ring + (place * layout.planes + plane) * layout.ringStride
  }

  private func middleRow(_ index: Int) -> FloatRow {
    FloatRow(
      base: middle + index * layout.planes * layout.inputStride, channels: layout.channels,
      planes: layout.planes, stride: layout.inputStride)
  }

  private func outRow(_ index: Int) -> FloatRow {
    FloatRow(
      base: out + index * layout.planes * layout.outputStride, channels: layout.channels,
      planes: layout.planes, stride: layout.outputStride)
  }
}
