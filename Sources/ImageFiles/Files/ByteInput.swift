internal import PlatformLibc

/// Sequential, buffered input from a file or a pipe.
final class ByteInput {
  let file: String
  private let descriptor: Int32
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
  private var waiting = 0..<0
  /// The beginning of a line that a stop cut off. The next call continues it.
  private var cutLine: [UInt8] = []
  /// Ends the input where it is requested.
  var stop: InputStop?

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
      waiting = 0..<(try nextBytes(into: buffer))
    }
    let part = waiting.prefix(most)
    waiting = part.upperBound..<waiting.upperBound
    return UnsafeRawBufferPointer(rebasing: buffer[part])
  }

  /// Reads some bytes; returns how many, none at the end.
  private func nextBytes(
    into target: UnsafeMutableRawBufferPointer
  ) throws(ImageFileError) -> Int {
    var count = 0
    repeat {
      if let stop, !stop.permitsReading(descriptor) { return 0 }
      count = uninterrupted { read(descriptor, target.baseAddress, target.count) }
    } while count < 0 && waitsIfBusy(descriptor, for: POLLIN)
    guard count >= 0 else { throw .cannotRead(file: file, reason: systemReason()) }
    return count
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

  /// Returns whether the next bytes are `start`, which stay to be read. It waits for no byte after the first one that differs.
  func begins(with start: [UInt8]) throws(ImageFileError) -> Bool {
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[waiting]))
    waiting = 0..<waiting.count
    while waiting.count < start.count, start.starts(with: buffer[waiting]) {
      let free = UnsafeMutableRawBufferPointer(rebasing: buffer[waiting.upperBound...])
      let count = try nextBytes(into: free)
      if count == 0 { return false }
      waiting = 0..<waiting.count + count
    }
    return buffer[waiting].starts(with: start)
  }

  /// Returns the next line without its terminator; nil at the end.
  func lineIfAny() throws(ImageFileError) -> String? {
    let most = 4096
    var line = cutLine
    cutLine = []
    while line.count <= most {
      guard let byte = try part(upTo: 1).first else {
        if let stop, stop.isRequested {
          cutLine = line
          return nil
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    throw .damaged(
      file: file, reason: "it has no line of at most \(most) bytes where one is needed")
  }

  /// Returns the next line without its terminator; empty at the end.
  func line() throws(ImageFileError) -> String { try lineIfAny() ?? "" }
}
