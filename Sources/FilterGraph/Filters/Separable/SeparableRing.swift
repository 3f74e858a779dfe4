internal import CPixelKernels
internal import ImageBuffer

/// The memory of a pass while it computes a region.
struct SeparableRing {
  private let pass: SeparablePass
  private let input: PixelRows
  private let target: PixelRowTarget
  private let layout: SeparableLayout
  /// Whether rows are read and written where they lie.
  private let isRead, isWritten: Bool
  /// How mixed columns are stored in lines that leave.
  private var leaving: cpk_storing
  /// Whether rows on their way into the ring are asked for while lines are mixed: those that lie like the ring's.
  private let asksAhead: Bool

  private typealias Floats = UnsafeMutablePointer<Float>
  private let ring, entering, mixed, columnScratch: Floats
  private let columnStarts, columnOffsets, lineStarts, lineOffsets: UnsafeMutablePointer<Int32>
  /// The lines that rows are added to.
  private let lines: UnsafeMutablePointer<cpk_line>
  /// The rows that lines are made of, and those after them.
  private let rows: UnsafeMutablePointer<UnsafeRawPointer?>
  /// The rows whose columns are mixed, and where they go.
  private let sources: UnsafeMutablePointer<UnsafePointer<Float>?>
  private let targets: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  /// The rows that are sharpened while their columns are mixed.
  private let originals: UnsafeMutablePointer<UnsafePointer<Float>?>

  init(
    pass: SeparablePass, input: PixelRows, target: PixelRowTarget, layout: SeparableLayout,
    isRead: Bool, storing: cpk_storing?, sharpening: UnsharpMask?, asksAhead: Bool, memory: Arena
  ) {
    (self.pass, self.input, self.target) = (pass, input, target)
    (self.layout, self.isRead, isWritten) = (layout, isRead, storing != nil)
    leaving = storing ?? .floats
    self.asksAhead = asksAhead
    var next = memory.floats(layout.floatCount)
    func values<Value>(_ count: Int, of type: Value.Type) -> UnsafeMutablePointer<Value> {
      defer { next += SeparableLayout.floats(for: count, type) }
      return UnsafeMutableRawPointer(next).bindMemory(to: type, capacity: count)
    }
    ring = values(layout.ringRows * layout.ringStride * layout.planes, of: Float.self)
    entering = values(layout.enteringCount, of: Float.self)
    mixed = values(layout.mixedCount, of: Float.self)
    columnScratch = values(layout.columnScratch, of: Float.self)
    columnStarts = values(layout.width, of: Int32.self)
    columnOffsets = values(layout.width, of: Int32.self)
    lineStarts = values(layout.lines, of: Int32.self)
    lineOffsets = values(layout.lines, of: Int32.self)
    lines = values(layout.listedLines, of: cpk_line.self)
    rows = values(layout.listedRows, of: UnsafeRawPointer?.self)
    sources = values(layout.block, of: UnsafePointer<Float>?.self)
    targets = values(layout.block, of: UnsafeMutableRawPointer?.self)
    originals = values(layout.block, of: UnsafePointer<Float>?.self)
    guard let sharpening else { return }
    let parameters = values(1, of: cpk_sharpening.self)
    parameters.initialize(to: sharpening.kernelParameters(hasAlpha: input.planeCount == 4))
    (leaving.sharpening, leaving.sharp) = (UnsafePointer(parameters), UnsafePointer(originals))
  }

  /// Computes a region, of the planes of the layout from `first` on.
  func run(_ output: Region, planesFrom first: Int, finish: SeparablePass.Finish) {
    for x in stride(from: output.x, to: output.columns.upperBound, by: layout.width) {
      let columns = x..<min(x + layout.width, output.columns.upperBound)
      let seen = pass.columns.input(of: columns)
      pass.columns.list(
        columns, from: seen.lowerBound, starts: columnStarts, offsets: columnOffsets)
      let strip = Strip(
        columns: columns, seen: seen, lines: output.rows, rows: pass.rows.input(of: output.rows),
        firstPlane: first, isRead: isRead && input.contain(seen))
      if layout.shape.addsRows {
        pass.rows.withWeights { add(strip, weights: $0, finish: finish) }
      } else {
        mix(strip, finish: finish)
      }
    }
  }

