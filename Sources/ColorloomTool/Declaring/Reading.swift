import ColorSpaces
import Foundation
import ImageFiles

/// A usage error: the command line cannot be parsed. The text says why, and what would be right.
struct Misuse: Error, CustomStringConvertible {
  let description: String
  /// What follows the argument that the description begins with; nil for other descriptions.
  private var predicate: String?

  init(_ description: String) { self.description = description }

  /// An error of an argument: `predicate` follows its name in quotation marks.
  init(of argument: String, _ predicate: String) {
    description = "“\(argument)” \(predicate)"
    self.predicate = predicate
  }

  /// The same error of another argument, if it begins with one.
  func about(_ argument: String) -> Misuse {
    predicate.map { Misuse(of: argument, $0) } ?? self
  }
}

/// An error of a valid command that cannot be carried out. The text says why.
struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

extension Verb {
  /// Returns the verb that the words after its name describe. Settings of every verb go to `settings`, wherever they stand.
  static func read(_ words: ArraySlice<String>, settings: inout Settings) throws -> Self {
    var verb = Self()
    let arguments = arguments
    settings.options = Set(arguments.map(\.synopsis.name))
    var command = CommandWords(of: makeSynopsis(with: arguments))
    try command.read(words, &settings)
    if settings.showsHelp { return verb }
    // Files that the words name are read within the limits of the settings, which may stand after them.
    try Tool.$fileLimits.withValue(settings.fileLimits) {
      for found in command.found {
        let argument = arguments[found.index]
        do { try argument.take(&verb, found.words) } catch let misuse as Misuse {
          // The placeholder “info|convert|bake” is nothing that anyone typed.
          throw argument.synopsis.isChoice ? misuse.about(Self.name) : misuse
        }
      }
    }
    try command.checkArguments()
    return verb
  }
}

/// The words after the name of a verb, by the arguments that they belong to.
private struct CommandWords {
  private let verb: VerbSynopsis
  /// The verb as errors call it, such as “look bake”.
  private var title: String
  /// The indices of the given arguments, with the words of each, in the order of the command line.
  private(set) var found: [OptionWord.Found] = []
  /// The names of the given arguments, and the given words of choices.
  private var given: Set<String> = []
  /// The indices of the positional arguments that may follow.
  private var positionals: ArraySlice<Int>
  private var optionsAreOver = false
  /// The step before, if a value could follow it after “=”.
  private var step: ArgumentSynopsis?

  init(of verb: VerbSynopsis) {
    (self.verb, title) = (verb, verb.name)
    positionals = verb.arguments.indices.filter { !verb.arguments[$0].isOption }[...]
  }

  /// Reads all words. Settings of every verb go to `settings`.
  mutating func read(_ words: ArraySlice<String>, _ settings: inout Settings) throws {
    var words = words
    while let word = words.popFirst() {
      let previous = step
      step = nil
      if word == "--", !optionsAreOver {
        optionsAreOver = true
      } else if OptionWord.isOne(word), !optionsAreOver {
        try readOption(word, &words, &settings)
      } else {
        if let previous {
          settings.wordsAfterSteps.append(
            WordAfterStep(step: previous.name, word: word, isPossible: previous.takesValue))
        }
        try readPositional(word, settings)
      }
    }
  }

  /// Reads an option and the words that belong to it.
  private mutating func readOption(
    _ word: String, _ words: inout ArraySlice<String>, _ settings: inout Settings
  ) throws {
    let option = try OptionWord(word, before: words.first)
    given.insert(option.name)
    let rest = words.count
    if let argument = try option.take(from: verb.arguments, &words) {
      found.append(argument)
      let synopsis = verb.arguments[argument.index]
      if synopsis.name == word, synopsis.isFilter || synopsis.takesValue, words.count == rest {
        step = synopsis
      }
    } else if try !option.take(from: Settings.arguments, &words, into: &settings) {
      throw option.isUnknown(to: verb, called: title)
    }
  }

  private mutating func readPositional(_ word: String, _ settings: Settings) throws {
    guard let index = positionals.first else {
      throw isTooMany(word, settings)
    }
    let argument = verb.arguments[index]
    found.append((index, [word]))
    given.insert(argument.name)
    if argument.isChoice {
      let choice = argument.choice(typedAs: word) ?? word
      given.insert(choice)
      if index == verb.arguments.firstIndex(where: { !$0.isOption }) {
        title += " \(beginning(of: choice))"
      }
    }
    if !argument.isRepeated { positionals.removeFirst() }
  }

  /// The error of a word after all positional arguments.
  private func isTooMany(_ word: String, _ settings: Settings) -> Misuse {
    // The title has the word of a choice.
    let names = verb.arguments.filter { !$0.isOption && !$0.isChoice }.map(\.name)
    let taken = names.isEmpty ? "options only" : names.joined(separator: " ")
    return Misuse(
      "“\(title)” takes \(taken); “\(beginning(of: word))” is one word too many."
        + settings.hintOnSteps)
  }

  /// Throws where a required argument is missing, or where one has no effect beside the others.
  func checkArguments() throws {
    let missing = verb.arguments.filter { $0.isRequired && !given.contains($0.name) }
    guard missing.isEmpty else {
      throw Misuse(
        "“\(title)” needs \(missing.map(\.label).joined(separator: " and ")). "
          + "For example: \(verb.example)")
    }
    for argument in verb.arguments where given.contains(argument.name) {
      try argument.checkEffect(beside: given)
    }
  }
}

