internal import CPixelKernels
internal import ImageBuffer

/// How a pass uses its memory.
struct SeparableLayout {
  /// So many channels lie together, in so many planes.
  let channels, planes: Int
  /// The most output columns of a strip, and the most input columns that they need.
  private(set) var width, inputWidth: Int
  /// How many rows are added to lines together.
  let block = Int(kernels.lanes)
  /// How many rows enter or leave the mixing of columns together.
  let group: Int
  /// The most lines that wait for their last row, or to leave together.
  let ringLines: Int
  private let shape: SeparablePass.Shape
  /// The width of all strips together, and the floats of rows if they were one.
  private let whole: Int
  private var wholeCount = 0

  /// The floats of a strip that should stay in the second-level cache.
  private static let cached = 1 << 17

  init(_ shape: SeparablePass.Shape, _ output: PixelSize, channels: Int, planes: Int) {
    (self.shape, self.channels, self.planes) = (shape, channels, planes)
    (width, whole) = (output.width, output.width)
    group = block / channels
    let touched = shape.rows.outputs(touchedBy: block) + (shape.rowsFirst ? group - 1 : 0)
    ringLines = min(touched, output.height)
    inputWidth = shape.columns.span(width)
    wholeCount = rowsCount
    while width > 32, rowsCount > Self.cached {
      let narrower = (width + 1) / 2
      let input = shape.columns.span(narrower)
      // What neighbouring strips read twice stays a small part.
      if input < 4 * shape.columns.taps { break }
      (width, inputWidth) = (narrower, input)
    }
  }

  /// A whole number of cache lines.
  private static func line(_ floats: Int) -> Int { (floats + 15) / 16 * 16 }

  var inputStride: Int { Self.line(inputWidth * channels) }
  var outputStride: Int { Self.line(width * channels) }
  var ringStride: Int { shape.rowsFirst ? inputStride : outputStride }
  /// Rows on their way into the ring.
  var enteringCount: Int { block * inputStride * planes }
  /// Rows between the two directions where columns are mixed first, or those that leave.
  var mixedCount: Int { block * outputStride * (shape.rowsFirst ? planes : 1) }
  var columnScratch: Int {
    Int(kernels.lanes) * (max(CPK_COLUMN_SPAN, shape.columns.span(16)) + 16)
  }
  private var rowsCount: Int {
    ringLines * ringStride * planes + enteringCount + mixedCount
  }

  /// All floats, as ``SeparableRing`` divides them.
  var floatCount: Int { rowsCount + otherCount(width) }

  /// As many as for a region of fewer lines, which may have wider strips.
  var mostFloats: Int { max(rowsCount, min(wholeCount, Self.cached)) + otherCount(whole) }

  /// The floats that take as much memory as so many of `Value`.
  static func floats<Value>(for count: Int, _: Value.Type) -> Int {
    line(count * MemoryLayout<Value>.stride / MemoryLayout<Float>.stride)
  }

  private func otherCount(_ width: Int) -> Int {
    Self.line(columnScratch) + 2 * Self.line(width) + Self.floats(for: ringLines, cpk_line.self)
      + Self.floats(for: 2 * block * planes, UnsafeRawPointer.self)
      + 2 * Self.floats(for: block, UnsafeRawPointer.self)
  }
}
