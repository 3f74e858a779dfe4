import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Rendering for displays of high dynamic range: gain maps, the HLG OOTF, and gamut compression into film primaries.
@Suite struct DisplayLightTests {
  private let table: FilmTable

  init() throws { table = try Fixtures.json("Tables/film_and_gain.json", as: FilmTable.self) }

  @Test func gainMapsEqualTheTable() throws {
    for row in table.gainMaps {
      let gain = try GainMap(
        least: SIMD3(row.least), greatest: SIMD3(row.greatest), gamma: SIMD3(row.gamma),
        baseOffset: SIMD3(row.baseOffset), alternateOffset: SIMD3(row.alternateOffset),
        baseHeadroom: row.baseHeadroom, alternateHeadroom: row.alternateHeadroom,
        displayHeadroom: row.displayHeadroom)
      #expect(abs(gain.weight - row.weight) <= 1e-15)
      let result = GainMapApplication(gain)
        .pixel([SIMD4(SIMD3(row.light), 1), SIMD4(SIMD3(row.map), 1)])
      // Two powers of 4 ulp each.
      #expect((SIMD3(result.x, result.y, result.z) - SIMD3(row.result)).largest <= 1e-13 * 20)
    }
  }

  /// With the display headroom of the base rendition nothing changes, bit for bit.
  @Test func gainMapOfWeightZeroIsTheIdentity() throws {
    let source = TestPictures.floats(in: .linearDisplayP3, channels: .rgb)
    let map = Picture(
      Bitmap<UInt8>(PixelSize(9, 5), in: .sRGB, channels: .rgb) { x, _ in [UInt8(20 * x), 5, 255] })
    let gain = try GainMap(greatest: [3, 3, 3], alternateHeadroom: 3, displayHeadroom: 0)
    let same = try Picture(source).gainMapped(gain, map: map).render(as: Float.self)
    #expect(same.isIdentical(to: source))
  }

  /// A map of a quarter of the size is resized; a gray one applies to all channels.
  @Test func mapsAreResizedToThePicture() throws {
    let gray = Bitmap<Float>(PixelSize(64, 32), in: .linearSRGB, channels: .rgb) { _, _ in
      [0.25, 0.25, 0.25]
    }
    let map = Bitmap<Float>(PixelSize(16, 8), in: .sRGB, channels: .rgb) { x, _ in
      [Float](repeating: x < 8 ? 0 : 1, count: 3)
    }
    let gain = try GainMap(
      greatest: [2, 2, 2], baseOffset: .zero, alternateOffset: .zero, alternateHeadroom: 2,
      displayHeadroom: 2)
    let bright = try Picture(gray).gainMapped(gain, map: Picture(map)).render(as: Float.self)
    #expect(bright.size == gray.size)
    #expect(bright[3, 9, 1] == 0.25)
    #expect(bright[60, 9, 1] == 1)
    // In the middle between the last 0 and the first 1 the gain is a half: one stop.
    #expect(abs((bright[31, 9, 0] + bright[32, 9, 0]) / 2 - 0.5) < 0.02)
    let endless = Picture.noise(seed: 1, in: .linearSRGB).gainMapped(gain, map: Picture(map))
    #expect(throws: RenderError.recipe(.endless)) { try endless.render(as: Float.self) }
  }

  @Test(arguments: [(-0.5, 0), (1.5, 1)] as [(Float, Float)])
  func mapsAreClamped(stored: Float, value: Float) throws {
    let size = PixelSize(4, 2)
    let photo = Picture(gray(size, 0.25, in: .linearSRGB))
    let gain = try GainMap(
      least: -.one, greatest: [2, 2, 2], gamma: [2, 2, 2], alternateHeadroom: 2, displayHeadroom: 2)
    let (result, expected) = (
      photo.gainMapped(gain, map: Picture(gray(size, stored, in: .sRGB))),
      photo.gainMapped(gain, map: Picture(gray(size, value, in: .sRGB)))
    )
    #expect(try result.render(as: Float.self) == expected.render(as: Float.self))
  }

