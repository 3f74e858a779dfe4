import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Graphs of everything: what the engine promises holds however steps are put together.
@Suite struct RandomGraphTests {
  /// Any tile size, any number of threads: the same bits. And what the reference says, in double precision.
  @Test func tilesThreadsAndReferenceAgree() throws {
    for seed in 0..<400 { try check(seed: UInt64(seed)) }
  }

  private func check(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let picture = RandomGraph.picture(depth: 5, using: &generator)
    let whole = try render(picture, tile: picture.size, threads: 1)
    for (tile, threads) in [(PixelSize(7, 5), 2), (PixelSize(64, 64), 1), (PixelSize(16, 1), 3)] {
      let tiled = try render(picture, tile: tile, threads: threads)
      #expect(tiled.firstDifference(from: whole) == nil, "seed \(seed): \(picture.plan)")
    }
    let naive = try render(picture, tile: nil, threads: nil, fusion: .withoutLaws)
    let reference = try ReferenceEvaluator().render(picture)
    // Up to six rounds of curves and sums, each within 10⁻⁶ of the largest value there is; resampling and exposure enlarge them.
    let tolerance = 1e-4
    for y in 0..<picture.size.height {
      for x in 0..<picture.size.width {
        let coverage = whole.channels == .rgba ? Double(whole[x, y, 3]) : 1
        // Where next to nothing covers a pixel, its color is the quotient of two roundings.
        if abs(coverage) < 1e-3 { continue }
        for channel in 0..<whole.channels.count {
          let (value, expected) = (Double(whole[x, y, channel]), reference[x, y][channel])
          let allowed = tolerance * max(1, abs(expected)) / min(1, abs(coverage))
          if abs(value - expected) > allowed
            || abs(Double(naive[x, y, channel]) - expected) > allowed
          {
            Issue.record(
              "seed \(seed), (\(x), \(y)) channel \(channel): \(value), \(naive[x, y, channel]) without laws, \(expected) expected\n\(picture.plan)"
            )
            return
          }
        }
      }
    }
  }

  /// Rendered together, pictures are what they are alone.
  @Test func severalResultsAreWhatEachIsAlone() throws {
    for seed in 1000..<1100 { try checkTogether(seed: UInt64(seed)) }
  }

  private func checkTogether(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let first = RandomGraph.picture(depth: 3, using: &generator)
    let wide = RandomGraph.step(after: first, depth: 0, using: &generator)
    let narrow = RandomGraph.step(after: wide, depth: 1, using: &generator)
    let pictures = [first, wide, narrow, wide]
    let together = try Picture.render(pictures, as: Float.self)
    for (picture, bitmap) in zip(pictures, together) {
      #expect(
        bitmap.firstDifference(from: try picture.render(as: Float.self)) == nil, "seed \(seed)")
    }
  }

  private func render(
    _ picture: Picture, tile: PixelSize?, threads: Int?, fusion: RenderOptions.Fusion = .full
  ) throws -> Bitmap<Float> {
    var options = RenderOptions()
    (options.tile, options.threads, options.fusion) = (tile, threads, fusion)
    return try picture.render(options: options)
  }
}

/// Pictures made of random steps.
enum RandomGraph {
  static func picture(depth: Int, using generator: inout SeededGenerator) -> Picture {
    if depth == 0 || Int.random(in: 0..<6, using: &generator) == 0 {
      return source(using: &generator)
    }
    return step(
      after: picture(depth: depth - 1, using: &generator), depth: depth - 1, using: &generator)
  }

  static func step(
    after picture: Picture, depth: Int, using generator: inout SeededGenerator
  ) -> Picture {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    switch number(0...12) {
    case 0: return picture.inverted()
    case 1: return picture.exposure(Double(number(-2...1)) / 2)
    case 2: return picture.converted(to: [.sRGB, .displayP3, .linearSRGB][number(0...2)])
    case 3: return picture.resized(to: .exact(number(1...40), number(1...20)))
    case 4: return picture.applying(SquareMean(reach: number(1...3)))
    case 5:
      let region = picture.region
      return picture.cropped(
        to: Region(
          x: region.x + number(0...region.width - 1), y: region.y + number(0...region.height - 1),
          width: number(1...30), height: number(1...30)))
    case 6:
      let edges = Edges.allCases[number(0...Edges.allCases.count - 1)]
      return picture.padded(
        to: Region(
          x: picture.region.x - number(-3...9), y: picture.region.y - number(-3...9),
          width: number(1...40), height: number(1...30)), edges: edges)
    case 7: return picture.moved(by: Offset(number(-5...5), number(-5...5)))
    case 8: return picture.applying(Mean(extent: .union), with: [picture.exposure(0.5)])
    case 9:
      let edges = Edges.allCases[number(0...Edges.allCases.count - 1)]
      return picture.extended(by: edges).applying(SquareMean(reach: 2))
        .cropped(to: Region(x: -number(0...4), y: number(0...4), width: 20, height: 9))
    case 10:
      return picture.applying(Mean(extent: .first), with: [Picture(Ramp(), in: .sRGB)])
    default:
      let extent = BlendExtent.allCases[number(0...1)]
      return picture.applying(
        Mean(extent: extent), with: [self.picture(depth: depth, using: &generator)])
    }
  }

  private static func source(using generator: inout SeededGenerator) -> Picture {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    let size = PixelSize(number(1...45), number(1...25))
    return switch number(0...3) {
    case 0: Picture(TestPictures.codes(as: UInt8.self, size))
    case 1: Picture(TestPictures.codes(as: UInt16.self, size, channels: .grayAlpha))
    case 2: Picture(TestPictures.floats(size, arrangement: .planar))
    default: Picture(Ramp(), in: .displayP3).cropped(to: Region(size))
    }
  }
}

/// The mean of all inputs.
struct Mean: BlendFilter {
  var extent: BlendExtent

  func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    inputs.reduce(.zero, +) / Double(inputs.count)
  }
}

/// The mean of a square of pixels.
struct SquareMean: AreaFilter {
  var reach: Int

  func inputRegion(for output: Region, of input: PixelSize) -> Region {
    output.expanded(by: reach)
  }

  func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    var sum = SIMD4<Double>.zero
    for row in y - reach...y + reach {
      for column in x - reach...x + reach { sum += read(column, row) }
    }
    return sum / Double((2 * reach + 1) * (2 * reach + 1))
  }
}

/// Red runs to the right, green down, in waves of 32 pixels.
struct Ramp: Painter {
  func pixel(x: Int, y: Int) -> SIMD4<Double> {
    SIMD4(Double(x & 31) / 32, Double(y & 31) / 32, 0.25, 1)
  }
}
