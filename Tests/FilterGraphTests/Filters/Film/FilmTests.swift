import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Negatives inverted by density and by curves, and prints on paper.
@Suite struct FilmTests {
  private let table: FilmTable

  init() throws { table = try Fixtures.json("Tables/film_and_gain.json", as: FilmTable.self) }

  @Test func densityInversionEqualsTheTable() throws {
    #expect(table.film.count == 24)
    for row in table.film {
      let film = try NegativeDevelopment(
        base: SIMD3(row[0]), white: SIMD3(row[1]), contrast: SIMD3(row[2]))
      let (scan, expected) = (SIMD3(row[3]), SIMD3(row[4]))
      let light = program(of: film)(scan)
      // A quotient of two differences, whose powers have errors of 4 ulp each: near the film base cancellation leaves
      // few digits.
      #expect((light - expected).largest <= 1e-13 * (1 + expected.largest), "\(row)")
    }
  }

  @Test func paperCurveEqualsTheTable() throws {
    #expect(table.paper.count == 24)
    for row in table.paper {
      let paper = try PaperCurve(contrast: row[0], blackest: row[1], gray: row[2])
      let light = program(of: paper)(SIMD3(repeating: row[3]))
      // The table's slope is a quotient of differences, with an error of 10⁻¹⁰.
      #expect((light - SIMD3(repeating: row[4])).largest <= 1e-8, "\(row)")
    }
  }

  /// The chain of the published recipe, in the encoding its curves are defined in, computed with SciPy's splines.
  @Test(
    arguments: [
      (CubicCurve.Interpolation.natural, SIMD3(0.011875, 0.036250, 0.040155)),
      (.catmullRom, SIMD3(0.014606, 0.030334, 0.042969)),
      (.monotone, SIMD3(0.006139, 0.024842, 0.045076)),
    ])
  func publishedRecipeIsReproduced(interpolation: CubicCurve.Interpolation, expected: SIMD3<Double>)
  {
    let recipe = CurveDevelopment.published(interpolation: interpolation)
    let print = program(of: recipe)([0.9, 0.6, 0.4])
    // Half a unit of the last published digit.
    #expect((print - expected).largest <= 5e-7, "\(print)")
  }

  @Test func reversalOfTheRecipeIsOneMinusX() {
    checkProperty("reversed", Generator<Double>.double(in: -4...4)) { x in
      CubicCurve.fallingDiagonal(x) == 1 - x
    }
  }

  /// Gray patches on orange film, scanned with 16 bits, are restored from the kind of film alone.
  @Test func grayPatchesAreRestored() throws {
    let grays = [0.02, 0.05, 0.09, 0.18, 0.36, 0.6, 1]
    // A border of unexposed film around patches of 12 × 12 pixels.
    let scene = Bitmap<Float>(PixelSize(100, 20), in: .linearDisplayP3, channels: .rgb) { x, y in
      let (patch, column) = (x - 8).quotientAndRemainder(dividingBy: 12)
      guard x >= 8, patch < 7, column >= 0, (4..<16).contains(y) else { return [0, 0, 0] }
      return [Float](repeating: Float(grays[patch]), count: 3)
    }
    let scan = try Picture(scene).applying(NegativeExposure(undoneBy: FilmFixture.film()))
      .converted(to: .displayP3).render(as: UInt16.self)
    #expect(scan[1, 1, 0] > scan[1, 1, 2] + 10_000, "The base is orange.")
    let light = try Picture(scan).developed(.colorNegative()).converted(to: .displayP3)
      .render(as: Float.self)
    for (patch, gray) in grays.enumerated() {
      let column = 8 + 12 * patch + 6
      let found = ColorPoint(
        Double(light[column, 10, 0]), Double(light[column, 10, 1]), Double(light[column, 10, 2]),
        in: .displayP3)
      let meant = ColorPoint(SIMD3(repeating: gray), in: .linearDisplayP3)
      let difference = ColorDifference.ciede2000()(found, meant)
      #expect(difference < 1, "\(gray) is \(difference) off")
    }
  }

