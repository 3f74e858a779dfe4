import CPixelKernels
import Testing

/// Medians, extremes, gradients and convolutions, each against its definition, and the guided filter against its baseline kernel: the
/// filter laws compare that with the definition.
@Suite struct NeighborhoodTests {
  /// A picture in memory that ends with its last row, so that a sanitizer detects every overrun.
  private struct Plane {
    var width, height: Int
    var values: [Float]

    init(_ width: Int, _ height: Int, _ values: [Float]) {
      (self.width, self.height, self.values) = (width, height, values)
    }

    subscript(x: Int, y: Int) -> Float { values[y * width + x] }

    func square(_ x: Int, _ y: Int, side: Int) -> [Float] {
      (y..<y + side).flatMap { row -> ArraySlice<Float> in
        let first = row * width + x
        return values[first..<first + side]
      }
    }
  }

  /// Runs a kernel over rows with gaps between them, and returns the rows. Checks that the gaps and the guard behind the scratch buffer are
  /// unchanged.
  private func run(
    width: Int, height: Int, scratch count: Int, streams: Bool = false,
    _ body: (UnsafeMutablePointer<Float>, Int, UnsafeMutablePointer<Float>) -> Void
  ) -> [Float] {
    let stride = streams ? (width + 31) / 16 * 16 : width + 3
    let out = UnsafeMutableRawBufferPointer.allocate(
      byteCount: 4 * height * stride, alignment: 64
    ).bindMemory(to: Float.self)
    defer { out.deallocate() }
    out.initialize(repeating: -7)
    let scratch = UnsafeMutableRawBufferPointer.allocate(
      byteCount: 4 * (count + 16), alignment: 64)
    defer { scratch.deallocate() }
    let floats = scratch.bindMemory(to: Float.self)
    floats.initialize(repeating: .nan)
    floats[count...].update(repeating: 5)
    if let target = out.baseAddress, let memory = floats.baseAddress {
      body(target, stride, memory)
    }
    #expect(floats[count...].allSatisfy { $0 == 5 })
    for y in 0..<height {
      #expect(out[y * stride + width..<(y + 1) * stride].allSatisfy { $0 == -7 })
    }
    return (0..<height).flatMap { out[$0 * stride..<$0 * stride + width] }
  }

  /// Values of all kinds, or values with many duplicates.
  private func plane(_ width: Int, _ height: Int, isWild: Bool, seed: UInt64) -> Plane {
    if isWild { return Plane(width, height, mixed(width * height, seed: seed)) }
    var random = SplitMix64(seed)
    return Plane(
      width, height,
      (0..<width * height).map { _ in Float(random.next() % 40) / 16 - 1 })
  }

  /// The order of the kernels: −0 below 0, NaN above all numbers.
  private func precedes(_ a: Float, _ b: Float) -> Bool {
    if a.isNaN || b.isNaN { return !a.isNaN }
    return a == b ? a.sign == .minus && b.sign == .plus : a < b
  }

  private func medians(_ kernels: Kernels, _ input: Plane, radius: Int) -> [Float] {
    let (width, height) = (input.width - 2 * radius, input.height - 2 * radius)
    return run(
      width: width, height: height, scratch: kernels.table.median_scratch(width, 1, radius)
    ) { out, stride, scratch in
      kernels.table.median(
        out, stride, input.values, input.width, width, height, 1, radius, false, scratch)
    }
  }

  private func expectMedians(_ input: Plane, radius: Int) {
    let side = 2 * radius + 1
    let (width, height) = (input.width - 2 * radius, input.height - 2 * radius)
    let expected = bits(
      (0..<width * height).map { place in
        let square = input.square(place % width, place / width, side: side)
        return square.sorted(by: precedes)[square.count / 2]
      })
    for kernels in Kernels.available {
      let wrong = zip(bits(medians(kernels, input, radius: radius)), expected).count { $0 != $1 }
      if wrong > 0 {
        Issue.record("\(kernels.name), radius \(radius), \(width) × \(height): \(wrong) differ")
      }
    }
  }

