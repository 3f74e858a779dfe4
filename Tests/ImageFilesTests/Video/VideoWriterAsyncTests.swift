import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import PlatformLibc
import Testing
import _TestSupport

/// Frames that tasks write without blocking a thread of Swift's pool. A time limit ends waits that should have ended; it decides nothing
/// else.
@Suite(.timeLimit(.minutes(30))) struct VideoWriterAsyncTests {
  private let folder: TemporaryFolder
  /// Grays whose codes are those of their pictures. A frame has more bytes than a pipe holds, also with pages of 64 KiB.
  private static let format = VideoFormat(
    PixelSize(1024, 1040), .gray(bits: 8), isFullRange: true)

  init() throws { folder = try TemporaryFolder() }

  private static func picture(_ code: UInt8) -> Picture {
    let value = Double(code) / 255
    return Picture.constant(ColorPoint(value, value, value, in: .rec709), in: .rec709)
      .cropped(to: Region(format.size))
  }

  private static func samples(of codes: [UInt8]) -> Data {
    codes.reduce(Data()) { $0 + Data(repeating: $1, count: format.frameBytes) }
  }

  /// An actor that owns a writer, so that calls of several tasks can overlap.
  private actor Recorder {
    private let writer: VideoWriter
    /// The codes of the frames in the order of the calls.
    private(set) var codes: [UInt8] = []

    init(_ path: String) throws {
      writer = try VideoWriter(path, VideoWriterAsyncTests.format, isBare: true)
    }

    func add(_ code: UInt8) async throws {
      codes.append(code)
      try await writer.write(VideoWriterAsyncTests.picture(code))
    }

    /// What is not asynchronous takes the forms that block.
    func addBlocking(_ code: UInt8) throws {
      try writer.write(VideoWriterAsyncTests.picture(code))
    }

    func finishBlocking() throws { try writer.finish() }

    func finish() async throws { try await writer.finish() }
  }

  /// A pipe that stays open, and that nobody reads unless the test does.
  private func pipe(_ name: String = "out.pipe") throws -> (path: String, file: FileHandle) {
    let path = folder.path(name)
    try #require(mkfifo(path, 0o600) == 0)
    return (path, try #require(FileHandle(forUpdatingAtPath: path)))
  }

  /// Waits until a pipe holds bytes: its writer waits for a reader then, or is about to.
  private static func filled(_ file: FileHandle) async {
    func holdsBytes() -> Bool {
      var pipe = pollfd(fd: file.fileDescriptor, events: Int16(POLLIN), revents: 0)
      return poll(&pipe, 1, 0) > 0
    }
    while !holdsBytes() { await Task.yield() }
  }

  /// Reads the bytes of some frames, on a thread that is none of Swift's pool.
  private static func frames(_ count: Int, from file: FileHandle) async throws -> Data {
    try await RenderQueue.withoutSlot {
      Result {
        var bytes = Data()
        while bytes.count < count * format.frameBytes {
          let part = try file.read(upToCount: count * format.frameBytes - bytes.count)
          bytes += try #require(part)
        }
        return bytes
      }
    }.get()
  }

  @Test(arguments: [false, true]) func asynchronousFormsWriteTheSame(isBare: Bool) async throws {
    let format = VideoFormat(PixelSize(37, 22), .planes(.quarter, bits: 10))
    let bitmaps = [ColorSpace.displayP3, format.space(of: .rec709)].map { space in
      TestPictures.codes(as: UInt16.self, format.size, in: space, channels: .rgb)
    }
    func write(_ path: String) throws {
      let writer = try VideoWriter(path, format, isBare: isBare)
      for bitmap in bitmaps {
        try writer.write(bitmap)
        try writer.write(Picture(bitmap).inverted())
      }
      try writer.finish()
    }
    try write(folder.path("blocking"))
    let writer = try VideoWriter(folder.path("awaited"), format, isBare: isBare)
    for bitmap in bitmaps {
      try await writer.write(bitmap)
      try await writer.write(Picture(bitmap).inverted())
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("awaited")))
    try await writer.finish()
    let (one, other) = (folder.path("blocking"), folder.path("awaited"))
    #expect(try Data(contentsOf: URL(filePath: one)) == Data(contentsOf: URL(filePath: other)))
  }

  /// More writers wait for pipes than Swift's pool has threads, and than renderings may run. Others go on meanwhile.
  @Test func slowPipesHoldNoThreadAndNoTurn() async throws {
    let pipes = try (0..<ProcessInfo.processInfo.activeProcessorCount + 2).map {
      try pipe("\($0).pipe")
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (path, _) in pipes {
        group.addTask {
          let writer = try VideoWriter(path, Self.format, isBare: true)
          try await writer.write(Self.picture(7))
          try await writer.finish()
        }
      }
      for (_, file) in pipes { await Self.filled(file) }
      #expect(try await Self.picture(9).renderInBackground(as: UInt8.self)[0, 0, 0] == 9)
      for (_, file) in pipes {
        #expect(try await Self.frames(1, from: file) == Self.samples(of: [7]))
      }
      try await group.waitForAll()
    }
  }

  @Test func overlappingCallsWriteInTheirOrder() async throws {
    let path = folder.path("out.gray")
    let recorder = try Recorder(path)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for code in UInt8(0)..<24 { group.addTask { try await recorder.add(code) } }
      try await group.waitForAll()
    }
    try await recorder.finish()
    let codes = await recorder.codes
    #expect(codes.sorted() == Array(0..<24))
    #expect(try Data(contentsOf: URL(filePath: path)) == Self.samples(of: codes))
  }

  /// Whether a frame is on its way or waits for that one, canceling its task ends the wait. The output has whole frames.
  @Test func cancelingEndsTheWaitForAPipe() async throws {
    let (path, file) = try pipe()
    let recorder = try Recorder(path)
    let canceled = ImageFileError.rendering(.cancelled)
    let first = Task { try await recorder.add(1) }
    await Self.filled(file)
    let second = Task { try await recorder.add(2) }
    while await recorder.codes.count < 2 { await Task.yield() }
    for task in [second, first] {
      task.cancel()
      await #expect(throws: canceled) { try await task.value }
    }
    // Nobody has read yet: this one waits for the first, too.
    let third = Task { try await recorder.add(3) }
    while await recorder.codes.count < 3 { await Task.yield() }
    #expect(try await Self.frames(2, from: file) == Self.samples(of: [1, 3]))
    try await third.value
    try await recorder.finish()
  }

  @Test func canceledTasksWriteNothing() async throws {
    let path = folder.path("out.gray")
    let recorder = try Recorder(path)
    try await recorder.add(1)
    let canceled = ImageFileError.rendering(.cancelled)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      await #expect(throws: canceled) { try await recorder.add(2) }
      await #expect(throws: canceled) { try await recorder.finish() }
    }
    task.cancel()
    await task.value
    #expect(!FileManager.default.fileExists(atPath: path))
    try await recorder.add(3)
    try await recorder.finish()
    #expect(try Data(contentsOf: URL(filePath: path)) == Self.samples(of: [1, 3]))
  }

  /// A call that blocks would block the actor on which the asynchronous call before it goes on.
  @Test func blockingCallsAreRefusedMeanwhile() async throws {
    let (path, file) = try pipe()
    let recorder = try Recorder(path)
    let task = Task { try await recorder.add(2) }
    await Self.filled(file)
    let expected = ImageFileError.cannotWrite(
      file: path,
      reason:
        "an asynchronous call still writes a frame; await it, or call the asynchronous form, which waits for it"
    )
    await #expect(throws: expected) { try await recorder.addBlocking(3) }
    await #expect(throws: expected) { try await recorder.finishBlocking() }
    #expect(try await Self.frames(1, from: file) == Self.samples(of: [2]))
    try await task.value
    try await recorder.finishBlocking()
  }

  /// Behind a frame that is cut off, no other one can be read. The device /dev/full takes no byte.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func errorsAreThrownByAllFurtherCalls() async throws {
    let recorder = try Recorder("/dev/full")
    for code: UInt8 in [1, 2] {
      let error = await #expect(throws: ImageFileError.self) { try await recorder.add(code) }
      #expect(error?.finding.contains("/dev/full") == true)
    }
    await #expect(throws: ImageFileError.self) { try await recorder.finish() }
    await #expect(throws: ImageFileError.self) { try await recorder.addBlocking(3) }
    await #expect(throws: ImageFileError.self) { try await recorder.finishBlocking() }
  }
}
