import ColorloomTool

/// What a command printed, and how it ended.
struct Transcript {
  var output: [String] = []
  var errors: [String] = []
  var status = ExitStatus.done
}

/// Runs a command with some lines of standard input.
func run(_ words: [String], input: [String] = []) -> Transcript {
  var transcript = Transcript()
  var lines = input[...]
  let console = Console(
    nextLine: { lines.popFirst() },
    print: { transcript.output.append($0) },
    complain: { transcript.errors.append($0) })
  transcript.status = Tool.run(words, on: console)
  return transcript
}

func run(_ words: String..., input: [String] = []) -> Transcript { run(words, input: input) }

/// The words of a command line as shells split it, up to where it redirects.
func shellWords(_ line: String) -> [String] {
  var words: [String] = []
  var isQuoted = false
  var word: String?
  for letter in line {
    switch letter {
    case "\"":
      isQuoted.toggle()
      word = word ?? ""
    case ">" where !isQuoted, "<" where !isQuoted, "|" where !isQuoted:
      return words
    case " " where !isQuoted:
      word.map { words.append($0) }
      word = nil
    default: word = (word ?? "") + String(letter)
    }
  }
  return words + (word.map { [$0] } ?? [])
}
