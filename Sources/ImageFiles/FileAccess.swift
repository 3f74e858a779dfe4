#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What the system says about the last failure.
func systemReason() -> String { String(cString: strerror(errno)) }

/// Runs a system call again while signals interrupt it.
private func uninterrupted(_ call: () -> Int) -> Int {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}

/// All bytes of a file.
func contents(of path: String, limit: Int) throws(ImageFileError) -> [UInt8] {
  guard !path.utf8.contains(0) else {
    throw .cannotRead(file: path, reason: "a path holds no zero byte")
  }
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { throw .cannotRead(file: path, reason: systemReason()) }
  defer { close(file) }
  var status = stat()
  guard fstat(file, &status) == 0 else { throw .cannotRead(file: path, reason: systemReason()) }
  guard status.st_mode & S_IFMT != S_IFDIR else {
    throw .cannotRead(file: path, reason: "it is a directory")
  }
  guard Int(status.st_size) <= limit else { throw .tooManyBytes(file: path, limit: limit) }
  // Pipes state no size, and a file may grow while it is read: what counts is what comes.
  var bytes: [UInt8] = []
  bytes.reserveCapacity(Int(status.st_size))
  let blockSize = 1 << 20
  let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockSize, alignment: 64)
  defer { block.deallocate() }
  while true {
    let count = uninterrupted { read(file, block.baseAddress, blockSize) }
    guard count >= 0 else { throw .cannotRead(file: path, reason: systemReason()) }
    if count == 0 { return bytes }
    guard bytes.count + count <= limit else { throw .tooManyBytes(file: path, limit: limit) }
    bytes.append(contentsOf: block[..<count])
  }
}

/// A file that appears under its name when it is complete, and not at all otherwise.
///
/// The bytes go to a temporary file in the same directory, which replaces the old file in one step. Devices and pipes, which
/// cannot be replaced, are written to directly.
final class AtomicFile {
  private let path: String
  private let temporaryPath: String?
  private var descriptor: Int32
  /// Why bytes could not be written.
  private(set) var failure: String?

  init(_ path: String) throws(ImageFileError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw .cannotWrite(file: path, reason: "this is no path")
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
      let temporary = directory(of: target) + ".colorloom-\(UInt64.random(in: 0 ... .max)).tmp"
      (self.path, temporaryPath) = (target, temporary)
      descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor >= 0, exists { _ = fchmod(descriptor, status.st_mode & 0o777) }
    }
    guard descriptor >= 0 else { throw .cannotWrite(file: path, reason: systemReason()) }
  }

  /// Whether the bytes could be written.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes
    while let base = rest.baseAddress, !rest.isEmpty {
      let count = uninterrupted { systemWrite(descriptor, base, rest.count) }
      guard count >= 0 else {
        failure = systemReason()
        return false
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    return true
  }

  /// Puts the file under its name, once all of it is on the disk.
  func commit() throws(ImageFileError) {
    guard let temporaryPath else { return }
    guard fsync(descriptor) == 0, rename(temporaryPath, path) == 0 else {
      throw .cannotWrite(file: path, reason: systemReason())
    }
    close(descriptor)
    descriptor = -1
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    if let temporaryPath { unlink(temporaryPath) }
  }
}

// Under another name, because `AtomicFile` has a `write` of its own.
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  write(file, bytes, count)
}

/// Where a path leads when its links are followed.
private func resolved(_ path: String) -> String {
  guard let real = realpath(path, nil) else { return path }
  defer { free(real) }
  return String(cString: real)
}

/// The directory that a path is in, with the slash; nothing for the current one.
private func directory(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "" }
  return String(path[...slash])
}
