import ColorSpaces
import FilterGraph
import ImageBuffer
import Synchronization
import Testing
import _TestSupport

/// What a pipeline loses in the pixels of a picture.
@Suite struct StepLossTests {
  /// A gray ramp of all bytes.
  private let ramp = Picture(
    Bitmap<UInt8>(PixelSize(256, 2), in: .sRGB, channels: .rgb) { x, _ in
      [UInt8](repeating: UInt8(x), count: 3)
    })

  private func losses(
    _ steps: [(name: String, picture: Picture)], storedAs format: SampleFormat = .uint8
  ) throws -> [StepLoss] {
    try Picture.stepLosses(of: [("source", ramp)] + steps, storedAs: format)
  }

  /// Values that a step makes brighter than white are lost where integers are stored, also those of a source of integers.
  @Test func clippedHighlightsAreHeadroom() throws {
    for stops in [0.5, 1] {
      let brighter = ramp.exposure(stops)
      let found = try losses([("exposure", brighter)])
      #expect(found[0].losses.isEmpty)
      #expect(found[1].losses.map(\.kind) == [.headroom])
      let clipped = try brighter.render(as: Float.self).row(0).count { $0 > 1 + 0.5 / 255 }
      #expect(found[1].extents[0]?.affectedPixelCount == clipped / 3 * 2)
      #expect((found[1].losses[0].before.first?.x ?? 0) > 1)
      #expect(found[1].losses[0].after.first?.x == 1)
      #expect(try losses([("exposure", brighter)], storedAs: .float32)[1].losses.isEmpty)
    }
    let darker = try losses([("exposure", ramp.exposure(-1))])
    #expect(darker[1].losses.allSatisfy { $0.kind != .headroom })
    #expect(try losses([])[0].losses.isEmpty)
  }

  /// One pixel of many is not “0.0 %” of them, and all but one are not “100.0 %”.
  @Test func fewPixelsAreNotCalledNone() throws {
    func lost(_ isBright: @escaping (Int, Int) -> Bool) throws -> String {
      let picture = Picture(
        Bitmap<UInt8>(PixelSize(200, 150), in: .sRGB, channels: .rgb) { x, y in
          [UInt8](repeating: isBright(x, y) ? 255 : 10, count: 3)
        })
      let steps = [("source", picture), ("exposure", picture.exposure(1))]
      let found = try Picture.stepLosses(of: steps, storedAs: .uint8)
      return try #require(found[1].extents.first ?? nil).description
    }
    #expect(try lost { $0 == 7 && $1 == 3 }.hasPrefix("1 of 30000 pixels (0.003333 %), "))
    #expect(try lost { $0 != 7 || $1 != 3 }.hasPrefix("29999 of 30000 pixels (99.996667 %), "))
  }

  /// Values below black lie outside of the gamut.
  @Test func clippedShadowsAreGamut() throws {
    let darker = ramp.channelMix(.identity, offset: [-0.2, -0.2, -0.2])
    let kinds = try losses([("offset", darker)])[1].losses.map(\.kind)
    #expect(kinds.contains(.gamut) && !kinds.contains(.headroom))
  }

  /// Values that a step makes brighter than white are lost at the gamut mapping, the clamp or the store that clips them.
  @Test(arguments: ["fit into sRGB, chroma reduced", "clamp 0…1", "store as uint8"])
  func madeHighlightsAreLostWhereTheyAreClipped(stage: String) throws {
    let brighter = ramp.exposure(1)
    let clipped =
      switch stage {
      case "clamp 0…1": brighter.fitted(into: .sRGB, by: .clipped)
      case "store as uint8": brighter.stored(as: .uint8)
      default: brighter.fitted(into: .sRGB)
      }
    let found = try losses([("exposure", brighter), ("clip", clipped)], storedAs: .float32)
    #expect(found[0].losses.isEmpty)
    let index = try #require(found[1].losses.firstIndex { $0.kind == .headroom })
    #expect(found[1].losses[index].step == stage)
    let bright = try brighter.render(as: Float.self).row(0).count { $0 > 1 } / 3 * 2
    #expect(abs((found[1].extents[index]?.affectedPixelCount ?? 0) - bright) <= 2)
    #expect((found[1].losses[index].before.first?.x ?? 0) > 1)
    #expect(!found[2].losses.contains { $0.kind == .headroom })
  }

