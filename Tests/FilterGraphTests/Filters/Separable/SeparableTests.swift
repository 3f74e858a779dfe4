import ColorSpaces
import ColorloomTesting
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Resizes and blurs whose rows pass a ring: every size, borders of strips, every form of source and target, wild numbers.
@Suite struct SeparableTests {
  private static func noise(
    _ size: PixelSize, channels: Channels = .rgba, arrangement: Arrangement = .interleaved,
    seed: UInt64 = 1
  ) -> Bitmap<Float> {
    var random = SeededGenerator(seed: seed)
    return Bitmap<Float>(size, in: .linearSRGB, channels: .rgba) { _, _ in
      [
        Float.random(in: -0.5...2, using: &random), Float.random(in: 0...1, using: &random),
        Float.random(in: 0...1, using: &random), Float.random(in: 0.25...1, using: &random),
      ]
    }.converted(channels, arrangement)
  }

  /// The largest difference from what a filter means, of an opaque picture, over all pixels or some.
  private func worst(
    _ filter: some AreaFilter, _ source: Bitmap<Float>, every step: Int = 1
  ) throws -> Double {
    let result = try Picture(source).applying(filter).render(as: Float.self)
    var worst = 0.0
    for index in stride(from: 0, to: result.size.pixelCount, by: step) {
      let (x, y) = (index % result.size.width, index / result.size.width)
      let exact = filter.pixel(x: x, y: y, of: source.size) { x, y in
        let (x, y) = (
          min(max(x, 0), source.size.width - 1), min(max(y, 0), source.size.height - 1)
        )
        return SIMD4(
          Double(source[x, y, 0]), Double(source[x, y, 1]), Double(source[x, y, 2]), 1)
      }
      for channel in 0..<3 {
        worst = larger(worst, abs(Double(result[x, y, channel]) - exact[channel]))
      }
    }
    return worst
  }

  /// Widths of 1 to 40 to widths of 1 to 40, with heights that enlarge where widths shrink.
  @Test(arguments: [Arrangement.interleaved, .planar])
  func everySizeBecomesEverySize(_ arrangement: Arrangement) throws {
    for width in 1...40 {
      let source = Self.noise(
        PixelSize(width, 41 - width), channels: .rgb, arrangement: arrangement,
        seed: UInt64(width))
      for newWidth in 1...40 {
        let kernel: ResamplingKernel = newWidth % 3 == 0 ? .mitchell : .lanczos3
        let resize = try Resize(to: .exact(newWidth, 1 + (newWidth * 7 + width) % 40), by: kernel)
        // Each direction rounds sums of values up to 2, whose weights come to less than 1.5.
        let error = try worst(resize, source, every: 1 + newWidth * 3)
        #expect(error < 2e-6, "\(source.size) to \(newWidth): \(error)")
      }
    }
  }

  /// Pictures little higher than two kernels: at every row, lines that are cut at the top and at the bottom wait together.
  @Test func linesCutAtBothEdgesFitTheRing() throws {
    for rows in stride(from: 60, through: 132, by: 3) {
      for height in [rows / 10, rows / 5] {
        for arrangement in [Arrangement.interleaved, .planar] {
          let source = Self.noise(
            PixelSize(20, rows), channels: .rgb, arrangement: arrangement, seed: UInt64(rows))
          let error = try worst(try Resize(to: .exact(7, height)), source, every: 5)
          // As for every other size.
          #expect(error < 2e-6, "\(rows) rows to \(height): \(error)")
        }
      }
    }
  }

  /// Standard deviations on both sides of where blurs go over a grid, in pictures that are smaller than the kernel and larger.
  @Test(arguments: [0.3, 1.9, 3.99, 4, 5.5, 8, 13, 60])
  func blursOfEveryWidthKeepTheirBound(_ sigma: Double) throws {
    for size in [PixelSize(1, 1), PixelSize(3, 50), PixelSize(61, 40)] {
      for arrangement in [Arrangement.interleaved, .planar] {
        let source = Self.noise(size, channels: .rgb, arrangement: arrangement)
        let error = try worst(try GaussianBlur(sigma: sigma), source, every: 37)
        // 10⁻⁶ of the brightest pixel, which is 2.
        #expect(error < 2e-6, "\(sigma) of \(size): \(error)")
      }
    }
  }

