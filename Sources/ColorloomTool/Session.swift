/// The state of a running verb: its settings, its console and its exit status.
final class Session {
  let settings: Settings
  let console: Console
  /// How the command ends, unless an error is thrown.
  private(set) var status = Outcome.done

  init(_ settings: Settings, _ console: Console) {
    (self.settings, self.console) = (settings, console)
  }

  /// Prints a line to standard output.
  func print(_ line: String) { console.print(line) }

  /// Prints a value as a line of JSON.
  func print(json value: some Encodable) { console.printJSON(jsonLine(value)) }

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

/// How a command ends.
package enum Outcome: Int32, Sendable {
  case done = 0
  case failed = 1
  /// A usage error: other arguments would have helped, as opposed to another file or machine.
  case misused = 2
}
