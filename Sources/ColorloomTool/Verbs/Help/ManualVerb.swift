import Colorloom
import ImageFiles

final class ManualVerb: Verb {
  static let name = "manual"
  static let summary = "print the manual page"
  static let example = "colorloom manual > colorloom.1"
  static var arguments: [Argument<ManualVerb>] { [] }

  func run(in session: Session) throws {
    let synopses = Tool.verbs.map { $0.synopsis }
    session.printText(".TH COLORLOOM 1")
    session.printText(".SH NAME\ncolorloom \\- color-managed image filters")
    session.printText(".SH SYNOPSIS")
    for verb in synopses { session.printText("colorloom \(roff(verb.usage))\n.br") }
    session.printText(".SH VERBS")
    for verb in synopses {
      session.printText(".SS \(roff(verb.name))\n\(roff(verb.summary)).")
      if !verb.discussion.isEmpty { session.printText(".PP\n\(roff(verb.discussion))") }
      verb.arguments.filter { !$0.isFilter }.forEach { session.printText(entry(for: $0)) }
      if verb.arguments.contains(where: \.isFilter) {
        session.printText(".PP\n\(roff("The filters listed below are steps, too."))")
      }
      session.printText(".PP\nExample:\n.PP\n.RS 4\n\(roff(verb.example))\n.RE")
    }
    session.printText(".SH FILTERS")
    for entry in Tool.catalog.entries {
      let names = [entry.step] + entry.aliases.map { "--\($0.name)" }
      session.printText(
        ".TP\n\\fB\(roff(names.joined(separator: ", ")))\\fR\n\(roff(entry.summary))")
      for line in [entry.fileLine].compactMap(\.self) + entry.parameters.map(\.line) {
        session.printText(".br\n\(roff(line))")
      }
    }
    session.printText(".SH OPTIONS FOR EVERY VERB")
    Settings.synopses.forEach { session.printText(entry(for: $0)) }
    session.printText(".SH EXIT STATUS\n0 done, 1 failed or answered “no”, 2 misused.")
  }

  private func entry(for argument: ArgumentSynopsis) -> String {
    ".TP\n\\fB\(roff(argument.label))\\fR\n\(roff(argument.meaning))"
  }

  /// The text with nothing in it that the page's language would read as a command.
  private func roff(_ text: String) -> String {
    let escaped = text.map { letter in
      switch letter {
      case "\\": "\\e"
      case "-": "\\-"
      case "\n": " "
      default: String(letter)
      }
    }.joined()
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }
}
