import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Half floats in caches: within the proven bound, which is within the stated one.
@Suite struct HalfTests {
  private func options(
    _ error: Double, tile: PixelSize? = nil, threads: Int? = nil
  ) -> RenderOptions {
    var options = RenderOptions()
    options.intermediate = .half(maximumError: error)
    (options.tile, options.threads) = (tile, threads)
    return options
  }

  /// The largest absolute difference, which is what a plan bounds: that of values above 1, too.
  private func largestDifference(_ a: Bitmap<Float>, _ b: Bitmap<Float>) -> Double {
    var largest = 0.0
    for y in 0..<a.size.height {
      for (x, z) in zip(a.row(y), b.row(y)) where x != z && !(x.isNaN && z.isNaN) {
        largest = larger(largest, abs(Double(x) - Double(z)))
      }
    }
    return largest
  }

  private func source(
    _ size: PixelSize = PixelSize(40, 30), in space: ColorSpace = .sRGB
  ) -> Picture {
    Picture(CountedRows(TestPictures.codes(as: UInt16.self, size, in: space, channels: .rgb)))
  }

  /// A random step whose error is bounded.
  private func boundedStep(
    after picture: Picture, using generator: inout SeededGenerator
  ) -> Picture {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    switch number(0...5) {
    case 0: return picture.exposure(Double(number(-4...4)) / 2)
    case 1: return picture.converted(to: [.sRGB, .displayP3, .linearSRGB][number(0...2)])
    case 2: return picture.resized(to: .exact(number(5...70), number(5...60)))
    case 3: return picture.blurred(sigma: Double(number(1...6)) / 2)
    case 4: return picture.inverted()
    default:
      let region = picture.region
      return picture.cropped(
        to: Region(
          x: region.x, y: region.y, width: max(1, region.width - number(0...2)),
          height: max(1, region.height - number(0...2))))
    }
  }

