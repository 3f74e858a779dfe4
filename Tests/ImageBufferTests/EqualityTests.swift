import ColorSpaces
import ImageBuffer
import Testing
import _TestSupport

/// Two bitmaps are equal if their pixels and their meaning are.
@Suite struct EqualityTests {
  @Test func memoryLayoutDoesNotMatter() {
    checkProperty("planar = interleaved", Shape.any) { shape in
      let bitmap: Bitmap<UInt8> = shape.bitmap()
      let planar = bitmap.rearranged(.planar)
      let interleaved = bitmap.rearranged(.interleaved)
      return planar == interleaved && interleaved == bitmap && planar.arrangement == .planar
    }
  }

  @Test func everySampleMatters() {
    checkProperty("one sample differs", Shape.any, .int(in: 0 ... .max)) { shape, number in
      let bitmap: Bitmap<UInt8> = shape.bitmap()
      var other = bitmap.rearranged(.planar)
      let place = shape.places[number % shape.places.count]
      other[place.x, place.y, place.channel] ^= 1
      let isDifferent = other != bitmap
      other[place.x, place.y, place.channel] ^= 1
      return isDifferent && other == bitmap
    }
  }

  @Test func paddingDoesNotMatter() throws {
    // Rows of 3 bytes have a stride of 64; the padding belongs to no pixel.
    let size = PixelSize(1, 2)
    var dirty = try Bitmap<UInt8>(
      uninitialized: size, in: .sRGB, channels: .rgb, alpha: .straight, arrangement: .interleaved)
    for y in 0..<2 { dirty.withUnsafeMutableRow(y) { $0.update(repeating: 0) } }
    #expect(dirty == Bitmap(size, in: .sRGB, channels: .rgb))
  }

  @Test func sizeSpaceAndAlphaMatter() {
    let size = PixelSize(2, 3)
    let bitmap = Bitmap<UInt8>(size, in: .sRGB)
    #expect(bitmap == Bitmap(size, in: .sRGB))
    #expect(bitmap != Bitmap(PixelSize(3, 2), in: .sRGB))
    #expect(bitmap != Bitmap(size, in: .displayP3))
    #expect(bitmap != Bitmap(size, in: .sRGB, channels: .rgb))
    #expect(bitmap != Bitmap(size, in: .sRGB, alpha: .premultiplied))
    // Without alpha the two forms are the same.
    #expect(
      Bitmap<UInt8>(size, in: .sRGB, channels: .rgb)
        == Bitmap(size, in: .sRGB, channels: .rgb, alpha: .premultiplied))
  }

  @Test func floatsAreComparedAsNumbers() {
    let size = PixelSize(1, 1)
    func gray(_ value: Float) -> Bitmap<Float> {
      Bitmap(size, in: .sRGB, channels: .gray) { _, _ in [value] }
    }
    #expect(gray(0) == gray(-0.0))
    #expect(gray(.nan) != gray(.nan))
  }
}
