import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Reductions of whole pictures.
@Suite struct AnalysisTests {
  /// The value has the same bits for all tile sizes and numbers of threads.
  @Test func valuesAreIndependentOfTilesAndThreads() throws {
    let picture = Picture(TestPictures.floats(PixelSize(271, 190))).exposure(0.3)
    let statistics = try picture.statistics()
    let histogram = try picture.histogram(steps: 1000)
    for (tile, threads) in [(PixelSize(7, 5), 2), (PixelSize(64, 64), 1), (PixelSize(300, 1), 3)] {
      var options = RenderOptions()
      (options.tile, options.threads) = (tile, threads)
      #expect(try picture.statistics(options: options) == statistics)
      #expect(try picture.histogram(steps: 1000, options: options) == histogram)
    }
  }

  /// A reduction whose pixels are added one by one.
  private struct Single<Filter: Reduction>: Reduction {
    let filter: Filter
    var domain: PixelDomain { filter.domain }
    func start(in space: ColorSpace) -> Filter.State { filter.start(in: space) }
    func add(_ pixel: SIMD4<Float>, to state: inout Filter.State) { filter.add(pixel, to: &state) }
    func value(of state: Filter.State) -> Filter.Value { filter.value(of: state) }
  }

  /// Rows have the bits of pixels, with and without alpha, also where values are NaN, infinite or between two bins.
  @Test(arguments: [Channels.rgb, .rgba]) func rowsAreAddedLikePixels(channels: Channels) throws {
    var random = SeededGenerator(seed: 5)
    let special: [Float] = [0, -0.0, 1, 1.5 / 99, 2.5 / 99, -1, 7, .infinity, -.infinity, .nan]
    let samples = (0..<4 * 53 * 31).map { _ in
      Bool.random(using: &random)
        ? Float.random(in: 0...1, using: &random)
        : special[Int.random(in: 0..<special.count, using: &random)]
    }
    let picture = Picture(
      Bitmap<Float>(PixelSize(53, 31), in: .linearSRGB, channels: channels) { x, y in
        var pixel = (0..<channels.count).map { samples[4 * (53 * y + x) + $0] }
        if channels == .rgba { pixel[3] = Float((x + y) % 5) / 4 }
        return pixel
      })
    for domain in [PixelDomain.linear, .encoded] {
      let statistics = Statistics(domain: domain)
      let (rows, pixels) = try picture.reduced(by: statistics, Single(filter: statistics))
      // NaN does not equal itself; its text does.
      #expect("\(rows)" == "\(pixels)")
      for scale in [Histogram.Scale.even, .stops(-8...2)] {
        for weightsByAlpha in [false, true] {
          let histogram = try Histogram(
            steps: 100, domain: domain, scale: scale, weightsByAlpha: weightsByAlpha)
          let (rows, pixels) = try picture.reduced(by: histogram, Single(filter: histogram))
          #expect(rows == pixels)
          #expect(rows.pixelCount > 0)
        }
      }
    }
  }

  @Test func reductionsKeepTheLaws() throws {
    #expect(FilterLaws.violations(of: Statistics()).isEmpty)
    #expect(FilterLaws.violations(of: try GamutCoverage(of: [.sRGB, .displayP3])).isEmpty)
    for scale in [Histogram.Scale.even, .stops(-10...4)] {
      for weightsByAlpha in [true, false] {
        let histogram = try Histogram(
          steps: 100, domain: .linear, scale: scale, weightsByAlpha: weightsByAlpha)
        #expect(FilterLaws.violations(of: histogram).isEmpty, "\(scale) \(weightsByAlpha)")
      }
    }
  }

