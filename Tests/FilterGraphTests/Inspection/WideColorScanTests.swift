import ColorSpaces
import FilterGraph
import ImageBuffer
import Synchronization
import Testing
import _TestSupport

/// The search for the first out-of-gamut pixel, and its cost.
@Suite struct WideColorScanTests {
  /// Gray, except one pixel of Display P3's red.
  private final class OneWidePixel: RowSource, RowReader {
    let size = PixelSize(300, 4000)
    let space = ColorSpace.displayP3
    let channels = Channels.rgb
    let alpha = Alpha.straight
    let format = SampleFormat.uint8
    let place: Offset?
    let rowsRead = Mutex(0)

    init(at place: Offset?) { self.place = place }

    func makeReader() -> any RowReader { self }

    func readRow(into row: UnsafeMutableRawBufferPointer) {
      let y = rowsRead.withLock { rows in
        defer { rows += 1 }
        return rows
      }
      row.initializeMemory(as: UInt8.self, repeating: 128)
      guard let place, place.y == y else { return }
      for (channel, sample) in [UInt8(255), 0, 0].enumerated() {
        row[3 * place.x + channel] = sample
      }
    }
  }

  @Test(arguments: [Offset(0, 0), Offset(299, 17), Offset(150, 1234), Offset(7, 3999)])
  func firstOutOfGamutPixelIsFound(place: Offset) throws {
    for threads in [1, 4] {
      let source = OneWidePixel(at: place)
      var options = RenderOptions()
      (options.threads, options.tile) = (threads, PixelSize(300, 16))
      let picture = Picture(source)
      #expect(try picture.firstPixel(outside: .sRGB, options: options) == place)
      // At most two bands of 16 rows per thread wait for their turn, and one more per thread is begun.
      #expect(source.rowsRead.withLock { $0 } <= place.y + 16 * (3 * threads + 2))
    }
  }

  @Test func picturesInGamutAreReadToTheEnd() throws {
    let source = OneWidePixel(at: nil)
    #expect(try Picture(source).firstPixel(outside: .sRGB) == nil)
    #expect(source.rowsRead.withLock { $0 } == 4000)
    let wide = Picture(OneWidePixel(at: Offset(5, 5)))
    #expect(try wide.firstPixel(outside: .displayP3) == nil)
    #expect(try wide.firstPixel(outside: .rec2020) == nil)
  }

  /// Colors too bright for any gamut count by their chromaticity; those that wide gamuts hold count as they are.
  @Test(arguments: [
    (SIMD3<Double>(1.5, 1.5, 1.5), false), (SIMD3<Double>(100, 100, 100), false),
    (SIMD3<Double>(0.5, 0.5, 0.5), false), (SIMD3<Double>(3, 1, -0.2), true),
    (SIMD3<Double>(1.1, 0.5, 0.5), true), (SIMD3<Double>(3, 0, 0), false),
    // The red of Display P3, as bright as white and three times as bright.
    (SIMD3<Double>(1.2249, -0.0421, -0.0196), true),
    (SIMD3<Double>(3.6748, -0.1262, -0.0589), true),
    (SIMD3<Double>(.infinity, .infinity, .infinity), false),
    (SIMD3<Double>(.infinity, 0, 0), false), (SIMD3<Double>(.infinity, 1, -.infinity), true),
  ])
  func luminanceBeyondWhiteIsNoWideColor(light: SIMD3<Double>, isWide: Bool) throws {
    let color = light.indices.map { Float(light[$0]) }
    let picture = Picture(
      Bitmap<Float>(PixelSize(8, 8), in: .linearSRGB, channels: .rgb) { _, _ in color })
    #expect((try picture.brightnessReduced.firstPixel(outside: .sRGB) != nil) == isWide)
    let isInGamut = light.max() <= 1 && light.min() >= 0
    #expect((try picture.firstPixel(outside: .sRGB) == nil) == isInGamut)
  }

  @Test func positionsAreInThePicture() throws {
    let picture = Picture(OneWidePixel(at: Offset(5, 6))).moved(by: Offset(-3, 10))
    #expect(try picture.firstPixel(outside: .sRGB) == Offset(2, 16))
  }

  /// The scan and the statistics use the same threshold.
  @Test func agreesWithStatistics() throws {
    let picture = Picture(
      TestPictures.codes(as: UInt16.self, PixelSize(60, 40), in: .displayP3, channels: .rgb))
    for saturation in [0.0, 0.4, 0.6, 0.8, 1.0] {
      let picture = picture.saturation(saturation)
      for gamut in [ColorSpace.sRGB, .adobeRGB, .displayP3] {
        let part = try picture.fractionOutside(gamut)
        #expect(try (picture.firstPixel(outside: gamut) == nil) == (part == 0))
      }
    }
  }

  @Test func errorsAreThrown() {
    let picture = Picture(OneWidePixel(at: nil)).resized(to: .exact(0, 5))
    #expect(throws: RenderError.self) { try picture.firstPixel(outside: .sRGB) }
  }
}
