import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import Testing
import _TestSupport

/// Properties of the engine for random graphs of all steps.
@Suite struct RandomGraphTests {
  /// Any tile size and number of threads gives the same bits, which agree with the reference in double precision.
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
    // Up to six rounds of curves and sums, each within 10⁻⁶ of the largest value; resampling and exposure amplify them.
    let tolerance = 1e-4
    for y in 0..<picture.size.height {
      for x in 0..<picture.size.width {
        let coverage = whole.channels == .rgba ? Double(whole[x, y, 3]) : 1
        // Where alpha is nearly 0, the color is the quotient of two rounded values.
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

  /// A plan's text has a line for each step that runs, with the numbers of its inputs.
  @Test func plansShowTheStepsThatRun() throws {
    for seed in 7000..<7400 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let picture = RandomGraph.picture(depth: 5, using: &generator)
      let lines = picture.plan.split(separator: "\n")
      let steps = try picture.planReport(as: Float.self).steps
      #expect(lines.count == steps.count, "seed \(seed): \(picture.plan)")
      let isChain = steps.indices.allSatisfy { steps[$0].inputs == ($0 == 0 ? [] : [$0 - 1]) }
      for (index, (line, step)) in zip(lines, steps).enumerated() {
        let inputs = step.inputs.map { "\($0 + 1)" }.joined(separator: " and ")
        let numbered = "\(index + 1): \(step.name)" + (inputs.isEmpty ? "" : ", of \(inputs)")
        #expect(line == (isChain ? step.name : numbered), "seed \(seed)")
        #expect(step.inputs.allSatisfy { $0 < index }, "seed \(seed): \(line)")
        // Steps without a consumer are results. A step that runs is needed somewhere.
        let isRead = steps.contains { $0.inputs.contains(index) }
        #expect(isRead == (index < steps.count - 1), "seed \(seed): \(line)")
      }
      // Each step on a pixel's path is explained by the names of its line.
      let pixel = picture.region
      let names = Set(try picture.explain(x: pixel.x, y: pixel.y).steps.map(\.name))
      let shown = Set(steps.flatMap { $0.name.components(separatedBy: " → ") })
      #expect(names.isSubset(of: shown), "seed \(seed): \(names.subtracting(shown))")
    }
  }

  /// Ten thousand graphs: rewriting gives the same as running the stages sequentially.
  @Test(arguments: 0..<10) func lawsPreserveTheMeaningOfGraphs(thousand: Int) throws {
    for seed in 1000 * thousand..<1000 * (thousand + 1) {
      var generator = SeededGenerator(seed: (1 << 32) + UInt64(seed))
      let picture = RandomGraph.picture(depth: 4, using: &generator)
      let lawful = try render(picture, tile: nil, threads: 1)
      let naive = try render(picture, tile: picture.size, threads: 1, fusion: .stageByStage)
      // Four rounds of curves and sums in single precision, as above.
      let difference = lawful.largestDifference(from: naive)
      #expect(difference <= 1e-4, "seed \(seed): \(picture.plan)")
    }
  }

  /// The law of crops: a part of a picture has the same bits as in the whole, with less work.
  @Test func cropsEqualPartsOfTheWhole() throws {
    for seed in 3000..<3500 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let picture = RandomGraph.picture(depth: 4, using: &generator)
      let region = picture.region
      let (x, y) = (
        Int.random(in: 0..<region.width, using: &generator),
        Int.random(in: 0..<region.height, using: &generator)
      )
      let size = PixelSize(
        .random(in: 1...region.width - x, using: &generator),
        .random(in: 1...region.height - y, using: &generator))
      let whole = try picture.render(as: Float.self)
      let part = try picture.cropped(
        to: Region(x: region.x + x, y: region.y + y, width: size.width, height: size.height)
      )
      .render(as: Float.self)
      let expected = try Picture(whole).cropped(
        to: Region(x: x, y: y, width: size.width, height: size.height)
      )
      .render(as: Float.self)
      #expect(part.firstDifference(from: expected) == nil, "seed \(seed): \(picture.plan)")
    }
  }

  /// The law of common subexpressions: equal steps run once, with the same bits.
  @Test func equalStepsAreComputedOnce() throws {
    for seed in 5000..<5500 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let source = RandomGraph.picture(depth: 0, using: &generator)
      func written() -> Picture {
        var generator = SeededGenerator(seed: UInt64(seed))
        return (0..<4).reduce(source) { picture, _ in
          RandomGraph.step(after: picture, depth: 0, using: &generator)
        }
      }
      let once = written()
      let mean = Mean(extent: .first)
      let (two, one) = (once.applying(mean, with: [written()]), once.applying(mean, with: [once]))
      #expect(
        try two.render(as: Float.self).firstDifference(from: one.render(as: Float.self)) == nil,
        "seed \(seed): \(two.plan)")
    }
  }

  /// Equal steps that store are computed once, and so are those after them; other formats are others.
  @Test func equalStoresAreComputedOnce() throws {
    let source = Picture(TestPictures.codes(as: UInt8.self, PixelSize(20, 10), channels: .rgb))
    func stored(as format: SampleFormat) -> Picture {
      source.exposure(0.5).stored(as: format).median(radius: 1)
    }
    let mean = Mean(extent: .first)
    for (other, medians) in [(SampleFormat.uint8, 1), (.float16, 2)] {
      let picture = stored(as: .uint8).applying(mean, with: [stored(as: other)])
      let report = try picture.planReport(as: Float.self)
      #expect(report.steps.count { $0.name.contains("median") } == medians, "\(report)")
    }
  }

  /// Pictures that are rendered together equal those rendered separately.
  @Test func jointResultsEqualSeparateOnes() throws {
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
