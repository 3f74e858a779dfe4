internal import ColorSpaces
internal import FilterGraph

extension Look {
  /// Parses a cineSpace 3D LUT, with a piecewise linear curve for each channel before it.
  init(cineSpace text: LookText) throws(LookFileError) {
    var text = text
    guard let first = try text.next(), first.keyword == "CSPLUTV100" else {
      throw text.incomplete("it does not begin with CSPLUTV100")
    }
    let kind = try text.required()
    let is3D = kind.keyword == "3D"
    guard is3D || kind.keyword == "1D" else {
      throw text.failure(kind, "1D or 3D should stand here")
    }
    var line = try text.required()
    if line.words == ["BEGIN", "METADATA"] {
      repeat { line = try text.required() } while line.words != ["END", "METADATA"]
      line = try text.required()
    }
    var curves: [Curve] = []
    var (lowest, highest) = (SIMD3<Double>.zero, SIMD3<Double>.one)
    for channel in 0..<3 {
      let count = try text.count(line, in: lineSizes)
      let inputs = try text.numbers(text.required(), count: count)
      let outputs = try text.numbers(text.required(), count: count)
      guard zip(inputs, inputs.dropFirst()).allSatisfy({ $1 - $0 >= 1e-9 }) else {
        throw text.incomplete("the inputs of a curve do not rise")
      }
      (lowest[channel], highest[channel]) = (inputs[0], inputs[count - 1])
      curves.append(.sampled(.through(inputs, outputs)))
      line = try text.required()
    }
    let size = try is3D ? text.gridSize(line) : text.count(line, in: Step.curveSizes)
    var rows = try text.rows(upTo: is3D ? size * size * size : size)
    while let line = try text.next() { try rows.append(text.vector(line)) }
    try rows.checkComplete()
    self.init(steps: [
      .spreading(lowest, highest), .curves(curves[0], curves[1], curves[2]),
      is3D
        ? .table(try ColorTable(size: size, values: rows.values, file: text.file))
        : .curves(rows.values),
    ])
  }
}

/// How many values a curve before the table may have: they stand in one line.
private let lineSizes = 2...65_536

extension SampledCurve {
  /// Samples a piecewise linear curve over 0…1: its points themselves where they are evenly spaced, else 65,536 values.
  static func through(_ inputs: [Double], _ outputs: [Double]) -> SampledCurve {
    let (first, width) = (inputs[0], inputs[inputs.count - 1] - inputs[0])
    let isEven = inputs.indices.allSatisfy {
      abs((inputs[$0] - first) / width - Double($0) / Double(inputs.count - 1)) < 1e-6
    }
    if isEven { return SampledCurve(outputs.map { Float($0) }) }
    let count = lineSizes.upperBound
    var piece = 0
    return SampledCurve(
      (0..<count).map { step in
        let x = first + width * Double(step) / Double(count - 1)
        while piece < inputs.count - 2, inputs[piece + 1] < x { piece += 1 }
        let part = (x - inputs[piece]) / (inputs[piece + 1] - inputs[piece])
        return Float(outputs[piece] + (outputs[piece + 1] - outputs[piece]) * part)
      })
  }
}
