import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Synchronization
import Testing
import _TestSupport

/// The moment in which a folder of tiles replaces an older one.
@Suite struct DraftFolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func picture(_ width: Int) -> Picture {
    Picture(
      Bitmap<UInt8>(PixelSize(width, 10), in: .sRGB, channels: .rgb) { x, y in
        [UInt8(x & 255), UInt8(y), 9]
      })
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("")).sorted()
  }

  /// The width that the description in a folder states.
  private func width(_ name: String) throws -> Int? {
    let text = try String(contentsOfFile: folder.path("\(name)/a.dzi"), encoding: .utf8)
    return text.split(separator: "Width=\"").last.flatMap { Int($0.prefix { $0.isNumber }) }
  }

  /// The identifier of a process that has ended.
  private func endedProcess() throws -> Int32 {
    let process = try Process.run(URL(filePath: "/bin/sh"), arguments: ["-c", "exit"])
    process.waitUntilExit()
    return process.processIdentifier
  }

  /// Renames, and the folder's names before each of them.
  private final class Renames: Sendable {
    let seen = Mutex<[[String]]>([])

    /// A file system that records renames, of which one fails, counted from 0.
    func fileSystem(
      failing failed: Int? = nil, names: @escaping @Sendable () throws -> [String]
    ) -> FileSystem {
      let system = FileSystem()
      var recording = system
      recording.rename = { old, new in
        let index = self.seen.withLock { seen in
          seen.append((try? names()) ?? [])
          return seen.count - 1
        }
        guard index == failed else { return system.rename(old, new) }
        errno = EIO
        return -1
      }
      return recording
    }
  }

  private func isDraft(_ name: String) -> Bool { name.hasSuffix(".folder.tmp") }

  /// The older folder has a name of its own before the new one has its name, and is removed under the temporary one. At no time is there
  /// neither of the two.
  @Test func olderFoldersKeepAName() throws {
    try picture(300).writeTiles(to: folder.path("a"))
    let renames = Renames()
    try FileSystem.$current.withValue(renames.fileSystem(names: names)) {
      try picture(20).writeTiles(to: folder.path("a"))
    }
    let seen = renames.seen.withLock { $0 }
    let old = "a.old-\(ProcessInfo.processInfo.processIdentifier)"
    #expect(seen.count == 4)
    #expect(seen.prefix(2).allSatisfy { $0.count == 2 && $0.contains("a") && !$0.contains(old) })
    #expect(seen[2].contains(old) && !seen[2].contains("a") && seen[2].contains(where: isDraft))
    #expect(seen[3] == ["a", old])
    #expect(try names() == ["a"] && width("a") == 20)
  }

  /// Where the second rename fails, the older folder has its name again.
  @Test func failedRenamesAreUndone() throws {
    try picture(300).writeTiles(to: folder.path("a"))
    let error = #expect(throws: ImageFileError.self) {
      try FileSystem.$current.withValue(Renames().fileSystem(failing: 2, names: names)) {
        try picture(20).writeTiles(to: folder.path("a"))
      }
    }
    #expect(error?.description.contains(String(cString: strerror(EIO))) == true)
    #expect(try names() == ["a"] && width("a") == 300)
  }

  /// A process that ends between the two renames leaves the older folder under another name: the next writer gives its name back before it
  /// renders, and replaces it like any other.
  @Test(arguments: [true, false]) func abandonedFoldersAreRestored(fails: Bool) throws {
    try picture(300).writeTiles(to: folder.path("a"))
    let old = "a.old-\(try endedProcess())"
    try FileManager.default.moveItem(atPath: folder.path("a"), toPath: folder.path(old))
    if fails {
      #expect(throws: ImageFileError.self) {
        try FileSystem.$current.withValue(Renames().fileSystem(failing: 1, names: names)) {
          try picture(20).writeTiles(to: folder.path("a"))
        }
      }
    } else {
      try picture(20).writeTiles(to: folder.path("a") + "/")
    }
    #expect(try names() == ["a"] && width("a") == (fails ? 300 : 20))
  }

  /// Folders of running processes, of other names, and beside a folder of the name stay as they are.
  @Test func otherOldFoldersStay() throws {
    let ended = try endedProcess()
    // Process 1 always runs.
    let kept = ["a.old-1", "a.old-0\(ended)", "a.old-", "a.old--7", "a.old-x", "ba.old-\(ended)"]
    for name in kept {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: false)
    }
    try picture(20).writeTiles(to: folder.path("a"))
    #expect(try names() == (kept + ["a"]).sorted())
    let beside = "a.old-\(ended)"
    try FileManager.default.createDirectory(
      atPath: folder.path(beside), withIntermediateDirectories: false)
    try picture(30).writeTiles(to: folder.path("a"))
    #expect(try names() == (kept + ["a", beside]).sorted() && width("a") == 30)
  }

  /// Rows during whose reading a file comes into a folder.
  private struct Intruding: RowSource {
    let path: String
    let size = PixelSize(20, 10)
    let space = ColorSpace.sRGB
    let channels = Channels.rgb
    let alpha = Alpha.straight
    let format = SampleFormat.uint8

    final class Reader: RowReader {
      private let path: String

      init(_ path: String) { self.path = path }

      func readRow(into row: UnsafeMutableRawBufferPointer) throws {
        row.initializeMemory(as: UInt8.self, repeating: 9)
        try Data([1]).write(to: URL(filePath: path))
      }
    }

    func makeReader() throws -> any RowReader { Reader(path) }
  }

  /// Files that come into the folder while tiles are rendered are not removed.
  @Test func filesThatComeMeanwhileAreKept() throws {
    try picture(300).writeTiles(to: folder.path("a"))
    let path = folder.path("a/a_files/notes.txt")
    let error = #expect(throws: ImageFileError.self) {
      try Picture(Intruding(path: path)).writeTiles(to: folder.path("a"))
    }
    #expect(error?.description.contains("notes.txt") == true)
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(try names() == ["a"] && width("a") == 300)
  }
}
