internal import PlatformLibc

#if canImport(Glibc) || canImport(Musl)
  internal import CXattr
#endif

/// The access rights of a file: its owner, group, mode and access control list.
struct FileAccessRights {
  private let user, group: UInt32
  private let mode: mode_t
  /// The access control list as the system stores it; nil where the file has only a mode.
  private let accessList: [UInt8]?

  /// Reads the rights of an existing file.
  init(of path: String, _ status: stat) {
    (user, group, mode) = (status.st_uid, status.st_gid, status.st_mode & 0o777)
    accessList = Self.accessList(of: path)
  }

  /// Applies the rights to another file; returns whether all of them could be applied.
  func give(to descriptor: Int32, _ fileSystem: FileSystem) -> Bool {
    // The owner is set last: after that, a process without privileges may not change the file any more.
    var status = stat()
    guard fchmod(descriptor, mode) == 0, setAccessList(of: descriptor),
      fstat(descriptor, &status) == 0
    else { return false }
    if (status.st_uid, status.st_gid) == (user, group) { return true }
    return fileSystem.setOwner(descriptor, user, group) == 0
  }

  #if os(Linux)
    private static let attribute = "system.posix_acl_access"

    private static func accessList(of path: String) -> [UInt8]? {
      let count = getxattr(path, attribute, nil, 0)
      guard count > 0 else { return nil }
      let list = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
        used = max(getxattr(path, attribute, buffer.baseAddress, count), 0)
      }
      return list.isEmpty ? nil : list
    }

    private func setAccessList(of descriptor: Int32) -> Bool {
      if let accessList {
        return fsetxattr(descriptor, Self.attribute, accessList, accessList.count, 0) == 0
      }
      // Removes the access control list that the file inherited from its folder.
      guard fgetxattr(descriptor, Self.attribute, nil, 0) > 0 else { return true }
      return fremovexattr(descriptor, Self.attribute) == 0 && fchmod(descriptor, mode) == 0
    }
  #else
    private static func accessList(of path: String) -> [UInt8]? { nil }

    private func setAccessList(of descriptor: Int32) -> Bool { true }
  #endif
}
