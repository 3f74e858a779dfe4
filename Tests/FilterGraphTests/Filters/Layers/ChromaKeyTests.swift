import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Chroma keys of pictures.
@Suite struct ChromaKeyTests {
  private let screen = ColorPoint(0, 0.7, 0.25, in: .sRGB)

  /// A picture of one row: the screen, its shadow, gray, skin, skin of half alpha, and the screen at an alpha of 0.
  private var shot: Picture {
    let green = screen.converted(to: .linearSRGB).components
    let colors: [SIMD3<Double>] = [
      green, green / 4, [0.5, 0.5, 0.5], [0.7, 0.4, 0.25], [0.7, 0.4, 0.25], green,
    ]
    let alphas: [Float] = [1, 1, 1, 1, 0.5, 0]
    return Picture(
      Bitmap<Float>(PixelSize(6, 1), in: .linearSRGB, channels: .rgba) { x, _ in
        (0..<3).map { Float(colors[x][$0]) } + [alphas[x]]
      })
  }

  private func alphas(_ picture: Picture) throws -> [Float] {
    let bitmap = try picture.render(as: Float.self)
    return (0..<bitmap.size.width).map { bitmap[$0, 0, 3] }
  }

  @Test func theScreenBecomesTransparentAndAlphaIsMultiplied() throws {
    let keyed = shot.chromaKeyed(screen)
    #expect(try alphas(keyed) == [0, 0, 1, 1, 0.5, 0])
    let (before, after) = (
      try shot.render(as: Float.self), try keyed.render(as: Float.self)
    )
    // Gray and skin keep their colors, which stay straight.
    for x in 2...4 {
      for channel in 0..<3 { #expect(after[x, 0, channel] == before[x, 0, channel], "\(x)") }
    }
    // The remainder of the screen is gray.
    #expect(abs(after[0, 0, 0] - after[0, 0, 1]) < 1e-4)
  }

  @Test func opaquePicturesGetAlpha() throws {
    let opaque = Picture(
      Bitmap<UInt8>(PixelSize(2, 1), in: .sRGB, channels: .rgb) { x, _ in
        x == 0 ? [0, 178, 64] : [200, 30, 40]
      })
    let keyed = opaque.chromaKeyed(screen)
    #expect(!opaque.hasAlpha && keyed.hasAlpha)
    #expect(try alphas(keyed) == [0, 1])
    let red = Picture.constant(ColorPoint(1, 0, 0, in: .sRGB), in: .sRGB)
    let composed = try keyed.composited(onto: red.cropped(to: keyed.region))
      .render(as: UInt8.self)
    #expect(composed.row(0) == [255, 0, 0, 200, 30, 40])
  }

  /// The distances are those of colors, not of the values that stand for them.
  @Test func mattesAreEqualInAllSpaces() throws {
    let photo = Picture(TestPictures.codes(as: UInt8.self, PixelSize(31, 1)))
    let expected = try alphas(photo.chromaKeyed(screen, tolerance: 0.5, softness: 1))
    #expect(expected.contains { $0 > 0.1 && $0 < 0.9 })
    for space in [ColorSpace.displayP3, .acescg, .oklab, .rec2100PQ] {
      let found = try alphas(
        photo.converted(to: space).chromaKeyed(screen, tolerance: 0.5, softness: 1))
      #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-3 }, "\(space)")
    }
  }

  @Test func withoutSpillSuppressionColorsStay() throws {
    let photo = Picture(TestPictures.floats(PixelSize(31, 5), in: .linearSRGB, channels: .rgb))
    let (before, kept, cleaned) = (
      try photo.render(as: Float.self),
      try photo.chromaKeyed(screen, spill: 0).render(as: Float.self),
      try photo.chromaKeyed(screen).render(as: Float.self)
    )
    var changed = 0
    for y in 0..<5 {
      for x in 0..<31 {
        for channel in 0..<3 {
          #expect(kept[x, y, channel] == before[x, y, channel])
          if cleaned[x, y, channel] != before[x, y, channel] { changed += 1 }
        }
        #expect(kept[x, y, 3] == cleaned[x, y, 3])
      }
    }
    #expect(changed > 0)
  }

  @Test func grayPicturesStay() throws {
    let ramp = Bitmap<Float>(PixelSize(64, 1), in: .sGray, channels: .gray) { x, _ in
      [Float(x) / 63]
    }
    let keyed = Picture(ramp).chromaKeyed(screen)
    #expect(try alphas(keyed).allSatisfy { $0 == 1 })
    let statistics = try keyed.reduced(by: Statistics(domain: .encoded))
    #expect(abs(statistics.greatest.max() - 1) < 1e-6 && abs(statistics.least.min()) < 1e-6)
  }

  @Test func grayKeysNeedLightness() throws {
    let white = ColorPoint(1, 1, 1, in: .sRGB)
    let error = #expect(throws: RenderError.self) {
      try shot.chromaKeyed(white).render(as: Float.self)
    }
    #expect(error?.description.contains("count lightness, too") == true)
    let paper = Picture(
      Bitmap<UInt8>(PixelSize(3, 1), in: .sRGB, channels: .rgb) { x, _ in
        [[255, 255, 255], [250, 251, 248], [40, 40, 90]][x]
      })
    let keyed = paper.chromaKeyed(white, tolerance: 0.05, softness: 0.1, countsLightness: true)
    #expect(try alphas(keyed) == [0, 0, 1])
  }

  @Test func parametersOutOfRangeAreRefused() {
    for picture in [
      shot.chromaKeyed(screen, tolerance: 1.1), shot.chromaKeyed(screen, softness: -0.1),
      shot.chromaKeyed(screen, spill: 2), shot.chromaKeyed(screen, tolerance: .nan),
      shot.chromaKeyed(ColorPoint(.nan, 1, 0, in: .sRGB)),
    ] {
      #expect(throws: RenderError.self) { try picture.render(as: Float.self) }
    }
  }

  /// A recipe is one step, and its defaults are those of the call.
  @Test func recipesHaveTheDefaultsOfTheCall() throws {
    let recipe = try Recipe(
      json: ##"{"version": 1, "steps": [{"chroma-key": {"color": "#00b340"}}]}"##)
    let color = ColorPoint(0, 179.0 / 255, 64.0 / 255, in: .sRGB)
    let keyed = shot.chromaKeyed(color)
    let found = try recipe.picture([recipe.inputs[0]: shot])
    #expect(try found.render(as: Float.self) == keyed.render(as: Float.self))
    let written = try keyed.recipe().recipe
    #expect(written.json.contains("\"chroma-key\"") && !written.json.contains("alpha-mask"))
  }
}
