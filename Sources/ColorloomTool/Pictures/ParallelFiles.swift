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
  let progress = session.progressLine()
  nonisolated(unsafe) let work = work
  let (settings, console) = (session.settings, session.console)
  // Threads do not inherit it.
  let isJobOfBatch = Tool.isJobOfBatch
  let results = Mutex([Int: (value: Result<Value, any Error>, notes: [String])]())

  /// Works on one file within some of the memory and threads; returns whether more of them would be of no help.
  @Sendable func attempt(_ index: Int, _ settings: Settings, isLast: Bool) -> Bool {
    let one = Session(settings, console.forOneOfMany { progress.clear() })
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

  let workers = alone ? 1 : min(settings.threadCount, inputs.count)
  let share = settings.share(of: workers)
  let next = Mutex(0)
  let tooLarge = Mutex<[Int]>([])
  let group = DispatchGroup()
  for _ in 0..<workers {
    DispatchQueue(label: "colorloom.many").async(group: group) {
      while true {
        let index = next.withLock { next in
          defer { next += 1 }
          return next
        }
        guard index < inputs.count else { return }
        if !attempt(index, share, isLast: workers == 1 && settings.budget == nil) {
          tooLarge.withLock { $0.append(index) }
        }
      }
    }
  }
  group.wait()
  var left = tooLarge.withLock { $0.sorted() }
  if workers > 1 {
    left = left.filter { !attempt($0, settings, isLast: settings.budget == nil) }
  }
  if let budget = settings.budget, !left.isEmpty {
    func attemptAll(_ settings: Settings) {
      for index in left { _ = attempt(index, settings, isLast: true) }
    }
    // A job with a limit of its own has no more memory when it is alone.
    if budget.isShared(settings) {
      budget.runAlone(settings, attemptAll)
    } else {
      attemptAll(settings)
    }
  }
  progress.clear()
  let all = results.withLock { $0 }
  return inputs.indices.compactMap { index in
    guard let one = all[index] else { return nil }
    session.add(notes: one.notes)
    if reportsFailures, case .failure = one.value { session.fail() }
    return one.value
  }
}

/// Whether less work at once would have helped.
func isTooMuchMemory(_ error: any Error) -> Bool {
  switch error {
  case let step as StepError: isTooMuchMemory(step.error)
  case ImageFileError.tooMuchMemory, ImageFileError.profile(_, .tooMuchMemory),
    ImageFileError.inkProfile(_, .tooMuchMemory), ImageFileError.rendering(.tooMuchMemory),
    RenderError.tooMuchMemory:
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
