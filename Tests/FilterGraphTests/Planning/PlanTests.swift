import ColorSpaces
import FilterGraph
import ImageBuffer
import Synchronization
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

  /// What lies on both sides of a crop is one program, and may cancel.
  @Test func cropsDoNotDivideProgramsByLaw() throws {
    let part = Region(x: 10, y: 20, width: 30, height: 40)
    let report = try photo.exposure(1).cropped(to: part).exposure(-1).planReport(as: UInt16.self)
    #expect(try #require(report.steps.first).region.size == part.size)
    let counter = CallCounter()
    let counted = photo.applying(CountedArea(counter: counter))
    let whole = try counted.exposure(0.3).converted(to: .sRGB).render(as: Float.self)
    let cropped = try counted.exposure(0.3).cropped(to: part).converted(to: .sRGB)
      .render(as: Float.self)
    let expected = try Picture(whole).cropped(to: part).render(as: Float.self)
    #expect(cropped.firstDifference(from: expected) == nil)
  }

  /// What is asked for twice is computed once, however often it was written down.
  @Test func equalStepsAreOne() throws {
    let counter = CallCounter()
    func branch() -> Picture {
      photo.exposure(1).applying(CountedArea(counter: counter))
        .applying(
          CountedBlend(counter: counter),
          with: [
            Picture(CountedPainter(counter: counter), in: .displayP3).exposure(2)
          ]
        ).exposure(-1)
    }
    var options = RenderOptions()
    (options.tile, options.threads) = (photo.size, 1)
    _ = try branch().applying(Mean(extent: .first), with: [branch().inverted()])
      .render(as: Float.self, options: options)
    #expect(counter.calls == ["area": 1, "blend": 1, "painter": 1])
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

private final class CallCounter: Hashable, Sendable {
  private let counts = Mutex<[String: Int]>([:])

  var calls: [String: Int] { counts.withLock { $0 } }
  func count(_ name: String) { counts.withLock { $0[name, default: 0] += 1 } }

  static func == (a: CallCounter, b: CallCounter) -> Bool { a === b }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

private struct CountedArea: AreaFilter {
  let counter: CallCounter

  func inputRegion(for output: Region, of _: PixelSize) -> Region { output }

  func pixel(x: Int, y: Int, of _: PixelSize, read: (Int, Int) -> SIMD4<Double>) -> SIMD4<Double> {
    read(x, y)
  }

  func render(into output: Tile, from input: Tile, with _: Void) {
    counter.count("area")
    for y in output.region.rows { for x in output.region.columns { output[x, y] = input[x, y] } }
  }
}

private struct CountedBlend: BlendFilter {
  let counter: CallCounter
  var extent: BlendExtent { .first }

  func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> { inputs[0] }

  func render(into output: Tile, from inputs: [Tile]) {
    counter.count("blend")
    for y in output.region.rows {
      for x in output.region.columns { output[x, y] = inputs[0][x, y] }
    }
  }
}

private struct CountedPainter: Painter {
  let counter: CallCounter

  func pixel(x: Int, y: Int) -> SIMD4<Double> { [0.5, 0.5, 0.5, 1] }

  func render(into output: Tile) {
    counter.count("painter")
    for y in output.region.rows {
      for x in output.region.columns { output[x, y] = [0.5, 0.5, 0.5, 1] }
    }
  }
}