  @Test func comparisonsAreIndependentOfThreads() throws {
    let picture = Picture(TestPictures.floats(PixelSize(271, 190)))
    let other = picture.exposure(0.1).blurred(sigma: 1)
    var options = RenderOptions()
    options.threads = 1
    let comparison = try PictureComparison(of: other, with: picture, options: options)
    let similarity = try picture.structuralSimilarity(to: other, options: options)
    #expect(comparison.maximum > 0 && similarity < 1)
    for threads in 1...4 {
      options.threads = threads
      #expect(try PictureComparison(of: other, with: picture, options: options) == comparison)
      #expect(try picture.structuralSimilarity(to: other, options: options) == similarity)
    }
  }

  @Test func statisticsOfKnownValuesAreExact() throws {
    let ramp = Picture(
      Bitmap<Float>(PixelSize(101, 3), in: .linearSRGB) { x, y in
        y == 2 ? [9, 9, 9, 0] : [Float(x) / 4, -1, 100, 1]
      })
    let statistics = try ramp.statistics()
    #expect(statistics.count == 202)
    #expect(statistics.least == [0, -1, 100])
    #expect(statistics.greatest == [25, -1, 100])
    #expect(statistics.mean == [12.5, -1, 100])
    // The values 0 … 100 have a variance of (101² − 1) / 12 = 850; quarters of them a sixteenth.
    #expect(abs(statistics.standardDeviation.x - (850.0 / 16).squareRoot()) < 1e-12)
    #expect(statistics.standardDeviation.y == 0)
    #expect(statistics.standardDeviation.z == 0)
  }

  @Test func histogramCountsAllCodes() throws {
    let codes = Picture(
      Bitmap<UInt8>(PixelSize(256, 2), in: .sRGB, channels: .rgb) { x, y in
        [UInt8(x), y == 0 ? 7 : 200, 255]
      })
    let histogram = try codes.histogram()
    #expect(histogram.pixelCount == 512)
    for step in 0..<256 { #expect(histogram[0, step] == 2) }
    #expect(histogram[1, 7] == 256)
    #expect(histogram[1, 200] == 256)
    #expect(histogram[2, 255] == 512)
    #expect(histogram.percentile(0.5).x == 127.0 / 255)
    #expect(histogram.percentile(0).x == 0)
    #expect(histogram.percentile(1) == [1, 200.0 / 255, 1])
  }

  /// Fifteen stops in fifteen bins; values beyond them, and those of 0 or less, are in the first and the last one.
  @Test func histogramCountsStops() throws {
    let light: [Float] = (-12...6).map { Float(exp2(Double($0))) } + [0, -1, .infinity, .nan]
    let picture = Picture(
      Bitmap<Float>(PixelSize(light.count, 2), in: .linearSRGB, channels: .rgb) { x, _ in
        [light[x], 1, 0]
      })
    let counts = try picture.reduced(
      by: Histogram(steps: 15, domain: .linear, scale: .stops(-10...4)))
    // Three values of −12 … −10 stops, two of 0 or less; three of 4 … 6, and infinity; the last one is NaN.
    #expect((0..<15).map { counts[0, $0] } == [10] + [Int](repeating: 2, count: 13) + [8])
    #expect(counts[1, 10] == 2 * light.count)
    #expect(counts.percentile(0.5).y == 1)
    #expect(counts.value(ofBin: 0) == exp2(-10) && counts.value(ofBin: 14) == 16)
  }

  /// The kernels find the places of stops that single values have, to the bit.
  @Test func kernelsPlaceStopsAsInDoublePrecision() throws {
    var random = SeededGenerator(seed: 7)
    let special: [Float] = [0, -0.0, 1, 0.5, -1, .leastNonzeroMagnitude, .infinity, .nan]
    let light =
      special + (0..<1000).map { _ in Float(exp2(Double.random(in: -30...30, using: &random))) }
    for range in [-8.0...2, -10...(-1.5), -1000...1000] {
      let places = Formula.places(onStops: range)
      let picture = Picture(
        Bitmap<Float>(PixelSize(light.count, 1), in: .linearSRGB, channels: .rgb) { x, _ in
          [light[x], light[x], light[light.count - 1 - x]]
        })
      let found = try picture.applying(Placing(formula: places)).render(as: Float.self).row(0)
      for (index, value) in light.enumerated() {
        let expected = Float(Formula.place(of: Double(value), onStops: range))
        #expect(
          found[3 * index].bitPattern == expected.bitPattern || value.isNaN && expected.isNaN,
          "\(value) on \(range)")
        let place = Float(places(SIMD3(repeating: Double(value))).y)
        #expect(value.isNaN || place == expected)
      }
    }
  }

