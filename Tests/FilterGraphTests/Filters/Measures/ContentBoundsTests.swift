import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// The region within a uniform border.
@Suite struct ContentBoundsTests {
  private let white = ColorPoint(1, 1, 1, in: .sRGB)
  private let black = SIMD4<Float>(0, 0, 0, 1)

  /// A picture of one pixel value, and others at some positions.
  private func dots(
    _ size: PixelSize, _ background: SIMD4<Float>, _ dots: [(x: Int, y: Int, SIMD4<Float>)],
    channels: Channels = .rgba
  ) -> Picture {
    Picture(
      Bitmap<Float>(size, in: .sRGB, channels: channels) { x, y in
        let pixel = dots.last { ($0.x, $0.y) == (x, y) }?.2 ?? background
        return (0..<channels.count).map { pixel[$0] }
      })
  }

  /// A picture of codes with a border of equal pixels around those that differ.
  private func bordered(
    _ size: PixelSize, left: Int, top: Int, right: Int, bottom: Int
  ) -> Picture {
    let content = Region(
      x: left, y: top, width: size.width - left - right, height: size.height - top - bottom)
    return Picture(TestPictures.codes(as: UInt8.self, size)).cropped(to: content)
      .padded(to: Region(size), with: white)
  }

  @Test func theRegionHoldsAllPixelsThatDiffer() throws {
    let size = PixelSize(9, 7)
    let one = SIMD4<Float>(1, 0, 0, 1)
    for (positions, expected) in [
      ([(4, 3)], Region(x: 4, y: 3, width: 1, height: 1)),
      ([(8, 0)], Region(x: 8, y: 0, width: 1, height: 1)),
      ([(0, 6)], Region(x: 0, y: 6, width: 1, height: 1)),
      ([(2, 5), (6, 1)], Region(x: 2, y: 1, width: 5, height: 5)),
      ([(0, 3), (8, 3), (5, 6)], Region(x: 0, y: 3, width: 9, height: 4)),
    ] {
      let picture = dots(size, black, positions.map { (x: $0.0, y: $0.1, one) })
      #expect(try picture.contentBounds() == expected, "\(positions)")
    }
    // All pixels but the top left one differ.
    let corner = dots(size, one, [(x: 0, y: 0, black)])
    #expect(try corner.contentBounds() == Region(size))
  }

  @Test func uniformPicturesHaveNoContent() throws {
    for size in [PixelSize(1, 1), PixelSize(1, 5), PixelSize(64, 48)] {
      #expect(try dots(size, black, []).contentBounds() == nil)
      #expect(try dots(size, [0.3, 0.5, 0.7, 1], [], channels: .rgb).contentBounds() == nil)
      #expect(try dots(size, [.infinity, 0, -.infinity, 1], []).contentBounds() == nil)
    }
  }

  @Test func trimmingUndoesPadding() throws {
    let photo = Picture(TestPictures.codes(as: UInt8.self, PixelSize(61, 43)))
    for border in [1, 20, 300] {
      let framed = photo.padded(to: photo.region.expanded(by: border), with: white)
      #expect(try framed.contentBounds() == photo.region)
    }
    let moved = photo.moved(by: Offset(-7, 1000))
    let framed = moved.padded(to: moved.region.expanded(by: 5), with: white)
    #expect(try framed.contentBounds() == moved.region)
  }

