import Foundation
import Synchronization

/// Runs worker processes over the inputs of a format, restarts those that die, and collects their findings.
struct Supervisor {
  let target: FuzzTarget
  let options: FuzzOptions

  struct Finding {
    let index: Int
    /// “crash”, “hang”, “memory”, “stall” or “seed”.
    let kind: String
    let reason: String
  }

  /// The findings and measurements of all workers of a format.
  struct Report {
    var findings: [Finding] = []
    var accepted = 0
    var mostBytes = 0
    var mostSeconds = 0.0
  }

  /// The number of findings after which a format stops.
  static let findingLimit = 200

  func run() throws -> Report {
    let report = Mutex(Report())
    let failure = Mutex<(any Error)?>(nil)
    DispatchQueue.concurrentPerform(iterations: options.jobs) { job in
      do { try work(from: job, report) } catch { failure.withLock { $0 = error } }
    }
    if let error = failure.withLock(\.self) { throw error }
    var result = report.withLock(\.self)
    result.findings.sort { $0.index < $1.index }
    for finding in result.findings { try save(finding) }
    return result
  }

  /// Runs workers over every input of a shard: a new one continues after the input on which the last one died.
  private func work(from first: Int, _ report: borrowing Mutex<Report>) throws {
    let place = FileManager.default.temporaryDirectory
      .appending(path: "colorloom-fuzz-\(ProcessInfo.processInfo.processIdentifier)-\(first)")
    let files = [place.path, place.path + ".errors", place.path + ".input"]
    defer { for file in files { unlink(file) } }
    var next = first
    while next < options.count, report.withLock({ $0.findings.count }) < Self.findingLimit {
      try Data(repeating: 0, count: Worker.progressBytes).write(to: place)
      try Data().write(to: URL(filePath: files[1]))
      let worker = try start(from: next, progress: place.path, errors: files[1])
      let lines = String(decoding: worker.output, as: UTF8.self).split(separator: "\n")
        .map { $0.split(separator: "\t").map(String.init) }
      report.withLock { report in
        for line in lines {
          switch line[0] {
          case "memory":
            report.findings.append(
              Finding(index: Int(line[1]) ?? 0, kind: "memory", reason: "held \(line[2]) bytes"))
          case "seed":
            report.findings.append(
              Finding(index: Int(line[1]) ?? 0, kind: "seed", reason: "refused: \(line[2])"))
          case "done":
            report.mostBytes = max(report.mostBytes, Int(line[1]) ?? 0)
            report.mostSeconds = max(report.mostSeconds, Double(line[2]) ?? 0)
          default: break
          }
        }
      }
      let (index, accepted) = try Data(contentsOf: place).withUnsafeBytes {
        (
          Int($0.loadUnaligned(as: Int64.self)),
          Int($0.loadUnaligned(fromByteOffset: 8, as: Int64.self))
        )
      }
      report.withLock { $0.accepted += accepted }
      if lines.last?.first == "done" { return }
      let said = try String(decoding: Data(contentsOf: URL(filePath: files[1])), as: UTF8.self)
      let finding = finding(index, worker.process, said)
      report.withLock { $0.findings.append(finding) }
      next = index + options.jobs
    }
  }

  private func start(
    from first: Int, progress: String, errors: String
  ) throws -> (process: Process, output: Data) {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [
      "--format", target.name, "--seed", "\(options.seed)", "--count", "\(options.count)",
      "--jobs", "\(options.jobs)", "--seconds", "\(options.seconds)",
      "--worker", "\(first),\(progress)",
    ]
    // Backtraces would take seconds per crash.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let output = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process, data)
  }

  /// The reason why a worker died on an input.
  private func finding(_ index: Int, _ process: Process, _ said: String) -> Finding {
    let lines = said.split(separator: "\n")
    let line = lines.first
    guard process.terminationReason == .uncaughtSignal else {
      return Finding(
        index: index, kind: said.contains("stalled") ? "stall" : "crash",
        reason: line.map(String.init) ?? "ended with status \(process.terminationStatus)")
    }
    if process.terminationStatus == SIGPROF {
      return Finding(
        index: index, kind: "hang", reason: "took more than \(options.seconds) s of processor time")
    }
    let signal = "signal \(process.terminationStatus)"
    return Finding(
      index: index, kind: "crash", reason: line.map { "\(signal), \($0)" } ?? signal)
  }

  /// Saves the input, and prints how to reproduce the finding.
  private func save(_ finding: Finding) throws {
    try FileManager.default.createDirectory(
      atPath: options.folder, withIntermediateDirectories: true)
    let path = "\(options.folder)/\(target.name)-\(options.seed)-\(finding.index)"
    let input = target.input(seed: options.seed, index: finding.index)
    try Data(input).write(to: URL(filePath: path))
    say(
      """
      \(target.name) \(finding.index): \(finding.kind): \(finding.reason)
        \(input.count) bytes, saved as \(path)
        again: colorloom-fuzz --format \(target.name) --seed \(options.seed) --index \(finding.index)
      """)
  }
}