  private struct Strip {
    let columns, seen: Range<Int>
    /// The lines of the result, and the rows that they need.
    let lines, rows: Range<Int>
    let firstPlane: Int
    /// Whether its rows are read where they lie.
    let isRead: Bool
  }

  // MARK: Rows that are added to lines

  /// Computes a strip. Each row is added to all lines that it is a part of.
  private func add(
    _ strip: Strip, weights: UnsafePointer<Float>, finish: SeparablePass.Finish
  ) {
    let (axis, taps) = (pass.rows, pass.rows.shape.taps)
    // The lines before these have left, and those before these are complete.
    var (kept, incomplete) = (strip.lines.lowerBound, strip.lines.lowerBound)
    var (y, listed) = (strip.rows.lowerBound, 0..<0)
    while incomplete < strip.lines.upperBound {
      // Rows between the last line and the next one are part of neither.
      y = max(y, axis.start(of: incomplete))
      var (end, line) = (y, incomplete)
      while line < strip.lines.upperBound {
        let start = axis.start(of: line)
        if start > end || start >= y + layout.block { break }
        let first = max(start, y)
        end = max(end, min(start + taps, y + layout.block))
        lines[line - incomplete] = cpk_line(
          values: nil, weights: weights + (axis.weightOffset(of: line) + first - start),
          first: Int32(first - y), end: Int32(min(start + taps, end) - y), is_new: start >= y)
        line += 1
      }
      precondition(line - kept <= layout.ringRows, "The ring has too few lines.")
      add(y..<end, to: incomplete..<line, of: strip, listed: &listed)
      y = end
      while incomplete < line, axis.start(of: incomplete) + taps <= y { incomplete += 1 }
      let isLast = incomplete == strip.lines.upperBound
      while incomplete - kept >= (isLast ? 1 : layout.group) {
        let leaving = kept..<min(kept + layout.group, incomplete)
        leave(leaving, of: strip, finish: finish)
        kept = leaving.upperBound
      }
    }
  }

  /// Adds rows to the lines listed. `listed` are the rows that are listed now.
  private func add(
    _ entered: Range<Int>, to range: Range<Int>, of strip: Strip, listed: inout Range<Int>
  ) {
    let format: Int32
    if layout.loadsRows {
      load(entered, of: strip)
      (listed, format) = (entered, Int32(CPK_F32))
    } else {
      list(entered, of: strip, listed: &listed)
      format = input.nearest(strip.seen.lowerBound, entered.lowerBound).format
    }
    for plane in 0..<layout.planes {
      for (index, line) in range.enumerated() { lines[index].values = slot(of: line, plane) }
      kernels.add_rows(
        lines, range.count, rows + 2 * layout.block * plane, entered.count,
        listed.count - entered.count, format,
        !layout.loadsRows && input.program.isPremultiplication,
        strip.seen.count * layout.channels)
    }
  }

  /// Loads rows that cannot be read in place, and lists them.
  private func load(_ entered: Range<Int>, of strip: Strip) {
    // Rows of bands that come later do not exist yet.
    let lastRow = input.areInBands ? .min : input.nearestRow(strip.rows.upperBound - 1)
    for (index, y) in entered.enumerated() {
      let row = enteringRow(index)
      input.load(input.nearestRow(y), strip.seen, into: row, lastRow: lastRow)
      for plane in 0..<layout.planes {
        rows[2 * layout.block * plane + index] = UnsafeRawPointer(row.plane(plane))
      }
    }
  }

  /// Lists rows where they lie, and those after them, for the kernel to ask for them soon.
  private func list(_ entered: Range<Int>, of strip: Strip, listed: inout Range<Int>) {
    let end = min(entered.upperBound + layout.block, strip.rows.upperBound)
    var known = entered.lowerBound..<entered.lowerBound
    if listed.contains(entered.lowerBound) {
      known = entered.lowerBound..<listed.upperBound
      for plane in 0..<layout.planes {
        let rows = rows + 2 * layout.block * plane
        rows.update(from: rows + (known.lowerBound - listed.lowerBound), count: known.count)
      }
    }
    for y in known.upperBound..<max(end, known.upperBound) {
      let row = input.surface(input.nearestRow(y), from: strip.seen.lowerBound)
      for plane in 0..<layout.planes {
        rows[2 * layout.block * plane + y - entered.lowerBound] = row.samples(
          strip.firstPlane + plane)
      }
    }
    listed = entered.lowerBound..<max(end, known.upperBound)
  }

