import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Pictures in color spaces with coordinates.
@Suite struct CoordinatePictureTests {
  @Test(arguments: [ColorSpace.xyzD50, .lab, .lch, .luv, .oklab, .oklch, .jzazbz, .ictcp, .hsl])
  func renderingEqualsTheReference(in space: ColorSpace) throws {
    let source = TestPictures.codes(as: UInt8.self, PixelSize(37, 11))
    let picture = Picture(source).converted(to: space)
    let tiled = try picture.render(as: Float.self)
    let reference = try ReferenceEvaluator().render(picture)
    // 8 ulp of the largest value involved: Lab and Luv are differences of values up to 500, and the error of a hue
    // grows towards gray.
    let unit: Double = [.lab, .lch, .luv].contains(space) ? 500 : 1
    let isPolar = space == .lch || space == .oklch
    for y in 0..<11 {
      for x in 0..<37 {
        for channel in 0..<3 {
          let expected = reference[x, y][channel]
          let turn = isPolar && channel == 2 ? 180 / Double.pi / reference[x, y].y : 1
          let allowed = 1e-6 * (unit * turn + abs(expected))
          #expect(abs(Double(tiled[x, y, channel]) - expected) <= allowed)
        }
      }
    }
    let back = Picture(tiled).converted(to: .sRGB)
    #expect(try back.render(as: UInt8.self) == source)
  }

  /// Next to and beyond black and white, where sRGB's gamut has next to no chroma, the chroma that single precision gives
  /// a gray is no saturation either.
  @Test(arguments: [(ColorSpace.okhsl, 1.0), (.hsluv, 100), (.hpluv, 100)])
  func graysHaveNoSaturation(in space: ColorSpace, full: Double) throws {
    let levels: [Float] = [
      1, 0.999_999_9, 0.999_999, 0.9999, 0.999, 0.99, 0.5, 0.01, 1e-6, 0, -1e-6, -0.01, -0.5, -2,
      1.000_000_1, 1.001, 1.5, 100,
    ]
    for source in [ColorSpace.linearSRGB, .displayP3, .proPhoto] {
      let grays = Bitmap<Float>(PixelSize(levels.count, 1), in: source, channels: .rgb) { x, _ in
        [levels[x], levels[x], levels[x]]
      }
      let pixels = try Picture(grays).converted(to: space).render(as: Float.self)
      for (x, level) in levels.enumerated() {
        let gray = Double(level)
        let exact = ColorPoint(gray, gray, gray, in: source).converted(to: space).components
        #expect(exact.y == 0, "\(level) of \(source)")
        let (saturation, lightness) = (Double(pixels[x, 0, 1]), Double(pixels[x, 0, 2]))
        #expect(abs(saturation) <= 1e-3 * full, "\(level) of \(source): \(saturation)")
        #expect(abs(lightness - exact.z) <= 2e-6 * max(full, abs(exact.z)), "\(level) of \(source)")
      }
    }
    let white = Bitmap<UInt8>(PixelSize(1, 1), in: .sRGB, channels: .rgb) { _, _ in
      [255, 255, 255]
    }
    let stored = try Picture(white).converted(to: space).render(as: Float.self)
    #expect(stored.row(0) == [0, 0, Float(full)])
  }

  /// Near white a small but visible chroma is a saturation.
  @Test(arguments: [ColorSpace.okhsl, .hsluv, .hpluv])
  func tintedWhiteRoundTrips(in space: ColorSpace) {
    for tint in [1e-5, 1e-3] {
      let color = ColorPoint(1, 1, 1 - tint, in: .linearSRGB)
      let there = color.converted(to: space)
      #expect(there.components.y > 0)
      let back = there.converted(to: .linearSRGB).components
      #expect((back - color.components).largest < 1e-9)
    }
  }

  /// The channels of a bitmap must suit the space of the bitmap, to which the picture is converted.
  @Test func grayBitmapsNeedASpaceWithGray() throws {
    let picture = Picture(TestPictures.floats(PixelSize(7, 5), in: .sRGB, channels: .rgb))
    var gray = Bitmap<Float>(PixelSize(7, 5), in: .sRGB, channels: .gray)
    try picture.converted(to: .oklab).render(into: &gray)
    let expected = try picture.render(as: Float.self, channels: .gray)
    for x in 0..<7 { #expect(abs(gray[x, 2, 0] - expected[x, 2, 0]) < 1e-4) }
    var lightness = Bitmap<Float>(PixelSize(7, 5), in: .oklab, channels: .gray)
    #expect(throws: RenderError.unsupportedChannels(.gray)) {
      try picture.render(into: &lightness)
    }
  }

  @Test func plansListTheStagesOfCoordinates() {
    let photo = Picture(Bitmap<UInt8>(PixelSize(30, 20), in: .sRGB, channels: .rgb))
    #expect(
      photo.converted(to: .oklab).plan == """
        load 30 × 20 uint8 rgb in sRGB
        decode sRGB → matrix → cube roots → matrix
        """)
    #expect(photo.converted(to: .oklch).converted(to: .sRGB).plan == photo.plan)
  }
}
