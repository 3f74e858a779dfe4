internal import PlatformLibc

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