  /// Film with other slopes than those of its kind, by an independent formula, scanned with 8 bits and noise of ±1
  /// code.
  ///
  /// The limits are measured values: 1.48, 2.63 and 2.19. Noise moves the measured tones, base up and white down, and
  /// the brightest patches with them.
  @Test(arguments: [(0.0, 1.6), (0.03, 2.8), (-0.03, 2.4)])
  func patchesOfOtherFilmAreRestored(slope: Double, limit: Double) throws {
    let grays = [0.02, 0.05, 0.09, 0.18, 0.36, 0.6, 1]
    let (base, slopes) = (SIMD3(0.82, 0.47, 0.28), SIMD3(0.60, 0.66, 0.70) + slope)
    var generator = SeededGenerator(seed: 12)
    // A border of unexposed film around patches of 12 × 12 pixels.
    let scan = Bitmap<UInt8>(PixelSize(100, 20), in: .displayP3, channels: .rgb) { x, y in
      let (patch, column) = (x - 8).quotientAndRemainder(dividingBy: 12)
      let isPatch = x >= 8 && patch < 7 && column >= 0 && (4..<16).contains(y)
      return (0..<3).map { channel in
        // D = γ · log₁₀(1 + 50 H), and T = base · 10^(−D).
        let density = slopes[channel] * log2(1 + 50 * (isPatch ? grays[patch] : 0)) / log2(10)
        let light = base[channel] * power(10, -density)
        let noise = Double.random(in: -1...1, using: &generator)
        return UInt8((255 * TransferFunction.sRGB.encode(light) + noise).rounded())
      }
    }
    let light = try Picture(scan).developed(.colorNegative()).converted(to: .linearDisplayP3)
      .render(as: Float.self)
    for (patch, gray) in grays.enumerated() {
      var sum = SIMD3<Double>.zero
      for y in 5..<15 {
        for x in 9 + 12 * patch..<19 + 12 * patch {
          sum += SIMD3(Double(light[x, y, 0]), Double(light[x, y, 1]), Double(light[x, y, 2]))
        }
      }
      let difference = ColorDifference.ciede2000()(
        ColorPoint(sum / 100, in: .linearDisplayP3),
        ColorPoint(SIMD3(repeating: gray), in: .linearDisplayP3))
      #expect(difference < limit, "\(gray) is \(difference) off")
    }
  }

  /// Neither a black scan nor one of an empty film holder has tones of film. With known ones their rendering has no NaN.
  @Test(arguments: [(UInt8(0), NoFilm.onlyBlack), (255, .onlyLamp)])
  func filmIsNotMeasuredWithoutFilm(code: UInt8, reason: NoFilm) throws {
    let scan = Picture(
      Bitmap<UInt8>(PixelSize(16, 12), in: .sRGB, channels: .rgb) { _, _ in [code, code, code] })
    let error = RenderError.source(SourceError(reason))
    let film = NegativeFilm.colorNegative()
    #expect(throws: error) { try film.measured(on: scan) }
    #expect(throws: error) { try film.frame("", of: scan) }
    #expect(throws: error) { try scan.developed(film).render(as: Float.self) }
    // Known tones need no measurement.
    let known = NegativeFilm.colorNegative(
      base: .transmittance([0.8, 0.5, 0.3]), white: .transmittance([0.07, 0.04, 0.02]))
    let light = try scan.developed(known).render(as: Float.self)
    for y in 0..<12 { #expect(light.row(y).allSatisfy { $0.isFinite }) }
  }

  /// Of a scan without a counted pixel no light is claimed.
  @Test func transparentScansShowNothing() throws {
    let scan = Picture(
      Bitmap<UInt16>(PixelSize(4, 4), in: .sRGB, channels: .rgba) { _, _ in
        [50_000, 40_000, 30_000, 0]
      })
    let error = RenderError.source(SourceError(NoFilm.nothing))
    for film in [NegativeFilm.colorNegative(), .blackAndWhite()] {
      #expect(throws: error) { try film.measured(on: scan) }
      #expect(throws: error) { try film.frame("", of: scan) }
    }
  }

  /// The base of black-and-white film may be white, but nothing is denser here.
  @Test func whiteScansOfGrayFilmAreBlank() throws {
    let white = Picture(
      Bitmap<UInt8>(PixelSize(16, 12), in: .sRGB, channels: .rgb) { _, _ in [255, 255, 255] })
    let film = NegativeFilm.blackAndWhite()
    #expect(try film.frame("", of: white).base == .one)
    #expect(throws: RenderError.recipe(.filmTones(base: .one, white: .one))) {
      try film.measured(on: white)
    }
  }