  /// Rows that are longer than a strip, in one tile and in tiles that end elsewhere.
  @Test func stripsHaveNoBorders() throws {
    let source = Self.noise(PixelSize(9001, 40))
    let pictures = [
      Picture(source).resized(to: .exact(2250, 10)),
      Picture(source).resized(to: .exact(11_003, 50)),
      Picture(source).blurred(sigma: 2), Picture(source).blurred(sigma: 9),
      Picture(source).sharpened(sigma: 5, amount: 1.5),
      Picture(source).sharpened(sigma: 1, amount: 1.5, threshold: 0.1, channels: .luminance),
    ]
    for picture in pictures {
      var options = RenderOptions()
      options.tile = picture.size
      let whole: Bitmap<Float> = try picture.render(options: options)
      for tile in [PixelSize(97, 33), PixelSize(4096, 7)] {
        options.tile = tile
        let parts: Bitmap<Float> = try picture.render(options: options)
        #expect(parts.isIdentical(to: whole), "\(tile)")
      }
    }
  }

  /// The same bits from planes and from pixels, into planes and into pixels, and with a program on either side.
  @Test func everyFormHasTheSameBits() throws {
    let source = Self.noise(PixelSize(150, 90))
    let planar = source.converted(.rgba, .planar)
    func check(_ filter: (Picture) -> Picture) throws {
      let wanted: Bitmap<Float> = try filter(Picture(source)).render(arrangement: .interleaved)
      for (source, arrangement) in [
        (source, Arrangement.planar), (planar, .interleaved), (planar, .planar),
      ] {
        let result: Bitmap<Float> = try filter(Picture(source)).render(arrangement: arrangement)
        #expect(result.converted(.rgba, .interleaved).isIdentical(to: wanted))
      }
    }
    try check { $0.resized(to: .exact(37, 22)) }
    try check { $0.resized(to: .exact(301, 200)) }
    try check { $0.blurred(sigma: 1.5) }
    try check { $0.exposure(1).blurred(sigma: 6).exposure(-1) }
    try check { $0.sharpened(sigma: 2, amount: 1, channels: .luminance) }
    try check { $0.blurred(sigma: 1).resized(to: .exact(80, 120)).blurred(sigma: 4) }
  }

  /// Reductions to icons have the same bits from rows that are read in place, from rows that are decoded on the way, and in tiles.
  @Test(arguments: [PixelSize(1, 1), PixelSize(3, 2), PixelSize(16, 11), PixelSize(45, 30)])
  func iconsHaveTheSameBits(_ size: PixelSize) throws {
    let source = Self.noise(PixelSize(1500, 1000))
    for arrangement in [Arrangement.interleaved, .planar] {
      let picture = Picture(source.converted(.rgba, arrangement))
      let resize = try Resize(to: .exact(size.width, size.height))
      let wanted: Bitmap<Float> = try picture.exposure(1).cached(in: PictureCache(bytes: 1 << 26))
        .applying(resize).render()
      // Without a cache the exposure runs over rows on their way into the filter.
      let decoded = picture.exposure(1).applying(resize)
      for tile in [size, PixelSize(2, 1)] {
        var options = RenderOptions()
        options.tile = tile
        let result: Bitmap<Float> = try decoded.render(options: options)
        #expect(result.isIdentical(to: wanted), "\(size), \(arrangement), \(tile)")
      }
    }
  }

