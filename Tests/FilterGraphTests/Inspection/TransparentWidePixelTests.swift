import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing

/// Fully transparent pixels do not count as out of gamut.
@Suite struct TransparentWidePixelTests {
  /// Gray, except one pixel of Display P3's red, with the given alpha.
  private func picture(redAt place: Offset, alpha: Float) -> Picture {
    Picture(
      Bitmap<Float>(PixelSize(40, 30), in: .displayP3, channels: .rgba) { x, y in
        Offset(x, y) == place ? [1, 0, 0, alpha] : [0.5, 0.5, 0.5, 1]
      })
  }

  @Test func fullyTransparentPixelsDoNotCount() throws {
    let hidden = picture(redAt: Offset(7, 11), alpha: 0)
    #expect(try hidden.firstPixel(outside: .sRGB) == nil)
    // The color is there: opaque, it counts.
    let shown = picture(redAt: Offset(7, 11), alpha: 1)
    #expect(try shown.firstPixel(outside: .sRGB) == Offset(7, 11))
  }

  @Test func barelyVisiblePixelsCount() throws {
    let veiled = picture(redAt: Offset(39, 29), alpha: 1 / 255)
    #expect(try veiled.firstPixel(outside: .sRGB) == Offset(39, 29))
  }

  /// A transparent pixel does not hide a visible one below it.
  @Test func scanContinuesAfterTransparentPixels() throws {
    let both = Picture(
      Bitmap<Float>(PixelSize(40, 30), in: .displayP3, channels: .rgba) { x, y in
        x == 3 && y < 20 ? [0, 1, 0, 0] : x == 5 && y == 20 ? [0, 1, 0, 1] : [0.2, 0.2, 0.2, 1]
      })
    #expect(try both.firstPixel(outside: .sRGB) == Offset(5, 20))
  }
}
