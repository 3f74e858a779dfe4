import Colorloom

/// An argument of a command line, and the property of `Target` that it sets.
///
/// The functions that create it are not specialized for every option: that would take time to build, and save none.
struct Argument<Target> {
  let synopsis: ArgumentSynopsis
  /// Reads as many words as there are placeholders.
  let take: (inout Target, [String]) throws -> Void

  /// `--name VALUE`. If it is given twice, `set` is called twice.
  @_semantics("optimize.sil.specialize.generic.never")
  static func option<Value>(
    _ name: String, _ parser: Parser<Value>, _ meaning: String, isRequired: Bool = false,
    set: @escaping (inout Target, Value) -> Void
  ) -> Argument {
    Argument(
      synopsis: ArgumentSynopsis(
        name: name, placeholders: parser.placeholders, meaning: meaning, isRequired: isRequired,
        completion: parser.completion)
    ) { target, words in
      // No option takes an empty text, path or name, which an unset variable of a shell would pass.
      if words == [""] { throw Misuse(of: name, "needs \(parser.needed), not “”.") }
      set(&target, try parser.value(of: words, for: name))
    }
  }

  @_semantics("optimize.sil.specialize.generic.never")
  static func option<Value>(
    _ name: String, _ parser: Parser<Value>, _ meaning: String, isRequired: Bool = false,
    _ path: WritableKeyPath<Target, Value>
  ) -> Argument {
    option(name, parser, meaning, isRequired: isRequired) { $0[keyPath: path] = $1 }
  }

  @_semantics("optimize.sil.specialize.generic.never")
  static func option<Value>(
    _ name: String, _ parser: Parser<Value>, _ meaning: String,
    _ path: WritableKeyPath<Target, Value?>
  ) -> Argument {
    option(name, parser, meaning) { $0[keyPath: path] = $1 }
  }

  /// `--name` alone.
  @_semantics("optimize.sil.specialize.generic.never")
  static func flag(
    _ name: String, _ meaning: String, set: @escaping (inout Target) -> Void
  ) -> Argument {
    Argument(synopsis: ArgumentSynopsis(name: name, meaning: meaning)) { target, _ in set(&target) }
  }

  @_semantics("optimize.sil.specialize.generic.never")
  static func flag(
    _ name: String, _ meaning: String, _ path: WritableKeyPath<Target, Bool>
  ) -> Argument {
    flag(name, meaning) { $0[keyPath: path] = true }
  }

  /// `--name` alone, which gives nil, or `--name=VALUE`. If it is given several times, `set` is called each time.
  @_semantics("optimize.sil.specialize.generic.never")
  static func flag<Value>(
    _ name: String, _ parser: Parser<Value>, _ meaning: String,
    set: @escaping (inout Target, Value?) -> Void
  ) -> Argument {
    var synopsis = ArgumentSynopsis(name: name, meaning: meaning, completion: parser.completion)
    (synopsis.takesValue, synopsis.optionalValue) = (true, parser.placeholders[0])
    return Argument(synopsis: synopsis) { target, words in
      set(&target, words.isEmpty ? nil : try parser.value(of: words, for: name))
    }
  }

  /// A required positional argument.
  @_semantics("optimize.sil.specialize.generic.never")
  static func positional<Value>(
    _ parser: Parser<Value>, _ meaning: String, _ path: WritableKeyPath<Target, Value>
  ) -> Argument {
    positional(parser, meaning, isRequired: true) { $0[keyPath: path] = $1 }
  }

  /// An optional positional argument.
  @_semantics("optimize.sil.specialize.generic.never")
  static func positional<Value>(
    _ parser: Parser<Value>, _ meaning: String, _ path: WritableKeyPath<Target, Value?>
  ) -> Argument {
    positional(parser, meaning, isRequired: false) { $0[keyPath: path] = $1 }
  }