  /// Icons of computed pictures have the same bits where those are computed in bands, which a tile of the whole icon asks for, and where
  /// small tiles need little of them.
  @Test(arguments: [Channels.rgb, .rgba])
  func iconsOfComputedPicturesHaveTheSameBits(_ channels: Channels) throws {
    let source = Picture(Self.noise(PixelSize(1600, 1500), channels: channels))
    let graphs: [(Picture) throws -> Picture] = [
      { $0.sharpened(sigma: 1, amount: 0.5) },
      { $0.blurred(sigma: 12).exposure(1) },
      { $0.median(radius: 1).flipped() },
      { $0.cropped(to: Region(x: 3, y: 2, width: 1590, height: 1490)).boxBlurred(radius: 2) },
      { $0.sharpened(sigma: 2, amount: 1).cached(in: PictureCache(bytes: 1 << 20)) },
      { try $0.blurred(sigma: 1).resized(to: .exact(1590, 1450)).sharpened(sigma: 1, amount: 1) },
      { $0.blurred(sigma: 1).applying(Mean(extent: .union), with: [$0.boxBlurred(radius: 9)]) },
      { $0.rotated(degrees: 7).blurred(sigma: 1) },
    ]
    for (index, graph) in graphs.enumerated() {
      let icon = try graph(source).resized(to: .exact(16, 11))
      var results: [Bitmap<Float>] = []
      for tile in [PixelSize(16, 11), PixelSize(3, 2), PixelSize(16, 4)] {
        for threads in [1, 3] {
          var options = RenderOptions()
          (options.tile, options.threads) = (tile, threads)
          results.append(try icon.render(options: options))
        }
      }
      for result in results { #expect(result.isIdentical(to: results[2]), "graph \(index)") }
    }
  }

  /// Icons have the bits of those of the rendered picture, whose rows are read in place.
  @Test func iconsOfComputedPicturesAreThoseOfRenderedPictures() throws {
    let source = Picture(Self.noise(PixelSize(2100, 1200), channels: .rgb))
    let sharp = source.sharpened(sigma: 1, amount: 0.5)
    let rendered: Bitmap<Float> = try sharp.render()
    for size in [PixelSize(1, 1), PixelSize(16, 9), PixelSize(5, 40), PixelSize(64, 2)] {
      let target = ResizeTarget.exact(size.width, size.height)
      let result: Bitmap<Float> = try sharp.resized(to: target).render()
      #expect(result.isIdentical(to: try Picture(rendered).resized(to: target).render()), "\(size)")
    }
  }

  /// A NaN or an infinity stays within the filter's support.
  @Test(arguments: [Float.nan, .infinity, -.infinity, 3e38, 0x1p-147])
  func wildNumbersStayWhereTheyReach(_ wild: Float) throws {
    let size = PixelSize(120, 60)
    let tame = Self.noise(size, channels: .rgb)
    var source = tame
    source[60, 30, 1] = wild
    let filters: [any AreaFilter] = [
      try Resize(to: .exact(31, 17)), try Resize(to: .exact(200, 90)), try GaussianBlur(sigma: 1.2),
      try GaussianBlur(sigma: 4.5),
    ]
    for filter in filters {
      let result = try apply(filter, source)
      let expected = try apply(filter, tame)
      for y in 0..<result.size.height {
        for x in 0..<result.size.width {
          let region = filter.inputRegion(
            for: Region(x: x, y: y, width: 1, height: 1), of: size)
          if region.columns.contains(60), region.rows.contains(30) { continue }
          for channel in 0..<3 {
            #expect(result[x, y, channel] == expected[x, y, channel], "\(filter) at (\(x), \(y))")
          }
        }
      }
    }
  }

  private func apply(_ filter: some AreaFilter, _ source: Bitmap<Float>) throws -> Bitmap<Float> {
    try Picture(source).applying(filter).render(as: Float.self)
  }
}

extension Bitmap where Sample == Float {
  /// The same samples in another form; alpha left out where there is none.
  fileprivate func converted(_ channels: Channels, _ arrangement: Arrangement) -> Bitmap {
    var result = Bitmap(size, in: .linearSRGB, channels: channels, arrangement: arrangement)
    for y in 0..<size.height {
      for x in 0..<size.width {
        for channel in 0..<channels.count { result[x, y, channel] = self[x, y, channel] }
      }
    }
    return result
  }
}
