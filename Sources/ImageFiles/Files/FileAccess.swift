internal import PlatformLibc

/// Returns the system's description of the last error.
package func systemReason() -> String { String(cString: strerror(errno)) }

/// Runs a system call again while signals interrupt it.
package func uninterrupted(_ call: () -> Int) -> Int {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}

/// Writes all bytes, at an offset or at the end; returns whether that succeeded.
package func writeAll(
  _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at position: Int? = nil
) -> Bool {
  var (rest, written) = (bytes, 0)
  while let base = rest.baseAddress, !rest.isEmpty {
    let count = uninterrupted {
      position.map { pwrite(descriptor, base, rest.count, off_t($0 + written)) }
        ?? write(descriptor, base, rest.count)
    }
    guard count > 0 else { return false }
    written += count
    rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
  }
  return true
}

/// The path that stands for standard input and output.
let standardStream = "-"

/// Sequential, buffered input from a file or a pipe.
final class ByteInput {
  let file: String
  private let descriptor: Int32
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
  private var waiting = 0..<0

  init(_ path: String) throws(ImageFileError) {
    file = path
    guard !path.utf8.contains(0) else {
      throw .cannotRead(file: path, reason: "a path holds no zero byte")
    }
    descriptor = path == standardStream ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .cannotRead(file: path, reason: systemReason()) }
  }

  deinit {
    if file != standardStream { close(descriptor) }
    buffer.deallocate()
  }

  /// Returns the next bytes, at most `most`; empty at the end.
  func part(upTo most: Int) throws(ImageFileError) -> UnsafeRawBufferPointer {
    if waiting.isEmpty {
      let count = uninterrupted { read(descriptor, buffer.baseAddress, buffer.count) }
      guard count >= 0 else { throw .cannotRead(file: file, reason: systemReason()) }
      waiting = 0..<count
    }
    let part = waiting.prefix(most)
    waiting = part.upperBound..<waiting.upperBound
    return UnsafeRawBufferPointer(rebasing: buffer[part])
  }

  /// Fills `target` as far as there are bytes; returns how many there were.
  func fill(_ target: UnsafeMutableRawBufferPointer) throws(ImageFileError) -> Int {
    var count = 0
    while count < target.count {
      let part = try part(upTo: target.count - count)
      if part.isEmpty { break }
      UnsafeMutableRawBufferPointer(rebasing: target[count...]).copyMemory(from: part)
      count += part.count
    }
    return count
  }

  /// Returns the next line without its terminator; nil at the end.
  func lineIfAny() throws(ImageFileError) -> String? {
    let most = 4096
    var line: [UInt8] = []
    while line.count <= most {
      guard let byte = try part(upTo: 1).first else {
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    throw .damaged(file: file, reason: "it has no line where one is needed")
  }

  /// Returns the next line without its terminator; empty at the end.
  func line() throws(ImageFileError) -> String { try lineIfAny() ?? "" }
}

/// The destination of an encoder's bytes.
protocol ByteSink: AnyObject {
  /// Whether earlier bytes can be overwritten.
  var canGoBack: Bool { get }
  /// The reason why bytes could not be written.
  var failure: String? { get }
  /// Writes bytes at an offset; returns whether that succeeded. Where ``canGoBack`` is false, the offset is always the end.
  func put(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Bool
}

/// Discards all bytes.
final class DiscardingSink: ByteSink {
  let canGoBack = true
  let failure: String? = nil

  func put(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Bool { true }
}
