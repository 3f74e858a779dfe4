import ColorSpaces
import Dispatch
import FilterGraph
import ImageBuffer
import Synchronization
import Testing
import _TestSupport

/// Cached pixels equal computed ones, and are not computed again.
@Suite struct CacheTests {
  /// Two pictures of the same random steps, the second one with caches in between.
  private func graphs(seed: UInt64, _ caches: [PictureCache]) -> (plain: Picture, kept: Picture) {
    var generator = SeededGenerator(seed: seed)
    var plain = RandomGraph.picture(depth: 1, using: &generator)
    var kept = plain
    for step in 0..<4 {
      if Int.random(in: 0..<4, using: &generator) == 0 {
        let formats: [SampleFormat] = [.float16, .float32, .uint16, .uint8]
        (plain, kept) = (plain.stored(as: formats[step]), kept.stored(as: formats[step]))
      }
      if Bool.random(using: &generator) { kept = kept.cached(in: caches[step % caches.count]) }
      var same = generator
      plain = RandomGraph.step(after: plain, depth: 1, using: &generator)
      kept = RandomGraph.step(after: kept, depth: 1, using: &same)
    }
    return (plain, kept)
  }

  /// Bit for bit, with caches of no, small and full capacity, with any tiles and threads, full or empty.
  @Test func cachesDoNotChangePixels() throws {
    for seed in 0..<200 as Range<UInt64> {
      for limit in [0, 5000, 1 << 24] {
        let caches = [8, 16].map { PictureCache(bytes: limit, blockSide: $0) }
        let (plain, kept) = graphs(seed: seed, caches)
        let expected = try plain.render(as: Float.self)
        for (tile, threads) in [
          (PixelSize(7, 5), 2), (PixelSize(64, 64), 1), (PixelSize(16, 1), 3),
        ] {
          var options = RenderOptions()
          (options.tile, options.threads) = (tile, threads)
          let result = try kept.render(as: Float.self, options: options)
          #expect(
            result.firstDifference(from: expected) == nil, "seed \(seed), \(limit): \(kept.plan)")
          for cache in caches { #expect(cache.byteCount <= limit) }
        }
      }
    }
  }

  /// Several concurrent renderings, of one graph and of graphs derived from it, with one small cache.
  @Test func manyRendersShareACache() throws {
    for limit in [3000, 1 << 24] {
      for seed in 300..<310 as Range<UInt64> {
        let cache = PictureCache(bytes: limit, blockSide: 8)
        let (plain, kept) = graphs(seed: seed, [cache])
        let base = kept.cached(in: cache)
        let expected = try [plain, plain.boxBlurred(radius: 2)].map {
          try $0.render(as: Float.self)
        }
        let wrong = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { index in
          var options = RenderOptions()
          (options.tile, options.threads) = (PixelSize(5 + index, 9), 2)
          let picture = index % 2 == 0 ? base : base.boxBlurred(radius: 2)
          let result = try? picture.render(as: Float.self, options: options)
          if result?.firstDifference(from: expected[index % 2]) != nil || result == nil {
            wrong.add(1, ordering: .relaxed)
          }
        }
        #expect(wrong.load(ordering: .relaxed) == 0, "seed \(seed), \(limit): \(base.plan)")
        #expect(cache.byteCount <= limit)
      }
    }
  }

  /// In later renderings, of the picture or derived ones, nothing before the cache runs: no row is read, nothing
  /// measured.
  @Test func cachedPixelsAreNotComputedAgain() throws {
    let rows = CountedRows(TestPictures.codes(as: UInt8.self, PixelSize(120, 90), channels: .rgb))
    let cache = PictureCache(bytes: 1 << 24, blockSide: 32)
    let blurred = Picture(rows).exposure(0.5).boxBlurred(radius: 2).cached(in: cache)
    var options = RenderOptions()
    (options.tile, options.threads) = (PixelSize(13, 11), 4)
    _ = try blurred.render(as: Float.self, options: options)
    #expect(rows.log.withLock { $0.read } == 90)
    // 4 by 3 blocks, each of them computed by one of the threads.
    #expect(cache.missCount == 12)
    let hits = cache.hitCount
    let measured = blurred.applying(measuring: Brightest(), in: .linear) {
      $1.exposure(Double($0))
    }
    for picture in [
      blurred, blurred.exposure(1), blurred.converted(to: .displayP3).resized(to: .exact(50, 30)),
      blurred.cropped(to: Region(x: 20, y: 9, width: 31, height: 70)), measured, measured,
    ] {
      _ = try picture.render(as: UInt8.self, options: options)
    }
    #expect(rows.log.withLock { $0.read } == 90)
    #expect(cache.missCount == 12)
    #expect(cache.hitCount > hits)
  }