  /// A crop of the scan without a border is developed like the whole, with the base measured on the whole.
  @Test func measuredFilmDoesNotDependOnTheCrop() throws {
    let scan = Picture(try FilmFixture.scan(PixelSize(96, 72)))
    let film = try NegativeFilm.colorNegative().measured(on: scan)
    let region = Region(x: 20, y: 15, width: 40, height: 40)
    let whole = try scan.developed(.colorNegative()).cropped(to: region).render(as: Float.self)
    let part = try scan.cropped(to: region).developed(film).render(as: Float.self)
    #expect(part.isIdentical(to: whole))
    // Measured on the crop alone, the brightest tone of the scene would be taken for the film base.
    let wrong = try scan.cropped(to: region).developed(.colorNegative()).render(as: Float.self)
    #expect(!wrong.isIdentical(to: whole))
  }

  @Test func aPickedBaseIsTheMedianOfItsRegion() throws {
    let scan = Picture(try FilmFixture.scan(PixelSize(96, 72)))
    let border = Region(x: 0, y: 0, width: 96, height: 3)
    let film = try NegativeFilm.colorNegative(base: .region(border)).measured(on: scan)
    let base = try #require(film.base.transmittance)
    // A code of 65,535 of sRGB's curve, whose slope there is about 2.
    let known = try FilmFixture.film().base
    #expect((base - known).largest < 3e-5)
  }

  /// Light leaking past the film is brighter than its base, and white.
  @Test func lightLeaksAreNotTheFilmBase() throws {
    let scan = try FilmFixture.scan(PixelSize(96, 72))
    let holes = Bitmap<UInt16>(scan.size, in: scan.space, channels: .rgb) { x, y in
      y < 3 && x % 20 < 10 ? [65535, 65535, 65535] : (0..<3).map { scan[x, y, $0] }
    }
    let film = NegativeFilm.colorNegative()
    let (clean, punched) = (
      try film.measured(on: Picture(scan)).base, try film.measured(on: Picture(holes)).base
    )
    #expect(clean == punched)
  }

  @Test func offsetsAreDensities() throws {
    let scan = Picture(try FilmFixture.scan(PixelSize(48, 36)))
    var film = try NegativeFilm.colorNegative().measured(on: scan)
    film.offset = [0.1, 0, 0]
    var base = try #require(film.base.transmittance)
    let shifted = try scan.developed(film).render(as: Float.self)
    base.x *= power(10, -0.1)
    film.base = .transmittance(base)
    film.offset = .zero
    #expect(try scan.developed(film).render(as: Float.self).isIdentical(to: shifted))
  }

  @Test func grayFilmGivesGrayPrints() throws {
    let scan = Picture(try FilmFixture.scan(PixelSize(48, 36))).monochrome()
    let print = try scan.developed(.blackAndWhite()).render(as: Float.self)
    for x in 0..<48 {
      // Three luminance weights that sum to 1, and the curve of Display P3 on all channels.
      #expect(abs(print[x, 18, 0] - print[x, 18, 2]) <= 1e-6)
    }
    #expect(print[24, 18, 0] != print[1, 1, 0])
  }

