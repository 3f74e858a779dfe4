import ColorSpaces
import FilterGraph
import ImageBuffer
import Synchronization
import Testing
import _TestSupport

@Suite struct ColorLossTests {
  private static let wide = Picture(TestPictures.codes(as: UInt16.self, in: .displayP3))
  private static let bright = Picture(TestPictures.floats(in: .linearSRGB))
  private static let narrow = Picture(TestPictures.codes(as: UInt8.self, channels: .rgba))

  private struct Fault: Sendable, CustomStringConvertible {
    let description: String
    let kind: ColorLoss.Kind
    let step: String
    let picture: Picture
    var isStoredInBytes = false
    /// Further kinds that are lost at the same step.
    var others: [ColorLoss.Kind] = []
  }

  private static let faults: [Fault] = [
    Fault(
      description: "assigned instead of converted", kind: .tag, step: "read as sRGB",
      picture: wide.exposure(0.5).tagged(as: .sRGB).exposure(-0.5)),
    Fault(
      description: "assigned, then converted", kind: .tag, step: "read as Adobe RGB",
      picture: wide.tagged(as: .adobeRGB).converted(to: .displayP3)),
    Fault(
      description: "clipped to sRGB and back", kind: .gamut, step: "clamp 0…1",
      picture: wide.fitted(into: .sRGB, by: .clipped).converted(to: .displayP3)),
    Fault(
      description: "clipped before a resize", kind: .gamut, step: "clamp 0…1",
      picture: wide.fitted(into: .sRGB, by: .clipped).resized(to: .exact(20, 20))),
    Fault(
      description: "stored in bytes of sRGB", kind: .gamut, step: "store as uint8",
      picture: wide.resized(to: .exact(20, 20)).converted(to: .sRGB), isStoredInBytes: true,
      others: [.precision]),
    Fault(
      description: "an area filter that clamps", kind: .gamut, step: "── Clamping() to 61 × 43",
      picture: wide.converted(to: .linearSRGB).applying(Clamping())),
    Fault(
      description: "a clamp to white", kind: .headroom, step: "clamp 0…1",
      picture: bright.exposure(-0.5).fitted(into: .linearSRGB, by: .clipped), others: [.gamut]),
    Fault(
      description: "light stored in bytes", kind: .headroom, step: "store as uint8",
      picture: bright.converted(to: .displayP3), isStoredInBytes: true, others: [.precision]),
    Fault(
      description: "a tone curve that ends at white", kind: .headroom, step: "print curve",
      picture: bright.exposure(-1).applying(PrintCurve()), others: [.gamut]),
    Fault(
      description: "a blend that forgets coverage", kind: .alpha, step: "── Forgetful() to 61 × 43",
      picture: narrow.applying(Forgetful(), with: [narrow.inverted()])),
    Fault(
      description: "thirty-two tones", kind: .precision, step: "posterize",
      picture: wide.exposure(0.25).applying(Posterize())),
    Fault(
      description: "sixteen bits in eight", kind: .precision, step: "store as uint8",
      picture: wide, isStoredInBytes: true),
  ]

  private static let canary = Picture(Canary(size: PixelSize(96, 32)), in: .displayP3)

  /// Painters, mappings that keep lightness and hue, and filters that leave gray.
  private static let mappings: [Fault] = {
    var faults: [Fault] = []
    for (name, picture) in [("photo", wide), ("canary", canary)] {
      for mapping in [GamutMapping.clipped, .reducedChroma, .rayTraced] {
        faults.append(
          Fault(
            description: "\(name), \(mapping)", kind: .gamut, step: "",
            picture: picture.fitted(into: .sRGB, by: mapping).converted(to: .displayP3)))
      }
      for (filter, gray) in [
        ("saturation 0", picture.saturation(0)), ("monochrome", picture.monochrome()),
        ("a red filter", picture.monochrome(weights: [0.7, 0.2, 0.1])),
      ] {
        faults.append(
          Fault(
            description: "\(name), \(filter)", kind: .gamut, step: "matrix", picture: gray,
            others: [.chroma]))
      }
    }
    faults.append(
      Fault(
        description: "canary, threshold", kind: .gamut, step: "matrix",
        picture: canary.threshold(), others: [.chroma]))
    faults.append(
      Fault(
        description: "canary, narrow bytes", kind: .gamut, step: "store as uint8",
        picture: canary.converted(to: .sRGB), isStoredInBytes: true))
    faults.append(
      Fault(
        description: "an sRGB photo in gray", kind: .chroma, step: "matrix",
        picture: narrow.saturation(0)))
    return faults
  }()

