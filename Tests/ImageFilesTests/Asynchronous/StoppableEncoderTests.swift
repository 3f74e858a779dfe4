import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Synchronization
import Testing
import _TestSupport

/// Cancellation while an encoder works after the last row.
@Suite struct StoppableEncoderTests {
  /// Is not cancelled before the last row and when the rendering asks after it, but at the next question, which the encoder asks.
  private final class Cancellation: Sendable {
    private let state = Mutex((isRendered: false, asked: 0))

    @Sendable func progress(_ fraction: Double) {
      if fraction == 1 { state.withLock { $0.isRendered = true } }
    }

    @Sendable func isCancelled() -> Bool {
      state.withLock { state in
        if state.isRendered { state.asked += 1 }
        return state.asked > 1
      }
    }

    var options: RenderOptions {
      var options = RenderOptions()
      (options.threads, options.progress, options.isCancelled) = (1, progress, isCancelled)
      return options
    }
  }

  private let picture = Picture(
    TestPictures.codes(as: UInt8.self, PixelSize(64, 48), in: .displayP3, channels: .rgb))

  /// libjpeg encodes all scans of a progressive file after the last row.
  @Test func cancellingEndsTheEncoderAfterTheLastRow() throws {
    let forms: [(ImageFileFormat, WritingOptions)] = [
      (.jpeg, WritingOptions(isProgressive: true)),
      (.jpeg, WritingOptions(isProgressive: true, maximumBytes: 1 << 20)),
      (.png, WritingOptions(maximumBytes: 1 << 20)),
      (.png, WritingOptions(paletteColors: 16)),
    ]
    for (format, writing) in forms {
      #expect(throws: ImageFileError.rendering(.cancelled), "\(format), \(writing)") {
        try picture.encoded(
          as: format, samples: .uint8, options: Cancellation().options, writing: writing)
      }
    }
  }

  @Test func cancelledEncodersLeaveNoFile() throws {
    let folder = try TemporaryFolder()
    let old = try picture.encoded(as: .jpeg)
    let path = folder.path("a.jpg")
    try Data(old).write(to: URL(filePath: path))
    #expect(throws: ImageFileError.rendering(.cancelled)) {
      try picture.write(
        to: path, options: Cancellation().options, writing: WritingOptions(isProgressive: true))
    }
    #expect(try Array(Data(contentsOf: URL(filePath: path))) == old)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")) == ["a.jpg"])
  }

  /// A rendering that can be cancelled and is not writes the same bytes.
  @Test func bytesAreThoseOfWorkThatCannotBeCancelled() throws {
    let writing = WritingOptions(isProgressive: true)
    var options = RenderOptions()
    options.isCancelled = { false }
    let bytes = try picture.encoded(as: .jpeg, writing: writing)
    #expect(try picture.encoded(as: .jpeg, options: options, writing: writing) == bytes)
  }
}
