import Foundation

/// The command-line arguments of the benchmark.
struct BenchmarkArguments {
  var size = (name: "1m", width: 1000, height: 1000)
  var threads = 1
  var repetitions = 5
  var only: [String] = []
  /// The prefix of the names of cases to run; empty for all.
  var beginning = ""
  /// The press profile of T1; nil for a small one of the fixtures.
  var profile: String?

  struct Misuse: Error, CustomStringConvertible { let description: String }

  init(_ words: [String]) throws {
    var rest = words[...]
    while let option = rest.popFirst() {
      guard let value = rest.popFirst() else {
        throw Misuse(description: "\(option) needs a value.")
      }
      switch option {
      case "--size" where value == "1m": size = ("1m", 1000, 1000)
      case "--size" where value == "1080p": size = ("1080p", 1920, 1080)
      case "--size" where value == "12m": size = ("12m", 4000, 3000)
      case "--size" where value == "24m": size = ("24m", 6000, 4000)
      case "--threads": threads = max(1, Int(value) ?? 1)
      case "--reps": repetitions = max(1, Int(value) ?? 1)
      case "--profile": profile = value
      case "--case": beginning = value
      case "--only": only = value.split(separator: ",").map(String.init)
      default:
        throw Misuse(
          description: "There is no “\(option) \(value)”. "
            + "Options: --size 1m|1080p|12m|24m --threads n --reps n --only W1,W3 --case f32 --profile inks.icc"
        )
      }
    }
  }
}

/// Checks and times workloads, and prints the results.
final class Bench {
  let arguments: BenchmarkArguments
  /// The missed bounds, one sentence each.
  private(set) var missed: [String] = []

  init(arguments: BenchmarkArguments) { self.arguments = arguments }

  func wants(_ work: String) -> Bool {
    arguments.only.isEmpty || arguments.only.contains { work.hasPrefix($0) }
  }

  /// Runs `body` once to warm up, checks its error against `limit`, then times it. Returns the shortest time in milliseconds. A workload
  /// whose error exceeds the limit is not timed, and counts as a missed bound.
  @discardableResult func run(
    _ work: String, _ name: String, limit: Double = .infinity, error: () throws -> Double = { 0 },
    _ body: () throws -> Void
  ) throws -> Double {
    guard wants(work), name.hasPrefix(arguments.beginning) else { return .nan }
    try body()
    let error = try error()
    guard error <= limit else {
      missed.append("\(work) \(name) is wrong by \(error), more than \(limit): not timed.")
      return .nan
    }
    let clock = ContinuousClock()
    var walls: [Double] = []
    var processors: [Double] = []
    for _ in 0..<arguments.repetitions {
      let before = processorTime()
      let time = try clock.measure(body)
      processors.append((processorTime() - before) * 1e3)
      walls.append(
        Double(time.components.seconds) * 1e3 + Double(time.components.attoseconds) * 1e-15)
    }
    let sorted = walls.sorted()
    let pixels = Double(arguments.size.width * arguments.size.height) / 1e6
    let (best, median) = (sorted[0], sorted[sorted.count / 2])
    func rate(_ milliseconds: Double) -> String { text(pixels / (milliseconds / 1e3), "%.2f") }
    let line =
      """
      {"work": "\(work)", "peer": "colorloom", "case": "\(name)", "size": "\(arguments.size.name)", \
      "threads": \(arguments.threads), "mpx_best": \(rate(best)), "mpx_median": \(rate(median)), \
      "ms_best": \(text(best, "%.3f")), "ms_median": \(text(median, "%.3f")), \
      "cpu_ms_best": \(text(processors.min() ?? 0, "%.3f")), \
      "wall": [\(walls.map { text($0, "%.3f") }.joined(separator: ", "))], \
      "err": \(text(error, "%.3g")), "note": ""}

      """
    FileHandle.standardOutput.write(Data(line.utf8))
    return best
  }

  /// Prints the ratio of a time to another one. A ratio above the limit is a missed bound.
  func compare(_ work: String, _ name: String, _ time: Double, with other: Double, limit: Double) {
    // Workloads with wrong results were not timed.
    guard time.isFinite, other.isFinite else { return }
    let ratio = time / other
    let line =
      """
      {"work": "\(work)", "case": "\(name)", "size": "\(arguments.size.name)", \
      "threads": \(arguments.threads), "ratio": \(text(ratio, "%.4f")), "limit": \(limit)}

      """
    FileHandle.standardOutput.write(Data(line.utf8))
    if ratio > limit { missed.append("\(work) \(name): \(ratio), more than \(limit).") }
  }

  private func text(_ value: Double, _ format: String) -> String { String(format: format, value) }
}

/// The processor time of all threads of this process, in seconds.
private func processorTime() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

/// Prints an error and ends the process.
func fail(_ text: String) -> Never {
  FileHandle.standardError.write(Data(("colorloom-bench: " + text + "\n").utf8))
  exit(1)
}
