import CPixelKernels
import Testing
import _TestSupport

/// Lattices of any number of inputs and outputs, channel matrices, and inverse tables, bit for bit.
@Suite struct TableTests {
  /// Runs pixels of four channels through a program and compares them with the expected ones.
  private func check(
    _ kernels: Kernels, _ program: Program, _ expected: ([Float]) -> [Float]
  ) {
    let count = 531
    let (source, target) = (Row(.f32, .rgba, count), Row(.f32, .rgba, count))
    source.fill(mixed(4 * count, seed: 8))
    let values = source.floats
    kernels.run(program, from: source, to: target)
    let result = stride(from: 0, to: 4 * count, by: 4).flatMap { i in
      expected(Array(values[i..<i + 4]))
    }
    #expect(bits(target.floats) == bits(result))
  }

  @Test(arguments: Kernels.available)
  func latticesEqualTheReference(_ kernels: Kernels) {
    for sizes in [[2, 2, 2], [17, 17, 17], [3, 5, 4], [4, 3, 2, 5], [7], [3, 4]] {
      for (tetrahedral, floats) in [(true, true), (true, false), (false, true), (false, false)]
      where !tetrahedral || sizes.count >= 3 {
        for outputs in 1...4 {
          for isFirstFastest in [false, true] {
            let program = Program()
            let lattice = someLattice(
              sizes, outputs: outputs, tetrahedral: tetrahedral, floats: floats,
              isFirstFastest: isFirstFastest, in: program)
            check(kernels, program.add(CPK_LATTICE, [lattice])) { pixel in
              Reference.lattice(lattice, pixel) + pixel[outputs...]
            }
          }
        }
      }
    }
  }

  @Test(arguments: Kernels.available)
  func manyChannelsEqualTheReference(_ kernels: Kernels) {
    for (inputs, outputs, tetrahedral) in [
      (5, 3, true), (6, 6, true), (6, 15, false), (9, 5, true), (15, 4, true),
    ] {
      let program = Program()
      let more = Int(CPK_CHANNELS)
      let spread = someMix(4, from: 0, inputs, to: more, in: program)
      let lattice = someLattice(
        [3] + [Int](repeating: 2, count: inputs - 1), from: Array(more..<more + inputs),
        outputs: outputs, to: more, tetrahedral: tetrahedral, floats: false, in: program)
      let gather = someMix(outputs, from: more, 4, to: 0, in: program)
      program.add(CPK_MIX, [spread]).add(CPK_LATTICE, [lattice]).add(CPK_MIX, [gather])
      check(kernels, program) { pixel in
        let channels = Reference.mix(spread, pixel)
        let result = Reference.lattice(lattice, pixel + channels)
        return Reference.mix(gather, pixel + result)
      }
    }
  }

  @Test(arguments: Kernels.available)
  func inverseTablesEqualTheReference(_ kernels: Kernels) {
    for values: [Float] in [
      [0, 65_535], [0, 0, 7, 7, 7, 300, 40_000, 65_535, 65_535], [12, 13, 14],
      (0..<4096).map { Float($0 * $0 / 256) },
    ] {
      let program = Program()
      let kept = UnsafePointer(program.keep(values))
      let inverses = [false, true, false, true].map {
        cpk_inverse(values: kept, count: Int32(values.count), falling: $0)
      }
      check(kernels, program.add(CPK_INVERSE, inverses)) { pixel in
        zip(inverses, pixel).map { Reference.inverse(values, falling: $0.falling, $1) }
      }
    }
  }
}
