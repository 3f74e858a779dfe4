import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Synchronization
import Testing
import _TestSupport

#if os(Linux)
  import CXattr
#endif

/// Atomic writing: the order in which data and names reach the disk, ownership, and cleanup.
@Suite struct AtomicFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private let picture = AnyBitmap(
    Bitmap<UInt8>(PixelSize(3, 2), in: .displayP3, channels: .rgb) { x, y in
      [UInt8(x), UInt8(y), 9]
    })

  private func content() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("")).sorted()
  }

  private func status(_ name: String) -> stat {
    var status = stat()
    #expect(stat(folder.path(name), &status) == 0)
    return status
  }

  @Test(arguments: ["x\0y.png", ""]) func impossiblePathsAreNamed(path: String) throws {
    let reason = path.isEmpty ? "the path is empty" : "a path holds no zero byte"
    let expected = ImageFileError.cannotWrite(file: path, reason: reason)
    #expect(throws: expected) { try ImageFile.write(picture, to: path, as: .png) }
    #expect(throws: expected) { try Picture(picture).write(to: path, as: .png) }
    if !path.isEmpty {
      #expect(throws: ImageFileError.cannotRead(file: path, reason: reason)) {
        try ImageFile.read(path)
      }
    }
  }

  /// A file system that records its calls, with or without unnamed files.
  private final class Recorder: Sendable {
    private let calls = Mutex<[String]>([])
    var events: [String] { calls.withLock { $0 } }

    func fileSystem(hasUnnamedFiles: Bool) -> FileSystem {
      let system = FileSystem()
      var recording = system
      if !hasUnnamedFiles {
        recording.openUnnamed = { _, _ in
          errno = EOPNOTSUPP
          return -1
        }
      }
      recording.sync = { descriptor in
        var status = stat()
        _ = fstat(descriptor, &status)
        self.note(status.st_mode & S_IFMT == S_IFDIR ? "sync folder" : "sync file")
        return system.sync(descriptor)
      }
      recording.link = { descriptor, path in
        let result = system.link(descriptor, path)
        self.note(result == 0 ? "link" : "link refused")
        return result
      }
      recording.rename = { old, new in
        self.note("rename")
        return system.rename(old, new)
      }
      return recording
    }

    private func note(_ event: String) {
      let reason = errno
      calls.withLock { $0.append(event) }
      errno = reason
    }
  }

  /// The data is synced before the name refers to it, and then the folder is.
  @Test func bytesAreSyncedBeforeTheNameAndTheNameAfter() throws {
    let named = Recorder()
    for _ in 0..<2 {
      try FileSystem.$current.withValue(named.fileSystem(hasUnnamedFiles: false)) {
        try ImageFile.write(picture, to: folder.path("a.png"))
      }
    }
    let once = ["sync file", "rename", "sync folder"]
    #expect(named.events == once + once)
  }

  /// Whether the file system of temporary folders supports unnamed files.
  private static let hasUnnamedFiles = TemporaryFolder.canOpen(FileSystem().openUnnamed)

  /// The same for a file that has no name before.
  @Test(.enabled(if: hasUnnamedFiles, "skipped: this file system has no unnamed files"))
  func bytesOfUnnamedFilesAreSyncedBeforeTheirName() throws {
    let unnamed = Recorder()
    let fileSystem = unnamed.fileSystem(hasUnnamedFiles: true)
    for _ in 0..<2 {
      try FileSystem.$current.withValue(fileSystem) {
        try ImageFile.write(picture, to: folder.path("b.png"))
      }
    }
    let replacing = ["sync file", "link refused", "link", "rename", "sync folder"]
    #expect(unnamed.events == ["sync file", "link", "sync folder"] + replacing)
    #expect(try content() == ["b.png"])
  }

  @Test(arguments: [true, false])
  func failuresOfTheSystemLeaveTheOldFileAndNothingElse(hasUnnamedFiles: Bool) throws {
    let old = Data("the old file".utf8)
    let path = folder.path("a.png")
    try old.write(to: URL(filePath: path))
    let working = Recorder().fileSystem(hasUnnamedFiles: hasUnnamedFiles)
    var (unsynced, unmoved) = (working, working)
    unsynced.sync = { _ in
      errno = EIO
      return -1
    }
    unmoved.rename = { _, _ in
      errno = EACCES
      return -1
    }
    for (fileSystem, reason) in [(unsynced, EIO), (unmoved, EACCES)] {
      let expected = ImageFileError.cannotWrite(
        file: path, reason: String(cString: strerror(reason)))
      #expect(throws: expected) {
        try FileSystem.$current.withValue(fileSystem) { try ImageFile.write(picture, to: path) }
      }
      #expect(try Data(contentsOf: URL(filePath: path)) == old)
      #expect(try content() == ["a.png"])
    }
  }

  /// Of several files none appears where the bytes of one cannot be brought to the disk.
  @Test func noFileAppearsBeforeAllAreSynced() throws {
    let calls = Mutex(0)
    var fileSystem = FileSystem()
    fileSystem.sync = { _ in
      let number = calls.withLock {
        $0 += 1
        return $0
      }
      errno = EIO
      return number == 2 ? -1 : 0
    }
    let files = ["a.png", "b.png"].map { PictureFile(Picture(picture), at: folder.path($0)) }
    #expect(throws: ImageFileError.self) {
      try FileSystem.$current.withValue(fileSystem) { try Picture.write(files) }
    }
    #expect(try content().isEmpty)
  }

  @Test func aFolderThatIsNotSyncedIsAnError() throws {
    var fileSystem = FileSystem()
    fileSystem.sync = { descriptor in
      var status = stat()
      _ = fstat(descriptor, &status)
      errno = EIO
      return status.st_mode & S_IFMT == S_IFDIR ? -1 : 0
    }
    #expect(throws: ImageFileError.self) {
      try FileSystem.$current.withValue(fileSystem) {
        try ImageFile.write(picture, to: folder.path("a.png"))
      }
    }
  }

  // MARK: Permissions

  /// An owner and a group to which this process may give a file; nil if there is only its own.
  private static let others: (user: uid_t, group: gid_t)? = {
    if getuid() == 0 { return (12_345, 54_321) }
    var groups = [gid_t](repeating: 0, count: 64)
    let count = Int(getgroups(64, &groups))
    return groups.prefix(max(count, 0)).first { $0 != getgid() }.map { (getuid(), $0) }
  }()

  @Test(
    .enabled(if: others != nil, "skipped: this user may give files to nobody"),
    arguments: [true, false])
  func ownerGroupAndModeStay(hasUnnamedFiles: Bool) throws {
    let (user, group) = try #require(Self.others)
    let path = folder.path("a.png")
    try Data("old".utf8).write(to: URL(filePath: path))
    #expect(chmod(path, 0o640) == 0 && chown(path, user, group) == 0)
    try FileSystem.$current.withValue(Recorder().fileSystem(hasUnnamedFiles: hasUnnamedFiles)) {
      try ImageFile.write(picture, to: path)
    }
    let status = status("a.png")
    #expect(status.st_uid == user && status.st_gid == group && status.st_mode & 0o777 == 0o640)
    #expect(try ImageFile.read(path).space == .displayP3)
  }

  /// A file that cannot be given to its owner is written in place, so that the owner keeps it.
  @Test(.enabled(if: others != nil, "skipped: this user may give files to nobody"))
  func filesThatCannotBeGivenAwayAreWrittenInPlace() throws {
    let (user, group) = try #require(Self.others)
    let path = folder.path("a.png")
    var fileSystem = FileSystem()
    fileSystem.setOwner = { _, _, _ in
      errno = EPERM
      return -1
    }
    // Longer and shorter than the new file.
    for count in [100_000, 3] {
      try Data(count: count).write(to: URL(filePath: path))
      #expect(chown(path, user, group) == 0)
      let before = status("a.png")
      try FileSystem.$current.withValue(fileSystem) { try ImageFile.write(picture, to: path) }
      let after = status("a.png")
      #expect(after.st_ino == before.st_ino && after.st_uid == user && after.st_gid == group)
      let written = try [UInt8](Data(contentsOf: URL(filePath: path)))
      #expect(try written == ImageFile.encode(picture, as: .png))
      #expect(try content() == ["a.png"])
      #expect(unlink(path) == 0)
    }
  }

  /// A folder that permits to replace a file does not suffice.
  @Test func readOnlyFilesAreNotReplaced() throws {
    let path = folder.path("a.png")
    try Data("old".utf8).write(to: URL(filePath: path))
    // The superuser, who may run the tests, may write every file.
    var fileSystem = FileSystem()
    fileSystem.access = { checked, _ in
      guard checked.hasSuffix("/a.png") else { return 0 }
      errno = EACCES
      return -1
    }
    let expected = ImageFileError.cannotWrite(
      file: path,
      reason: "the file there may not be written (\(String(cString: strerror(EACCES)))); write to "
        + "another name, or remove the old file first")
    try FileSystem.$current.withValue(fileSystem) {
      #expect(throws: expected) { try ImageFile.write(picture, to: path) }
      #expect(throws: expected) { try checkWriting(to: path) }
      try ImageFile.write(picture, to: folder.path("new.png"))
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == Data("old".utf8))
    #expect(try content() == ["a.png", "new.png"])
  }

  /// Where the folder is read-only too, the old file cannot be removed.
  @Test func readOnlyFoldersAreNamedBeforeTheirFiles() throws {
    let path = folder.path("a.png")
    try Data("old".utf8).write(to: URL(filePath: path))
    var fileSystem = FileSystem()
    fileSystem.access = { _, _ in
      errno = EROFS
      return -1
    }
    let reason = String(cString: strerror(EROFS))
    FileSystem.$current.withValue(fileSystem) {
      let checked = #expect(throws: ImageFileError.self) { try checkWriting(to: path) }
      #expect(
        checked.map { "\($0)" }?.contains("cannot be written in: \(reason)") == true,
        "\(String(describing: checked))")
      let expected = ImageFileError.cannotWrite(
        file: path,
        reason: "the file there may not be written (\(reason)); write to another folder")
      #expect(throws: expected) { try ImageFile.write(picture, to: path) }
    }
  }

  #if os(Linux)
    /// The extended attribute with the access control list of a file.
    private static let listAttribute = "system.posix_acl_access"

    /// acl(5) in the kernel's format: tag, permissions and ID of the owner, of user 1001, of the group, the mask and
    /// others.
    private static let list: [UInt8] =
      [(1, 6, -1), (2, 4, 1001), (4, 0, -1), (16, 4, -1), (32, 0, -1)].reduce([2, 0, 0, 0]) {
        list, entry in
        let (tag, bits, user) = entry
        return list + [UInt8(tag), 0, UInt8(bits), 0] + user.bytes(4)
      }

    /// Whether the file system of temporary folders supports access control lists.
    private static let hasAccessControlLists: Bool = {
      guard let folder = try? TemporaryFolder() else { return false }
      return setxattr(folder.path(""), listAttribute, list, list.count, 0) == 0
    }()

    @Test(
      .enabled(
        if: hasAccessControlLists, "skipped: this file system has no access control lists"))
    func accessControlListsStay() throws {
      let (list, path) = (Self.list, folder.path("a.png"))
      try Data("old".utf8).write(to: URL(filePath: path))
      #expect(setxattr(path, Self.listAttribute, list, list.count, 0) == 0)
      try ImageFile.write(picture, to: path)
      var kept = [UInt8](repeating: 0, count: 256)
      let count = getxattr(path, Self.listAttribute, &kept, kept.count)
      #expect(count == list.count && Array(kept.prefix(max(count, 0))) == list)
    }
  #endif

  // MARK: Links

  @Test func linksReferToTheNewFile() throws {
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder.path("sub"), withIntermediateDirectories: false)
    try manager.createSymbolicLink(
      atPath: folder.path("first.png"), withDestinationPath: "sub/second.png")
    try manager.createSymbolicLink(
      atPath: folder.path("sub/second.png"), withDestinationPath: folder.path("real.png"))
    // The second time the file exists.
    for _ in 0..<2 {
      try ImageFile.write(picture, to: folder.path("first.png"))
      #expect(try content() == ["first.png", "real.png", "sub"])
    }
    for (link, target) in [
      ("first.png", "sub/second.png"), ("sub/second.png", folder.path("real.png")),
    ] {
      #expect(try manager.destinationOfSymbolicLink(atPath: folder.path(link)) == target)
    }
    #expect(try ImageFile.read(folder.path("real.png")).space == .displayP3)
  }

  @Test func unresolvableLinksAreErrors() throws {
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: folder.path("a.png"), withDestinationPath: "none/b.png")
    try manager.createSymbolicLink(atPath: folder.path("c.png"), withDestinationPath: "d.png")
    try manager.createSymbolicLink(atPath: folder.path("d.png"), withDestinationPath: "c.png")
    for (name, reason) in [
      ("a.png", "the folder “\(folder.path("none"))” does not exist"),
      ("c.png", String(cString: strerror(ELOOP))),
    ] {
      let expected = ImageFileError.cannotWrite(file: folder.path(name), reason: reason)
      #expect(throws: expected) { try ImageFile.write(picture, to: folder.path(name)) }
    }
    #expect(try content() == ["a.png", "c.png", "d.png"])
  }

  /// The tool advises to create a folder that is missing, and not one that is no folder.
  @Test func missingFoldersAreToldApart() throws {
    try Data("a file".utf8).write(to: URL(filePath: folder.path("file")))
    for (name, isMissing) in [("none/a.png", true), ("file/a.png", false), ("", false)] {
      let path = name.isEmpty ? "" : folder.path(name)
      let error = #expect(throws: ImageFileError.self) { try writeFile([1], to: path) }
      #expect(error?.isOfMissingFolder == isMissing, "\(name)")
    }
  }

  #if os(Linux)
    /// The bytes of a path in the folder whose name is not UTF-8.
    private var unreadablePath: [CChar] {
      folder.path("n").utf8CString.dropLast() + [CChar(bitPattern: 0xE9), 0]
    }

    @Test func linksToPathsThatAreNotUTF8AreErrors() throws {
      let (link, target) = (folder.path("a.png"), unreadablePath)
      defer { unlink(target) }
      #expect(symlink(target, link) == 0)
      let expected = ImageFileError.cannotWrite(
        file: link, reason: "the symbolic link “\(link)” leads to a path that is not UTF-8")
      #expect(throws: expected) { try ImageFile.write(picture, to: link) }
      close(creat(target, 0o600))
      #expect(throws: expected) { try ImageFile.write(picture, to: link) }
      var status = stat()
      #expect(stat(target, &status) == 0 && status.st_size == 0)
      #expect(unlink(target) == 0)
      #expect(try content() == ["a.png"])
    }

    /// The path has a link to such a folder; the current folder may be one too.
    @Test func filesInFoldersThatAreNotUTF8AreReplaced() throws {
      let (directory, path) = (unreadablePath, folder.path("link/a.png"))
      #expect(mkdir(directory, 0o700) == 0 && symlink(directory, folder.path("link")) == 0)
      defer {
        unlink(path)
        rmdir(directory)
      }
      for _ in 0..<2 {
        try ImageFile.write(picture, to: path)
        #expect(try ImageFile.read(path).space == .displayP3)
        #expect(truncate(path, 0) == 0)
      }
    }

    /// A name may be the text that stands for the bytes of another one.
    @Test func escapedNamesAreOtherFolders() throws {
      let (directory, link) = (unreadablePath, folder.path("link"))
      let other = folder.path(#"n\xe9"#)
      #expect(mkdir(directory, 0o700) == 0 && symlink(directory, link) == 0)
      #expect(mkdir(other, 0o700) == 0)
      defer { rmdir(directory) }
      let picture = Picture(Bitmap<UInt8>(PixelSize(3, 2), in: .sRGB, channels: .rgb))
      let files = [link, other].map { PictureFile(picture, at: $0 + "/a.png") }
      try Picture.checkWriting(files, options: RenderOptions())
    }
  #endif

  // MARK: Temporary folders

  @Test func anEmptyVariableNamesNoFolder() {
    #expect(UnnamedFile.folder(forVariable: "") == "/tmp")
    #expect(UnnamedFile.folder(forVariable: nil) == "/tmp")
    #expect(UnnamedFile.folder(forVariable: "/var/tmp") == "/var/tmp")
  }

  // MARK: Files of killed processes

  /// The process ID of a process that has ended.
  private func endedProcess() throws -> Int32 {
    let process = try Process.run(URL(filePath: "/bin/sh"), arguments: ["-c", "exit"])
    process.waitUntilExit()
    return process.processIdentifier
  }

  @Test(arguments: [true, false])
  func filesOfKilledProcessesAreRemoved(hasUnnamedFiles: Bool) throws {
    let ended = try endedProcess()
    let abandoned = ".colorloom-\(ended)-0123456789abcdef.tmp"
    let locked = ".colorloom-\(ended)-fedcba9876543210.tmp"
    let kept = [
      ".colorloom-\(getpid())-0123456789abcdef.tmp", ".colorloom-1234567890.tmp",
      ".colorloom-\(ended)-0123456789ABCDEF.tmp", ".colorloom-\(ended)-0123456789abcdef.tmp2",
      ".colorloom-0\(ended)-0123456789abcdef.tmp", "colorloom-\(ended)-0123456789abcdef.tmp",
      ".other-\(ended)-0123456789abcdef.tmp",
    ]
    for name in kept + [abandoned, locked] {
      try Data("bytes".utf8).write(to: URL(filePath: folder.path(name)))
    }
    let directory = ".colorloom-\(ended)-00000000000000aa.tmp"
    try FileManager.default.createDirectory(
      atPath: folder.path(directory), withIntermediateDirectories: false)
    let link = ".colorloom-\(ended)-00000000000000bb.tmp"
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(link), withDestinationPath: kept[0])
    let lock = open(folder.path(locked), O_RDONLY)
    #expect(flock(lock, LOCK_EX) == 0)
    defer { close(lock) }
    try FileSystem.$current.withValue(Recorder().fileSystem(hasUnnamedFiles: hasUnnamedFiles)) {
      try ImageFile.write(picture, to: folder.path("a.png"))
    }
    #expect(try content() == (kept + [locked, directory, link, "a.png"]).sorted())
  }

  /// A folder that could not be read is swept when it can be, and one is swept again after very many others.
  @Test func sweptFoldersAreForgotten() throws {
    let abandoned = "late/.colorloom-\(try endedProcess())-0123456789abcdef.tmp"
    let manager = FileManager.default
    func isSwept() throws -> Bool {
      try Data("bytes".utf8).write(to: URL(filePath: folder.path(abandoned)))
      TemporaryFiles.sweep(folder.path("late") + "/")
      return !manager.fileExists(atPath: folder.path(abandoned))
    }
    TemporaryFiles.sweep(folder.path("late") + "/")
    try manager.createDirectory(
      atPath: folder.path("late"), withIntermediateDirectories: false)
    #expect(try isSwept())
    for index in 0..<TemporaryFiles.mostSweptFolders {
      try manager.createDirectory(
        atPath: folder.path("\(index)"), withIntermediateDirectories: false)
      TemporaryFiles.sweep(folder.path("\(index)") + "/")
    }
    #expect(try isSwept())
  }
}