  /// The paper curve is applied after the inversion, which is linear: twice the exposure gives twice the value.
  @Test func inversionStaysLinear() throws {
    let scan = Picture(try FilmFixture.scan(PixelSize(48, 36)))
    let light = scan.developed(.colorNegative()).converted(to: .linearDisplayP3)
    let (once, twice) = (
      try light.render(as: Float.self), try light.exposure(1).render(as: Float.self)
    )
    for x in 0..<48 { #expect(twice[x, 20, 1] == 2 * once[x, 20, 1]) }
    let print = try light.paperCurve().render(as: Float.self)
    for x in 0..<48 {
      // The paper's black and white.
      #expect(print[x, 20, 1] >= Float(power(10, -2.1)) * 0.9999 && print[x, 20, 1] < 1)
    }
  }

  // MARK: Other programs' formulas

  @Test func powerInversionEqualsTheTable() throws {
    let powers = try negatives().powers
    #expect(powers.count == 8 && powers.allSatisfy { !$0.rows.isEmpty })
    for row in powers {
      let negative = try PowerNegative(
        clear: SIMD3(row.clear), dense: SIMD3(row.dense), exponent: row.exponent,
        level: row.level)
      // A quotient of logarithms of 4 ulp each.
      #expect((negative.exponents - SIMD3(row.exponents)).largest <= 1e-14)
      for pixel in row.rows {
        let light = program(of: negative)(SIMD3(pixel[0]))
        let expected = SIMD3(pixel[1])
        // The factor is a power of the neutral tone, multiplied by another power: exponents up to 8 of values with an
        // error of 1 ulp.
        #expect((light - expected).largest <= 1e-13 * (1 + expected.largest), "\(pixel)")
      }
    }
  }

  @Test func densityPrintsEqualTheTable() throws {
    let densities = try negatives().densities
    #expect(densities.count == 7 && densities.allSatisfy { !$0.rows.isEmpty })
    for row in densities {
      let print = try DensityPrint(
        base: SIMD3(row.base), range: row.range, highlights: SIMD3(row.highlights),
        shadows: SIMD3(row.shadows), offset: row.offset, black: row.black,
        exposure: row.exposure, grade: row.grade, shoulder: row.shoulder)
      for pixel in row.rows {
        // A difference of values near 1 to a power of up to 6.
        #expect((program(of: print)(SIMD3(pixel[0])) - SIMD3(pixel[1])).largest <= 1e-13)
      }
    }
  }

  /// Weights that leave no density print white, without NaN where a transmittance is enormous.
  @Test func densityPrintsWithoutDensityAreWhite() throws {
    let print = try DensityPrint(
      base: SIMD3(repeating: 100), range: 6, highlights: SIMD3(repeating: 10),
      shadows: SIMD3(repeating: 10), offset: -1, shoulder: 0.5)
    let values: [Float] = [-1, 0, 1e-9, 0.5, 1, 100, 65_536, 1e30, .greatestFiniteMagnitude]
    let scan = Bitmap<Float>(PixelSize(values.count, 1), in: .linearSRGB, channels: .rgb) { x, _ in
      [Float](repeating: values[x], count: 3)
    }
    let row = try Picture(scan).applying(print).render(as: Float.self).row(0)
    // 1.0755⁴ above a shoulder of ½.
    let white = 1 - 0.5 * power(2, -(power(1.0755, 4) - 0.5) / 0.5 / naturalLogarithm(2))
    #expect(row.allSatisfy { abs(Double($0) - white) < 1e-6 }, "\(row)")
  }

  /// In either order, both regions become gray, and the lighter one of the scene gets the level.
  @Test func twoPickedRegionsBecomeGray() throws {
    let film = try FilmFixture.film()
    let scene = Bitmap<Float>(PixelSize(20, 10), in: .linearDisplayP3, channels: .rgb) { x, _ in
      [Float](repeating: x < 10 ? 0.1 : 0.7, count: 3)
    }
    let scan = Picture(scene).applying(NegativeExposure(undoneBy: film))
    let parts = [Region(x: 0, y: 0, width: 9, height: 9), Region(x: 11, y: 1, width: 8, height: 8)]
    let negative = try PowerNegative.measured(on: scan, parts[0], parts[1], level: 0.5)
    #expect(try PowerNegative.measured(on: scan, parts[1], parts[0], level: 0.5) == negative)
    let print = try scan.developed(by: negative).render(as: Float.self)
    for (column, level) in [(5, nil), (15, Float(0.5))] {
      let gray = print[column, 5, 1]
      // Exponents of up to 3 of means in single precision.
      #expect(abs(print[column, 5, 0] - gray) < 2e-6 && abs(print[column, 5, 2] - gray) < 2e-6)
      if let level { #expect(abs(gray - level) < 2e-6) } else { #expect(gray < 0.2) }
    }
  }

  @Test func invalidTonesAreRefused() {
    let reversed = #expect(throws: RecipeError.self) {
      try PowerNegative(clear: [0.5, 0.5, 0.5], dense: [0.1, 0.6, 0.1])
    }
    #expect(reversed.map { "\($0)".hasSuffix("got 0.5, 0.5, 0.5 and 0.1, 0.6, 0.1.") } == true)
    #expect(throws: RecipeError.self) {
      try PowerNegative(clear: [0.5, 0.5, 0.5], dense: [0.1, 0, 0.1])
    }
    #expect(throws: RecipeError.self) {
      try PowerNegative(exponents: [1, .nan, 1], neutral: .one)
    }
    #expect(throws: RecipeError.self) { try DensityPrint(base: [1, 0, 1]) }
    #expect(throws: RecipeError.self) { try DensityPrint(shoulder: 1) }
    #expect(throws: RecipeError.self) { try DensityPrint(range: .nan) }
    // Each in its range; together 10⁵⁰⁰.
    #expect(throws: RecipeError.self) {
      try DensityPrint(base: [1, 1, 1e-5], range: 0.1, highlights: [1, 1, 10])
    }
    // A difference of 10⁻¹⁶ between base and white is rounding.
    let white = SIMD3(0.1, 1.0.nextDown, 0.1)
    #expect(throws: RecipeError.filmTones(base: .one, white: white)) {
      try NegativeDevelopment(base: .one, white: white, contrast: SIMD3(repeating: 20))
    }
  }

  private func negatives() throws -> NegativeTable {
    try Fixtures.json("Tables/negatives.json", as: NegativeTable.self)
  }

  private func program(of filter: some PointFilter) -> PointProgram {
    PointProgram { filter.describe(to: &$0, in: .linearSRGB) }
  }
}