  /// A formula as a filter.
  private struct Placing: PointFilter {
    let formula: Formula
    var domain: PixelDomain { .linear }
    func describe(to program: inout PointProgram, in space: ColorSpace) {
      program.append(.formula(formula))
    }
    static func == (a: Placing, b: Placing) -> Bool { a.formula.name == b.formula.name }
    func hash(into hasher: inout Hasher) { hasher.combine(formula.name) }
  }

  @Test func histogramParametersOutOfRangeAreRefused() {
    let picture = Picture(Bitmap<UInt8>(PixelSize(3, 4), in: .sRGB))
    for steps in [Int.min, 0, 1, 16_777_217] {
      #expect(throws: RecipeError.self) { try Histogram(steps: steps) }
      #expect(throws: RenderError.self) { try picture.histogram(steps: steps) }
    }
    for range in [1...1, -Double.infinity...4, 0...1e300] {
      #expect(throws: RecipeError.self) { try Histogram(scale: .stops(range)) }
    }
  }

  @Test func percentilesBeyondAllPixelsAreClamped() throws {
    let counts = try Picture(
      Bitmap<UInt8>(PixelSize(256, 1), in: .sRGB, channels: .rgb) { x, _ in [UInt8(x), 7, 7] }
    ).histogram()
    #expect(counts.percentile(1e300) == counts.percentile(1))
    #expect(counts.percentile(.infinity) == counts.percentile(1))
    #expect(counts.percentile(-1e300) == counts.percentile(0))
    #expect(counts.percentile(.nan).x.isNaN)
  }

  @Test func histogramWeightsByAlpha() throws {
    let picture = Picture(
      Bitmap<Float>(PixelSize(4, 3), in: .sRGB) { x, y in [Float(y) / 2, 0, 1, Float(x) / 4] })
    let counts = try picture.reduced(by: Histogram(steps: 3, weightsByAlpha: true))
    // A row holds 0 + ¼ + ½ + ¾ of a pixel.
    #expect((0..<3).map { counts[0, $0] } == [Int](repeating: 65_536 * 3 / 2, count: 3))
    #expect(counts.pixelCount == 65_536 * 9 / 2)
    #expect(try picture.histogram(steps: 3).pixelCount == 9)
  }

  @Test func meansOfColumnsAndRows() throws {
    let picture = Picture(
      Bitmap<Float>(PixelSize(5, 4), in: .linearSRGB) { x, y in
        [Float(x), Float(y), Float(x * y), y == 0 ? 0 : 1]
      })
    let columns = try picture.columnMeans().render(as: Float.self)
    #expect(columns.size == PixelSize(5, 1))
    // The first of four rows is fully transparent.
    for x in 0..<5 {
      #expect((0..<4).map { columns[x, 0, $0] } == [Float(x), 2, Float(2 * x), 0.75])
    }
    let rows = try picture.rowMeans().render(as: Float.self)
    #expect(rows.size == PixelSize(1, 4))
    #expect((0..<4).map { rows[0, 3, $0] } == [2, 3, 6, 1])
    #expect(rows[0, 0, 3] == 0)
    // The mean is of linear light, not of encoded values.
    let halves = Picture(
      Bitmap<UInt8>(PixelSize(2, 1), in: .sRGB, channels: .rgb) { x, _ in
        [UInt8](repeating: x == 0 ? 0 : 255, count: 3)
      })
    #expect(try halves.rowMeans().render(as: UInt8.self)[0, 0, 0] == 188)
  }

