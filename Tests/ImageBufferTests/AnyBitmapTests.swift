import ColorSpaces
import ImageBuffer
import Testing
import _TestSupport

/// Type-erased bitmaps.
@Suite struct AnyBitmapTests {
  private func check<Sample: PixelSample>(_ bitmap: Bitmap<Sample>, _ format: SampleFormat) {
    let any = AnyBitmap(bitmap)
    #expect(any.format == format)
    #expect(any.size == bitmap.size)
    #expect(any.channels == bitmap.channels)
    #expect(any.space == bitmap.space)
    #expect(any.alpha == bitmap.alpha)
    #expect(any.surface.arrangement == bitmap.arrangement)
    #expect(any.surface.format == format)
  }

  private func bitmap<Sample: PixelSample>(_ channels: Channels) -> Bitmap<Sample> {
    Bitmap(
      PixelSize(3, 2), in: .displayP3, channels: channels, alpha: .premultiplied,
      arrangement: .planar)
  }

  @Test(arguments: Shape.allChannels) func everyTypeKeepsItsProperties(_ channels: Channels) {
    check(bitmap(channels) as Bitmap<UInt8>, .uint8)
    check(bitmap(channels) as Bitmap<UInt16>, .uint16)
    check(bitmap(channels) as Bitmap<Float>, .float32)
    #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
      check(bitmap(channels) as Bitmap<Float16>, .float16)
    #endif
  }

  @Test func erasureKeepsTheBitmap() throws {
    let source = TestPictures.codes(as: UInt16.self)
    guard case .uint16(let bitmap) = AnyBitmap(source) else {
      Issue.record("another case")
      return
    }
    #expect(bitmap == source)
    #expect(bitmap.address() == source.address(), "the pixels were copied")
  }

  #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
    @Test func erasureKeepsHalfFloats() {
      let source = Bitmap<Float16>(PixelSize(2, 1), in: .sRGB, channels: .gray) { x, _ in
        [x == 0 ? 0.5 : 65_504]
      }
      guard case .float16(let bitmap) = AnyBitmap(source) else {
        Issue.record("another case")
        return
      }
      #expect(bitmap.row(0) == [0.5, 65_504])
    }
  #endif
}
