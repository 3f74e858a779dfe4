/// A verb at work: the settings it runs with, where its words go, and how it ends.
final class Session {
  let settings: Settings
  let console: Console
  /// How the command ends, unless an error is thrown.
  private(set) var status = ExitStatus.done

  init(_ settings: Settings, _ console: Console) {
    (self.settings, self.console) = (settings, console)
  }

  /// Prints a line to standard output.
  func print(_ line: String) { console.print(line) }

  /// Says on standard error what failed; the command goes on, and ends as failed.
  func fail(_ sentence: String) {
    status = .failed
    console.complain(sentence)
  }

  /// Progress for a person who watches.
  func progressLine() -> ProgressLine {
    ProgressLine(isShown: console.isWatched && !settings.isQuiet)
  }
}

/// How a command ends.
package enum ExitStatus: Int32, Sendable {
  case done = 0
  case failed = 1
  /// Other words would have helped, as opposed to another file or machine.
  case misused = 2
}