  /// A filter that depends on all pixels: it maps the brightest to white.
  @Test func filtersMayDependOnReductions() throws {
    let dark = Picture(
      Bitmap<Float>(PixelSize(50, 40), in: .linearSRGB, channels: .rgb) { x, y in
        [Float(x) / 100, Float(y) / 200, 0]
      })
    let stretched = dark.applying(measuring: Statistics(), in: .linear) { statistics, picture in
      picture.exposure(-log2(statistics.greatest.max()))
    }
    #expect(stretched.plan.contains("filters, after measuring statistics"))
    let result = try stretched.render(as: Float.self)
    #expect(result[49, 0, 0] == 1)
    #expect(try stretched.statistics().greatest.x == 1)
  }

  /// Several point filters, another encoding, another space, and no filter at all: all of it is one program.
  @Test func measuredFiltersAreThoseOfThePicture() throws {
    let size = PixelSize(31, 17)
    let photo = Picture(
      Bitmap<Float>(size, in: .sRGB, channels: .rgb) { x, y in
        [Float(x) / 30, Float(y) / 16, 0.5]
      })
    let changes: [@Sendable (Double, Picture) -> Picture] = [
      { $1.exposure($0).inverted() }, { $1.converted(to: .displayP3).saturation($0) },
      { $1.gamma(exponent: 1 + $0).contrast(1.5) }, { $1 },
    ]
    for (index, change) in changes.enumerated() {
      for domain in [PixelDomain.linear, .encoded] {
        let measured = photo.applying(measuring: Statistics(), in: domain) { change($0.mean.x, $1) }
        let mean = try photo.statistics().mean.x
        let expected = try change(mean, photo).converted(to: photo.space).render(as: Float.self)
        // Conversions to the named encoding and back are exact to some steps of a float.
        let result = try measured.render(as: Float.self)
        for y in 0..<size.height {
          for (value, other) in zip(result.row(y), expected.row(y)) {
            #expect(abs(value - other) <= 1e-5 * max(1, abs(other)), "\(index) in \(domain)")
          }
        }
      }
    }
  }

