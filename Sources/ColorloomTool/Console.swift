#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where a command reads lines and writes lines: the process's own streams, or somebody else's.
package struct Console {
  /// The next line of standard input, without its end.
  let nextLine: () -> String?
  /// Takes a line for standard output.
  let print: (String) -> Void
  /// Takes a line for standard error.
  let complain: (String) -> Void
  /// Whether progress is seen by somebody.
  let isWatched: Bool

  /// Lines from one closure to two others; nobody watches.
  package init(
    nextLine: @escaping () -> String?, print: @escaping (String) -> Void,
    complain: @escaping (String) -> Void
  ) {
    (self.nextLine, self.print, self.complain) = (nextLine, print, complain)
    isWatched = false
  }

  private init(watched: Bool) {
    nextLine = { readLine() }
    print = { Swift.print($0) }
    complain = { writeToTerminal("\($0)\n") }
    isWatched = watched
  }

  /// The process's own streams.
  package static var standard: Console { Console(watched: isatty(STDERR_FILENO) == 1) }
}

/// Writes to the standard error stream at once; the pictures and listings of standard output stay clean.
func writeToTerminal(_ text: String) {
  var text = text
  text.withUTF8 { bytes in _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
}
