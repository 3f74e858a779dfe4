import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// The comparison of two pictures, and statistics of one.
@Suite struct PictureAnalysisTests {
  @Test func equalPicturesHaveNoDifference() throws {
    let picture = Picture(TestPictures.floats(PixelSize(37, 11)))
    let comparison = try PictureComparison(of: picture, with: picture)
    #expect(comparison.maximum == 0)
    #expect(comparison.mean == 0)
    #expect(comparison.largestStep == 0)
    #expect(comparison.peakSignalToNoise == .infinity)
  }

  /// 100 pixels, of which the last six are darker by a tenth: mean, percentile and maximum are counted by hand.
  @Test func differencesAreCounted() throws {
    func picture(_ tone: @escaping (Int) -> Float) -> Picture {
      Picture(
        Bitmap<Float>(PixelSize(10, 10), in: .sRGB, channels: .rgb) { x, y in
          [Float](repeating: tone(10 * y + x), count: 3)
        })
    }
    let standard = picture { _ in 0.5 }
    let six = try PictureComparison(of: picture { $0 < 94 ? 0.5 : 0.4 }, with: standard)
    let step = ColorDifference.ciede2000()(
      ColorPoint(0.5, 0.5, 0.5, in: .sRGB), ColorPoint(0.4, 0.4, 0.4, in: .sRGB))
    // Single precision of 0.4 and 0.5, through Lab's slope of about 100 per unit.
    #expect(abs(six.maximum - step) <= 1e-4)
    #expect(abs(six.percentile95 - step) <= 1e-4)
    #expect(abs(six.mean - 0.06 * step) <= 1e-4)
    #expect(abs(six.largestStep - 0.1) <= 1e-7)
    // Six of a hundred pixels differ by a tenth: a mean square of 6·10⁻⁴; the rounding of floats is far below.
    #expect(abs(six.peakSignalToNoise - 32.218487) <= 1e-5)
    let five = try PictureComparison(of: picture { $0 < 95 ? 0.5 : 0.4 }, with: standard)
    #expect(five.percentile95 <= 1e-4)
  }

  /// The percentile is a value of the sorted differences, whatever their order, also where many are equal.
  @Test(arguments: [1, 2, 19, 20, 21, 40, 999]) func percentilesEqualThoseOfSortedValues(
    count: Int
  ) throws {
    var random = SeededGenerator(seed: UInt64(count))
    let tones = (0..<count).map { _ in
      Bool.random(using: &random) ? 0.5 : Float.random(in: 0...1.5, using: &random)
    }
    func picture(_ tone: @escaping (Int) -> Float) -> Picture {
      Picture(
        Bitmap<Float>(PixelSize(count, 1), in: .sRGB, channels: .rgb) { x, _ in
          [tone(x), 0.5, 0.25]
        })
    }
    let (sample, standard) = (picture { tones[$0] }, picture { _ in 0.5 })
    for formula: ColorDifference in [.ciede2000(), .cie76] {
      let map = try sample.difference(from: standard, by: formula).render(as: Float.self)
      let sorted = (0..<count).map { map[$0, 0, 0] * 100 }.sorted()
      let comparison = try PictureComparison(of: sample, with: standard, by: formula)
      #expect(comparison.percentile95 == Double(sorted[(count * 95 + 99) / 100 - 1]))
      #expect(comparison.maximum == Double(sorted[count - 1]))
      let mean = sorted.reduce(0) { $0 + Double($1) } / Double(count)
      #expect(abs(comparison.mean - mean) <= 1e-13 * mean)
    }
  }

  /// Both measurements together are those of each, and read both pictures once.
  @Test(arguments: [Channels.rgb, .rgba]) func similarityIsMeasuredInTheSameRendering(
    channels: Channels
  ) throws {
    let size = PixelSize(61, 47)
    let rows = [3, 4].map { seed in
      CountedRows(
        Bitmap<Float>(size, in: .sRGB, channels: channels) { x, y in
          (0..<channels.count).map { Float((x * seed + y * 7 + $0) % 23) / 22 }
        })
    }
    let (a, b) = (Picture(rows[0]), Picture(rows[1]))
    let (comparison, similarity) = try PictureComparison.withSimilarity(
      of: b, with: a, by: .ciede2000(), options: RenderOptions())
    #expect(rows.map { row in row.log.withLock { $0.read } } == [47, 47])
    #expect(comparison == (try PictureComparison(of: b, with: a)))
    #expect(similarity == (try a.structuralSimilarity(to: b)))
    let small = a.cropped(to: Region(PixelSize(10, 47)))
    let other = try PictureComparison.withSimilarity(
      of: small, with: small, by: .ciede2000(), options: RenderOptions())
    #expect(other.comparison.maximum == 0 && other.similarity == nil)
  }

