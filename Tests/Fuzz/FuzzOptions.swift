import Foundation

/// The command line options.
struct FuzzOptions {
  static let usage = """
    usage: colorloom-fuzz [options]
      --format A,B   Read these formats only; `--format list` names them. Default: all.
      --count N      Inputs of each format. Default: 10000.
      --seed N       Seed of the mutations. Default: 1.
      --jobs N       Worker processes at a time. Default: one for each core.
      --seconds N    Processor time after which an input counts as a hang. Default: 2, in debug builds 20.
      --save DIR     Folder for inputs that fail. Default: fuzz-findings in the temporary folder.
      --index N      Read one input again, in this process.
      --input FILE   Read a saved input, in this process.
    """

  var formats: [String] = []
  var count = 10_000
  var seed: UInt64 = 1
  var jobs = ProcessInfo.processInfo.activeProcessorCount
  #if DEBUG
    var seconds = 20
  #else
    var seconds = 2
  #endif
  var folder = FileManager.default.temporaryDirectory.appending(path: "fuzz-findings").path
  var index: Int?
  var input: String?
  /// The options of a worker process: the first index, and the file in which it records its progress.
  var worker: (first: Int, progress: String)?

  struct Mistake: Error, CustomStringConvertible { let description: String }

  init(_ arguments: [String]) throws {
    var words = arguments[...]
    while let option = words.popFirst() {
      guard let value = words.popFirst() else {
        throw Mistake(description: "\(option) needs a value, or is no option.\n\(Self.usage)")
      }
      func number(_ range: ClosedRange<Int>) throws -> Int {
        guard let number = Int(value), range.contains(number) else {
          throw Mistake(
            description: "\(option) takes \(range.lowerBound) to \(range.upperBound), not \(value)."
          )
        }
        return number
      }
      switch option {
      case "--format": formats = value.split(separator: ",").map(String.init)
      case "--count": count = try number(1...1_000_000_000)
      case "--seed": seed = UInt64(try number(0...Int.max))
      case "--jobs": jobs = try number(1...256)
      case "--seconds": seconds = try number(1...3600)
      case "--save": folder = value
      case "--index": index = try number(0...Int.max)
      case "--input": input = value
      case "--worker":
        let parts = value.split(separator: ",", maxSplits: 1)
        guard parts.count == 2, let first = Int(parts[0]) else {
          throw Mistake(description: "--worker is for the program itself.")
        }
        worker = (first, String(parts[1]))
      default: throw Mistake(description: "\(option) is no option.\n\(Self.usage)")
      }
    }
  }
}
