import ColorSpaces
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Files on disk that are missing, obstructed or cannot be written.
@Suite struct FileAccessTests {
  private let folder: TemporaryFolder
  private let folderPath: String

  init() throws {
    folder = try TemporaryFolder()
    folderPath = URL(filePath: folder.path("a")).deletingLastPathComponent().path
  }

  private func path(_ name: String) -> String { folder.path(name) }

  private func content() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folderPath).sorted()
  }

  private let picture = AnyBitmap(
    Bitmap<UInt8>(PixelSize(3, 2), in: .displayP3, channels: .rgb) { x, y in
      [UInt8(x), UInt8(y), 9]
    })

  @Test func aWrittenFileIsReadAgain() throws {
    try ImageFile.write(picture, to: path("a.png"))
    #expect(try content() == ["a.png"])
    let read = try ImageFile.read(path("a.png"))
    #expect(read.space == .displayP3)
    #expect(read.size == PixelSize(3, 2))
  }

  @Test func missingFilesAndDirectoriesAreNamed() throws {
    #expect(
      throws: ImageFileError.cannotRead(
        file: path("none.png"), reason: "No such file or directory")
    ) { try ImageFile.read(path("none.png")) }
    #expect(throws: ImageFileError.cannotRead(file: folderPath, reason: "it is a directory")) {
      try ImageFile.read(folderPath)
    }
    #expect(throws: ImageFileError.self) { try ImageFile.read("") }
    #expect(throws: ImageFileError.self) { try ImageFile.read("a\0b") }
  }

  @Test func aFileOverTheLimitIsNotRead() throws {
    try (Data("P5\n".utf8) + Data(count: 997)).write(to: URL(filePath: path("big")))
    #expect(throws: ImageFileError.tooManyBytes(file: path("big"), limit: 999)) {
      try ImageFile.read(path("big"), limits: FileLimits(bytes: 999))
    }
  }

  @Test func aFailedWriteLeavesTheOldFileAndNothingElse() throws {
    let old = Data("the old file".utf8)
    try old.write(to: URL(filePath: path("a.png")))
    let floats = AnyBitmap(Bitmap<Float>(PixelSize(2, 2), in: .sRGB))
    #expect(throws: ImageFileError.self) { try ImageFile.write(floats, to: path("a.png")) }
    #expect(try Data(contentsOf: URL(filePath: path("a.png"))) == old)

    // Linear values too large for any profile, an error that occurs after the file was begun.
    let curve = TransferFunction("bright", decodingTable: [0, 1e6])
    let space = ColorSpace("no profile", primaries: .p3, transfer: curve)
    let bitmap = AnyBitmap(Bitmap<UInt8>(PixelSize(2, 2), in: space))
    #expect(throws: ImageFileError.self) { try ImageFile.write(bitmap, to: path("a.png")) }
    #expect(try Data(contentsOf: URL(filePath: path("a.png"))) == old)
    #expect(try content() == ["a.png"])
  }

  @Test func nameThatIsTooLongLeavesNoFile() throws {
    // The temporary file can be created; renaming it fails.
    let name = String(repeating: "a", count: 252) + ".png"
    #expect(throws: ImageFileError.self) { try ImageFile.write(picture, to: path(name)) }
    #expect(try content() == [])
  }

  @Test func directoryAtTheDestinationIsKept() throws {
    try FileManager.default.createDirectory(
      at: URL(filePath: path("a.png")), withIntermediateDirectories: false)
    #expect(
      throws: ImageFileError.cannotWrite(file: path("a.png"), reason: "it is a directory")
    ) { try ImageFile.write(picture, to: path("a.png")) }
    #expect(try content() == ["a.png"])
  }

  @Test func placesThatTakeNoFilesAreNamed() throws {
    #expect(throws: ImageFileError.self) { try ImageFile.write(picture, to: path("none/a.png")) }
    #expect(throws: ImageFileError.self) { try ImageFile.write(picture, to: "") }
    try Data().write(to: URL(filePath: path("file")))
    let reason = "“\(path("file"))” is no folder"
    #expect(throws: ImageFileError.cannotWrite(file: path("file/a.png"), reason: reason)) {
      try ImageFile.write(picture, to: path("file/a.png"))
    }
    #expect(try content() == ["file"])
  }

  /// The kernel's folder exists, and takes no files: the system's reason is that there is no such file.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc"), "skipped: no /proc"))
  func aFolderThatTakesNoFilesIsNotMissing() throws {
    let error = #expect(throws: ImageFileError.self) {
      try ImageFile.write(picture, to: "/proc/a.png")
    }
    #expect(error?.description.contains("the folder “/proc” cannot be written in: ") == true)
  }

  @Test(.enabled(if: getuid() != 0, "skipped: the superuser may write everywhere"))
  func aDirectoryWithoutPermissionIsNamed() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folderPath)
    let reason = "the folder “\(folderPath)” cannot be written in: Permission denied"
    #expect(throws: ImageFileError.cannotWrite(file: path("a.png"), reason: reason)) {
      try ImageFile.write(picture, to: path("a.png"))
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folderPath)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "skipped: no /dev/full"))
  func aFullDeviceIsAnError() throws {
    #expect(
      throws: ImageFileError.cannotWrite(file: "/dev/full", reason: "No space left on device")
    ) { try ImageFile.write(picture, to: "/dev/full", as: .png) }
  }

  @Test func permissionsAndLinksAreKept() throws {
    let manager = FileManager.default
    try Data("old".utf8).write(to: URL(filePath: path("real.png")))
    try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path("real.png"))
    try manager.createSymbolicLink(atPath: path("link.png"), withDestinationPath: "real.png")
    try ImageFile.write(picture, to: path("link.png"))
    #expect(try manager.destinationOfSymbolicLink(atPath: path("link.png")) == "real.png")
    #expect(try ImageFile.read(path("real.png")).space == .displayP3)
    let attributes = try manager.attributesOfItem(atPath: path("real.png"))
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(try content() == ["link.png", "real.png"])
  }
}
