import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

@Suite struct ExplanationTests {
  /// The last step is the stored pixel, for graphs of every kind.
  @Test func theLastStepIsThePixel() throws {
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
        // Stages in double precision here, in single there, after sums and quotients in single precision in both.
        let expected = Double(rendered[x, y, channel])
        #expect(abs(last.value[channel] - expected) < 1e-4 * max(1, abs(expected)), "seed \(seed)")
      }
    }
  }

  @Test func wideRedInNarrowSpace() throws {
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

  @Test func pixelsOutsideAreRefused() {
    let picture = Picture(TestPictures.floats(PixelSize(4, 4)))
    #expect(throws: RenderError.recipe(.outside(x: 4, y: 0, of: "4 × 4 at (0, 0)"))) {
      try picture.explain(x: 4, y: 0)
    }
  }

  @Test func reportsSayWhatPlansDo() throws {
    let source = Picture(TestPictures.floats(PixelSize(300, 200)))
    let picture = source.exposure(1).resized(to: .exact(100, 50))
      .applying(Mean(extent: .first), with: [source.inverted()])
    let report = try picture.planReport(as: UInt16.self)
    #expect(report.steps.first?.size == PixelSize(300, 200))
    #expect(report.steps.contains { $0.inputs.count == 2 })
    #expect(report.bytesRead == 300 * 200 * 16)
    #expect(report.bytesWritten >= 100 * 50 * 8)
    #expect(report.peakBytes > report.bytesWritten)
    #expect(report.dot.hasPrefix("digraph plan {") && report.dot.contains(" -> "))
    #expect(report.json.contains("\"peakBytes\": \(report.peakBytes)"))
    // What the report says suffices, and a byte less does not.
    var options = RenderOptions()
    options.memoryLimit = report.peakBytes
    #expect(try picture.render(as: UInt16.self, options: options).size == PixelSize(100, 50))
    options.memoryLimit = report.peakBytes - 1
    #expect(throws: RenderError.self) { try picture.render(as: UInt16.self, options: options) }
  }
}
