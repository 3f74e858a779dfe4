import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

private let tracer = Client("strace")

/// The files that the tool leaves behind when it is terminated: by a signal, a closed pipe, a limit.
@Suite struct SignalTests {
  private let folder: TemporaryFolder
  private let old = Data("the old file".utf8)

  init() throws { folder = try TemporaryFolder() }

  private static let tool = Client.built("colorloom")

  private var folderPath: String {
    URL(filePath: folder.path("t.png")).deletingLastPathComponent().path
  }

  private func content() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folderPath).sorted()
  }

  /// The tool while it paints far more than it can finish before a signal.
  ///
  /// To emulate a file system without unnamed files, a tracer fails its `open` of the folder.
  private func painting(hasUnnamedFiles: Bool) throws -> Process {
    let words = ["triangle", folder.path("t.png"), "--size", "20000x20000"]
    if !hasUnnamedFiles {
      return try tracer.start(
        [
          "-D", "-f", "-qq", "-o", "/dev/null", "-P", folderPath, "-P", folderPath + "/",
          "-e", "inject=openat:error=EOPNOTSUPP", Self.tool.path,
        ] + words)
    }
    let process = Process()
    (process.executableURL, process.arguments) = (Self.tool, words)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Whether a process has begun a file in the folder, with a temporary name or unnamed.
  private func isWriting(_ process: Process) throws -> Bool {
    if try content().contains(where: { $0.hasPrefix(".colorloom-") }) { return true }
    let manager = FileManager.default
    let descriptors = "/proc/\(process.processIdentifier)/fd"
    return ((try? manager.contentsOfDirectory(atPath: descriptors)) ?? []).contains {
      let target = try? manager.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)")
      return target?.hasPrefix(folderPath + "/") == true
    }
  }

  /// Sends a signal to the tool while it writes.
  private func interrupt(_ number: Int32, hasUnnamedFiles: Bool) throws {
    try old.write(to: URL(filePath: folder.path("t.png")))
    let process = try painting(hasUnnamedFiles: hasUnnamedFiles)
    while process.isRunning, try !isWriting(process) { usleep(1000) }
    #expect(process.isRunning)
    #expect(try content().count == (hasUnnamedFiles ? 1 : 2))
    kill(process.processIdentifier, number)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == number)
    #expect(try Data(contentsOf: URL(filePath: folder.path("t.png"))) == old)
  }

  /// Whether the file system of temporary folders supports unnamed files.
  private static let hasUnnamedFiles = TemporaryFolder.canOpen(FileSystem().openUnnamed)

  private static let signals = [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGXCPU]

  @Test(
    .enabled(if: hasUnnamedFiles, "this file system has no unnamed files"),
    arguments: signals + [SIGKILL])
  func signalsLeaveNothingBehind(number: Int32) throws {
    if number != SIGKILL, isIgnored(number) { return }
    try interrupt(number, hasUnnamedFiles: true)
    #expect(try content() == ["t.png"])
  }

  @Test(
    .enabled(
      if: tracer.can("-qq", "-o", "/dev/null", "true"), "strace is not installed, or may not trace"),
    arguments: signals)
  func signalsRemoveTemporaryNames(number: Int32) throws {
    if isIgnored(number) { return }
    try interrupt(number, hasUnnamedFiles: false)
    #expect(try content() == ["t.png"])
  }

  /// Neither the folder of unfinished tiles nor a tile in it is left.
  @Test func signalsRemoveFolders() throws {
    if isIgnored(SIGTERM) { return }
    let input = folder.path("in.png")
    try Picture.constant(ColorPoint(1, 0, 0, in: .sRGB), in: .sRGB)
      .cropped(to: Region(PixelSize(4000, 3000))).write(to: input, samples: .uint8)
    // Far more tiles than can be written before the signal.
    let process = Process()
    process.executableURL = Self.tool
    process.arguments = ["tiles", input, folder.path("tiles"), "--tile-size", "4"]
    process.standardInput = FileHandle.nullDevice
    try process.run()
    func hasTile() -> Bool {
      let names = (try? FileManager.default.subpathsOfDirectory(atPath: folderPath)) ?? []
      return names.contains { $0.hasSuffix(".jpg") }
    }
    while process.isRunning, !hasTile() { usleep(1000) }
    #expect(process.isRunning)
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(try content() == ["in.png"])
  }

  /// A killed process cannot clean up; the next process does.
  @Test(
    .enabled(
      if: tracer.can("-qq", "-o", "/dev/null", "true"), "strace is not installed, or may not trace")
  )
  func nextProcessRemovesFilesOfAKilledOne() throws {
    try interrupt(SIGKILL, hasUnnamedFiles: false)
    #expect(try content().count == 2)
    let next = try Process.run(
      Self.tool, arguments: ["triangle", folder.path("u.png"), "--size", "8x8"])
    next.waitUntilExit()
    #expect(try content() == ["t.png", "u.png"])
  }

  // MARK: Closed pipes and limits

  /// Runs a line of bash in which `$tool` is the tool; returns its status and output.
  private func bash(_ line: String) throws -> (status: Int32, output: String, errors: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", line]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["tool": Self.tool.path, "folder": folderPath]) { $1 }
    let (output, errors) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, output)
    process.standardError = errors
    try process.run()
    let printed = try output.fileHandleForReading.readToEnd() ?? Data()
    let said = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (
      process.terminationStatus, String(decoding: printed, as: UTF8.self),
      String(decoding: said, as: UTF8.self)
    )
  }

  private static let hasBash = FileManager.default.isExecutableFile(atPath: "/bin/bash")

  /// Like `cat`, the tool ends silently when its reader closes the pipe, and removes the files it was writing.
  @Test(
    .enabled(if: hasBash, "bash is not installed"),
    arguments: [
      "triangle - --format png --size 1500x1500",
      "triangle - --format exr --space sRGB-linear --size 1500x1500",
      "variants $folder/in.png --wide $folder/w.png --narrow - --format png",
      "color --from p3 --to sRGB",
    ])
  func closedPipesEndTheToolSilently(command: String) throws {
    _ = try bash("\"$tool\" triangle $folder/in.png --size 1500x1500")
    let rows = command.hasPrefix("color") ? "yes '0.1 0.2 0.3' | head -n 200000 | " : ""
    let position = rows.isEmpty ? 0 : 2
    let ending = try bash(
      "\(rows)\"$tool\" \(command) | head -c 10 > /dev/null; echo ${PIPESTATUS[\(position)]}")
    if isIgnored(SIGPIPE) {
      #expect(ending.output == "1\n" && ending.errors.contains("Broken pipe"), "\(ending)")
    } else {
      #expect(ending.output == "\(128 + SIGPIPE)\n" && ending.errors.isEmpty, "\(ending)")
    }
    #expect(try content() == ["in.png"])
  }

  /// With `SIGPIPE` ignored, it reports an error.
  @Test(.enabled(if: hasBash, "bash is not installed"))
  func closedPipesAreErrorsForCallersThatIgnoreSIGPIPE() throws {
    let ending = try bash(
      "trap '' PIPE; \"$tool\" triangle - --format png --size 1500x1500 | head -c 10 > /dev/null; "
        + "echo ${PIPESTATUS[0]}")
    #expect(ending.output == "1\n")
    #expect(ending.errors == "colorloom: Standard output cannot be written: Broken pipe.\n")
  }

  @Test(.enabled(if: hasBash, "bash is not installed"), arguments: ["png", "tif", "exr", "ppm"])
  func aFileSizeLimitIsAnError(ending: String) throws {
    try old.write(to: URL(filePath: folder.path("t.\(ending)")))
    let space = ending == "exr" ? "--space sRGB-linear" : "--untagged"
    let result = try bash(
      "ulimit -f 10; \"$tool\" triangle $folder/t.\(ending) --size 1000x1000 \(space)"
        + (ending == "ppm" || ending == "exr" ? " --background white" : ""))
    #expect(result.status == 1)
    #expect(result.errors.hasSuffix("cannot be written: File too large.\n"), "\(result.errors)")
    #expect(try content() == ["t.\(ending)"])
    #expect(try Data(contentsOf: URL(filePath: folder.path("t.\(ending)"))) == old)
  }
}
