internal import CPixelKernels

/// One direction of a resize: which pixels make a new one, and how much of each.
struct Resampling {
  let input, output: Int
  private let kernel: ResamplingKernel
  /// Old pixels to a new one.
  private let scale: Double
  /// Old pixels to the kernel's unit.
  private let unit: Double
  /// How far the kernel reaches, in old pixels.
  private let reach: Double

  init(from input: Int, to output: Int, by kernel: ResamplingKernel) {
    (self.input, self.output, self.kernel) = (input, output, kernel)
    scale = Double(input) / Double(output)
    unit = kernel.shape == .nearest ? 1 : max(scale, 1)
    reach = kernel.reach * unit
  }

  /// Where the middle of new pixel `index` lies: so many whole old pixels, and the part of one that is left. The part comes from
  /// whole numbers, so that places that repeat repeat exactly.
  private func center(of index: Int) -> (whole: Int, part: Double) {
    let (whole, rest) = ((2 * index + 1) * input).quotientAndRemainder(dividingBy: 2 * output)
    return (whole, Double(rest) / Double(2 * output))
  }

  /// The old pixels that the kernel around new pixel `index` touches.
  private func span(of index: Int) -> Range<Int> { pixels(around: index, within: reach) }

  /// The old pixels whose mixture cannot ring: those of the kernel's middle.
  func middle(of index: Int) -> Range<Int> {
    pixels(around: index, within: min(reach, unit))
  }

  private func pixels(around index: Int, within reach: Double) -> Range<Int> {
    let uncut = uncutPixels(around: index, within: reach)
    let first = max(0, uncut.lowerBound)
    return first..<max(min(input, uncut.upperBound), first + 1)
  }

  private func uncutPixels(around index: Int, within reach: Double) -> Range<Int> {
    let (whole, part) = center(of: index)
    let first = whole + Int((part - reach + 0.5).rounded(.down))
    return first..<max(whole + Int((part + reach + 0.5).rounded(.down)), first)
  }

  func taps(of index: Int) -> (start: Int, weights: [Double]) {
    let span = span(of: index)
    let (whole, part) = center(of: index)
    let weights = span.map { kernel((Double($0 - whole) + 0.5 - part) / unit) }
    let sum = weights.reduce(0, +)
    return (span.lowerBound, weights.map { $0 / sum })
  }

  /// The most old pixels that any new one needs.
  var tapCount: Int {
    // Where kernels lie between old pixels repeats after so many new ones; edges only cut.
    let period = output / greatestCommonDivisor(input, output)
    var count = 1
    for index in 0..<period { count = max(count, uncutPixels(around: index, within: reach).count) }
    return min(input, count)
  }

  /// Where the old pixels of a new one begin, `count` for each of them; moved inwards at the far edge.
  func start(of index: Int, count: Int) -> Int { min(span(of: index).lowerBound, input - count) }

  /// The old pixels that some new ones need.
  func input(of range: Range<Int>) -> Range<Int> {
    let count = tapCount
    return start(of: range.lowerBound, count: count)..<start(
      of: range.upperBound - 1, count: count) + count
  }
}

private func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
  b == 0 ? a : greatestCommonDivisor(b, a % b)
}

/// The weights of all new pixels in single precision, the same number for each: what the kernels read.
struct ResamplingTable: Sendable {
  let taps: Int
  let starts: [Int32]
  let weights: [Float]

  init(_ resampling: Resampling) {
    let count = resampling.tapCount
    var starts: [Int32] = []
    var weights: [Float] = []
    starts.reserveCapacity(resampling.output)
    weights.reserveCapacity(resampling.output * count)
    for index in 0..<resampling.output {
      let start = resampling.start(of: index, count: count)
      let exact = resampling.taps(of: index)
      let leading = exact.start - start
      var row = [Float](repeating: 0, count: count)
      for (i, weight) in exact.weights.enumerated() { row[leading + i] = Float(weight) }
      Self.normalize(&row)
      starts.append(Int32(start))
      weights += row
    }
    (self.taps, self.starts, self.weights) = (count, starts, weights)
  }

  /// Makes the rounded weights sum to 1 in the kernels' order, so that flat areas of 1 stay 1.
  private static func normalize(_ row: inout [Float]) {
    guard let largest = row.indices.max(by: { row[$0] < row[$1] }) else { return }
    for _ in 0..<4 {
      let sum = row.reduce(Float(0), +)
      if sum == 1 { return }
      row[largest] += 1 - sum
    }
  }

  /// Makes new rows of those of a plane.
  func mix(
    _ plane: PlaneRows, into rows: Range<Int>, at target: UnsafeMutablePointer<Float>, stride: Int,
    count: Int
  ) {
    starts.withUnsafeBufferPointer { starts in
      weights.withUnsafeBufferPointer { weights in
        guard let starts = starts.baseAddress, let weights = weights.baseAddress else { return }
        let first = Int(starts[rows.lowerBound])
        kernels.blend_rows(
          target, stride, plane.pointers + (first - plane.rows.lowerBound),
          plane.rows.upperBound - first, starts + rows.lowerBound,
          weights + rows.lowerBound * taps, taps, rows.count, count)
      }
    }
  }

  /// The part of the table that a tile's columns need, counted from the first pixel of its input.
  func relative(to origin: Int, of columns: Range<Int>, scratch tile: Tile) -> TileColumns {
    let starts = UnsafeMutableRawPointer(tile.scratch(columns.count))
      .bindMemory(to: Int32.self, capacity: columns.count)
    for (index, column) in columns.enumerated() {
      starts[index] = self.starts[column] - Int32(origin)
    }
    return TileColumns(
      table: self, first: columns.lowerBound, count: columns.count, starts: starts, scratch: tile)
  }
}

/// Where the rows of one plane of a tile begin.
struct PlaneRows {
  let rows: Range<Int>
  let pointers: UnsafePointer<UnsafePointer<Float>?>
}

/// The columns of one tile.
struct TileColumns {
  let table: ResamplingTable
  let first, count: Int
  let starts: UnsafePointer<Int32>
  let scratch: Tile

  init(
    table: ResamplingTable, first: Int, count: Int, starts: UnsafePointer<Int32>, scratch: Tile
  ) {
    (self.table, self.first, self.count) = (table, first, count)
    (self.starts, self.scratch) = (starts, scratch)
  }

  /// Mixes the columns of some rows.
  func mix(
    _ input: UnsafePointer<Float>, stride inputStride: Int, inputCount: Int, rows: Int,
    into output: UnsafeMutablePointer<Float>, stride outputStride: Int
  ) {
    table.weights.withUnsafeBufferPointer { weights in
      scratch.arena.temporarily {
        kernels.blend_columns(
          output, outputStride, input, inputStride, inputCount, rows, starts,
          weights.baseAddress.map { $0 + first * table.taps }, table.taps, count,
          scratch.scratch(Self.scratchCount(inputCount)))
      }
    }
  }

  static func scratchCount(_ inputCount: Int) -> Int {
    Int(kernels.lanes) * (inputCount + Int(kernels.lanes))
  }
}
