import CPixelKernels
import Testing

/// The weighted sums of rows and of columns.
@Suite struct MixTests {
  /// A sum of products, each step fused, and the largest error that it may have.
  private func exact(_ values: [Float], _ weights: [Float]) -> (sum: Double, bound: Double) {
    var sum = 0.0
    var size = 0.0
    for (value, weight) in zip(values, weights) {
      sum += Double(value) * Double(weight)
      size += abs(Double(value) * Double(weight))
    }
    // Each of the steps rounds a partial sum, which is at most `size`, once.
    return (sum, size * Double(values.count) * 0x1p-24 + 0x1p-149)
  }

  private func inOrder(_ values: [Float], _ weights: [Float]) -> Float {
    var sum = values[0] * weights[0]
    for k in 1..<max(values.count, 1) { sum = sum.addingProduct(values[k], weights[k]) }
    return sum
  }

  /// Lines of `starts.count` times `stride` floats; those beyond `count` keep their −7. Rows are added as many as the kernel takes at a time.
  private func addRows<Sample>(
    _ kernels: Kernels, _ rows: [[Sample]], _ starts: [Int32], _ weights: [[Float]], stride: Int,
    count: Int, format: Int32 = Int32(CPK_F32), premultiplies: Bool = false
  ) -> [Float] {
    let program = Program()
    let pointers = rows.map { UnsafeRawPointer(program.keep($0)) as UnsafeRawPointer? }
    let out = program.keep([Float](repeating: -7, count: starts.count * stride))
    let taps = Int32(weights[0].count)
    let weights = weights.map { UnsafePointer(program.keep($0)) }
    for y in Swift.stride(from: 0, to: rows.count, by: kernels.lanes) {
      let entered = min(kernels.lanes, rows.count - y)
      let lines = starts.indices.compactMap { line -> cpk_line? in
        let start = starts[line] - starts[0] - Int32(y)
        let (first, end) = (max(start, 0), min(start + taps, Int32(entered)))
        if first >= end { return nil }
        return cpk_line(
          values: out + line * stride, weights: weights[line] + Int(first - start), first: first,
          end: end, is_new: start >= 0)
      }
      // The rows after those that enter are asked for.
      kernels.table.add_rows(
        lines, lines.count, Array(pointers[y...]), entered,
        min(kernels.lanes, rows.count - y - entered), format, premultiplies, count)
    }
    return Array(UnsafeBufferPointer(start: out, count: starts.count * stride))
  }

  /// The same, mixed at once and with the same bits as if rows were added.
  private func mixRows(
    _ kernels: Kernels, _ rows: [[Float]], _ starts: [Int32], _ weights: [[Float]], stride: Int,
    count: Int
  ) -> [Float] {
    let program = Program()
    let pointers = rows.map { UnsafeRawPointer(program.keep($0)) as UnsafeRawPointer? }
    let taps = weights[0].count
    var out = [Float](repeating: -7, count: starts.count * stride)
    out.withUnsafeMutableBufferPointer { out in
      let lines = starts.indices.map { line in
        out.baseAddress.map { UnsafeMutableRawPointer($0 + line * stride) }
      }
      // The weights lie in reverse order, each line's where its offset says.
      let flat = Array(weights.reversed().joined())
      let offsets = starts.indices.map { Int32((starts.count - 1 - $0) * taps) }
      withTaps(starts, offsets, flat, taps) {
        kernels.table.mix_rows(lines, pointers, rows.count, $0, starts.count, count)
      }
    }
    let added = addRows(kernels, rows, starts, weights, stride: stride, count: count)
    #expect(out.map(\.bitPattern) == added.map(\.bitPattern))
    return out
  }

  private func mixRows(
    _ kernels: Kernels, _ rows: [[Float]], _ weights: [Float], count: Int
  ) -> [Float] {
    let out = mixRows(kernels, rows, [0], [weights], stride: count + 1, count: count)
    #expect(out[count] == -7)
    return Array(out.dropLast())
  }

