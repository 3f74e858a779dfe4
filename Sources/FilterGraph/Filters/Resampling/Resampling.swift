/// One direction of a resize: which pixels make a new one, and how much of each.
///
/// The pixels under a kernel are found in whole numbers: where a pixel's middle lies exactly between two boxes, rounding would
/// leave it out of both or count it in both.
package struct Resampling {
  let input, output: Int
  private let kernel: ResamplingKernel
  /// The edge, where the picture covers its first or last pixel in part only.
  private let edge: ReducedLength?
  /// The step between new pixels is `length / parts` old ones. Places are in units of 1 / (2 · parts) of an old pixel.
  private let length, parts: Int
  /// Where the picture begins, as a place.
  private let origin: Int
  /// How many old pixels the kernel's unit spans, as a fraction over `parts`.
  private let unit: Int
  /// How far the kernel reaches to each side, in half units: all kernels end at multiples of ½.
  private let halfReach: Int

  /// Creates a direction in which `input` pixels become `output`. Where `covered` has as many pixels, the output shows what it covers.
  package init(
    from input: Int, to output: Int, by kernel: ResamplingKernel,
    covering covered: ReducedLength? = nil
  ) {
    (self.input, self.output, self.kernel) = (input, output, kernel)
    let edge = covered?.pixels == input ? covered : nil
    let reduction = edge?.reduction ?? 1
    (self.edge, length, parts) = (edge, edge?.whole ?? input, output * reduction)
    origin = edge?.startsInside == true ? 2 * output * (input * reduction - length) : 0
    unit = kernel.shape == .nearest ? parts : max(length, parts)
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
    uncutPixels(aroundPlace: middlePlace(of: index), within: halfUnits)
  }

  /// The place of the middle of a new pixel.
  private func middlePlace(of index: Int) -> Int { (2 * index + 1) * length + origin }

  /// The same around a place.
  private func uncutPixels(aroundPlace place: Int, within halfUnits: Int) -> Range<Int> {
    let reach = halfUnits * unit
    return (place - reach + parts).dividedDown(
      by: 2 * parts)..<(place + reach + parts).dividedDown(by: 2 * parts)
  }

  package func taps(of index: Int) -> (start: Int, weights: [Double]) {
    let span = span(of: index)
    let weights = span.map { weight(of: $0, in: index) }
    let sum = weights.reduce(0, +)
    if abs(sum) < 1e-12 {
      // Cut at an edge, a cubic's weights may cancel out: the nearest pixel stands for all.
      let middle = middlePlace(of: index) / (2 * parts)
      let nearest = min(max(middle, span.lowerBound), span.upperBound - 1)
      return (span.lowerBound, span.map { $0 == nearest ? 1 : 0 })
    }
    return (span.lowerBound, weights.map { $0 / sum })
  }

  /// The weight of an old pixel of the span. A box weighs all its pixels alike, and the one at the edge by its covered part.
  private func weight(of pixel: Int, in index: Int) -> Double {
    guard let edge, pixel == edge.edgeIndex else {
      return weight(ofPlace: 0.5, in: pixel, in: index)
    }
    let middle = edge.startsInside ? 1 - edge.edge / 2 : edge.edge / 2
    return edge.edge * weight(ofPlace: middle, in: pixel, in: index)
  }

  /// The kernel's value at a place within an old pixel.
  private func weight(ofPlace place: Double, in pixel: Int, in index: Int) -> Double {
    if kernel.isFlat { return 1 }
    // The part of a pixel comes from whole numbers, so that places that repeat repeat exactly.
    let (whole, rest) = middlePlace(of: index).quotientAndRemainder(dividingBy: 2 * parts)
    let part = Double(rest) / Double(2 * parts)
    return kernel((Double(pixel - whole) + place - part) / (Double(unit) / Double(parts)))
  }

  /// The most input pixels that any output pixel needs.
  ///
  /// Complexity: O(log *output*). Planning asks for it for every tile.
  package var tapCount: Int {
    // Edges only cut, so the count depends on where a kernel's center lies in an input pixel. With a : b as length to parts in
    // lowest terms, the centers lie at the n / 2b whose n is odd where a is odd, and even where a is even; all moved where the picture
    // begins within a pixel. A reduced picture has fewer centers than that, and its count may be more than it needs.
    let divisor = greatestCommonDivisor(length, parts)
    let (period, parity) = (parts / divisor, length / divisor % 2)
    let shift = origin % (2 * divisor)
    func uncut(_ k: Int) -> Range<Int> {
      uncutPixels(aroundPlace: divisor * (2 * k + parity) + shift, within: halfReach)
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
  var period: Int { parts / greatestCommonDivisor(length, parts) }

  /// Whether no edge, nor a pixel that is covered in part, cuts the kernel of a new pixel whose old ones begin at `start`.
  func isUncut(_ index: Int, from start: Int) -> Bool {
    let uncut = uncutPixels(around: index, within: halfReach)
    let isWhole = edge.map { !uncut.contains($0.edgeIndex) } ?? true
    return uncut.lowerBound == start && uncut.upperBound <= input && isWhole
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
  var shape: AxisShape { AxisShape(taps: tapCount, input: length, output: parts) }
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