  @Test(arguments: mappings) private func mappingsAndPaintersAreTraced(fault: Fault) throws {
    let losses =
      fault.isStoredInBytes
      ? try fault.picture.colorLosses(storedAs: UInt8.self)
      : try fault.picture.colorLosses(storedAs: Float.self)
    #expect(Set(losses.map(\.kind)) == Set([fault.kind] + fault.others), "\(losses)")
    for loss in losses where !fault.step.isEmpty { #expect(loss.step == fault.step, "\(loss)") }
  }

  /// A painter can lose only what it paints: grays have no gamut, flat fields no small steps, and lossless steps report
  /// nothing.
  @Test func paintersLoseWhatTheyPaint() throws {
    let gray = Picture.constant(ColorPoint(0.5, 0.5, 0.5, in: .sRGB), in: .displayP3)
      .cropped(to: Region(PixelSize(20, 20)))
    #expect(
      try gray.fitted(into: .sRGB, by: .clipped).saturation(0).colorLosses(storedAs: UInt8.self)
        .isEmpty)
    for kept in [Self.canary, Self.canary.exposure(-1)] {
      let losses = try kept.colorLosses(storedAs: UInt8.self)
      #expect(losses.isEmpty, "\(losses) of \(kept.plan)")
    }
    // The line from red to green of Rec. 2020 passes inside of Display P3's red, by more than half a code.
    let widest = try Self.canary.converted(to: .rec2020).colorLosses(storedAs: UInt8.self)
    #expect(widest.map(\.kind) == [.gamut])
    let ramp = Picture(Ramp(), in: .displayP3).cropped(to: Region(PixelSize(30, 20)))
    #expect(try ramp.colorLosses(storedAs: Float.self).isEmpty)
  }