  @Test(arguments: Kernels.available)
  func rows(_ kernels: Kernels) {
    var random = SplitMix64(20)
    for taps in Array(1...12) + [25, 40] {
      let weights = (0..<taps).map { _ in Float.random(in: -1...1, using: &random) }
      for count in Array(0...33) + [128, 129, 300] {
        let rows = (0..<taps).map { _ in
          (0..<count).map { _ in Float.random(in: -1...2, using: &random) }
        }
        let result = mixRows(kernels, rows, weights, count: count)
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

  /// Lines with any offsets give the same bits together as separately.
  @Test(arguments: Kernels.available)
  func severalLines(_ kernels: Kernels) {
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
        let stride = count + 3
        let out = mixRows(kernels, rows, starts, weights, stride: stride, count: count)
        for (line, start) in starts.enumerated() {
          let own = Array(rows[Int(start) - 5..<Int(start) - 5 + taps])
          let alone = mixRows(kernels, own, weights[line], count: count)
          #expect(Array(out[line * stride..<line * stride + count]) == alone)
          #expect(out[line * stride + count..<(line + 1) * stride].allSatisfy { $0 == -7 })
        }
      }
    }
  }

  /// Codes give the same bits as their values, premultiplied or not.
  @Test(arguments: Kernels.available)
  func rowsOfCodes(_ kernels: Kernels) {
    var random = SplitMix64(26)
    let weights = (0..<20).map { _ in Float.random(in: -1...1, using: &random) }
    func check<Code: FixedWidthInteger & UnsignedInteger>(_: Code.Type, _ format: Int) {
      for count in [1, 4, 15, 16, 37, 64, 76] {
        let codes = weights.map { _ in
          (0..<count).map { _ in Code.random(in: 0 ... .max, using: &random) }
        }
        let values = codes.map { row in row.map { Float($0) / Float(Code.max) } }
        func sums(premultiplies: Bool) -> [Float] {
          addRows(
            kernels, codes, [0], [weights], stride: count, count: count, format: Int32(format),
            premultiplies: premultiplies)
        }
        #expect(sums(premultiplies: false) == mixRows(kernels, values, weights, count: count))
        guard count % 4 == 0 else { continue }
        let premultiplied = values.map { row in
          row.indices.map { $0 % 4 == 3 ? row[$0] : row[$0] * row[$0 / 4 * 4 + 3] }
        }
        #expect(
          sums(premultiplies: true) == mixRows(kernels, premultiplied, weights, count: count))
      }
    }
    check(UInt8.self, CPK_U8)
    check(UInt16.self, CPK_U16)
  }

  /// The spacing of the output's columns.
  enum Layout: CaseIterable {
    /// Any spacing, with separate weights for each column.
    case irregular
    /// Spacing by whole pixels, with separate weights for each column.
    case regular
    /// The same weights for all columns.
    case uniform
    /// Three columns between two pixels of the input.
    case enlarged
  }

  private struct Columns {
    var taps: Int
    var inCount: Int
    var count: Int
    var rows: Int
    var channels: Int
    var starts: [Int32]
    var offsets: [Int32]
    var weights: [Float]
    var input: [[Float]]
    let origin: Int32 = 5

    init(
      taps: Int, count: Int, rows: Int, channels: Int = 1, _ layout: Layout = .irregular,
      seed: UInt64
    ) {
      var random = SplitMix64(seed)
      self.taps = taps
      self.count = count
      self.rows = rows
      self.channels = channels
      let step = Int(random.next() % 5)
      var start = 5
      starts = []
      offsets = []
      for index in 0..<count {
        starts.append(Int32(start))
        offsets.append(layout == .uniform ? 0 : Int32((count - 1 - index) * taps))
        switch layout {
        case .irregular: start += Int(random.next() % 4)
        case .regular: start += step
        case .uniform: start += 1
        case .enlarged: start += index % 3 == 2 ? 1 : 0
        }
      }
      inCount = Int(starts[count - 1]) - 5 + taps + Int(random.next() % 3)
      weights = (0..<count * taps).map { _ in Float.random(in: -1...1, using: &random) }
      let floats = inCount * channels
      // Separate memory that ends with the row, so that a sanitizer detects every overrun.
      input = (0..<rows).map { _ in
        (0..<floats).map { _ in Float.random(in: -1...2, using: &random) }
      }
    }

