/// The command-line arguments of the benchmark.
struct BenchmarkArguments {
  var size = sizes[0]
  var threads = 1
  var repetitions = 5
  /// The prefixes of the names of workloads to run; empty for all.
  var only: [String] = []
  /// The prefix of the names of cases to run; empty for all.
  var beginning = ""
  /// The press profile of T1; nil for a small one of the fixtures.
  var profile: String?
  /// Whether only the options are explained.
  var isHelp = false

  struct Misuse: Error, CustomStringConvertible { let description: String }

  static let sizes: [(name: String, width: Int, height: Int)] = [
    ("1m", 1000, 1000), ("1080p", 1920, 1080), ("12m", 4000, 3000), ("24m", 6000, 4000),
  ]

  /// Reads the words after the program's name. `works` are the names of all workloads.
  init(_ words: [String], works: [String]) throws {
    var rest = words[...]
    while let option = rest.popFirst() {
      if ["--help", "-h"].contains(option) {
        isHelp = true
        return
      }
      guard Self.options.contains(option) else {
        throw Misuse(
          description: "There is no option “\(option)”; --help lists the options.")
      }
      guard let value = rest.popFirst() else {
        throw Misuse(description: "\(option) needs a value; --help explains which.")
      }
      switch option {
      case "--size":
        guard let found = Self.sizes.first(where: { $0.name == value }) else {
          let names = Self.sizes.map(\.name).joined(separator: ", ")
          throw Misuse(description: "There is no size “\(value)”; the sizes are \(names).")
        }
        size = found
      case "--threads": threads = try Self.count(value, of: option)
      case "--reps": repetitions = try Self.count(value, of: option)
      case "--profile": profile = value
      case "--case": beginning = value
      default:
        only = value.split(separator: ",").map(String.init)
        for prefix in only where !works.contains(where: { $0.hasPrefix(prefix) }) {
          throw Misuse(
            description: "No workload begins with “\(prefix)”; the workloads are "
              + "\(works.joined(separator: ", ")).")
        }
      }
    }
  }

  private static let options = ["--size", "--threads", "--reps", "--only", "--case", "--profile"]

  private static func count(_ value: String, of option: String) throws -> Int {
    guard let count = Int(value), count >= 1 else {
      throw Misuse(description: "\(option) is “\(value)”; whole numbers from 1 on are allowed.")
    }
    return count
  }

  /// The explanation of the options.
  static func usage(works: [String]) -> String {
    """
    Usage: colorloom-bench [options]

    Checks and times the package's pixel work, and prints a line of JSON for each case.

      --size NAME        Size of the pictures: \(sizes.map(\.name).joined(separator: ", ")). Default: 1m.
      --threads N        Threads. Default: 1.
      --reps N           Timed runs after a warm-up run. Default: 5.
      --only W1,W3       Workloads whose names begin with these. Default: all.
                         \(works.joined(separator: ", "))
      --case TEXT        Cases whose names begin with this; a number at its end is a whole one. Default: all.
      --profile FILE     CMYK profile of T1. Default: a small one of the fixtures.
      --help             Print this text.

    Exit status: 1 if a result is wrong or a bound is missed, 2 if an option is wrong or no case matches.

    """
  }
}
