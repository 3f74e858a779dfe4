import ColorSpaces
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Where a video begins and ends: files of other formats, and inputs that are stopped.
@Suite struct VideoInputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Raw samples may have no line feed for long: they are no damaged Y4M.
  @Test(arguments: [[UInt8](repeating: 100, count: 5000), Array("YUV4MPEG".utf8), []])
  func otherFilesAreOfAnotherFormat(bytes: [UInt8]) throws {
    let path = folder.path("frames.nv12")
    try Data(bytes).write(to: URL(filePath: path))
    let error = #expect(throws: ImageFileError.self) { try VideoReader(path) }
    guard case .unknownFormat = error else {
      Issue.record("\(error as Any)")
      return
    }
  }

  @Test func headersAreNoRawSamples() throws {
    let path = folder.path("in.y4m")
    try Data("YUV4MPEG2 W1 H1 C444\nFRAME\nabc".utf8).write(to: URL(filePath: path))
    let reader = try VideoReader(
      path, samples: VideoFormat(PixelSize(1, 1), .planes(.full, bits: 8)))
    let error = #expect(throws: ImageFileError.self) { try reader.next(in: .rec709) }
    guard case .unknownFormat = error else {
      Issue.record("\(error as Any)")
      return
    }
  }

  /// A pipe to which the test writes, and which nobody closes.
  private func pipe() throws -> (path: String, file: FileHandle) {
    let path = folder.path("in.pipe")
    try #require(mkfifo(path, 0o600) == 0)
    return (path, try #require(FileHandle(forUpdatingAtPath: path)))
  }

  /// The beginning of a header may arrive alone.
  @Test func headersArriveInParts() throws {
    let (path, file) = try pipe()
    try file.write(contentsOf: Data("YUV4".utf8))
    Thread.detachNewThread { try? file.write(contentsOf: Data("MPEG2 W1 H1 C444\n".utf8)) }
    #expect(try VideoReader(path).format.size == PixelSize(1, 1))
  }

  /// The next frame is incomplete, and the pipe stays open. The stop comes before the reader waits for it, or while it does.
  @Test(arguments: ["", "FRA", "FRAME\n", "FRAME\nab"], [false, true])
  func aStopEndsTheVideoAfterTheLastWholeFrame(rest: String, isConcurrent: Bool) throws {
    let (path, file) = try pipe()
    try file.write(contentsOf: Data("YUV4MPEG2 W1 H1 C444\nFRAME\nabc\(rest)".utf8))
    let reader = try VideoReader(path)
    let stop = try #require(InputStop())
    reader.stop = stop
    #expect(try reader.next(in: .rec709) != nil)
    if isConcurrent {
      Thread.detachNewThread { stop.request() }
    } else {
      stop.request()
    }
    #expect(try reader.next(in: .rec709) == nil)
    #expect(try reader.next(in: .rec709) == nil)
    try file.close()
  }

  /// A file has bytes at any time; a stop ends it, too.
  @Test func aStopEndsRawSamplesOfFiles() throws {
    let path = folder.path("in.rgb")
    try Data(repeating: 90, count: 1 << 20).write(to: URL(filePath: path))
    let reader = try VideoReader(
      path, samples: VideoFormat(PixelSize(64, 64), .packedRGB(bits: 8)))
    let stop = try #require(InputStop())
    reader.stop = stop
    #expect(try reader.next(in: .rec709) != nil)
    stop.request()
    #expect(try reader.next(in: .rec709) == nil)
  }
}
