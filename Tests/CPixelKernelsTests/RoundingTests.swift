import CPixelKernels
import Testing

/// Dithering and counting of clipped values, against their definitions, for every number of values up to some vectors.
@Suite struct RoundingTests {
  private static let steps: [Float] = [1, 2, 3, 5, 255, 65_535]

  /// Values of every kind: levels, the middles between them, numbers out of range, and NaN.
  private func values(_ count: Int, steps: Float, seed: UInt64) -> [Float] {
    var random = SplitMix64(seed)
    let special: [Float] = [
      0, -0.0, 1, 0.5, -0.25, 1.5, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, 1e30,
      65_519.996, 65_520, Float(1).nextUp, Float(1).nextDown,
    ]
    return (0..<count).map { index in
      switch index % 4 {
      case 0: special[Int.random(in: 0..<special.count, using: &random)]
      case 1: (Float.random(in: 0...1, using: &random) * steps).rounded() / steps
      case 2: ((Float.random(in: 0...1, using: &random) * steps).rounded(.down) + 0.5) / steps
      default: Float.random(in: -0.1...1.1, using: &random)
      }
    }
  }

  /// The nearest level. Without an offset the product is rounded once: in double precision it is exact.
  private func level(_ value: Float, _ offset: Float?, _ steps: Float) -> Float {
    if value.isNaN { return value }
    let inRange = min(max(value, 0), 1)
    let level =
      offset.map { (inRange * steps + $0).rounded(.toNearestOrEven) }
      ?? Float((Double(inRange) * Double(steps)).rounded(.toNearestOrEven))
    return min(max(level, 0), steps) / steps
  }

  private func isSame(_ a: Float, _ b: Float) -> Bool {
    a.bitPattern == b.bitPattern || a.isNaN && b.isNaN
  }

