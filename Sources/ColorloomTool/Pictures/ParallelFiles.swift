import Colorloom
import Dispatch
import Foundation
import ICCProfiles
import ImageFiles
import Synchronization

/// Processes many files, as many at once as there are threads, within the memory budget of the command. Files that do not fit into
/// a share of the budget are processed alone afterwards, in a batch while no other job runs. Failures are reported as they occur, and the
/// command ends as failed.
func forEachFile<Value: Sendable>(
  of inputs: [String], _ doing: String, in session: Session, alone: Bool = false,
  reportsFailures: Bool = true,
  _ work: @escaping (_ index: Int, _ input: String, _ session: Session) throws -> Value
) -> [Result<Value, any Error>] {
  let settings = session.settings
  let files = FilesAtWork(inputs, doing, session, reportsFailures: reportsFailures, work)
  let workers = alone ? 1 : min(settings.threadCount, inputs.count)
  var left = files.attemptAll(
    onThreads: workers, settings.share(of: workers),
    isLast: workers == 1 && settings.budget == nil)
  if workers > 1 {
    left = left.filter { !files.attempt($0, settings, isLast: settings.budget == nil) }
  }
  if let budget = settings.budget, !left.isEmpty {
    func attemptAll(_ settings: Settings) {
      for index in left { _ = files.attempt(index, settings, isLast: true) }
    }
    // A job with a limit of its own has no more memory when it is alone.
    if budget.isShared(settings) {
      budget.runAlone(settings, attemptAll)
    } else {
      attemptAll(settings)
    }
  }
  return files.finish(in: session)
}

/// Files that are processed on several threads, and their results.
private final class FilesAtWork<Value: Sendable>: Sendable {
  private let inputs: [String]
  private let doing: String
  private let reportsFailures: Bool
  private let console: Console
  private let progress: ProgressLine
  // Threads do not inherit it.
  private let isJobOfBatch = Tool.isJobOfBatch
  // Called on several threads at once.
  private nonisolated(unsafe) let work: (Int, String, Session) throws -> Value
  private let results = Mutex([Int: (value: Result<Value, any Error>, notes: [String])]())

  init(
    _ inputs: [String], _ doing: String, _ session: Session, reportsFailures: Bool,
    _ work: @escaping (Int, String, Session) throws -> Value
  ) {
    (self.inputs, self.doing, self.reportsFailures) = (inputs, doing, reportsFailures)
    (self.work, console, progress) = (work, session.console, session.progressLine())
  }

  /// Works on one file within some of the memory and threads; returns whether more of them would be of no help.
  func attempt(_ index: Int, _ settings: Settings, isLast: Bool) -> Bool {
    let one = Session(settings, console.forOneOfMany { [progress] in progress.clear() })
    let result = Result {
      try Tool.$isJobOfBatch.withValue(isJobOfBatch) { try work(index, inputs[index], one) }
    }
    if case .failure(let error) = result, !isLast, isTooMuchMemory(error) { return false }
    let done = results.withLock { results in
      results[index] = (result, one.notes)
      return results.count
    }
    progress.report(doing, "\(done) of \(inputs.count) pictures")(
      Double(done) / Double(inputs.count))
    if case .failure(let error) = result, reportsFailures {
      progress.clear()
      let name = "“\(inputs[index])”"
      let sentence = Tool.sentence(for: error, with: settings.options)
      console.complain(sentence.contains(name) ? sentence : "\(name): \(sentence)")
    }
    return true
  }

  /// Works on all files, on so many threads; returns those that more memory or threads may help.
  func attemptAll(onThreads workers: Int, _ settings: Settings, isLast: Bool) -> [Int] {
    let next = Atomic(0)
    let left = Mutex<[Int]>([])
    let group = DispatchGroup()
    for _ in 0..<workers {
      DispatchQueue(label: "colorloom.many").async(group: group) {
        while true {
          let index = next.add(1, ordering: .relaxed).oldValue
          guard index < self.inputs.count else { return }
          if !self.attempt(index, settings, isLast: isLast) { left.withLock { $0.append(index) } }
        }
      }
    }
    group.wait()
    return left.withLock { $0.sorted() }
  }

  /// Returns the results in the order of the files, and tells a session of notes and failures.
  func finish(in session: Session) -> [Result<Value, any Error>] {
    progress.clear()
    let all = results.withLock { $0 }
    return inputs.indices.compactMap { index in
      guard let one = all[index] else { return nil }
      session.add(notes: one.notes)
      if reportsFailures, case .failure = one.value { session.fail() }
      return one.value
    }
  }
}

/// Whether less work at once would have helped.
func isTooMuchMemory(_ error: any Error) -> Bool {
  switch error {
  case let step as StepError: isTooMuchMemory(step.error)
  case ImageFileError.tooMuchMemory, ImageFileError.tooMuchMemoryToWrite,
    ImageFileError.profile(_, .tooMuchMemory), ImageFileError.inkProfile(_, .tooMuchMemory),
    ImageFileError.rendering(.tooMuchMemory), RenderError.tooMuchMemory:
    true
  default: false
  }
}

extension Settings {
  /// The same settings for one of several commands that run at once.
  func share(of workers: Int) -> Settings {
    if workers < 2 { return self }
    var share = self
    share.threads = max(threadCount / workers, 1)
    share.memory = (memory ?? Self.defaultMemory) / workers
    return share
  }
}

extension Console {
  /// The same, without input and progress; `prepare` is called before each line of standard error.
  fileprivate func forOneOfMany(_ prepare: @escaping @Sendable () -> Void) -> Console {
    Console(
      nextInput: { nil }, print: printText, printJSON: printJSON,
      complain: { line in
        prepare()
        complain(line)
      }, flush: flush, ownsStreams: false, isWatched: false)
  }
}
