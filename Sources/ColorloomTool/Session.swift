import Colorloom
import ImageFiles
import PlatformLibc

/// The state of a running verb: its settings, its console and its exit status.
final class Session {
  let settings: Settings
  let console: Console
  /// How the command ends, unless an error is thrown.
  private(set) var status = Outcome.done
  /// Whether standard output holds a file, so that lines go to standard error.
  private var outputIsFile = false
  /// What standard error was told beside errors. Every report has them as “notes”.
  private(set) var notes: [String] = []
  /// The picture of a step that standard input holds, and its path; nil where no step has read one.
  var pictureOfStandardInput: (path: String, picture: PictureInWindow)?

  init(_ settings: Settings, _ console: Console) {
    (self.settings, self.console) = (settings, console)
  }

  /// Prints a line to standard output, or to standard error where a file goes to standard output.
  func print(_ line: String) {
    if outputIsFile { console.complain(line) } else { console.print(line) }
  }

  /// Prints a text of several lines to standard output, or to standard error where a file goes to standard output.
  func printText(_ text: String) {
    guard outputIsFile else { return console.printText(text) }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      console.complain(String(line))
    }
  }

  /// Reserves standard output for a file whose path is “-” or leads there. Throws where it is in use.
  func reserveOutput(for path: String?, hasReport: Bool) throws {
    guard let path else { return }
    try refuseForeignStream(path, STDOUT_FILENO)
    guard isStandardOutput(path) else { return }
    if hasReport {
      throw Misuse(
        "--json cannot print its report while a file goes to standard output. Name a file, or leave out --json."
      )
    }
    outputIsFile = true
  }

  /// Writes a text about pictures that have been written. The error says that they stay: they took the time, and are of use without it.
  func write(_ text: String, to path: String, about pictures: [String]) throws {
    do throws(ImageFileError) { try writeFile(Array(text.utf8), to: path) } catch {
      let names = pictures.map { "“\($0)”" }.joined(separator: ", ")
      throw Failure(
        Tool.sentence(for: error, with: settings.options)
          + " The \(pictures.count == 1 ? "picture was" : "pictures were") written nevertheless: \(names)."
      )
    }
  }

  /// Prints a value as a line of JSON: an object, to which the notes are added, if there are any.
  ///
  /// Notes of the value itself are kept, except those that a note of the command repeats.
  func print(json value: some Encodable) {
    if notes.isEmpty { return console.printJSON(jsonLine(value)) }
    let untold = ((value as? any NotingReport)?.notes ?? []).filter { note in
      !notes.contains { $0.contains(note) }
    }
    console.printJSON(jsonLine(NotedReport(report: value, notes: notes + untold)))
  }

  /// Reports on standard error, and in the report, what a person may want to know. It is no failure.
  ///
  /// A note that several results of one source share is told once.
  func note(_ sentence: String) {
    if notes.suffix(8).contains(sentence) { return }
    notes.append(sentence)
    console.complain(sentence)
  }

  /// Adds the notes of a session that worked on a part of the command, and printed them.
  func add(notes more: [String]) { notes += more }

  /// Reports a failure on standard error; the command continues, and ends as failed.
  func fail(_ sentence: String) {
    fail()
    console.complain(sentence)
  }

  /// The command goes on, and ends as failed.
  func fail() { status = .failed }

  /// Progress for a person who watches.
  func progressLine() -> ProgressLine {
    ProgressLine(isShown: console.isWatched && !settings.isQuiet)
  }
}

/// A report with notes of its own, such as those on how a file was interpreted.
protocol NotingReport: Encodable {
  var notes: [String] { get }
}

/// A report, and the notes of the whole command as one more property in place of its own.
private struct NotedReport: Encodable {
  let report: any Encodable
  let notes: [String]

  private enum Key: CodingKey { case notes }

  func encode(to encoder: any Encoder) throws {
    try report.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(notes, forKey: .notes)
  }
}

/// How a command ends.
package enum Outcome: Int32, Sendable {
  case done = 0
  case failed = 1
  /// A usage error: other arguments would have helped, as opposed to another file or machine.
  case misused = 2
}
