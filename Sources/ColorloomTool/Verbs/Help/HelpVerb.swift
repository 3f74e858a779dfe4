import ImageFiles

final class HelpVerb: Verb {
  static let name = "help"
  static let summary = "list the verbs, or explain one"
  static let example = "colorloom help convert"
  static var arguments: [Argument<HelpVerb>] {
    [
      .positional(
        Parser(
          "VERB", needed: "a verb", completion: .words(Tool.verbs.map { $0.name }),
          read: Tool.verb(named:)), "the verb to explain", \.verb)
    ]
  }

  var verb: (any Verb.Type)?

  func run(in session: Session) throws {
    session.printText(verb.map { helpText(of: $0.synopsis) } ?? overview)
  }

  private var overview: String {
    let verbs = Tool.verbs.map { (label: $0.name, meaning: $0.summary) }
    return [
      "colorloom: color-managed image filters", "usage: colorloom VERB …", section("Verbs", verbs),
      sections(of: Settings.synopses),
      "“colorloom VERB --help” explains a verb, with an example.\n"
        + "“-” in place of a file is standard input or output. A picture on standard\n"
        + "input is read to its end before work begins: into memory if it is small, else\n"
        + "into a temporary file in the folder TMPDIR, of at most \(FileLimits().bytes >> 30) GiB without\n"
        + "--max-pixels.\n"
        + "Exit status: 0 done, 1 failed or answered “no”, 2 misused.",
    ].joined(separator: "\n\n")
  }
}

/// What `colorloom VERB --help` prints.
func helpText(of verb: VerbSynopsis) -> String {
  [
    wrapped("colorloom \(verb.name): \(verb.summary)", indent: 0), "usage: colorloom \(verb.usage)",
    wrapped(verb.discussion, indent: 0),
    sections(of: verb.arguments.filter { !$0.isOption }.map { $0.under("Arguments") }),
    sections(of: verb.arguments.filter(\.isOption) + Settings.synopses),
    "Example:\n  \(verb.example)",
  ].filter { !$0.isEmpty }.joined(separator: "\n\n")
}

/// The arguments under their headings.
private func sections(of arguments: [ArgumentSynopsis]) -> String {
  var headings: [String] = []
  for argument in arguments where !headings.contains(argument.heading) {
    headings.append(argument.heading)
  }
  return headings.map { heading in
    let arguments = arguments.filter { $0.heading == heading }
    // The filters have a verb of their own that explains them.
    if arguments.allSatisfy(\.isFilter) { return names(heading, arguments) }
    return section(heading, arguments.map { (label: $0.label, meaning: $0.meaning) })
  }.joined(separator: "\n\n")
}

private func names(_ heading: String, _ arguments: [ArgumentSynopsis]) -> String {
  "\(heading) (“colorloom filters NAME” explains one):\n"
    + wrapped(arguments.map(\.name).joined(separator: " "), indent: 2)
}

private func section(_ heading: String, _ lines: [(label: String, meaning: String)]) -> String {
  let column = 26
  let texts = lines.map { label, meaning in
    let text = wrapped(meaning, indent: column)
    return label.count + 4 > column
      ? "  \(label)\n\(text)" : "  \(label)" + text.dropFirst(label.count + 2)
  }
  return "\(heading):\n" + texts.joined(separator: "\n")
}

/// The text in lines of at most 80 letters, each indented.
private func wrapped(_ text: String, indent: Int) -> String {
  let margin = String(repeating: " ", count: indent)
  var lines: [String] = []
  for word in text.split(whereSeparator: \.isWhitespace) {
    if let last = lines.last, last.count + 1 + word.count <= 80 {
      lines[lines.count - 1] += " \(word)"
    } else {
      lines.append(margin + word)
    }
  }
  return lines.joined(separator: "\n")
}
