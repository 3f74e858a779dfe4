import FilterGraph
import ImageBuffer
import Synchronization
import Testing
import _TestSupport

/// The forecast of what steps move and hold, against what a rendering counts.
@Suite struct PlanCostTests {
  @Test(arguments: [PixelSize(16, 16), PixelSize(61, 7), PixelSize(1000, 1000)], [1, 3])
  func bytesOfAreaStepsAreThoseOfTheRendering(tile: PixelSize, radius: Int) throws {
    let counted = Counted(radius: radius)
    let source = Picture(TestPictures.codes(as: UInt16.self)).exposure(1)
    let picture = source.applying(counted)
    var options = RenderOptions()
    (options.tile, options.threads) = (tile, 2)
    let report = try picture.planReport(as: Float.self, options: options)
    #expect(counted.pixels == (0, 0))
    _ = try picture.render(as: Float.self, options: options)
    let index = try #require(report.steps.firstIndex { $0.name.contains("Counted") })
    let step = report.steps[index]
    let planes = step.hasAlpha ? 4 : 3
    // Every pixel of every tile, in single precision; an area step reads its input once for each tile, with its halo.
    #expect(step.bytesRead == counted.pixels.read * planes * 4)
    // The step's own buffer; the result is converted from it by the program that follows.
    #expect(step.bytesWritten == counted.pixels.written * planes * 4)
    #expect(step.isPass)
    #expect(report.steps.last?.bytesWritten == report.bytesWritten)
  }

  /// A forecast throws what a rendering would throw for the channels.
  @Test(arguments: [Channels.rgb, .gray, .cmyk, .named("depth")] as [Channels], [false, true])
  func forecastsRefuseChannelsAsRenderingsDo(_ channels: Channels, inBands: Bool) throws {
    let picture = Picture(TestPictures.codes(as: UInt16.self, PixelSize(9, 5), channels: .rgba))
    let refusal = try #require(
      #expect(throws: RenderError.self) {
        let _: Bitmap<UInt8> = try picture.render(channels: channels)
      })
    #expect(throws: refusal) {
      try picture.planReport(as: UInt8.self, channels: channels, inBands: inBands)
    }
  }

  /// Numbers beyond those of any machine are the largest one, and no trap.
  @Test(arguments: [PixelSize(1 << 30, 1 << 30), PixelSize(1 << 30, 1 << 28)], [false, true])
  func immensePicturesAreForecast(_ size: PixelSize, inBands: Bool) throws {
    let picture = Picture(EndlessRows(size: size)).oriented(.quarterTurned)
    #expect(picture.plan.contains("\(size)"))
    var options = RenderOptions()
    options.pixelLimit = .max
    let report = try picture.planReport(as: UInt8.self, inBands: inBands, options: options)
    guard case .moreThanMachineMemory = report.refusal else {
      Issue.record("not refused: \(report)")
      return
    }
  }

  @Test func sourcesReadInPlaceAreNoPasses() throws {
    let bitmap = TestPictures.codes(as: UInt16.self)
    let report = try Picture(bitmap).exposure(1).planReport(as: UInt8.self)
    #expect(report.steps.map(\.isPass) == [false, true] && report.passCount == 1)
    #expect(report.steps[0].bytesRead == 0 && report.steps[0].bytesWritten == 0)
    let pixels = bitmap.size.pixelCount
    #expect(report.steps[1].bytesRead == pixels * 6 && report.bytesRead == pixels * 6)
    #expect(
      report.steps[1].bytesWritten == report.bytesWritten && report.bytesWritten >= pixels * 3)
  }

  @Test func measurementsAreFurtherPasses() throws {
    let picture = Picture(TestPictures.codes(as: UInt16.self))
    let plain = try picture.planReport(as: UInt8.self).passCount
    let leveled = try picture.developed(.colorNegative()).planReport(as: UInt8.self).passCount
    #expect(leveled > plain)
  }

  /// The buffers of steps are a part of the peak, and a limit below the peak refuses what the report calls its need.
  @Test func peakIsWhatTheLimitCounts() throws {
    let picture = Picture(TestPictures.codes(as: UInt16.self)).boxBlurred(radius: 2).exposure(1)
    var options = RenderOptions()
    options.threads = 2
    let report = try picture.planReport(as: UInt8.self, options: options)
    #expect(report.peakBytes >= report.steps.map(\.bytes).max() ?? 0)
    options.memoryLimit = report.peakBytes
    #expect(throws: Never.self) { try picture.render(as: UInt8.self, options: options) }
    options.memoryLimit = report.peakBytes - 1
    #expect(throws: RenderError.tooMuchMemory(bytes: report.peakBytes, limit: report.peakBytes - 1))
    { try picture.render(as: UInt8.self, options: options) }
  }

  @Test func everyStepOfARenderingIsMeasured() throws {
    let picture = Picture(TestPictures.codes(as: UInt16.self)).boxBlurred(radius: 2).exposure(1)
    let options = RenderOptions()
    let steps = try picture.planReport(as: UInt16.self, inBands: true, options: options).steps
    let seconds = try Picture.measuredSeconds(
      of: [BandedResult(picture, as: .uint16, alpha: .straight)], options: options)
    #expect(seconds.count == steps.count && seconds.allSatisfy { $0 >= 0 && $0.isFinite })
    #expect(seconds.reduce(0, +) > 0)
  }
}

/// Copies pixels, and counts those that it reads and writes.
private struct Counted: AreaFilter {
  let radius: Int
  private let counter = Counter()

  init(radius: Int) { self.radius = radius }

  var pixels: (read: Int, written: Int) { counter.pixels }

  func inputRegion(for output: Region, of _: PixelSize) -> Region { output.expanded(by: radius) }

  func pixel(x: Int, y: Int, of _: PixelSize, read: (Int, Int) -> SIMD4<Double>) -> SIMD4<Double> {
    read(x, y)
  }

  func render(into output: Tile, from input: Tile, with _: Void) {
    let inside = input.region.intersection(Region(input.pictureSize))
    counter.add(read: inside.size.pixelCount, written: output.region.size.pixelCount)
    for y in output.region.rows { for x in output.region.columns { output[x, y] = input[x, y] } }
  }
}

private final class Counter: Hashable, Sendable {
  private let counts = Mutex((read: 0, written: 0))

  var pixels: (read: Int, written: Int) { counts.withLock { $0 } }

  func add(read: Int, written: Int) {
    counts.withLock {
      $0.read += read
      $0.written += written
    }
  }

  static func == (a: Counter, b: Counter) -> Bool { a === b }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