  @Test(arguments: Kernels.available, steps) func valuesAreRoundedToLevels(
    kernels: Kernels, steps: Float
  ) {
    for count in 0...70 {
      let values = values(count, steps: steps, seed: UInt64(count))
      let alpha = self.values(count, steps: steps, seed: UInt64(count) + 1000)
      var random = SplitMix64(UInt64(count) + 2000)
      let offsets = (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
      for (hasOffsets, hasAlpha) in [(true, true), (true, false), (false, true), (false, false)] {
        var rounded = values
        rounded.append(-7)
        rounded.withUnsafeMutableBufferPointer {
          kernels.table.round_to_levels(
            $0.baseAddress, hasOffsets ? offsets : nil, hasAlpha ? alpha : nil, steps, count)
        }
        #expect(rounded[count] == -7)
        for i in 0..<count {
          var expected = level(values[i], hasOffsets ? offsets[i] : nil, steps)
          if hasAlpha { expected = min(expected, level(alpha[i], nil, steps)) }
          #expect(isSame(rounded[i], expected), "\(values[i]), alpha \(alpha[i]), of \(count)")
        }
      }
    }
  }

  @Test(arguments: Kernels.available) func levelsAreRoundedToThemselves(kernels: Kernels) {
    let levels = (0...65_535).map { Float($0) / 65_535 }
    var rounded = levels
    rounded.withUnsafeMutableBufferPointer {
      kernels.table.round_to_levels($0.baseAddress, nil, nil, 65_535, levels.count)
    }
    #expect(rounded == levels)
  }

  @Test(arguments: Kernels.available) func valuesBeyondARangeAreCounted(kernels: Kernels) {
    let codes: ClosedRange<Float> = -0.5 / 255...1 + 0.5 / 255
    let halves = Float(-65_520).nextUp...Float(65_520).nextDown
    for (range, passesInfinity) in [(codes, false), (halves, true)] {
      for count in 0...70 {
        let values = values(count, steps: 255, seed: UInt64(count))
        let expected = values.count { value in
          if range.contains(value) { return false }
          return value.isFinite || !passesInfinity
        }
        let counted = kernels.table.count_beyond(
          values, count, range.lowerBound, range.upperBound, passesInfinity)
        #expect(counted == expected, "\(count) values")
      }
    }
  }

  /// Floyd and Steinberg's diffusion of a row. `errors` holds what the row above passes on to each pixel, in levels.
  private func diffuse(_ row: inout [Float], _ errors: inout [Float], _ steps: Float) {
    var below = [Float](repeating: 0, count: row.count + 2)
    var passed: Float = 0
    for x in row.indices {
      let value = row[x].isNaN ? 0 : min(max(row[x], 0), 1)
      let level = (value * steps).rounded(.toNearestOrEven)
      let exact = level / steps == value ? level : value * steps
      let wanted = exact + (errors[x] + passed)
      let rounded = min(max(wanted.rounded(.toNearestOrEven), 0), steps)
      let error = wanted - rounded
      passed = error * (7 / 16)
      below[x] += error * (3 / 16)
      below[x + 1] += error * (5 / 16)
      below[x + 2] += error * (1 / 16)
      row[x] = rounded / steps
    }
    errors = Array(below.dropFirst().prefix(row.count))
  }

  /// The values of planes in their order, each with a number behind it that may not change.
  private func withSentinels(_ planes: [[Float]]) -> [Float] {
    planes.flatMap { (plane: [Float]) -> [Float] in plane + [-7] }
  }

  @Test(arguments: Kernels.available, steps) func errorsAreDiffusedToTheNextPixelAndTheRowBelow(
    kernels: Kernels, steps: Float
  ) {
    for (count, planes) in (0...70).map({ ($0, 1 + $0 % 3) }) {
      var expectedErrors = [[Float]](repeating: .init(repeating: 0, count: count), count: planes)
      var errors = [Float](repeating: 0, count: planes * (count + 1))
      for y in 0..<4 {
        var expected = (0..<planes).map { plane in
          values(count, steps: steps, seed: UInt64(1000 * y + 100 * plane + count))
        }
        var rounded = withSentinels(expected)
        rounded.withUnsafeMutableBufferPointer { rounded in
          errors.withUnsafeMutableBufferPointer { errors in
            let starts = (0..<planes).map { $0 * (count + 1) }
            let rows = starts.map { start in rounded.baseAddress.map { $0 + start } }
            let passed = starts.map { start in errors.baseAddress.map { $0 + start } }
            kernels.table.diffuse(rows, passed, planes, steps, count)
          }
        }
        for plane in 0..<planes { diffuse(&expected[plane], &expectedErrors[plane], steps) }
        #expect(rounded == withSentinels(expected), "row \(y) of \(planes) × \(count)")
      }
    }
  }

  @Test(arguments: Kernels.available) func noiseIsThatOfSplitMix(kernels: Kernels) {
    // The generator's first number from a state is the mixing function of that state.
    func mixed(_ state: UInt64) -> UInt64 {
      var generator = SplitMix64(state)
      return generator.next()
    }
    for (seed, x, y) in [(0, 0, 0), (1993, -3, 17), (UInt64.max, Int.max - 40, Int.min)] {
      for count in 0...40 {
        var offsets = [Float](repeating: 0, count: count + 1)
        offsets[count] = -7
        offsets.withUnsafeMutableBufferPointer {
          kernels.table.triangular_noise($0.baseAddress, count, seed, Int64(x), Int64(y))
        }
        #expect(offsets[count] == -7)
        for i in 0..<count {
          let row = mixed(mixed(seed) &+ UInt64(truncatingIfNeeded: y))
          let state = mixed(row &+ UInt64(truncatingIfNeeded: x + i))
          let (first, second) = (mixed(state) >> 40, mixed(state &+ 1) >> 40)
          #expect(offsets[i] == (Float(first) - Float(second)) * 0x1p-24)
        }
      }
    }
  }
}