  /// The step of a recipe uses the encoded values of a map of any size, wherever it lies, as the method does.
  @Test func recipesApplyMapsAsTheMethodDoes() throws {
    let photo = Picture(gray(PixelSize(16, 8), 0.25, in: .linearSRGB)).moved(by: Offset(7, 5))
    let map = Picture(gray(PixelSize(4, 2), 0.5, in: .sRGB)).moved(by: Offset(-100, 50))
    let step = """
      {"gain-map": {"greatest": [2, 2, 2], "base-offset": [0, 0, 0], "alternate-offset": [0, 0, 0], \
      "alternate-headroom": 2, "display-headroom": 2}, "from": ["photo", "map"]}
      """
    let gain = try GainMap(
      greatest: [2, 2, 2], baseOffset: .zero, alternateOffset: .zero, alternateHeadroom: 2,
      displayHeadroom: 2)
    let bright = try check(step, equals: photo.gainMapped(gain, map: map), of: photo, map)
    // Half of two stops, everywhere.
    for x in [0, 5, 15] { #expect(abs(bright[x, 7, 1] - 0.5) < 1e-6) }
    let other = Picture(gray(PixelSize(16, 8), 0.5, in: .linearSRGB)).moved(by: Offset(90, 0))
    let computed = try check(
      #"{"compute-gain-map": {}, "from": ["photo", "map"]}"#,
      equals: photo.computingGainMap(to: other), of: photo, other)
    // log₂((½ + 1/64) / (¼ + 1/64)) is the logarithm of 33/17.
    for x in [0, 5, 15] { #expect(abs(Double(computed[x, 7, 1]) - 0.956_931_2) < 1e-6) }
  }

  /// Default arguments of public declarations repeat the offsets of Ultra HDR.
  @Test func defaultOffsetsAreThoseOfUltraHDR() throws {
    let gain = try GainMap(greatest: .one, alternateHeadroom: 1, displayHeadroom: 1)
    #expect(gain.baseOffset == GainMap.usualOffset && gain.alternateOffset == GainMap.usualOffset)
    let (base, other) = (
      Picture(gray(PixelSize(4, 2), 0.25, in: .linearSRGB)),
      Picture(gray(PixelSize(4, 2), 0.5, in: .linearSRGB))
    )
    let map = base.computingGainMap(
      to: other, baseOffset: GainMap.usualOffset, alternateOffset: GainMap.usualOffset)
    #expect(try base.computingGainMap(to: other).contentHash() == map.contentHash())
  }

  /// Returns the pixels of a recipe of one step, which must be those of a picture.
  private func check(
    _ step: String, equals picture: Picture, of photo: Picture, _ map: Picture
  ) throws -> Bitmap<Float> {
    let recipe = try Recipe(
      json: #"{"version": 1, "inputs": ["photo", "map"], "steps": [\#(step)]}"#)
    let made = try recipe.picture(["photo": photo, "map": map])
    #expect(made.region == picture.region && made.space == picture.space)
    let bitmap = try made.render(as: Float.self)
    #expect(try bitmap == picture.render(as: Float.self))
    return bitmap
  }

  private func gray(_ size: PixelSize, _ value: Float, in space: ColorSpace) -> Bitmap<Float> {
    Bitmap(size, in: space, channels: .rgb) { _, _ in [value, value, value] }
  }

  @Test func impossibleGainsAreRefused() {
    #expect(throws: RecipeError.self) {
      try GainMap(greatest: [40, 1, 1], alternateHeadroom: 2, displayHeadroom: 2)
    }
    #expect(throws: RecipeError.self) {
      try GainMap(greatest: .one, gamma: .zero, alternateHeadroom: 2, displayHeadroom: 2)
    }
  }

  /// ISO 21496-1: the greatest gain is at least the least one, in each channel.
  @Test func gainsDoNotFall() throws {
    let sentence =
      "The greatest gain of a gain map must not be below the least one in any channel; got least "
      + "0.0, 2.0, 0.0 and greatest 2.0, 1.0, 2.0 stops."
    #expect(throws: RecipeError.other(sentence)) {
      try GainMap(
        least: [0, 2, 0], greatest: [2, 1, 2], alternateHeadroom: 2, displayHeadroom: 2)
    }
    #expect(throws: RecipeError.other(sentence)) {
      try GainMapComputation(least: [0, 2, 0], greatest: [2, 1, 2])
    }
    // A channel without a range of gains has one gain.
    _ = try GainMap(least: .one, greatest: .one, alternateHeadroom: 2, displayHeadroom: 2)
    _ = try GainMapComputation(least: .one, greatest: .one)
  }

  /// The black level of a display is a part of the signal's EOTF, not of the OOTF.
  @Test func recipesOfTheOOTFNameNoBlack() throws {
    let entry = try #require(FilterCatalog.builtIn["hlg-rendering"])
    #expect(entry.parameters.map(\.name) == ["peak", "gamma", "white", "direction"])
    let step = #"{"hlg-rendering": {"peak": 600, "black": 0.25}}"#
    do {
      _ = try Recipe(json: #"{"version": 1, "steps": [\#(step)]}"#)
      Issue.record("A recipe names a black.")
    } catch {
      #expect("\(error)".contains(#"there is no parameter "black""#), "\(error)")
    }
  }

  @Test func hlgRenderingEqualsTheTable() throws {
    for row in table.hlg {
      let display = try HLGDisplay(peak: Luminance(candelas: row.peak))
      let rendering = try HLGRendering(on: display, white: 1)
      let shown = PointProgram { rendering.describe(to: &$0, in: .linearRec2020) }(
        SIMD3(row.scene))
      // The table's luminance weights have four digits, ours follow from the primaries: 2·10⁻⁵ of it, to the power 0.2
      // and more.
      #expect((shown - SIMD3(row.shown)).largest <= 2e-5 * row.peak, "\(row)")
    }
  }

  /// The filter agrees with the two spaces of Rec. 2100 HLG, scene-linear and display-linear.
  @Test func renderingAgreesWithTheSpaces() throws {
    let signal = Bitmap<Float>(PixelSize(64, 9), in: .rec2100HLG, channels: .rgb) { x, y in
      [Float(x) / 63, Float(y) / 8, Float(63 - x) / 90]
    }
    // Scene-linear values relative to the signal 1; the named space has them relative to the signal 0.75.
    let scene = ColorSpace("HLG scene", primaries: .rec2020, transfer: .hlg)
    let shown = try Picture(signal.tagged(as: scene)).hlgRendered().converted(to: .linearRec2020)
      .render(as: Float.self)
    let expected = try Picture(signal.tagged(as: .rec2100HLGDisplay)).converted(to: .linearRec2020)
      .render(as: Float.self)
    for x in 0..<64 {
      for channel in 0..<3 {
        let (a, b) = (shown[x, 4, channel], expected[x, 4, channel])
        // The luminance weights, as above; peak white is 5.
        #expect(abs(a - b) <= 2e-5 * 5 * max(1, b))
      }
    }
    let back = try Picture(shown).hlgSceneLight().hlgRendered().render(as: Float.self)
    // Two powers in single precision between stages.
    for x in 0..<64 { #expect(abs(back[x, 4, 1] - shown[x, 4, 1]) <= 1e-5) }
  }

  /// A NaN in one channel makes all three NaN, instead of black.
  @Test func hlgRenderingKeepsNaN() throws {
    let pixels = Bitmap<Float>(PixelSize(3, 1), in: .linearRec2020, channels: .rgb) { x, _ in
      (0..<3).map { $0 == x ? .nan : 0.5 }
    }
    for picture in [Picture(pixels).hlgRendered(), Picture(pixels).hlgSceneLight()] {
      #expect(try picture.render(as: Float.self).row(0).allSatisfy(\.isNaN))
    }
  }

  @Test func gamutCompressionEqualsTheTableAndInverts() throws {
    let rows = try Fixtures.json("Tables/aces_gamut_compression.json", as: [[[Double]]].self)
    for row in rows {
      let compressed = PointProgram { GamutCompress().describe(to: &$0, in: .acescg) }(
        SIMD3(row[0]))
      #expect((compressed - SIMD3(row[1])).largest <= 1e-12 * (1 + SIMD3(row[1]).largest))
    }
    let lamps = Bitmap<Float>(PixelSize(40, 1), in: .acescg, channels: .rgb) { x, _ in
      [0.1, 0.3 - Float(x) / 100, 2]
    }
    let drawn = Picture(lamps).gamutCompressed()
    // Nothing is clipped: 2 is still there, and in-gamut colors are unchanged, bit for bit.
    let inside = try drawn.render(as: Float.self)
    #expect(inside[0, 0, 2] == 2)
    let restored = try drawn.gamutUncompressed().render(as: Float.self)
    for x in 0..<40 {
      // Compressed distances up to 0.96 of the way to the pole amplify 6·10⁻⁸ by some hundred.
      #expect(abs(restored[x, 0, 1] - lamps[x, 0, 1]) <= 1e-5)
    }
  }
}
