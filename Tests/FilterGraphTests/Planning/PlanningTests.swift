import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import Synchronization
import Testing
import _TestSupport

/// Limits that planning enforces before anything is computed: tiles, memory, and regions outside of pictures.
@Suite struct PlanningTests {
  private enum Through: PointFilter {
    case table(ColorTable)
    case curves(Curve, Curve, Curve)

    var domain: PixelDomain { .encoded }
    func describe(to program: inout PointProgram, in space: ColorSpace) {
      switch self {
      case .table(let table): program.append(.table(table))
      case .curves(let red, let green, let blue):
        program.append(.curves("sampled", red, green, blue))
      }
    }

    /// The peak memory of a small picture with the stage.
    var peakBytes: Int {
      get throws {
        try Picture(Bitmap<Float>(PixelSize(16, 16), in: .sRGB)).applying(self)
          .planReport(as: Float.self).peakBytes
      }
    }
  }

  /// A plan counts the memory of the LUTs that it copies for the kernels.
  @Test func memoryOfLUTsIsCounted() throws {
    func bytes(_ size: Int) throws -> Int {
      try Through.table(ColorTable(size: size) { $0 * $0 }).peakBytes
    }
    // A grid point has four values of four bytes.
    #expect(try bytes(65) - bytes(2) == 16 * (65 * 65 * 65 - 8))
  }

  /// A plan counts the values of sampled curves: one copy for each channel, also beside a curve of another kind.
  @Test(arguments: [Curve.identity, .power(PowerCurve(exponent: 1.5))])
  func memoryOfSampledCurvesIsCounted(other: Curve) throws {
    func bytes(_ count: Int, channels: Int) throws -> Int {
      let values = (0..<count).map { Float($0 * $0) / Float(count * count) }
      let sampled = Curve.sampled(SampledCurve(values))
      let curves = (0..<3).map { $0 < channels ? sampled : other }
      return try Through.curves(curves[0], curves[1], curves[2]).peakBytes
    }
    for channels in 1...3 {
      let added = try bytes(65_536, channels: channels) - bytes(1000, channels: channels)
      #expect(added == 4 * channels * (65_536 - 1000), "\(channels)")
    }
  }

