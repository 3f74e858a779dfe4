import ImageFiles
import PlatformLibc
import Synchronization

/// Occupies the descriptors of the standard streams that the caller has closed. Must be called before any file is opened.
///
/// `open` returns the lowest free descriptor, so a picture would otherwise take the place of standard error, and messages would be
/// written into it. Reading closed standard input and writing to closed standard output still fail, because /dev/null is open for the
/// other direction there. Messages for closed standard error are dropped.
func occupyClosedStreams() {
  let directions = [
    (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY),
  ]
  for (descriptor, direction) in directions where fcntl(descriptor, F_GETFD) < 0 {
    _ = open("/dev/null", direction)
  }
}

/// Whether a file written to a path would be mixed with the lines of standard output.
func isStandardOutput(_ path: String) -> Bool {
  path == "-" || path != "/dev/null" && isPath(path, ofStream: STDOUT_FILENO)
}

/// Whether a path leads to standard input, whose bytes can be read once. Of a regular file that is standard input, every path other than
/// “-” gives all bytes again.
func isStandardInput(_ path: String) -> Bool {
  path == "-" || path != "/dev/null" && isPath(path, ofStream: STDIN_FILENO) && isPipe(path)
}

/// Whether a path leads to the open file of a descriptor, as /dev/stdout and /proc/self/fd/1 do.
func isPath(_ path: String, ofStream descriptor: Int32) -> Bool {
  var (file, stream) = (stat(), stat())
  return stat(path, &file) == 0 && fstat(descriptor, &stream) == 0
    && file.st_dev == stream.st_dev && file.st_ino == stream.st_ino
}

/// Whether a path leads to standard input, a pipe or a device, whose bytes can be read only once.
func isPipe(_ path: String) -> Bool {
  var status = stat()
  guard path != "-" else { return true }
  return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
}

/// A line of input, without its end.
struct InputLine {
  /// The text: with U+FFFD in place of bytes that are not UTF-8, and empty for a line that is too long.
  let text: String
  /// Why the text is not the line, in a sentence; nil where it is.
  var problem: String?
}

/// Standard input could not be read.
struct InputFailure: Error, CustomStringConvertible {
  /// The system's reason.
  let reason: String

  var description: String { "Standard input cannot be read: \(reason)." }
}

/// The lines of an open file. Of a line that is too long, no more than the limit is in memory.
final class LineReader: Sendable {
  /// The lines of standard input.
  static let standard = LineReader(of: STDIN_FILENO)

  private static let mebibytes = 16

  private let descriptor: Int32
  /// Bytes that were read, and belong to no line yet.
  private let waiting = Mutex<ArraySlice<UInt8>>([])

  init(of descriptor: Int32) { self.descriptor = descriptor }

  /// Returns the next line; nil at the end. Throws where the file cannot be read; the part of a line before that is dropped.
  @Sendable func next() throws -> InputLine? {
    try waiting.withLock { waiting in
      var line: [UInt8]? = []
      var isAtEnd = true
      while true {
        if waiting.isEmpty { waiting = try nextBytes()[...] }
        if waiting.isEmpty { return isAtEnd ? nil : Self.line(line) }
        isAtEnd = false
        let part = waiting.prefix { $0 != UInt8(ascii: "\n") }
        if let count = line?.count, count + part.count <= Self.mebibytes << 20 {
          line?.append(contentsOf: part)
        } else {
          line = nil
        }
        let isEnded = part.endIndex < waiting.endIndex
        waiting = waiting[part.endIndex...].dropFirst()
        if isEnded { return Self.line(line) }
      }
    }
  }

  /// Returns the next bytes; none at the end.
  private func nextBytes() throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      let result = uninterrupted { read(descriptor, buffer.baseAddress, buffer.count) }
      if result < 0 { throw InputFailure(reason: systemReason()) }
      count = result
    }
  }

  /// The line of some bytes; nil stands for too many.
  private static func line(_ bytes: [UInt8]?) -> InputLine {
    guard var bytes else {
      return InputLine(text: "", problem: "It is longer than \(mebibytes) MiB.")
    }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    if let text = String(validating: bytes, as: UTF8.self) { return InputLine(text: text) }
    return InputLine(text: String(decoding: bytes, as: UTF8.self), problem: "It is not UTF-8.")
  }
}
