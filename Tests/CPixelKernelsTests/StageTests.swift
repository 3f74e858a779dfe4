import CPixelKernels
import Testing

/// Each stage against the formulas of the header.
@Suite struct StageTests {
  @Test(arguments: Kernels.available)
  func affineRoundsOnce(_ kernels: Kernels) {
    // Sums and products of edge cases, which exercise the emulated multiply-add.
    let edges: [Float] = [
      1 + 0x1p-12, 1 - 0x1p-24, 0x1p-126, 0x1.fffffep-126, 0x1p-149, -0x1p-149, 0x1p-75, 0x1p-25,
      0x1.fffffep127, -0x1.fffffep127, 0x1p64, 3, 1 / 3, 0x1.000002p0, 0x1.fffffep-1, 0x1p-24,
    ]
    var random = SplitMix64(1)
    let scales = adversarial.prefix(24) + edges
    let input = adversarial + edges + mixed(500, seed: 2)
    for scale in scales {
      var offsets = Array(adversarial.prefix(24)) + edges
      // Offsets that nearly cancel a product, or differ from it by half a unit in the last place.
      for value in input.prefix(40) {
        let product = -(value * scale)
        offsets += [product, product.nextUp, product * 0x1p-24, product * 0x1p24]
      }
      offsets.append(Float(bitPattern: UInt32(truncatingIfNeeded: random.next())))
      for offset in offsets {
        let affine = someAffine([scale, scale, scale], [offset, offset, offset])
        let result = kernels.map(input, Program().add(CPK_AFFINE, [affine]))
        let expected = input.map { Reference.fma($0, scale, offset) }
        guard bits(result) != bits(expected) else { continue }
        let at = zip(bits(result), bits(expected)).enumerated().first { $1.0 != $1.1 }?.offset ?? 0
        Issue.record("\(input[at]) * \(scale) + \(offset) gives \(result[at])")
        return
      }
    }
  }

  @Test(arguments: Kernels.available)
  func affineEqualsTheReferenceForRandomValues(_ kernels: Kernels) {
    var random = SplitMix64(3)
    for _ in 0..<4000 {
      // Close exponents, so that all bits of the addends matter.
      func number(_ exponent: ClosedRange<Int>) -> Float {
        let mantissa = UInt32(truncatingIfNeeded: random.next()) & 0x807F_FFFF
        let field = UInt32(127 + Int.random(in: exponent, using: &random))
        return Float(bitPattern: mantissa | field << 23)
      }
      let affine = someAffine(
        [number(-3...3), number(-70...(-60)), number(30...64)],
        [number(-50...30), number(-126...(-120)), number(60...127)])
      let pixels = 8
      let values = (0..<3 * pixels).map { i in
        switch i / pixels {
        case 0: number(-3...3)
        case 1: number(-70...(-60))
        default: number(30...63)
        }
      }
      let source = Row(.f32, .planarOpaque, pixels)
      let target = Row(.f32, .planarOpaque, pixels)
      source.fill(values)
      kernels.run(Program().add(CPK_AFFINE, [affine]), from: source, to: target)
      let scale = all(affine.scale, Float.self)
      let offset = all(affine.offset, Float.self)
      let expected = values.enumerated().map { i, x in
        Reference.fma(x, scale[i / pixels], offset[i / pixels])
      }
      if bits(target.floats) != bits(expected) {
        Issue.record("\(scale) \(offset): \(values) gives \(target.floats), not \(expected)")
        return
      }
    }
  }

  @Test(arguments: Kernels.available)
  func powersEqualTheReference(_ kernels: Kernels) {
    let input = mixed(5000, seed: 4)
    for kind in [CPK_MIRROR, CPK_ZERO, CPK_CONTINUE, CPK_PASS] {
      let curves = [
        sRGBDecode(kind), sRGBEncode(kind),
        power(0.45, scale: 1.099, offset: -0.099, threshold: 0.018, slope: 4.5, belowZero: kind),
        power(2.2, shift: 0.5, threshold: -0.25, slope: 0.1, intercept: -0.3, belowZero: kind),
        power(1 / 1.8, threshold: 0x1p-20, slope: 1, intercept: 0.01, belowZero: kind),
        power(-1.6, threshold: 1e-4, belowZero: kind, degree: CPK_STEEP_POWER_DEGREE),
        cubeOfSum(kind), cube(kind), cube(kind, scale: 0.3),
      ]
      for curve in curves {
        let program = Program().add(CPK_POWER, [curve, curve, curve])
        let expected = input.map { Reference.power(curve, $0) }
        #expect(bits(kernels.map(input, program)) == bits(expected))
      }
    }
  }

  @Test(arguments: Kernels.available)
  func cubicsEqualTheReference(_ kernels: Kernels) {
    let input = mixed(2000, seed: 5) + (0..<70).map { -0.5 + Float($0) * 0.125 }
    for pieces in 1...Int(CPK_CUBIC_PIECES) {
      let cubic = someCubic(pieces)
      let program = Program().add(CPK_CUBIC, [cubic, cubic, cubic])
      let expected = input.map { Reference.cubic(cubic, $0) }
      #expect(bits(kernels.map(input, program)) == bits(expected))
    }
  }