  /// All remaining positional arguments.
  @_semantics("optimize.sil.specialize.generic.never")
  static func rest<Value>(
    _ parser: Parser<Value>, _ meaning: String, _ path: WritableKeyPath<Target, [Value]>
  ) -> Argument {
    positional(parser, meaning, isRequired: false, isRepeated: true) {
      $0[keyPath: path].append($1)
    }
  }

  @_semantics("optimize.sil.specialize.generic.never")
  private static func positional<Value>(
    _ parser: Parser<Value>, _ meaning: String, isRequired: Bool, isRepeated: Bool = false,
    set: @escaping (inout Target, Value) -> Void
  ) -> Argument {
    let name = parser.placeholders[0]
    return Argument(
      synopsis: ArgumentSynopsis(
        name: name, meaning: meaning, isRequired: isRequired, isRepeated: isRepeated,
        completion: parser.completion)
    ) { target, words in set(&target, try parser.value(of: words, for: name)) }
  }

  /// Returns the argument for a type that contains the target.
  @_semantics("optimize.sil.specialize.generic.never")
  func within<Outer>(_ path: WritableKeyPath<Outer, Target>) -> Argument<Outer> {
    Argument<Outer>(synopsis: synopsis) { try take(&$0[keyPath: path], $1) }
  }

  /// The same arguments, under a heading of their own in help.
  static func under(_ heading: String, _ arguments: [Argument]) -> [Argument] {
    arguments.map { Argument(synopsis: $0.synopsis.under(heading), take: $0.take) }
  }

  /// The same argument, which has no effect without one of some others: alone it is refused. Each call adds a rule.
  func needing(_ names: String...) -> Argument {
    var synopsis = synopsis
    synopsis.needs.append(names)
    return Argument(synopsis: synopsis, take: take)
  }

  /// The same argument, which is refused beside others: one of the two would have no effect.
  func excluding(_ names: String...) -> Argument {
    var synopsis = synopsis
    synopsis.excludes += names
    return Argument(synopsis: synopsis, take: take)
  }
}

/// The description of an argument for help, completion and the manual.
struct ArgumentSynopsis {
  /// The option, such as `--fit`, or the placeholder of a positional argument.
  let name: String
  /// The placeholders of the words after an option.
  var placeholders: [String] = []
  let meaning: String
  var isRequired = false
  var isRepeated = false
  var completion = Completion.none
  var heading = "Options"
  /// Whether it is a filter of the catalog, which help lists by name alone.
  var isFilter = false
  /// Whether a value may follow it after “=”, although it has no placeholder.
  var takesValue = false
  /// The placeholder of that value in help, where there is one.
  var optionalValue: String?
  /// Whether an option without placeholders takes the next word all the same.
  var takesWord: (String) -> Bool = { _ in false }
  /// The arguments without which it has no effect: one of each list must be given. Words of a choice count, too.
  var needs: [[String]] = []
  /// The arguments that may not be given beside it.
  var excludes: [String] = []

  var isOption: Bool { name.hasPrefix("--") }

  /// Whether it is a positional argument that is one of a few words, such as `info|convert|bake`.
  var isChoice: Bool { !isOption && name.contains("|") }

  /// The word of a choice that was typed, as help spells it; nil for another word.
  func choice(typedAs word: String) -> String? {
    name.split(separator: "|").map(String.init).first { isSameWord($0, word) }
  }

  /// The argument as help shows it.
  var label: String {
    ([name + (optionalValue.map { "[=\($0)]" } ?? "")] + placeholders).joined(separator: " ")
  }

  /// The same, under a heading of its own in help.
  func under(_ heading: String) -> ArgumentSynopsis {
    var argument = self
    argument.heading = heading
    return argument
  }

  /// How many words it takes after its name, or in place of it.
  var wordCount: Int { isOption ? placeholders.count : 1 }
}

/// What a shell offers for a word.
enum Completion: Equatable {
  case none
  case files
  case words([String])
}
