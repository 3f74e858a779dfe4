import ColorSpaces
import ColorloomTool
import Dispatch
import Foundation
import ImageBuffer
import ImageFiles
import Synchronization
import Testing
import _TestSupport

/// Frames are read and written while others are rendered.
@Suite struct StreamOverlapTests {
  private let folder: TemporaryFolder
  /// A frame has more bytes than a pipe holds.
  private static let format = VideoFormat(PixelSize(1024, 1024), .planes(.full, bits: 8))

  init() throws { folder = try TemporaryFolder() }

  private static let frames = [UInt8(40), 90, 200].map {
    Data(repeating: $0, count: format.frameBytes)
  }

  /// A decoder can write its second frame while nobody has taken the first result. The time bounds how long a failure takes; no success
  /// depends on it.
  @Test(arguments: [[], ["--exposure", "1"]])
  func decodersNeedNotWaitForTheResult(steps: [String]) throws {
    let (input, output) = (folder.path("in.pipe"), folder.path("out.pipe"))
    for pipe in [input, output] { try #require(mkfifo(pipe, 0o600) == 0) }
    let (areWritten, isRead) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      let file = FileHandle(forWritingAtPath: input)
      for frame in Self.frames[..<2] { try? file?.write(contentsOf: frame) }
      areWritten.signal()
      try? file?.close()
    }
    let result = folder.path("out.yuv")
    Thread.detachNewThread {
      let file = FileHandle(forReadingAtPath: output)
      if areWritten.wait(timeout: .now() + 60) == .success {
        try? file?.readToEnd()?.write(to: URL(filePath: result))
      }
      try? file?.close()
      isRead.signal()
    }
    let words = ["--raw", "yuv444p", "--size", "1024x1024", "--bare", "--threads", "2"] + steps
    let transcript = run(["stream", input, output] + words)
    isRead.wait()
    #expect(transcript.status == .done, "\(transcript.errors)")
    #expect(try Data(contentsOf: URL(filePath: result)).count == 2 * Self.format.frameBytes)
  }

  /// The device /dev/full takes no byte, and the camera gives no second frame until the stream has ended. The time bounds how long a failure
  /// takes; no success depends on it.
  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
    arguments: [[], ["--exposure", "1"]])
  func noFrameIsAwaitedForAnOutputThatFailed(steps: [String]) throws {
    let camera = folder.path("camera.pipe")
    try #require(mkfifo(camera, 0o600) == 0)
    let file = try #require(FileHandle(forUpdatingAtPath: camera))
    // A pipe holds it.
    try file.write(contentsOf: Data(repeating: 90, count: 64 * 64 * 3))
    let (hasEnded, isClosed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let isInTime = Atomic(false)
    Thread.detachNewThread {
      let result = hasEnded.wait(timeout: .now() + 60)
      isInTime.store(result == .success, ordering: .relaxed)
      try? file.close()
      isClosed.signal()
    }
    let words = ["--raw", "yuv444p", "--size", "64x64", "--bare", "--threads", "2"] + steps
    let transcript = run(["stream", camera, "/dev/full"] + words)
    hasEnded.signal()
    isClosed.wait()
    let wasInTime = isInTime.load(ordering: .relaxed)
    #expect(wasInTime)
    #expect(transcript.status == .failed && transcript.complaint.contains("/dev/full"))
  }

  /// One thread reads, renders and writes in turn. The bytes are the same.
  @Test(arguments: [[], ["--exposure", "1"], ["--as", "yuv444p10le"]])
  func bytesDoNotDependOnOverlap(steps: [String]) throws {
    let (input, output) = (folder.path("in.yuv"), folder.path("out.yuv"))
    try Self.frames.reduce(Data(), +).write(to: URL(filePath: input))
    let words = ["--raw", "yuv444p", "--size", "1024x1024", "--bare"] + steps
    func bytes(_ more: [String]) throws -> Data {
      #expect(run(["stream", input, output] + words + more).status == .done)
      return try Data(contentsOf: URL(filePath: output))
    }
    for frames in [["--frames", "2"], []] {
      let (alone, together) = try (
        bytes(["--threads", "1"] + frames), bytes(["--threads", "3"] + frames)
      )
      #expect(alone == together && !alone.isEmpty)
    }
  }
}
