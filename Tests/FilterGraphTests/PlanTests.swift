import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// What `plan` says, word for word: the plan is what people and tests see of the optimizer.
@Suite struct PlanTests {
  private let photo = Picture(Bitmap<UInt16>(PixelSize(300, 200), in: .displayP3))
  private let opaque = Picture(Bitmap<UInt8>(PixelSize(300, 200), in: .sRGB, channels: .rgb))

  @Test func nothing() {
    #expect(photo.plan == "load 300 × 200 uint16 rgba in Display P3")
  }

  @Test func conversionIsInserted() {
    #expect(
      photo.converted(to: .sRGB).plan == """
        load 300 × 200 uint16 rgba in Display P3
        decode sRGB → matrix → encode sRGB
        """)
  }

  @Test func conversionsCancel() {
    #expect(
      photo.converted(to: .sRGB).converted(to: .displayP3).plan == """
        load 300 × 200 uint16 rgba in Display P3
        """)
    #expect(photo.inverted().inverted().plan == photo.plan)
    #expect(photo.exposure(1).exposure(-1).plan == photo.plan)
  }

  @Test func wholeThread() {
    let picture =
      photo
      .inverted()
      .toneCurves(red: FilmCurves.red, green: FilmCurves.green, blue: FilmCurves.blue)
      .exposure(0.5)
      .resized(to: .fit(150, 150))
      .converted(to: .sRGB)
    #expect(
      picture.plan == """
        load 300 × 200 uint16 rgba in Display P3
        affine ×-1 +1 → decode sRGB → encode gamma 2.0 → tone curves → decode gamma 2.0 → affine ×1.4142 → premultiply
        ── Lanczos 3 resize to 150 × 100
        unpremultiply → matrix → encode sRGB
        """)
  }

  @Test func opaquePicturesHaveNoCoverageToMind() {
    #expect(
      opaque.resized(to: .exact(30, 20)).plan == """
        load 300 × 200 uint8 rgb in sRGB
        decode sRGB
        ── Lanczos 3 resize to 30 × 20
        encode sRGB
        """)
  }

  @Test func exposureJoinsTheMatrix() {
    #expect(
      opaque.exposure(1).converted(to: .displayP3).plan == """
        load 300 × 200 uint8 rgb in sRGB
        decode sRGB → matrix → encode sRGB
        """)
  }

  @Test func measurementsAreAnnounced() {
    #expect(
      opaque.developed(.colorNegative()).plan == """
        load 300 × 200 uint8 rgb in sRGB
        decode sRGB
        negative development, its film base and white measured first
        encode sRGB
        """)
  }

  @Test func failuresAreSaid() {
    #expect(
      photo.resized(to: .exact(0, 5)).plan
        == "cannot run: A picture needs at least one pixel; 0 × 5 has none. "
        + "Ask for a width and a height from 1 up.")
  }
}
