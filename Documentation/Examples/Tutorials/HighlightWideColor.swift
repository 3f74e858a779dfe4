import Colorloom
import Foundation
import ImageFiles
import Testing
import _TestSupport

// MARK: Step
func highlighted(_ frame: Bitmap<UInt8>) throws -> Bitmap<Float16> {
  let working = Picture(frame).converted(to: .sRGB)
  // MARK: Step
  let marked = working.gamutMask(outside: .sRGB)
  // MARK: Step
  return try marked.render(as: Float16.self)
}

// MARK: Step
func highlight(
  _ camera: AsyncStream<Bitmap<UInt8>>, show: (Bitmap<Float16>) -> Void
) async throws -> Int {
  let stream = FrameStream(camera, when: .dropOldest, as: Float16.self) {
    $0.converted(to: .sRGB).gamutMask(outside: .sRGB)
  }
  // MARK: Step
  for try await frame in stream { show(frame.bitmap) }
  return stream.counters.dropped
}
// MARK: End

/// The code of the tutorial about the live highlighter.
@Suite struct HighlightWideColor {
  private func frame(_ red: UInt8) -> Bitmap<UInt8> {
    Bitmap(PixelSize(64, 48), in: .displayP3, channels: .rgb) { x, _ in
      x < 32 ? [red, 0, 0] : [90, 90, 90]
    }
  }

  @Test func wideRedStaysAndGrayStaysGray() throws {
    let result = try highlighted(frame(255))
    #expect(result[0, 0, 0] > 1 && result[40, 0, 0] == result[40, 0, 1])
  }

  @Test func everyFrameIsShownOrDropped() async throws {
    let camera = AsyncStream<Bitmap<UInt8>> { frames in
      for red: UInt8 in 250...254 { frames.yield(frame(red)) }
      frames.finish()
    }
    var shown = 0
    let dropped = try await highlight(camera) { frame in
      shown += 1
      #expect(frame[0, 0, 0] > 1)
    }
    #expect(shown > 0 && shown + dropped == 5)
  }
}
