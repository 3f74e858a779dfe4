#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What the system says about the last failure.
package func systemReason() -> String { String(cString: strerror(errno)) }

/// Runs a system call again while signals interrupt it.
func uninterrupted(_ call: () -> Int) -> Int {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}

/// A path for a file that is not there for long; `folder` ends with a slash, or is empty for the current directory.
func newTemporaryPath(in folder: String) -> String {
  "\(folder).colorloom-\(UInt64.random(in: 0 ... .max)).tmp"
}

/// Writes all of some bytes, at a place or at the end; returns whether the system could.
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

/// Bytes that come one after the other, from a file or a pipe.
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

  /// The next bytes, some or all that are wanted; none after the last one.
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

  /// Fills `target`, as far as bytes come; returns how many did.
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

  /// The next line, without its end; nil where no byte is left.
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

  /// The next line, without its end.
  func line() throws(ImageFileError) -> String { try lineIfAny() ?? "" }
}

/// Where an encoder's bytes go.
protocol ByteSink: AnyObject {
  /// Whether bytes that were put before can be changed.
  var canGoBack: Bool { get }
  /// Why bytes could not be put.
  var failure: String? { get }
  /// Puts bytes at a place; returns whether it could. Where there is no going back, each place is the end.
  func put(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Bool
}

/// Bytes in memory.
final class MemorySink: ByteSink {
  private(set) var bytes: [UInt8] = []
  let canGoBack = true
  let failure: String? = nil

  func put(_ new: UnsafeRawBufferPointer, at position: Int) -> Bool {
    if position > bytes.count {
      bytes.append(contentsOf: repeatElement(0, count: position - bytes.count))
    }
    bytes.replaceSubrange(position..<min(position + new.count, bytes.count), with: new)
    return true
  }
}

/// A file that appears under its name when it is complete, and not at all otherwise.
///
/// The bytes go to a temporary file in the same directory, which replaces the old file in one step. Standard output, devices and
/// pipes, which cannot be replaced, are written to directly.
final class AtomicFile: ByteSink {
  private let path: String
  private let temporaryPath: String?
  private var descriptor: Int32
  /// Why bytes could not be written.
  private(set) var failure: String?

  init(_ path: String) throws(ImageFileError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw .cannotWrite(file: path, reason: "this is no path")
    }
    if path == standardStream {
      (self.path, temporaryPath, descriptor) = (path, nil, STDOUT_FILENO)
      return
    }
    var status = stat()
    let exists = stat(path, &status) == 0
    let kind = status.st_mode & S_IFMT
    if exists, kind == S_IFDIR { throw .cannotWrite(file: path, reason: "it is a directory") }
    if exists, kind != S_IFREG {
      (self.path, temporaryPath) = (path, nil)
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
    } else {
      // A link stays a link: what it leads to is replaced.
      let target = exists ? resolved(path) : path
      let temporary = newTemporaryPath(in: directory(of: target))
      (self.path, temporaryPath) = (target, temporary)
      TemporaryFiles.add(temporary)
      descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor >= 0, exists { _ = fchmod(descriptor, status.st_mode & 0o777) }
    }
    guard descriptor >= 0 else {
      let reason = systemReason()
      temporaryPath.map(TemporaryFiles.forget)
      throw .cannotWrite(file: path, reason: reason)
    }
  }

  var canGoBack: Bool { temporaryPath != nil }

  func put(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Bool {
    if writeAll(bytes, to: descriptor, at: canGoBack ? position : nil) { return true }
    failure = systemReason()
    return false
  }

  /// Puts the file under its name, once all of it is on the disk.
  func commit() throws(ImageFileError) {
    guard let temporaryPath else { return }
    guard fsync(descriptor) == 0, rename(temporaryPath, path) == 0 else {
      throw .cannotWrite(file: path, reason: systemReason())
    }
    TemporaryFiles.forget(temporaryPath)
    close(descriptor)
    descriptor = -1
  }

  deinit {
    guard descriptor >= 0, path != standardStream else { return }
    close(descriptor)
    guard let temporaryPath else { return }
    unlink(temporaryPath)
    TemporaryFiles.forget(temporaryPath)
  }
}

/// Where a path leads when its links are followed.
private func resolved(_ path: String) -> String {
  guard let real = realpath(path, nil) else { return path }
  defer { free(real) }
  return String(cString: real)
}

/// A path by which two names of one file can be told, whether it is there already or not.
func targetPath(_ path: String) -> String {
  var status = stat()
  if path == standardStream { return path }
  if stat(path, &status) == 0 { return resolved(path) }
  let folder = directory(of: path)
  return "\(resolved(folder.isEmpty ? "." : folder))/\(path.dropFirst(folder.count))"
}

/// The directory that a path is in, with the slash; nothing for the current one.
private func directory(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "" }
  return String(path[...slash])
}