  /// A measurement before the cache does not run again, wherever the law of points moves the cache.
  @Test func measurementsAreKept() throws {
    let rows = CountedRows(TestPictures.codes(as: UInt8.self, PixelSize(40, 30), channels: .rgb))
    let cache = PictureCache(bytes: 1 << 24)
    let picture = Picture(rows).boxBlurred(radius: 1)
      .applying(measuring: Brightest(), in: .linear) { $1.exposure(Double($0)) }.cached(
        in: cache)
    let first = try picture.render(as: Float.self)
    let read = rows.log.withLock { $0.read }
    #expect(try picture.inverted().inverted().render(as: Float.self) == first)
    #expect(rows.log.withLock { $0.read } == read)
  }

  /// The least recently used blocks are evicted.
  @Test func leastRecentlyUsedBlocksAreEvicted() throws {
    let tile = 16 * 16 * 3 * 4
    let cache = PictureCache(bytes: 2 * tile, blockSide: 16)
    let picture = Picture(TestPictures.floats(PixelSize(48, 16), channels: .rgb))
      .applying(SquareMean(reach: 1)).cached(in: cache)
    func misses(_ block: Int) throws -> Int {
      let before = cache.missCount
      _ = try picture.cropped(to: Region(x: 16 * block, y: 0, width: 16, height: 16))
        .render(as: Float.self)
      return cache.missCount - before
    }
    #expect(try [0, 1, 0, 2, 0, 1, 2].map(misses) == [1, 1, 0, 1, 0, 1, 1])
    #expect(cache.byteCount == 2 * tile)
    cache.removeAll()
    #expect(cache.byteCount == 0)
    #expect(try misses(2) == 1)
  }

  @Test func blocksGoWithTheirPicture() throws {
    let cache = PictureCache(bytes: 1 << 24)
    func render() throws {
      let picture = Picture(TestPictures.floats(PixelSize(40, 30))).boxBlurred(radius: 1)
        .cached(in: cache)
      _ = try picture.render(as: Float.self)
      withExtendedLifetime(picture) { #expect(cache.byteCount == 40 * 30 * 16) }
    }
    try render()
    #expect(cache.byteCount == 0)
  }

  /// A rendering that ends early leaves whole blocks or none, and nobody waits for those that it began.
  @Test func cancelledRenderingsLeaveNoPartialBlocks() throws {
    let source = Picture(TestPictures.floats(PixelSize(90, 70)))
    let expected = try source.applying(SquareMean(reach: 2)).render(as: Float.self)
    for count in [1, 2, 5, 9] {
      let cache = PictureCache(bytes: 1 << 24, blockSide: 16)
      let picture = source.applying(SquareMean(reach: 2)).cached(in: cache)
      let wrong = Atomic(0)
      DispatchQueue.concurrentPerform(iterations: 4) { index in
        var options = RenderOptions()
        (options.tile, options.threads) = (PixelSize(20, 20), 2)
        let asked = Mutex(0)
        let limit = index == 3 ? Int.max : count
        options.isCancelled = {
          asked.withLock { asked in
            asked += 1
            return asked > limit
          }
        }
        let result = Result { () throws(RenderError) in
          try picture.render(as: Float.self, options: options)
        }
        let isRight =
          switch result {
          case .success(let bitmap): bitmap.firstDifference(from: expected) == nil
          case .failure(let error): error == .cancelled && index < 3
          }
        if !isRight { wrong.add(1, ordering: .relaxed) }
      }
      #expect(wrong.load(ordering: .relaxed) == 0)
      #expect(
        try picture.render(as: Float.self).firstDifference(from: expected) == nil, "\(count)")
    }
  }

