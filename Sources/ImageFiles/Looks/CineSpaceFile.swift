internal import ColorSpaces
internal import FilterGraph

extension Look {
  /// Parses a cineSpace 3D LUT, with a piecewise linear curve for each channel before it.
  init(cineSpace text: LookText) throws(LookFileError) {
    guard text.lines.first?.words[0] == "CSPLUTV100", text.lines.count > 2 else {
      throw text.incomplete("it does not begin with CSPLUTV100")
    }
    let is3D = text.lines[1].words[0] == "3D"
    guard is3D || text.lines[1].words[0] == "1D" else {
      throw text.failure(text.lines[1], "1D or 3D should stand here")
    }
    var rest = text.lines.dropFirst(2)
    if rest.first?.words == ["BEGIN", "METADATA"] {
      rest = rest.drop { $0.words != ["END", "METADATA"] }.dropFirst()
    }
    func next() throws(LookFileError) -> LookText.Line {
      guard let line = rest.popFirst() else { throw text.incomplete("it ends too early") }
      return line
    }
    var curves: [Curve] = []
    var (lowest, highest) = (SIMD3<Double>.zero, SIMD3<Double>.one)
    for channel in 0..<3 {
      let count = try text.count(next(), in: Step.curveSizes)
      let inputs = try text.numbers(next(), count: count)
      let outputs = try text.numbers(next(), count: count)
      guard zip(inputs, inputs.dropFirst()).allSatisfy({ $1 - $0 >= 1e-9 }) else {
        throw text.incomplete("the inputs of a curve do not rise")
      }
      (lowest[channel], highest[channel]) = (inputs[0], inputs[count - 1])
      curves.append(.sampled(sampled(inputs, outputs)))
    }
    let sizes = try next()
    var rows: [SIMD3<Double>] = []
    let size = try text.count(sizes, in: is3D ? ColorTable.sizes : Step.curveSizes)
    for line in rest { rows.append(try text.vector(line)) }
    let expected = is3D ? size * size * size : size
    guard rows.count == expected else {
      throw text.incomplete("\(expected) rows of numbers should follow; there are \(rows.count)")
    }
    guard is3D ? sizes.words.count == 3 && sizes.words.allSatisfy({ Int($0) == size }) : true else {
      throw .unsupported(file: text.file, reason: "its sides are of different sizes")
    }
    self.init(steps: [
      .spreading(lowest, highest), .curves(curves[0], curves[1], curves[2]),
      is3D ? .table(try ColorTable(size: size, rows: rows, file: text.file)) : .curves(rows),
    ])
  }
}

/// Samples a piecewise linear curve over 0…1: its points themselves where they are evenly spaced, else 65,536 values.
private func sampled(_ inputs: [Double], _ outputs: [Double]) -> SampledCurve {
  let (first, width) = (inputs[0], inputs[inputs.count - 1] - inputs[0])
  let isEven = inputs.indices.allSatisfy {
    abs((inputs[$0] - first) / width - Double($0) / Double(inputs.count - 1)) < 1e-6
  }
  if isEven { return SampledCurve(outputs.map { Float($0) }) }
  let count = 65_536
  var piece = 0
  return SampledCurve(
    (0..<count).map { step in
      let x = first + width * Double(step) / Double(count - 1)
      while piece < inputs.count - 2, inputs[piece + 1] < x { piece += 1 }
      let part = (x - inputs[piece]) / (inputs[piece + 1] - inputs[piece])
      return Float(outputs[piece] + (outputs[piece + 1] - outputs[piece]) * part)
    })
}
