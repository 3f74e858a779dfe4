import ColorloomTool
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// The output of a command, and its exit status.
struct Transcript {
  let output, json, errors: [String]
  let status: Outcome

  /// All lines of standard output, and all of standard error.
  var text: String { output.joined(separator: "\n") }
  var complaint: String { errors.joined(separator: "\n") }

  /// Decodes the report of a verb with `--json`.
  func report<Value: Decodable>(as _: Value.Type = Value.self) throws -> Value {
    #expect(json.count == 1)
    return try JSONDecoder().decode(Value.self, from: Data((json.first ?? "").utf8))
  }
}

/// Runs a command with lines of standard input.
func run(_ words: [String], input: [String] = []) -> Transcript {
  let recording = Recording(input: input)
  let status = Tool.run(words, on: recording.console)
  let lines = recording.lines
  return Transcript(output: lines.output, json: lines.json, errors: lines.errors, status: status)
}

func run(_ words: String..., input: [String] = []) -> Transcript { run(words, input: input) }

extension TemporaryFolder {
  /// Reads a picture of 16 bits per sample that a command wrote.
  func bitmap(_ name: String) throws -> Bitmap<UInt16> {
    guard case .uint16(let bitmap) = try ImageFile.read(path(name)) else {
      throw ImageFileError.unsupportedSamples(.uint8, format: .png)
    }
    return bitmap
  }
}

/// Splits a command line into words as shells do, up to a redirection.
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
