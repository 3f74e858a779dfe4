internal import PlatformLibc

/// A file that appears under its name when it is complete, and not at all otherwise.
///
/// The bytes go to a ``DraftFile`` in the same folder, which atomically replaces an older file and takes over its owner, group, mode
/// and access control list. Where the system does not permit that, the complete bytes are copied into the older file instead. A read-only
/// file is not replaced. Standard output, devices and pipes, which cannot be replaced, are written to directly; devices and pipes are
/// closed at the end, so that the reader of a pipe sees it.
final class AtomicFile: ByteSink {
  private let path: String
  private let fileSystem: FileSystem
  private let output: Output
  /// The reason why bytes could not be written; nil where they could.
  private(set) var failure: String?
  /// Whether a device or a pipe has been closed.
  private var isClosed = false
  /// Whether all bytes of a draft are on the disk.
  private var isSynced = false

  private enum Output {
    /// Standard output, which is not closed here.
    case standardOutput
    /// A device or a pipe.
    case device(Int32)
    /// A draft that is moved to `target`, or copied into the file there.
    case draft(DraftFile, target: String, isCopied: Bool)
  }

  init(_ path: String) throws(ImageFileError) {
    let fileSystem = FileSystem.current
    (self.path, self.fileSystem) = (path, fileSystem)
    switch try Target(path) {
    case .standardOutput: output = .standardOutput
    case .device:
      let descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw .cannotWrite(file: path, reason: systemReason()) }
      output = .device(descriptor)
    case .file(let target, let rights):
      if rights != nil { try Self.checkReplacing(target, at: path, fileSystem) }
      // The draft of a file with restricted permissions must not be readable by others while it is written.
      let mode: UInt32 = rights == nil ? 0o666 : 0o600
      guard let draft = DraftFile(in: folder(of: target), mode: mode, fileSystem) else {
        throw .cannotWrite(file: path, reason: Self.reason(forFileIn: folder(of: target)))
      }
      let isCopied = rights.map { !$0.give(to: draft.descriptor, fileSystem) } ?? false
      output = .draft(draft, target: target, isCopied: isCopied)
    }
  }

  /// Throws the error with which writing to a path would fail before the first byte, without creating anything.
  static func check(_ path: String) throws(ImageFileError) {
    guard case .file(let target, let rights) = try Target(path) else { return }
    let fileSystem = FileSystem.current
    let folder = folder(of: target)
    guard isWritable(folder, fileSystem) else {
      throw .cannotWrite(file: path, reason: reason(forFileIn: folder))
    }
    if rights != nil { try checkReplacing(target, at: path, fileSystem) }
  }

  /// Throws where the file to replace may not be written, although its folder may permit replacing it.
  private static func checkReplacing(
    _ target: String, at path: String, _ fileSystem: FileSystem
  ) throws(ImageFileError) {
    guard fileSystem.access(target, W_OK) != 0 else { return }
    let reason = "the file there may not be written (\(systemReason()))"
    let advice =
      isWritable(folder(of: target), fileSystem)
      ? "write to another name, or remove the old file first" : "write to another folder"
    throw .cannotWrite(file: path, reason: "\(reason); \(advice)")
  }

  /// Whether files can be created in a folder, and removed from it.
  private static func isWritable(_ folder: String, _ fileSystem: FileSystem) -> Bool {
    fileSystem.access(folder.isEmpty ? "." : folder, W_OK | X_OK) == 0
  }

  /// Returns why no file can be created in a folder: that it does not exist, that it is not a folder, or the system's reason.
  private static func reason(forFileIn folder: String) -> String {
    let reason = systemReason()
    if folder.isEmpty { return reason }
    let path = folder == "/" ? folder : String(folder.dropLast())
    var status = stat()
    guard stat(path, &status) == 0 else {
      return errno == ENOENT ? ImageFiles.reason(ofMissingFolder: path) : reason
    }
    return status.st_mode & S_IFMT == S_IFDIR
      ? "the folder “\(path)” cannot be written in: \(reason)" : "“\(path)” is no folder"
  }

  deinit {
    if case .device(let descriptor) = output, !isClosed { _ = fileSystem.closeDevice(descriptor) }
  }

  var canGoBack: Bool {
    if case .draft = output { true } else { false }
  }

  func put(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Bool {
    // Another file may have the descriptor by now.
    guard !isClosed else {
      failure = "it has been finished and closed"
      return false
    }
    let isWritten =
      switch output {
      case .standardOutput: withoutPipeSignal { writeAll(bytes, to: STDOUT_FILENO) }
      case .device(let descriptor): withoutPipeSignal { writeAll(bytes, to: descriptor) }
      case .draft(let draft, _, _): writeAll(bytes, to: draft.descriptor, at: position)
      }
    isSynced = false
    if !isWritten { failure = systemReason() }
    return isWritten
  }

  /// Waits until the bytes of a draft are on the disk. Of several files none should appear before this succeeded for all.
  func sync() throws(ImageFileError) {
    guard case .draft(let draft, _, _) = output, !isSynced else { return }
    guard fileSystem.sync(draft.descriptor) == 0 else { throw systemFailure }
    isSynced = true
  }

  /// Moves the file to its final path, after its bytes are on the disk. A device or a pipe is closed.
  func commit() throws(ImageFileError) {
    switch output {
    case .standardOutput: break
    case .device(let descriptor): try closeDevice(descriptor)
    case .draft(let draft, let target, let isCopied):
      try move(draft, to: target, isCopied: isCopied)
    }
  }

  /// Closes a device or a pipe once. Some report only then that they could not take all bytes.
  private func closeDevice(_ descriptor: Int32) throws(ImageFileError) {
    guard !isClosed else { return }
    // Also after an error the descriptor is no longer this file's.
    isClosed = true
    // An interrupted call has closed it.
    if fileSystem.closeDevice(descriptor) == 0 || errno == EINTR { return }
    let reason = systemReason()
    failure = reason
    throw .cannotWrite(file: path, reason: reason)
  }

  private func move(
    _ draft: DraftFile, to target: String, isCopied: Bool
  ) throws(ImageFileError) {
    try sync()
    if isCopied {
      guard copy(draft.descriptor, into: target) else { throw systemFailure }
    } else {
      guard draft.move(to: target), syncFolder(of: target) else { throw systemFailure }
    }
  }

  private var systemFailure: ImageFileError { .cannotWrite(file: path, reason: systemReason()) }

  /// Flushes the folder's entry to the disk. Succeeds where the folder is not readable, or the file system does not sync folders.
  private func syncFolder(of target: String) -> Bool {
    let folder = folder(of: target)
    let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return true }
    let isSynced = fileSystem.sync(descriptor) == 0
    let reason = errno
    close(descriptor)
    errno = reason
    return isSynced || [EINVAL, ENOTSUP, EROFS].contains(reason)
  }

  /// Copies the bytes of one file into another one, which keeps its owner. Disk space is reserved before the first old byte is overwritten.
  private func copy(_ source: Int32, into target: String) -> Bool {
    let old = open(target, O_WRONLY | O_CLOEXEC)
    guard old >= 0 else { return false }
    defer {
      let reason = errno
      close(old)
      errno = reason
    }
    var (new, status) = (stat(), stat())
    guard fstat(source, &new) == 0, fstat(old, &status) == 0 else { return false }
    #if os(Linux)
      let reason = posix_fallocate(old, 0, max(new.st_size, 1))
      if reason == ENOSPC || reason == EFBIG || reason == EDQUOT {
        _ = ftruncate(old, status.st_size)
        errno = reason
        return false
      }
    #endif
    let part = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { part.deallocate() }
    var position = 0
    while position < new.st_size {
      let count = uninterrupted { pread(source, part.baseAddress, part.count, off_t(position)) }
      guard count > 0,
        writeAll(UnsafeRawBufferPointer(rebasing: part[..<count]), to: old, at: position)
      else { return false }
      position += count
    }
    return ftruncate(old, new.st_size) == 0 && fileSystem.sync(old) == 0
  }
}