  /// Constant planes are not filtered; planes with a single differing value are.
  @Test func mediansAndExtremesOfOneValue() {
    for (radius, place) in [(1, 0), (2, 70), (3, 699), (1, nil), (4, nil)] as [(Int, Int?)] {
      var input = Plane(70 + 2 * radius, 10 + 2 * radius, [])
      input.values = [Float](repeating: 0.25, count: input.width * input.height)
      if let place { input.values[place] = 3 }
      expectMedians(input, radius: radius)
      for kernels in Kernels.available {
        let result = run(
          width: 70, height: 10, scratch: kernels.table.extremes_scratch(70, 10, 1, radius, radius)
        ) { out, stride, scratch in
          kernels.table.extremes(
            out, stride, input.values, input.width, 70, 10, 1, radius, radius, true, false,
            scratch)
        }
        let expected = (0..<700).map { index in
          input.square(index % 70, index / 70, side: 2 * radius + 1).max() ?? 0
        }
        #expect(result == expected)
      }
    }
  }

  /// Every radius, of values of all kinds.
  @Test(arguments: 0...50)
  func medianIsTheMiddleValue(radius: Int) {
    let input = plane(3 + 2 * radius, 2 + 2 * radius, isWild: radius % 2 == 0, seed: 31)
    expectMedians(input, radius: radius)
  }

  /// Widths and heights that are not multiples of a vector's or a tile's.
  @Test(arguments: 1...9)
  func mediansOfAnySize(radius: Int) {
    for (width, height, isWild) in [(1, 1, true), (40, 9, false), (131, 5, true), (7, 17, false)] {
      let input = plane(width + 2 * radius, height + 2 * radius, isWild: isWild, seed: 32)
      expectMedians(input, radius: radius)
    }
  }

  /// The scratch size planned for a large tile suffices for smaller ones.
  @Test func scratchNeverFalls() {
    for kernels in Kernels.available {
      for radius in 1...50 {
        for step in [1, 4] {
          let counts = (1...300).map { kernels.table.median_scratch(step * $0, step, radius) }
          #expect(counts == counts.sorted())
          let heights = (1...40).map {
            kernels.table.extremes_scratch(100 * step, $0, step, radius, 3)
          }
          #expect(heights == heights.sorted())
          let widths = (1...300).map {
            kernels.table.extremes_scratch(step * $0, 9, step, 3, radius)
          }
          #expect(widths == widths.sorted())
        }
        let guides = (1...300).map { kernels.table.guided_scratch($0, 20, radius, 2) }
        #expect(guides == guides.sorted())
      }
    }
  }

  @Test(
    arguments: [0, 1, 2, 3, 4, 7, 8, 15, 40].map { ($0, $0) } + [(0, 3), (5, 0), (9, 1), (2, 40)])
  func extremesOfRectangles(across: Int, down: Int) {
    for (width, height) in [(1, 1), (37, 19), (5, 40), (131, 3)] {
      let input = plane(width + 2 * across, height + 2 * down, isWild: true, seed: 33)
      for maximum in [true, false] {
        let expected = bits(
          (0..<width * height).map { place in
            let (x, y) = (place % width, place / width)
            let values = (y...y + 2 * down).flatMap { row in
              (x...x + 2 * across).map { input[$0, row] }
            }
            let numbers = values.filter { !$0.isNaN }.sorted(by: precedes)
            return (maximum ? numbers.last : numbers.first) ?? .nan
          })
        for kernels in Kernels.available {
          let result = run(
            width: width, height: height,
            scratch: kernels.table.extremes_scratch(width, height, 1, across, down)
          ) { out, stride, scratch in
            kernels.table.extremes(
              out, stride, input.values, input.width, width, height, 1, across, down, maximum,
              false, scratch)
          }
          if bits(result) != expected {
            Issue.record("\(kernels.name), \(across), \(down), \(width) × \(height), \(maximum)")
          }
        }
      }
    }
  }

