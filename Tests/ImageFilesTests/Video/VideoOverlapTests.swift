import ColorSpaces
import Dispatch
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Synchronization
import Testing
import _TestSupport

/// Frames that are read and written while the caller works on others. The times below bound how long a failure takes; no success depends
/// on them.
@Suite struct VideoOverlapTests {
  private let folder: TemporaryFolder
  /// A frame has more bytes than a pipe holds.
  private static let format = VideoFormat(
    PixelSize(1024, 1024), .planes(.full, bits: 8), isFullRange: true)

  init() throws { folder = try TemporaryFolder() }

  private func makePipe() throws -> String {
    let path = folder.path("frames.pipe")
    try #require(mkfifo(path, 0o600) == 0)
    return path
  }

  private static func samples(of code: UInt8) -> Data {
    Data(repeating: code, count: format.frameBytes)
  }

  private static func gray(_ code: UInt16) -> Bitmap<UInt16> {
    Bitmap(format.size, in: format.space(of: .rec709), channels: .rgb) { _, _ in
      [257 * code, 257 * 128, 257 * 128]
    }
  }

  @Test func aFrameIsReadWhileTheLastOneIsInUse() throws {
    let path = try makePipe()
    let isWritten = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let file = FileHandle(forWritingAtPath: path)
      for code: UInt8 in [50, 200] {
        try? file?.write(contentsOf: Self.samples(of: code))
        isWritten.signal()
      }
      try? file?.close()
    }
    let reader = try VideoReader(path, samples: Self.format)
    let first = try #require(try reader.nextPicture(in: .rec709))
    reader.readAhead()
    for _ in 1...2 { #expect(isWritten.wait(timeout: .now() + 60) == .success) }
    let second = try #require(try reader.nextPicture(in: .rec709))
    reader.readAhead()
    #expect(try reader.nextPicture(in: .rec709) == nil)
    // The first picture keeps its samples.
    for (picture, code) in [(first, UInt8(50)), (second, 200)] {
      let file = folder.path("\(code).yuv")
      try Self.samples(of: code).write(to: URL(filePath: file))
      let expected = try #require(
        try VideoReader(file, samples: Self.format).nextPicture(in: .rec709))
      let found = try picture.render(as: Float.self)
      #expect(try found.firstDifference(from: expected.render(as: Float.self)) == nil)
    }
  }

  @Test func anErrorThatIsReadAheadBelongsToItsFrame() throws {
    let file = folder.path("cut.yuv")
    try (Self.samples(of: 1) + Data([1, 2, 3])).write(to: URL(filePath: file))
    let reader = try VideoReader(file, samples: Self.format)
    #expect(try reader.nextPicture(in: .rec709) != nil)
    reader.readAhead()
    #expect(
      throws: ImageFileError.damaged(
        file: file, reason: "it ends after 3 of the \(Self.format.frameBytes) bytes of frame 2")
    ) { try reader.nextPicture(in: .rec709) }
  }

  @Test func aFrameIsWrittenWhileTheCallerGoesOn() throws {
    let path = try makePipe()
    let (mayRead, isRead) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let received = Received()
    Thread.detachNewThread {
      let file = FileHandle(forReadingAtPath: path)
      let isInTime = mayRead.wait(timeout: .now() + 60) == .success
      let bytes = try? file?.readToEnd()
      received.state.withLock { $0 = (isInTime, bytes ?? Data()) }
      isRead.signal()
    }
    do {
      let writer = try VideoWriter(path, Self.format, isBare: true)
      writer.writesBehind = true
      // Nobody reads yet.
      try writer.write(Self.gray(50))
      mayRead.signal()
      try writer.write(Self.gray(200))
      try writer.finish()
    }
    isRead.wait()
    let (isInTime, bytes) = received.state.withLock { $0 }
    #expect(isInTime)
    let other = folder.path("other.yuv")
    let writer = try VideoWriter(other, Self.format, isBare: true)
    for code: UInt16 in [50, 200] { try writer.write(Self.gray(code)) }
    try writer.finish()
    #expect(try bytes == Data(contentsOf: URL(filePath: other)))
  }

  /// Copies are written behind, too, from memory that the next frame does not replace.
  @Test func copiesAreWrittenBehind() throws {
    let (input, output) = (folder.path("in.yuv"), folder.path("out.yuv"))
    let frames = [3, 90, 251].reduce(Data()) { $0 + Self.samples(of: $1) }
    try frames.write(to: URL(filePath: input))
    let reader = try VideoReader(input, samples: Self.format)
    let writer = try VideoWriter(output, Self.format, isBare: true)
    writer.writesBehind = true
    while try reader.copyFrame(to: writer) { reader.readAhead() }
    try writer.finish()
    #expect(try Data(contentsOf: URL(filePath: output)) == frames)
  }

  /// The device /dev/full takes no byte.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func errorsOfWritingAreNotLost() throws {
    func writer() throws -> VideoWriter {
      let writer = try VideoWriter("/dev/full", Self.format, isBare: true)
      writer.writesBehind = true
      try writer.write(Self.gray(1))
      return writer
    }
    let one = try writer()
    #expect(throws: ImageFileError.self) { try one.write(Self.gray(2)) }
    let other = try writer()
    #expect(throws: ImageFileError.self) { try other.finish() }
  }

  /// Where the reader of a pipe has left, the next frame would be rendered for nobody.
  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")), arguments: [true, false])
  func theNextFrameIsNotRenderedAfterAnError(hasFailedBefore: Bool) throws {
    let writer = try VideoWriter("/dev/full", Self.format, isBare: true)
    writer.writesBehind = true
    try writer.write(Self.gray(1))
    let fails = writer.failsBehind
    if hasFailedBefore { while !fails() { sched_yield() } }
    // Otherwise it fails at the latest while the first row of the next frame is asked for.
    let rows = AwaitingRows(size: Self.format.size, isReady: fails)
    var options = RenderOptions()
    (options.threads, options.tile) = (1, PixelSize(64, 64))
    let error = #expect(throws: ImageFileError.self) {
      try writer.write(Picture(rows), options: options)
    }
    #expect(error?.finding.contains("/dev/full") == true)
    let count = rows.count.withLock { $0 }
    #expect(hasFailedBefore ? count == 0 : count < Self.format.size.height)
  }
}

/// Gray rows, which are there once something has happened. Counts those that are asked for.
private final class AwaitingRows: RowSource, RowReader {
  let size: PixelSize
  let space = ColorSpace.rec709
  let channels = Channels.rgb
  let alpha = Alpha.straight
  let format = SampleFormat.uint8
  let count = Mutex(0)
  private let isReady: @Sendable () -> Bool

  init(size: PixelSize, isReady: @escaping @Sendable () -> Bool) {
    (self.size, self.isReady) = (size, isReady)
  }

  func makeReader() -> any RowReader { self }

  func readRow(into row: UnsafeMutableRawBufferPointer) {
    while !isReady() { sched_yield() }
    count.withLock { $0 += 1 }
    row.initializeMemory(as: UInt8.self, repeating: 128)
  }
}

/// What another thread received: whether it was in time, and the bytes.
private final class Received: Sendable {
  let state = Mutex((false, Data()))
}
