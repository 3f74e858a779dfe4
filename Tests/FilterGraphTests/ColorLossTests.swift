import ColorSpaces
import FilterGraph
import ImageBuffer
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
      picture: wide.resized(to: .exact(20, 20)).converted(to: .sRGB), isStoredInBytes: true),
    Fault(
      description: "an area filter that clamps", kind: .gamut, step: "── Clamping() to 61 × 43",
      picture: wide.converted(to: .linearSRGB).applying(Clamping())),
    Fault(
      description: "a clamp to white", kind: .headroom, step: "clamp 0…1",
      picture: bright.exposure(-0.5).fitted(into: .linearSRGB, by: .clipped)),
    Fault(
      description: "light stored in bytes", kind: .headroom, step: "store as uint8",
      picture: bright.converted(to: .displayP3), isStoredInBytes: true),
    Fault(
      description: "a tone curve that ends at white", kind: .headroom, step: "print curve",
      picture: bright.exposure(-1).applying(PrintCurve())),
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

  @Test(arguments: faults) private func theStepIsNamed(fault: Fault) throws {
    let losses =
      fault.isStoredInBytes
      ? try fault.picture.colorLosses(storedAs: UInt8.self)
      : try fault.picture.colorLosses(storedAs: Float.self)
    let loss = try #require(losses.first { $0.kind == fault.kind }, "\(losses)")
    #expect(loss.step == fault.step)
  }

  /// Nothing that keeps colors apart is reported: exposure, inversion, conversions, means of neighbours, of pictures, of sizes.
  @Test func correctGraphsAreSilent() throws {
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
}

private struct Clamping: AreaFilter {
  func inputRegion(for output: Region, of input: PixelSize) -> Region { output }

  func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    read(x, y).clamped(lowerBound: .zero, upperBound: .one)
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
