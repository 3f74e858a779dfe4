import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Filters of neighborhoods, against values computed by other programs; see the tables' README.
@Suite struct NeighborhoodTests {
  private struct Table: Decodable {
    var meta: Meta
    var picture, copy: [[Float]]
    var results: [String: [[Float]]]
    var places: [[[Float]]]
    var similarity, noise: Double

    struct Meta: Decodable { var convolution: [[Double]] }
  }

  private let table: Table

  init() throws { table = try Fixtures.json("Tables/neighbourhood.json", as: Table.self) }

  private func picture(_ rows: [[Float]]) -> Picture {
    Picture(
      Bitmap<Float>(PixelSize(rows[0].count, rows.count), in: .linearSRGB, channels: .rgb) {
        [rows[$1][$0], 2 * rows[$1][$0], rows[$1][$0] - 1]
      })
  }

  /// Compares the first channel; `tolerance` is for values about 1.
  private func expect(
    _ picture: Picture, is name: String, of results: [String: [[Float]]]? = nil,
    within tolerance: Float, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let expected = try #require((results ?? table.results)[name])
    let result = try picture.render(as: Float.self)
    for y in 0..<result.size.height {
      for x in 0..<result.size.width {
        #expect(
          abs(result[x, y, 0] - expected[y][x]) <= tolerance, "\(name) at (\(x), \(y))",
          sourceLocation: sourceLocation)
      }
    }
  }

  /// Parameters out of range do not trap: the picture keeps the error until it is rendered.
  @Test func parametersOutOfRangeAreRefused() throws {
    let source = picture(table.picture)
    let refused: [(picture: Picture, sentence: String)] = [
      (source.median(radius: 51), "The radius of median must lie in 0…50; got 51."),
      (source.dilated(by: -1), "The radius of morphology must lie in 0…10000; got -1."),
      (
        source.guidedSmoothed(radius: 2001, contrast: 0.1),
        "The radius of guided filter must lie in 0…2000; got 2001."
      ),
      (
        source.guidedSmoothed(radius: 2, contrast: 1e-23),
        "The contrast of guided filter must lie in 1e-06…1000000; got 1e-23."
      ),
      (
        source.sharpened(sigma: 1, amount: 1, threshold: -1),
        "The threshold of sharpen must lie in 0…1000000; got -1."
      ),
      (
        source.sharpened(sigma: .nan, amount: 1),
        "The sigma of sharpen must lie in 0…10000; got NaN."
      ),
      (
        source.blurred(sigma: -1, mask: source),
        "The sigma of blur by mask must lie in 0…10000; got -1."
      ),
    ]
    for (picture, sentence) in refused {
      do throws(RenderError) {
        _ = try picture.render(as: Float.self)
        Issue.record("\(sentence)")
      } catch {
        #expect("\(error)" == sentence)
      }
    }
    #expect(throws: RecipeError.self) { try GuidedFilter(radius: 1, contrast: 0) }
    for sigmas in [[0], [0, 0], [0, .nan], [2, 1], [1, 2], [0, -1], [0, 1e-200], [0, 1e200]] {
      #expect(throws: RecipeError.self) { try VariableBlur(sigmas: sigmas) }
    }
  }

  @Test func blursEqualTheTable() throws {
    let source = picture(table.picture)
    // A sum of about forty products that sum to 1, twice; the promise is 10⁻⁶.
    for sigma in [0.6, 2.5, 7] {
      try expect(source.blurred(sigma: sigma), is: "gaussian \(sigma)", within: 1e-6)
    }
    for radius in [1, 4] {
      try expect(source.boxBlurred(radius: radius), is: "box \(radius)", within: 1e-6)
    }
  }

  @Test func orderStatisticsEqualTheTable() throws {
    let source = picture(table.picture)
    // Pixels are moved, not computed.
    for radius in [1, 3] {
      try expect(source.median(radius: radius), is: "median \(radius)", within: 0)
    }
    for radius in [1, 5] {
      try expect(source.dilated(by: radius), is: "dilate \(radius)", within: 0)
      try expect(source.eroded(by: radius), is: "erode \(radius)", within: 0)
    }
  }

  @Test func gradientsAndSumsEqualTheTable() throws {
    let source = picture(table.picture)
    // Sums of up to nine products of values up to 6.
    try expect(source.edges(), is: "sobel", within: 4e-6)
    try expect(source.laplacian(), is: "laplacian", within: 4e-6)
    try expect(source.convolved(table.meta.convolution), is: "convolution", within: 4e-6)
  }

  @Test func guidedFilterEqualsTheTable() throws {
    // Sums are doubles. The results are rounded to single precision.
    try expect(
      picture(table.picture).guidedSmoothed(radius: 2, contrast: 0.2), is: "guided 2 0.2",
      within: 5e-7)
  }

  /// The variance of fine texture on a bright picture is a small difference of large squares.
  @Test(arguments: [(0.9, 0.001), (8.1, 0.01)])
  func guidedFiltersSmoothFineTexture(brightness: Double, texture: Double) throws {
    let size = PixelSize(29, 23)
    var random = SeededGenerator(seed: 5)
    let values = (0..<size.pixelCount).map { _ in
      Float(brightness + texture * Double.random(in: -1...1, using: &random))
    }
    let source = Bitmap<Float>(size, in: .linearSRGB, channels: .gray) { x, y in
      [values[y * size.width + x]]
    }
    let filter = try GuidedFilter(radius: 3, contrast: texture)
    let result: Bitmap<Float> = try Picture(source).applying(filter).render()
    for y in 0..<size.height {
      for x in 0..<size.width {
        let expected = filter.pixel(x: x, y: y, of: size) { x, y in
          let (x, y) = (min(max(x, 0), size.width - 1), min(max(y, 0), size.height - 1))
          return SIMD4(repeating: Double(values[y * size.width + x]))
        }
        // The nearest float, and an ulp for errors of 10⁻¹⁵ of the square beside ε.
        let allowed = 1.5 * Double(Float(expected.x).ulp)
        #expect(abs(Double(result[x, y, 0]) - expected.x) <= allowed, "\(x), \(y)")
      }
    }
  }

  @Test func remapEqualsTheTable() throws {
    let places = table.places
    let bitmap = Bitmap<Float>(
      PixelSize(places[0].count, places.count), in: .linearSRGB, channels: .grayAlpha
    ) { places[$1][$0] }
    // Positions are stored in single precision: half an ulp of 16 is 10⁻⁶ pixels, between pixels that differ by up to
    // 1.4.
    try expect(
      picture(table.picture).remapped(by: bitmap, kernel: .triangle), is: "bilinear",
      within: 4e-6)
  }

  @Test func comparisonsEqualTheTable() throws {
    let (source, copy) = (gray(table.picture), gray(table.copy))
    // Variances are differences of squares: 10⁻⁷ over the constant 9·10⁻⁴, averaged over many pixels.
    #expect(
      abs(try source.structuralSimilarity(to: copy) - table.similarity) < 1e-5)
    #expect(try source.structuralSimilarity(to: source) == 1)
    let comparison = try PictureComparison(of: copy, with: source)
    #expect(abs(comparison.peakSignalToNoise - table.noise) < 1e-4)
  }

  private func gray(_ rows: [[Float]]) -> Picture {
    Picture(
      Bitmap<Float>(PixelSize(rows[0].count, rows.count), in: .linearSRGB, channels: .gray) {
        [rows[$1][$0]]
      })
  }

  /// A narrow Gaussian ends where little of it lies beyond; the error is largest where all that lies beyond is bright.
  @Test func narrowBlursMeetTheirErrorBound() throws {
    for sigma in [0.1, 0.5, 1, 1.825, 2, 2.6, 3.5575, 3.99] {
      let weights = (-30...30).map { exponential(-Double($0 * $0) / (2 * sigma * sigma)) }
      let total = weights.reduce(0, +)
      for dark in 0..<25 {
        let source = Picture(
          Bitmap<Float>(PixelSize(61, 61), in: .linearSRGB, channels: .gray) { x, y in
            [max(abs(x - 30), abs(y - 30)) > dark ? 1 : 0]
          })
        let blurred = try source.blurred(sigma: sigma)
          .cropped(to: Region(x: 30, y: 30, width: 1, height: 1)).render(as: Float.self)
        let inside = weights[(30 - dark)...(30 + dark)].reduce(0, +) / total
        #expect(abs(Double(blurred[0, 0, 0]) - (1 - inside * inside)) < 1e-6, "σ \(sigma), \(dark)")
      }
    }
  }

  /// The square of a tiny deviation is 0, and such a Gaussian one pixel.
  @Test func tinyDeviationsChangeNothing() throws {
    let source = picture(table.picture)
    let pixels = try source.render(as: Float.self)
    for sigma in [0, .leastNonzeroMagnitude, 1e-200, 1e-9] {
      #expect(try source.blurred(sigma: sigma).render(as: Float.self) == pixels)
      #expect(try source.sharpened(sigma: sigma, amount: 1).render(as: Float.self) == pixels)
    }
  }

  /// A wide Gaussian is computed on a coarser grid; it agrees with a sum over all pixels.
  @Test func wideBlursMeetTheirErrorBound() throws {
    var generator = SeededGenerator(seed: 3)
    let row = (0..<700).map { _ in Float.random(in: 0...1, using: &generator) }
    let source = Picture(
      Bitmap<Float>(PixelSize(700, 1), in: .linearSRGB, channels: .gray) { x, _ in [row[x]] })
    for sigma in [5.99, 6, 11, 24.1, 100] {
      let blurred = try source.blurred(sigma: sigma).render(as: Float.self)
      let reach = Int(7 * sigma)
      let weights = (-reach...reach).map { exponential(-Double($0 * $0) / (2 * sigma * sigma)) }
      let total = weights.reduce(0, +)
      for x in stride(from: 0, to: 700, by: 9) {
        let sum = weights.indices.reduce(0.0) {
          $0 + weights[$1] * Double(row[min(max(x + $1 - reach, 0), 699)])
        }
        #expect(abs(Double(blurred[x, 0, 0]) - sum / total) < 1e-6, "σ = \(sigma) at \(x)")
      }
    }
  }

  @Test func whiteStaysWhite() throws {
    let white = Picture(
      Bitmap<Float>(PixelSize(80, 50), in: .linearSRGB, channels: .rgb) { _, _ in [1, 1, 1] })
    for blurred in [
      white.blurred(sigma: 3), white.boxBlurred(radius: 7), white.median(radius: 2),
      white.sharpened(sigma: 2, amount: 1),
    ] {
      let result = try blurred.render(as: Float.self)
      for x in 0..<80 { #expect(result[x, 20, 1] == 1) }
    }
    // Three blurs on the grid: a rounding error of an ulp each.
    let wide = try white.blurred(sigma: 20).render(as: Float.self)
    for x in 0..<80 { #expect(abs(wide[x, 20, 1] - 1) <= 4e-7) }
  }

  private struct Sharpening: Decodable {
    var picture: [[Float]]
    var results: [String: [[Float]]]
  }

  /// x + 0.8 (x − G) and its variants.
  @Test func unsharpMasksEqualTheTable() throws {
    let table = try Fixtures.json("Tables/sharpening.json", as: Sharpening.self)
    let source = picture(table.picture)
    for (name, threshold, channels) in [
      ("unsharp", 0, Picture.SharpenedChannels.all), ("unsharp above 0.3", 0.3, .all),
      ("unsharp luminance", 0, .luminance), ("unsharp luminance above 0.3", 0.3, .luminance),
    ] {
      let sharp = source.sharpened(
        sigma: 1.5, amount: 0.8, threshold: threshold, channels: channels)
      // The blur's bound of 10⁻⁶ of the brightest value, which is 2.4 in luminance; no difference is that close to the
      // threshold.
      try expect(sharp, is: name, of: table.results, within: 2.4e-6)
    }
  }

  /// A masked blur is a Gaussian with the mask's deviation, within the documented error.
  @Test func masksBlurAsTheirGaussians() throws {
    let table = try Fixtures.json("Tables/sharpening.json", as: Sharpening.self)
    let source = picture(table.picture)
    let size = PixelSize(table.picture[0].count, table.picture.count)
    // The error of the mixture of two Gaussians on this picture, for masks from −0.19 to 1.19, by the same program in
    // double precision.
    for (mask, measured) in [(0.1, 0.08329), (0.37, 0.05768), (0.8, 0.02697)] as [(Float, Float)] {
      let flat = Picture(
        Bitmap<Float>(size, in: .linearSRGB, channels: .gray) { _, _ in [mask] })
      try expect(
        source.blurred(sigma: 4, mask: flat), is: "variable \(mask)", of: table.results,
        within: measured + 2e-6)
    }
  }

  /// An edge under any mask is that of a Gaussian, within the documented fraction of its height.
  @Test(arguments: [0.9, 4, 15, 32])
  func edgesUnderMasksAreThoseOfGaussians(sigma: Double) throws {
    let size = PixelSize(241, 1)
    let edge = Picture(
      Bitmap<Float>(size, in: .linearSRGB, channels: .gray) { x, _ in [x < 120 ? 0 : 1] })
    var (worst, worstOfWide): (Float, Float) = (0, 0)
    for step in 0...64 {
      let mask = Double(step) / 64
      let flat = Picture(
        Bitmap<Float>(size, in: .linearSRGB, channels: .gray) { _, _ in [Float(mask)] })
      let mixed = try edge.blurred(sigma: sigma, mask: flat).render(as: Float.self)
      let exact = try edge.blurred(sigma: sigma * mask).render(as: Float.self)
      for x in 0..<241 {
        let error = abs(mixed[x, 0, 0] - exact[x, 0, 0])
        worst = larger(worst, error)
        if sigma * mask >= 1 { worstOfWide = larger(worstOfWide, error) }
      }
    }
    #expect(worst <= 0.048)
    #expect(worstOfWide <= 0.038)
    // The documented bound is not unnecessarily large.
    #expect(worst > 0.03)
  }

  /// Sharpening raises the contrast on both sides of an edge; sharpening luminance alone keeps colors.
  @Test func sharpeningRaisesEdgeContrast() throws {
    let edge = Picture(
      Bitmap<Float>(PixelSize(40, 5), in: .linearSRGB, channels: .rgb) { x, _ in
        x < 20 ? [0.2, 0.4, 0.2] : [0.4, 0.8, 0.4]
      })
    let all = try edge.sharpened(sigma: 2, amount: 1).render(as: Float.self)
    #expect(all[19, 2, 0] < 0.16)
    #expect(all[20, 2, 0] > 0.44)
    #expect(abs(all[20, 2, 1] - 2 * all[20, 2, 0]) < 1e-6)
    let light = try edge.sharpened(sigma: 2, amount: 1, channels: .luminance)
      .render(as: Float.self)
    // All channels change by the same amount.
    #expect(abs((light[20, 2, 1] - 0.8) - (light[20, 2, 0] - 0.4)) < 1e-6)
    let quiet = try edge.sharpened(sigma: 2, amount: 1, threshold: 0.5).render(as: Float.self)
    #expect(quiet[20, 2, 1] == 0.8)
  }

  /// A picture of one color keeps it at edges of alpha: an edge of alpha alone is no edge of color.
  @Test(arguments: [Arrangement.interleaved, .planar], Picture.SharpenedChannels.allCases)
  func sharpeningKeepsColorsAtEdgesOfAlpha(
    arrangement: Arrangement, channels: Picture.SharpenedChannels
  ) throws {
    let color: [Float] = [0.8, 0.5, 0.1]
    let disc = Bitmap<Float>(PixelSize(41, 41), in: .linearSRGB, arrangement: arrangement) { x, y in
      let distance = (Double((x - 20) * (x - 20) + (y - 20) * (y - 20))).squareRoot()
      return color + [Float(min(max((14 - distance) / 4, 0), 1))]
    }
    let sharp = try Picture(disc).sharpened(sigma: 1, amount: 0.5, channels: channels)
      .render(as: Float.self)
    var compared = 0
    for y in 0..<41 {
      for x in 0..<41 {
        #expect(sharp[x, y, 3] == disc[x, y, 3])
        if disc[x, y, 3] < 1 / 255 { continue }
        compared += 1
        // The blur's bound of 10⁻⁶, divided by an alpha of at least 1/255.
        for channel in 0..<3 { #expect(abs(sharp[x, y, channel] - color[channel]) < 2.6e-4) }
      }
    }
    #expect(compared > 500)
  }

  /// A mask of 0 keeps the picture, 1 blurs it, and values in between blur it less.
  @Test func blurFollowsTheMask() throws {
    let size = PixelSize(120, 30)
    let source = Picture(TestPictures.floats(size, in: .linearSRGB, channels: .rgb))
    let mask = Picture(
      Bitmap<Float>(size, in: .linearSRGB, channels: .gray) { x, _ in
        [x < 40 ? 0 : x < 80 ? 0.5 : 1]
      })
    let result = try source.blurred(sigma: 4, mask: mask).render(as: Float.self)
    let (sharp, half, full) = (
      try source.render(as: Float.self), try source.blurred(sigma: 2).render(as: Float.self),
      try source.blurred(sigma: 4).render(as: Float.self)
    )
    for y in 0..<30 {
      #expect(result[10, y, 0] == sharp[10, y, 0])
      #expect(result[60, y, 0] == half[60, y, 0])
      #expect(result[100, y, 0] == full[100, y, 0])
    }
  }

  /// The red of a mask counts times its alpha, and within 0…1.
  @Test(
    arguments: [
      ([1.5, 0, 0, 1], 1), ([-0.5, 1, 1, 1], 0), ([2, 0, 0, 0.25], 0.5), ([4, 0, 0, 0.5], 1),
    ] as [([Float], Float)])
  func masksOfBlursAreClamped(pixel: [Float], value: Float) throws {
    let source = picture(table.picture)
    let size = PixelSize(source.size.width, source.size.height)
    let mask = Bitmap<Float>(size, in: .linearSRGB) { _, _ in pixel }
    let plain = Bitmap<Float>(size, in: .linearSRGB, channels: .gray) { _, _ in [value] }
    let result = try source.blurred(sigma: 4, mask: Picture(mask)).render(as: Float.self)
    let expected = try source.blurred(sigma: 4, mask: Picture(plain)).render(as: Float.self)
    #expect(result.firstDifference(from: expected) == nil)
  }

  /// The mean of black and white: half of the light, or half of the encoded value.
  @Test func convolutionsSumTheValuesOfTheirDomain() throws {
    let source = Picture(
      Bitmap<Float>(PixelSize(2, 1), in: .sRGB, channels: .rgb) { x, _ in
        [Float](repeating: Float(x), count: 3)
      })
    let rows = [[0.5, 0.5, 0]]
    let encoded = try source.convolved(rows, in: .encoded).render(as: Float.self)
    #expect(encoded[1, 0, 0] == 0.5)
    let linear = try source.convolved(rows).render(as: Float.self)
    #expect(abs(Double(linear[1, 0, 0]) - TransferFunction.sRGB.encode(0.5)) < 1e-6)
  }

  @Test func invalidBlursAreRefused() {
    let source = Picture(TestPictures.floats(PixelSize(3, 3)))
    #expect(throws: RenderError.self) { try source.blurred(sigma: -1).render(as: UInt8.self) }
    #expect(throws: RenderError.self) { try source.blurred(sigma: .nan).render(as: UInt8.self) }
    #expect(throws: RenderError.self) {
      try source.convolved([[1, 2], [3, 4]]).render(as: UInt8.self)
    }
  }
}
