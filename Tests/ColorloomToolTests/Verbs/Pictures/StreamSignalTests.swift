import ColorSpaces
import ColorloomTool
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// How signals end a running `stream`: the first one as the end of its input, one half a second later or more at once. No test depends on
/// how fast the machine is.
@Suite struct StreamSignalTests {
  private let folder: TemporaryFolder
  private var output: String { folder.path("out.y4m") }

  init() throws { folder = try TemporaryFolder() }

  /// Larger than a header, so that the size of a file tells its frames; a pipe holds three.
  private static let frame = Data("FRAME\n".utf8) + Data(repeating: 100, count: 64 * 64 * 3)
  private static let header = Data("YUV4MPEG2 W64 H64 C444\n".utf8)

  /// Starts the tool with a pipe for its standard input, which stays open.
  private func start(
    _ words: [String], input: Pipe, output: Any = FileHandle.nullDevice
  ) throws -> (process: Process, errors: Pipe) {
    let (process, errors) = (Process(), Pipe())
    process.executableURL = Client.built("colorloom")
    process.arguments = words
    (process.standardInput, process.standardOutput) = (input, output)
    process.standardError = errors
    try process.run()
    return (process, errors)
  }

  /// How many bytes the tool has written into its draft in the folder: a file that has a temporary name, or none.
  private func draftBytes(of process: Process) -> Int {
    let manager = FileManager.default
    let folderPath = URL(filePath: output).deletingLastPathComponent().path
    let descriptors = "/proc/\(process.processIdentifier)/fd"
    for name in (try? manager.contentsOfDirectory(atPath: descriptors)) ?? [] {
      let link = "\(descriptors)/\(name)"
      guard (try? manager.destinationOfSymbolicLink(atPath: link))?.hasPrefix(folderPath) == true
      else { continue }
      var status = stat()
      if stat(link, &status) == 0 { return Int(status.st_size) }
    }
    return 0
  }

  /// The camera goes on: its next frame is incomplete, and the pipe is open. The file has the frames before it.
  @Test(arguments: [(SIGINT, "SIGINT"), (SIGTERM, "SIGTERM")], [[], ["--exposure", "1"]])
  func theFirstSignalPublishesTheFile(signal: (number: Int32, name: String), steps: [String]) throws
  {
    if isIgnored(signal.number) { return }
    let input = Pipe()
    let (process, errors) = try start(["stream", "-", output] + steps, input: input)
    let written = input.fileHandleForWriting
    try written.write(
      contentsOf: Self.header + Self.frame + Self.frame + Self.frame.dropLast())
    while process.isRunning, draftBytes(of: process) < 2 * Self.frame.count { usleep(1000) }
    #expect(process.isRunning)
    kill(process.processIdentifier, signal.number)
    process.waitUntilExit()
    // It still ends by the signal, so that `&&` does not go on.
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == signal.number)
    let said = String(
      decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    #expect(said.hasPrefix("\(signal.name) ended the stream. 2 frames are written."), "\(said)")
    let reader = try VideoReader(output)
    for _ in 0..<2 { #expect(try reader.next(in: .rec709) != nil) }
    #expect(try reader.next(in: .rec709) == nil)
    try written.close()
  }

  /// `timeout` sends a signal twice.
  @Test func signalsInQuickSuccessionAreOne() {
    let first = ContinuousClock.now
    #expect(EarlyEnd.isRepetition(at: first, first: first))
    #expect(EarlyEnd.isRepetition(at: first + .milliseconds(400), first: first))
    #expect(!EarlyEnd.isRepetition(at: first + .milliseconds(500), first: first))
  }

  /// The header comes first, so that the signal finds the tool waiting for a frame or before it.
  @Test func aSignalBeforeTheFirstFrameLeavesNothing() throws {
    if isIgnored(SIGINT) { return }
    let input = Pipe()
    let (process, _) = try start(["stream", "-", output], input: input)
    try input.fileHandleForWriting.write(contentsOf: Self.header)
    while process.isRunning, draftBytes(of: process) == 0 { usleep(1000) }
    #expect(process.isRunning)
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGINT)
    #expect(!FileManager.default.fileExists(atPath: output))
    try input.fileHandleForWriting.close()
  }

  /// A batch has other jobs. Its stream reads a named pipe, which this test keeps open.
  @Test func theFirstSignalEndsABatch() throws {
    if isIgnored(SIGINT) { return }
    // The draft is looked for in the folder of the output.
    let cameras = try TemporaryFolder()
    let camera = cameras.path("camera")
    try #require(mkfifo(camera, 0o600) == 0)
    let input = Pipe()
    let (process, _) = try start(["batch"], input: input)
    let job = #"{"id": 1, "run": ["stream", "\#(camera)", "\#(output)"]}"#
    try input.fileHandleForWriting.write(contentsOf: Data((job + "\n").utf8))
    let written = try FileHandle(forUpdating: URL(filePath: camera))
    try written.write(contentsOf: Self.header + Self.frame + Self.frame.dropLast())
    while process.isRunning, draftBytes(of: process) < Self.frame.count { usleep(1000) }
    #expect(process.isRunning)
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGINT)
    #expect(!FileManager.default.fileExists(atPath: output))
    try written.close()
    try input.fileHandleForWriting.close()
  }

  /// Nobody reads the output, so that the frame under way does not end.
  @Test func theSecondSignalEndsTheProcessAtOnce() throws {
    if isIgnored(SIGINT) { return }
    let (input, result) = (Pipe(), Pipe())
    // A frame has more bytes than a pipe holds.
    let (process, _) = try start(
      ["stream", "--raw", "gray", "--size", "2048x2048", "--bare"], input: input, output: result)
    try input.fileHandleForWriting.write(contentsOf: Data(repeating: 90, count: 2048 * 2048))
    // The frame has begun to be written, and cannot be whole.
    #expect(try result.fileHandleForReading.read(upToCount: 1)?.count == 1)
    while process.isRunning {
      kill(process.processIdentifier, SIGINT)
      usleep(1000)
    }
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGINT)
    try input.fileHandleForWriting.close()
  }
}
