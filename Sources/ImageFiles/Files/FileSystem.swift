internal import PlatformLibc

/// The system calls that move a written file to its final path, replaceable so that tests can record them and make them fail.
package struct FileSystem: Sendable {
  /// Opens an unnamed file in a folder; returns −1 where the file system does not support them.
  package var openUnnamed: @Sendable (_ folder: String, _ mode: UInt32) -> Int32 = {
    openUnnamedFile(in: $0, mode: $1)
  }
  /// Checks kinds of access to a path, as `access` does.
  package var access: @Sendable (_ path: String, _ kinds: Int32) -> Int32 = {
    permitsAccess($0, $1)
  }
  /// Changes the owner and the group of a file, as `fchown` does.
  package var setOwner: @Sendable (_ descriptor: Int32, _ user: UInt32, _ group: UInt32) -> Int32 =
    { fchown($0, $1, $2) }
  /// Renames a file, as `rename` does.
  package var rename: @Sendable (_ old: String, _ new: String) -> Int32 = { movedFile($0, to: $1) }
  /// Gives an unnamed file a name; fails where the name exists.
  package var link: @Sendable (_ descriptor: Int32, _ path: String) -> Int32 = {
    linkat(AT_FDCWD, descriptorPath($0), AT_FDCWD, $1, AT_SYMLINK_FOLLOW)
  }
  /// Waits until a file or a folder is on the disk, as `fsync` does.
  package var sync: @Sendable (_ descriptor: Int32) -> Int32 = { fsync($0) }
  /// Closes a device or a pipe that was written to, as `close` does.
  package var closeDevice: @Sendable (_ descriptor: Int32) -> Int32 = { close($0) }

  /// The calls for files that the current task writes.
  @TaskLocal package static var current = FileSystem()

  /// The system's own calls.
  package init() {}
}

private func permitsAccess(_ path: String, _ kinds: Int32) -> Int32 { access(path, kinds) }

private func movedFile(_ old: String, to new: String) -> Int32 { rename(old, new) }

/// The path by which Linux names an open file that has no name.
private func descriptorPath(_ descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

private func openUnnamedFile(in folder: String, mode: UInt32) -> Int32 {
  #if os(Linux)
    // __O_TMPFILE, which is no constant in Swift.
    let flags = 0o20_000_000 | O_DIRECTORY | O_RDWR | O_CLOEXEC
    let descriptor = open(folder.isEmpty ? "." : folder, flags, mode_t(mode))
    // Without /proc it could never get a name.
    guard descriptor >= 0, access(descriptorPath(descriptor), F_OK) != 0 else { return descriptor }
    close(descriptor)
    errno = EOPNOTSUPP
  #endif
  return -1
}