  /// Nothing is clipped where no step made values out of range, or where a later one did.
  @Test func clampsOfUsualValuesLoseNothing() throws {
    let fitted = ramp.fitted(into: .sRGB)
    let kinds = try losses([("fit", fitted)]).flatMap { $0.losses.map(\.kind) }
    #expect(!kinds.contains(.headroom) && !kinds.contains(.gamut))
    let brighter = fitted.exposure(1)
    let found = try losses(
      [("fit", fitted), ("exposure", brighter), ("darker", brighter.exposure(-1))],
      storedAs: .float32)
    #expect(found.allSatisfy { step in !step.losses.contains { $0.kind == .headroom } })
  }

  /// Negative light is lost where the last space's values are encoded, if its transfer function has a floor, also in floats.
  @Test(arguments: [("ACEScc", true), ("ACEScct", false), ("Rec. 2100 HLG", false)])
  func negativeLightIsLostByEncodingsWithAFloor(name: String, isLost: Bool) throws {
    let picture = Picture(
      Bitmap<Float>(PixelSize(4, 1), in: .linearSRGB, channels: .rgb) { x, _ in
        [0.2, x == 0 ? -0.1 : 0.1, 0.3]
      })
    let converted = picture.converted(to: try ColorSpace(named: name))
    let found = try Picture.stepLosses(
      of: [("source", picture), ("convert", converted)], storedAs: .float32)
    #expect(found[0].losses.isEmpty)
    #expect(found[1].losses.map(\.kind) == (isLost ? [.gamut] : []))
    guard isLost else { return }
    let loss = try #require(found[1].losses.first)
    let extent = try #require(found[1].extents.first ?? nil)
    #expect(loss.step == "encode ACEScc")
    #expect((loss.before.first?.y ?? 0) < -0.05 && abs(loss.after.first?.y ?? 1) < 1e-4)
    #expect(extent.affectedPixelCount == 1 && extent.worst == .zero)
  }

  /// Headroom and gamut are measured in one rendering.
  @Test func clippingStepsAreRenderedOnce() throws {
    let rows = CountedRows(
      Bitmap<UInt8>(PixelSize(64, 4), in: .sRGB, channels: .rgb) { x, _ in
        [UInt8](repeating: UInt8(x), count: 3)
      })
    let source = Picture(rows)
    let clipped = source.exposure(-1).fitted(into: .sRGB, by: .clipped)
    let found = try Picture.stepLosses(
      of: [("source", source), ("clip", clipped)], storedAs: .float32)
    #expect(found.allSatisfy { $0.losses.isEmpty })
    #expect(rows.log.withLock { $0.readers } == 1)
  }

  /// Clipping inside a step of several filters counts, too.
  @Test func clippingWithinAStepIsFound() throws {
    let found = try losses([("grade", ramp.exposure(1).fitted(into: .sRGB, by: .clipped))])
    #expect(found[0].losses.contains { $0.kind == .headroom && $0.step == "clamp 0…1" })
  }

  /// Clipping in a layer loses nothing of the picture below it.
  @Test func clippingInALayerIsNoLossOfThePicture() throws {
    let layer = ramp.exposure(1).fitted(into: .sRGB, by: .clipped)
    let found = try losses([("layer", layer.composited(onto: ramp))])
    #expect(!found[0].losses.contains { $0.kind == .headroom })
  }

