import ColorSpaces
import Testing
import _TestSupport

/// Programs of ICC profiles: lookup tables and matrices between any numbers of channels.
@Suite struct ChannelProgramTests {
  /// A lattice whose outputs are sums of the inputs, by weights of each output that sum up to at most 1.
  private func linear(_ grids: [Int], _ weights: [[Double]], isTetrahedral: Bool) -> Lattice {
    var values: [UInt16] = []
    for index in 0..<grids.reduce(1, *) {
      var (rest, place) = (index, [Double](repeating: 0, count: grids.count))
      for input in grids.indices.reversed() {
        place[input] = Double(rest % grids[input]) / Double(grids[input] - 1)
        rest /= grids[input]
      }
      for row in weights {
        values.append(UInt16((65_535 * zip(row, place).map(*).reduce(0, +)).rounded()))
      }
    }
    return Lattice(
      gridCounts: grids, outputCount: weights.count, values: values, isTetrahedral: isTetrahedral)
  }

  private func program(_ lattice: Lattice) -> ChannelProgram {
    ChannelProgram(
      [.lattice(lattice)], inputCount: lattice.gridCounts.count, outputCount: lattice.outputCount)
  }

  // MARK: Lookup tables

  /// Linear functions are interpolated exactly, but for the rounding of the entries to 16 bits.
  @Test(
    arguments: [[5], [3, 6], [6, 6, 6], [2, 3, 4], [3, 4, 2, 5], [2, 2, 3, 2, 2]], [true, false])
  func linearFunctionsAreInterpolatedExactly(grids: [Int], isTetrahedral: Bool) {
    let share = 1 / Double(grids.count)
    let weights = [
      grids.map { _ in share }, grids.indices.map { $0 == 0 ? 0.5 : 0 },
      grids.indices.map { $0 == grids.count - 1 ? 1 : 0 },
    ]
    let program = program(linear(grids, weights, isTetrahedral: isTetrahedral))
    var random = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      let color = grids.map { _ in Double.random(in: 0...1, using: &random) }
      for (found, row) in zip(program(color), weights) {
        let expected = zip(row, color).map(*).reduce(0, +)
        #expect(abs(found - expected) <= 0.5 / 65_535 + 1e-15, "\(color)")
      }
    }
  }

  @Test(arguments: [true, false]) func gridPointsAreExact(isTetrahedral: Bool) {
    var random = SeededGenerator(seed: 9)
    let values = (0..<3 * 4 * 5 * 2).map { _ in UInt16.random(in: .min ... .max, using: &random) }
    let program = program(
      Lattice(gridCounts: [3, 4, 5], outputCount: 2, values: values, isTetrahedral: isTetrahedral))
    for index in 0..<60 {
      let place = [Double(index / 20) / 2, Double(index / 5 % 4) / 3, Double(index % 5) / 4]
      for (channel, found) in program(place).enumerated() {
        #expect(abs(found - Double(values[2 * index + channel]) / 65_535) <= 1e-15, "\(place)")
      }
    }
  }

  /// In a cell with a single corner that is not zero, the highest one, a tetrahedron has the least fraction and a cube the product.
  @Test func interpolationsDiffer() {
    let values: [UInt16] = [0, 0, 0, 0, 0, 0, 0, 65_535]
    for (isTetrahedral, expected) in [(true, 0.25), (false, 0.25 * 0.5 * 0.75)] {
      let program = program(
        Lattice(
          gridCounts: [2, 2, 2], outputCount: 1, values: values, isTetrahedral: isTetrahedral))
      for color in [[0.25, 0.5, 0.75], [0.75, 0.5, 0.25], [0.5, 0.75, 0.25]] {
        #expect(abs(program(color)[0] - expected) <= 1e-16)
      }
    }
  }

  @Test func inputsOutsideTakeTheEdge() {
    let program = program(linear([4, 4, 4], [[0.25, 0.25, 0.5]], isTetrahedral: true))
    #expect(program([-1, 2, .infinity]) == program([0, 1, 1]))
    #expect(program([0.5, .nan, 0.5])[0].isNaN)
  }

  @Test func sizesHaveALimit() {
    #expect(Lattice.valueCount(gridCounts: [2, 3, 4], outputCount: 5) == 120)
    #expect(
      Lattice.valueCount(gridCounts: [100, 100, 100], outputCount: 10) == Lattice.largestCount)
    #expect(Lattice.valueCount(gridCounts: [100, 100, 101], outputCount: 10) == nil)
    let largest = [Int](repeating: 255, count: 15)
    #expect(Lattice.valueCount(gridCounts: largest, outputCount: 15) == nil)
  }

  @Test func shapesAreNamed() {
    let even = linear([2, 2, 2], [[1, 0, 0]], isTetrahedral: true)
    let odd = linear([2, 3, 2, 2], [[1, 0, 0, 0]], isTetrahedral: true)
    #expect("\(program(even))" == "table of 2^3 colors")
    #expect("\(program(odd))" == "table of 2×3×2×2 colors")
    let curves = ChannelProgram(
      [.curves([.identity, .identity])], inputCount: 2, outputCount: 2)
    #expect("\(curves)" == "curves of 2 channels")
  }

  // MARK: Stages

  @Test func productsApplyTheRightMatrixFirst() {
    let first = ChannelMatrix(rows: [[1, 2], [0, 1], [3, 0]], offset: [0.5, 0, -1])
    let second = ChannelMatrix(rows: [[2, 1, 0]], offset: [0.25])
    #expect(second * first == ChannelMatrix(rows: [[2, 5]], offset: [1.25]))
    #expect(ChannelMatrix(scale: [1, 1], offset: [0, 0]).isIdentity)
    #expect(!ChannelMatrix(scale: [1, 1], offset: [0, 0.1]).isIdentity)
    #expect(!first.isIdentity)
  }

  @Test func adjacentMatricesMergeAndIdentitiesVanish() {
    let half = ChannelMatrix(scale: [0.5, 0.5], offset: [0, 0])
    let double = ChannelMatrix(scale: [2, 2], offset: [0, 0])
    let square = ChannelCurve.parametric(ParametricCurve(exponent: 2))
    var stages: [ChannelStage] = []
    stages.add([.curves([.identity, .identity]), .mix(half), .mix(double)])
    #expect(stages.isEmpty)
    stages.add([.mix(half), .mix(half), .curves([square, .identity]), .mix(double)])
    #expect(stages.count == 3)
    #expect(stages([1, 1], outputCount: 2) == [0.125, 0.5])
  }

  /// Some of the outputs, and zeros after them.
  @Test func outputsArePartsOfTheProgram() {
    let weights = [[0.5, 0, 0], [0, 0.25, 0.5], [0.25, 0.25, 0.25], [0, 0, 1], [1, 0, 0]]
    let square = ChannelCurve.parametric(ParametricCurve(exponent: 2))
    let whole = ChannelProgram(
      [
        .lattice(linear([3, 3, 3], weights, isTetrahedral: true)),
        .curves([.identity, square, .identity, square, .identity]),
      ], inputCount: 3, outputCount: 5)
    let color = [0.3, 0.9, 0.6]
    let all = whole(color)
    for range in [0..<3, 2..<5, 3..<5, 1..<2] {
      let found = whole.outputs(range)(color)
      #expect(found == Array(all[range]) + [Double](repeating: 0, count: 3 - range.count))
    }
  }

  /// The stages of a point program are those of the program.
  @Test func pointProgramsAreTheSame() throws {
    let square = ChannelCurve.parametric(ParametricCurve(exponent: 2))
    let weights = [[0.5, 0.25, 0], [0, 0.25, 0.5], [0.25, 0.25, 0.25]]
    let program = ChannelProgram(
      [
        .mix(ChannelMatrix(scale: [0.5, 1, 0.75], offset: [0.1, 0, 0.2])),
        .curves([square, .identity, square]),
        .lattice(linear([4, 3, 5], weights, isTetrahedral: true)),
        .colors(PointProgram([.decode(.sRGB)])),
      ], inputCount: 3, outputCount: 3)
    let point = program.pointProgram
    #expect(point.stages.count == 3)
    checkProperty(
      "stages", .double(in: 0...1), .double(in: 0...1), .double(in: 0...1)
    ) { red, green, blue in
      let (found, expected) = (point([red, green, blue]), SIMD3(program([red, green, blue])))
      return (found - expected).largest <= 1e-15
    }
  }
}
