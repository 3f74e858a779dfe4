import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Levels that are measured.
@Suite struct AutomaticLevelsTests {
  /// A row of pixels with equal channels and, where `alphas` are given, alpha.
  private func row(
    _ values: [Float], alphas: [Float]? = nil, in space: ColorSpace = .sRGB
  ) -> Picture {
    Picture(
      Bitmap<Float>(
        PixelSize(values.count, 1), in: space, channels: alphas == nil ? .rgb : .rgba
      ) { x, _ in
        [values[x], values[x], values[x]] + (alphas.map { [$0[x]] } ?? [])
      })
  }

  private func ends(_ picture: Picture) throws -> (least: SIMD3<Double>, greatest: SIMD3<Double>) {
    let statistics = try picture.reduced(by: Statistics(domain: .encoded))
    return (statistics.least, statistics.greatest)
  }

  @Test func codesBecomePlainLevels() throws {
    let flat = Picture(
      Bitmap<UInt8>(PixelSize(154, 2), in: .sRGB, channels: .gray) { x, _ in [UInt8(51 + x)] })
    let full = try flat.automaticLevels(clipping: 0)
    let levels = flat.levels(black: 0.2, white: 0.8)
    #expect(try full.recipe().recipe == levels.recipe().recipe)
    #expect(try full.recipe().recipe.json.contains("\"levels\""))
    let codes = try full.render(as: UInt8.self)
    #expect(codes[0, 0, 0] == 0 && codes[153, 0, 0] == 255)
  }

