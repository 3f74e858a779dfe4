import Foundation

/// Checks and times workloads, and prints the results.
final class Bench {
  let arguments: BenchmarkArguments
  /// The missed bounds, one sentence each.
  private(set) var missed: [String] = []
  /// How many cases the arguments name.
  private(set) var caseCount = 0

  /// Why a case has no result that could be compared.
  enum Unchecked: String {
    case isNotOurs = "the C library's function, not this package's"
    case onlyTraces = "reports color loss and makes no pixels"
  }

  init(arguments: BenchmarkArguments) { self.arguments = arguments }

  func wants(_ work: String) -> Bool {
    arguments.only.isEmpty || arguments.only.contains { work.hasPrefix($0) }
  }

  /// Runs `body` once to warm up, checks its error against `limit`, then times it. Returns the shortest time in milliseconds. A workload
  /// whose error exceeds the limit is not timed, and counts as a missed bound.
  @discardableResult func run(
    _ work: String, _ name: String, limit: Double, error: () throws -> Double,
    _ body: () throws -> Void
  ) throws -> Double {
    guard isWanted(work, name) else { return .nan }
    try body()
    let error = try error()
    guard error <= limit else {
      missed.append("\(work) \(name) is wrong by \(error), more than \(limit): not timed.")
      return .nan
    }
    let check = "\"err\": \(text(error, "%.3g")), \"err_limit\": \(text(limit, "%.3g"))"
    return try time(work, name, check, note: "", body)
  }

  /// Times `body`, which has no result that could be compared.
  @discardableResult func run(
    _ work: String, _ name: String, unchecked: Unchecked, _ body: () throws -> Void
  ) throws -> Double {
    guard isWanted(work, name) else { return .nan }
    try body()
    return try time(work, name, "\"err\": null", note: "unchecked: \(unchecked.rawValue)", body)
  }

  private func isWanted(_ work: String, _ name: String) -> Bool {
    guard wants(work), name.hasPrefix(arguments.beginning) else { return false }
    // “median 2” is not the beginning of “median 20”.
    let next = name.dropFirst(arguments.beginning.count).first
    if arguments.beginning.last?.isNumber == true, next?.isNumber == true { return false }
    caseCount += 1
    return true
  }

  private func time(
    _ work: String, _ name: String, _ check: String, note: String, _ body: () throws -> Void
  ) throws -> Double {
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
      \(check), "note": "\(note)"}

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
func fail(_ text: String, status: Int32 = 1) -> Never {
  FileHandle.standardError.write(Data(("colorloom-bench: " + text + "\n").utf8))
  exit(status)
}
