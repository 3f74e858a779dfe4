import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// The one call for thumbnails.
@Suite struct ThumbnailTests {
  private let photo = Picture(
    TestPictures.codes(as: UInt16.self, PixelSize(120, 80), in: .displayP3, channels: .rgb))

  @Test func largePicturesAreFittedAndConverted() throws {
    let expected = photo.resized(to: .exact(48, 32)).converted(to: .sRGB)
    #expect(try photo.thumbnail(48).render(as: UInt8.self) == expected.render(as: UInt8.self))
    #expect(photo.thumbnail(200, 20).size == PixelSize(30, 20))
    #expect(photo.thumbnail(48, in: nil).space == .displayP3)
  }

  @Test func smallPicturesKeepTheirPixels() throws {
    for box in [PixelSize(120, 80), PixelSize(1000, 1000)] {
      let thumbnail = photo.thumbnail(box.width, box.height, in: nil)
      #expect(try thumbnail.render(as: UInt16.self) == photo.render(as: UInt16.self))
    }
  }

  @Test func emptyBoxesAreRefused() {
    for (width, height) in [(0, 10), (10, 0), (-5, 10)] {
      #expect(
        throws: RenderError.recipe(.emptySize(width: width, height: height))
      ) { try photo.thumbnail(width, height).render(as: UInt8.self) }
    }
    #expect(throws: RenderError.recipe(.endless)) {
      try Picture.constant(ColorPoint(1, 0, 0, in: .sRGB), in: .sRGB).thumbnail(9)
        .render(as: UInt8.self)
    }
  }

  /// A recipe states the requested box, not the size that results for one picture.
  @Test func recipesHoldTheBox() throws {
    let recipe = try Recipe(photo.thumbnail(30), inputs: ["photo": photo])
    let other = Picture(
      TestPictures.codes(as: UInt16.self, PixelSize(50, 100), in: .displayP3, channels: .rgb))
    #expect(try recipe.picture(["photo": other]).size == PixelSize(15, 30))
    let small = Picture(TestPictures.codes(as: UInt8.self, PixelSize(7, 5), channels: .rgb))
    #expect(try recipe.picture(["photo": small]).size == PixelSize(7, 5))
  }

  @Test func bytesHaveAHash() {
    // FIPS 180-4, the example of one block.
    #expect(
      ContentHash(bytes: Array("abc".utf8)).digits
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }
}