  /// Mixes the columns of complete lines, and writes the lines to the target.
  private func leave(
    _ range: Range<Int>, of strip: Strip, finish: SeparablePass.Finish
  ) {
    for plane in 0..<layout.planes {
      for (index, line) in range.enumerated() {
        sources[index] = UnsafePointer(slot(of: line, plane))
        targets[index] = placeLeaving(index, line, plane, strip)
      }
      mixColumns(of: strip, rows: range.count, leaving)
    }
    write(range, of: strip, finish: finish)
  }

  // MARK: Lines that are mixed

  /// Computes a strip. All rows of a line are mixed together.
  private func mix(_ strip: Strip, finish: SeparablePass.Finish) {
    var filled = Int.min
    for y in stride(from: strip.lines.lowerBound, to: strip.lines.upperBound, by: layout.lines) {
      let range = y..<min(y + layout.lines, strip.lines.upperBound)
      mix(range, of: strip, filled: &filled)
      write(range, of: strip, finish: finish)
    }
  }

  /// Mixes some lines, and their columns where that comes last.
  private func mix(_ range: Range<Int>, of strip: Strip, filled: inout Int) {
    let rowsFirst = layout.shape.rowsFirst
    let isInPlace = rowsFirst && strip.isRead
    var listed = pass.rows.input(of: range)
    pass.rows.list(range, from: listed.lowerBound, starts: lineStarts, offsets: lineOffsets)
    let mixed = listed
    if !isInPlace { fill(listed, of: strip, filled: &filled) }
    if isInPlace || asksAhead && rowsFirst {
      // The rows of the next lines are listed, too, for the kernels to ask for them soon.
      let next = min(range.upperBound + range.count, strip.lines.upperBound)
      listed = pass.rows.input(of: range.lowerBound..<next)
    }
    // Rows of a convolution are mixed faster than memory delivers as many: half of the next ones are prefetched while columns are mixed.
    let later = layout.shape.rows.isConvolution ? (listed.count - mixed.count) / 2 : 0
    for plane in 0..<layout.planes {
      for (index, y) in listed.enumerated() {
        let row = input.nearestRow(y)
        rows[index] =
          isInPlace || y >= mixed.upperBound
          ? input.surface(row, from: strip.seen.lowerBound).samples(strip.firstPlane + plane)
          : UnsafeRawPointer(slot(of: row, plane))
      }
      for (index, line) in range.enumerated() {
        targets[index] =
          rowsFirst
          ? UnsafeMutableRawPointer(entering + index * layout.inputStride)
          : placeLeaving(index, line, plane, strip)
      }
      pass.rows.withTaps(from: range.lowerBound, starts: lineStarts, offsets: lineOffsets) {
        kernels.mix_rows(
          targets, rows, listed.count - later, $0, range.count,
          (rowsFirst ? strip.seen.count : strip.columns.count) * layout.channels)
      }
      if !rowsFirst { continue }
      let left = (strip.columns.lowerBound - strip.seen.lowerBound) * layout.channels
      for (index, line) in range.enumerated() {
        sources[index] = UnsafePointer(entering + index * layout.inputStride)
        targets[index] = placeLeaving(index, line, plane, strip)
        if leaving.sharpening == nil { continue }
        originals[index] =
          rows[line - listed.lowerBound].map { $0.assumingMemoryBound(to: Float.self) + left }
      }
      mixColumns(
        of: strip, rows: range.count, leaving, ahead: listed.count - later..<listed.count)
    }
  }