extension ArgumentSynopsis {
  /// Throws where it has no effect because of which other arguments are given.
  fileprivate func checkEffect(beside given: Set<String>) throws {
    for needs in needs where given.isDisjoint(with: needs) {
      let others = needs.map { "“\($0)”" }.joined(separator: ", ")
      let missing = needs.count == 1 ? others : "one of \(others)"
      throw Misuse("“\(name)” has no effect without \(missing). Add that, or leave out “\(name)”.")
    }
    if let other = excludes.first(where: given.contains) {
      throw Misuse("“\(name)” and “\(other)” cannot both have an effect. Leave one of them out.")
    }
  }
}

/// A word that stands where a file is expected, after a step that has no value.
struct WordAfterStep {
  let step, word: String
  /// Whether the step takes values.
  let isPossible: Bool
}

extension Settings {
  /// A sentence on a word that may be meant as the value of the step before it; empty where there is none.
  var hintOnSteps: String {
    let stray = wordsAfterSteps.first {
      !FileManager.default.fileExists(atPath: $0.word)
        && ImageFileFormat(ofFileNamed: $0.word) == nil
    }
    return stray.map {
      let word = beginning(of: $0.word)
      return $0.isPossible
        ? " If “\(word)” is the value of “\($0.step)”, write \($0.step)=\(shellWord(word))."
        : " “\(word)” does not exist, and “\($0.step)” takes no value."
    } ?? ""
  }
}

/// Returns a word as it is typed into a shell: in quotation marks where it has blanks or signs that may have a meaning there.
func shellWord(_ word: String) -> String {
  let isPlain = word.allSatisfy { $0.isLetter || $0.isNumber || "-.,=:/+".contains($0) }
  return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
}

/// `--name` or `--name=value`; the name may be a short form.
struct OptionWord {
  let name: String
  private let attached: String?

  /// Whether a word is an option: two dashes, or one and a letter, unless it is a number such as -inf or a row of several.
  static func isOne(_ word: String) -> Bool {
    word.hasPrefix("--")
      || word.hasPrefix("-") && word.dropFirst().first?.isLetter == true && Double(word) == nil
        && !word.contains(where: \.isWhitespace)
  }

  /// The long forms of `-h`, `-o` and `-q`.
  private static let longForms = ["-h": "--help", "-o": "--out", "-q": "--quiet"]

  /// Parses an option. Throws where `next`, the word after it, shows that “-q” is meant as the quality of a file.
  init(_ word: String, before next: String?) throws {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let typed = String(parts[0])
    name = Self.longForms[typed] ?? typed
    attached = parts.count == 2 ? String(parts[1]) : nil
    if typed == "-q", let quality = attached ?? next, Int(quality) != nil {
      throw Misuse(
        "“-q” is short for --quiet. For the quality of a file write --quality \(quality).")
    }
  }

  /// The index of an argument, and the words that belong to it.
  typealias Found = (index: Int, words: [String])

  /// Reads the option and the words that belong to it, if it is one of `arguments`.
  func take<Target>(
    from arguments: [Argument<Target>], _ words: inout ArraySlice<String>, into target: inout Target
  ) throws -> Bool {
    guard let found = try take(from: arguments.map(\.synopsis), &words) else { return false }
    try arguments[found.index].take(&target, found.words)
    return true
  }

  /// Takes the words that belong to the option; returns nil where it is not one of `arguments`.
  func take(
    from arguments: [ArgumentSynopsis], _ words: inout ArraySlice<String>
  ) throws -> Found? {
    guard let index = arguments.firstIndex(where: { $0.name == name }) else { return nil }
    let synopsis = arguments[index]
    var values = attached.map { [$0] } ?? []
    if attached == nil, synopsis.wordCount == 0, let word = words.first, synopsis.takesWord(word) {
      values.append(words.removeFirst())
    }
    let missing = synopsis.wordCount - values.count
    guard missing >= 0 || synopsis.isFilter || synopsis.takesValue else {
      throw Misuse("“\(name)” takes no value, but “=” follows it.")
    }
    values += words.prefix(max(missing, 0))
    words = words.dropFirst(max(missing, 0))
    return (index, values)
  }

  /// The error that no such option stands before a verb.
  var isUnknownBeforeVerbs: Misuse {
    let known = Settings.synopses.filter(\.isOption).map(\.name) + ["--version"]
    return Misuse(
      "“colorloom” has no option “\(beginning(of: name))”.\(didYouMean(name, among: known)) Options of a verb stand after it; “colorloom "
        + "help” lists the verbs.")
  }

  /// The error that a verb has no such option; `title` is what the error calls the verb.
  func isUnknown(to verb: VerbSynopsis, called title: String? = nil) -> Misuse {
    let known = (verb.arguments + Settings.synopses).filter(\.isOption).map(\.name)
    return Misuse(
      "“\(title ?? verb.name)” has no option “\(beginning(of: name))”.\(didYouMean(name, among: known)) "
        + "“colorloom \(verb.name) --help” lists them all.")
  }
}