  @Test func plansCountTheMemoryOfCaches() throws {
    let blurred = Picture(TestPictures.floats(PixelSize(600, 500))).boxBlurred(radius: 2)
    func peak(_ picture: Picture) throws -> Int {
      var options = RenderOptions()
      options.threads = 1
      return try picture.planReport(as: UInt8.self, options: options).peakBytes
    }
    let single = try peak(blurred.cached(in: PictureCache(bytes: 1 << 30)))
    let half = try peak(blurred.stored(as: .float16).cached(in: PictureCache(bytes: 1 << 30)))
    let limited = try peak(blurred.cached(in: PictureCache(bytes: 1 << 20)))
    // The whole picture, and the block being computed.
    let samples = 600 * 500 * 4 + 256 * 256 * 4
    // Plus the row in which halves are converted.
    #expect(single - half - 2 * samples <= 0 && single - half > 2 * samples - 40_000)
    #expect(single - limited == 600 * 500 * 16 - 1 << 20)
    #expect(
      blurred.stored(as: .float16).cached(in: PictureCache(bytes: 4096)).plan.hasSuffix(
        "\nstore as float16\nkeep in a cache of 4096 bytes\nunpremultiply → encode sRGB")
    )
  }

  /// Two parts of an infinite picture, one beside the other, need few blocks, however far apart they were.
  @Test func plansVisitOnlyBlocksThatAreNeeded() throws {
    let size = PixelSize(40, 30)
    func peak(_ distance: Int, _ cache: PictureCache) throws -> Int {
      let kept = Picture(Ramp(), in: .sRGB).applying(SquareMean(reach: 1)).cached(in: cache)
      let parts = [0, distance].map { kept.cropped(to: Region(size).moved(by: Offset($0, $0))) }
      let picture = parts[0].applying(
        Mean(extent: .union), with: [parts[1].placed(at: Offset(size.width, 0))])
      var options = RenderOptions()
      (options.threads, options.tile) = (1, size)
      let asked = Mutex(0)
      options.isCancelled = {
        asked.withLock { asked in
          asked += 1
          return asked > 100
        }
      }
      _ = try picture.render(as: Float.self, options: options)
      return try picture.planReport(as: Float.self, options: options).peakBytes
    }
    let (near, far) = (
      PictureCache(bytes: 1 << 30, blockSide: 16), PictureCache(bytes: 1 << 30, blockSide: 16)
    )
    #expect(try peak(1 << 20, far) == peak(64, near))
    #expect(far.missCount == near.missCount && far.byteCount == near.byteCount)
  }

  @Test func recipesIgnoreCaches() throws {
    let source = Picture(TestPictures.floats(PixelSize(9, 8)))
    let cache = PictureCache(bytes: 1000)
    let plain = source.boxBlurred(radius: 1).exposure(1)
    let kept = source.cached(in: cache).boxBlurred(radius: 1).cached(in: cache).exposure(1)
      .cached(in: cache)
    #expect(try Recipe(kept) == Recipe(plain))
    #expect(try kept.contentHash() == plain.contentHash())
    #expect(try plain.stored(as: .float16).contentHash() != plain.contentHash())
    #expect(try Recipe(plain.stored(as: .float16)).json.contains(#"{"store": {"as": "float16"}}"#))
  }
}

/// The largest value of all pixels.
private struct Brightest: Reduction {
  func start(in space: ColorSpace) -> Float { 0 }
  func add(_ pixel: SIMD4<Float>, to state: inout Float) {
    state = max(state, pixel.x, pixel.y, pixel.z)
  }
  func value(of state: Float) -> Float { state }
}

/// Values stored between steps are quantized as in a bitmap.
@Suite struct StoringTests {
  @Test func storedNumbersAreThoseOfABitmap() throws {
    func check<Sample: PixelSample>(_: Sample.Type) throws {
      for channels in [Channels.rgb, .rgba] {
        // The inversion is of encoded values.
        let picture = Picture(TestPictures.floats(PixelSize(67, 41), channels: channels))
          .inverted()
        let bitmap = try picture.render(as: Sample.self)
        for (tile, threads) in [
          (PixelSize(7, 5), 3), (PixelSize(67, 41), 1), (PixelSize(64, 1), 2),
        ] {
          var options = RenderOptions()
          (options.tile, options.threads) = (tile, threads)
          let stored = picture.stored(as: Sample.format)
          // Neighborhoods, and programs, read the quantized values.
          for step in [{ $0 }, { $0.boxBlurred(radius: 2) }, { $0.inverted() }]
            as [(Picture) -> Picture]
          {
            let expected = try step(Picture(bitmap)).render(as: Float.self)
            let result = try step(stored).render(as: Float.self, options: options)
            #expect(result.firstDifference(from: expected) == nil, "\(Sample.self), \(tile)")
          }
        }
      }
    }
    try check(UInt8.self)
    try check(UInt16.self)
    try check(Float.self)
    #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
      try check(Float16.self)
    #endif
  }

  @Test func referenceEvaluatorQuantizesToo() throws {
    let source = Picture(TestPictures.floats(PixelSize(31, 17)))
    for format in [SampleFormat.uint8, .uint16, .float16, .float32] {
      let picture = source.stored(as: format)
      let rendered = try picture.render(as: Float.self)
      let reference = try ReferenceEvaluator().render(picture)
      for y in 0..<17 {
        for x in 0..<31 {
          for channel in 0..<4 {
            // Codes are the floats nearest to the reference values.
            let difference = abs(Double(rendered[x, y, channel]) - reference[x, y][channel])
            #expect(difference <= abs(reference[x, y][channel]) * 0x1p-24)
          }
        }
      }
    }
  }

  /// Laws do not apply across it.
  @Test func storedFormatsAreBarriersToLaws() {
    let source = Picture(Bitmap<Float>(PixelSize(30, 20), in: .linearSRGB, channels: .rgb))
    #expect(source.exposure(1).exposure(-1).plan == source.plan)
    #expect(
      source.exposure(1).stored(as: .float32).exposure(-1).plan == """
        load 30 × 20 float32 rgb in linear sRGB
        affine ×2 → store as float32
        affine ×0.5
        """)
  }
}
