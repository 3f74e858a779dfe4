import ColorSpaces
import ImageBuffer
import Testing

/// Programming errors trap, in release builds as well.
@Suite struct PreconditionTests {
  @Test func aBitmapWithoutPixels() async {
    await #expect(processExitsWith: .failure) { _ = Bitmap<UInt8>(PixelSize(0, 0), in: .sRGB) }
    await #expect(processExitsWith: .failure) { _ = Bitmap<UInt8>(PixelSize(0, 4), in: .sRGB) }
    await #expect(processExitsWith: .failure) { _ = Bitmap<UInt8>(PixelSize(4, -1), in: .sRGB) }
  }

  @Test func aBitmapLargerThanMemoryCanAddress() async {
    await #expect(processExitsWith: .failure) {
      _ = Bitmap<UInt8>(PixelSize(1 << 31, 1 << 31), in: .sRGB)
    }
    await #expect(processExitsWith: .failure) {
      _ = Bitmap<Float>(PixelSize(.max, 1), in: .sRGB)
    }
  }

  @Test func readingOutsideOfABitmap() async {
    await #expect(processExitsWith: .failure) {
      _ = Bitmap<Float>(PixelSize(3, 2), in: .sRGB)[3, 0, 0]
    }
    await #expect(processExitsWith: .failure) {
      _ = Bitmap<Float>(PixelSize(3, 2), in: .sRGB)[0, 2, 0]
    }
    await #expect(processExitsWith: .failure) {
      _ = Bitmap<Float>(PixelSize(3, 2), in: .sRGB)[-1, 0, 0]
    }
    await #expect(processExitsWith: .failure) {
      _ = Bitmap<Float>(PixelSize(3, 2), in: .sRGB, channels: .rgb)[0, 0, 3]
    }
  }

  @Test func writingOutsideOfABitmap() async {
    await #expect(processExitsWith: .failure) {
      var bitmap = Bitmap<Float>(PixelSize(3, 2), in: .sRGB)
      bitmap[0, -1, 0] = 1
    }
    await #expect(processExitsWith: .failure) {
      var bitmap = Bitmap<Float>(PixelSize(3, 2), in: .sRGB)
      bitmap[0, 0, 4] = 1
    }
  }

  @Test func rowsOutsideOfABitmap() async {
    await #expect(processExitsWith: .failure) {
      _ = Bitmap<Float>(PixelSize(3, 2), in: .sRGB).row(2)
    }
    await #expect(processExitsWith: .failure) {
      _ = Bitmap<Float>(PixelSize(3, 2), in: .sRGB).row(0, plane: 1)
    }
    await #expect(processExitsWith: .failure) {
      var bitmap = Bitmap<Float>(PixelSize(3, 2), in: .sRGB, arrangement: .planar)
      bitmap.withUnsafeMutableRow(0, plane: 4) { $0[0] = 1 }
    }
  }

  @Test func aPixelOfTheWrongNumberOfSamples() async {
    await #expect(processExitsWith: .failure) {
      _ = Bitmap<UInt8>(PixelSize(1, 1), in: .sRGB, channels: .rgb) { _, _ in [1, 2] }
    }
  }

  @Test func impossibleChannels() async {
    await #expect(processExitsWith: .failure) { _ = Channels([]) }
    await #expect(processExitsWith: .failure) { _ = Channels(.init(repeating: .unused, count: 17)) }
    await #expect(processExitsWith: .failure) { _ = Channels.rgb.adding(.red) }
    await #expect(processExitsWith: .failure) { _ = Channels([.gray, .red]) }
  }

  @Test func viewsBeyondABitmap() async {
    await #expect(processExitsWith: .failure) {
      _ = Bitmap<UInt8>(PixelSize(3, 2), in: .sRGB).view(
        of: Region(x: 1, y: 0, width: 3, height: 1))
    }
    await #expect(processExitsWith: .failure) {
      _ = Bitmap<UInt8>(PixelSize(3, 2), in: .sRGB).view(
        of: Region(x: 1, y: 1, width: 0, height: 1))
    }
  }

  @Test func theLastPixelIsInside() async {
    // The control for the tests above: only the invalid access traps.
    await #expect(processExitsWith: .success) {
      var bitmap = Bitmap<Float>(PixelSize(3, 2), in: .sRGB, arrangement: .planar)
      bitmap[2, 1, 3] = 1
      _ = bitmap.row(1, plane: 3)
    }
  }
}
