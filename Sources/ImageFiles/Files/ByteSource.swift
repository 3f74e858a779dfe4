internal import ImageBuffer
internal import PlatformLibc
internal import Synchronization

/// The bytes of a file, read on demand, so that files larger than memory can be processed.
///
/// Small files are kept in memory. Larger ones stay open, so that all readers see the same file even if its name is reused or removed.
/// Bytes from a pipe are first copied to an unnamed temporary file. Files are not memory-mapped, so one that is truncated while it is
/// read causes an error and no crash.
final class ByteSource: Sendable {
  /// The path, or a name for bytes without one.
  let name: String
  /// How many bytes there were when the source was made.
  let count: Int
  private let storage: Storage
  private let lastFailure = Mutex<String?>(nil)

  private enum Storage {
    case memory([UInt8])
    case file(Int32, start: Int)
    case part(ByteSource, start: Int)
  }

  /// The name of bytes without a path.
  static let unnamed = "data"
  /// Files up to this size are kept in memory.
  static let smallFile = 1 << 16

  private init(_ name: String, _ storage: Storage, count: Int) {
    (self.name, self.storage, self.count) = (name, storage, count)
  }

  deinit {
    if case .file(let descriptor, _) = storage { close(descriptor) }
  }

  /// Bytes in memory.
  convenience init(_ bytes: [UInt8]) {
    self.init(Self.unnamed, .memory(bytes), count: bytes.count)
  }

  /// Bytes in memory, if they are not too many.
  convenience init(_ bytes: [UInt8], limit: Int) throws(ImageFileError) {
    guard bytes.count <= limit else { throw .tooManyBytes(file: Self.unnamed, limit: limit) }
    self.init(bytes)
  }

  /// The bytes of a file, or of standard input.
  convenience init(contentsOf path: String, limit: Int) throws(ImageFileError) {
    try self.init(path, limit: limit) { _ in }
  }

  /// The bytes of a picture's file, or of standard input.
  ///
  /// Of a pipe that begins like no format, no more bytes are read, and a larger limit is advised for pictures only.
  convenience init(pictureAt path: String, limit: Int) throws(ImageFileError) {
    try self.init(path, limit: limit) { start throws(ImageFileError) in
      _ = try ImageFileFormat(ofStart: start, file: path)
    }
  }

  /// The bytes of a file. `check` sees the first ones, before more of a pipe are read, and before a file is refused for its size.
  private convenience init(
    _ path: String, limit: Int, check: (_ start: [UInt8]) throws(ImageFileError) -> Void
  ) throws(ImageFileError) {
    let file = try OpenFile(path)
    let (size, isRegular) = try file.status()
    guard size <= limit else {
      try check(file.bytes(upTo: ImageFileFormat.startByteCount))
      throw .tooManyBytes(file: path, limit: limit)
    }
    if isRegular, size > Self.smallFile {
      let start = file.start
      self.init(path, .file(file.taken(), start: start), count: size)
      return
    }
    // Pipes state no size, and some system files a wrong one, so these are read to their end.
    let spool = ByteSpool(path, limit: limit)
    var wanted = ImageFileFormat.startByteCount
    var part = try file.bytes(upTo: wanted)
    try check(part)
    try spool.append(part)
    while part.count == wanted {
      wanted = Self.smallFile
      part = try file.bytes(upTo: wanted)
      try spool.append(part)
    }
    self.init(spool)
  }

  /// The bytes that a spool has taken.
  convenience init(_ spool: ByteSpool) {
    if let descriptor = spool.taken() {
      self.init(spool.name, .file(descriptor, start: 0), count: spool.count)
    } else {
      self.init(spool.name, .memory(spool.beginning), count: spool.count)
    }
  }

  /// A part of another source, such as a picture within a file. Traps where the range is not within its bytes.
  convenience init(_ range: Range<Int>, of whole: ByteSource) {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= whole.count,
      "\(range) is not within \(whole.count) bytes.")
    self.init(whole.name, .part(whole, start: range.lowerBound), count: range.count)
  }

  /// The bytes of memory that the source takes.
  var memoryBytes: Int {
    switch storage {
    case .memory: count
    case .file: 0
    case .part(let whole, _): whole.memoryBytes
    }
  }

  /// Copies the bytes from an offset on; returns how many were copied, fewer than requested only at the end.
  func read(into target: UnsafeMutableRawBufferPointer, at position: Int) -> Int {
    guard position >= 0, position < count else { return 0 }
    let wanted = UnsafeMutableRawBufferPointer(
      rebasing: target.prefix(min(target.count, count - position)))
    switch storage {
    case .memory(let bytes):
      bytes.withUnsafeBytes {
        wanted.copyMemory(
          from: UnsafeRawBufferPointer(rebasing: $0[position..<position + wanted.count]))
      }
      return wanted.count
    case .part(let whole, let start): return whole.read(into: wanted, at: start + position)
    case .file(let descriptor, let start):
      return filled(wanted) { rest, done in
        let added = uninterrupted {
          pread(descriptor, rest.baseAddress, rest.count, off_t(start + position + done))
        }
        if added < 0 {
          let reason = systemReason()
          lastFailure.withLock { $0 = reason }
        }
        return max(added, 0)
      }
    }
  }

  /// The error for bytes that should exist and cannot be read, with the system's reason if it gave one.
  var readingFailure: ImageFileError {
    .cannotRead(file: name, reason: systemFailure ?? "it became shorter while it was read")
  }

  /// The system's reason why bytes could not be read.
  var systemFailure: String? {
    if case .part(let whole, _) = storage { return whole.systemFailure }
    return lastFailure.withLock(\.self)
  }

  /// Fills `target` with the bytes from an offset on.
  func copy(
    to target: UnsafeMutableRawBufferPointer, from position: Int
  ) throws(ImageFileError) {
    guard read(into: target, at: position) == target.count else { throw readingFailure }
  }

  /// Returns a range of the bytes. Traps where the range is not within ``count``.
  func array(_ range: Range<Int>) throws(ImageFileError) -> [UInt8] {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= count, "\(range) is not within \(count) bytes.")
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { target, used in
      used = read(into: UnsafeMutableRawBufferPointer(target), at: range.lowerBound)
    }
    guard bytes.count == range.count else { throw readingFailure }
    return bytes
  }

  /// Returns all bytes. Intended for small files.
  func array() throws(ImageFileError) -> [UInt8] { try array(0..<count) }

  /// Returns all bytes, or throws where memory cannot be allocated for them.
  func block() throws(ImageFileError) -> MemoryBlock {
    let block = try MemoryBlock(byteCount: count, for: name)
    try copy(to: block.bytes, from: 0)
    return block
  }

  /// The context pointer that C passes back to ``read``. Valid as long as the source.
  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// Copies bytes from an offset on for C; returns how many were copied.
  static let read:
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int, Int) -> Int = {
      context, target, count, position in
      guard let context else { return 0 }
      let source = Unmanaged<ByteSource>.fromOpaque(context).takeUnretainedValue()
      return source.read(
        into: UnsafeMutableRawBufferPointer(start: target, count: count), at: position)
    }
}

/// Returns the bytes of a file that holds no picture, such as a recipe. It may be a pipe.
package func bytesOfFile(at path: String, limit: Int) throws(ImageFileError) -> [UInt8] {
  try ByteSource(contentsOf: path, limit: limit).array()
}
