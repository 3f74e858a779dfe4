import ColorSpaces
import ImageBuffer
import Testing
import _TestSupport

/// Dithering, which preserves means.
@Suite struct DitherTests {
  /// A bitmap of one gray value.
  private func flat(_ number: Float, _ size: PixelSize = PixelSize(64, 64)) -> Bitmap<Float> {
    Bitmap(size, in: .sRGB, channels: .gray) { _, _ in [number] }
  }

  private static let all = Dither.Method.allCases
  private static let allButNoise = all.filter { $0 != .triangularNoise }

  @Test(arguments: allButNoise) func meansArePreserved(method: Dither.Method) throws {
    for number in stride(from: Float(0), through: 1, by: 1 / 97) {
      let codes = try flat(number).converted(to: UInt8.self, dither: Dither(method))
      let sum = (0..<64).reduce(0) { $0 + codes.row($1).reduce(0) { $0 + Int($1) } }
      // A matrix has 64 thresholds, so half of one is lost; error diffusion loses at most half a level for each pixel
      // of the square's bottom and side edges.
      let bound = method == .errorDiffusion ? 0.5 * 3 * 64 / 4096 : 0.5 / 64 + 1e-4
      #expect(abs(Double(sum) / 4096 - Double(number) * 255) <= bound, "\(number)")
    }
  }