extension NegativeFilm.Tone {
  /// The transmittance; nil for a tone that is not measured.
  var transmittance: SIMD3<Double>? {
    if case .transmittance(let value) = self { value } else { nil }
  }
}

/// Reference values for films, papers, gain maps and HLG displays.
struct FilmTable: Decodable {
  struct Gain: Decodable {
    var least, greatest, gamma, baseOffset, alternateOffset: [Double]
    var baseHeadroom, alternateHeadroom, displayHeadroom, weight: Double
    var light, map, result: [Double]
  }

  struct Display: Decodable {
    var peak: Double
    var scene, shown: [Double]

    init(from decoder: any Decoder) throws {
      var row = try decoder.unkeyedContainer()
      peak = try row.decode(Double.self)
      scene = try row.decode([Double].self)
      shown = try row.decode([Double].self)
    }
  }

  var gainMaps: [Gain]
  var hlg: [Display]
  var film: [[[Double]]]
  var paper: [[Double]]
}

/// Reference values for negatives by powers and by densities.
struct NegativeTable: Decodable {
  struct Powers: Decodable {
    var clear, dense, exponents: [Double]
    var exponent, level: Double
    var rows: [[[Double]]]
  }

  struct Densities: Decodable {
    var base, highlights, shadows: [Double]
    var range, offset, black, exposure, grade, shoulder: Double
    var rows: [[[Double]]]
  }

  var powers: [Powers]
  var densities: [Densities]
}
