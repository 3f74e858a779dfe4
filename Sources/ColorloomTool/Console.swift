import ImageFiles
import PlatformLibc
import Synchronization

/// The streams of a command: those of the process, or a recording.
package struct Console: Sendable {
  /// The next line of standard input, without its end; nil at the end of the input.
  let nextInput: @Sendable () throws -> InputLine?
  /// Takes a line for standard output.
  let print: @Sendable (String) -> Void
  /// Takes a text of several lines for standard output.
  let printText: @Sendable (String) -> Void
  /// Takes a line of JSON for standard output.
  let printJSON: @Sendable (String) -> Void
  /// Takes a line for standard error.
  let complain: @Sendable (String) -> Void
  /// Flushes the output; throws where it cannot be written.
  let flush: @Sendable () throws -> Void
  /// Whether the process's standard input and output are at the command's disposal, to read or write a picture.
  ///
  /// They are not for one of many pictures. These may share a recipe from standard input, unless ``Tool/isJobOfBatch``.
  let ownsStreams: Bool
  /// Whether standard error is a terminal, so that progress is shown.
  let isWatched: Bool

  /// A console with such streams. Text of files and their names may hold control characters, which would be commands to a terminal or
  /// begin another line, and invisible ones, which may reverse the order of what follows: they are escaped in all lines but those of JSON.
  init(
    nextInput: @escaping @Sendable () throws -> InputLine?,
    print: @escaping @Sendable (String) -> Void,
    printJSON: @escaping @Sendable (String) -> Void,
    complain: @escaping @Sendable (String) -> Void, flush: @escaping @Sendable () throws -> Void,
    ownsStreams: Bool, isWatched: Bool
  ) {
    (self.nextInput, self.printJSON, self.flush) = (nextInput, printJSON, flush)
    (self.ownsStreams, self.isWatched) = (ownsStreams, isWatched)
    self.print = { print($0.escapingControlCharacters()) }
    self.printText = { print($0.escapingControlCharacters(besides: ["\n"])) }
    self.complain = { complain($0.escapingControlCharacters()) }
  }

  /// The process's own streams.
  package static var standard: Console {
    let output = StandardOutput.shared
    return Console(
      nextInput: LineReader.standard.next, print: output.print, printJSON: output.print,
      complain: { writeToTerminal("\($0)\n") }, flush: output.flush, ownsStreams: true,
      isWatched: isatty(STDERR_FILENO) == 1)
  }
}

/// The process's standard output: flushed at once on a terminal, buffered otherwise. It remembers a failed write.
private final class StandardOutput: Sendable {
  static let shared = StandardOutput()

  private struct State {
    var waiting: [UInt8] = []
    var failure: String?

    mutating func write() {
      if failure == nil, !waiting.withUnsafeBytes({ writeAll($0, to: STDOUT_FILENO) }) {
        failure = systemReason()
      }
      waiting.removeAll(keepingCapacity: true)
    }
  }

  private let state = Mutex(State())
  private let isWatched = isatty(STDOUT_FILENO) == 1

  @Sendable func print(_ line: String) {
    state.withLock { state in
      state.waiting += line.utf8
      state.waiting.append(UInt8(ascii: "\n"))
      if isWatched || state.waiting.count >= 1 << 16 { state.write() }
    }
  }

  @Sendable func flush() throws {
    let failure = state.withLock { state in
      state.write()
      return state.failure
    }
    if let failure { throw OutputFailure(reason: failure) }
  }
}

/// Standard output could not be written.
struct OutputFailure: Error, CustomStringConvertible {
  /// The system's reason.
  let reason: String

  var description: String { "Standard output cannot be written: \(reason)." }
}

/// A console in memory: it supplies the input of a command and records its output.
package final class Recording: Sendable {
  /// The output of a command.
  package struct Lines: Sendable {
    /// Lines of standard output, those of JSON aside.
    package var output: [String] = []
    /// Lines of JSON.
    package var json: [String] = []
    /// Lines of standard error.
    package var errors: [String] = []
  }

  private let input: Mutex<ArraySlice<String>>
  private let kept = Mutex(Lines())

  /// A console with some lines to read.
  package init(input: [String] = []) { self.input = Mutex(input[...]) }

  /// The lines written so far.
  package var lines: Lines { kept.withLock { $0 } }

  /// The console whose lines are recorded.
  package var console: Console {
    Console(
      nextInput: { self.input.withLock { $0.popFirst() }.map { InputLine(text: $0) } },
      print: { line in self.kept.withLock { $0.output.append(line) } },
      printJSON: { line in self.kept.withLock { $0.json.append(line) } },
      complain: { line in self.kept.withLock { $0.errors.append(line) } },
      flush: {}, ownsStreams: false, isWatched: false)
  }
}

extension String {
  /// Returns the text with its control characters but `kept` as in JSON, such as \u001b for ESC: those of ASCII (C0), DEL, those from
  /// U+0080 to U+009F (C1), and those of the category Cf, such as U+202E, which overrides the direction.
  func escapingControlCharacters(besides kept: Set<Unicode.Scalar> = []) -> String {
    guard utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      let category = scalar.properties.generalCategory
      if category == .format || category == .control && !kept.contains(scalar) {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}

/// Writes to the standard error stream at once; the pictures and listings of standard output stay clean.
func writeToTerminal(_ text: String) {
  var text = text
  text.withUTF8 { bytes in _ = writeAll(UnsafeRawBufferPointer(bytes), to: STDERR_FILENO) }
}
