/// A command of the tool: a class that declares its arguments, stores their values, and runs.
///
/// A verb is one file in `Verbs` and one line in ``Tool/verbs``. Parsing, help, completions and the manual are derived from its
/// declaration. Verbs are classes because the compiler writes code for each type of value to copy and destroy all of its options: 389 KB.
protocol Verb: AnyObject {
  /// The word that calls the verb.
  static var name: String { get }
  /// A one-line summary in the imperative, without a capital and a period.
  static var summary: String { get }
  /// Further explanations for help; may be empty.
  static var discussion: String { get }
  /// A valid command line.
  static var example: String { get }
  /// The arguments after the name.
  static var arguments: [Argument<Self>] { get }

  /// Whether the verb applies no steps but those of recipe files, so that a picture that cannot be rendered is the fault of a file.
  var stepsAreOfFiles: Bool { get }

  /// Creates the verb with default values.
  init()
  /// Runs the verb.
  func run(in session: Session) throws
}

extension Verb {
  static var discussion: String { "" }

  var stepsAreOfFiles: Bool { false }

  static var synopsis: VerbSynopsis { makeSynopsis(with: arguments) }

  /// Returns the description of the verb with its arguments, which take time to make.
  static func makeSynopsis(with arguments: [Argument<Self>]) -> VerbSynopsis {
    VerbSynopsis(
      name: name, summary: summary, discussion: discussion, example: example,
      arguments: arguments.map(\.synopsis))
  }
}

/// The description of a verb for help, completion and the manual.
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
