extension ChannelProgram {
  /// The same for at most three of the outputs, and zeros after them up to three: a program that point programs can have as a stage.
  package func outputs(_ range: Range<Int>) -> ChannelProgram {
    precondition(
      range.count <= 3 && range.upperBound <= outputCount,
      "Up to three of \(outputCount) outputs become a program of their own; got \(range).")
    let missing = 3 - range.count
    var stages = stages
    // What mixes channels computes the chosen ones alone; curves after it act on those.
    search: for index in stages.indices.reversed() {
      switch stages[index] {
      case .curves(let curves):
        stages[index] = .curves(
          Array(curves[range]) + [ChannelCurve](repeating: .identity, count: missing))
      case .mix(let matrix):
        let none = [Double](repeating: 0, count: matrix.rows[0].count)
        stages[index] = .mix(
          ChannelMatrix(
            rows: Array(matrix.rows[range]) + [[Double]](repeating: none, count: missing),
            offset: Array(matrix.offset[range]) + [Double](repeating: 0, count: missing)))
        break search
      case .lattice(let lattice):
        stages[index] = .lattice(lattice.outputs(range, missing: missing))
        break search
      case .colors: break search
      }
    }
    return ChannelProgram(stages, inputCount: inputCount, outputCount: 3)
  }
}

extension Lattice {
  /// The same grid with some of the outputs, and zeros after them.
  fileprivate func outputs(_ range: Range<Int>, missing: Int) -> Lattice {
    var kept: [UInt16] = []
    kept.reserveCapacity(values.count / outputCount * (range.count + missing))
    for start in stride(from: 0, to: values.count, by: outputCount) {
      kept += values[start + range.lowerBound..<start + range.upperBound]
      for _ in 0..<missing { kept.append(0) }
    }
    return Lattice(
      gridCounts: gridCounts, outputCount: range.count + missing, values: kept,
      isTetrahedral: isTetrahedral)
  }
}
