import Colorloom
import ImageFiles

final class ManualVerb: Verb {
  static let name = "manual"
  static let summary = "print the manual page"
  static let example = "colorloom manual > colorloom.1"
  static var arguments: [Argument<ManualVerb>] { [] }

  func run(in session: Session) throws {
    let synopses = Tool.verbs.map { $0.synopsis }
    session.print(".TH COLORLOOM 1")
    session.print(".SH NAME\ncolorloom \\- color-managed image filters")
    session.print(".SH SYNOPSIS")
    for verb in synopses { session.print("colorloom \(roff(verb.usage))\n.br") }
    session.print(".SH VERBS")
    for verb in synopses {
      session.print(".SS \(roff(verb.name))\n\(roff(verb.summary)).")
      if !verb.discussion.isEmpty { session.print(".PP\n\(roff(verb.discussion))") }
      verb.arguments.filter { !$0.isFilter }.forEach { session.print(entry(for: $0)) }
      if verb.arguments.contains(where: \.isFilter) {
        session.print(".PP\n\(roff("The filters listed below are steps, too."))")
      }
      session.print(".PP\nExample:\n.PP\n.RS 4\n\(roff(verb.example))\n.RE")
    }
    session.print(".SH FILTERS")
    for entry in Tool.catalog.entries {
      let names =
        ["--\(entry.name) \(entry.stepPlaceholder())"] + entry.aliases.map { "--\($0.name)" }
      session.print(".TP\n\\fB\(roff(names.joined(separator: ", ")))\\fR\n\(roff(entry.summary))")
      for parameter in entry.parameters { session.print(".br\n\(roff(parameter.line))") }
    }
    session.print(".SH OPTIONS FOR EVERY VERB")
    Settings.synopses.forEach { session.print(entry(for: $0)) }
    session.print(".SH EXIT STATUS\n0 done, 1 failed, 2 misused.")
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
