import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Properties of adjustments beyond the filter laws.
@Suite struct AdjustmentTests {
  @Test func grayStaysGray() throws {
    let ramp = Bitmap<Float>(PixelSize(101, 1), in: .displayP3, channels: .rgb) { x, _ in
      [Float(x) / 50, Float(x) / 50, Float(x) / 50]
    }
    let picture = Picture(ramp)
    let adjusted = [
      picture.hueRotation(77), picture.saturation(1.8), picture.vibrance(2), picture.monochrome(),
    ]
    for same in adjusted {
      let result = try same.render(as: Float.self)
      for x in 0...100 {
        for channel in 0..<3 {
          // A cube triples the error of its root, and Oklab's matrices have coefficients up to 4.
          #expect(ulpDistance(result[x, 0, channel], ramp[x, 0, channel]) <= 64, "\(same.plan)")
        }
      }
    }
  }

  @Test func hueRotationKeepsLightnessAndChroma() {
    var program = PointProgram()
    HueRotation(degrees: 120).describe(to: &program, in: .rec2020.linear)
    checkProperty("L and C stay", .double(in: 0...1), .double(in: 0...1), .double(in: 0...1)) {
      red, green, blue in
      let turned = program([red, green, blue])
      let space = ColorSpace.rec2020.linear
      let before = ColorPoint(red, green, blue, in: space).converted(to: .oklch).components
      let after = ColorPoint(turned, in: space).converted(to: .oklch).components
      return abs(before.x - after.x) < 1e-9 && abs(before.y - after.y) < 1e-9
    }
  }

  @Test func vibranceKeepsTheOrderOfChromas() throws {
    for amount in [-1, -0.5, 0.5, 8] {
      var program = PointProgram()
      try Vibrance(amount).describe(to: &program, in: .linearSRGB)
      var last = -1.0
      for step in 0...100 {
        // From gray to a strong red of one lightness and hue.
        let color = ColorPoint(0.6, Double(step) * 0.003, 25, in: .oklch).converted(to: .linearSRGB)
        let result = ColorPoint(program(color.components), in: .linearSRGB).converted(to: .oklch)
        // Equal within single precision's rounding where the amount of −1 has a stationary point.
        #expect(result.components.y > last - 1e-7)
        last = result.components.y
      }
    }
  }

  @Test func contrastScalesStops() throws {
    var program = PointProgram()
    try Contrast(1.5).describe(to: &program, in: .linearSRGB)
    let color = program([0.18, 0.36, 0.045])
    #expect(abs(color.x - 0.18) < 1e-15)
    #expect(abs(color.y - 0.18 * exp2(1.5)) < 1e-15)
    #expect(abs(color.z - 0.18 * exp2(-3)) < 1e-15)
  }