  /// Of 1000 pixels, 0.1 % is one: it goes beyond black, another one beyond white, and the next ones become black and white.
  @Test func thePartIsClippedAtEachEnd() throws {
    let values = [0, 0.25] + Array(repeating: Float(0.5), count: 996) + [0.75, 1]
    let full = try row(values).automaticLevels().render(as: Float.self)
    #expect(full[0, 0, 0] < -0.4 && full[999, 0, 0] > 1.4)
    #expect(abs(full[1, 0, 0]) < 1e-4 && abs(full[998, 0, 0] - 1) < 1e-4)
    #expect(
      try row(values).measuredLevels(clipping: 0.0009, perChannel: false, options: RenderOptions())
        == .unchanged)
    #expect(
      try row(values).measuredLevels(clipping: 0.002, perChannel: false, options: RenderOptions())
        == .uniform)
  }

  /// Values between codes share bins with others, none of which goes beyond unless it may.
  @Test(arguments: [0, 0.001, 0.01, 0.05], [false, true])
  func noMoreThanThePartIsClippedOfFloats(part: Double, perChannel: Bool) throws {
    let size = PixelSize(100, 100)
    var generator = SeededGenerator(seed: 4)
    let source = Bitmap<Float>(size, in: .sRGB, channels: .rgb) { _, _ in
      (0..<3).map { _ in
        // Near both ends many values share a bin.
        let isDark = Bool.random(using: &generator)
        let end: Float = isDark ? 0.25 : 0.75
        return end + Float.random(in: -1e-4...1e-4, using: &generator)
      }
    }
    let full = try Picture(source).automaticLevels(clipping: part, perChannel: perChannel)
      .render(as: Float.self)
    for channel in 0..<3 {
      var (below, above) = (0, 0)
      for y in 0..<size.height {
        for x in 0..<size.width {
          if full[x, y, channel] < -1e-6 { below += 1 }
          if full[x, y, channel] > 1 + 1e-6 { above += 1 }
        }
      }
      let allowed = Int((part * Double(size.pixelCount)).rounded())
      #expect(below <= allowed && above <= allowed, "\(below) and \(above) of \(allowed)")
    }
  }

  private let cast = Picture(
    Bitmap<Float>(PixelSize(101, 1), in: .sRGB, channels: .rgb) { x, _ in
      let part = Float(x) / 100
      return [0.3 + 0.5 * part, 0.2 + 0.4 * part * part, 0.1 + 0.3 * part]
    })

  /// One scale keeps the ratio of the channels' differences, on which the hue of HSV depends.
  @Test func channelsShareOneScale() throws {
    let full = try cast.automaticLevels(clipping: 0)
    let (least, greatest) = try ends(full)
    #expect(abs(least.min()) < 1e-4 && abs(greatest.max() - 1) < 1e-4)
    let (before, after) = (
      try cast.render(as: Float.self), try full.render(as: Float.self)
    )
    for x in 0...100 {
      func ratio(_ bitmap: Bitmap<Float>) -> Float {
        (bitmap[x, 0, 1] - bitmap[x, 0, 2]) / (bitmap[x, 0, 0] - bitmap[x, 0, 2])
      }
      #expect(abs(ratio(before) - ratio(after)) < 1e-4)
    }
  }

  @Test func channelsByThemselvesLoseACast() throws {
    let (least, greatest) = try ends(cast.automaticLevels(clipping: 0, perChannel: true))
    for channel in 0..<3 {
      #expect(abs(least[channel]) < 1e-4 && abs(greatest[channel] - 1) < 1e-4)
    }
    // A channel of one value has nothing to stretch.
    let flat = Picture(
      Bitmap<Float>(PixelSize(3, 1), in: .sRGB, channels: .rgb) { x, _ in
        [0.25 + 0.25 * Float(x), 0.5, 0.5]
      })
    let full = try flat.automaticLevels(clipping: 0, perChannel: true).render(as: Float.self)
    #expect(abs(full[0, 0, 0]) < 1e-4 && abs(full[2, 0, 0] - 1) < 1e-4)
    #expect((0..<3).allSatisfy { abs(full[$0, 0, 1] - 0.5) < 1e-6 })
  }

  @Test func uniformAndFullPicturesStay() throws {
    let colored = Picture(
      Bitmap<UInt8>(PixelSize(8, 6), in: .sRGB, channels: .rgb) { _, _ in [100, 50, 20] })
    let invisible = row([0.2, 0.7], alphas: [0, 0])
    for picture in [colored, row([0.5]), invisible, row([.nan, .nan])] {
      for perChannel in [false, true] {
        let found = try picture.measuredLevels(
          clipping: 0.001, perChannel: perChannel, options: RenderOptions())
        #expect(found == .uniform)
        #expect(picture.applying(found).plan == picture.plan)
      }
    }
    let ramp = row((0...100).map { Float($0) / 100 })
    #expect(try ramp.automaticLevels().plan == ramp.plan)
  }

  @Test func pixelsCountByTheirAlpha() throws {
    // Transparent black and white, and one of a hundredth of the others' alpha.
    let values: [Float] = [0, 1, 0.1, 0.25, 0.75, 0.25, 0.75]
    let picture = row(values, alphas: [0, 0, 0.01, 1, 1, 1, 1])
    let found = try picture.automaticLevels(clipping: 0.01).render(as: Float.self)
    #expect(abs(found[3, 0, 0]) < 1e-4 && abs(found[4, 0, 0] - 1) < 1e-4)
    let all = try picture.automaticLevels(clipping: 0).render(as: Float.self)
    #expect(abs(all[2, 0, 0]) < 1e-4)
  }

  /// Levels stretch up to white and no further, so that highlights beyond it stay, and nothing is darkened.
  @Test func highlightsBeyondWhiteAreNotDarkened() throws {
    let bright = row([0, 0.5, 1, 4], in: .linearSRGB)
    #expect(try bright.automaticLevels(clipping: 0).plan == bright.plan)
    let hazy = row([0.25, 0.5, 1, 4], in: .linearSRGB)
    let full = try hazy.automaticLevels(clipping: 0).render(as: Float.self)
    #expect(abs(full[0, 0, 0]) < 1e-4 && abs(full[2, 0, 0] - 1) < 1e-4 && full[3, 0, 0] > 4)
    // Out of gamut, black is not lifted.
    let wide = row([-0.25, 0, 0.5], in: .linearSRGB)
    let stretched = try wide.automaticLevels(clipping: 0).render(as: Float.self)
    #expect(abs(stretched[0, 0, 0] + 0.5) < 1e-4 && abs(stretched[1, 0, 0]) < 1e-4)
  }

  /// Where encoded 0 and 1 are not black and white, the levels lead to what is.
  @Test func whiteIsThatOfTheSpace() throws {
    // ACEScc has black below 0.
    for space in [ColorSpace.rec2100PQ, .acescc, try ColorSpace(named: "S-Log3 S-Gamut3.Cine")] {
      let (black, white) = (space.transfer.encode(0.0), space.transfer.encode(1.0))
      let middle = (black + white) / 2
      let dim = row([Float(middle) - 0.05, Float(middle) + 0.05], in: space)
      let (least, greatest) = try ends(dim.automaticLevels(clipping: 0))
      // A bin of the histogram, stretched by up to 9.
      #expect(abs(least.x - black) < 2e-4 && abs(greatest.x - white) < 2e-4, "\(space)")
      let full = row([Float(black), Float(middle), Float(white)], in: space)
      #expect(try full.automaticLevels(clipping: 0).plan == full.plan, "\(space)")
    }
  }

  /// ACEScc encodes dark tones below 0, which are told apart like the others.
  @Test(arguments: [false, true]) func tonesBelowZeroAreMeasured(perChannel: Bool) throws {
    let dark = row([-0.3, -0.25, -0.2], in: .acescc)
    let (least, greatest) = try ends(
      dark.automaticLevels(clipping: 0, perChannel: perChannel))
    let (black, white) = (
      ColorSpace.acescc.transfer.encode(0.0), ColorSpace.acescc.transfer.encode(1.0)
    )
    #expect(abs(least.x - black) < 1e-3 && abs(greatest.x - white) < 1e-3)
    // The darkest tone is no longer taken for black.
    let found = try dark.measuredLevels(
      clipping: 0, perChannel: perChannel, options: RenderOptions())
    guard case .levels(let levels) = found else {
      Issue.record("\(found)")
      return
    }
    #expect(abs(levels.red.black + 0.3) < 1e-4 && abs(levels.red.white + 0.2) < 1e-4)
    #expect(
      try row([-0.3], in: .acescc).measuredLevels(
        clipping: 0, perChannel: perChannel, options: RenderOptions()) == .uniform)
  }

  @Test func levelsAreIndependentOfTilesAndThreads() throws {
    let picture = Picture(TestPictures.floats(PixelSize(271, 190))).levels(
      outputBlack: 0.2, outputWhite: 0.7)
    let expected = try picture.measuredLevels(
      clipping: 0.1, perChannel: true, options: RenderOptions())
    #expect(expected != .unchanged && expected != .uniform)
    for (tile, threads) in [(PixelSize(7, 5), 2), (PixelSize(64, 64), 1), (PixelSize(300, 1), 3)] {
      var options = RenderOptions()
      (options.tile, options.threads) = (tile, threads)
      #expect(
        try picture.measuredLevels(clipping: 0.1, perChannel: true, options: options) == expected)
    }
  }

  @Test func uselessRequestsAreRefused() {
    for part in [-0.1, 0.5, .nan] {
      #expect(throws: RenderError.self) { try cast.automaticLevels(clipping: part) }
    }
    let error = #expect(throws: RenderError.self) {
      try cast.converted(to: .lab).automaticLevels()
    }
    #expect(error?.description.contains("RGB and gray spaces") == true)
  }
}