  /// The limit refuses a chain of curves whose values exceed it.
  @Test func memoryOfSampledCurvesIsLimited() throws {
    let picture = Picture(Bitmap<Float>(PixelSize(16, 16), in: .sRGB))
    let graded = (1...40).reduce(picture) { picture, step in
      let values = (0..<65_536).map { Float($0) / Float(65_535 + step) }
      let curve = Curve.sampled(SampledCurve(values))
      return picture.applying(Through.curves(curve, curve, curve))
    }
    var options = RenderOptions()
    options.memoryLimit = 40 * 3 * 4 * 65_536
    #expect {
      try graded.render(as: Float.self, options: options)
    } throws: {
      if case .tooMuchMemory = $0 as? RenderError { true } else { false }
    }
  }

  // MARK: Tiles without pixels

  /// A large result needs such small tiles that a small result beside it is empty in most of them.
  @Test(arguments: [1, 2]) func resultsMayBeEmptyInATile(threads: Int) throws {
    let rows = Picture(CountedRows(TestPictures.floats(PixelSize(1, 60), channels: .rgb)))
    let small = rows.exposure(0.5).applying(SquareMean(reach: 1))
      .cropped(to: Region(PixelSize(1, 2)))
    let large = small.resized(to: .exact(2100, 1000))
    for pictures in [[rows, large], [large, rows, small], [small, large]] {
      var options = RenderOptions()
      options.threads = threads
      let together = try Picture.render(pictures, as: Float.self, options: options)
      for (picture, bitmap) in zip(pictures, together) {
        #expect(bitmap.firstDifference(from: try picture.render(as: Float.self)) == nil)
      }
      let received = Mutex([Int](repeating: 0, count: pictures.count))
      try Picture.renderBands(pictures, as: Float.self, options: options) { picture, row, band in
        received.withLock {
          #expect($0[picture] == row)
          $0[picture] += band.size.height
        }
      }
      #expect(received.withLock(\.self) == pictures.map(\.size.height))
    }
  }

  /// Narrow results of a joint rendering equal separate ones.
  @Test func narrowResultsEqualSeparateRenderings() throws {
    for seed in 0..<150 {
      var generator = SeededGenerator(seed: (3 << 32) + UInt64(seed))
      let pictures = RandomGraph.narrowResults(depth: 3, using: &generator)
      var options = RenderOptions()
      options.threads = 1 + seed % 2
      if seed % 3 == 0 { options.tile = PixelSize(7, 5) }
      let together = try Picture.render(pictures, as: Float.self, options: options)
      for (picture, bitmap) in zip(pictures, together) {
        #expect(
          bitmap.firstDifference(from: try picture.render(as: Float.self)) == nil, "seed \(seed)")
      }
    }
  }

  // MARK: Regions outside of pictures

  @Test(arguments: [(400, 0), (-400, 2), (3, -50), (90, 90), (Int.max / 2, .min / 2)])
  func filtersMayReadEntirelyOutside(columns: Int, rows: Int) throws {
    let bitmap = TestPictures.floats(PixelSize(70, 40), channels: .rgb)
    for source in [Picture(bitmap), Picture(CountedRows(bitmap))] {
      let picture = source.applying(FarLook(offset: Offset(columns, rows)))
      let reference = try ReferenceEvaluator().render(picture)
      for (tile, threads) in [(PixelSize(16, 16), 1), (PixelSize(70, 40), 1), (PixelSize(9, 4), 2)]
      {
        var options = RenderOptions()
        (options.tile, options.threads) = (tile, threads)
        let rendered: Bitmap<Float> = try picture.render(options: options)
        for y in 0..<40 {
          for x in 0..<70 {
            // One conversion to linear light and back.
            #expect(abs(Double(rendered[x, y, 0]) - reference[x, y].x) < 4e-6)
          }
        }
      }
      // A pixel outside is traced to the nearest edge pixel.
      let path = try picture.explain(x: 5, y: 5).steps
      let edge = Offset(min(max(5 + columns, 0), 69), min(max(5 + rows, 0), 39))
      #expect(path.first?.position == edge)
    }
  }

  // MARK: Places far apart

  /// Of a row of pixels extended beyond its ends, a plan needs the smallest range that holds all pixels that are seen.
  @Test(arguments: [Edges.repeated, .mirrored, .wrapped])
  func extendedPicturesNeedTheSmallestRange(edges: Edges) throws {
    let length = 5
    func position(_ x: Int) -> Int {
      let folded = ((x % (2 * length)) + 2 * length) % (2 * length)
      return switch edges {
      case .mirrored: min(folded, 2 * length - 1 - folded)
      case .wrapped: folded % length
      default: min(max(x, 0), length - 1)
      }
    }
    let row = TestPictures.floats(PixelSize(length, 1), channels: .rgb)
    let picture = Picture(row).applying(SquareMean(reach: 1))
    for start in -12...12 {
      for end in start + 1...start + 12 {
        let region = Region(x: start, y: 0, width: end - start, height: 1)
        let report = try picture.padded(to: region, edges: edges).planReport(as: Float.self)
        let step = try #require(report.steps.first { $0.name.contains("SquareMean") })
        let seen = (start..<end).map(position)
        #expect(step.region.columns.lowerBound == seen.min(), "\(start)..<\(end)")
        #expect(step.region.columns.upperBound - 1 == seen.max(), "\(start)..<\(end)")
      }
    }
  }

  /// A tile across the mirrored edge needs no more than another one.
  @Test func tilesAcrossAMirroredEdgeNeedNoMore() throws {
    let size = PixelSize(300, 200)
    let picture = Picture(TestPictures.floats(size, channels: .rgb))
      .applying(SquareMean(reach: 1))
      .padded(to: Region(size).expanded(by: 1), edges: .mirrored)
    var options = RenderOptions()
    options.tile = PixelSize(32, 16)
    let report = try picture.planReport(as: Float.self, options: options)
    let step = try #require(report.steps.first { $0.name.contains("SquareMean") })
    #expect(step.tile == options.tile)
  }

  /// The first tile of a picture over its mirror image needs it at both edges, and all between: tiles are as tall as the picture.
  @Test(arguments: [PixelSize(3000, 2000), PixelSize(12_000, 8000)])
  func mirrorImagesAreComputedOnce(size: PixelSize) throws {
    let filtered = Picture(Ramp(), in: .sRGB).cropped(to: Region(size)).median(radius: 3)
    let picture = filtered.applying(Mean(extent: .first), with: [filtered.flipped()])
    var options = RenderOptions()
    options.threads = 2
    let report = try picture.planReport(as: UInt8.self, options: options)
    #expect(report.tile.height == size.height)
    let median = try #require(report.steps.first { $0.name.contains("median") })
    #expect(median.bytesWritten <= size.pixelCount * 4 * 4)
  }

  /// A tile of a rotated picture needs a bounding box, which is least for a square. Wide tiles would hold several times as much.
  @Test(arguments: [5, 12, 45, 78, -30] as [Double])
  func rotatedPicturesAreCutIntoSquares(degrees: Double) throws {
    let size = PixelSize(6000, 4000)
    let picture = Picture(Ramp(), in: .sRGB).cropped(to: Region(size)).rotated(degrees: degrees)
    var options = RenderOptions()
    options.threads = 2
    let report = try picture.planReport(as: UInt8.self, inBands: true, options: options)
    #expect(report.tile.width <= 2 * report.tile.height)
    let transform = try #require(report.steps.last { $0.name.contains("transform") })
    // The bounding box of a square is (|cos| + |sin|)² times as large: at most 2 times.
    #expect(Double(transform.bytesRead) <= 2.2 * Double(transform.bytesWritten))
    #expect(report.peakBytes <= 64 << 20)
  }

  /// Behind a cache no step holds pixels for a program: tiles are not cut into columns of one pixel.
  @Test func tilesBehindACacheStayWide() throws {
    let blurred = Picture(Ramp(), in: .sRGB).cropped(to: Region(PixelSize(3000, 2000)))
      .boxBlurred(radius: 3)
    let cached = blurred.cached(in: PictureCache(bytes: 1 << 20))
    for picture in [blurred, cached] {
      let tile = try picture.exposure(1).planReport(as: UInt8.self).tile
      #expect(tile.width > 1000, "\(tile)")
    }
  }

  // MARK: Numbers of tiles

  @Test func tooManyTilesAreRefused() throws {
    let picture = Picture(Ramp(), in: .sRGB).cropped(to: Region(PixelSize(4000, 4000)))
    var options = RenderOptions()
    options.tile = PixelSize(1, 1)
    #expect {
      try picture.renderBands(as: UInt8.self, options: options) { _, _ in }
    } throws: {
      guard case .tooManyTiles(16_000_000, PixelSize(1, 1), let limit) = $0 as? RenderError
      else { return false }
      return limit < 16_000_000 && "\($0)".contains("RenderOptions.tile")
    }
    options.tile = PixelSize(16, 16)
    #expect(
      try picture.planReport(as: UInt8.self, inBands: true, options: options).tileCount == 62_500)
  }

  @Test(arguments: [PixelSize(0, 0), PixelSize(-1, 5), PixelSize(5, 0)])
  func tilesWithoutPixelsAreRefused(tile: PixelSize) {
    let picture = Picture(TestPictures.codes(as: UInt8.self)).exposure(1)
    var options = RenderOptions()
    options.tile = tile
    func isRefusal(_ error: any Error) -> Bool {
      error is RenderError && "\(error)".contains("RenderOptions.tile is \(tile).")
    }
    #expect { try picture.render(as: UInt8.self, options: options) } throws: { isRefusal($0) }
    #expect { try picture.planReport(as: UInt8.self, options: options) } throws: { isRefusal($0) }
    #expect {
      try picture.renderBands(as: UInt8.self, options: options) { _, _ in }
    } throws: {
      isRefusal($0)
    }
  }

  /// Default tiles never exceed the limit: planning begins, and is cancelled at once.
  @Test func defaultTilesAreFewEnough() throws {
    var options = RenderOptions()
    options.pixelLimit = 1 << 50
    options.isCancelled = { true }
    for size in [PixelSize(1 << 20, 1 << 20), PixelSize(1 << 24, 99), PixelSize(1, 1 << 30)] {
      let picture = Picture(Ramp(), in: .sRGB).cropped(to: Region(size))
      for picture in [picture, picture.boxBlurred(radius: 2)] {
        #expect(throws: RenderError.cancelled) {
          try picture.renderBands(as: UInt8.self, options: options) { _, _ in }
        }
      }
    }
  }

  /// Where filters reach so far that any tile needs the whole picture, more tiles would only recompute it.
  @Test func chainsOfWideBlursAreNotRecomputed() throws {
    let source = Picture(Ramp(), in: .sRGB).cropped(to: Region(PixelSize(3000, 2000)))
    let picture = (0..<60).reduce(source) { picture, _ in picture.blurred(sigma: 50) }
    let report = try picture.planReport(as: UInt8.self, inBands: true)
    #expect(report.tileCount == 1)
  }

  @Test func planningIsCancelled() throws {
    let source = Picture(CountedRows(TestPictures.floats(PixelSize(400, 300))))
    let asked = Mutex(0)
    var options = RenderOptions()
    options.tile = PixelSize(1, 1)
    options.isCancelled = {
      asked.withLock {
        $0 += 1
        return $0 > 3
      }
    }
    #expect(throws: RenderError.cancelled) {
      _ = try source.exposure(1).planReport(as: UInt8.self, options: options)
    }
    #expect(asked.withLock(\.self) == 4)
  }

  // MARK: Memory

  /// Eight blurs of this radius need terabytes, though the result is small. It is an error, with a limit or without
  /// one.
  @Test func memoryBeyondTheMachineIsRefused() throws {
    let source = Picture(TestPictures.codes(as: UInt8.self)).extended(by: .wrapped)
    let picture = (0..<8).reduce(source) { picture, _ in picture.blurred(sigma: 10_000) }
      .cropped(to: Region(PixelSize(4, 4)))
    var limited = RenderOptions()
    limited.memoryLimit = 1 << 30
    for options in [RenderOptions(), limited] {
      #expect {
        try picture.render(as: UInt8.self, options: options)
      } throws: {
        guard case .moreThanMachineMemory(let bytes, let machine) = $0 as? RenderError
        else { return false }
        return bytes > machine && machine == MachineMemory.bytes
      }
    }
  }

  /// A filter may declare a region that overflows.
  @Test func overflowingRegionsAreRefused() throws {
    let picture = Picture(TestPictures.codes(as: UInt8.self)).applying(Greedy())
    #expect {
      try picture.render(as: UInt8.self)
    } throws: {
      if case .moreThanMachineMemory = $0 as? RenderError { true } else { false }
    }
  }

  /// Of a picture of infinite extent only the needed part counts.
  @Test func filtersOfInfinitePicturesKeepTheLimit() throws {
    var options = RenderOptions()
    options.memoryLimit = 64 << 20
    let endless = Picture(Ramp(), in: .displayP3)
    for filtered in [
      endless.blurred(sigma: 3), endless.blurred(sigma: 60), endless.applying(SquareMean(reach: 2)),
      endless.rotated(degrees: 17, around: .zero), endless.applying(Sobel()),
    ] {
      let picture = filtered.cropped(to: Region(PixelSize(50, 40)))
      #expect(try picture.render(as: Float.self, options: options).size == PixelSize(50, 40))
    }
  }

  /// A transform may need all of an infinite picture, for any tile.
  @Test(arguments: [
    "[[1e-9, 0, 0], [0, 1e-9, 0], [0, 0, 1]]", "[[1, 0, 0], [0, 1, 0], [1, 0, -9]]",
  ])
  func transformsOfInfinitePicturesAreRefused(matrix: String) throws {
    let from = matrix.contains("e-9") ? #""transform": {"matrix""# : #""transform-from": {"source""#
    let recipe = try Recipe(
      json: #"{"version": 1, "steps": [{"extend": {"by": "mirrored"}}, {\#(from): \#(matrix)}}]}"#)
    let picture = try recipe.picture(["input": Picture(TestPictures.codes(as: UInt8.self))])
      .cropped(to: Region(PixelSize(8, 8)))
    #expect {
      try picture.render(as: UInt8.self)
    } throws: {
      if case .moreThanMachineMemory = $0 as? RenderError { true } else { false }
    }
  }

  @Test func reportsStateRefusals() throws {
    let picture = Picture(Ramp(), in: .sRGB).cropped(to: Region(PixelSize(900, 800))).inverted()
    var options = RenderOptions()
    options.threads = 1
    let report = try picture.planReport(as: UInt8.self, options: options)
    #expect(report.refusal == nil)
    options.memoryLimit = report.peakBytes - 1
    let refused = try picture.planReport(as: UInt8.self, options: options)
    let error = RenderError.tooMuchMemory(bytes: report.peakBytes, limit: report.peakBytes - 1)
    #expect(refused.refusal == error)
    #expect(refused.description.hasSuffix("\(error)"))
    #expect(throws: error) { try picture.render(as: UInt8.self, options: options) }
  }

  @Test func reportsOfNoPictureAreEmpty() throws {
    let report = try Picture.planReport([], as: UInt8.self)
    #expect(report.steps.isEmpty && report.tileCount == 0 && report.peakBytes == 0)
    #expect(try Picture.render([], as: UInt8.self).isEmpty)
  }

  /// Without an explicit number of threads, fewer run to keep a limit.
  @Test func fewerThreadsKeepTheLimit() throws {
    let picture = Picture(TestPictures.codes(as: UInt8.self, PixelSize(3000, 200)))
      .boxBlurred(radius: 3)
    var options = RenderOptions()
    options.threads = 1
    options.memoryLimit = try picture.planReport(as: UInt8.self, options: options).peakBytes
    options.threads = nil
    let report = try picture.planReport(as: UInt8.self, options: options)
    #expect(report.refusal == nil && report.threads == 1)
    _ = try picture.render(as: UInt8.self, options: options)
  }

  /// The bands shrink with the threads: the memory of one thread suffices without an explicit number.
  @Test(arguments: [Dither?.none, .errorDiffusion])
  func fewerThreadsKeepTheLimitOfBands(dither: Dither?) throws {
    let picture = Picture(Ramp(), in: .displayP3).cropped(to: Region(PixelSize(2000, 60)))
    func report(_ options: RenderOptions) throws -> PlanReport {
      try picture.planReport(as: UInt8.self, dither: dither, inBands: true, options: options)
    }
    var options = RenderOptions()
    (options.threads, options.tile) = (1, PixelSize(100, 1))
    options.memoryLimit = try report(options).peakBytes
    options.threads = nil
    let limited = try report(options)
    #expect(limited.refusal == nil && limited.threads == 1)
    try picture.renderBands(as: UInt8.self, dither: dither, options: options) { _, _ in }
  }

  /// A rendering has no more bands than the grid has rows of tiles, whatever the number of threads.
  @Test func bandsAreNoMoreThanThereAre() throws {
    let picture = Picture(Ramp(), in: .displayP3).cropped(to: Region(PixelSize(2000, 30)))
    func peak(threads: Int) throws -> Int {
      var options = RenderOptions()
      (options.threads, options.tile) = (threads, PixelSize(2000, 10))
      return try picture.planReport(as: UInt8.self, inBands: true, options: options).peakBytes
    }
    // All three rows of tiles have a thread each, and a band of its own.
    #expect(try peak(threads: 4096) == peak(threads: 3))
    #expect(try peak(threads: 2) > peak(threads: 1))
  }
}

/// A translation of any distance.
private struct FarLook: AreaFilter {
  var offset: Offset

  func inputRegion(for output: Region, of input: PixelSize) -> Region { output.moved(by: offset) }

  func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    read(x + offset.x, y + offset.y)
  }
}

/// Declares a region larger than any picture.
private struct Greedy: AreaFilter {
  func inputRegion(for output: Region, of input: PixelSize) -> Region {
    output.expanded(by: .max / 4)
  }

  func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    read(x, y)
  }
}
