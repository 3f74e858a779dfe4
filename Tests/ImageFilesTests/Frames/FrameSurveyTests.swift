import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// The pixels of frames that show in the wanted one are limited, and those of other frames do not count.
@Suite struct FrameSurveyTests {
  private func error(_ bytes: [UInt8], page: Int, _ limits: FileLimits) -> ImageFileError? {
    do throws(ImageFileError) {
      _ = try ImageFile.read(bytes: bytes, page: page, limits: limits)
      return nil
    } catch { return error }
  }

  @Test func drawnPixelsOfGIFAreLimited() throws {
    let (width, height, count) = (200, 150, 60)
    // Each frame is packed once.
    func gif(_ frames: (Int) -> TestGIF.Frame) throws -> [UInt8] {
      var (gif, packed) = (TestGIF(width: width, height: height, []), [Int: [UInt8]]())
      let header = gif.bytesBeforeTrailer.count
      for number in 1...count {
        let frame = frames(number)
        let key = frame.disposal << 16 | frame.width
        if packed[key] == nil {
          let single = TestGIF(width: width, height: height, [frame])
          packed[key] = Array(single.bytesBeforeTrailer.dropFirst(header))
        }
        gif.blocks.append(.bytes(packed[key] ?? []))
      }
      let bytes = gif.bytes
      try #require(bytes.count * 64 < (width - 1) * height * count)
      return bytes
    }
    func filled(_ index: Int = 1, inset: Int = 0, disposal: Int = 1) -> TestGIF.Frame {
      .filled(
        index, width: width - inset, height: height, disposal: disposal, transparentIndex: 0)
    }
    let limits = FileLimits(pixels: width * height)
    func error(_ bytes: [UInt8], page: Int) -> ImageFileError? {
      self.error(bytes, page: page, limits)
    }
    let layers = try gif { _ in filled() }
    let limit = max(limits.pixels, 64 * layers.count)
    let allowed = limit / (width * height)
    #expect(error(layers, page: allowed) == nil)
    let refusal = ImageFileError.tooManyDrawnPixels(
      file: "data", frame: allowed + 1, (allowed + 1) * width * height, limit: limit)
    #expect(error(layers, page: allowed + 1) == refusal)
    #expect(
      refusal.finding
        == "To compose frame \(allowed + 1) of “data”, \((allowed + 1) * width * height) "
        + "pixels of frames are drawn; the limit is \(limit).")
    // Each of these hides, clears or leaves unchanged what is before it.
    for frame in [
      filled(disposal: 2), filled(disposal: 3), filled(inset: 1, disposal: 3),
      .filled(1, width: width, height: height, disposal: 1),
    ] {
      #expect(error(try gif { _ in frame }, page: count) == nil, "disposal \(frame.disposal)")
    }
    #expect(
      error(try gif { $0 == count - 9 ? filled(disposal: 2) : filled() }, page: count) == nil)
    // Frames that are cleared in part take time, too.
    let cleared = try gif { $0 == 1 ? filled() : filled(inset: 1, disposal: 2) }
    guard case .tooManyDrawnPixels = error(cleared, page: count) else {
      throw Failure("\(error(cleared, page: count) as Any)")
    }
  }

  @Test func drawnPixelsOfPNGAreLimited() throws {
    let size = 200
    // A frame of so many bytes, whatever its size: its data end early, which only drawing it finds out.
    var layer = TestAPNG.Frame.filled([0, 0, 0, 0], width: 1, height: 1, blending: 1)
    (layer.width, layer.height) = (size, size)
    var hidden = layer
    hidden.disposal = 2
    var last = TestAPNG.Frame.filled([1, 2, 3, 255], width: 1, height: 1, blending: 1)
    let first = TestAPNG.Frame.filled([9, 9, 9, 255], width: size, height: size)
    let limits = FileLimits(pixels: size * size)
    func reason(_ layer: TestAPNG.Frame) -> String {
      let frames = [first] + [TestAPNG.Frame](repeating: layer, count: 400) + [last]
      let bytes = TestAPNG(width: size, height: size, frames).bytes
      return error(bytes, page: 402, limits)?.finding ?? "none"
    }
    #expect(
      reason(layer).contains(
        "To compose frame 402 of “data”, \(401 * size * size + 1) pixels of frames are drawn; the limit is"
      ))
    #expect(reason(hidden) == "none")
    last = .filled([1, 2, 3, 255], width: size, height: size)
    #expect(reason(layer) == "none")
  }
}
