import ColorSpaces
import FilterGraph
import ImageBuffer
import Synchronization
import Testing
import _TestSupport

/// Copies of steps whose readers need regions far apart, where a plan would exceed the memory limit.
@Suite struct StepCopiesTests {
  /// Options under which a rendering needs copies: a byte less than the memory that it takes without them.
  private func options(
    for pictures: [Picture], inBands: Bool = false, tile: PixelSize, threads: Int = 1
  ) throws -> RenderOptions {
    var options = RenderOptions()
    (options.tile, options.threads) = (tile, threads)
    options.memoryLimit =
      try Picture.planReport(pictures, as: Float.self, inBands: inBands, options: options).peakBytes
      - 1
    return options
  }

  /// The number of steps with `name`.
  private func count(_ name: String, in report: PlanReport) -> Int {
    report.steps.count { $0.name.contains(name) }
  }

  private func blended(_ picture: Picture, _ orientation: Orientation) -> Picture {
    picture.applying(Mean(extent: .first), with: [picture.oriented(orientation)])
  }

  /// A large picture over its half-turn or mirror image is computed in small tiles, within the memory of a small machine.
  @Test(arguments: [Orientation.halfTurned, .mirrored, .flipped, .transverse])
  func largeReorientationsKeepTheLimit(orientation: Orientation) throws {
    let size = orientation.exchangesAxes ? PixelSize(10_000, 10_000) : PixelSize(12_000, 9000)
    let filtered = Picture(Ramp(), in: .sRGB).cropped(to: Region(size)).median(radius: 3)
    let picture = blended(filtered, orientation)
    var options = RenderOptions()
    (options.threads, options.memoryLimit) = (2, 1 << 30)
    for inBands in [false, true] {
      let report = try picture.planReport(as: UInt8.self, inBands: inBands, options: options)
      #expect(report.refusal == nil)
      let medians = report.steps.filter { $0.name.contains("median") }
      // A mirror image lies in the same rows or columns: tiles of whole ones need no copies in little memory.
      let isMirrored = orientation == .mirrored || orientation == .flipped
      #expect(medians.count == 2 || isMirrored, "\(report)")
      #expect(medians.allSatisfy { $0.tile.pixelCount < 1 << 22 }, "\(report)")
    }
  }

  /// Copies compute the same bits, which agree with the reference.
  @Test func copiesComputeTheSame() throws {
    let size = PixelSize(200, 120)
    let bitmap = TestPictures.codes(as: UInt8.self, size, channels: .rgb)
    for source in [Picture(bitmap), Picture(CountedRows(bitmap)), Picture(Ramp(), in: .sRGB)] {
      let source = source.isEndless ? source.cropped(to: Region(size)) : source
      for picture in [
        blended(source.median(radius: 2), .halfTurned), blended(source, .halfTurned),
        blended(source.exposure(-1).boxBlurred(radius: 2).inverted(), .flipped),
        blended(blended(source, .flipped).applying(SquareMean(reach: 1)), .halfTurned),
      ] {
        let expected = try picture.render(as: Float.self)
        let reference = try ReferenceEvaluator().render(picture)
        var worst = 0.0
        for y in 0..<size.height {
          for x in 0..<size.width {
            for channel in 0..<expected.channels.count {
              worst = max(
                worst, abs(Double(expected[x, y, channel]) - reference[x, y][channel]))
            }
          }
        }
        #expect(worst < 1e-5, "\(picture.plan)")
        var onOneThread = RenderOptions()
        onOneThread.threads = 1
        let stepCount = try picture.planReport(as: Float.self, options: onOneThread).steps.count
        for (tile, threads) in [
          (PixelSize(16, 16), 1), (PixelSize(37, 11), 2), (PixelSize(200, 8), 1),
        ] {
          let options = try options(for: [picture], tile: tile, threads: threads)
          let report = try picture.planReport(as: Float.self, options: options)
          #expect(report.refusal == nil && report.steps.count > stepCount, "\(tile)\n\(report)")
          let copied = try picture.render(as: Float.self, options: options)
          #expect(copied.firstDifference(from: expected) == nil, "\(tile)\n\(report)")
        }
      }
    }
  }

