internal import PlatformLibc
internal import Synchronization

/// The files and folders that this process is writing under temporary names.
package enum TemporaryFiles {
  private static let paths = Mutex(Set<String>())
  private static let sweptFolders = Mutex(Set<String>())
  /// How many folders are remembered; all are forgotten when there are more, so that the memory of them is bounded.
  package static let mostSweptFolders = 4096

  static func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }

  static func forget(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// Removes all of them and ends the process; no thread adds another one meanwhile.
  package static func removeAll(beforeEnd end: () -> Never) -> Never {
    paths.withLock { paths in
      for path in paths where unlink(path) != 0 { removeFolder(path) }
      end()
    }
  }

  /// Removes a folder to which other threads may still add files: not after it has another name.
  private static func removeFolder(_ path: String) {
    let moved = newFolderPath(in: folder(of: path))
    guard rename(path, moved) == 0 else { return }
    // A file that was being created may still appear.
    for _ in 0..<8 where removeTree(moved) { return }
  }

  /// What the names of files and of folders end with. Nothing else of such a name is removed: no folder of a file's name.
  private static let (fileSuffix, folderSuffix) = (".tmp", ".folder.tmp")

  /// Returns a new name in a folder, which ends with a slash or is empty for the current one. The name contains the process identifier.
  static func newPath(in folder: String) -> String { newPath(in: folder, fileSuffix) }

  /// Returns a new name for a folder in a folder.
  static func newFolderPath(in folder: String) -> String { newPath(in: folder, folderSuffix) }

  private static func newPath(in folder: String, _ suffix: String) -> String {
    let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
    let padding = String(repeating: "0", count: 16 - digits.count)
    return "\(folder).colorloom-\(getpid())-\(padding)\(digits)\(suffix)"
  }

  /// Opens an unnamed file in a folder, which is removed when its last descriptor is closed; returns −1 on failure.
  static func openUnnamed(in folder: String) -> Int32 {
    let descriptor = FileSystem.current.openUnnamed(folder, 0o600)
    if descriptor >= 0 { return descriptor }
    let path = newPath(in: folder)
    let named = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if named >= 0 { unlink(path) }
    return named
  }

  /// Locks a temporary file for as long as it is open, so that no sweep takes it for an abandoned one.
  ///
  /// - Returns: Whether the file still has its name: a sweep may have come between its creation and the lock.
  static func lock(_ descriptor: Int32) -> Bool {
    _ = flock(descriptor, LOCK_EX | LOCK_NB)
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink > 0
  }

  /// Removes the temporary files and folders that killed processes left in a folder, unless it is remembered as swept.
  ///
  /// One is removed if it has a name of ``newPath(in:)`` and is a regular file, or of ``newFolderPath(in:)`` and is a folder, of the same
  /// user, its process has ended and nobody holds its lock. The lock also covers writers on other machines and in other containers, whose
  /// process numbers are unknown here.
  package static func sweep(_ folder: String) {
    if sweptFolders.withLock({ $0.contains(folder) }) { return }
    guard let entries = opendir(folder.isEmpty ? "." : folder) else { return }
    defer { closedir(entries) }
    sweptFolders.withLock { folders in
      if folders.count >= mostSweptFolders { folders.removeAll() }
      folders.insert(folder)
    }
    while let entry = readdir(entries) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
      }
      for (suffix, type) in [(fileSuffix, S_IFREG), (folderSuffix, S_IFDIR)] {
        guard let process = writer(of: name, suffix), hasEnded(process) else { continue }
        removeIfAbandoned(folder + name, ofType: type)
      }
    }
  }

  /// The process that wrote a file or a folder of this name; nil for the names of other programs.
  private static func writer(of name: String, _ suffix: String) -> pid_t? {
    let prefix = ".colorloom-"
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
    let parts = name.dropFirst(prefix.count).dropLast(suffix.count)
      .split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let process = pid_t(parts[0]), process > 0, "\(process)" == parts[0],
      parts[1].utf8.count == 16,
      parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    return process
  }

  /// Whether there is no process of this number. Those of other containers are unknown.
  static func hasEnded(_ process: pid_t) -> Bool { kill(process, 0) != 0 && errno == ESRCH }

  private static func removeIfAbandoned(_ path: String, ofType type: mode_t) {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == type,
      status.st_uid == geteuid(), flock(descriptor, LOCK_EX | LOCK_NB) == 0
    else { return }
    removeTree(path)
  }
}