  @Test(arguments: faults) private func theStepIsNamed(fault: Fault) throws {
    let losses =
      fault.isStoredInBytes
      ? try fault.picture.colorLosses(storedAs: UInt8.self)
      : try fault.picture.colorLosses(storedAs: Float.self)
    #expect(Set(losses.map(\.kind)) == Set([fault.kind] + fault.others))
    for loss in losses { #expect(loss.step == fault.step, "\(loss)") }
  }

  /// Steps that keep colors apart report nothing: exposure, inversion, conversions, means of neighbors and of pictures,
  /// resizes.
  @Test func losslessGraphsReportNothing() throws {
    for seed in 0..<200 {
      var generator = SeededGenerator(seed: UInt64(3000 + seed))
      let picture = RandomGraph.picture(depth: 4, using: &generator)
      let losses = try picture.colorLosses(storedAs: Float.self)
      #expect(losses.isEmpty, "seed \(seed): \(losses)\n\(picture.plan)")
    }
  }

  @Test func tracingChangesNoPixel() throws {
    let picture = Self.wide.exposure(1).resized(to: .exact(30, 30))
    let traced = try picture.render(as: Float.self, tracing: .colorLoss)
    #expect(traced.bitmap == (try picture.render(as: Float.self)))
    #expect(traced.losses.isEmpty)
  }

  /// Rendering dithers and converts to gray; the trace does the same.
  @Test func tracingAcceptsTheOptionsOfRendering() throws {
    let dither = Dither(.ordered)
    let traced = try Self.wide.render(
      as: UInt8.self, channels: .gray, arrangement: .planar, dither: dither, tracing: .colorLoss)
    let alone = try Self.wide.render(
      as: UInt8.self, channels: .gray, arrangement: .planar, dither: dither)
    #expect(traced.bitmap == alone)
    let loss = try #require(traced.losses.first { $0.kind == .precision })
    #expect(loss.step == "dither ordered, 256 levels")
  }

  /// The trace uses the plan that renders: its filters prepare once for both.
  @Test func tracingUsesThePlanThatRenders() throws {
    let counting = Counting()
    let picture = Self.wide.applying(counting).exposure(1)
    _ = try picture.render(as: Float.self)
    #expect(counting.prepared.count == 1)
    _ = try picture.render(as: Float.self, tracing: .colorLoss)
    #expect(counting.prepared.count == 2)
    #expect(counting.rendered.count > 1)
  }

  /// Error diffusion renders in bands, whose plan is traced as well.
  @Test func tracingUsesThePlanOfErrorDiffusion() throws {
    let counting = Counting()
    _ = try Self.wide.applying(counting).exposure(1).render(
      as: UInt8.self, dither: Dither(.errorDiffusion), tracing: .colorLoss)
    #expect(counting.prepared.count == 1)
  }

  /// Where several pictures lie side by side, the middle pixel shows one of them; the others are traced as well.
  @Test func everySourceIsTraced() throws {
    let clipped = Self.wide.fitted(into: .sRGB, by: .clipped).converted(to: .displayP3)
    let beside = clipped.moved(by: Offset(Self.wide.size.width, 0))
    let losses = try Self.wide.applying(Over(), with: [beside]).colorLosses(storedAs: Float.self)
    #expect(losses.map(\.description) == ["gamut is lost at “clamp 0…1”"])
  }

  /// A loss that occurs in the compiled program only: a fast implementation may differ from its definition.
  @Test func compiledProgramsAreTraced() throws {
    let losses = try Self.wide.converted(to: .linearSRGB).applying(ClampingOnlyWhenRendered())
      .colorLosses(storedAs: Float.self)
    #expect(losses.first { $0.kind == .gamut }?.step == "── ClampingOnlyWhenRendered() to 61 × 43")
  }
}

/// Counts its preparations.
private struct Counting: AreaFilter {
  final class Count: Sendable {
    private let times = Mutex(0)
    var count: Int { times.withLock { $0 } }
    func add() { times.withLock { $0 += 1 } }
  }

  let prepared = Count()
  let rendered = Count()

  func inputRegion(for output: Region, of input: PixelSize) -> Region { output }

  func prepare(for input: PixelSize) { prepared.add() }

  func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    rendered.add()
    return read(x, y)
  }

  static func == (a: Counting, b: Counting) -> Bool { a.prepared === b.prepared }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(prepared)) }
}

private struct ClampingOnlyWhenRendered: AreaFilter {
  func inputRegion(for output: Region, of input: PixelSize) -> Region { output }

  func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> { read(x, y) }

  func render(into output: Tile, from input: Tile, with _: Void) {
    for y in output.region.rows {
      for x in output.region.columns {
        output[x, y] = input[x, y].clamped(lowerBound: .zero, upperBound: .one)
      }
    }
  }
}

private struct Clamping: AreaFilter {
  func inputRegion(for output: Region, of input: PixelSize) -> Region { output }

  func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    read(x, y).clamped(lowerBound: .zero, upperBound: .one)
  }
}

/// The second picture where it is opaque, the first elsewhere.
private struct Over: BlendFilter {
  func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    inputs[1] + inputs[0] * (1 - inputs[1].w)
  }
}

private struct Forgetful: BlendFilter {
  func hasAlpha(_ inputs: [Bool]) -> Bool { false }

  func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    let color = (inputs[0] + inputs[1]) / 2
    return SIMD4(color.x, color.y, color.z, 1)
  }
}

private struct PrintCurve: PointFilter {
  var domain: PixelDomain { .encoded }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.curve("print curve", .sampled(SampledCurve([0, 0.3, 1])))
  }
}

private struct Posterize: PointFilter {
  var domain: PixelDomain { .encoded }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.rows("posterize") { strip in
      for i in strip.indices {
        strip.red[i] = (strip.red[i] * 31).rounded() / 31
        strip.green[i] = (strip.green[i] * 31).rounded() / 31
        strip.blue[i] = (strip.blue[i] * 31).rounded() / 31
      }
    }
  }
}