    /// Makes each pixel's alpha 1, also of the sums: weights add up to 1 without rounding.
    mutating func makeOpaque() {
      for y in input.indices {
        for i in input[y].indices where i % 4 == 3 { input[y][i] = 1 }
      }
      for i in weights.indices { weights[i] = i % taps == 0 ? 0.5 : i % taps == 1 ? 0.5 : 0 }
    }

    /// The rows with two guard values of −7 each, which must not change.
    func run(_ kernels: Kernels) -> [[Float]] {
      run(kernels, .floats, guarded: -7)
    }

    /// The same, stored in another way; `sharp` are the rows that are sharpened.
    func run<Sample>(
      _ kernels: Kernels, _ storing: cpk_storing, sharp: [[Float]] = [], guarded: Sample
    ) -> [[Sample]] {
      let program = Program()
      let sharp = sharp.map { UnsafePointer(program.keep($0)) as UnsafePointer<Float>? }
      var storing = storing
      let length = count * channels + 2
      // Rows that pass the caches begin at multiples of 64 bytes.
      let stride = (length * MemoryLayout<Sample>.stride + 63) / 64 * 64
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: rows * stride, alignment: 64)
      defer { memory.deallocate() }
      let ends = (0..<rows).map { row in
        UnsafeMutableBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(rebasing: memory[(row * stride)...])
            .bindMemory(to: Sample.self)[..<length])
      }
      for end in ends { end.initialize(repeating: guarded) }
      let rows = input.map { UnsafePointer(program.keep($0)) as UnsafePointer<Float>? }
      let last = starts.indices.map { starts[min($0 + 15, count - 1)] - starts[$0] }.max() ?? 0
      let span = max(CPK_COLUMN_SPAN, Int(last) + taps)
      let scratch = UnsafeMutableRawBufferPointer.allocate(
        byteCount: kernels.lanes * (span + 16) * 4, alignment: 64)
      defer { scratch.deallocate() }
      withTaps(starts, offsets, weights, taps) { taps in
        sharp.withUnsafeBufferPointer { sharp in
          storing.sharp = sharp.baseAddress
          kernels.table.mix_columns(
            ends.map { UnsafeMutableRawPointer($0.baseAddress) }, &storing, rows, inCount,
            self.rows, channels, taps, origin, count, nil, 0,
            scratch.bindMemory(to: Float.self).baseAddress)
        }
      }
      return ends.map { Array($0) }
    }
  }

  @Test(arguments: Kernels.available, Layout.allCases)
  func columns(_ kernels: Kernels, _ layout: Layout) {
    for taps in 1...44 {
      for rows in 1...(2 * kernels.lanes + 1) where rows < 4 || (rows + taps) % 5 == 0 {
        let count = 1 + (taps * 7 + rows * 3) % 45 + (taps == 9 ? 300 : 0)
        let channels = (taps + rows) % 2 == 0 ? 1 : 4
        let columns = Columns(
          taps: taps, count: count, rows: rows, channels: channels, layout,
          seed: UInt64(taps * 100 + rows))
        let out = columns.run(kernels)
        for y in 0..<rows {
          for i in 0..<count * channels {
            let (pixel, channel) = (i / channels, i % channels)
            let start = Int(columns.starts[pixel] - columns.origin)
            let values = (0..<taps).map { columns.input[y][(start + $0) * channels + channel] }
            let offset = Int(columns.offsets[pixel])
            let weights = Array(columns.weights[offset..<offset + taps])
            let (sum, bound) = exact(values, weights)
            let good =
              abs(Double(out[y][i]) - sum) <= bound && out[y][i] == inOrder(values, weights)
            if !good {
              Issue.record(
                "\(taps) taps, \(rows) rows, \(count) columns of \(channels), at \(i), \(y)")
            }
          }
          // The guard values behind the row must not change.
          #expect(out[y].suffix(2) == [-7, -7])
        }
      }
    }
  }

  @Test(arguments: 1...44)
  func columnsAgree(_ taps: Int) {
    for rows in 1...33 {
      let layout = Layout.allCases[rows % Layout.allCases.count]
      let columns = Columns(
        taps: taps, count: 1 + rows, rows: rows, channels: taps % 2 == 0 ? 1 : 4, layout,
        seed: UInt64(taps * 1000 + rows))
      let all = Kernels.available.map { columns.run($0).map(bits) }
      for (kernels, result) in zip(Kernels.available, all) where result != all[0] {
        Issue.record("\(kernels.name) differs: \(taps) taps, \(rows) rows")
      }
    }
  }

  /// Columns that are sharpened, and stored as codes, half floats, divided by alpha or past the caches, are those of floats, changed
  /// afterwards.
  @Test(arguments: Kernels.available)
  func storedColumns(_ kernels: Kernels) {
    func check<Sample: Equatable>(
      _ format: Int, guarded: Sample, _ sample: (Float) -> Sample
    ) {
      for (rows, count) in [(1, 1), (3, 16), (4, 7), (16, 40), (17, 33), (5, 300)] {
        for (channels, unpremultiplies, sharpens) in [
          (1, false, false), (4, false, false), (4, true, false), (4, false, true), (4, true, true),
        ] {
          for (taps, streams) in [(5, false), (6, true)] {
            var columns = Columns(
              taps: taps, count: count, rows: rows, channels: channels, .regular,
              seed: UInt64(rows * 1000 + count))
            if unpremultiplies, rows % 2 == 0 { columns.makeOpaque() }
            var how = cpk_sharpening(
              amount: 1.5, threshold: 0.25, has_alpha: rows > 4, in_luminance: taps == 5,
              luminance: (0.25, 0.5, 0.25))
            let sharp = (0..<(sharpens ? rows : 0)).map { sharpRow($0, of: count, rows % 2 == 0) }
            let stored = withUnsafePointer(to: &how) {
              columns.run(
                kernels,
                cpk_storing(
                  format: Int32(format), unpremultiplies: unpremultiplies, streams: streams,
                  sharpening: sharpens ? $0 : nil, sharp: nil),
                sharp: sharp, guarded: guarded)
            }
            for (y, (row, softer)) in zip(stored, columns.run(kernels)).enumerated() {
              var floats = softer
              if sharpens { kernels.sharpen(&floats, of: sharp[y], by: &how) }
              let expected = floats.dropLast(2).indices.map { i -> Sample in
                if !unpremultiplies || i % 4 == 3 { return sample(floats[i]) }
                let alpha = floats[i / 4 * 4 + 3]
                return sample(alpha == 0 ? 0 : floats[i] / alpha)
              }
              #expect(row.dropLast(2).elementsEqual(expected))
              #expect(row.suffix(2).allSatisfy { $0 == guarded })
            }
          }
        }
      }
    }
    func sharpRow(_ row: Int, of count: Int, _ isOpaque: Bool) -> [Float] {
      (0..<count * 4).map { (i: Int) -> Float in
        if i % 4 == 3 && isOpaque { return 1 }
        return Float((i * 5 + row) % 9) * 0.25 - 0.5
      }
    }
    func code(_ value: Float, _ most: Double) -> Double {
      (Double(min(max(value, 0), 1)) * most).rounded(.toNearestOrEven)
    }
    check(CPK_U8, guarded: UInt8(77)) { UInt8(code($0, 255)) }
    check(CPK_U16, guarded: UInt16(777)) { UInt16(code($0, 65535)) }
    check(CPK_F16, guarded: UInt16(777)) { Float16($0).bitPattern }
    check(CPK_F32, guarded: UInt32(777)) { $0.bitPattern }
  }

  /// Inputs of the same weight are added, then multiplied, from the ends to the middle.
  private func symmetric(_ values: [Float], _ half: [Float]) -> Float {
    var sum: Float = -0.0
    for (k, weight) in half.dropLast().enumerated() {
      sum = sum.addingProduct(values[k] + values[values.count - 1 - k], weight)
    }
    return sum.addingProduct(values[half.count - 1], half[half.count - 1])
  }

  /// Lines and columns with symmetric weights have the bits of that sum, and no value beside them changes.
  @Test(arguments: Kernels.available)
  func symmetricWeights(_ kernels: Kernels) {
    var random = SplitMix64(28)
    func some(_ count: Int) -> [Float] {
      (0..<count).map { _ in Float.random(in: -1...2, using: &random) }
    }
    for (radius, count) in [
      (0, 1), (0, 37), (1, 300), (2, 7), (3, 16), (3, 65), (4, 20), (5, 33), (6, 17), (7, 40),
      (8, 31), (11, 129), (14, 50), (19, 9),
    ] {
      let half = some(radius + 1)
      let (weights, taps) = (half + half.dropLast().reversed(), 2 * radius + 1)
      for lines in Array(1...9) + [16, 17] {
        let program = Program()
        let starts = (0..<max(lines, count)).map { Int32(5 + $0) }
        let offsets = starts.map { _ in Int32(0) }
        func run(_ body: (UnsafePointer<cpk_taps>) -> Void) {
          withTaps(starts, offsets, weights, taps, isSymmetric: true, body)
        }
        // Up to three rows after the last line's are named, to be read soon.
        let rows = (0..<lines + taps - 1 + lines % 4).map { _ in some(count) }
        let mixed = (0..<lines).map { _ in program.keep([Float](repeating: -7, count: count + 1)) }
        run {
          kernels.table.mix_rows(
            mixed.map { UnsafeMutableRawPointer($0) },
            rows.map { UnsafeRawPointer(program.keep($0)) }, rows.count, $0,
            lines,
            count)
        }
        for line in 0..<lines {
          let expected = (0..<count).map { i in
            symmetric((line..<line + taps).map { rows[$0][i] }, half)
          }
          #expect(
            bits(Array(UnsafeBufferPointer(start: mixed[line], count: count))) == bits(expected))
          #expect(mixed[line][count] == -7)
        }
        for channels in [1, 4] {
          let pixels = count + taps - 1
          let input = (0..<lines).map { _ in some(pixels * channels) }
          let out = (0..<lines).map { _ in
            program.keep([Float](repeating: -7, count: count * channels + 1))
          }
          let scratch = UnsafeMutableRawBufferPointer.allocate(
            byteCount: kernels.lanes * (Int(CPK_COLUMN_SPAN) + 16) * 4, alignment: 64)
          defer { scratch.deallocate() }
          run {
            var storing = cpk_storing.floats
            kernels.table.mix_columns(
              out.map { UnsafeMutableRawPointer($0) }, &storing,
              input.map { UnsafePointer(program.keep($0)) }, pixels, lines, channels, $0, 5, count,
              rows.map { UnsafeRawPointer(program.keep($0)) }, rows.count,
              scratch.bindMemory(to: Float.self).baseAddress)
          }
          for line in 0..<lines {
            let expected = (0..<count * channels).map { i in
              symmetric((0..<taps).map { input[line][i + $0 * channels] }, half)
            }
            let result = Array(UnsafeBufferPointer(start: out[line], count: count * channels))
            #expect(bits(result) == bits(expected))
            #expect(out[line][count * channels] == -7)
          }
        }
      }
    }
  }
}

