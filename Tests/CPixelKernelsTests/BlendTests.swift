import CPixelKernels
import Testing

/// Weighted sums of rows and of columns.
@Suite struct BlendTests {
  /// The exact sum of products, and the error bound of a sum of fused multiply-adds.
  private func exact(_ values: [Float], _ weights: [Float]) -> (sum: Double, bound: Double) {
    var sum = 0.0
    var size = 0.0
    for (value, weight) in zip(values, weights) {
      sum += Double(value) * Double(weight)
      size += abs(Double(value) * Double(weight))
    }
    // Each step rounds a partial sum, which is at most `size`, once.
    return (sum, size * Double(values.count) * 0x1p-24 + 0x1p-149)
  }

  private func inOrder(_ values: [Float], _ weights: [Float]) -> Float {
    var sum = values[0] * weights[0]
    for k in 1..<max(values.count, 1) { sum = sum.addingProduct(values[k], weights[k]) }
    return sum
  }

  private func blendRows(
    _ kernels: Kernels, _ rows: [[Float]], _ weights: [Float], count: Int
  ) -> [Float] {
    let program = Program()
    let pointers = rows.map { UnsafePointer(program.keep($0)) as UnsafePointer<Float>? }
    var out = [Float](repeating: -7, count: count + 1)
    kernels.table.blend_rows(&out, count, pointers, rows.count, [0], weights, rows.count, 1, count)
    #expect(out[count] == -7)
    return Array(out.dropLast())
  }

  @Test(arguments: Kernels.available)
  func weightedSumsOfRowsMeetTheirErrorBound(_ kernels: Kernels) {
    var random = SplitMix64(20)
    for taps in Array(1...12) + [25, 40] {
      let weights = (0..<taps).map { _ in Float.random(in: -1...1, using: &random) }
      for count in Array(0...33) + [128, 129, 300] {
        let rows = (0..<taps).map { _ in
          (0..<count).map { _ in Float.random(in: -1...2, using: &random) }
        }
        let result = blendRows(kernels, rows, weights, count: count)
        for i in 0..<count {
          let column = rows.map { $0[i] }
          let (sum, bound) = exact(column, weights)
          let good =
            abs(Double(result[i]) - sum) <= bound && result[i] == inOrder(column, weights)
          if !good { Issue.record("\(taps) taps, \(count) columns, at \(i)") }
        }
      }
    }
  }

  /// Several lines, at any stride, give the same values as each line alone.
  @Test(arguments: Kernels.available)
  func severalLinesEqualSingleLines(_ kernels: Kernels) {
    var random = SplitMix64(22)
    for (taps, shifts) in [
      (1, [0, 1, 2]), (6, [1, 2, 1, 0, 3, 6, 7]), (24, [4, 4, 4, 4, 23, 24]),
    ] {
      var starts: [Int32] = [5]
      for shift in shifts { starts.append(starts[starts.count - 1] + Int32(shift)) }
      let weights = starts.map { _ in
        (0..<taps).map { _ in Float.random(in: -1...1, using: &random) }
      }
      for (count, further) in [(0, 0), (1, 9), (37, 0), (64, 100), (1500, 3)] {
        let rows = (0..<Int(starts[starts.count - 1] - 5) + taps + further).map { _ in
          (0..<count).map { _ in Float.random(in: -1...2, using: &random) }
        }
        let program = Program()
        let pointers = rows.map { UnsafePointer(program.keep($0)) as UnsafePointer<Float>? }
        let stride = count + 3
        var out = [Float](repeating: -7, count: starts.count * stride)
        kernels.table.blend_rows(
          &out, stride, pointers, rows.count, starts, weights.flatMap { $0 }, taps, starts.count,
          count)
        for (line, start) in starts.enumerated() {
          let own = Array(rows[Int(start) - 5..<Int(start) - 5 + taps])
          let alone = blendRows(kernels, own, weights[line], count: count)
          #expect(Array(out[line * stride..<line * stride + count]) == alone)
          #expect(out[line * stride + count..<(line + 1) * stride].allSatisfy { $0 == -7 })
        }
      }
    }
  }

  private struct Columns {
    var taps: Int
    var inCount: Int
    var count: Int
    var rows: Int
    var starts: [Int32]
    var weights: [Float]
    var input: [Float]
    var inStride: Int

    init(taps: Int, count: Int, rows: Int, seed: UInt64) {
      var random = SplitMix64(seed)
      self.taps = taps
      self.count = count
      self.rows = rows
      let inCount = taps + Int(random.next() % 50)
      self.inCount = inCount
      inStride = inCount + 3
      starts = (0..<count).map { _ in
        Int32(random.next() % UInt64(inCount - taps + 1))
      }
      weights = (0..<count * taps).map { _ in Float.random(in: -1...1, using: &random) }
      // No longer than the last row requires, so that a sanitizer detects a read past it.
      input = (0..<(rows - 1) * inStride + inCount).map { _ in
        Float.random(in: -1...2, using: &random)
      }
    }

    func run(_ kernels: Kernels) -> [Float] {
      let stride = count + 2
      var out = [Float](repeating: -7, count: stride * rows)
      let scratch = UnsafeMutableRawBufferPointer.allocate(
        byteCount: kernels.lanes * (inCount + kernels.lanes) * 4, alignment: 64)
      defer { scratch.deallocate() }
      kernels.table.blend_columns(
        &out, stride, input, inStride, inCount, rows, starts, weights, taps, count,
        scratch.bindMemory(to: Float.self).baseAddress)
      return out
    }
  }

  @Test(arguments: Kernels.available)
  func weightedSumsOfColumnsMeetTheirErrorBound(_ kernels: Kernels) {
    for taps in 1...40 {
      for rows in 1...(2 * kernels.lanes + 1) where rows < 4 || (rows + taps) % 5 == 0 {
        let count = 1 + (taps * 7 + rows * 3) % 45
        let columns = Columns(taps: taps, count: count, rows: rows, seed: UInt64(taps * 100 + rows))
        let out = columns.run(kernels)
        for y in 0..<rows {
          for i in 0..<count {
            let start = y * columns.inStride + Int(columns.starts[i])
            let values = Array(columns.input[start..<start + taps])
            let weights = Array(columns.weights[i * taps..<(i + 1) * taps])
            let result = out[y * (count + 2) + i]
            let (sum, bound) = exact(values, weights)
            let good =
              abs(Double(result) - sum) <= bound && result == inOrder(values, weights)
            if !good { Issue.record("\(taps) taps, \(rows) rows, \(count) columns, at \(i), \(y)") }
          }
          // The padding between rows is unchanged.
          #expect(out[y * (count + 2) + count] == -7)
          #expect(out[y * (count + 2) + count + 1] == -7)
        }
      }
    }
  }

  @Test(arguments: 1...40)
  func columnsAgree(_ taps: Int) {
    for rows in 1...33 {
      let columns = Columns(
        taps: taps, count: 1 + rows, rows: rows, seed: UInt64(taps * 1000 + rows))
      let all = Kernels.available.map { bits(columns.run($0)) }
      for (kernels, result) in zip(Kernels.available, all) where result != all[0] {
        Issue.record("\(kernels.name) differs: \(taps) taps, \(rows) rows")
      }
    }
  }
}
