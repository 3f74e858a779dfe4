internal import CPixelKernels

/// One direction of a resize: which pixels make a new one, and how much of each.
///
/// The pixels under a kernel are found in whole numbers: where a pixel's middle lies exactly between two boxes, rounding would
/// leave it out of both or count it in both.
package struct Resampling {
  let input, output: Int
  private let kernel: ResamplingKernel
  /// How many old pixels the kernel's unit spans, as a fraction over `output`.
  private let unit: Int
  /// How far the kernel reaches to each side, in half units: all kernels end at multiples of ½.
  private let halfReach: Int

  package init(from input: Int, to output: Int, by kernel: ResamplingKernel) {
    (self.input, self.output, self.kernel) = (input, output, kernel)
    unit = kernel.shape == .nearest ? output : max(input, output)
    halfReach = Int(2 * kernel.reach)
    assert(Double(halfReach) == 2 * kernel.reach, "\(kernel) does not end at a multiple of ½.")
  }

  /// The old pixels that the kernel around new pixel `index` touches.
  private func span(of index: Int) -> Range<Int> { pixels(around: index, within: halfReach) }

  /// The old pixels whose mixture cannot ring: those of the kernel's middle.
  func middle(of index: Int) -> Range<Int> {
    pixels(around: index, within: min(halfReach, 2))
  }

  private func pixels(around index: Int, within halfUnits: Int) -> Range<Int> {
    let uncut = uncutPixels(around: index, within: halfUnits)
    let first = max(0, uncut.lowerBound)
    return first..<max(min(input, uncut.upperBound), first + 1)
  }

  /// The old pixels whose middles lie after the start of an interval and up to its end, `halfUnits` around the middle of a new one.
  private func uncutPixels(around index: Int, within halfUnits: Int) -> Range<Int> {
    uncutPixels(aroundPlace: (2 * index + 1) * input, within: halfUnits)
  }

  /// The same around a place. Places, and how far the interval reaches, are in old pixels, everything over 2 · output.
  private func uncutPixels(aroundPlace place: Int, within halfUnits: Int) -> Range<Int> {
    let reach = halfUnits * unit
    return floor(
      place - reach + output, over: 2 * output)..<floor(place + reach + output, over: 2 * output)
  }

  package func taps(of index: Int) -> (start: Int, weights: [Double]) {
    let span = span(of: index)
    let weights = span.map { weight(of: $0, in: index) }
    let sum = weights.reduce(0, +)
    return (span.lowerBound, weights.map { $0 / sum })
  }

  /// The weight of an old pixel of the span. A box weighs all its pixels alike.
  private func weight(of pixel: Int, in index: Int) -> Double {
    if kernel.isFlat { return 1 }
    // The part of a pixel comes from whole numbers, so that places that repeat repeat exactly.
    let (whole, rest) = ((2 * index + 1) * input).quotientAndRemainder(dividingBy: 2 * output)
    let part = Double(rest) / Double(2 * output)
    return kernel((Double(pixel - whole) + 0.5 - part) / (Double(unit) / Double(output)))
  }

  /// The most input pixels that any output pixel needs.
  ///
  /// Complexity: O(log *output*). Planning asks for it for every tile.
  var tapCount: Int {
    // Edges only cut, so the count depends on where a kernel's center lies in an input pixel. With a : b as input to output in
    // lowest terms, the centers lie at the n / 2b whose n is odd where a is odd, and even where a is even.
    let divisor = greatestCommonDivisor(input, output)
    let (period, parity) = (output / divisor, input / divisor % 2)
    func uncut(_ k: Int) -> Range<Int> {
      uncutPixels(aroundPlace: divisor * (2 * k + parity), within: halfReach)
    }
    // Both ends of the pixels grow with k: they are the most at first, or where the upper end has just grown.
    var count = max(1, uncut(0).count)
    var k = 0
    while uncut(period - 1).upperBound > uncut(k).upperBound {
      let end = uncut(k).upperBound
      var unchanged = k
      var grown = period - 1
      while grown - unchanged > 1 {
        let middle = unchanged + (grown - unchanged) / 2
        if uncut(middle).upperBound > end { grown = middle } else { unchanged = middle }
      }
      k = grown
      count = max(count, uncut(k).count)
    }
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

/// The quotient, rounded down.
private func floor(_ a: Int, over b: Int) -> Int {
  let (quotient, rest) = a.quotientAndRemainder(dividingBy: b)
  return rest < 0 ? quotient - 1 : quotient
}

private func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
  b == 0 ? a : greatestCommonDivisor(b, a % b)
}

/// The weights of all new pixels in single precision, the same number for each: what the kernels read.
struct ResamplingTable: Sendable {
  let taps: Int
  let starts: [Int32]
  let weights: [Float]

  /// The bytes of a table, and of the exact weights of one output pixel while it is made.
  static func byteCount(_ resampling: Resampling) -> Int {
    let taps = resampling.tapCount
    let (weights, overflow) = resampling.output.multipliedReportingOverflow(by: 4 * taps)
    return overflow ? .max / 8 : min(weights + 4 * resampling.output + 32 * taps, .max / 8)
  }

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
    let starts = UnsafeMutableRawPointer(tile.scratchPointer(columns.count))
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
          scratch.scratchPointer(Self.scratchCount(inputCount)))
      }
    }
  }

  static func scratchCount(_ inputCount: Int) -> Int {
    Int(kernels.lanes) * (inputCount + Int(kernels.lanes))
  }
}
