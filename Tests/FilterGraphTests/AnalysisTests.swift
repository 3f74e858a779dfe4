import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Values of whole pictures.
@Suite struct AnalysisTests {
  /// Tiles and threads do not count: the same bits.
  @Test func valuesAreTheSameForAllTilesAndThreads() throws {
    let picture = Picture(TestPictures.floats(PixelSize(271, 190))).exposure(0.3)
    let statistics = try picture.statistics()
    let histogram = try picture.histogram(steps: 1000)
    for (tile, threads) in [(PixelSize(7, 5), 2), (PixelSize(64, 64), 1), (PixelSize(300, 1), 3)] {
      var options = RenderOptions()
      (options.tile, options.threads) = (tile, threads)
      #expect(try picture.statistics(options: options) == statistics)
      #expect(try picture.histogram(steps: 1000, options: options) == histogram)
    }
  }

  @Test func statisticsOfKnownNumbers() throws {
    let ramp = Picture(
      Bitmap<Float>(PixelSize(101, 3), in: .linearSRGB) { x, y in
        y == 2 ? [9, 9, 9, 0] : [Float(x) / 4, -1, 100, 1]
      })
    let statistics = try ramp.statistics()
    #expect(statistics.count == 202)
    #expect(statistics.least == [0, -1, 100])
    #expect(statistics.greatest == [25, -1, 100])
    #expect(statistics.mean == [12.5, -1, 100])
    // The numbers 0 … 100 have a variance of (101² − 1) / 12 = 850; quarters of them a sixteenth.
    #expect(abs(statistics.standardDeviation.x - (850.0 / 16).squareRoot()) < 1e-12)
    #expect(statistics.standardDeviation.y == 0)
    #expect(statistics.standardDeviation.z == 0)
  }

  @Test func histogramsOfAllCodes() throws {
    let codes = Picture(
      Bitmap<UInt8>(PixelSize(256, 2), in: .sRGB, channels: .rgb) { x, y in
        [UInt8(x), y == 0 ? 7 : 200, 255]
      })
    let histogram = try codes.histogram()
    #expect(histogram.pixelCount == 512)
    for step in 0..<256 { #expect(histogram[0, step] == 2) }
    #expect(histogram[1, 7] == 256)
    #expect(histogram[1, 200] == 256)
    #expect(histogram[2, 255] == 512)
    #expect(histogram.percentile(0.5).x == 127.0 / 255)
    #expect(histogram.percentile(0).x == 0)
    #expect(histogram.percentile(1) == [1, 200.0 / 255, 1])
  }

  /// A filter that depends on all pixels: the brightest becomes white.
  @Test func filtersMayDependOnValues() throws {
    let dark = Picture(
      Bitmap<Float>(PixelSize(50, 40), in: .linearSRGB, channels: .rgb) { x, y in
        [Float(x) / 100, Float(y) / 200, 0]
      })
    let stretched = dark.applying(measuring: Statistics(), in: .linear) { statistics in
      Exposure(stops: -log2(statistics.greatest.max()))
    }
    #expect(stretched.plan.contains("Exposure, after measuring statistics"))
    let result = try stretched.render(as: Float.self)
    #expect(result[49, 0, 0] == 1)
    #expect(try stretched.statistics().greatest.x == 1)
  }

  @Test func failuresAreThrown() {
    let endless = Picture.noise(seed: 1, in: .sRGB)
    #expect(throws: RenderError.recipe(.endless)) { try endless.statistics() }
    let small = Picture(Bitmap<UInt8>(PixelSize(10, 10), in: .sRGB))
    #expect(throws: RenderError.self) { try small.structuralSimilarity(to: small) }
  }
}
