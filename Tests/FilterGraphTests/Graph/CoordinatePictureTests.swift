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
