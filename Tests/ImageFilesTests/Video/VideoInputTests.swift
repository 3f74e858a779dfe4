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

  /// Returns the reason of the error behind the first frame of a video.
  private func damageBehindFirstFrame(header: String, frame: Int, rest: [UInt8]) throws -> String? {
    let path = folder.path("in.y4m")
    let start = Array("YUV4MPEG2 \(header)\nFRAME\n".utf8)
    try Data(start + [UInt8](repeating: 100, count: frame) + rest).write(to: URL(filePath: path))
    let reader = try VideoReader(path)
    #expect(try reader.next(in: .rec709) != nil)
    let error = #expect(throws: ImageFileError.self) { try reader.next(in: .rec709) }
    guard case .damaged(path, let reason) = error else { return nil }
    return reason
  }

  /// Samples may have no line feed for long, where a frame is cut off and another one follows.
  @Test func damageWithoutLinesNamesTheFrame() throws {
    let rest = [UInt8](repeating: 100, count: 5000)
    let reason = try damageBehindFirstFrame(header: "W2 H2 C444", frame: 12, rest: rest)
    #expect(reason == "frame 2 has no line FRAME before it")
  }

  /// Of 3 columns of 10 bits, ffmpeg writes 3 of the 4 bytes of a chroma row.
  @Test func chromaRowsThatFFmpegCutsAreExplained() throws {
    let rest = Array("ME\n".utf8)
    for (header, frame, isExplained) in [
      ("W3 H2 C420p10", 20, true), ("W3 H2 C422p10", 28, true), ("W3 H2 C444p10", 36, false),
      ("W4 H2 C420p10", 24, false), ("W3 H2 C420jpeg", 10, false),
    ] {
      let reason = try #require(
        try damageBehindFirstFrame(header: header, frame: frame, rest: rest))
      #expect(reason.hasPrefix("frame 2 begins with “ME”, not with FRAME"))
      #expect(reason.contains("ffmpeg") == isExplained, "\(header): \(reason)")
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