  /// Copies of a source that gives its rows in order are copies of tiles of it: it is read once.
  @Test func rowsAreReadOnce() throws {
    let rows = CountedRows(
      TestPictures.codes(as: UInt8.self, PixelSize(300, 200), channels: .rgb))
    let picture = blended(Picture(rows), .halfTurned)
    let options = try options(for: [picture], tile: PixelSize(16, 16))
    let report = try picture.planReport(as: Float.self, options: options)
    #expect(report.refusal == nil)
    #expect(count("row by row", in: report) == 1, "\(report)")
    #expect(count("load rows", in: report) == 2, "\(report)")
    _ = try picture.render(as: Float.self, options: options)
    #expect(rows.log.withLock { $0.read } == 200)
    #expect(rows.log.withLock { $0.readers } == 1)
  }

  /// A result and a step may be the readers that are far apart. Bands have tiles of the plan that runs.
  @Test func resultsReadCopies() throws {
    let filtered = Picture(TestPictures.codes(as: UInt8.self, PixelSize(300, 200), channels: .rgb))
      .median(radius: 2)
    let pictures = [filtered, filtered.oriented(.halfTurned)]
    let expected = try pictures.map { try $0.render(as: Float.self) }
    let whole = try options(for: pictures, tile: PixelSize(16, 16), threads: 2)
    for (bitmap, expected) in zip(
      try Picture.render(pictures, as: Float.self, options: whole), expected)
    {
      #expect(bitmap.firstDifference(from: expected) == nil)
    }
    let banded = try options(for: pictures, inBands: true, tile: PixelSize(16, 16), threads: 2)
    let report = try Picture.planReport(pictures, as: Float.self, inBands: true, options: banded)
    #expect(report.refusal == nil && count("median", in: report) == 2, "\(report)")
    let differences = Mutex(0)
    let rows = Mutex(0)
    try Picture.renderBands(pictures, as: Float.self, options: banded) { picture, first, band in
      for y in 0..<band.size.height {
        let isEqual = Array(band.row(y)) == Array(expected[picture].row(first + y))
        differences.withLock { $0 += isEqual ? 0 : 1 }
        rows.withLock { $0 += 1 }
      }
    }
    #expect(differences.withLock { $0 } == 0 && rows.withLock { $0 } == 400)
  }