  /// Brings rows that are not there yet into the ring, and mixes their columns where that comes first.
  private func fill(_ needed: Range<Int>, of strip: Strip, filled: inout Int) {
    let last = input.nearestRow(needed.upperBound - 1)
    let lastRow = input.nearestRow(strip.rows.upperBound - 1)
    var row = max(filled, input.nearestRow(needed.lowerBound))
    while row <= last {
      if layout.shape.rowsFirst {
        input.load(row, strip.seen, into: ringRow(row), lastRow: asksAhead ? .min : lastRow)
        row += 1
        continue
      }
      let count = min(layout.group, lastRow - row + 1)
      if !strip.isRead {
        for index in 0..<count {
          input.load(row + index, strip.seen, into: enteringRow(index), lastRow: lastRow)
        }
      }
      for plane in 0..<layout.planes {
        for index in 0..<count {
          sources[index] = UnsafePointer(
            strip.isRead
              ? input.surface(row + index, from: strip.seen.lowerBound)
                .floats(strip.firstPlane + plane)
              : enteringRow(index).plane(plane))
          targets[index] = UnsafeMutableRawPointer(slot(of: row + index, plane))
        }
        mixColumns(of: strip, rows: count, .floats)
      }
      row += count
    }
    filled = row
  }

  // MARK: Both

  /// Writes lines to the target, unless they were computed there.
  private func write(_ range: Range<Int>, of strip: Strip, finish: SeparablePass.Finish) {
    if isWritten { return }
    for (index, y) in range.enumerated() {
      let row = mixedRow(index)
      let (x, count) = (strip.columns.lowerBound, strip.columns.count)
      finish(row, entered(strip, y), count, x, y)
      let isApart = layout.channels == 1 && layout.planes < input.planeCount
      let goal = target.surface(y, from: x)
      target.program.run(
        row.surface(from: 0, planeCount: input.planeCount),
        isApart ? goal.only(strip.firstPlane) : goal, count: count, x: x, y: y)
    }
  }

  /// Mixes the columns of the rows that are sources. `ahead` are rows listed that are prefetched.
  private func mixColumns(
    of strip: Strip, rows count: Int, _ storing: cpk_storing, ahead: Range<Int> = 0..<0
  ) {
    var storing = storing
    pass.columns.withTaps(
      from: strip.columns.lowerBound, starts: columnStarts, offsets: columnOffsets
    ) {
      kernels.mix_columns(
        targets, &storing, sources, strip.seen.count, count, layout.channels, $0, 0,
        strip.columns.count, rows + ahead.lowerBound, ahead.count, columnScratch)
    }
  }

  /// Where a line that leaves, the one at `index` of some, is put together.
  private func placeLeaving(_ index: Int, _ line: Int, _ plane: Int, _ strip: Strip)
    -> UnsafeMutableRawPointer
  {
    if !isWritten { return UnsafeMutableRawPointer(mixedRow(index).plane(plane)) }
    let row = target.surface(line, from: strip.columns.lowerBound)
    return UnsafeMutableRawPointer(mutating: row.samples(strip.firstPlane + plane))
  }

  private func slot(of line: Int, _ plane: Int) -> Floats { ringRow(line).plane(plane) }

  private func ringRow(_ line: Int) -> FloatRow {
    let place = line - line.dividedDown(by: layout.ringRows) * layout.ringRows
    return row(at: ring, place, stride: layout.ringStride)
  }

  /// The row `y` of the input, where it waits in the ring until its line is complete.
  private func entered(_ strip: Strip, _ y: Int) -> FloatRow? {
    let isWaiting = layout.shape.rowsFirst && !layout.shape.addsRows && !strip.isRead
    guard isWaiting, pass.rows.input(of: y..<y + 1).contains(y) else { return nil }
    return ringRow(input.nearestRow(y)).from(strip.columns.lowerBound - strip.seen.lowerBound)
  }

  private func enteringRow(_ index: Int) -> FloatRow {
    row(at: entering, index, stride: layout.inputStride)
  }

  private func mixedRow(_ index: Int) -> FloatRow {
    row(at: mixed, index, stride: layout.outputStride)
  }

  private func row(at base: Floats, _ index: Int, stride: Int) -> FloatRow {
    FloatRow(
      base: base + index * layout.planes * stride, channels: layout.channels,
      planes: layout.planes, stride: stride)
  }
}

extension cpk_storing {
  /// Floats as they are.
  fileprivate static var floats: cpk_storing {
    cpk_storing(
      format: Int32(CPK_F32), unpremultiplies: false, streams: false, sharpening: nil, sharp: nil)
  }
}