  @Test func measuredFiltersMustBePointFilters() {
    let photo = Picture(TestPictures.floats(PixelSize(31, 17)))
    let changes: [@Sendable (Picture) -> Picture] = [
      { $0.boxBlurred(radius: 1) }, { $0.moved(by: Offset(1, 0)) },
      { $0.cropped(to: Region(x: 0, y: 0, width: 5, height: 5)) }, { _ in photo },
    ]
    for (index, change) in changes.enumerated() {
      #expect(throws: RenderError.recipe(.notPointwise), "\(index)") {
        try photo.applying(measuring: Statistics()) { change($1) }.render(as: Float.self)
      }
    }
    #expect(throws: RenderError.recipe(.endless)) {
      try photo.applying(measuring: Statistics()) { (_, _) throws(RecipeError) in throw .endless }
        .render(as: Float.self)
    }
  }

  /// Squares of such values have no digits left for differences in single precision.
  @Test func similarityOfBrightPicturesIsExact() throws {
    let size = PixelSize(24, 17)
    var random = SeededGenerator(seed: 7)
    let noise = (0..<2 * size.pixelCount).map { _ in Float.random(in: -0.1...0.1, using: &random) }
    let lamp = Region(x: 2, y: 3, width: 15, height: 11)
    for offset in [Float(0), 10, 1000] {
      let pictures = (0..<2).map { index in
        Bitmap<Float>(size, in: .linearSRGB, channels: .rgb) { x, y in
          if offset == 10, lamp.contains(Region(x: x, y: y, width: 1, height: 1)) {
            return Array(repeating: 50000 + Float(index), count: 3)
          }
          let value = 0.5 * Float(x) / 24 + noise[index * size.pixelCount + y * size.width + x]
          return [value + offset, value + offset, offset]
        }
      }
      let similarity = try Picture(pictures[0]).structuralSimilarity(to: Picture(pictures[1]))
      // Rounded to single precision at each pixel.
      #expect(abs(similarity - Self.similarity(pictures[0], pictures[1])) < 1e-7, "\(offset)")
    }
  }

  /// The structural similarity by its definition.
  private static func similarity(_ a: Bitmap<Float>, _ b: Bitmap<Float>) -> Double {
    let window = (-5...5).map { exponential(-Double($0 * $0) / 4.5) }
    let total = window.reduce(0, +) * window.reduce(0, +)
    var (sum, count) = (0.0, 0.0)
    for y in 5..<a.size.height - 5 {
      for x in 5..<a.size.width - 5 {
        for c in 0..<3 {
          func mean(_ value: (_ a: Double, _ b: Double) -> Double) -> Double {
            var result = 0.0
            for row in 0..<11 {
              for column in 0..<11 {
                let (x, y) = (x + column - 5, y + row - 5)
                result +=
                  window[row] * window[column] * value(Double(a[x, y, c]), Double(b[x, y, c]))
              }
            }
            return result / total
          }
          let (meanA, meanB) = (mean { a, _ in a }, mean { _, b in b })
          let varianceA = mean { a, _ in (a - meanA) * (a - meanA) }
          let varianceB = mean { _, b in (b - meanB) * (b - meanB) }
          let covariance = mean { a, b in (a - meanA) * (b - meanB) }
          sum +=
            (2 * meanA * meanB + 0.0001) / (meanA * meanA + meanB * meanB + 0.0001)
            * (2 * covariance + 0.0009) / (varianceA + varianceB + 0.0009)
          count += 1
        }
      }
    }
    return sum / count
  }

  @Test func failuresAreThrown() {
    let endless = Picture.noise(seed: 1, in: .sRGB)
    #expect(throws: RenderError.recipe(.endless)) { try endless.statistics() }
    let small = Picture(Bitmap<UInt8>(PixelSize(10, 10), in: .sRGB))
    let error = #expect(throws: RenderError.self) { try small.structuralSimilarity(to: small) }
    #expect(error?.description.contains("these pictures have 10 × 10") == true)
  }

  /// Of NaN and of infinite values there is no standard deviation; the least and the greatest value skip NaN.
  @Test func undefinedMeasuresAreNaN() throws {
    for value in [Float.nan, .infinity, -.infinity] {
      let picture = Picture(
        Bitmap<Float>(PixelSize(4, 1), in: .linearSRGB, channels: .rgb) { x, _ in
          [x == 2 ? value : Float(x), Float(x), 7]
        })
      let statistics = try picture.statistics()
      #expect(statistics.standardDeviation.x.isNaN, "\(value)")
      #expect(!statistics.mean.x.isFinite)
      #expect(abs(statistics.standardDeviation.y - 1.25.squareRoot()) < 1e-12)
      #expect(statistics.standardDeviation.z == 0)
      #expect(statistics.least.x == (value == -.infinity ? -.infinity : 0))
      #expect(statistics.greatest.x == (value == .infinity ? .infinity : 3))
    }
    let clear = Picture(Bitmap<UInt8>(PixelSize(3, 2), in: .sRGB, channels: .rgba))
    let median = try clear.histogram().percentile(0.5)
    #expect((0..<3).allSatisfy { median[$0].isNaN })
    #expect(try (0..<3).allSatisfy { try clear.statistics().standardDeviation[$0].isNaN })
  }

  /// The error fits a measurement as well as a 3D LUT.
  @Test func theErrorOfMeasuredFiltersNamesThem() {
    #expect("\(RecipeError.notPointwise)".contains("applying(measuring:)"))
  }
}
