import ColorloomTool
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// The tool in an address space of limited size (`ulimit -v`).
@Suite struct AddressSpaceLimitTests {
  private struct Ending {
    let status: Int32
    let isSignal: Bool
    let message: String
    var output = ""
  }

  /// Runs the tool in so many KiB of addresses, with the lines of a file as its input.
  private static func run(
    _ words: [String], within limit: Int, input: String = "/dev/null"
  ) throws -> Ending {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments =
      ["-c", #"ulimit -v "$0" && exec "$@""#, "\(limit)", Client.built("colorloom").path] + words
    process.standardInput = try FileHandle(forReadingFrom: URL(filePath: input))
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // The errors of a command that ends are few, and do not fill their pipe.
    let lines = output.fileHandleForReading.readDataToEndOfFile()
    let message = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Ending(
      status: process.terminationStatus, isSignal: process.terminationReason == .uncaughtSignal,
      message: String(decoding: message, as: UTF8.self),
      output: String(decoding: lines, as: UTF8.self))
  }

  /// Whether the tool runs at all: a sanitizer takes terabytes of addresses, and some systems have no such limit.
  private static let isPossible =
    (try? run(["--version"], within: 4 << 20)).map { $0.status == 0 } ?? false

  /// 127 is the status of a tool whose libraries cannot be loaded.
  @Test(.enabled(if: isPossible, "the tool does not run in 4 GiB of addresses"))
  func limitsEndNoCommandByASignal() throws {
    let folder = try TemporaryFolder()
    let photo = TestPictures.codes(as: UInt8.self, PixelSize(1500, 1000), channels: .rgb)
    try ImageFile.write(.uint8(photo), to: folder.path("in.png"))
    let words = ["convert", folder.path("in.png"), folder.path("out.png"), "--gaussian-blur", "4"]
    var statuses: [Int32] = []
    for limit in [80, 90, 95, 100, 110, 130, 150, 180, 200, 250, 300, 400, 1000] {
      for threads in [[], ["--threads", "16"]] {
        let ending = try Self.run(words + threads, within: limit * 1000)
        #expect(
          !ending.isSignal && [0, 1, 2, 127].contains(ending.status),
          "\(limit) MB, \(threads): \(ending.status), \(ending.message)")
        statuses.append(ending.status)
      }
    }
    #expect(statuses.last == 0)
    // Some limit suffices for the tool, and not for its threads.
    for limit in stride(from: 60, to: 1000, by: 4) {
      let ending = try Self.run(["--version"], within: limit * 1000)
      if ending.status == 127 { continue }
      #expect(
        ending.status == 1 && ending.message.contains("is too small for threads. Raise it by"))
      break
    }
  }

  /// Each job takes threads, and a thread a stack.
  @Test func batchesRunAsManyJobsAsThereAreStacksFor() {
    #expect(Settings.jobsAtOnce(64, stacks: 3) == 3)
    #expect(Settings.jobsAtOnce(2, stacks: 3) == 2)
    #expect(Settings.jobsAtOnce(64, stacks: nil) == 64)
  }

  @Test(.enabled(if: isPossible, "the tool does not run in 4 GiB of addresses"))
  func limitsEndNoBatchOfManyJobs() throws {
    let folder = try TemporaryFolder()
    let photo = TestPictures.codes(as: UInt8.self, PixelSize(200, 100), channels: .rgb)
    try ImageFile.write(.uint8(photo), to: folder.path("in.png"))
    let jobs = try (0..<24).map { index in
      let words = [
        "convert", folder.path("in.png"), folder.path("\(index).png"), "--gaussian-blur", "4",
      ]
      return String(decoding: try JSONEncoder().encode(["run": words]), as: UTF8.self)
    }
    let input = folder.path("jobs.jsonl")
    try jobs.joined(separator: "\n").write(toFile: input, atomically: true, encoding: .utf8)
    for limit in [130, 150, 200, 300, 1000] {
      let ending = try Self.run(["batch", "--jobs", "200"], within: limit * 1000, input: input)
      #expect(
        !ending.isSignal && [0, 1, 127].contains(ending.status),
        "\(limit) MB: \(ending.status), \(ending.message)")
      guard ending.status == 0 else { continue }
      let answers = ending.output.split(separator: "\n")
      #expect(answers.count == jobs.count, "\(limit) MB: \(answers.count) answers")
      if limit == 1000 { #expect(answers.allSatisfy { $0.contains(#""status":0"#) }) }
    }
  }
}