  @Test func aPickedNeutralBecomesGray() throws {
    let lamp = try ColorTemperature(kelvin: 2856).chromaticity
    for space in [ColorSpace.sRGB, .proPhoto, .acescg] {
      // A gray card of 30 % under the illuminant, in the picture's space.
      let card = ColorPoint(0.3 * lamp.xyz, in: .xyzD65).converted(to: space)
      let source = Bitmap<Float>(PixelSize(1, 1), in: space, channels: .rgb) { _, _ in
        [Float(card.components.x), Float(card.components.y), Float(card.components.z)]
      }
      let expected = Float(space.transfer.encode(0.3))
      for picture in [
        Picture(source).whiteBalance(neutral: card), Picture(source).whiteBalance(kelvin: 2856),
      ] {
        let result = try picture.render(as: Float.self)
        // Two curves of 4 ulp, and a matrix that sums up to three products several times as large as their sum.
        for channel in 0..<3 { #expect(ulpDistance(result[0, 0, channel], expected) <= 32) }
      }
    }
  }

  @Test func whiteBalanceIsIndependentOfTheSpace() throws {
    let source = TestPictures.floats(in: .linearSRGB, channels: .rgb)
    let first = try Picture(source).whiteBalance(kelvin: 4000, tint: 12)
      .converted(to: .proPhoto.linear).render(as: Float.self)
    let last = try Picture(source).converted(to: .proPhoto.linear)
      .whiteBalance(kelvin: 4000, tint: 12).render(as: Float.self)
    for x in 0..<source.size.width {
      // Rounded matrices of the same product.
      for channel in 0..<3 { #expect(abs(first[x, 3, channel] - last[x, 3, channel]) < 2e-6) }
    }
  }

  /// The method has the parameters of recipes: each model of adaptation, and chromaticities by their colors.
  @Test(arguments: [ChromaticAdaptation.bradford, .cat02, .cat16])
  func whiteBalanceTakesAnAdaptation(adaptation: ChromaticAdaptation) throws {
    let source = Picture(TestPictures.floats(PixelSize(9, 5), in: .linearSRGB, channels: .rgb))
    let lamp = try ColorTemperature(kelvin: 3200, duv: 8.0 / 3000).chromaticity
    let d50 = ColorPoint(Chromaticity.d50.xyz, in: .xyzD65)
    for (picture, light) in [
      (source.whiteBalance(kelvin: 3200, tint: 8, by: adaptation), lamp),
      (source.whiteBalance(neutral: d50, by: adaptation), .d50),
    ] {
      let expected = source.applying(try WhiteBalance(light: light, by: adaptation))
      // The chromaticity of a color is rounded.
      #expect(try PictureComparison(of: picture, with: expected).largestStep < 1e-6)
    }
  }

  @Test func warmLightIsCooled() throws {
    var program = PointProgram()
    try WhiteBalance(kelvin: 3000).describe(to: &program, in: .linearSRGB)
    let white = program(.one)
    #expect(white.x < white.y && white.y < white.z)
    var greener = PointProgram()
    try WhiteBalance(kelvin: 6504, tint: 30).describe(to: &greener, in: .linearSRGB)
    let magenta = greener(.one)
    #expect(magenta.y < magenta.x && magenta.y < magenta.z)
  }

  /// An illuminant without luminance cannot become white.
  @Test func illuminantsWithoutLuminanceAreRefused() throws {
    for light in [
      Chromaticity(0.3, 0), Chromaticity(0, 0), Chromaticity(-0.1, 0.3), Chromaticity(.nan, 0.3),
      Chromaticity(1e300, 0.3),
    ] {
      #expect(throws: RecipeError.self, "\(light)") { try WhiteBalance(light: light) }
    }
    #expect(throws: RecipeDecodingError.self) {
      try Recipe(
        json:
          #"{"version": 1, "steps": [{"white-balance": {"light": {"chromaticity": [0.3, 0]}}}]}"#)
    }
    // The first sensor sees the difference of X and Y, which is 0 here.
    let blind = ChromaticAdaptation(
      "blind", sensors: ColorMatrix(rows: [1, -1, 0], [0, 1, 0], [0, 0, 1]))
    #expect(throws: RecipeError.self) {
      try WhiteBalance(light: Chromaticity(0.4, 0.4), by: blind)
    }
  }

  @Test func levelsMapTheirEnds() throws {
    let levels = try ChannelLevels(
      black: 0.1, white: 0.8, gamma: 2.2, outputBlack: 0.9, outputWhite: 0.2)
    var program = PointProgram()
    Levels(red: levels, green: levels, blue: levels).describe(to: &program, in: .sRGB)
    let color = program([0.1, 0.8, 0.1 + 0.7 * power(0.5, 2.2)])
    #expect(abs(color.x - 0.9) < 1e-15)
    #expect(abs(color.y - 0.2) < 1e-15)
    #expect(abs(color.z - 0.55) < 1e-15)
  }

  @Test func gradesKeepTheirEnds() throws {
    var program = PointProgram()
    try LiftGammaGain(lift: [0.1, 0.2, -0.1], gamma: [1.5, 0.7, 2])
      .describe(to: &program, in: .sRGB)
    #expect((program(.one) - .one).largest < 1e-15)
    program = PointProgram()
    try LiftGammaGain(gamma: [1.5, 0.7, 2], gain: [2, 0.5, 1.1])
      .describe(to: &program, in: .sRGB)
    #expect(program(.zero) == .zero)
    #expect((program([0.5, 2, 1 / 1.1]) - .one).largest < 1e-15)
  }

  @Test func channelsAreMovedBitForBit() throws {
    let source = TestPictures.floats(in: .displayP3)
    let swapped = try Picture(source).channels(.blue, .green, .red).render(as: Float.self)
    let green = try Picture(source).channel(.green).render(as: Float.self)
    for x in 0..<source.size.width {
      #expect((0..<4).map { swapped[x, 1, $0] } == [2, 1, 0, 3].map { source[x, 1, $0] })
      #expect((0..<3).map { green[x, 1, $0] } == [1, 1, 1].map { source[x, 1, $0] })
    }
  }

  @Test func mixesWithOffsets() {
    var program = PointProgram()
    ChannelMix(ColorMatrix(rows: [1, 2, 3], [4, 5, 6], [7, 8, 10]), offset: [0.5, 0.25, -1])
      .describe(to: &program, in: .sRGB)
    #expect(program([1, 2, -1]) == [2.5, 8.25, 12])
  }

  @Test func thresholdsIncludeTheirLevel() throws {
    let source = Bitmap<Float>(PixelSize(3, 1), in: .linearSRGB, channels: .rgb) { x, _ in
      let value: Float = [0.499, 0.5, 0.501][x]
      return [value, value, value]
    }
    let result = try Picture(source).threshold(level: 0.5).render(as: Float.self)
    #expect((0..<3).map { result[$0, 0, 1] } == [0, 1, 1])
  }

  @Test func fourNegatives() throws {
    let color = SIMD3(0.5, 0.25, 0.125)
    func inverted(_ meaning: InversionMeaning) -> SIMD3<Double> {
      var program = PointProgram()
      Inversion(meaning).describe(to: &program, in: .linearSRGB)
      return program(color)
    }
    #expect(inverted(.encoded) == [0.5, 0.75, 0.875])
    #expect(inverted(.light) == [0.5, 0.75, 0.875])
    #expect((inverted(.density(range: 2)) - SIMD3(0.02, 0.04, 0.08)).largest < 1e-15)
    // For a largest channel of 0.5 the inversion is the identity; otherwise the proportions are kept.
    #expect(inverted(.value) == color)
    // For middle gray in sRGB the encoded and the linear inversion differ widely: 0.7353569 becomes 0.2646431 or
    // 0.7353569.
    let gray = Bitmap<Float>(PixelSize(1, 1), in: .sRGB, channels: .rgb) { _, _ in
      [0.735_356_9, 0.735_356_9, 0.735_356_9]
    }
    let stored = try Picture(gray).inverted().render(as: Float.self)[0, 0, 0]
    let light = try Picture(gray).inverted(.light).render(as: Float.self)[0, 0, 0]
    #expect(abs(stored - 0.264_643_1) < 1e-6)
    #expect(abs(light - 0.735_356_9) < 1e-6)
  }

  /// V of HSV becomes 1 − V, with the channels in proportion; black and negative colors have no hue, and become gray.
  @Test func valueInversionKeepsHueAndSaturation() throws {
    let source = Bitmap<Float>(PixelSize(3, 1), in: .sRGB, channels: .rgb) { x, _ in
      [[0.8, 0.4, 0.2], [0, 0, 0], [-0.5, -0.25, -1]][x]
    }
    let result = try Picture(source).inverted(.value).render(as: Float.self)
    for (x, expected) in [[Float(0.2), 0.1, 0.05], [1, 1, 1], [1.25, 1.25, 1.25]].enumerated() {
      // One quotient and one product, each with an error of half a unit of 2⁻²⁴.
      for channel in 0..<3 { #expect(abs(result[x, 0, channel] - expected[channel]) <= 1.2e-7) }
    }
  }

  /// Known values: linear ½ to the power of 2.2, and the gray of Display P3's red.
  @Test func knownGraysAndPowersAreReproduced() throws {
    func pixel(_ picture: Picture) throws -> SIMD3<Float> {
      let result = try picture.render(as: Float.self)
      return SIMD3(result[0, 0, 0], result[0, 0, 1], result[0, 0, 2])
    }
    func picture(_ color: [Float], _ space: ColorSpace) -> Picture {
      Picture(Bitmap<Float>(PixelSize(1, 1), in: space, channels: .rgb) { _, _ in color })
    }
    let power = try pixel(picture([0.5, 0.25, -0.5], .linearSRGB).gamma(exponent: 2.2))
    // ½, ¼ to the power of 2.2, and mirrored: curves of 4 ulp.
    #expect(abs(power.x - 0.217_637_64) < 1e-7)
    #expect(abs(power.y - 0.047_366_14) < 3e-8)
    #expect(power.z == -power.x)
    // Y of Display P3's red (SMPTE EG 432-1's primaries and D65), nine digits of it in single precision.
    let red = picture([1, 0, 0], .displayP3.linear)
    let gray = try pixel(red.monochrome())
    #expect(abs(gray.x - 0.228_974_564) < 3e-8)
    #expect(gray == SIMD3(repeating: gray.x))
    #expect(try pixel(red.monochrome(weights: [0.25, 1, 1])) == SIMD3(repeating: 0.25))
  }

  /// Inverting twice restores the picture, within the range of a negative.
  @Test(arguments: [InversionMeaning.encoded, .light, .density(range: 2), .value])
  func doubleInversionIsTheIdentity(_ meaning: InversionMeaning) {
    var program = PointProgram()
    Inversion(meaning).describe(to: &program, in: .linearSRGB)
    checkProperty("\(meaning) twice", .double(in: 0.01...0.99), .double(in: 0.01...0.99)) {
      red, green in
      let color = SIMD3(red, green, 0.5)
      // The inversion of the value is computed in single precision, and divides by values down to a hundredth.
      return (program(program(color)) - color).largest <= (meaning == .value ? 2e-5 : 1e-12)
    }
  }

  @Test func tonesReachTheirEnds() throws {
    func mapped(_ filter: some PointFilter, _ light: Double) -> Double {
      var program = PointProgram()
      filter.describe(to: &program, in: .linearSRGB)
      return program(SIMD3(repeating: light)).x
    }
    // Single precision.
    #expect(abs(mapped(try Reinhard(white: 4), 4) - 1) < 1e-6)
    #expect(abs(mapped(try SigmoidView(), 0.18) - 0.18) < 1e-15)
    #expect(mapped(try SigmoidView(), .infinity) == 1)
    #expect(mapped(try SigmoidView(), -1) == 0)
    // A stop around gray becomes `contrast` stops: the slope in logarithms.
    let (low, high) = (mapped(try SigmoidView(), 0.1799), mapped(try SigmoidView(), 0.1801))
    #expect(abs(log2(high / low) / log2(0.1801 / 0.1799) - 1.5) < 1e-5)
    let display = try DisplayMapping(from: 1000, to: 100, unit: 100)
    // Through PQ's power of 79 and its inverse.
    #expect(abs(mapped(display, 10) - 1) < 1e-11)
    #expect(abs(mapped(display, 100) - 1) < 1e-11)
    #expect(abs(mapped(display, 0.01) - 0.01) < 1e-11)
    #expect(mapped(try DisplayMapping(from: 100, to: 1000), 3) == 3)
  }

  @Test func brightnessOffsetsTheSquareRoot() throws {
    let source = Bitmap<Float>(PixelSize(1, 1), in: .linearSRGB, channels: .rgb) { _, _ in
      [0, 0.25, 1]
    }
    let result = try Picture(source).brightness(0.25).render(as: Float.self)
    #expect((0..<3).map { result[0, 0, $0] } == [0.0625, 0.5625, 1.5625])
  }

  @Test func invalidParametersAreNamed() throws {
    let picture = Picture(TestPictures.floats())
    let failures: [(Picture, String)] = [
      (picture.contrast(0), "The factor of contrast must lie in 0.1…10; got 0."),
      (picture.contrast(.nan), "The factor of contrast must lie in 0.1…10; got NaN."),
      (picture.gamma(exponent: -1), "The exponent of gamma must lie in 0.1…10; got -1."),
      (picture.vibrance(9), "The amount of vibrance must lie in -1…8; got 9."),
      (picture.levels(black: 1), "The distance from black to white must lie in"),
      (picture.levels(gamma: .nan), "The gamma of levels must lie in 0.1…10; got NaN."),
      (
        picture.liftGammaGain(gain: [1, 0, 1]),
        "The gain of lift gamma gain must lie in 0.1…10; got 0."
      ),
      (picture.liftGammaGain(lift: [-1, 0, 0]), "1 / gain + lift must lie in 0.01…11; got 0."),
      (
        picture.colorDecisions(power: [1, 1, 0]),
        "The power of color decisions must lie in 0.1…10; got 0."
      ),
      (
        picture.whiteBalance(kelvin: 10),
        "The kelvin of white balance must lie in 1000…100000; got 10."
      ),
      (
        picture.whiteBalance(kelvin: 5000, tint: 200),
        "The tint of white balance must lie in -150…150; got 200."
      ),
      (
        picture.whiteBalance(neutral: ColorPoint(0, 0, 0, in: .sRGB)),
        "X, Y and Z of a picked neutral must lie in"
      ),
      (
        picture.gamutMask(outside: .sRGB, tolerance: -1),
        "The tolerance of gamut mask must lie in 0…1000000; got -1."
      ),
      (picture.hlgRendered(white: 0), "The white of hlg rendering must lie in 1…10000; got 0."),
      (
        picture.developed(NegativeFilm(base: .automatic, white: .automatic, contrast: .zero)),
        "The contrast of develop must lie in 0.05…20; got 0."
      ),
    ]
    for (failing, sentence) in failures {
      #expect(failing.plan.contains(sentence))
      #expect(throws: RenderError.self) { try failing.render(as: Float.self) }
    }
  }

  private func abs(_ x: Double) -> Double { x.magnitude }
  private func abs(_ x: Float) -> Float { x.magnitude }
  private func abs(_ v: SIMD3<Double>) -> SIMD3<Double> { v.replacing(with: -v, where: v .< 0) }
}
