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
  /// How many lines are mixed together.
  let lines: Int
  /// Where rows are added, the most lines that wait for their last row, or to leave together. Otherwise the most rows that wait for a line.
  let ringRows: Int
  let shape: SeparablePass.Shape
  /// Whether rows that are added to lines are loaded first, because they cannot be read in place.
  let loadsRows: Bool
  /// The width of all strips together, and the floats of rows if they were one.
  private let whole: Int
  private var wholeCount = 0
  /// Whether lines that leave are put together where they go.
  private let isWritten: Bool

  /// The floats of a strip that should stay in the second-level cache.
  private static let cached = 9 << 14

  init(
    _ shape: SeparablePass.Shape, _ output: PixelSize, inputHeight: Int, channels: Int, planes: Int,
    loadsRows: Bool = false, isDivided: Bool = true, isWritten: Bool = false
  ) {
    (self.shape, self.channels, self.planes) = (shape, channels, planes)
    self.loadsRows = loadsRows && shape.addsRows
    self.isWritten = isWritten
    (width, whole) = (output.width, output.width)
    group = block / channels
    // As many as the kernels mix at once.
    let together = shape.rows.isConvolution ? Int(kernels.lines) : 4
    lines = shape.addsRows ? group : shape.rowsFirst ? max(group, together) : together
    if shape.addsRows {
      ringRows = min(shape.rows.outputs(touchedBy: block) + group - 1, output.height)
    } else {
      ringRows = min(shape.rows.span(lines), inputHeight) + (shape.rowsFirst ? 0 : group)
    }
    inputWidth = shape.columns.span(width)
    wholeCount = rowsCount
    if isDivided, rowsCount > Self.cached { divide() }
  }

  /// The layout for rows that are computed when they are read: added to lines in a single strip of all columns, so that each is read once.
  static func banded(
    _ shape: SeparablePass.Shape, _ output: PixelSize, planes: Int, isWritten: Bool = false
  ) -> SeparableLayout {
    precondition(shape.addsRows, "A pass that keeps rows cannot read them in bands.")
    return SeparableLayout(
      shape, output, inputHeight: .max, channels: 1, planes: planes, loadsRows: true,
      isDivided: false, isWritten: isWritten)
  }

  /// The layout for rows that cannot be read in place. They wait for their lines, unless so many wait that even narrow strips exceed the
  /// cache: those of a whole picture, where it is reduced to an icon. They are added to lines then, if the shape allows it.
  static func loading(
    _ shape: SeparablePass.Shape, _ output: PixelSize, inputHeight: Int, channels: Int, planes: Int,
    isWritten: Bool = false
  ) -> SeparableLayout {
    let waiting = waiting(
      shape, output, inputHeight: inputHeight, channels: channels, planes: planes,
      isWritten: isWritten)
    if waiting.rowsCount <= cached || !shape.addsRows { return waiting }
    return SeparableLayout(
      shape, output, inputHeight: inputHeight, channels: channels, planes: planes,
      loadsRows: true, isWritten: isWritten)
  }

  private static func waiting(
    _ shape: SeparablePass.Shape, _ output: PixelSize, inputHeight: Int, channels: Int, planes: Int,
    isWritten: Bool = false
  ) -> SeparableLayout {
    var shape = shape
    shape.addsRows = false
    return SeparableLayout(
      shape, output, inputHeight: inputHeight, channels: channels, planes: planes,
      isWritten: isWritten)
  }

  /// Divides the width into as few strips as stay in the cache. They begin at whole cache lines, so that aligned rows have aligned strips.
  private mutating func divide() {
    // What neighboring strips read twice stays a small part: strips are at least three times as wide as what they share.
    let columns = shape.columns
    let least = max(32, 3 * columns.taps * columns.output / max(columns.input, 1)).wholeVectors
    if least >= whole { return }
    var (fitting, exceeding) = (least, whole.wholeVectors)
    while exceeding - fitting > 16 {
      setWidth((fitting + exceeding) / 32 * 16)
      if rowsCount > Self.cached { exceeding = width } else { fitting = width }
    }
    setWidth(fitting)
  }

  private mutating func setWidth(_ width: Int) {
    (self.width, inputWidth) = (width, shape.columns.span(width))
  }

  /// Whole cache lines from a row to the next. Rows that begin a multiple of 4 KiB apart would displace each other from the first cache.
  private static func stride(_ floats: Int) -> Int {
    let whole = floats.wholeVectors
    return whole % 1024 == 0 ? whole + 16 : whole
  }

  var inputStride: Int { Self.stride(inputWidth * channels) }
  var outputStride: Int { Self.stride(width * channels) }
  var ringStride: Int { shape.rowsFirst || shape.addsRows ? inputStride : outputStride }
  /// Rows on their way into the ring, or from there to the mixing of columns.
  var enteringCount: Int {
    if shape.addsRows { return loadsRows ? inputStride * block * planes : 0 }
    return inputStride * (shape.rowsFirst ? lines : group * planes)
  }
  /// Lines that leave.
  var mixedCount: Int { isWritten ? 0 : lines * outputStride * planes }
  /// The most rows that are listed for kernels: those that they read, and those after them.
  var listedRows: Int { shape.addsRows ? 2 * block * planes : shape.rows.span(2 * lines) }
  /// The lines that are listed for kernels.
  var listedLines: Int { shape.addsRows ? ringRows : lines }
  var columnScratch: Int {
    Int(kernels.lanes) * (max(CPK_COLUMN_SPAN, shape.columns.span(16)) + 16)
  }
  private var rowsCount: Int {
    ringRows * ringStride * planes + enteringCount + mixedCount
  }

  /// All floats, as ``SeparableRing`` divides them.
  var floatCount: Int { rowsCount + otherCount(width) }

  /// As many as for an input of fewer rows or a region of fewer lines, which may have wider strips.
  var mostFloats: Int { max(rowsCount, min(wholeCount, Self.cached)) + otherCount(whole) }

  /// As many as ``loading(_:_:inputHeight:channels:planes:isWritten:)`` asks for, also of fewer rows or lines, where rows may wait.
  static func mostFloatsLoading(
    _ shape: SeparablePass.Shape, _ output: PixelSize, inputHeight: Int, channels: Int, planes: Int
  ) -> Int {
    let layout = loading(
      shape, output, inputHeight: inputHeight, channels: channels, planes: planes)
    if !layout.loadsRows { return layout.mostFloats }
    let waiting = waiting(
      shape, output, inputHeight: inputHeight, channels: channels, planes: planes)
    return max(
      layout.mostFloats, min(waiting.wholeCount, cached) + waiting.otherCount(waiting.whole))
  }

  /// The floats that take as much memory as so many of `Value`.
  static func floats<Value>(for count: Int, _: Value.Type) -> Int {
    (count * MemoryLayout<Value>.stride / MemoryLayout<Float>.stride).wholeVectors
  }

  private func otherCount(_ width: Int) -> Int {
    columnScratch.wholeVectors + 2 * width.wholeVectors + 2 * lines.wholeVectors
      + Self.floats(for: listedLines, cpk_line.self)
      + Self.floats(for: listedRows, UnsafeRawPointer.self)
      + 3 * Self.floats(for: block, UnsafeRawPointer.self)
      + Self.floats(for: 1, cpk_sharpening.self)
  }
}
