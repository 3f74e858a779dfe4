internal import CPixelKernels
internal import ColorSpaces

// The tables of looks and of ICC profiles as the kernels' lattices.

extension LoweredProgram {
  /// A look's table. Red varies fastest along its entries, so it is the last input.
  func lattice(_ table: ColorTable) -> cpk_lattice {
    var lattice = cpk_lattice(
      sizes: [table.size, table.size, table.size], from: [2, 1, 0], outputs: 3, to: 0)
    lattice.are_floats = true
    lattice.tetrahedral = table.interpolation == .tetrahedral
    let entries = table.entries
    let points = store(count: entries.count / 3) { point in
      SIMD4(entries[3 * point], entries[3 * point + 1], entries[3 * point + 2], 0)
    }
    lattice.points = UnsafeRawPointer(points)
    let scale = Double(table.size - 1) / (table.highest - table.lowest)
    let offset = -table.lowest * scale
    fill(&lattice.scale, [2, 1, 0].map { Float(scale[$0]) } + unused(3))
    fill(&lattice.offset, [2, 1, 0].map { Float(offset[$0]) } + unused(3))
    return lattice
  }

  /// A profile's table, from the planes `from` on to those from `to` on.
  private func lattice(_ table: Lattice, from: Int, to: Int) -> cpk_lattice {
    let inputs = table.gridCounts.count
    // Between two tetrahedra along the first input, kernels load the points of both together.
    let hasPairs = table.isTetrahedral && inputs == 4
    var lattice = cpk_lattice(
      sizes: table.gridCounts, from: Array(from..<from + inputs), outputs: table.outputCount,
      to: to, isFirstFastest: hasPairs)
    lattice.tetrahedral = table.isTetrahedral
    lattice.unit = 1 / 65_535
    let outputs = table.outputCount
    let count = table.values.count / outputs
    let (length, rest) = hasPairs ? (table.gridCounts[0], count / table.gridCounts[0]) : (1, count)
    // Four values each; more outputs are in tables of their own.
    let points = store(count: (outputs + 3) / 4 * count) { position in
      let (first, index) = (position / count * 4, position % count)
      let point = index % length * rest + index / length
      var values = SIMD4<UInt16>.zero
      for channel in first..<min(first + 4, outputs) {
        values[channel - first] = table.values[point * outputs + channel]
      }
      return values
    }
    lattice.points = UnsafeRawPointer(points)
    fill(&lattice.scale, table.gridCounts.map { Float($0 - 1) } + unused(inputs))
    return lattice
  }

  /// Adds the tables of a profile. Three or four channels come from the color planes, and the last result goes there; channels between two tables have
  /// planes of their own, so that alpha is preserved.
  func add(tables program: ChannelProgram) {
    var (first, count) = (Self.firstPlane(ofChannels: program.inputCount), program.inputCount)
    for (index, stage) in program.stages.enumerated() {
      let isLast = index == program.stages.count - 1
      func place(_ outputs: Int) -> Int { isLast || outputs == 3 ? 0 : Int(CPK_CHANNELS) }
      switch stage {
      case .curves(let curves):
        // Grids hold their inputs in 0…1, and their outputs lie there.
        let isBesideGrid =
          index > 0 && program.stages[index - 1].isLattice
          || !isLast && program.stages[index + 1].isLattice
        add(isBesideGrid ? curves.map(\.withinRange) : curves, first: first)
      case .mix(let matrix):
        let outputs = matrix.offset.count
        var rows: [Double] = []
        for (row, offset) in zip(matrix.rows, matrix.offset) { rows += row + [offset] }
        let to = place(outputs)
        add(
          CPK_MIX,
          cpk_mix(
            rows: store(rows.map { Float($0) }), inputs: UInt8(count), outputs: UInt8(outputs),
            from: UInt8(first), to: UInt8(to)))
        (first, count) = (to, outputs)
      case .lattice(let table):
        let to = place(table.outputCount)
        add(CPK_LATTICE, lattice(table, from: first, to: to))
        (first, count) = (to, table.outputCount)
      case .colors(let program): add(program)
      }
    }
    if program.inputCount == 4, program.outputCount == 3 { add(CPK_OPAQUE) }
  }