  @Test func slopesAreRoundedStepByStep() {
    for (width, height) in [(1, 1), (37, 5), (130, 2)] {
      let input = plane(width + 2, height + 2, isWild: true, seed: 34)
      let expected = bits(
        (0..<width * height).map { place in
          let (x, y) = (place % width, place / width)
          func column(_ x: Int) -> Float { input[x, y] + 2 * input[x, y + 1] + input[x, y + 2] }
          func row(_ y: Int) -> Float { input[x, y] + 2 * input[x + 1, y] + input[x + 2, y] }
          let (across, down) = (column(x + 2) - column(x), row(y + 2) - row(y))
          return (across * across + down * down).squareRoot()
        })
      for kernels in Kernels.available {
        let result = run(width: width, height: height, scratch: 0) { out, stride, _ in
          kernels.table.sobel(out, stride, input.values, input.width, width, height, 1)
        }
        if bits(result) != expected { Issue.record("\(kernels.name), \(width) × \(height)") }
      }
    }
  }

  @Test(arguments: [(1, 1), (3, 3), (7, 7), (5, 1), (1, 5), (9, 3)])
  func tablesOfWeights(columns: Int, rows: Int) {
    var random = SplitMix64(35)
    let weights = (0..<columns * rows).map { index in
      index % 4 == 3 ? 0 : Float.random(in: -1...1, using: &random)
    }
    for (width, height) in [(1, 1), (37, 5), (131, 4), (70, 9)] {
      let input = plane(
        width + columns - 1, height + rows - 1, isWild: true, seed: UInt64(36 + rows))
      let expected = bits(
        (0..<width * height).map { place in
          var sum: Float = -0.0
          for (index, weight) in weights.enumerated() where weight != 0 {
            let value = input[place % width + index % columns, place / width + index / columns]
            sum = sum.addingProduct(value, weight)
          }
          return sum
        })
      for kernels in Kernels.available {
        let result = run(width: width, height: height, scratch: 0) { out, stride, _ in
          weights.withUnsafeBufferPointer { weights in
            var table = cpk_table(
              weights: weights.baseAddress, width: columns, height: rows, keeps_alpha: false)
            kernels.table.convolve(
              out, stride, input.values, input.width, width, height, 1, &table, false)
          }
        }
        if bits(result) != expected { Issue.record("\(kernels.name), \(width) × \(height)") }
      }
    }
  }

  /// A kernel over values of `width * height`, whose neighbors are `step` values away.
  private typealias Filter = (
    _ kernels: cpk_kernels, _ out: UnsafeMutablePointer<Float>, _ outStride: Int, _ in: [Float],
    _ inStride: Int, _ width: Int, _ height: Int, _ step: Int, _ streams: Bool,
    _ scratch: UnsafeMutablePointer<Float>
  ) -> Void

  /// Channels that lie together have the bits that they have as planes, also past the caches. The last one stays as it is where the filter
  /// keeps alpha. The first `usual` columns hold no NaN and no negative value, because small medians compare the bits of such values.
  private func expectSameInterleaved(
    _ name: String, reach: (columns: Int, rows: Int), keepsAlpha: Bool = false,
    scratch: (cpk_kernels, _ width: Int, _ height: Int, _ step: Int) -> Int, _ filter: Filter
  ) {
    for (width, height, usual) in [
      (1, 1, 0), (37, 6, 0), (131, 3, 0), (70, 12, 0), (70, 12, 999), (131, 3, 999), (201, 4, 90),
    ] {
      let (columns, rows) = (width + 2 * reach.columns, height + 2 * reach.rows)
      let planes = (0..<4).map { channel in
        var plane = plane(columns, rows, isWild: true, seed: UInt64(40 + channel))
        for index in plane.values.indices where index % columns < usual {
          let value = plane.values[index]
          plane.values[index] = value.isNaN ? 0 : abs(value)
        }
        return plane
      }
      let pixels = (0..<4 * columns * rows).map { planes[$0 % 4].values[$0 / 4] }
      for (kernels, streams) in Kernels.available.flatMap({ [($0, false), ($0, true)] }) {
        let together = run(
          width: 4 * width, height: height, scratch: scratch(kernels.table, 4 * width, height, 4),
          streams: streams
        ) { out, stride, memory in
          filter(
            kernels.table, out, stride, pixels, 4 * columns, 4 * width, height, 4, streams, memory)
        }
        for (channel, plane) in planes.enumerated() {
          var alone = run(
            width: width, height: height, scratch: scratch(kernels.table, width, height, 1)
          ) { out, stride, memory in
            filter(
              kernels.table, out, stride, plane.values, columns, width, height, 1, false, memory)
          }
          if keepsAlpha, channel == 3 {
            alone = (0..<width * height).map {
              plane[$0 % width + reach.columns, $0 / width + reach.rows]
            }
          }
          let values = stride(from: channel, to: together.count, by: 4).map { together[$0] }
          if bits(values) != bits(alone) {
            Issue.record("\(kernels.name), \(name), \(width) × \(height), channel \(channel)")
          }
        }
      }
    }
  }

