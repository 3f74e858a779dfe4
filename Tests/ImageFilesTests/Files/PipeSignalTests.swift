import ColorSpaces
import Foundation
import ImageBuffer
import ImageFiles
import Testing

/// A picture or a frame for a pipe whose reader has left is an error, not the end of the process.
@Suite struct PipeSignalTests {
  /// The signal of a write is that of its thread. Here it is blocked before, so that it would stay pending.
  @Test func aPipeWithoutAReaderIsAnErrorAndLeavesNoSignal() async throws {
    let (errors, isPending): ([ImageFileError?], Bool) = try await withCheckedThrowingContinuation {
      continuation in
      Thread.detachNewThread {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        continuation.resume(
          with: Result {
            let errors = [try Self.errorOfFrame(), try Self.errorOfPicture()]
            sigpending(&signals)
            return (errors, sigismember(&signals, SIGPIPE) == 1)
          })
      }
    }
    #expect(errors.count == 2)
    for error in errors {
      guard case .cannotWrite = error else {
        Issue.record("\(error as Any)")
        continue
      }
    }
    #expect(!isPending)
  }

  /// Returns the error of a frame after the reader of a pipe has left.
  private static func errorOfFrame() throws -> ImageFileError? {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let size = PixelSize(4, 2)
    let writer = try VideoWriter("/dev/fd/\(ends[1])", VideoFormat(size))
    for end in ends { close(end) }
    return error { () throws(ImageFileError) in
      try writer.write(Bitmap<UInt16>(size, in: .rec709, channels: .rgb) { _, _ in [0, 0, 0] })
    }
  }

  /// Returns the error of a picture of more bytes than a pipe holds, whose reader leaves after the first one.
  private static func errorOfPicture() throws -> ImageFileError? {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { close(ends[1]) }
    let reader = ends[0]
    Thread.detachNewThread {
      var first: UInt8 = 0
      _ = read(reader, &first, 1)
      close(reader)
    }
    var random = SystemRandomNumberGenerator()
    let noise = Bitmap<UInt8>(PixelSize(512, 512), in: .sRGB, channels: .rgb) { _, _ in
      [UInt8.random(in: 0...255, using: &random), 0, UInt8.random(in: 0...255, using: &random)]
    }
    let path = "/dev/fd/\(ends[1])"
    return error { () throws(ImageFileError) in
      try ImageFile.write(AnyBitmap(noise), to: path, as: .png)
    }
  }

  private static func error(
    of write: () throws(ImageFileError) -> Void
  ) -> ImageFileError? {
    do throws(ImageFileError) {
      try write()
      return nil
    } catch {
      return error
    }
  }
}