  /// Random graphs over their own half-turns have the same bits with copies.
  @Test func copiesPreserveRandomGraphs() throws {
    var copied = 0
    for seed in 9000..<9100 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let picture = blended(
        RandomGraph.picture(depth: 4, scale: 6, using: &generator), .halfTurned)
      let options = try options(for: [picture], tile: PixelSize(16, 8), threads: 1 + seed % 2)
      let report = try picture.planReport(as: Float.self, options: options)
      var always = options
      (always.memoryLimit, always.copiesStepsReadFarApart) = (nil, true)
      #expect(
        try picture.render(as: Float.self, options: always)
          .firstDifference(from: picture.render(as: Float.self)) == nil, "seed \(seed)")
      if report.refusal != nil { continue }
      copied += 1
      let bitmap = try picture.render(as: Float.self, options: options)
      #expect(
        bitmap.firstDifference(from: try picture.render(as: Float.self)) == nil,
        "seed \(seed)\n\(report)")
    }
    #expect(copied > 0)
  }

  /// Caches of half floats hold the same in a plan with copies; their own steps are not copied.
  @Test(arguments: [true, false]) func cachesKeepTheirPixels(isShared: Bool) throws {
    let source = Picture(TestPictures.codes(as: UInt8.self, PixelSize(300, 200), channels: .rgb))
    var options = RenderOptions()
    (options.tile, options.intermediate) = (PixelSize(16, 16), .half(maximumError: 1e-3))
    func picture() -> Picture {
      let cache = PictureCache(bytes: 1 << 20)
      let median = source.boxBlurred(radius: 1).cached(in: cache).median(radius: 2)
      return blended(isShared ? median.cached(in: cache) : median, .halfTurned)
    }
    let expected = try picture().render(as: Float.self, options: options)
    options.copiesStepsReadFarApart = true
    let report = try picture().planReport(as: Float.self, options: options)
    #expect(count("median", in: report) == (isShared ? 1 : 2), "\(report)")
    let copied = try picture().render(as: Float.self, options: options)
    #expect(copied.firstDifference(from: expected) == nil, "\(report)")
  }

  /// A plan of a single tile gets copies where more threads may run, and where planning its bounding box fails.
  @Test func copiesOccupyThreads() throws {
    let filtered = Picture(Ramp(), in: .sRGB).cropped(to: Region(PixelSize(4000, 3000)))
      .median(radius: 3)
    var options = RenderOptions()
    for (threads, copies) in [(1, 1), (2, 2), (16, 2)] {
      options.threads = threads
      let report = try blended(filtered, .halfTurned).planReport(as: UInt8.self, options: options)
      #expect(count("median", in: report) == copies, "\(report)")
      #expect(report.threads == threads, "\(report)")
    }
    let endless = Picture(Ramp(), in: .sRGB).boxBlurred(radius: 1)
    let distant = endless.applying(
      Mean(extent: .first), with: [endless.moved(by: Offset(1_000_000_000, 1_000_000_000))]
    ).cropped(to: Region(PixelSize(40, 30)))
    #expect(try distant.render(as: Float.self).size == PixelSize(40, 30))
  }

  // MARK: The number of copies

  /// Readers at the same place share a copy: half-turns of half-turns need two places of each step, not one more with every step.
  @Test func readersAtOnePlaceShareACopy() throws {
    let source = Picture(TestPictures.codes(as: UInt8.self, PixelSize(300, 200), channels: .rgb))
    let picture = (0..<6).reduce(source) { picture, _ in
      blended(picture.applying(SquareMean(reach: 1)), .halfTurned)
    }
    let options = try options(for: [picture], tile: PixelSize(16, 16))
    let report = try picture.planReport(as: Float.self, options: options)
    #expect(report.refusal == nil)
    #expect(count("SquareMean", in: report) == 12, "\(report)")
    let copied = try picture.render(as: Float.self, options: options)
    #expect(copied.firstDifference(from: try picture.render(as: Float.self)) == nil)
  }

  /// A chain of blends doubles the places at which the steps before are read. A step has up to eight copies, or one where it would need
  /// more.
  @Test(arguments: [([1000, 2000, 4000], 8 + 4 + 2), ([1000, 2000, 4000, 8000], 1 + 8 + 4 + 2)])
  func copiesOfAStepAreLimited(distances: [Int], copies: Int) throws {
    let source = Picture(Ramp(), in: .sRGB).cropped(to: Region(PixelSize(20_000, 8)))
    let picture = distances.reduce(source) { picture, distance in
      let mean = picture.applying(SquareMean(reach: 1))
      return mean.applying(Mean(extent: .first), with: [mean.applying(Shift(columns: distance))])
    }
    var options = RenderOptions()
    (options.tile, options.copiesStepsReadFarApart) = (PixelSize(8, 8), true)
    let report = try picture.planReport(as: Float.self, options: options)
    #expect(report.refusal == nil)
    #expect(count("SquareMean", in: report) == copies, "\(report)")
    options.tile = PixelSize(512, 8)
    let copied = try picture.render(as: Float.self, options: options)
    #expect(copied.firstDifference(from: try picture.render(as: Float.self)) == nil)
  }

  // MARK: Texts

  /// The text of a plan shows the steps that run with default options: copies, where the machine's memory does not suffice without.
  @Test func plansShowCopies() {
    let side = Int((Double(MachineMemory.bytes) / 4).squareRoot())
    for (size, copies) in [(PixelSize(side, side), 2), (PixelSize(40, 30), 1)] {
      let filtered = Picture(Ramp(), in: .sRGB).cropped(to: Region(size)).median(radius: 3)
      let lines = blended(filtered, .halfTurned).plan.split(separator: "\n")
      #expect(lines.count { $0.contains("median") } == copies, "\(lines)")
    }
  }
}

/// A translation to the left by any distance.
private struct Shift: AreaFilter {
  var columns: Int

  func inputRegion(for output: Region, of input: PixelSize) -> Region {
    output.moved(by: Offset(columns, 0))
  }

  func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    read(x + columns, y)
  }
}