private func withTaps(
  _ starts: [Int32], _ offsets: [Int32], _ weights: [Float], _ count: Int,
  isSymmetric: Bool = false, _ body: (UnsafePointer<cpk_taps>) -> Void
) {
  starts.withUnsafeBufferPointer { starts in
    offsets.withUnsafeBufferPointer { offsets in
      weights.withUnsafeBufferPointer { weights in
        var taps = cpk_taps(
          starts: starts.baseAddress, offsets: offsets.baseAddress, weights: weights.baseAddress,
          count: count, is_symmetric: isSymmetric)
        body(&taps)
      }
    }
  }
}

extension cpk_storing {
  fileprivate static var floats: cpk_storing {
    cpk_storing(
      format: Int32(CPK_F32), unpremultiplies: false, streams: false, sharpening: nil, sharp: nil)
  }
}

extension Kernels {
  /// Sharpens RGBA pixels by softer ones, which become the result.
  fileprivate func sharpen(
    _ pixels: inout [Float], of sharp: [Float], by how: inout cpk_sharpening
  ) {
    pixels.withUnsafeMutableBufferPointer { pixels in
      sharp.withUnsafeBufferPointer { sharp in
        let (from, to) = (sharp.baseAddress, pixels.baseAddress)
        table.sharpen(&how, 4, [to], [from], [UnsafePointer(to)], sharp.count / 4)
      }
    }
  }
}
