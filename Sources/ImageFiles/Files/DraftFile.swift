internal import PlatformLibc

/// A file that is being written and is not yet visible under its final path.
///
/// Where the file system supports unnamed files (`O_TMPFILE`), nothing remains of it however the process ends. Elsewhere it has a
/// temporary name, which is removed with it, by ``TemporaryFiles/removeAll(beforeEnd:)`` or by a later sweep.
final class DraftFile {
  /// Open for reading and writing.
  let descriptor: Int32
  private let folder: String
  private let fileSystem: FileSystem
  private var temporaryPath: String?

  /// Creates the file in a folder, which ends with a slash or is empty for the current one; nil where the system refuses, with `errno`.
  init?(in folder: String, mode: UInt32, _ fileSystem: FileSystem) {
    (self.folder, self.fileSystem) = (folder, fileSystem)
    TemporaryFiles.sweep(folder)
    let unnamed = fileSystem.openUnnamed(folder, mode)
    if unnamed >= 0 {
      _ = TemporaryFiles.lock(unnamed)
      descriptor = unnamed
      return
    }
    while true {
      let path = TemporaryFiles.newPath(in: folder)
      TemporaryFiles.add(path)
      let named = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(mode))
      guard named >= 0 else {
        let reason = errno
        TemporaryFiles.forget(path)
        errno = reason
        return nil
      }
      if TemporaryFiles.lock(named) {
        (descriptor, temporaryPath) = (named, path)
        return
      }
      close(named)
      TemporaryFiles.forget(path)
    }
  }

  deinit {
    close(descriptor)
    guard let temporaryPath else { return }
    unlink(temporaryPath)
    TemporaryFiles.forget(temporaryPath)
  }

  /// Moves the file to its final path in the same folder, atomically replacing an existing file; returns whether that succeeded. On
  /// failure `errno` is set.
  func move(to path: String) -> Bool {
    if temporaryPath == nil {
      if fileSystem.link(descriptor, path) == 0 { return true }
      // `link` never replaces a file; `rename` does.
      guard errno == EEXIST else { return false }
      let name = TemporaryFiles.newPath(in: folder)
      TemporaryFiles.add(name)
      temporaryPath = name
      guard fileSystem.link(descriptor, name) == 0 else { return false }
    }
    guard let name = temporaryPath, fileSystem.rename(name, path) == 0 else { return false }
    TemporaryFiles.forget(name)
    temporaryPath = nil
    return true
  }
}
