internal import CPixelKernels
internal import ImageBuffer

/// A weighted sum over columns followed by one over rows: a resampling, or a separable convolution.
///
/// A row enters once. Either it is added to all lines of the result that it is a part of, or it waits until all rows of a line are there.
/// Lines or rows stay in a ring, in strips of columns that fit the second-level cache, and lines leave for the target as soon as they are
/// complete. None of this changes a bit, nor does the tile: each value is the same sum of products in the same order.
struct SeparablePass: Sendable {
  let columns, rows: AxisTaps
  let shape: Shape

  /// What planning needs of it.
  struct Shape: Sendable {
    let columns, rows: AxisShape
    /// Whether rows are mixed before columns: decided for the whole picture, so that no tile differs from another.
    let rowsFirst: Bool
    /// Whether rows are added to lines as they enter, if they are read in place or too many would wait: where each is a part of few lines.
    /// Lines that have most of their rows in common are faster mixed together, in registers.
    var addsRows: Bool

    /// The shape of a pass that mixes first what is less work, or columns.
    init(columns: AxisShape, rows: AxisShape, columnsFirst: Bool = false) {
      (self.columns, self.rows) = (columns, rows)
      // Multiplications a pixel; mixing columns costs more, because their order in memory must be changed.
      func cost(_ first: AxisShape, _ second: AxisShape, _ factors: (Double, Double)) -> Double {
        factors.0 * Double(first.taps) * Double(second.input) / Double(second.output)
          + factors.1 * Double(second.taps)
      }
      rowsFirst =
        !columnsFirst && cost(rows, columns, (1, 1.5)) <= cost(columns, rows, (1.5, 1))
      addsRows =
        rowsFirst && rows.input > rows.output
        && Double(rows.taps) * Double(rows.output) <= 8 * Double(rows.input)
    }
  }

  init(columns: AxisTaps, rows: AxisTaps, shape: Shape? = nil) {
    (self.columns, self.rows) = (columns, rows)
    self.shape = shape ?? Shape(columns: columns.shape, rows: rows.shape)
  }

  /// The pixels that a region of the result is made of.
  func inputRegion(for output: Region) -> Region {
    Region(columns: columns.input(of: output.columns), rows: rows.input(of: output.rows))
  }

  /// Changes `count` pixels of a row of the result, from the pixel (x, y) on, before they are written. `entered` are those of the input at
  /// the same place, where they wait in the ring.
  typealias Finish = (
    _ row: FloatRow, _ entered: FloatRow?, _ count: Int, _ x: Int, _ y: Int
  ) -> Void

  /// Computes a region of the result.
  ///
  /// - Parameters:
  ///   - output: The region to compute.
  ///   - input: The rows to read.
  ///   - target: Where rows of the result are written.
  ///   - memory: The arena of the ring.
  ///   - sharpening: What `finish` does, if it sharpens `input` by the result. Kernels may do it instead.
  ///   - changesRows: Whether `finish` changes rows. Otherwise kernels may write rows to `target` directly.
  ///   - finish: Called for each row of each strip, before it is written. Not optional, because an optional closure escapes, and its
  ///     context would be an allocation for each tile.
  func run(
    _ output: Region, from input: PixelRows, into target: PixelRowTarget, memory: Arena,
    sharpening: UnsharpMask? = nil, changesRows: Bool = false,
    finish: Finish = { _, _, _, _, _ in }
  ) {
    let seen = inputRegion(for: output)
    let source = input.nearest(seen.x, seen.y)
    // Planes are mixed one by one, other pixels with four channels together.
    let channels = source.step == 1 ? 1 : 4
    let isPlain = source.isPlain(
      channels: channels, planeCount: input.planeCount, hasSpareAlpha: true)
    // The kernel that adds rows reads all samples, and may premultiply them. The others read floats.
    let addsRowsInPlace =
      shape.addsRows && !input.areInBands && isPlain && input.contain(seen.columns)
      && (input.program.isEmpty || (input.program.isPremultiplication && channels == 4))
    let isRead =
      addsRowsInPlace
      || (isPlain && input.program.isEmpty && source.format == Int32(CPK_F32)
        && !input.areInBands)
    let first = target.surface(output.y, from: output.x)
    let unpremultiplies = channels == 4 && target.program.isUnpremultiplication
    // Rows that are mixed first are there when the kernel that mixes columns needs them.
    let sharpening =
      channels == 4 && shape.rowsFirst && shape.rows.isConvolution ? sharpening : nil
    let isStored =
      (!changesRows || sharpening != nil) && (target.program.isEmpty || unpremultiplies)
      && first.isPlain(
        channels: channels, planeCount: input.planeCount, hasSpareAlpha: target.hasSpareAlpha)
    // The kernel that mixes columns writes all samples, and may divide by alpha. That of lines writes floats.
    let isWritten =
      isStored && (shape.rowsFirst || (first.format == Int32(CPK_F32) && !unpremultiplies))
    // One plane after the other has wider strips. Rows beyond an edge are copied, all planes together.
    let isApart = isRead && isStored && input.contain(seen.columns)
    let together = channels == 4 || isApart ? 1 : input.planeCount
    let layout =
      input.areInBands
      ? .banded(shape, output.size, planes: together, isWritten: isWritten)
      : addsRowsInPlace
        ? SeparableLayout(
          shape, output.size, inputHeight: input.bounds.height, channels: channels,
          planes: together, isWritten: isWritten)
        : .loading(
          shape, output.size, inputHeight: input.bounds.height, channels: channels,
          planes: together,
          isWritten: isWritten)
    memory.temporarily {
      let ring = SeparableRing(
        pass: self, input: input, target: target, layout: layout,
        isRead: isRead,
        storing: isWritten
          ? cpk_storing(
            format: first.format, unpremultiplies: unpremultiplies, streams: first.streams,
            sharpening: nil, sharp: nil) : nil,
        sharpening: isWritten ? sharpening : nil,
        asksAhead: isPlain && source.format == Int32(CPK_F32), memory: memory)
      for first in stride(from: 0, to: channels == 4 ? 1 : input.planeCount, by: together) {
        ring.run(output, planesFrom: first, finish: finish)
      }
    }
  }

  /// The most floats that a region asks for whose input is computed in bands.
  static func bandScratchCount(_ shape: Shape, for output: PixelSize, planes: Int) -> Int {
    SeparableLayout.banded(shape, output, planes: planes).floatCount
  }

  /// The most floats that ``run(_:from:into:memory:sharpening:changesRows:finish:)`` asks for, whatever the layout of the rows, for inputs of up to
  /// `inputHeight` rows.
  static func scratchCount(
    _ shape: Shape, for output: PixelSize, inputHeight: Int, planes: Int
  ) -> Int {
    func floats(channels: Int, planes: Int) -> Int {
      max(
        SeparableLayout(
          shape, output, inputHeight: inputHeight, channels: channels, planes: planes
        ).mostFloats,
        SeparableLayout.mostFloatsLoading(
          shape, output, inputHeight: inputHeight, channels: channels, planes: planes))
    }
    return max(
      floats(channels: 1, planes: 1), floats(channels: 1, planes: planes),
      floats(channels: 4, planes: 1))
  }
}
