/// One thing that the tool does: a type that declares its arguments, holds what they said, and runs.
///
/// A verb is one file in `Verbs` and one line in ``Tool/verbs``. Parsing, help, completions and the manual are derived from what it
/// declares.
protocol Verb {
  /// The word that calls it.
  static var name: String { get }
  /// What it does, in a line that goes on after the name.
  static var summary: String { get }
  /// What there is to know beyond the arguments; nothing if empty.
  static var discussion: String { get }
  /// A command line that works.
  static var example: String { get }
  /// What may stand after its name.
  static var arguments: [Argument<Self>] { get }

  /// The verb before anything was said.
  init()
  /// Does it.
  func run(in session: Session) throws
}

extension Verb {
  static var discussion: String { "" }

  static var synopsis: VerbSynopsis {
    VerbSynopsis(
      name: name, summary: summary, discussion: discussion, example: example,
      arguments: arguments.map(\.synopsis))
  }
}

/// What people and shells must know of a verb.
struct VerbSynopsis {
  let name, summary, discussion, example: String
  let arguments: [ArgumentSynopsis]

  /// How it is called: `convert IN [OUT] [options]`.
  var usage: String {
    let required = arguments.filter { $0.isOption && $0.isRequired }.map(\.label)
    let others = arguments.contains { $0.isOption && !$0.isRequired } ? ["[options]"] : []
    let positionals = arguments.filter { !$0.isOption }.map { argument in
      let label = argument.isRepeated ? "\(argument.label)…" : argument.label
      return argument.isRequired ? label : "[\(label)]"
    }
    return ([name] + required + positionals + others).joined(separator: " ")
  }
}