  @Test(arguments: [1, 2, 3, 4, 9])
  func squaresOfInterleavedChannels(radius: Int) {
    expectSameInterleaved(
      "median of \(radius)", reach: (radius, radius),
      scratch: { kernels, width, _, step in kernels.median_scratch(width, step, radius) }
    ) { kernels, out, outStride, input, inStride, width, height, step, streams, scratch in
      kernels.median(
        out, outStride, input, inStride, width, height, step, radius, streams, scratch)
    }
    expectSameInterleaved(
      "maximum of \(radius)", reach: (radius, radius),
      scratch: { $0.extremes_scratch($1, $2, $3, radius, radius) }
    ) { kernels, out, outStride, input, inStride, width, height, step, streams, scratch in
      kernels.extremes(
        out, outStride, input, inStride, width, height, step, radius, radius, true, streams,
        scratch)
    }
  }

  @Test func slopesOfInterleavedChannels() {
    expectSameInterleaved(
      "Sobel", reach: (1, 1), keepsAlpha: true, scratch: { _, _, _, _ in 0 }
    ) { kernels, out, outStride, input, inStride, width, height, step, _, _ in
      kernels.sobel(out, outStride, input, inStride, width, height, step)
    }
  }

  @Test(arguments: [(1, 1), (3, 3), (7, 5), (5, 1), (1, 5)], [true, false])
  func tablesOfInterleavedChannels(size: (columns: Int, rows: Int), keepsAlpha: Bool) {
    var random = SplitMix64(39)
    let weights = (0..<size.columns * size.rows).map { _ in Float.random(in: -1...1, using: &random)
    }
    expectSameInterleaved(
      "\(size)", reach: (size.columns / 2, size.rows / 2), keepsAlpha: keepsAlpha,
      scratch: { _, _, _, _ in 0 }
    ) { kernels, out, outStride, input, inStride, width, height, step, streams, _ in
      weights.withUnsafeBufferPointer { weights in
        var table = cpk_table(
          weights: weights.baseAddress, width: size.columns, height: size.rows,
          keeps_alpha: keepsAlpha && step == 4)
        kernels.convolve(out, outStride, input, inStride, width, height, step, &table, streams)
      }
    }
  }

  /// A region gives the same bits in pictures with different origins, on all instruction sets.
  @Test(arguments: [1, 2, 3, 7, 20, 33])
  func guidedFiltersAgree(radius: Int) {
    let (width, height, down) = (300, 5, (radius + 1) / 2)
    let input = plane(width + 4 * radius, height + 4 * down, isWild: false, seed: 37)
    func filtered(_ kernels: Kernels, from left: Int, _ top: Int) -> [Float] {
      let (part, lines) = (width - left, height - top)
      return run(
        width: part, height: lines,
        scratch: kernels.table.guided_scratch(part, lines, radius, down)
      ) { out, stride, scratch in
        input.values.withUnsafeBufferPointer { values in
          kernels.table.guided(
            out, stride, values.baseAddress.map { $0 + top * input.width + left }, input.width,
            part, lines, radius, down, 0.01, scratch)
        }
      }
    }
    let whole = filtered(Kernels.available[0], from: 0, 0)
    for kernels in Kernels.available {
      for (left, top) in [(0, 0), (1, 0), (41, 3), (299, 4)] {
        let part = bits(filtered(kernels, from: left, top))
        let expected = (top..<height).flatMap { row -> [UInt32] in
          let start = row * width
          return bits(Array(whole[start + left..<start + width]))
        }
        if part != expected {
          Issue.record("\(kernels.name), radius \(radius), from \(left), \(top)")
        }
      }
    }
  }
}