  /// The plane of the first of so many channels before a table: that of red, where they are those of a picture.
  static func firstPlane(ofChannels count: Int) -> Int {
    count == 3 || count == 4 ? 0 : Int(CPK_CHANNELS)
  }

  private func add(_ curves: [ChannelCurve], first: Int) {
    if curves.allSatisfy({ $0 == .identity }) {
      return
    } else if curves.allSatisfy(\.isInverse) {
      add(CPK_INVERSE, curves.map(kernelInverse), first: first)
    } else if let curves = all(curves.map(\.curve)) {
      add(curves: curves, first: first)
    } else {
      for channel in curves.indices { add([curves[channel]], first: first + channel) }
    }
  }

  /// The inverse of a table; none for the identity.
  private func kernelInverse(_ curve: ChannelCurve) -> cpk_inverse {
    guard case .tableInverse(let inverse) = curve else { return cpk_inverse() }
    return cpk_inverse(
      values: store(inverse.least.map { Float($0) }), count: Int32(inverse.least.count),
      falling: inverse.isFalling)
  }
}

/// Zeros for the inputs that a lattice with so many does not have.
private func unused(_ inputs: Int) -> [Float] {
  [Float](repeating: 0, count: Int(CPK_LATTICE_INPUTS) - inputs)
}

extension cpk_lattice {
  /// A lattice over inputs from some planes, whose last one varies fastest, or the first one and then the last one.
  fileprivate init(
    sizes counts: [Int], from planes: [Int], outputs: Int, to: Int, isFirstFastest: Bool = false
  ) {
    self.init()
    (inputs, self.outputs) = (UInt8(counts.count), UInt8(outputs))
    (self.to, unit) = (UInt8(to), 1)
    var steps = [Int32](repeating: 1, count: counts.count)
    count = 1
    for index in isFirstFastest ? [0] + (1..<counts.count).reversed() : counts.indices.reversed() {
      steps[index] = count
      count *= Int32(counts[index])
    }
    for (input, plane) in planes.enumerated() {
      withUnsafeMutableBytes(of: &from) { $0[input] = UInt8(plane) }
      withUnsafeMutableBytes(of: &sizes) { bytes in
        bytes.storeBytes(of: Int32(counts[input]), toByteOffset: 4 * input, as: Int32.self)
      }
      withUnsafeMutableBytes(of: &self.steps) { bytes in
        bytes.storeBytes(of: steps[input], toByteOffset: 4 * input, as: Int32.self)
      }
    }
  }
}

extension ChannelStage {
  fileprivate var isLattice: Bool { if case .lattice = self { true } else { false } }
}

extension ChannelCurve {
  /// Whether it is the inverse of a table, or leaves a channel alone.
  fileprivate var isInverse: Bool {
    switch self {
    case .identity, .tableInverse: true
    default: false
    }
  }

  /// The same from 0 to 1.
  fileprivate var withinRange: ChannelCurve {
    if case .table(let table) = self, table.isIdentity { .identity } else { self }
  }

  /// The same as a curve of color spaces; nil for the inverse of a table.
  fileprivate var curve: Curve? {
    switch self {
    case .identity: .identity
    case .table(let table):
      .sampled(SampledCurve(table.values.map { Float($0) / 65_535 }, belowZero: .continued))
    case .parametric(let curve): curve.curve ?? function
    case .parametricInverse(let curve): curve.inverseCurve ?? function
    case .tableInverse: nil
    }
  }

  private var function: Curve { .function(FunctionCurve("\(self)") { self($0) }) }
}

extension ParametricCurve {
  /// The formula where it is a line up to a power that rises.
  fileprivate var curve: Curve? {
    guard a > 0, d >= -b / a || (c == 0 && f == e) else { return nil }
    return .power(
      PowerCurve(
        scale: power(a, g), shift: b / a, exponent: g, offset: e, slope: c, intercept: f,
        threshold: max(d, -b / a), belowZero: .continued))
  }

  /// The inverse of such a formula.
  fileprivate var inverseCurve: Curve? {
    guard a > 0, join >= e || c == 0 else { return nil }
    return .power(
      PowerCurve(
        scale: 1 / a, shift: -e, exponent: 1 / g, offset: -b / a, slope: c == 0 ? 0 : 1 / c,
        intercept: c == 0 ? foot ?? 0 : -f / c, threshold: max(join, e), belowZero: .continued))
  }
}
