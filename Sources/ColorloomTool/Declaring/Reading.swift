import Foundation
import ImageFiles

/// A usage error: the command line cannot be parsed. The text says why, and what would be right.
struct Misuse: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
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
    /// The verb as errors call it, such as “look bake”.
    var title = name
    var words = words
    var positionals = arguments.filter { !$0.synopsis.isOption }[...]
    let declaredCount = positionals.count
    var given: Set<String> = []
    /// What the words set, once all settings are known: files that they name are read within the limits of these.
    var actions: [(inout Self) throws -> Void] = []
    var optionsAreOver = false
    /// The step before, if a value could follow it after “=”.
    var step: ArgumentSynopsis?
    while let word = words.popFirst() {
      let previous = step
      step = nil
      if word == "--", !optionsAreOver {
        optionsAreOver = true
      } else if OptionWord.isOne(word), !optionsAreOver {
        let option = try OptionWord(word, before: words.first)
        given.insert(option.name)
        let rest = words.count
        if let action = try option.action(from: arguments, &words) {
          actions.append(action)
          step = arguments.map(\.synopsis).first {
            $0.name == word && ($0.isFilter || $0.takesValue) && words.count == rest
          }
          continue
        }
        if try option.take(from: Settings.arguments, &words, into: &settings) { continue }
        throw option.isUnknown(to: synopsis, called: title)
      } else {
        if let previous {
          settings.wordsAfterSteps.append(
            WordAfterStep(step: previous.name, word: word, isPossible: previous.takesValue))
        }
        guard let positional = positionals.first else {
          throw Misuse(
            "Nothing more was expected after “\(title)”, but there is “\(word)”."
              + settings.hintOnSteps)
        }
        actions.append { try positional.take(&$0, [word]) }
        given.insert(positional.synopsis.name)
        if positional.synopsis.isChoice {
          let choice = positional.synopsis.choice(typedAs: word) ?? word
          given.insert(choice)
          if positionals.count == declaredCount { title += " \(choice)" }
        }
        if !positional.synopsis.isRepeated { positionals.removeFirst() }
      }
    }
    if settings.showsHelp { return verb }
    try Tool.$fileLimits.withValue(settings.fileLimits) {
      for action in actions { try action(&verb) }
    }
    let missing = arguments.map(\.synopsis).filter { $0.isRequired && !given.contains($0.name) }
    guard missing.isEmpty else {
      throw Misuse(
        "“\(title)” needs \(missing.map(\.label).joined(separator: " and ")). "
          + "For example: \(example)")
    }
    for argument in arguments.map(\.synopsis) where given.contains(argument.name) {
      try argument.checkEffect(beside: given)
    }
    return verb
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
      $0.isPossible
        ? " If “\($0.word)” is the value of “\($0.step)”, write \($0.step)=\(shellWord($0.word))."
        : " “\($0.word)” does not exist, and “\($0.step)” takes no value."
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

  /// Reads the option and the words that belong to it, if it is one of `arguments`.
  func take<Target>(
    from arguments: [Argument<Target>], _ words: inout ArraySlice<String>, into target: inout Target
  ) throws -> Bool {
    guard let action = try action(from: arguments, &words) else { return false }
    try action(&target)
    return true
  }

  /// Takes the words that belong to the option, and returns what they set; nil where it is not one of `arguments`.
  func action<Target>(
    from arguments: [Argument<Target>], _ words: inout ArraySlice<String>
  ) throws -> ((inout Target) throws -> Void)? {
    guard let argument = arguments.first(where: { $0.synopsis.name == name }) else { return nil }
    var values = attached.map { [$0] } ?? []
    let synopsis = argument.synopsis
    if attached == nil, synopsis.wordCount == 0, let word = words.first, synopsis.takesWord(word) {
      values.append(words.removeFirst())
    }
    let missing = synopsis.wordCount - values.count
    guard missing >= 0 || synopsis.isFilter || synopsis.takesValue else {
      throw Misuse("“\(name)” takes no value, but “=” follows it.")
    }
    values += words.prefix(max(missing, 0))
    words = words.dropFirst(max(missing, 0))
    return { [values] in try argument.take(&$0, values) }
  }

  /// The error that a verb has no such option; `title` is what the error calls the verb.
  func isUnknown(to verb: VerbSynopsis, called title: String? = nil) -> Misuse {
    let known = (verb.arguments + Settings.synopses).filter(\.isOption).map(\.name)
    return Misuse(
      "“\(title ?? verb.name)” has no option “\(name)”.\(didYouMean(name, among: known)) "
        + "“colorloom \(verb.name) --help” lists them all.")
  }
}
