import ColorSpaces
import FilterGraph
import ImageBuffer
import Synchronization
import Testing
import _TestSupport

/// The text of `plan`, word for word: it is how people and tests see the optimizer.
@Suite struct PlanTests {
  private let photo = Picture(Bitmap<UInt16>(PixelSize(300, 200), in: .displayP3))
  private let opaque = Picture(Bitmap<UInt8>(PixelSize(300, 200), in: .sRGB, channels: .rgb))

  @Test func emptyPlanIsTheSource() {
    #expect(photo.plan == "load 300 × 200 uint16 rgba in Display P3")
  }

  @Test func conversionIsInserted() {
    #expect(
      photo.converted(to: .sRGB).plan == """
        load 300 × 200 uint16 rgba in Display P3
        decode sRGB → matrix → encode sRGB
        """)
  }

  /// Stages on both sides of a crop are merged into one program, and may cancel.
  @Test func cropsDoNotDivideProgramsByLaw() throws {
    let part = Region(x: 10, y: 20, width: 30, height: 40)
    let exposed = photo.exposure(1).cropped(to: part).exposure(-1)
    let report = try exposed.planReport(as: UInt16.self)
    #expect(try #require(report.steps.first).region.size == part.size)
    #expect(
      exposed.plan
        == "load 300 × 200 uint16 rgba in Display P3, cropped to 30 × 40 at (10, 20)")
    #expect(
      photo.boxBlurred(radius: 1).exposure(1).cropped(to: part).exposure(-1).plan == """
        load 300 × 200 uint16 rgba in Display P3
        decode sRGB → premultiply
        ── mean of 3 × 3 to 300 × 200
        crop to 30 × 40 at (10, 20)
        unpremultiply → encode sRGB
        """)
    let blurred = photo.boxBlurred(radius: 1)
    let whole = try blurred.exposure(0.3).converted(to: .sRGB).render(as: Float.self)
    let cropped = try blurred.exposure(0.3).cropped(to: part).converted(to: .sRGB)
      .render(as: Float.self)
    let expected = try Picture(whole).cropped(to: part).render(as: Float.self)
    #expect(cropped.firstDifference(from: expected) == nil)
  }

  /// Common subexpressions are evaluated once, however often they are written.
  @Test func commonSubexpressionsAreEvaluatedOnce() throws {
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

  @Test func pipelineFusesIntoThreePasses() {
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

  @Test func opaquePicturesNeedNoPremultiplication() {
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
        decode sRGB → negative development, its film base and white measured first → encode sRGB
        """)
  }

  /// After the measurement the plan also shows the measured stages.
  @Test func measuredStagesAreShown() throws {
    let measuring = opaque.applying(measuring: Statistics(), in: .linear) { _, picture in
      picture.exposure(1)
    }
    #expect(
      measuring.plan == """
        load 300 × 200 uint8 rgb in sRGB
        decode sRGB → filters, after measuring statistics → encode sRGB
        """)
    _ = try measuring.render(as: UInt8.self)
    #expect(
      measuring.plan == """
        load 300 × 200 uint8 rgb in sRGB
        decode sRGB → filters, after measuring statistics → affine ×2 → encode sRGB
        """)
  }

  /// Plans that may not measure know that two measurements of one picture have different results.
  @Test func measurementsAreDifferentSteps() {
    func measuring(_ stops: Double) -> Picture {
      opaque.applying(measuring: Statistics(), named: "by \(stops)") { $1.exposure(stops) }
    }
    let (bright, dark) = (measuring(1), measuring(-3))
    let plan = dark.composited(onto: bright, opacity: 0.5).plan
    for stops in [1.0, -3] { #expect(plan.contains("decode sRGB → by \(stops)"), "\(plan)") }
    #expect(!bright.isComputed(like: dark))
    #expect(bright.isComputed(like: bright))
  }

  /// A tag is shown between the stages before and after it, or behind the step whose values it interprets.
  @Test func tagsAreShownWhereTheyBelong() {
    #expect(
      photo.exposure(1).tagged(as: .adobeRGB).converted(to: .displayP3).plan == """
        load 300 × 200 uint16 rgba in Display P3
        decode sRGB → affine ×2 → encode sRGB → read as Adobe RGB → decode gamma 2.19921875 → matrix → encode sRGB
        """)
    #expect(
      opaque.tagged(as: .displayP3).plan
        == "load 300 × 200 uint8 rgb in sRGB → read as Display P3")
    // The stages around the tag were merged.
    #expect(
      opaque.exposure(1).tagged(as: .displayP3).exposure(1).plan == """
        load 300 × 200 uint8 rgb in sRGB
        decode sRGB → read as Display P3 → affine ×4 → encode sRGB
        """)
    // The same stages are evaluated once, even if their results are tagged with different spaces.
    #expect(
      photo.inverted().applying(
        Mean(extent: .first), with: [photo.tagged(as: .sRGB).inverted().tagged(as: .displayP3)]
      ).plan == """
        1: load 300 × 200 uint16 rgba in Display P3
        2: affine ×-1 +1 → decode sRGB → premultiply → read as sRGB → read as Display P3, of 1
        3: ── Mean(extent: FilterGraph.BlendExtent.first) to 300 × 200, of 2 and 2
        4: unpremultiply → encode sRGB, of 3
        """)
  }

  @Test func storedFormatsAreShown() {
    #expect(
      opaque.exposure(1).stored(as: .uint8).boxBlurred(radius: 1).plan == """
        load 300 × 200 uint8 rgb in sRGB
        decode sRGB → affine ×2 → store as uint8
        ── mean of 3 × 3 to 300 × 200
        encode sRGB
        """)
  }

  /// Each of these lines is the result of a law of the plan's builder: merged matrices, canceled transfer functions and
  /// alpha, joined channels, a shared branch, and crops of the source.
  @Test func lawsApplyInThePlan() throws {
    let curve = try CubicCurve(through: [[0, 0], [0.5, 0.6], [1, 1]])
    func branch() -> Picture {
      photo.exposure(1).saturation(0.5).converted(to: .rec2020).exposure(-0.5)
        .boxBlurred(radius: 2)
    }
    let mixed = branch().applying(Mean(extent: .first), with: [branch().tagged(as: .rec2020)])
      .saturation(2).boxBlurred(radius: 1).converted(to: .sRGB).inverted().inverted()
      .cropped(to: Region(x: 5, y: 5, width: 20, height: 10))
    let joined = Picture(
      red: mixed.toneCurve(curve), green: mixed.toneCurve(curve), blue: mixed.toneCurve(curve))
    #expect(
      joined.plan == """
        1: load 300 × 200 uint16 rgba in Display P3
        2: decode sRGB → matrix → premultiply, of 1
        3: ── mean of 5 × 5 to 300 × 200 → read as Rec. 2020, of 2
        4: ── Mean(extent: FilterGraph.BlendExtent.first) to 300 × 200, of 3 and 3
        5: matrix, of 4
        6: ── mean of 3 × 3 to 300 × 200, of 5
        7: crop to 20 × 10 at (5, 5), of 6
        8: unpremultiply → matrix → encode gamma 2.0 → tone curves → decode gamma 2.0 → encode sRGB, of 7
        """)
    // Only the remaining part of a bitmap is read.
    #expect(
      photo.exposure(1).cropped(to: Region(x: 5, y: 5, width: 20, height: 10)).exposure(1)
        .cropped(to: Region(x: 6, y: 7, width: 8, height: 9)).plan == """
          load 300 × 200 uint16 rgba in Display P3, cropped to 8 × 8 at (6, 7)
          decode sRGB → affine ×4 → encode sRGB
          """)
  }

  @Test func failuresAreReported() {
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