  @Test func halvesStayWithinTheirProvenBound() throws {
    var (halfCount, doubleCount) = (0, 0)
    for seed in 0..<300 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let cache = PictureCache(bytes: 1 << 24, blockSide: 16)
      var picture = seed % 3 == 0 ? source() : source(in: .linearSRGB)
      for step in 0..<5 {
        if step == 0 || Int.random(in: 0..<3, using: &generator) == 0 {
          picture = picture.cached(in: cache)
        }
        picture =
          Int.random(in: 0..<12, using: &generator) == 0
          ? RandomGraph.step(after: picture, depth: 1, using: &generator)
          : boundedStep(after: picture, using: &generator)
      }
      let limit = [1e-4, 1e-3, 1e-2, 1][Int(seed % 4)]
      let report = try picture.planReport(as: Float.self, options: options(limit))
      let bound = try #require(report.errorBound)
      #expect(bound <= limit, "seed \(seed)")
      let exact = try picture.render(as: Float.self)
      let result = try picture.render(as: Float.self, options: options(limit))
      let difference = largestDifference(exact, result)
      #expect(difference <= bound, "seed \(seed): \(difference)\n\(report)")
      let count = report.cacheStorage.count { $0.isHalf }
      halfCount += count > 0 ? 1 : 0
      doubleCount += count > 1 ? 1 : 0
    }
    // Otherwise there was nothing to test.
    #expect(halfCount > 50)
    #expect(doubleCount > 10)
  }

  /// A fourth of the bound would be too small.
  @Test(arguments: [0.0, 3.0, -2.0]) func theBoundIsNearlyReached(_ stops: Double) throws {
    let cache = PictureCache(bytes: 1 << 24)
    let picture = source(PixelSize(256, 256), in: .linearSRGB).cached(in: cache).exposure(stops)
    let bound = try #require(
      try picture.planReport(as: Float.self, options: options(0.01)).errorBound)
    let difference = largestDifference(
      try picture.render(as: Float.self),
      try picture.render(as: Float.self, options: options(0.01)))
    #expect(difference <= bound && difference > bound / 4, "\(difference) of \(bound)")
  }

  /// And a later rendering in floats, from the same cache, has the bits of one without halves.
  @Test func bitsDependOnTheModeAlone() throws {
    let limit = 0.05
    func picture(_ cache: PictureCache) -> Picture {
      source(in: .linearSRGB).resized(to: .exact(61, 47)).cached(in: cache)
        .blurred(sigma: 1.5).cached(in: cache).exposure(1)
    }
    let exact = try picture(PictureCache(bytes: 0)).render(as: Float.self)
    let first = PictureCache(bytes: 1 << 24, blockSide: 16)
    let expected = try picture(first).render(as: Float.self, options: options(limit))
    #expect(expected.firstDifference(from: exact) != nil)
    for (tile, threads) in [
      (PixelSize(7, 5), 2), (PixelSize(64, 64), 1), (PixelSize(16, 1), 3),
    ] {
      for bytes in [0, 5000, 1 << 24] {
        let shared = picture(PictureCache(bytes: bytes, blockSide: 16))
        for _ in 0..<2 {
          let result = try shared.render(
            as: Float.self, options: options(limit, tile: tile, threads: threads))
          #expect(result.firstDifference(from: expected) == nil)
          #expect(try shared.render(as: Float.self).firstDifference(from: exact) == nil)
        }
      }
    }
  }

  /// Measurements that a picture depends on are computed in floats, even where its rendering takes halves.
  @Test func measurementsOfPicturesUseSinglePrecision() throws {
    func picture() -> Picture { source(in: .linearSRGB).cached(in: PictureCache(bytes: 1 << 24)) }
    let mean = try picture().statistics().mean.x
    #expect(try picture().statistics(options: options(0.05)).mean.x != mean)
    let measured = picture().applying(measuring: Statistics(), in: .linear) { statistics, picture in
      picture.exposure(statistics.mean.x)
    }
    let expected = try picture().exposure(mean).render(as: Float.self, options: options(0.05))
    let result = try measured.render(as: Float.self, options: options(0.05))
    #expect(result.firstDifference(from: expected) == nil)
    #expect(expected.firstDifference(from: try picture().exposure(mean).render()) != nil)
  }

  @Test func cachesOfHalvesTakeHalfTheBytes() throws {
    let (floats, halves) = (PictureCache(bytes: 1 << 24), PictureCache(bytes: 1 << 24))
    let base = source(PixelSize(300, 200), in: .linearSRGB)
    let picture = base.cached(in: halves).exposure(1)
    // A cache drops the blocks of a picture that nobody holds.
    let plain = base.cached(in: floats).exposure(1)
    _ = try plain.render(as: Float.self)
    let report = try picture.planReport(as: Float.self, options: options(0.01))
    _ = try picture.render(as: Float.self, options: options(0.01))
    withExtendedLifetime(plain) { #expect(floats.byteCount == 300 * 200 * 12) }
    #expect(halves.byteCount == 300 * 200 * 6)
    #expect(report.cacheStorage.map(\.bytesSaved) == [300 * 200 * 6])
    #expect(
      report.peakBytes < (try picture.planReport(as: Float.self, options: options(0))).peakBytes)
    #expect("\(report)".contains("in half floats, \(300 * 200 * 6) bytes saved"))
    let json = report.json
    #expect(json.contains("\"half\": true") && json.contains("\"bytesSaved\": \(300 * 200 * 6)"))
  }

  /// The plan says why, and the bits are those of floats.
  @Test func withoutAProofBlocksAreFloats() throws {
    let cache = PictureCache(bytes: 1 << 24)
    let kept = source(in: .linearSRGB).cached(in: cache)
    let transparent = Picture(
      CountedRows(TestPictures.codes(as: UInt8.self, PixelSize(40, 30), channels: .rgba)))
    for (picture, limit, reason) in [
      (kept.exposure(1), 1e-9, "more than"),
      (kept.median(radius: 1), 1, "no bound is known for the steps that follow"),
      (
        source().median(radius: 1).cached(in: cache).exposure(1), 1,
        "no bound is known for the values of the cache"
      ),
      (transparent.cached(in: cache).exposure(1), 1, "no bound is known"),
      (kept.exposure(1), -.infinity, "more than"), (kept.exposure(1), .nan, "more than"),
    ] {
      let report = try picture.planReport(as: Float.self, options: options(limit))
      #expect(report.cacheStorage.count == 1 && !report.cacheStorage[0].isHalf, "\(report)")
      #expect(report.cacheStorage[0].reason.contains(reason), "\(report)")
      #expect(report.errorBound == 0)
      #expect(
        try picture.render(as: Float.self, options: options(limit))
          .firstDifference(from: picture.render(as: Float.self)) == nil)
    }
  }
}
