internal import PlatformLibc

/// A file that is open for reading, until its descriptor is taken over.
final class OpenFile {
  private let path: String
  private var descriptor: Int32
  /// The offset of the next byte of a regular file; nil for pipes and devices, which have one position for all readers.
  ///
  /// Reading at offsets leaves the position of standard input, which other readers share, where it is.
  private var position: Int?

  init(_ path: String) throws(ImageFileError) {
    guard !path.utf8.contains(0) else {
      throw .cannotRead(file: path, reason: "a path holds no zero byte")
    }
    descriptor =
      path == standardStream
      ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .cannotRead(file: path, reason: systemReason()) }
    self.path = path
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    position = start
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Returns the descriptor, which the caller closes.
  func taken() -> Int32 {
    defer { descriptor = -1 }
    return descriptor
  }

  /// The offset at which reading begins: a part of standard input may have been consumed already.
  var start: Int { max(Int(lseek(descriptor, 0, SEEK_CUR)), 0) }

  /// How many bytes there are from ``start`` on, and whether they can be read in any order.
  func status() throws(ImageFileError) -> (size: Int, isRegular: Bool) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw .cannotRead(file: path, reason: "it is a directory")
    }
    guard status.st_mode & S_IFMT == S_IFREG else { return (0, false) }
    return (max(Int(status.st_size) - start, 0), true)
  }

  /// Returns the next bytes; fewer than requested only at the end.
  func bytes(upTo count: Int) throws(ImageFileError) -> [UInt8] {
    var isFailed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { target, used in
      used = filled(UnsafeMutableRawBufferPointer(target)) { rest, done in
        let added = uninterrupted {
          position.map { pread(descriptor, rest.baseAddress, rest.count, off_t($0 + done)) }
            ?? read(descriptor, rest.baseAddress, rest.count)
        }
        isFailed = added < 0
        return max(added, 0)
      }
    }
    if isFailed { throw failure }
    position = position.map { $0 + bytes.count }
    return bytes
  }

  private var failure: ImageFileError { .cannotRead(file: path, reason: systemReason()) }
}
