internal import CPixelKernels

/// How many input pixels make an output pixel along one axis, and how far apart neighbors begin: all that planning needs.
struct AxisShape: Sendable {
  let taps: Int
  /// `output` neighbors of the output begin `input` pixels apart.
  let input, output: Int

  /// Whether neighbors of the output begin as far apart as those of the input.
  var isConvolution: Bool { input == output }

  /// The most input pixels that `count` neighbors are made of.
  func span(_ count: Int) -> Int {
    let (distance, overflow) = (count - 1).multipliedReportingOverflow(by: input)
    return overflow ? .max >> 8 : taps + distance / output + (distance % output == 0 ? 0 : 1)
  }

  /// The most output pixels that `count` neighbors of the input are a part of.
  ///
  /// Where kernels are cut at an edge, all those that reach over it begin or end there: half a kernel more at each of both edges.
  func outputs(touchedBy count: Int) -> Int {
    let (distance, overflow) = (count + 2 * taps).multipliedReportingOverflow(by: output)
    return overflow || input == 0 ? .max >> 8 : distance / input + 2
  }
}

/// The weights along one axis: which input pixels each output pixel is the weighted sum of.
///
/// They depend on the place in the picture alone, so that tiles agree.
struct AxisTaps: Sendable {
  let shape: AxisShape
  /// Rows of as many weights as there are taps.
  private let weights: [Float]
  /// The input and the weights of each output pixel; nil where both follow from the shape.
  private let table: [Place]?
  /// Where the input of the output pixel 0 begins, times the shape's output.
  private let shift: Int
  /// Whether inputs of the same weight are added before they are multiplied: in convolutions by symmetric weights.
  private let isSymmetric: Bool

  /// Where the input of an output pixel begins, and which row of weights it has.
  struct Place {
    let start, row: Int32
  }

  /// Output pixel i is made of the pixels from `places[i]` on. Kernels mix pixels that share a row of weights faster.
  init(_ shape: AxisShape, places: [Place], weights: [Float]) {
    (self.shape, self.weights, table, shift) = (shape, weights, places, 0)
    isSymmetric = false
  }

  /// Output pixel i is made of the pixels from ⌊(i · input + shift) / output⌋ on. The weights repeat after as many pixels as the shape's
  /// output.
  init(_ shape: AxisShape, shift: Int, weights: [Float]) {
    (self.shape, self.weights, table, self.shift) = (shape, weights, nil, shift)
    isSymmetric = false
  }

  /// Output pixel i is made of the pixels around it, by weights that are the same before it and after it: those up to the middle one.
  init(symmetric weights: [Float]) {
    self.weights = weights + weights.dropLast().reversed()
    shape = AxisShape(taps: self.weights.count, input: 1, output: 1)
    (table, shift, isSymmetric) = (nil, -(weights.count - 1), true)
  }

  /// The largest sum of absolute weights that an output pixel has.
  var largestSum: Double {
    stride(from: 0, to: weights.count, by: max(1, shape.taps)).reduce(0) { largest, start in
      max(
        largest,
        weights[start..<min(start + shape.taps, weights.count)].reduce(0) {
          $0 + Double(abs($1))
        })
    }
  }

  /// Where the input of an output pixel begins.
  func start(of index: Int) -> Int {
    if let table { return Int(table[index].start) }
    return (index * shape.input + shift).dividedDown(by: shape.output)
  }

  /// The input pixels of some output pixels.
  func input(of range: Range<Int>) -> Range<Int> {
    start(of: range.lowerBound)..<start(of: range.upperBound - 1) + shape.taps
  }

  /// Lists some output pixels as the kernels read them, with their input counted from `origin`.
  func list(
    _ range: Range<Int>, from origin: Int, starts: UnsafeMutablePointer<Int32>,
    offsets: UnsafeMutablePointer<Int32>
  ) {
    let firstOffset = weightOffset(of: range.lowerBound)
    for (place, index) in range.enumerated() {
      starts[place] = Int32(start(of: index) - origin)
      offsets[place] = Int32(weightOffset(of: index) - firstOffset)
    }
  }

  /// Which of all weights is the first one of an output pixel.
  func weightOffset(of index: Int) -> Int {
    let row =
      table.map { Int($0[index].row) } ?? index - index.dividedDown(by: shape.output) * shape.output
    return row * shape.taps
  }

  /// Calls `body` with all weights.
  func withWeights(_ body: (UnsafePointer<Float>) -> Void) {
    weights.withUnsafeBufferPointer { weights in weights.baseAddress.map(body) }
  }

  /// Calls `body` with the output pixels that were listed from `first` on.
  func withTaps(
    from first: Int, starts: UnsafePointer<Int32>, offsets: UnsafePointer<Int32>,
    _ body: (UnsafePointer<cpk_taps>) -> Void
  ) {
    weights.withUnsafeBufferPointer { weights in
      guard let base = weights.baseAddress else { return }
      var taps = cpk_taps(
        starts: starts, offsets: offsets,
        weights: base + weightOffset(of: first), count: shape.taps, is_symmetric: isSymmetric)
      body(&taps)
    }
  }
}

extension AxisTaps {
  /// Weights in single precision that sum to 1 in the kernels' order, so that flat areas of 1 stay 1.
  static func normalized(_ weights: [Double]) -> [Float] {
    let sum = weights.reduce(0, +)
    var rounded = weights.map { Float($0 / sum) }
    guard let largest = rounded.indices.max(by: { rounded[$0] < rounded[$1] }) else { return [] }
    for index in largest..<rounded.count {
      let sum = rounded.reduce(Float(0), +)
      if sum == 1 { break }
      rounded[index] += 1 - sum
    }
    return rounded
  }

  /// The same of symmetric weights: those up to the middle one, which makes up for what rounding took from the others.
  static func normalizedHalf(_ weights: [Double]) -> [Float] {
    guard let middle = weights.last else { return [] }
    let sum = 2 * weights.dropLast().reduce(0, +) + middle
    let others = weights.dropLast().map { Float($0 / sum) }
    return others + [1 - others.reduce(0) { $0 + 2 * $1 }]
  }
}