  @Test(arguments: Kernels.available, [CPK_MIRROR, CPK_ZERO, CPK_CONTINUE, CPK_PASS])
  func segmentsAndRationalsEqualTheReference(_ kernels: Kernels, _ kind: Int) {
    let input = mixed(5000, seed: 11) + (-400...400).map { Float($0) / 16 }
    for (index, curve) in someSegments(kind).enumerated() {
      let program = Program().add(CPK_SEGMENTS, [curve, curve, curve])
      let expected = input.map { Reference.segments(curve, $0) }
      #expect(bits(kernels.map(input, program)) == bits(expected), "segments \(index)")
    }
    for (index, curve) in someRationals(kind).enumerated() {
      let program = Program().add(CPK_RATIONAL, [curve, curve, curve])
      let expected = input.map { curve.present == 0 ? $0 : Reference.rational(curve, $0) }
      #expect(bits(kernels.map(input, program)) == bits(expected), "fraction \(index)")
    }
  }

  @Test(arguments: Kernels.available)
  func tablesEqualTheReference(_ kernels: Kernels) {
    let input = mixed(2000, seed: 6)
    for count in [2, 3, 17, 256, 4096] {
      var random = SplitMix64(UInt64(count))
      let values = (0..<count).map { _ in Float.random(in: -0.5...1.5, using: &random) }
      for kind in [CPK_MIRROR, CPK_ZERO, CPK_CONTINUE, CPK_PASS] {
        let program = Program()
        let sampled = cpk_sampled(
          values: program.keep(values), count: Int32(count), below_zero: Int32(kind))
        program.add(CPK_SAMPLED, [sampled, sampled, sampled])
        let expected = input.map { Reference.sampled(values, kind, $0) }
        #expect(bits(kernels.map(input, program)) == bits(expected))
      }
    }
    let none = cpk_sampled(values: nil, count: 0, below_zero: Int32(CPK_ZERO))
    let program = Program().add(CPK_SAMPLED, [none, none, none])
    #expect(bits(kernels.map(input, program)) == bits(input))
  }

  @Test(arguments: Kernels.available)
  func squaresAndRootsEqualTheReference(_ kernels: Kernels) {
    let input = mixed(2000, seed: 9)
    #expect(
      bits(kernels.map(input, Program().add(CPK_SQUARE))) == bits(input.map { $0 * abs($0) }))
    let roots = input.map { x in x.sign == .minus ? -(-x).squareRoot() : x.squareRoot() }
    #expect(bits(kernels.map(input, Program().add(CPK_SQUARE_ROOT))) == bits(roots))
  }

  @Test(arguments: Kernels.available)
  func clampKeepsNaN(_ kernels: Kernels) {
    let input = mixed(500, seed: 7)
    let program = Program().add(CPK_CLAMP, [cpk_clamp(low: 0.25, high: 0.75)])
    let expected = input.map { $0.isNaN ? $0 : min(max($0, 0.25), 0.75) }
    #expect(bits(kernels.map(input, program)) == bits(expected))
  }

  @Test(arguments: Kernels.available)
  func pixelStagesEqualTheReference(_ kernels: Kernels) {
    let count = 999
    let source = Row(.f32, .rgba, count)
    let target = Row(.f32, .rgba, count)
    source.fill(mixed(4 * count, seed: 8))
    let values = source.floats

    func check(_ program: Program, _ expected: ([Float]) -> [Float]) {
      kernels.run(program, from: source, to: target)
      var result: [Float] = []
      for first in stride(from: 0, to: 4 * count, by: 4) {
        result += expected(Array(values[first..<first + 4])) + [values[first + 3]]
      }
      #expect(bits(target.floats) == bits(result))
    }

    check(Program().add(CPK_MATRIX, [someMatrix])) { Reference.matrix(someMatrix, $0) }
    check(Program().add(CPK_PREMULTIPLY)) { pixel in pixel.prefix(3).map { $0 * pixel[3] } }
    check(Program().add(CPK_UNPREMULTIPLY)) { pixel in
      pixel.prefix(3).map { pixel[3] == 0 ? 0 : $0 / pixel[3] }
    }
    check(Program().addConvert(sRGBDecode(), someMatrix, sRGBEncode())) { pixel in
      let linear = pixel.prefix(3).map { Reference.power(sRGBDecode(), $0) }
      return Reference.matrix(someMatrix, linear).map { Reference.power(sRGBEncode(), $0) }
    }
  }

  @Test(arguments: Kernels.available)
  func rowsAreCalledBack(_ kernels: Kernels) {
    // Adds the position to red, green and blue.
    let rows = cpk_rows(
      body: { _, planes, count, x, y in
        guard let planes else { return }
        for i in 0..<count {
          planes[0]?[i] += Float(x) + Float(i)
          planes[1]?[i] += Float(y)
          planes[2]?[i] += planes[3]?[i] ?? 0
        }
      }, context: nil)
    for count in [1, 7, 256, 257, 1000] {
      let source = Row(.f32, .planar, count)
      let target = Row(.f32, .planar, count)
      source.fill([0.5])
      kernels.run(Program().add(CPK_ROWS, [rows]), from: source, to: target, x: 40, y: 3)
      let expected =
        (0..<count).map { 40.5 + Float($0) } + [Float](repeating: 3.5, count: count)
        + [Float](repeating: 1, count: count) + [Float](repeating: 0.5, count: count)
      #expect(target.floats == expected)
    }
  }
}