  /// A NaN, wherever it is, makes the largest difference NaN: it is not below any limit.
  @Test func pixelsWithoutDifferenceAreCounted() throws {
    func picture(nanAt place: Int?) -> Picture {
      Picture(
        Bitmap<Float>(PixelSize(10, 10), in: .sRGB, channels: .rgb) { x, y in
          10 * y + x == place ? [.nan, 0.5, 0.5] : [0.5, 0.5, Float(x) / 10]
        })
    }
    let standard = picture(nanAt: nil)
    for place in [0, 42, 99] {
      for (a, b) in [(picture(nanAt: place), standard), (standard, picture(nanAt: place))] {
        let comparison = try PictureComparison(of: a, with: b)
        #expect(comparison.pixelsWithoutDifference == 1, "\(place)")
        #expect(comparison.mean.isNaN && comparison.maximum.isNaN, "\(place)")
        #expect(comparison.largestStep.isNaN && comparison.peakSignalToNoise.isNaN, "\(place)")
        #expect(comparison.percentile95 == 0, "\(place)")
      }
    }
    let same = try PictureComparison(of: standard, with: standard)
    #expect(same.pixelsWithoutDifference == 0 && same.maximum == 0)
  }

  @Test func comparisonsDescribeThemselvesInOneLine() throws {
    let gray = Picture(
      Bitmap<Float>(PixelSize(2, 1), in: .sRGB, channels: .rgb) { _, _ in [0.5, 0.5, 0.5] })
    #expect(
      "\(try PictureComparison(of: gray, with: gray))"
        == "ΔE mean 0.0, 95 % within 0.0, largest 0.0; largest step 0.0, PSNR infinity dB")
    let wrong = Picture(
      Bitmap<Float>(PixelSize(2, 1), in: .sRGB, channels: .rgb) { x, _ in
        [x == 0 ? .nan : 0.5, 0.5, 0.5]
      })
    let line = "\(try PictureComparison(of: wrong, with: gray))"
    #expect(line.hasPrefix("ΔE mean NaN, 95 % within "), "\(line)")
    #expect(line.contains("largest NaN, undefined for 1 pixel; largest step NaN"), "\(line)")
  }

  @Test func differencesCountForTheMemoryLimit() throws {
    let picture = Picture(Ramp(), in: .sRGB).cropped(to: Region(PixelSize(4000, 3000)))
    var options = RenderOptions()
    // A value of four bytes for each pixel, without a copy to sort them.
    (options.threads, options.memoryLimit) = (1, 48_000_000)
    #expect {
      try PictureComparison(of: picture, with: picture, options: options)
    } throws: {
      guard case .tooMuchMemory(let bytes, 48_000_000) = $0 as? RenderError else { return false }
      return bytes > 48_000_000 && bytes < 72_000_000
    }
    #expect(throws: RenderError.recipe(.endless)) {
      let endless = Picture(Ramp(), in: .sRGB)
      _ = try PictureComparison(of: endless, with: endless)
    }
  }

  @Test func alphaDifferencesCount() throws {
    let opaque = Picture(Bitmap<Float>(PixelSize(4, 4), in: .sRGB, channels: .rgb))
    let clear = Picture(Bitmap<Float>(PixelSize(4, 4), in: .sRGB, channels: .rgba))
    let comparison = try PictureComparison(of: clear, with: opaque)
    #expect(comparison.maximum == 0)
    #expect(comparison.largestStep == 1)
  }

  /// Colors of fully transparent pixels do not count.
  @Test(arguments: [Float(1), .infinity, .nan])
  func hiddenColorsDoNotCount(hidden: Float) throws {
    func picture(_ color: Float, alpha: Float = 0) -> Picture {
      Picture(
        Bitmap<Float>(PixelSize(16, 16), in: .sRGB, channels: .rgba) { x, y in
          x > y ? [color, color, 0, alpha] : [0.5, 0.25, Float(x) / 16, 1]
        })
    }
    let comparison = try PictureComparison(of: picture(hidden), with: picture(0))
    #expect(comparison.largestStep == 0 && comparison.peakSignalToNoise == .infinity)
    if hidden == 1 {
      #expect(try picture(hidden).structuralSimilarity(to: picture(0)) == 1)
      // Half of such a color is seen at half of its alpha.
      let seen = try PictureComparison(of: picture(1, alpha: 0.5), with: picture(0, alpha: 0.5))
      #expect(seen.largestStep == 0.5)
      #expect(
        try picture(1, alpha: 0.5).structuralSimilarity(to: picture(0, alpha: 0.5)) < 0.99)
    }
  }

  @Test func otherSizesAreRefused() {
    let (small, large) = (
      Picture(Bitmap<UInt8>(PixelSize(3, 4), in: .sRGB)),
      Picture(Bitmap<UInt8>(PixelSize(5, 6), in: .sRGB))
    )
    #expect(throws: RenderError.incomparable(PixelSize(5, 6), PixelSize(3, 4))) {
      try PictureComparison(of: small, with: large)
    }
  }

  @Test func statisticsEqualCounts() throws {
    // One pixel in four is out of sRGB's gamut; the others are grays, lighter from row to row.
    let bitmap = Bitmap<UInt8>(PixelSize(400, 5), in: .displayP3, channels: .rgb) { x, y in
      x % 4 == 0 ? [0, 255, 0] : [UInt8](repeating: UInt8(51 + y), count: 3)
    }
    let (statistics, coverage) = try Picture(bitmap).reduced(
      by: Statistics(domain: .encoded), GamutCoverage(of: [.sRGB, .displayP3, .rec2020]))
    #expect(coverage.fractionsOutside == [0.25, 0, 0])
    #expect(coverage.outside == [500, 0, 0])
    // Codes over 255 in single precision.
    #expect(statistics.least.x == 0)
    #expect(abs(statistics.greatest.x - 55.0 / 255) <= 1e-7)
    #expect(abs(statistics.mean.x - 0.75 * 53 / 255) <= 1e-7)
    #expect(abs(statistics.least.y - 0.2) <= 1e-7)
    #expect(statistics.greatest.y == 1)
    #expect(abs(statistics.mean.y - (0.25 + 0.75 * 53 / 255)) <= 1e-7)
    #expect(statistics.leastAlpha == 1)
  }

  /// Two reductions in one pass give the values of separate passes, and the source is read once.
  @Test func jointReductionsEqualSeparateOnes() throws {
    let picture = Picture(TestPictures.floats(PixelSize(61, 40), in: .displayP3))
    let coverage = try GamutCoverage(of: [.sRGB, .rec2020])
    let (statistics, counts) = try picture.reduced(by: Statistics(), coverage)
    #expect(statistics == (try picture.statistics()))
    #expect(counts.outside == (try picture.reduced(by: coverage).outside))
    #expect(counts.outside[0] > counts.outside[1])
  }

  /// A tolerance in color differences counts visible differences only: traces of out-of-gamut color are ignored.
  @Test func tolerancesOfDifference() throws {
    let colors = Bitmap<Float>(PixelSize(2, 1), in: .sRGB, channels: .rgb) { x, _ in
      x == 0 ? [1, -0.05, 0] : [1.09, -0.22, -0.15]
    }
    let picture = Picture(colors)
    #expect(try picture.fractionOutside(.sRGB, tolerance: 0) == 1)
    let metric = GamutMetric.difference(.ciede2000())
    #expect(try picture.fractionOutside(.sRGB, tolerance: 1, metric: metric) == 0.5)
    #expect(try picture.fractionOutside(.sRGB, tolerance: 20, metric: metric) == 0)
  }

  @Test(arguments: [-1, 1e7, Double.infinity, .nan]) func tolerancesOutOfRangeAreRefused(
    wrong: Double
  ) {
    let picture = Picture(Bitmap<UInt8>(PixelSize(3, 4), in: .sRGB))
    #expect(throws: RecipeError.self) { try GamutCoverage(of: [.sRGB], tolerance: wrong) }
    #expect(throws: RenderError.self) { try picture.fractionOutside(.sRGB, tolerance: wrong) }
    #expect(throws: RenderError.self) {
      try picture.firstPixel(outside: .sRGB, tolerance: wrong)
    }
    #expect(throws: RenderError.self) {
      try picture.gamutMask(outside: .sRGB, tolerance: wrong).render(as: UInt8.self)
    }
  }

  @Test func infinitePicturesHaveNoStatistics() {
    let endless = Picture(Bitmap<UInt8>(PixelSize(3, 4), in: .sRGB)).extended(by: .repeated)
    #expect(throws: RenderError.recipe(.endless)) { try endless.fractionOutside(.sRGB) }
  }
}
