internal import PlatformLibc

/// A folder that appears under its name when all its files are complete, and not at all otherwise.
///
/// The files are written into a folder of a temporary name beside it, which is renamed at the end. Where the writing fails or a signal
/// ends the process, that folder is removed; those of killed processes are removed by a later sweep. While it is replaced, an older
/// folder has another name; ``restore(_:)`` gives its name back if the process ends then.
final class DraftFolder: Sendable {
  /// The path of the folder to write into.
  let path: String
  private let target: String
  private let parent: String
  private let descriptor: Int32

  /// Creates the temporary folder for a folder at `target`.
  init(for target: String) throws(ImageFileError) {
    // A folder cannot be renamed over a symbolic link.
    let target = try Self.destination(of: target)
    let parent = folder(of: target)
    TemporaryFiles.sweep(parent)
    let path = TemporaryFiles.newFolderPath(in: parent)
    TemporaryFiles.add(path)
    guard mkdir(path, 0o777) == 0 else {
      let reason = systemReason()
      TemporaryFiles.forget(path)
      throw .cannotWrite(file: target, reason: reason)
    }
    (self.target, self.parent, self.path) = (target, parent, path)
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // A sweep in another container, where this process is unknown, may come before the lock. The first file then fails.
    if descriptor >= 0 { _ = TemporaryFiles.lock(descriptor) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    // After a commit there is nothing under this name.
    removeTree(path)
    TemporaryFiles.forget(path)
  }

  /// Throws where the folder cannot be written: where its parent does not exist, or where something else is there. Creates nothing.
  ///
  /// - Parameters:
  ///   - target: The path of the folder.
  ///   - mark: The name of a file that each folder of the kind holds. A folder without it is replaced only if it is empty.
  ///   - isOwn: Whether a file in it, by its path from there, is one that the new folder replaces. A folder with any other file below it
  ///     is not replaced.
  static func check(
    _ target: String, replacing mark: String, where isOwn: (String) -> Bool
  ) throws(ImageFileError) {
    let target = withoutSlash(target)
    guard !target.isEmpty, target != standardStream, !target.utf8.contains(0) else {
      throw .cannotWrite(file: target, reason: "it is no path of a folder")
    }
    // “.” and “..” cannot be renamed.
    let last = target.dropFirst(folder(of: target).count)
    guard last != ".", last != ".." else {
      throw .cannotWrite(file: target, reason: "it does not end with the name of a folder")
    }
    let destination = try destination(of: target)
    var status = stat()
    guard stat(destination, &status) == 0 else {
      let parent = folder(of: destination)
      guard access(parent.isEmpty ? "." : parent, W_OK | X_OK) == 0 else {
        let isMissing = errno == ENOENT
        throw .cannotWrite(
          file: target,
          reason: isMissing
            ? reason(ofMissingFolder: withoutSlash(parent)) : systemReason())
      }
      return
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw .cannotWrite(file: target, reason: "a file is there, and no folder")
    }
    let isMarked = try namesInFolder(target).contains(Array(mark.utf8))
    let other =
      isMarked
      ? firstFile(below: destination, "", where: { !isOwn($0) })
      : entries(ofFolder: destination).min()
    if let other {
      throw .cannotWrite(
        file: target,
        reason:
          "the folder there holds “\(other)”, which would be removed; name another folder, or remove it first"
      )
    }
  }

  /// The path, from the folder at `root`, of the first file below its folder `inner` that has a property; nil if none has it.
  private static func firstFile(
    below root: String, _ inner: String, where isWanted: (String) -> Bool
  ) -> String? {
    for name in entries(ofFolder: "\(root)/\(inner)").sorted() {
      let path = inner.isEmpty ? name : "\(inner)/\(name)"
      let found =
        isRealFolder("\(root)/\(path)")
        ? firstFile(below: root, path, where: isWanted) : isWanted(path) ? path : nil
      if let found { return found }
    }
    return nil
  }

  /// Writes a file below the folder, and makes the folders that lead there.
  func write(_ bytes: [UInt8], to name: String) throws(ImageFileError) {
    let file = "\(path)/\(name)"
    var descriptor = newFile(at: file)
    if descriptor < 0, errno == ENOENT {
      for slash in name.indices where name[slash] == "/" {
        // It may be there already, made by another thread.
        _ = mkdir("\(path)/\(name[..<slash])", 0o777)
      }
      descriptor = newFile(at: file)
    }
    guard descriptor >= 0 else {
      throw .cannotWrite(file: "\(target)/\(name)", reason: systemReason())
    }
    let isWritten = bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
    let reason = systemReason()
    guard close(descriptor) == 0, isWritten else {
      throw .cannotWrite(file: "\(target)/\(name)", reason: isWritten ? systemReason() : reason)
    }
  }

  /// Copies a file that was written.
  func copy(_ name: String, to other: String) throws(ImageFileError) {
    let bytes = try ByteSource(contentsOf: "\(path)/\(name)", limit: .max)
    try write(bytes.array(), to: other)
  }

  private func newFile(at path: String) -> Int32 {
    open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
  }

  /// Moves the folder to its path, after its files are on the disk, and removes the folder that was there.
  func commit() throws(ImageFileError) {
    let fileSystem = FileSystem.current
    guard Self.sync(path, fileSystem) else {
      throw .cannotWrite(file: target, reason: systemReason())
    }
    if fileSystem.rename(path, target) == 0 { return }
    guard errno == ENOTEMPTY || errno == EEXIST else {
      throw .cannotWrite(file: target, reason: systemReason())
    }
    // A folder is renamed over an empty one only. Between the two calls the older one has a name that no sweep removes, and from which
    // a later process takes it back.
    let old = "\(target)\(Self.oldSuffix)\(getpid())"
    guard fileSystem.rename(target, old) == 0 else {
      throw .cannotWrite(file: target, reason: systemReason())
    }
    guard fileSystem.rename(path, target) == 0 else {
      let reason = systemReason()
      _ = fileSystem.rename(old, target)
      throw .cannotWrite(file: target, reason: reason)
    }
    // The temporary name is free. A sweep removes what is left there where this process ends first.
    removeTree(fileSystem.rename(old, path) == 0 ? path : old)
  }

  /// What the process identifier follows in the name that an older folder has for a moment.
  private static let oldSuffix = ".old-"

  /// Gives an older folder its name back that a process left under another one, because it ended while it replaced the folder. Does
  /// nothing where something is at `target`, or where that process still runs.
  static func restore(_ target: String) {
    guard let target = try? destination(of: target), !exists(target) else { return }
    let parent = folder(of: target)
    let prefix = target.dropFirst(parent.count) + oldSuffix
    for name in entries(ofFolder: parent.isEmpty ? "." : parent) where name.hasPrefix(prefix) {
      guard let process = pid_t(name.dropFirst(prefix.count)), process > 0,
        name == "\(prefix)\(process)", TemporaryFiles.hasEnded(process), isRealFolder(parent + name)
      else { continue }
      _ = FileSystem.current.rename(parent + name, target)
      return
    }
  }

  /// Waits until a folder and all that is in it is on the disk; returns whether that succeeded.
  ///
  /// After the last file, and not after each: the first call then writes what all files changed, and the others find nothing to do.
  private static func sync(_ path: String, _ fileSystem: FileSystem) -> Bool {
    for name in entries(ofFolder: path) {
      guard sync("\(path)/\(name)", fileSystem) else { return false }
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    let isSynced = fileSystem.sync(descriptor) == 0
    let reason = errno
    close(descriptor)
    errno = reason
    return isSynced || reason == EINVAL || reason == ENOTSUP
  }

  /// The path, without slashes at its end, of the folder that `target` leads to through symbolic links.
  private static func destination(of target: String) throws(ImageFileError) -> String {
    withoutSlash(try followingLinks(withoutSlash(target)))
  }

  /// The path without slashes at its end.
  static func withoutSlash(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }
}

/// Removes a file, or a folder with all that is in it, without following symbolic links; returns whether it is gone.
@discardableResult
func removeTree(_ path: String) -> Bool {
  if unlink(path) == 0 { return true }
  for name in entries(ofFolder: path) { removeTree("\(path)/\(name)") }
  return rmdir(path) == 0 || errno == ENOENT
}

/// Whether anything is at a path.
private func exists(_ path: String) -> Bool {
  var status = stat()
  return lstat(path, &status) == 0
}

/// Whether a folder is at a path, and no symbolic link to one.
private func isRealFolder(_ path: String) -> Bool {
  var status = stat()
  return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// The names in a folder; none for anything else.
private func entries(ofFolder path: String) -> [String] {
  guard isRealFolder(path) else { return [] }
  let names = (try? namesInFolder(path)) ?? []
  return names.map { String(decoding: $0, as: UTF8.self) }.filter { $0 != "." && $0 != ".." }
}
