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
    precondition(
      Double(halfReach) == 2 * kernel.reach, "\(kernel) does not end at a multiple of ½.")
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
    return (place - reach + output).dividedDown(
      by: 2 * output)..<(place + reach + output).dividedDown(by: 2 * output)
  }

  package func taps(of index: Int) -> (start: Int, weights: [Double]) {
    let span = span(of: index)
    let weights = span.map { weight(of: $0, in: index) }
    let sum = weights.reduce(0, +)
    if abs(sum) < 1e-12 {
      // Cut at an edge, a cubic's weights may cancel out: the nearest pixel stands for all.
      let middle = (2 * index + 1) * input / (2 * output)
      let nearest = min(max(middle, span.lowerBound), span.upperBound - 1)
      return (span.lowerBound, span.map { $0 == nearest ? 1 : 0 })
    }
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

  /// So many new pixels apart, kernels lie alike in the old pixels.
  var period: Int { output / greatestCommonDivisor(input, output) }

  /// Whether no edge cuts the kernel of a new pixel whose old ones begin at `start`.
  func isUncut(_ index: Int, from start: Int) -> Bool {
    let uncut = uncutPixels(around: index, within: halfReach)
    return uncut.lowerBound == start && uncut.upperBound <= input
  }

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

extension Resampling {
  var shape: AxisShape { AxisShape(taps: tapCount, input: input, output: output) }
}

extension AxisTaps {
  /// The most bytes that the weights of all new pixels take, and the exact ones of one while they are made.
  static func byteCount(_ resampling: Resampling) -> Int {
    let taps = resampling.tapCount
    let (weights, overflow) = resampling.output.multipliedReportingOverflow(by: 4 * taps)
    return overflow ? .max / 8 : min(weights + 12 * resampling.output + 32 * taps, .max / 8)
  }

  /// The weights of all new pixels, the same number for each. Pixels whose kernels lie alike share them, unless an edge cuts them.
  init(_ resampling: Resampling) {
    let shape = resampling.shape
    let period = resampling.period
    var places: [Place] = []
    var weights: [Float] = []
    // The rows of weights of kernels that are not cut.
    var uncut = [Int32?](repeating: nil, count: period < resampling.output ? period : 0)
    places.reserveCapacity(resampling.output)
    let cut = shape.outputs(touchedBy: 0)
    let rows = uncut.isEmpty ? resampling.output : min(period + cut, resampling.output)
    weights.reserveCapacity(rows * shape.taps)
    for index in 0..<resampling.output {
      let start = resampling.start(of: index, count: shape.taps)
      let isShared = !uncut.isEmpty && resampling.isUncut(index, from: start)
      if isShared, let row = uncut[index % period] {
        places.append(Place(start: Int32(start), row: row))
        continue
      }
      let exact = resampling.taps(of: index)
      let leading = exact.start - start
      var row = [Float](repeating: 0, count: shape.taps)
      for (i, weight) in exact.weights.enumerated() { row[leading + i] = Float(weight) }
      Self.normalize(&row)
      let place = Place(start: Int32(start), row: Int32(weights.count / shape.taps))
      if isShared { uncut[index % period] = place.row }
      places.append(place)
      weights += row
    }
    self.init(shape, places: places, weights: weights)
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
}
