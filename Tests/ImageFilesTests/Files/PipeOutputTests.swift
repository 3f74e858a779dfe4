import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import PlatformLibc
import Synchronization
import Testing
import _TestSupport

/// Pipes that are written to: their readers wait for the end, which comes when all writers have closed them.
@Suite struct PipeOutputTests {
  private let folder: TemporaryFolder
  private static let format = VideoFormat(PixelSize(8, 4), .gray(bits: 8), isFullRange: true)

  init() throws { folder = try TemporaryFolder() }

  private static func picture(_ code: UInt8) -> Picture {
    let value = Double(code) / 255
    return Picture.constant(ColorPoint(value, value, value, in: .rec709), in: .rec709)
      .cropped(to: Region(format.size))
  }

  /// The end of a pipe for reading, which is closed with this.
  private final class Pipe {
    let path: String
    private let descriptor: Int32

    init(_ path: String) throws {
      self.path = path
      try #require(mkfifo(path, 0o600) == 0)
      descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      try #require(descriptor >= 0)
    }

    deinit { close(descriptor) }

    /// Reads all bytes to the end; nil where a reader would still have to wait for it.
    func content() -> [UInt8]? {
      var bytes: [UInt8] = []
      var part = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(descriptor, &part, part.count)
        if count == 0 { return bytes }
        guard count > 0 else { return nil }
        bytes += part.prefix(count)
      }
    }
  }

  /// A file system that counts the devices and pipes that it closes, and reports an error for each.
  private final class Closing: Sendable {
    private let calls = Mutex(0)
    var count: Int { calls.withLock { $0 } }

    func fileSystem(error: Int32) -> FileSystem {
      let system = FileSystem()
      var failing = system
      failing.closeDevice = { descriptor in
        self.calls.withLock { $0 += 1 }
        _ = system.closeDevice(descriptor)
        errno = error
        return -1
      }
      return failing
    }
  }

  @Test(arguments: [false, true])
  func finishedVideosEndForTheReader(isAsynchronous: Bool) async throws {
    let pipe = try Pipe(folder.path("out.pipe"))
    let writer = try VideoWriter(pipe.path, Self.format, isBare: true)
    if isAsynchronous {
      try await writer.write(Self.picture(7))
      try await writer.finish()
    } else {
      try Self.writeBlocking(to: writer)
    }
    #expect(pipe.content() == [UInt8](repeating: 7, count: Self.format.frameBytes))
    // The writer still exists.
    let expected = ImageFileError.cannotWrite(
      file: pipe.path, reason: "it has been finished and closed")
    await #expect(throws: expected) { try await writer.write(Self.picture(8)) }
  }

  /// In asynchronous functions, the asynchronous forms are called.
  private static func writeBlocking(to writer: VideoWriter) throws {
    try writer.write(picture(7))
    try writer.finish()
    // Once more does nothing.
    try writer.finish()
  }

  /// A path of an open descriptor names the pipe of a process, whose own handle stays open until it is closed.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/fd")))
  func descriptorsAreWrittenByTheirPath() throws {
    let pipe = try Pipe(folder.path("out.pipe"))
    let own = try #require(FileHandle(forWritingAtPath: pipe.path))
    let writer = try VideoWriter("/dev/fd/\(own.fileDescriptor)", Self.format, isBare: true)
    try writer.write(Self.picture(7))
    try writer.finish()
    #expect(pipe.content() == nil)
    try own.close()
    #expect(pipe.content()?.isEmpty == true)
  }

  /// Some devices tell only when they are closed that they could not take all bytes.
  @Test func errorsOfClosingAreThrown() throws {
    let (pipe, closing) = (try Pipe(folder.path("out.pipe")), Closing())
    try FileSystem.$current.withValue(closing.fileSystem(error: EIO)) {
      let writer = try VideoWriter(pipe.path, Self.format, isBare: true)
      try writer.write(Self.picture(7))
      let expected = ImageFileError.cannotWrite(
        file: pipe.path, reason: String(cString: strerror(EIO)))
      for _ in 0..<2 { #expect(throws: expected) { try writer.finish() } }
    }
    // Another file may have the descriptor when the writer is released.
    #expect(closing.count == 1)
  }

  /// A close that a signal interrupts has closed the descriptor.
  @Test func interruptedClosesAreDone() throws {
    let (pipe, closing) = (try Pipe(folder.path("out.pipe")), Closing())
    try FileSystem.$current.withValue(closing.fileSystem(error: EINTR)) {
      let writer = try VideoWriter(pipe.path, Self.format, isBare: true)
      try writer.finish()
    }
    #expect(closing.count == 1)
  }

  @Test func writersThatAreReleasedCloseThePipe() throws {
    let (pipe, closing) = (try Pipe(folder.path("out.pipe")), Closing())
    try FileSystem.$current.withValue(closing.fileSystem(error: EIO)) {
      _ = try VideoWriter(pipe.path, Self.format, isBare: true)
    }
    #expect(closing.count == 1 && pipe.content()?.isEmpty == true)
  }
}
