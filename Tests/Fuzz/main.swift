// A fuzzer: reads mutated files of every format in worker processes, and reports those that crash, hang or exceed the
// memory limit, and seeds that are refused.

import Foundation

/// Prints a line without buffering, so that long runs can be watched.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// The readers selected on the command line.
func targets(_ options: FuzzOptions) throws -> [FuzzTarget.Entry] {
  if options.formats.isEmpty { return FuzzTarget.all }
  if options.formats == ["list"] {
    print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
    return []
  }
  return try options.formats.map { name in
    guard let target = (FuzzTarget.all + SelfTestTargets.all).first(where: { $0.name == name })
    else {
      throw FuzzOptions.Mistake(
        description: "There is no format \(name). There are: "
          + FuzzTarget.all.map(\.name).joined(separator: ", ") + ".")
    }
    return target
  }
}

/// Reads one input in this process, for debugging.
func readOnce(_ target: FuzzTarget, _ options: FuzzOptions) throws {
  let index = options.index ?? 0
  let input =
    try options.input.map { Array(try Data(contentsOf: URL(filePath: $0))) }
    ?? target.input(seed: options.seed, index: index)
  let scratch = Scratch(path: FileManager.default.temporaryDirectory.path + "/colorloom-fuzz-input")
  let measured = Worker(target: target, options: options).measure(input, index, scratch)
  print(
    "\(target.name): \(input.count) bytes, \(measured.bytes) bytes held, \(measured.seconds) s, "
      + (measured.error ?? "no error"))
}

do {
  let options = try FuzzOptions(Array(CommandLine.arguments.dropFirst()))
  let targets = try targets(options)
  if let worker = options.worker, let target = try targets.first?.make() {
    Worker(target: target, options: options).run(from: worker.first, progress: worker.progress)
    exit(0)
  }
  if options.index != nil || options.input != nil {
    for target in targets { try readOnce(target.make(), options) }
    exit(0)
  }
  var count = 0
  for entry in targets {
    let (target, start) = (try entry.make(), Date())
    let report = try Supervisor(target: target, options: options).run()
    let rate = Int(Double(options.count) / max(Date().timeIntervalSince(start), 0.001))
    say(
      "\(target.name): \(options.count) inputs from \(target.seeds.count) seeds, "
        + "\(report.accepted) accepted, \(report.findings.count) findings; \(rate) inputs/s, "
        + "at most \(report.mostBytes) bytes and \(report.mostSeconds) s")
    count += report.findings.count
  }
  exit(count == 0 ? 0 : 1)
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(2)
}
