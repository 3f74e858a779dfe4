import FilterGraph
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Cancellation while a frame is composed of those before it, all of which happens within the first row that is read.
@Suite struct FrameStopTests {
  private static let size = PixelSize(40, 4)
  /// So many frames show in the last one.
  private static let count = 300
  private static let limit = 200

  /// Renders a frame, and stops after the limit of questions.
  private func expectStop(
    _ file: [UInt8], page: Int, _ comment: Comment, location: SourceLocation = #_sourceLocation
  ) throws {
    let picture = try Picture(bytes: file, page: page)
    let questions = Questions(limit: Self.limit)
    var options = RenderOptions()
    (options.threads, options.isCancelled) = (1, questions.ask)
    #expect(throws: RenderError.cancelled, comment, sourceLocation: location) {
      try picture.render(as: UInt8.self, options: options)
    }
    #expect(questions.count <= Self.limit + 10, comment, sourceLocation: location)
    // A stop is no damage: the next rendering composes the frame anew.
    #expect(throws: Never.self, comment, sourceLocation: location) {
      try picture.render(as: UInt8.self)
    }
  }

  @Test func cancellingEndsTheFrameOfGIFThatIsDrawn() throws {
    let (width, height) = (Self.size.width, Self.size.height)
    let layers = (1..<Self.count).map {
      TestGIF.Frame.filled($0 % 4, x: $0 % 36, width: 4, height: 1, disposal: $0 % 3)
    }
    let first = TestGIF.Frame.filled(1, width: width, height: height, disposal: 1)
    try expectStop(
      TestGIF(width: width, height: height, [first] + layers).bytes, page: Self.count,
      "many frames")
    var tall = TestGIF.Frame(width: width, height: 512) { x, y in (x + y) % 4 }
    tall.isInterlaced = true
    try expectStop(TestGIF(width: width, height: 512, [tall]).bytes, page: 1, "one frame")
  }

  @Test func cancellingEndsTheFrameOfPNGThatIsDrawn() throws {
    let (width, height) = (Self.size.width, Self.size.height)
    let layers = (1..<Self.count).map {
      TestAPNG.Frame.filled([9, 8, 7, 100], x: $0 % 36, width: 4, height: 1, blending: 1)
    }
    let first = TestAPNG.Frame.filled([1, 2, 3, 255], width: width, height: height)
    try expectStop(
      TestAPNG(width: width, height: height, [first] + layers).bytes, page: Self.count,
      "many frames")
    let tall = TestAPNG.Frame.filled([1, 2, 3, 90], width: width, height: 512, blending: 1)
    try expectStop(TestAPNG(width: width, height: 512, [tall, tall]).bytes, page: 2, "one frame")
  }

  #if WebP
    /// libwebp decodes a frame in one call, so rendering stops between frames.
    @Test func cancellingEndsTheFrameOfWebPThatIsDrawn() throws {
      let (width, height) = (Self.size.width, Self.size.height)
      let layer = try TestWebP.Frame.filled([9, 8, 7, 255], width: 4, height: 2)
      let first = try TestWebP.Frame.filled([1, 2, 3, 255], width: width, height: height)
      let layers = (1..<Self.count).map { index in
        var layer = layer
        layer.x = index % 18 * 2
        return layer
      }
      try expectStop(
        TestWebP(width: width, height: height, [first] + layers).bytes, page: Self.count,
        "many frames")
    }
  #endif
}
