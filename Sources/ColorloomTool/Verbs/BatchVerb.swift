import Colorloom
import Dispatch
import Synchronization

final class BatchVerb: Verb {
  static let name = "batch"
  static let summary = "run jobs from standard input, one JSON object per line"
  static let discussion = """
    A job is {"id": 1, "run": ["convert", "in.png", "out.png", "--to", "sRGB"]}: the words of a command line, any id (integers: signed, \
    64-bit), and, where the command reads rows, {"input": ["1 0 0"]}. Its result is a line too, in the order of the jobs: the id, or the \
    number of the line where there is none; the exit status; the lines of output and of errors, and the report of verbs with --json: a \
    list where there are several, such as those of many files. A line of more than 16 MiB is no job. A job that fails stops no other, and \
    the batch itself ends with 0 when every job has its result. The memory and the threads of the batch are divided equally among --jobs; \
    a job that needs more memory than its share runs while no other does.
    """
  static let example = "colorloom batch --jobs 4 < jobs.jsonl > results.jsonl"
  static var arguments: [Argument<BatchVerb>] {
    [
      .option("--jobs", .wholeNumber(from: 1), "number of jobs to run at once; default: 1", \.jobs)
    ]
  }

  var jobs = 1

  private struct Job {
    let run, input: [String]

    private static let members = ["id", "run", "input"]
    private static let form = #"A job is a JSON object such as {"id": 1, "run": ["spaces"]}."#

    /// Returns the JSON of a line. Throws where it is none.
    static func value(of line: InputLine) throws -> RecipeValue {
      if let problem = line.problem { throw Misuse(problem) }
      do throws(RecipeDecodingError) { return try RecipeValue(json: line.text) } catch {
        guard case .notJSON(_, let column, let problem) = error else { throw Misuse("\(error)") }
        throw Misuse("It is not JSON at column \(column): \(problem). \(form)")
      }
    }

    /// Creates the job that a line describes. Throws where it describes none.
    init(_ line: RecipeValue) throws {
      guard case .object(let members) = line else { throw Misuse(Self.form) }
      for name in members.map(\.name) where !Self.members.contains(name) {
        throw Misuse(
          "A job has no member “\(beginning(of: name))”.\(didYouMean(name, among: Self.members)) Its members are id, run "
            + "and input.")
      }
      if line["id"]?.isExact == false { throw Misuse(inexactID) }
      guard let run = line["run"] else { throw Misuse("It has no “run”. \(Self.form)") }
      guard let words = run.texts else {
        throw Misuse(#"“run” is a list of words, such as ["spaces"]."#)
      }
      guard let input = (line["input"] ?? .array([])).texts else {
        throw Misuse(#"“input” is a list of rows, such as ["1 0 0"]."#)
      }
      (self.run, self.input) = (words, input)
    }
  }

  private struct Result: Encodable {
    let id: RecipeValue
    let status: Int32
    let output, errors: [String]
    let report: RecipeValue?
  }

  func run(in session: Session) throws {
    let settings = session.settings
    let jobsAtOnce = Settings.jobsAtOnce(jobs, stacks: MachineMemory.addressSpace?.threads)
    let budget = jobsAtOnce > 1 ? SharedBudget(settings, among: jobsAtOnce) : nil
    let results = OrderedLines(session.console)
    let workers = DispatchSemaphore(value: jobsAtOnce)
    let work = DispatchGroup()
    // Also where standard input cannot be read any further.
    defer { work.wait() }
    var count = 0
    while results.failure == nil, let line = try session.console.nextInput() {
      let index = count
      count += 1
      workers.wait()
      DispatchQueue.global().async(group: work) {
        results.put(Self.answer(to: line, number: index + 1, settings, budget), at: index)
        workers.signal()
      }
    }
    work.wait()
    if let failure = results.failure { throw failure }
  }

  /// The line that answers a line.
  private static func answer(
    to line: InputLine, number: Int, _ settings: Settings, _ budget: SharedBudget?
  ) -> String {
    let value = Swift.Result { try Job.value(of: line) }
    let id = (try? value.get())?["id"]
    let recording: Recording
    var status = Outcome.misused
    do {
      (recording, status) = try run(Job(value.get()), settings, budget)
    } catch {
      recording = Recording()
      recording.console.complain("Line \(number) is no job. \(error)")
    }
    let lines = recording.lines
    let reports = lines.json.compactMap { try? RecipeValue(json: $0) }
    return jsonLine(
      Result(
        id: id.flatMap { $0.isExact ? $0 : nil } ?? .integer(number),
        status: status.rawValue, output: lines.output, errors: lines.errors,
        report: reports.count > 1 ? .array(reports) : reports.first))
  }

  /// Runs a job within its share of the budget, and again alone where it needs more memory. What the first attempt wrote is no result
  /// that existed before the job.
  private static func run(
    _ job: Job, _ settings: Settings, _ budget: SharedBudget?
  ) -> (recording: Recording, status: Outcome) {
    guard let budget else {
      let recording = Recording(input: job.input)
      return (recording, Tool.run(job.run, on: recording.console, settings: settings))
    }
    return Tool.$resultsWritten.withValue(ResultsWritten()) {
      budget.run { share in
        let recording = Recording(input: job.input)
        var needsMore = false
        let status = Tool.run(job.run, on: recording.console, settings: share) { error, settings in
          needsMore = isTooMuchMemory(error) && budget.isShared(settings)
        }
        guard needsMore else { return (recording, status) }
        return budget.runAlone(share) { whole in
          let recording = Recording(input: job.input)
          return (recording, Tool.run(job.run, on: recording.console, settings: whole))
        }
      }
    }
  }
}

/// Why an id that would come back changed is refused.
private let inexactID =
  "Its id has a number outside −2⁶³…2⁶³−1, or from 2⁵³ up with a decimal point or an exponent. "
  + "Write it as a text, in quotation marks."

extension RecipeValue {
  /// Whether all integers are those of the text. Signed 64-bit integers are. All other numbers are read as doubles, which hold every
  /// integer below 2⁵³ only; long fractions are rounded.
  fileprivate var isExact: Bool {
    switch self {
    case .number(let value): value.magnitude < 0x1p53
    case .array(let values): values.allSatisfy(\.isExact)
    case .object(let members): members.allSatisfy(\.value.isExact)
    default: true
    }
  }

  /// The member of an object; nil where there is none, or null.
  fileprivate subscript(name: String) -> RecipeValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name && $0.value != .null }?.value
  }

  /// The texts of a list; nil where it is no list of texts.
  fileprivate var texts: [String]? {
    guard case .array(let values) = self else { return nil }
    let texts = values.compactMap { value in
      if case .string(let text) = value { text } else { nil as String? }
    }
    return texts.count == values.count ? texts : nil
  }
}

/// Lines that are printed in the order of their numbers, each as soon as those before it are there.
private final class OrderedLines: Sendable {
  private let console: Console
  private let state = Mutex(State())

  private struct State {
    var next = 0
    var waiting: [Int: String] = [:]
    var failure: (any Error)?
  }

  init(_ console: Console) { self.console = console }

  /// Why lines did not arrive.
  var failure: (any Error)? { state.withLock(\.failure) }

  func put(_ line: String, at index: Int) {
    state.withLock { state in
      state.waiting[index] = line
      while let line = state.waiting.removeValue(forKey: state.next) {
        console.print(line)
        state.next += 1
      }
      do { try console.flush() } catch { state.failure = error }
    }
  }
}
