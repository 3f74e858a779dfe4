import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Palettes of pictures.
@Suite struct DominantColorsTests {
  /// Flat areas are found exactly, the largest one first.
  @Test func flatAreasAreFound() throws {
    let colors: [[UInt8]] = [[200, 30, 30], [30, 30, 200], [20, 220, 20]]
    let picture = Picture(
      Bitmap<UInt8>(PixelSize(10, 6), in: .sRGB, channels: .rgb) { x, _ in
        colors[x < 5 ? 1 : x < 8 ? 2 : 0]
      })
    let palette = try picture.dominantColors()
    #expect(palette.map(\.fraction).map { ($0 * 10).rounded() / 10 } == [0.5, 0.3, 0.2])
    for (found, color) in zip(palette, [colors[1], colors[2], colors[0]]) {
      let codes = found.color.converted(to: .sRGB).components * 255
      #expect((0..<3).allSatisfy { abs(codes[$0] - Double(color[$0])) < 0.01 }, "\(codes)")
    }
    #expect(try picture.dominantColors(count: 2).count == 2)
    #expect(abs(try picture.dominantColors(count: 2).map(\.fraction).reduce(0, +) - 1) < 1e-12)
  }

  /// The palette has the same bits for all tile sizes and numbers of threads.
  @Test func palettesAreIndependentOfTilesAndThreads() throws {
    let picture = Picture(TestPictures.floats(PixelSize(271, 190))).exposure(0.3)
    let palette = try picture.dominantColors(count: 12)
    #expect(palette.count == 12)
    for (tile, threads) in [(PixelSize(7, 5), 2), (PixelSize(64, 64), 1), (PixelSize(300, 1), 3)] {
      var options = RenderOptions()
      (options.tile, options.threads) = (tile, threads)
      let again = try picture.dominantColors(count: 12, options: options)
      #expect(again.map(\.color) == palette.map(\.color))
      #expect(again.map(\.fraction) == palette.map(\.fraction))
    }
  }

  /// Half transparent pixels count half, and transparent ones not at all.
  @Test func pixelsAreWeightedByAlpha() throws {
    let picture = Picture(
      Bitmap<Float>(PixelSize(3, 2), in: .sRGB) { x, _ in
        [[0, 0, 1, 1], [1, 0, 0, 0.5], [0, 1, 0, 0]][x]
      })
    let palette = try picture.dominantColors()
    #expect(palette.count == 2)
    #expect(abs(palette[0].fraction - 2.0 / 3) < 1e-6)
    let blue = palette[0].color.converted(to: .sRGB).components
    #expect(abs(blue.z - 1) < 1e-4 && abs(blue.x) < 1e-2)
    let clear = Bitmap<Float>(PixelSize(3, 2), in: .sRGB) { _, _ in [1, 0, 0, 0] }
    #expect(try Picture(clear).dominantColors().isEmpty)
  }

  /// Shades that differ by less than is visible are one color; NaN and infinity are none.
  @Test func invisibleDifferencesAreNotDivided() throws {
    let picture = Picture(
      Bitmap<Float>(PixelSize(64, 3), in: .sRGB, channels: .rgb) { x, y in
        y == 2
          ? [.nan, .infinity, 1] : [Float](repeating: 0.5 + Float(x % 2) / 255, count: 3)
      })
    let palette = try picture.dominantColors()
    #expect(palette.count == 1 && palette[0].fraction == 1)
  }

  /// A color out of the gamut of sRGB keeps its chroma.
  @Test func wideColorsKeepTheirGamut() throws {
    let green = ColorPoint(0, 1, 0, in: .displayP3)
    let picture = Picture.constant(green, in: .displayP3).cropped(to: Region(PixelSize(4, 4)))
    let palette = try picture.dominantColors()
    #expect(palette.count == 1)
    #expect(!palette[0].color.isInside(.sRGB, tolerance: 0.01))
    let found = palette[0].color.converted(to: .displayP3).components
    #expect(abs(found.y - 1) < 1e-3 && abs(found.x) < 0.02 && abs(found.z) < 0.02, "\(found)")
  }

  /// Pixels belong to the nearest color of all, not only of some near ones: the fractions are those of a comparison with each color.
  @Test(arguments: [3, 40]) func pixelsBelongToTheNearestColor(count: Int) throws {
    // No two pixels share a cell of 1/64.
    let picture = Bitmap<Float>(PixelSize(16, 12), in: .oklab, channels: .rgb) { x, y in
      let (a, b) = ((x * 37 + y * 11) % 59, (x * 23 + y * 41) % 61)
      return [(Float(8 * x + y % 8) + 0.5) / 64, (Float(a) - 29.5) / 64, (Float(b) - 30.5) / 64]
    }
    let palette = try Picture(picture).dominantColors(count: count)
    #expect(palette.count == count)
    var counts = [Int](repeating: 0, count: palette.count)
    for y in 0..<12 {
      for x in 0..<16 {
        let pixel = SIMD3(
          Double(picture[x, y, 0]), Double(picture[x, y, 1]), Double(picture[x, y, 2]))
        let distances = palette.map { color, _ in
          let step = color.components - pixel
          return (step * step).sum()
        }
        counts[distances.indices.min { distances[$0] < distances[$1] } ?? 0] += 1
      }
    }
    for (number, found) in zip(counts, palette) {
      #expect(abs(found.fraction - Double(number) / 192) < 1e-9)
    }
  }

  @Test func countsOutOfRangeAreRefused() {
    let picture = Picture(Bitmap<UInt8>(PixelSize(3, 4), in: .sRGB))
    for count in [Int.min, 0, 257] {
      #expect(throws: RenderError.self) { try picture.dominantColors(count: count) }
    }
  }
}
