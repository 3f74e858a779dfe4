import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import Synchronization
import Testing
import _TestSupport

@Suite struct ExplanationTests {
  /// The last step is the encoded pixel, for graphs of every kind.
  @Test func lastStepEqualsTheRenderedPixel() throws {
    for seed in 0..<60 {
      var generator = SeededGenerator(seed: UInt64(2000 + seed))
      let picture = RandomGraph.picture(depth: 4, using: &generator)
      let rendered = try picture.render(as: Float.self)
      let (x, y) = (
        Int.random(in: 0..<picture.size.width, using: &generator),
        Int.random(in: 0..<picture.size.height, using: &generator)
      )
      let last = try #require(
        try picture.explain(x: x + picture.region.x, y: y + picture.region.y).steps.last)
      for channel in 0..<3 where rendered.channels == .rgb || rendered[x, y, 3] > 1e-3 {
        // Stages in double precision here, in single precision there, after sums and quotients in single precision in
        // both.
        let expected = Double(rendered[x, y, channel])
        #expect(abs(last.value[channel] - expected) < 1e-4 * max(1, abs(expected)), "seed \(seed)")
      }
    }
  }

  /// Each step shows the pixel at its position in the step's own picture, whatever positions later steps read.
  @Test func everyStepEqualsAPixelOfItsPicture() throws {
    for seed in 0..<60 {
      var generator = SeededGenerator(seed: UInt64(7000 + seed))
      func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
      var picture = RandomGraph.picture(depth: 2, using: &generator)
      let twin = picture.moved(by: Offset(number(-5...5), number(-5...5))).exposure(1)
      picture = picture.applying(Mean(extent: .union), with: [twin, picture.applying(Slope())])
      picture = RandomGraph.step(after: picture, depth: 1, using: &generator)
      let region = picture.region
      let explanation = try picture.explain(
        x: number(region.x...region.x + region.width - 1),
        y: number(region.y...region.y + region.height - 1))
      for step in explanation.steps {
        guard let whole = step.picture else { continue }
        let expected = try ReferenceEvaluator().numbers(of: whole, at: step.position)
        for channel in 0..<4 where step.isPremultiplied || abs(expected.w) > 1e-3 {
          // Single precision here, double there, as above.
          let allowed = 1e-4 * max(1, abs(expected[channel]))
          #expect(
            abs(step.value[channel] - expected[channel]) < allowed, "seed \(seed), \(step.name)")
        }
      }
    }
  }

  /// Steps that depend on the position of a pixel are evaluated at that position, in double precision too.
  @Test func stepsUseTheirPosition() throws {
    let picture = Picture(TestPictures.floats(PixelSize(40, 20))).applying(Slope())
      .moved(by: Offset(3, -2))
    let rendered = try picture.render(as: Float.self)
    let last = try #require(try picture.explain(x: 20, y: 9).steps.last)
    let reference = try ReferenceEvaluator().render(picture)
    for channel in 0..<3 {
      // One sum in single precision.
      #expect(abs(last.value[channel] - Double(rendered[17, 11, channel])) < 1e-6)
      #expect(abs(last.value[channel] - reference[17, 11][channel]) < 1e-6)
    }
  }

  /// With displacements by all powers of two, each step before needs twice as many positions.
  @Test func tooManyPositionsAreNotExplained() {
    let picture = (0..<40).reduce(Picture(Ramp(), in: .sRGB)) { picture, step in
      picture.applying(
        Mean(extent: .union), with: [picture.moved(by: Offset(1 << step % 30, step))])
    }
    #expect(throws: RenderError.self) { try picture.explain(x: 0, y: 0) }
  }

  /// Pictures of infinite extent keep their translation.
  @Test func infinitePicturesMove() throws {
    let ramp = Picture(Ramp(), in: .sRGB)
    let mean = ramp.applying(Mean(extent: .union), with: [ramp.moved(by: Offset(8, -4))])
    let region = Region(x: -9, y: 5, width: 20, height: 10)
    let bitmap = try mean.cropped(to: region).render(as: Float.self)
    let pixel = try ReferenceEvaluator().render(mean.cropped(to: region))
    #expect(mean.plan.contains("move by (8, -4)"))
    // Row 9, column 3: means of 3 and 27, of 9 and 13 steps of 32.
    for (channel, light) in [15.0 / 32, 11.0 / 32].enumerated() {
      let expected = ColorSpace.sRGB.transfer.encode(light)
      #expect(abs(Double(bitmap[12, 4, channel]) - expected) < 1e-5)
      #expect(abs(pixel[12, 4][channel] - expected) < 1e-5)
    }
  }

  @Test func wideRedIsNegativeInANarrowSpace() throws {
    let red = Bitmap<Float>(PixelSize(3, 2), in: .displayP3, channels: .rgb) { _, _ in [1, 0, 0] }
    let steps = try Picture(red).converted(to: .sRGB).explain(x: 1, y: 1).steps
    #expect(
      steps.map(\.name) == [
        "load 3 × 2 float32 rgb in Display P3", "decode sRGB", "matrix", "encode sRGB",
      ])
    #expect(steps[3].isBelowRange && steps[3].isAboveRange)
    #expect(!steps[0].isBelowRange && !steps[0].isAboveRange)
    #expect(
      "\(steps[3])".contains("(1.09307, -0.22674, -0.15013, 1.0) encoded sRGB, below 0, above 1"))
  }

  /// The name of the space says already that its values are linear.
  @Test func linearSpacesAreCalledLinearOnce() throws {
    let scene = TestPictures.floats(PixelSize(3, 2), in: .linearSRGB)
    let blurred = Picture(scene).blurred(sigma: 1)
    let lines = try blurred.explain(x: 1, y: 1).steps.map(\.description)
    #expect(lines[0].contains(") linear sRGB") && lines[1].contains(") premultiplied linear sRGB"))
    let report = "\(try blurred.planReport(as: Float.self))"
    #expect(report.contains("3 × 2, linear sRGB, premultiplied"), "\(report)")
    #expect(!report.contains("linear linear"), "\(report)")
    let encoded = try Picture(scene).converted(to: .sRGB).explain(x: 1, y: 1).steps
    #expect(encoded.last?.description.contains(") encoded sRGB") == true)
  }

  /// Each stage of a program is reported in its own space and encoding, however many conversions were merged.
  @Test func stagesAreNamedInTheirSpace() throws {
    let source = Picture(TestPictures.codes(as: UInt16.self, in: .displayP3))
    let curve = try CubicCurve(through: [[0, 0], [0.5, 0.6], [1, 1]])
    let picture = source.fitted(into: .sRGB, by: .clipped).toneCurve(curve).converted(to: .rec2020)
      .converted(to: .displayP3)
    let steps = try picture.explain(x: 3, y: 3).steps
    #expect(
      steps.map { "\($0.encoding) \($0.space)" } == [
        "encoded Display P3", "linear Display P3", "linear sRGB", "encoded sRGB", "encoded sRGB",
        "linear sRGB", "perceptual sRGB", "perceptual sRGB", "linear sRGB", "linear Display P3",
        "encoded Display P3",
      ])
    #expect(steps[4].description.contains("encoded sRGB") && steps[4].name == "clamp 0…1")
    #expect(steps[7].name == "tone curves")
    // The value, interpreted in its space and encoding, is the same color throughout: conversions change none.
    func color(_ step: Explanation.Step) -> SIMD3<Double> {
      let space = step.encoding == "linear" ? step.space.linear : step.space
      return ColorPoint(SIMD3(step.value.x, step.value.y, step.value.z), in: space)
        .converted(to: .linearSRGB).components
    }
    for (first, last) in [(0, 3), (4, 5), (8, 10)] {
      for step in first...last {
        let difference = color(steps[step]) - color(steps[first])
        #expect((difference * difference).sum() < 1e-10, "\(steps[step])")
      }
    }
  }

  /// The steps of an explanation are those of the plan: a line of a plan is a step, or a step for each of its stages.
  @Test func stepsEqualThePlan() throws {
    let source = Picture(TestPictures.codes(as: UInt16.self, in: .displayP3))
    let pictures = [
      source.exposure(1).tagged(as: .sRGB).exposure(1).boxBlurred(radius: 1).stored(as: .uint8),
      source.converted(to: .oklab).boxBlurred(radius: 1).converted(to: .oklch),
      source.tagged(as: .adobeRGB).cropped(to: Region(x: 2, y: 3, width: 9, height: 9)),
    ]
    for picture in pictures {
      let names = try picture.explain(x: picture.region.x + 4, y: picture.region.y + 4).steps
        .map(\.name)
      let lines = picture.plan.split(separator: "\n").map(String.init)
      #expect(names.joined(separator: " → ") == lines.joined(separator: " → "))
    }
    let oklab = try pictures[1].explain(x: 4, y: 4)
    #expect(oklab.steps.last?.encoding == "encoded" && oklab.steps.last?.space == .oklch)
    let tagged = try pictures[2].explain(x: 5, y: 6)
    #expect(tagged.steps.map(\.space) == [.displayP3, .adobeRGB])
  }

  /// Also at an edge, where neighbors are missing, the pixel in the middle of a neighborhood is followed.
  @Test func explanationsFollowThePixelAtEdges() throws {
    let codes = TestPictures.codes(as: UInt8.self, PixelSize(12, 9), in: .sRGB, channels: .rgb)
    let source = Picture(codes)
    let pictures = [
      source.boxBlurred(radius: 1), source.blurred(sigma: 1), source.median(radius: 2),
      source.blurred(sigma: 6),
    ]
    for picture in pictures {
      for (x, y) in [(0, 0), (11, 8), (3, 0), (1, 7), (5, 4)] {
        let first = try #require(try picture.explain(x: x, y: y).steps.first)
        for channel in 0..<3 {
          #expect(abs(first.value[channel] - Double(codes[x, y, channel]) / 255) < 1e-6)
        }
      }
    }
  }

  /// A filter that computes in an encoding of its own names it.
  @Test func encodingsOfFiltersAreNamed() throws {
    let source = Picture(TestPictures.floats(PixelSize(4, 4), in: .sRGB, channels: .rgb))
    let curve = try CubicCurve(through: [[0, 0], [0.5, 0.6], [1, 1]])
    let filter = ToneCurves(red: curve, green: curve, blue: curve, over: .encoded(.pq))
    let steps = try source.applying(filter).explain(x: 1, y: 1).steps
    let curves = try #require(steps.first { $0.name == "tone curves" })
    #expect(curves.encoding == "encoded as \(TransferFunction.pq)")
    #expect(steps.last?.encoding == "encoded")
  }

  @Test func pixelsOutsideAreRefused() {
    let picture = Picture(TestPictures.floats(PixelSize(4, 4)))
    #expect(throws: RenderError.recipe(.outside(x: 4, y: 0, of: "4 × 4 at (0, 0)"))) {
      try picture.explain(x: 4, y: 0)
    }
    for far in [Int.min, .max] {
      #expect(throws: RenderError.recipe(.outside(x: far, y: far, of: "4 × 4 at (0, 0)"))) {
        try picture.explain(x: far, y: far)
      }
    }
  }

  @Test func reportsDescribeThePlan() throws {
    let source = Picture(TestPictures.floats(PixelSize(300, 200)))
    let picture = source.exposure(1).resized(to: .exact(100, 50))
      .applying(Mean(extent: .first), with: [source.inverted()])
    var options = RenderOptions()
    options.threads = 2
    let report = try picture.planReport(as: UInt16.self, options: options)
    #expect(report.steps.first?.size == PixelSize(300, 200))
    #expect(report.steps.contains { $0.inputs.count == 2 })
    #expect(report.bytesRead == 300 * 200 * 16)
    #expect(report.bytesWritten >= 100 * 50 * 8)
    #expect(report.peakBytes > report.bytesWritten)
    // The reported memory is sufficient, and a byte less is not.
    options.memoryLimit = report.peakBytes
    #expect(try picture.render(as: UInt16.self, options: options).size == PixelSize(100, 50))
    options.memoryLimit = report.peakBytes - 1
    #expect(throws: RenderError.self) { try picture.render(as: UInt16.self, options: options) }
  }

  /// A crop is pushed to the source: no step computes, and no source is read for, more than remains.
  @Test func reportsStateTheNeededRegions() throws {
    let source = Picture(TestPictures.floats(PixelSize(300, 200)))
    let part = Region(x: 20, y: 150, width: 40, height: 30)
    var options = RenderOptions()
    options.tile = PixelSize(16, 10)
    let report = try source.blurred(sigma: 1).exposure(1).cropped(to: part)
      .planReport(as: UInt8.self, options: options)
    let read = try #require(report.steps.first)
    #expect(read.size == PixelSize(300, 200))
    // The blur reads some pixels beyond.
    #expect(read.region.size == PixelSize(40 + read.tile.width - 16, 30 + read.tile.height - 10))
    #expect(report.bytesRead == read.region.size.pixelCount * 16)
    #expect(report.bytesWritten >= part.size.pixelCount * 3)
    let last = try #require(report.steps.last)
    #expect(last.tile == PixelSize(16, 10) && report.tileCount == 9)
    #expect(last.bytes == 0, "What is stored at once needs no memory.")
    for step in report.steps { #expect(step.region.size.pixelCount < 80 * 70, "\(step.name)") }
  }

  /// The order of results changes neither tiles nor memory: the largest one is tiled.
  @Test(arguments: [false, true]) func largestResultIsTiled(inBands: Bool) throws {
    let photo = Picture(TestPictures.floats(PixelSize(700, 1200)))
    let pictures = [
      photo.cropped(to: Region(x: 100, y: 20, width: 64, height: 64)), photo.blurred(sigma: 4),
    ]
    let reports = try [pictures, pictures.reversed()].map {
      try Picture.planReport($0, as: UInt8.self, inBands: inBands)
    }
    #expect(reports[0].tile == reports[1].tile && reports[0].tileCount == reports[1].tileCount)
    #expect(reports[0].tileCount > 4)
    #expect(reports[0].peakBytes == reports[1].peakBytes)
  }

  /// A plan with a measurement reports it and its cost, without measuring.
  @Test func reportsMeasureNothing() throws {
    let photo = Picture(TestPictures.floats(PixelSize(300, 200)))
    let counter = Counter()
    let picture = photo.resized(to: .exact(30, 20)).inverted()
    let measuring = picture.applying(measuring: Counted(counter: counter), in: .linear) {
      _, picture in
      picture.exposure(1)
    }
    let report = try measuring.planReport(as: UInt8.self)
    #expect(counter.count == 0)
    #expect(report.steps.contains { $0.name.contains("after measuring") })
    // The source is read for the measurement, and for the picture.
    #expect(report.bytesRead == 2 * 300 * 200 * 16)
    _ = try measuring.render(as: UInt8.self)
    #expect(counter.count == 30 * 20)
    #expect(try measuring.planReport(as: UInt8.self).bytesRead == 300 * 200 * 16)
  }

  private final class Counter: Sendable {
    private let pixels = Mutex(0)
    var count: Int { pixels.withLock { $0 } }
    func add() { pixels.withLock { $0 += 1 } }
  }

  private struct Counted: Reduction {
    let counter: Counter

    func start(in space: ColorSpace) -> Int { 0 }
    func add(_ pixel: SIMD4<Float>, to state: inout Int) { counter.add() }

    static func == (a: Counted, b: Counted) -> Bool { a.counter === b.counter }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(counter)) }
  }

  @Test func reportsAreJSONAndGraphs() throws {
    let source = Picture(TestPictures.floats(PixelSize(30, 20)))
    let report = try source.exposure(1).resized(to: .exact(10, 5))
      .applying(Mean(extent: .first), with: [source.inverted()]).planReport(as: UInt16.self)
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])
    for (name, number) in [
      ("peakBytes", report.peakBytes), ("bytesRead", report.bytesRead),
      ("bytesWritten", report.bytesWritten), ("tiles", report.tileCount),
      ("threads", report.threads),
    ] { #expect(json[name] as? Int == number, "\(name)") }
    #expect(
      json["tile"] as? [String: Int] == ["width": report.tile.width, "height": report.tile.height])
    let steps = try #require(json["steps"] as? [[String: Any]])
    #expect(steps.count == report.steps.count)
    let dot = report.dot.split(separator: "\n")
    #expect(dot.first == "digraph plan {" && dot.last == "}")
    for (index, (value, step)) in zip(steps, report.steps).enumerated() {
      #expect(value["name"] as? String == step.name)
      #expect(value["inputs"] as? [Int] == step.inputs)
      #expect(value["space"] as? String == step.space)
      #expect(value["encoding"] as? String == step.encoding)
      #expect(value["alpha"] as? Bool == step.hasAlpha)
      #expect(value["premultiplied"] as? Bool == step.isPremultiplied)
      #expect(value["bytes"] as? Int == step.bytes)
      #expect(
        value["tile"] as? [String: Int] == ["width": step.tile.width, "height": step.tile.height])
      let region = step.region
      #expect(
        value["region"] as? [String: Int] == [
          "x": region.x, "y": region.y, "width": region.width, "height": region.height,
        ])
      #expect(dot.contains { $0.hasPrefix("  \(index) [label=\"\(step.name)\\n") })
      for input in step.inputs { #expect(dot.contains("  \(input) -> \(index);")) }
      #expect(report.description.contains("\(index + 1): \(step.name)"))
    }
  }
}

/// Adds more to the right and down, by values that depend on the position alone.
private struct Slope: PointFilter {
  var domain: PixelDomain { .encoded }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.rows("slope") { strip in
      for i in strip.indices { strip.red[i] += Float((strip.x + i) & 31 + 2 * (strip.y & 31)) / 64 }
    }
  }
}
