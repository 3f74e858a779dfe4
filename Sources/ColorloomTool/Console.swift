import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where a command reads lines and writes lines: the process's own streams, or somebody else's.
package struct Console: Sendable {
  /// The next line of standard input, without its end.
  let nextLine: @Sendable () -> String?
  /// Takes a line for standard output.
  let print: @Sendable (String) -> Void
  /// Takes a line of JSON for standard output.
  let printJSON: @Sendable (String) -> Void
  /// Takes a line for standard error.
  let complain: @Sendable (String) -> Void
  /// Sends what was printed on its way.
  let flush: @Sendable () -> Void
  /// Whether the process's standard input and output are at the command's disposal.
  let ownsStreams: Bool
  /// Whether progress is seen by somebody.
  let isWatched: Bool

  /// The process's own streams.
  package static var standard: Console {
    Console(
      nextLine: { readLine() }, print: { Swift.print($0) }, printJSON: { Swift.print($0) },
      complain: { writeToTerminal("\($0)\n") }, flush: { fflush(nil) }, ownsStreams: true,
      isWatched: isatty(STDERR_FILENO) == 1)
  }
}

/// A console in memory: what a command reads is given, and what it writes is kept.
package final class Recording: Sendable {
  /// What a command wrote.
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

  /// What was written so far.
  package var lines: Lines { kept.withLock { $0 } }

  /// Where a command reads and writes.
  package var console: Console {
    Console(
      nextLine: { self.input.withLock { $0.popFirst() } },
      print: { line in self.kept.withLock { $0.output.append(line) } },
      printJSON: { line in self.kept.withLock { $0.json.append(line) } },
      complain: { line in self.kept.withLock { $0.errors.append(line) } },
      flush: {}, ownsStreams: false, isWatched: false)
  }
}

/// Writes to the standard error stream at once; the pictures and listings of standard output stay clean.
func writeToTerminal(_ text: String) {
  var text = text
  text.withUTF8 { bytes in _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
}