  /// Each row and column at the edge of the region has a pixel that differs from the border, and none outside does.
  @Test func theRegionIsTheSmallest() {
    let side = Generator<Int>.int(in: 1...12)
    checkProperty("a smallest region", side, side, .int(in: 0...1000), cases: 100) {
      width, height, seed in
      var generator = SeededGenerator(seed: UInt64(seed))
      let bitmap = Bitmap<UInt8>(PixelSize(width, height), in: .sRGB, channels: .rgb) { _, _ in
        let isDot = Int.random(in: 0..<(width * height), using: &generator) < 2
        return [isDot ? 200 : 0, 0, 0]
      }
      func differs(_ x: Int, _ y: Int) -> Bool { bitmap[x, y, 0] != bitmap[0, 0, 0] }
      let columns = (0..<width).filter { x in (0..<height).contains { differs(x, $0) } }
      let rows = (0..<height).filter { y in (0..<width).contains { differs($0, y) } }
      let found = try Picture(bitmap).contentBounds()
      guard let left = columns.first, let right = columns.last, let top = rows.first,
        let bottom = rows.last
      else { return found == nil }
      return found
        == Region(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    }
  }

  @Test func theRegionIsIndependentOfTilesAndThreads() throws {
    let picture = bordered(PixelSize(271, 190), left: 31, top: 40, right: 5, bottom: 2)
    let expected = Region(x: 31, y: 40, width: 235, height: 148)
    #expect(try picture.contentBounds() == expected)
    for (tile, threads) in [(PixelSize(7, 5), 2), (PixelSize(64, 64), 1), (PixelSize(300, 1), 3)] {
      var options = RenderOptions()
      (options.tile, options.threads) = (tile, threads)
      #expect(try picture.contentBounds(options: options) == expected)
    }
  }

  /// Codes that differ by exactly the tolerance are equal, those that differ by one more are not.
  @Test func codesWithinTheToleranceAreEqual() throws {
    for (first, tolerance) in [(0, 10), (245, 10), (100, 1), (254, 1), (17, 0), (0, 255)] {
      for (step, isEqual) in [(tolerance, true), (tolerance + 1, false)]
      where first + step <= 255 {
        for channel in 0..<3 {
          let bitmap = Bitmap<UInt8>(PixelSize(3, 3), in: .sRGB, channels: .rgb) { x, y in
            (0..<3).map { UInt8((x, y, $0) == (1, 2, channel) ? first + step : first) }
          }
          let found = try Picture(bitmap).contentBounds(tolerance: Double(tolerance) / 255)
          #expect((found == nil) == isEqual, "\(first) + \(step) in channel \(channel)")
        }
      }
    }
    let byDefault = [10, 11].map { code in
      Bitmap<UInt8>(PixelSize(2, 1), in: .sRGB, channels: .gray) { x, _ in [UInt8(x * code)] }
    }
    #expect(try Picture(byDefault[0]).contentBounds() == nil)
    #expect(
      try Picture(byDefault[1]).contentBounds() == Region(x: 1, y: 0, width: 1, height: 1))
  }

  @Test func alphaIsAChannelAndTransparentPixelsAreEqual() throws {
    let size = PixelSize(4, 3)
    let dot = Region(x: 2, y: 1, width: 1, height: 1)
    func found(_ background: SIMD4<Float>, _ pixel: SIMD4<Float>) throws -> Region? {
      try dots(size, background, [(x: 2, y: 1, pixel)]).contentBounds()
    }
    #expect(try found([0.2, 0.4, 0.6, 0], [1, 0, 0.3, 0]) == nil)
    #expect(try found([0.2, 0.4, 0.6, 0], [.nan, .infinity, 0, 0]) == nil)
    #expect(try found([0, 0, 0, 0], [0, 0, 0, 1]) == dot)
    #expect(try found([0, 0, 0, 1], [0, 0, 0, 0.9]) == dot)
    // The premultiplied values are within the tolerance, although the straight ones are not.
    #expect(try found([0, 0, 0, 0.1], [0.3, 0, 0, 0.1]) == nil)
    #expect(try found([0, 0, 0, 0.1], [0.5, 0, 0, 0.1]) == dot)
  }

  @Test func valuesThatAreNoNumbersDiffer() throws {
    let size = PixelSize(4, 3)
    let dot = Region(x: 2, y: 1, width: 1, height: 1)
    for value in [Float.nan, .infinity, -.infinity] {
      let picture = dots(size, black, [(x: 2, y: 1, [value, 0, 0, 1])])
      #expect(try picture.contentBounds(tolerance: 1) == dot)
    }
    let allNaN = dots(size, [.nan, 0, 0, 1], [])
    #expect(try allNaN.contentBounds(tolerance: 1) == Region(size))
  }

  /// Without a tolerance, floats are equal or not.
  @Test func floatsAreComparedExactly() throws {
    let bitmap = Bitmap<Float>(PixelSize(3, 3), in: .linearSRGB, channels: .gray) { x, y in
      [(x, y) == (1, 2) ? Float(0.001).nextUp : 0.001]
    }
    let content = try Picture(bitmap).contentBounds(tolerance: 0)
    #expect(content == Region(x: 1, y: 2, width: 1, height: 1))
  }

  @Test func tolerancesOutOfRangeAreRefused() {
    for tolerance in [-0.01, 1.01, .nan, .infinity] {
      let error = #expect(throws: RenderError.self, "\(tolerance)") {
        try dots(PixelSize(2, 2), black, []).contentBounds(tolerance: tolerance)
      }
      guard case .recipe(.parameter("The tolerance of a uniform border", _, _))? = error else {
        Issue.record("\(tolerance): \(String(describing: error))")
        continue
      }
    }
  }

  @Test func endlessPicturesAreRefused() {
    #expect(throws: RenderError.recipe(.endless)) {
      try dots(PixelSize(2, 2), black, []).extended(by: .repeated).contentBounds()
    }
  }
}
