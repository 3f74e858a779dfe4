final class CompletionsVerb: Verb {
  static let name = "completions"
  static let summary = "print the completion script for a shell"
  static let example = "colorloom completions bash > /etc/bash_completion.d/colorloom"
  static var arguments: [Argument<CompletionsVerb>] {
    [
      .positional(
        .choice(["bash": bash, "zsh": zsh, "fish": fish]), "the shell", \.script)
    ]
  }

  var script: ([VerbSynopsis]) -> String = bash

  func run(in session: Session) throws {
    session.printText(script(Tool.verbs.map { $0.synopsis }))
  }
}

extension VerbSynopsis {
  fileprivate var allArguments: [ArgumentSynopsis] { arguments + Settings.synopses }
  fileprivate var options: [ArgumentSynopsis] { allArguments.filter(\.isOption) }
  /// The completions of positional arguments, in order.
  fileprivate var positionals: [ArgumentSynopsis] { arguments.filter { !$0.isOption } }
}

extension ArgumentSynopsis {
  fileprivate var choices: [String] {
    if case .words(let words) = completion { words } else { [] }
  }
}

extension VerbSynopsis {
  /// The patterns of bash for an option and its value: readline splits words at “=”, behind which optional values follow.
  fileprivate func bashPattern(of option: ArgumentSynopsis) -> String {
    let attached = "'\(name) \(option.name)='"
    return option.takesValue ? attached : "'\(name) \(option.name)'|\(attached)"
  }
}

/// Words match without letter case, as most arguments are read; zsh does so where its `matcher-list` says so, and fish always does. A single
/// match gets the spelling of the documentation. Of several, readline inserts their common beginning, so they begin as typed.
private func bash(_ verbs: [VerbSynopsis]) -> String {
  let names = verbs.map(\.name)
  let values = verbs.flatMap { verb in
    verb.options.filter { !$0.choices.isEmpty }.map { option in
      "    \(verb.bashPattern(of: option))) words='\(option.choices.joined(separator: " "))' ;;"
    }
  }
  let words = verbs.map { verb in
    let options = verb.options.map(\.name).joined(separator: " ")
    let choices = verb.positionals.flatMap(\.choices).joined(separator: " ")
    return """
          \(verb.name))
            if [[ $current == -* ]]; then words='\(options)'; else words='\(choices)'; fi ;;
      """
  }
  return """
    _colorloom() {
      local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} verb= words= word
      if [[ $current == = ]]; then
        current= previous=$previous=
      elif [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD-2]}=
      fi
      for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case $word in \(names.joined(separator: "|"))) verb=$word; break ;; esac
      done
      case "$verb $previous" in
    \(values.joined(separator: "\n"))
        *=) ;;
        *) case $verb in
          '') words='\(names.joined(separator: " "))' ;;
    \(words.joined(separator: "\n"))
        esac ;;
      esac
      COMPREPLY=($(
        set -f
        shopt -s nocasematch
        found=()
        for word in $words; do [[ $word == "$current"* ]] && found+=("$word"); done
        if [[ ${#found[@]} == 1 ]]; then echo "${found[0]}"; exit; fi
        for word in "${found[@]}"; do echo "$current${word:${#current}}"; done
      ))
    }
    complete -o default -F _colorloom colorloom
    """
}

private func zsh(_ verbs: [VerbSynopsis]) -> String {
  func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }
  /// Brackets and colons separate the parts of a description.
  func escaped(_ text: String) -> String {
    String(text.flatMap { "[]:\\".contains($0) ? ["\\", $0] : [$0] })
  }
  func action(_ argument: ArgumentSynopsis) -> String {
    switch argument.completion {
    case .none: " "
    case .files: "_files"
    case .words(let words): "(\(words.map(escaped).joined(separator: " ")))"
    }
  }
  func specification(_ argument: ArgumentSynopsis) -> String {
    let meaning = escaped(argument.meaning)
    if argument.isOption {
      // “=-” takes a value behind “=” only, “=” also as the next word.
      if argument.takesValue {
        return quoted("*\(argument.name)=-[\(meaning)]::VALUE:\(action(argument))")
      }
      let values = argument.placeholders.map { ":\(escaped($0)):\(action(argument))" }
      let sign = values.count == 1 ? "=" : ""
      return quoted("*\(argument.name)\(sign)[\(meaning)]\(values.joined())")
    }
    return quoted("\(argument.isRepeated ? "*" : ""):\(meaning):\(action(argument))")
  }
  let cases = verbs.map { verb in
    "    \(verb.name)) _arguments \(verb.allArguments.map(specification).joined(separator: " ")) ;;"
  }
  let descriptions = verbs.map { quoted("\($0.name):\(escaped($0.summary))") }
  return """
    #compdef colorloom
    _colorloom() {
      local context state line
      typeset -A opt_args
      _arguments -C '1: :->verb' '*:: :->arguments'
      case $state in
      verb)
        local -a verbs=(\(descriptions.joined(separator: " ")))
        _describe verb verbs ;;
      arguments)
        case $words[1] in
    \(cases.joined(separator: "\n"))
        esac ;;
      esac
    }
    _colorloom "$@"
    """
}

private func fish(_ verbs: [VerbSynopsis]) -> String {
  func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
  return verbs.flatMap { verb in
    let condition = "-n '__fish_seen_subcommand_from \(verb.name)'"
    let options = verb.options.map { option in
      let value =
        switch option.completion {
        case .none: option.placeholders.isEmpty ? "" : " -x"
        case .files: " -r -F"
        case .words(let words):
          // Without “-x” the value is optional, behind “=”.
          "\(option.takesValue ? " -f" : " -x") -a \(quoted(words.joined(separator: " ")))"
        }
      return "complete -c colorloom \(condition) -l \(option.name.dropFirst(2))\(value) "
        + "-d \(quoted(option.meaning))"
    }
    let words = verb.positionals.filter { !$0.choices.isEmpty }.map { positional in
      "complete -c colorloom \(condition) -f -a \(quoted(positional.choices.joined(separator: " ")))"
    }
    let itself =
      "complete -c colorloom -f -n __fish_use_subcommand -a \(verb.name) -d \(quoted(verb.summary))"
    return [itself] + options + words
  }.joined(separator: "\n")
}