  /// Unused channels are filled with ones, to which noise adds nothing.
  @Test(arguments: all) func unusedChannelsAreNotDithered(method: Dither.Method) throws {
    let source = TestPictures.floats(PixelSize(130, 40), channels: .rgb)
    let codes = try source.converted(to: UInt8.self, channels: .rgbx, dither: Dither(method))
    let colors = try source.converted(to: UInt8.self, dither: Dither(method))
    for y in 0..<40 {
      for x in 0..<130 {
        #expect(codes[x, y, 3] == 255)
        for channel in 0..<3 { #expect(codes[x, y, channel] == colors[x, y, channel]) }
      }
    }
  }

  @Test(arguments: all) func numbersMoveByLessThanALevel(method: Dither.Method) throws {
    let source = TestPictures.floats(PixelSize(130, 40), channels: .rgba)
    func check<Sample: PixelSample & FixedWidthInteger>(_: Sample.Type) throws {
      let codes = try source.converted(to: Sample.self, dither: Dither(method))
      let largest = Double(Sample.max)
      for y in 0..<40 {
        for x in 0..<130 {
          for channel in 0..<4 {
            let exact = min(max(Double(source[x, y, channel]), 0), 1) * largest
            // Alpha is rounded to nearest, an error of half a level as for all rounding; matrices and diffused errors
            // add half a level to color, noise a whole one. Single precision adds 2⁻²⁴ of the value.
            let added = channel == 3 ? 0 : method == .triangularNoise ? 1 : 0.5
            let bound = 0.5 + added + largest * 0x1p-22
            #expect(abs(Double(codes[x, y, channel]) - exact) <= bound)
          }
        }
      }
    }
    try check(UInt8.self)
    try check(UInt16.self)
  }

  @Test(arguments: allButNoise) func levelsAreUnchanged(method: Dither.Method) throws {
    let bytes = TestPictures.codes(as: UInt8.self, PixelSize(200, 70))
    #expect(try bytes.converted(to: UInt8.self, dither: Dither(method)) == bytes)
    #expect(
      try bytes.converted(to: UInt16.self, dither: Dither(method))
        == bytes.converted(to: UInt16.self))
    let words = TestPictures.codes(as: UInt16.self, PixelSize(700, 100))
    #expect(try words.converted(to: UInt16.self, dither: Dither(method)) == words)
    #expect(
      try words.converted(to: Float.self).converted(to: UInt16.self, dither: Dither(method))
        == words)
  }

  @Test(arguments: all) func outputHasTheRequestedLevels(method: Dither.Method) throws {
    let ramp = Bitmap<Float>(PixelSize(256, 16), in: .sRGB, channels: .gray) { x, _ in
      [Float(x) / 255]
    }
    for levels in [2, 3, 4, 6] {
      let dither = Dither(method, levels: levels)
      let codes = try ramp.converted(to: UInt8.self, dither: dither)
      let allowed = Set(
        (0..<levels).map {
          UInt8((Double($0) * 255 / Double(levels - 1)).rounded(.toNearestOrEven))
        })
      #expect(Set((0..<16).flatMap { codes.row($0) }) == allowed)
      // Floating-point samples have the same levels if a number of levels is given.
      #expect(try ramp.converted(to: Float.self, dither: dither).converted(to: UInt8.self) == codes)
    }
    #expect(try ramp.converted(to: Float.self, dither: Dither(method)) == ramp)
  }

  @Test(arguments: all) func premultipliedColorNeverExceedsAlpha(method: Dither.Method) throws {
    let source = TestPictures.floats(PixelSize(130, 40), channels: .rgba)
    let codes = try source.converted(
      to: UInt8.self, alpha: .premultiplied, dither: Dither(method))
    for y in 0..<40 {
      for x in 0..<130 {
        for channel in 0..<3 { #expect(codes[x, y, channel] <= codes[x, y, 3]) }
      }
    }
  }

  @Test(arguments: all) func resultIsIndependentOfLayoutAndNeighbors(method: Dither.Method) throws {
    let source = TestPictures.floats(PixelSize(130, 20), channels: .rgba)
    let usual = try source.converted(to: UInt8.self, dither: Dither(method))
    let other = try source.converted(channels: .abgr, arrangement: .planar)
      .converted(to: UInt8.self, dither: Dither(method))
    #expect(try other.converted(channels: .rgba) == usual)
    if method == .ordered || method == .blueNoise {
      // A view that begins at a multiple of the matrix size has the same pixels.
      let view = source.view(of: Region(x: 64, y: 0, width: 66, height: 20))
      #expect(
        try view.converted(to: UInt8.self, dither: Dither(method))
          == usual.view(of: Region(x: 64, y: 0, width: 66, height: 20)))
    }
  }

  @Test func orderedDitherIsBayers() throws {
    // The Bayer matrix of 8 × 8 thresholds, from the one of 2 × 2: M(2n) = 4 M(n) + M(2) (Bayer 1973).
    var matrix = [[0]]
    while matrix.count < 8 {
      let n = matrix.count
      matrix = (0..<2 * n).map { y in
        (0..<2 * n).map { x in 4 * matrix[y % n][x % n] + [[0, 2], [3, 1]][y / n][x / n] }
      }
    }
    // A pixel is on where its threshold is below the value, that is, where its offset is high enough.
    for level in 0...64 {
      let codes = try flat(Float(level) / 64, PixelSize(8, 8))
        .converted(to: UInt8.self, dither: Dither(.ordered, levels: 2))
      let on = (0..<8).flatMap { codes.row($0) }.filter { $0 == 255 }.count
      #expect(on == level)
      for y in 0..<8 {
        for x in 0..<8 { #expect((codes[x, y, 0] == 255) == (matrix[y][x] >= 64 - level)) }
      }
    }
  }

  @Test func blueNoiseHasNoLowFrequencies() throws {
    let half = try flat(0.5).converted(to: UInt8.self, dither: Dither(.blueNoise, levels: 2))
    // For an 8 × 8 block of independent pixels the count has a variance of 16.
    var variance = 0.0
    for block in 0..<64 {
      let (left, top) = (block % 8 * 8, block / 8 * 8)
      let on = (0..<64).filter { half[left + $0 % 8, top + $0 / 8, 0] == 255 }.count
      variance += Double((on - 32) * (on - 32)) / 64
    }
    #expect(variance < 3)
    // It is no regular pattern either: shifts by up to 8 pixels do not repeat it.
    for dx in 1...8 {
      let same = (0..<4096).filter { index in
        let (x, y) = (index % 64, index / 64)
        return half[x, y, 0] == half[(x + dx) % 64, y, 0]
      }.count
      #expect(same < 4096 * 3 / 4 && same > 4096 / 8)
    }
  }

  /// The error has the same mean and variance everywhere between two levels, and on the levels.
  @Test func triangularNoiseHasUniformGrain() throws {
    for part in stride(from: Float(0), to: 1, by: 0.125) {
      let wanted = 100 + part
      let codes = try flat(wanted / 255, PixelSize(256, 256))
        .converted(to: UInt8.self, dither: .triangularNoise)
      let errors = (0..<256).flatMap { y in codes.row(y).map { Double($0) - Double(wanted) } }
      let mean = errors.reduce(0, +) / 65_536
      let variance = errors.reduce(0) { $0 + $1 * $1 } / 65_536
      // For 65,536 independent errors with a standard deviation of ½, and that of their squares less than ½: five times
      // a 256th of that.
      #expect(abs(mean) < 0.01, "\(part)")
      #expect(abs(variance - 0.25) < 0.01, "\(part)")
    }
  }

  /// Within half a level of black and white the clamp cuts off one side of the noise, ½ (½ − d)² of a level on average.
  @Test(arguments: [Float(0), 0.25, 0.5, 1])
  func triangularNoiseShiftsTheEnds(distance: Float) throws {
    let shift = distance < 0.5 ? 0.5 * Double((0.5 - distance) * (0.5 - distance)) : 0
    for (wanted, expected) in [(distance, shift), (255 - distance, -shift)] {
      let codes = try flat(wanted / 255, PixelSize(256, 256))
        .converted(to: UInt8.self, dither: .triangularNoise)
      let errors = (0..<256).flatMap { y in codes.row(y).map { Double($0) - Double(wanted) } }
      // Five times a 256th of a standard deviation of at most ½.
      #expect(abs(errors.reduce(0, +) / 65_536 - expected) < 0.01, "\(wanted)")
    }
  }

  /// SplitMix64's values of each pixel, computed with Python's integers.
  @Test func triangularNoiseIsThatOfItsSeed() throws {
    func rows(seed: UInt64) throws -> [[UInt8]] {
      let codes = try flat(0.5, PixelSize(12, 3))
        .converted(to: UInt8.self, dither: Dither(.triangularNoise, levels: 6, seed: seed))
      return (0..<3).map { y in codes.row(y).map { $0 / 51 } }
    }
    #expect(
      try rows(seed: 0) == [
        [2, 2, 2, 3, 2, 3, 2, 2, 3, 2, 2, 2],
        [2, 2, 3, 3, 3, 2, 3, 2, 3, 2, 3, 3],
        [3, 2, 3, 3, 2, 2, 3, 3, 3, 2, 2, 2],
      ])
    #expect(
      try rows(seed: 7) == [
        [3, 2, 2, 3, 2, 2, 3, 2, 3, 2, 2, 2],
        [2, 2, 3, 2, 3, 3, 2, 2, 2, 2, 3, 3],
        [3, 3, 3, 3, 2, 3, 3, 3, 2, 2, 3, 3],
      ])
  }

  /// The grain of a film whose frames are the seeds does not move by a row for each of them.
  @Test func triangularNoiseOfSeedsSharesNoRows() throws {
    func codes(seed: UInt64) throws -> Bitmap<UInt8> {
      try flat(0.5).converted(
        to: UInt8.self, dither: Dither(.triangularNoise, levels: 2, seed: seed))
    }
    let frames = try (0..<3).map { try codes(seed: $0) }
    for (first, second) in [(0, 1), (0, 2), (1, 2)] {
      for y in 0..<56 {
        for shift in 0..<8 {
          #expect(frames[first].row(y + shift) != frames[second].row(y))
        }
      }
    }
  }

  /// The published algorithm, in double precision over values for which all sums are exact.
  @Test func errorDiffusionIsFloydAndSteinbergs() throws {
    let size = PixelSize(61, 17)
    let source = Bitmap<Float>(size, in: .sRGB, channels: .gray) { x, y in
      [Float((x * 37 + y * 101) % 257) / 256]
    }
    let codes = try source.converted(to: UInt8.self, dither: Dither(.errorDiffusion, levels: 2))
    var numbers = (0..<17).map { y in (0..<61).map { Double(source[$0, y, 0]) } }
    var different = 0
    for y in 0..<17 {
      for x in 0..<61 {
        let old = numbers[y][x]
        let new = old > 0.5 ? 1.0 : 0
        if (codes[x, y, 0] == 255) != (new == 1) { different += 1 }
        func add(_ dx: Int, _ dy: Int, _ weight: Double) {
          guard (0..<61).contains(x + dx), y + dy < 17 else { return }
          numbers[y + dy][x + dx] += (old - new) * weight / 16
        }
        add(1, 0, 7)
        add(-1, 1, 3)
        add(0, 1, 5)
        add(1, 1, 1)
      }
    }
    #expect(different == 0)
  }

  @Test func nanDiffusesNoError() throws {
    var source = flat(0.3, PixelSize(9, 9))
    source[4, 4, 0] = .nan
    source[5, 4, 0] = .infinity
    let codes = try source.converted(to: UInt8.self, dither: .errorDiffusion)
    #expect((codes[4, 4, 0], codes[5, 4, 0]) == (0, 255))
    #expect((0..<9).allSatisfy { y in codes.row(y).allSatisfy { [0, 76, 77, 255].contains($0) } })
  }
}
