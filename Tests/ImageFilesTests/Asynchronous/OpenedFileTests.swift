import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import PlatformLibc
import Testing
import _TestSupport

/// Opened files from everything that pictures are opened from: bytes, parts of bytes, `Data`, paths and URLs.
@Suite struct OpenedFileTests {
  /// A JPEG file with a gain map, which a `Picture` does not have.
  private static let name = "Images/ultra-hdr.jpg"

  private func stream<Part: Sendable>(_ parts: [Part]) -> AsyncStream<Part> {
    AsyncStream { continuation in
      for part in parts { continuation.yield(part) }
      continuation.finish()
    }
  }

  /// Expects the properties and the pixels that the form for bytes in memory gives.
  private func expect(_ file: OpenedImageFile, equals bytes: [UInt8], _ comment: Comment) throws {
    let expected = try OpenedImageFile(bytes: bytes)
    #expect(file.info.size == expected.info.size, comment)
    #expect(file.info.channels == expected.info.channels, comment)
    #expect(file.info.pages == expected.info.pages, comment)
    #expect(file.info.gainMap?.size == expected.info.gainMap?.size, comment)
    let maps = try [file, expected].map { file in
      try #require(file.gainMap(), comment).picture.render(as: UInt8.self)
    }
    #expect(maps[0] == maps[1], comment)
    let pictures = try [file, expected].map {
      try $0.picture(assuming: .sRGB).render(as: UInt8.self)
    }
    #expect(pictures[0] == pictures[1], comment)
  }

  @Test func sequencesOfBytesAreOpened() async throws {
    let bytes = try Fixtures.bytes(Self.name)
    let parts = stride(from: 0, to: bytes.count, by: 1000).map {
      bytes[$0..<min($0 + 1000, bytes.count)]
    }
    try expect(await OpenedImageFile(bytes: stream(parts)), equals: bytes, "parts")
    try expect(await OpenedImageFile(bytes: stream(bytes)), equals: bytes, "single bytes")
  }

  @Test func bytesPathsDataAndURLsAreOpened() async throws {
    let bytes = try Fixtures.bytes(Self.name)
    let folder = try TemporaryFolder()
    let (path, data) = (folder.path("a.jpg"), Data(bytes))
    try data.write(to: URL(filePath: path))
    try expect(await OpenedImageFile(bytes: bytes), equals: bytes, "bytes")
    try expect(await OpenedImageFile(path), equals: bytes, "path")
    try expect(await OpenedImageFile(data: data), equals: bytes, "data")
    try expect(await OpenedImageFile(URL(filePath: path)), equals: bytes, "URL")
    try expect(opened(data), equals: bytes, "data at once")
    try expect(opened(URL(filePath: path)), equals: bytes, "URL at once")
    let page = try #require(URL(string: "https://example.org/a.jpg"))
    await #expect(throws: ImageFileError.self) { try await OpenedImageFile(page) }
    #expect(throws: ImageFileError.self) { try opened(page) }
  }

  // The forms that block, which asynchronous functions would not choose.
  private func opened(_ data: Data) throws -> OpenedImageFile { try OpenedImageFile(data: data) }
  private func opened(_ url: URL) throws -> OpenedImageFile { try OpenedImageFile(url) }

  /// What the other parameters say holds for every form.
  @Test func parametersHold() async throws {
    var frames = TestGIF(
      width: 4, height: 3, (1...3).map { .filled($0, width: 4, height: 3, disposal: 1) }
    ).bytes
    let pages = ImagePages(.frame, number: 2, count: 3)
    #expect(try await OpenedImageFile(bytes: stream(frames), page: 2).info.pages == pages)
    #expect(try await OpenedImageFile(bytes: stream([frames]), page: 2).info.pages == pages)
    #expect(try await OpenedImageFile(data: Data(frames), page: 2).info.pages == pages)
    // Salvaging reads a file without its end mark.
    frames.removeLast()
    let strict = try await OpenedImageFile(bytes: stream([frames]), page: 3)
    #expect(throws: RenderError.self) { try strict.picture().render(as: UInt8.self) }
    for salvaged in [
      try await OpenedImageFile(bytes: stream([frames]), page: 3, salvaging: true),
      try await OpenedImageFile(bytes: stream(frames), page: 3, salvaging: true),
      try await OpenedImageFile(bytes: frames, page: 3, salvaging: true),
    ] {
      _ = try salvaged.picture().render(as: UInt8.self)
      #expect(salvaged.salvage?.rows == 3)
    }
  }

  /// What has no asynchronous form reads nothing: pictures of a file that is empty meanwhile can be opened, and not rendered.
  @Test func openedFilesAreNotReadBeforeARendering() throws {
    let folder = try TemporaryFolder()
    func opened(_ name: String) throws -> OpenedImageFile {
      let path = folder.path("a.jpg")
      // Smaller files are kept in memory.
      let padding = [UInt8](repeating: 0, count: 1 << 16)
      try Data(Fixtures.bytes(name) + padding).write(to: URL(filePath: path))
      let file = try OpenedImageFile(path)
      try #require(truncate(path, 0) == 0)
      return file
    }
    let file = try opened(Self.name)
    for picture in try [
      file.picture(assuming: .sRGB), file.gainMap()?.picture, file.hdrPicture(assuming: .sRGB),
    ] {
      let picture = try #require(picture)
      #expect(throws: RenderError.self) { try picture.render(as: UInt8.self) }
    }
    let inks = try #require(try opened("Images/cmyk-no-profile.jpg").inkPicture())
    #expect(throws: (any Error).self) { try inks.encoded(as: .tiff) }
  }

  @Test func limitsHoldForSequences() async throws {
    let bytes = try Fixtures.bytes(Self.name)
    let (stream, limits) = (stream([bytes]), FileLimits(bytes: bytes.count - 1))
    let error = ImageFileError.tooManyBytes(file: "data", limit: limits.bytes)
    await #expect(throws: error) { try await OpenedImageFile(bytes: stream, limits: limits) }
    await #expect(throws: error) {
      try await OpenedImageFile(data: Data(bytes), limits: limits)
    }
  }
}