/// The kind of target that a path leads to.
private enum Target {
  case standardOutput
  case device
  /// A regular file, with the access rights of the existing one. Symbolic links are kept: this is the path they lead to.
  case file(String, FileAccessRights?)

  init(_ path: String) throws(ImageFileError) {
    guard !path.isEmpty else { throw .cannotWrite(file: path, reason: "the path is empty") }
    guard !path.utf8.contains(0) else {
      throw .cannotWrite(file: path, reason: "a path holds no zero byte")
    }
    if path == standardStream {
      self = .standardOutput
      return
    }
    var status = stat()
    guard stat(path, &status) == 0 else {
      self = .file(try followingLinks(path), nil)
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw .cannotWrite(file: path, reason: "it is a directory")
    case S_IFREG:
      let target = try followingLinks(path)
      self = .file(target, FileAccessRights(of: target, status))
    default: self = .device
    }
  }
}

/// Throws the error with which writing a file would fail before its first byte, without creating anything.
package func checkWriting(to path: String) throws(ImageFileError) { try AtomicFile.check(path) }

/// Writes a file that appears under its name when it is complete.
package func writeFile(_ bytes: [UInt8], to path: String) throws(ImageFileError) {
  let file = try AtomicFile(path)
  try file.store(bytes, at: 0, file: path)
  try file.commit()
}