  /// Pixels are counted where clipping and the step give pictures of one size.
  @Test func clippedPixelsAreCountedInTheSizeOfTheStep() throws {
    let part = Region(x: 200, y: 0, width: 56, height: 2)
    for (step, pixels) in [
      (ramp.cropped(to: part).exposure(1).fitted(into: .sRGB, by: .clipped), 112),
      (ramp.exposure(1).fitted(into: .sRGB, by: .clipped).cropped(to: part), nil),
    ] as [(Picture, Int?)] {
      let found = try losses([("step", step)])[0]
      let index = try #require(found.losses.firstIndex { $0.kind == .headroom })
      #expect(found.extents[index]?.pixelCount == pixels)
    }
  }

  /// A gray ramp has no chroma to lose, however bright it becomes.
  @Test func rampsLoseNoChromaWhereNothingIsClipped() throws {
    let found = try losses([("exposure", ramp.exposure(1.5))])
    let chroma = zip(found[1].losses, found[1].extents).first { $0.0.kind == .chroma }
    let clipped = try ramp.exposure(1.5).render(as: Float.self).row(0).count { $0 > 1 + 0.5 / 255 }
    #expect((chroma?.1?.affectedPixelCount ?? 0) <= clipped / 3 * 2)
  }

  /// A picture of infinite extent between others is not measured.
  @Test func stepsOfInfiniteExtentAreJoined() throws {
    let extended = ramp.extended(by: .mirrored)
    let cropped = extended.cropped(to: Region(x: 0, y: 0, width: 300, height: 4)).exposure(1)
    let found = try losses([("extend", extended), ("crop", cropped)])
    #expect(found.map(\.name) == ["extend → crop", "store as uint8"])
    #expect(found[1].losses.map(\.kind) == [.headroom])
  }

  /// A step of a pipeline is traced once for all steps after it.
  @Test func eachStepIsTracedOnce() throws {
    func count(steps: Int) throws -> Int {
      let log = Log()
      var pipeline: [(name: String, picture: Picture)] = [("source", ramp)]
      for step in 1...steps {
        pipeline.append(("\(step)", pipeline[step - 1].picture.applying(Counted(log: log))))
      }
      let found = try Picture.stepLosses(of: pipeline, storedAs: .float32)
      #expect(found.allSatisfy { $0.losses.isEmpty })
      return log.pixels.withLock { $0 }
    }
    let (few, many) = (try count(steps: 4), try count(steps: 16))
    #expect(few > 0 && many == 4 * few)
  }

  /// Steps that are traced together lose what each of them loses alone, at the same pixels.
  @Test func jointTracesEqualSeparateOnes() throws {
    for seed in 0..<60 {
      var generator = SeededGenerator(seed: (4 << 32) + UInt64(seed))
      let source = RandomGraph.picture(depth: 1, using: &generator)
      var pipeline: [(name: String, picture: Picture)] = [("source", source)]
      for step in 1...5 {
        let picture = RandomGraph.step(
          after: pipeline[step - 1].picture, depth: 1, using: &generator)
        pipeline.append(("\(step)", step == 3 ? picture.fitted(into: .sRGB) : picture))
      }
      let found = try Picture.stepLosses(of: pipeline, storedAs: .float32)
      var known: Set<ColorLoss.Kind> = []
      for (index, step) in pipeline.dropFirst().enumerated() {
        let losses = try step.picture.colorLosses(storedAs: Float.self)
          .filter { !known.contains($0.kind) }
        let joint = found[index].losses.prefix(losses.count)
        #expect(joint.map(\.kind) == losses.map(\.kind), "seed \(seed), \(index)")
        // Of two inputs that lose the same, either may come first.
        for (one, other) in zip(joint, losses) where one.step == other.step {
          #expect("\(one.before) \(one.after)" == "\(other.before) \(other.after)")
        }
        known.formUnion(found[index].losses.map(\.kind))
      }
    }
  }
}

private final class Log: Sendable { let pixels = Mutex(0) }

/// Keeps each pixel, and counts them.
private struct Counted: AreaFilter {
  let log: Log

  func inputRegion(for output: Region, of input: PixelSize) -> Region { output }

  func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    log.pixels.withLock { $0 += 1 }
    return read(x, y)
  }

  static func == (a: Counted, b: Counted) -> Bool { a.log === b.log }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(log)) }
}
