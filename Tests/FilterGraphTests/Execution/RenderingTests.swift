import ColorSpaces
import FilterGraph
import ImageBuffer
import Synchronization
import Testing
import _TestSupport

@Suite struct RenderingTests {
  @Test func renderingWithoutFiltersGivesTheSource() throws {
    let floats = TestPictures.floats()
    #expect(try Picture(floats).render(as: Float.self).isIdentical(to: floats))
    let bytes = TestPictures.codes(as: UInt8.self)
    #expect(try Picture(bytes).render(as: UInt8.self) == bytes)
    let words = TestPictures.codes(as: UInt16.self, channels: .rgba, arrangement: .planar)
    #expect(try Picture(words).render(as: UInt16.self) == words)
  }

  /// A code that is converted to 16 bits and back is unchanged.
  @Test func widerSamplesKeepEveryCode() throws {
    let bytes = TestPictures.codes(as: UInt8.self)
    let words = try Picture(bytes).render(as: UInt16.self)
    #expect(try Picture(words).render(as: UInt8.self) == bytes)
    let halves = try Picture(bytes).render(as: Float16.self)
    #expect(try Picture(halves).render(as: UInt8.self) == bytes)
  }

  @Test func spaceRoundTripsKeepEveryCode() throws {
    let bytes = TestPictures.codes(as: UInt8.self)
    for space in ColorSpace.named {
      let wide = try Picture(bytes).converted(to: space).render(as: Float.self)
      #expect(
        try Picture(wide).converted(to: .sRGB).render(as: UInt8.self) == bytes, "through \(space)")
    }
  }

  @Test func spacesWithoutConversionsThrow() throws {
    let point = Chromaticity(0.3, 0.3)
    let primaries = Primaries(red: point, green: point, blue: point)
    let flawed = ColorSpace("x", primaries: primaries, transfer: .linear)
    let error = try #require(primaries.flaw)
    let picture = Picture(TestPictures.codes(as: UInt8.self))
    let inSpace = Picture(
      Bitmap<UInt8>(PixelSize(2, 2), in: flawed, channels: .rgb) { _, _ in [1, 2, 3] })
    for made in [
      picture.converted(to: flawed), picture.tagged(as: flawed).converted(to: .sRGB),
      picture.converted(to: flawed).converted(to: .sRGB).exposure(1), inSpace,
    ] {
      #expect(throws: RenderError.recipe(.color(error))) { try made.render(as: UInt8.self) }
    }
    #expect(throws: RecipeError.color(error)) { try GamutCoverage(of: [.sRGB, flawed]) }
    #expect(throws: RenderError.recipe(.color(error))) {
      try picture.gamutMask(outside: flawed).render(as: UInt8.self)
    }
    #expect(throws: RenderError.recipe(.color(error))) { try picture.firstPixel(outside: flawed) }
  }

  @Test func grayLoadsAsNeutral() throws {
    let gray = Bitmap<UInt8>(PixelSize(256, 1), in: .sRGB, channels: .gray) { x, _ in [UInt8(x)] }
    let color = try Picture(gray).render(as: UInt8.self)
    #expect(color.channels == .rgb)
    for x in 0..<256 { #expect((0..<3).allSatisfy { color[x, 0, $0] == UInt8(x) }) }
  }

  @Test func premultipliedSourcesAreUnpremultiplied() throws {
    let source = Bitmap<Float>(PixelSize(1, 1), in: .sRGB, alpha: .premultiplied) { _, _ in
      [0.25, 0.125, 0, 0.5]
    }
    let straight = try Picture(source).render(as: Float.self)
    #expect(straight.alpha == .straight)
    #expect((0..<4).map { straight[0, 0, $0] } == [0.5, 0.25, 0, 0.5])
  }

  @Test func rendersIntoTheCallersBitmap() throws {
    let source = TestPictures.codes(as: UInt16.self, in: .displayP3, channels: .rgba)
    var frame = Bitmap<Float16>(
      source.size, in: .linearSRGB, alpha: .premultiplied, arrangement: .planar)
    try Picture(source).render(into: &frame)
    let reference = try ReferenceEvaluator().render(Picture(source).converted(to: .linearSRGB))
    for y in 0..<source.size.height {
      for x in 0..<source.size.width {
        let pixel = reference[x, y]
        for channel in 0..<3 {
          // Half precision has 11 bits: half an ulp is at most 2⁻¹¹ of the value, or 2⁻²⁵ near zero.
          let expected = pixel[channel] * pixel.w
          #expect(
            abs(Double(frame[x, y, channel]) - expected) <= max(abs(expected) / 2000, 4e-7))
        }
      }
    }
  }

  @Test func wrongTargetsAreRefused() throws {
    let picture = Picture(TestPictures.floats(PixelSize(4, 4)))
    var small = Bitmap<Float>(PixelSize(3, 4), in: .sRGB)
    #expect(throws: RenderError.sizeMismatch(picture: PixelSize(4, 4), bitmap: PixelSize(3, 4))) {
      try picture.render(into: &small)
    }
    var opaque = Bitmap<Float>(PixelSize(4, 4), in: .sRGB, channels: .rgb)
    #expect(throws: RenderError.alphaWouldBeLost) { try picture.render(into: &opaque) }
    var gray = Bitmap<Float>(PixelSize(4, 4), in: .sRGB, channels: .gray)
    #expect(throws: RenderError.alphaWouldBeLost) { try picture.render(into: &gray) }
    var inks = Bitmap<Float>(PixelSize(4, 4), in: .sRGB, channels: .cmyk)
    #expect(throws: RenderError.unsupportedChannels(.cmyk)) { try picture.render(into: &inks) }
  }

  @Test func impossibleSizesAreRefused() {
    let picture = Picture(TestPictures.floats(PixelSize(4, 4)))
    #expect(throws: RenderError.recipe(.emptySize(width: 0, height: 0))) {
      try picture.resized(to: .exact(0, 0)).render(as: UInt8.self)
    }
    #expect(
      throws: RenderError.recipe(
        .tooManyPixels(width: 50_000, height: 30_000, limit: 1 << 30))
    ) { try picture.resized(to: .exact(50_000, 30_000)).render(as: UInt8.self) }
    #expect(throws: RenderError.self) {
      try picture.resized(to: .exact(.max, .max)).resized(to: .exact(1, 1)).render(as: UInt8.self)
    }
    #expect(throws: RenderError.self) {
      try picture.resized(to: .scaled(by: .nan)).render(as: UInt8.self)
    }
  }

  /// A thumbnail of a large picture is not rendered as one tile: the plan's tiles stay small where the reduction is
  /// large.
  @Test func largeReductionsAreTiled() throws {
    let tiles = Mutex(0)
    var options = RenderOptions()
    options.progress = { _ in tiles.withLock { $0 += 1 } }
    let wide = Bitmap<UInt8>(PixelSize(6000, 900), in: .sRGB, channels: .rgb)
    let thumbnail = Picture(wide).resized(to: .exact(60, 9))
    _ = try thumbnail.render(as: UInt8.self, options: options)
    #expect(tiles.withLock { $0 } >= 6)
  }

  @Test func progressRisesToOne() throws {
    let seen = Mutex<[Double]>([])
    var options = RenderOptions()
    options.tile = PixelSize(10, 10)
    options.progress = { fraction in seen.withLock { $0.append(fraction) } }
    _ = try Picture(TestPictures.floats()).inverted().render(as: UInt8.self, options: options)
    let fractions = seen.withLock { $0 }
    #expect(fractions == fractions.sorted())
    #expect(fractions.last == 1)
    #expect(fractions.count == 28 * 2)
  }

  /// When progress reports 1, the consumer has taken the last band.
  @Test(arguments: [nil, Dither.errorDiffusion])
  func progressOfBandsRisesToOneWithTheLast(dither: Dither?) throws {
    for threads in [1, 4] {
      let seen = Mutex<(fractions: [Double], rows: Int)>(([], 0))
      var options = RenderOptions()
      (options.tile, options.threads) = (PixelSize(10, 7), threads)
      options.progress = { fraction in
        seen.withLock { seen in
          seen.fractions.append(fraction)
          #expect(fraction < 1 || seen.rows == 200)
        }
      }
      try Picture(TestPictures.codes(as: UInt16.self, PixelSize(35, 200))).inverted()
        .renderBands(as: UInt8.self, dither: dither, options: options) { _, band in
          seen.withLock { $0.rows += band.size.height }
        }
      let fractions = seen.withLock { $0.fractions }
      #expect(fractions == fractions.sorted())
      #expect(fractions.last == 1)
      #expect(fractions.count == 29, "Once for each band.")
    }
  }

  /// Planning of many tiles takes long, and can be cancelled.
  @Test func cancellationStopsPlanning() throws {
    var options = RenderOptions()
    options.pixelLimit = .max
    let asked = Mutex(0)
    options.isCancelled = {
      asked.withLock { count in
        count += 1
        return count > 3
      }
    }
    let picture = Picture.constant(ColorPoint(1, 1, 1, in: .sRGB), in: .sRGB)
      .cropped(to: Region(PixelSize(1 << 17, 1 << 17)))
    options.tile = PixelSize(64, 64)
    #expect(throws: RenderError.cancelled) {
      try picture.renderBands(as: UInt8.self, options: options) { _, _ in
        Issue.record("A band was computed before all tiles were planned.")
      }
    }
  }

  @Test func cancellationStops() throws {
    let asked = Mutex(0)
    var options = RenderOptions()
    (options.tile, options.threads) = (PixelSize(10, 10), 1)
    options.isCancelled = {
      asked.withLock { count in
        count += 1
        return count > 3
      }
    }
    #expect(throws: RenderError.cancelled) {
      try Picture(TestPictures.floats()).render(as: UInt8.self, options: options)
    }
    #expect(asked.withLock { $0 } == 4)
  }
}
