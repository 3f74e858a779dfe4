import Colorloom
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// Behavior that all formats share.
@Suite struct ImageFileTests {
  @Test func extensionsSelectFormats() {
    for format in ImageFileFormat.all {
      for ending in format.fileExtensions {
        #expect(ImageFileFormat(ofFileNamed: "a.b/c.\(ending.uppercased())") == format)
      }
    }
    for path in ["png", "a.png/b", "a.", "", "a.txt", "-"] {
      #expect(ImageFileFormat(ofFileNamed: path) == nil)
    }
    // Extensions are unique.
    let endings = ImageFileFormat.all.flatMap(\.fileExtensions)
    #expect(Set(endings).count == endings.count)
  }

  @Test func nameWithoutAnExtensionNeedsAFormat() throws {
    let folder = try TemporaryFolder()
    let bitmap = AnyBitmap(Bitmap<UInt8>(PixelSize(2, 2), in: .sRGB))
    let error = #expect(throws: ImageFileError.unknownEnding(file: folder.path("picture"))) {
      try ImageFile.write(bitmap, to: folder.path("picture"))
    }
    #expect(error?.description.contains(".png") == true)
    try ImageFile.write(bitmap, to: folder.path("picture"), as: .png)
    #expect(try ImageFile.info(folder.path("picture")).format == .png)
  }

  @Test func contentDeterminesTheFormatOnReading() throws {
    let folder = try TemporaryFolder()
    let bitmap = AnyBitmap(Bitmap<UInt8>(PixelSize(2, 2), in: .sRGB))
    try ImageFile.write(bitmap, to: folder.path("a.jpg"), as: .png)
    #expect(try ImageFile.info(folder.path("a.jpg")).format == .png)
    #expect(try ImageFile.read(folder.path("a.jpg")).size == PixelSize(2, 2))
  }

  @Test func anUntaggedFileIsWrittenWhenAskedFor() throws {
    var options = WritingOptions()
    options.isUntagged = true
    let bitmap = AnyBitmap(Bitmap<UInt8>(PixelSize(2, 2), in: .displayP3))
    let bytes = try ImageFile.encode(bitmap, as: .png, options: options)
    guard case .unstated = try ImageFile.info(bytes: bytes).color else {
      Issue.record("The file says what its numbers mean.")
      return
    }
    #expect(throws: ImageFileError.untagged(file: "data")) { try ImageFile.read(bytes: bytes) }
  }

  @Test func picturesAreReadFromPipes() async throws {
    let folder = try TemporaryFolder()
    let bitmap: Bitmap<UInt8> = TestPictures.codes(PixelSize(300, 200))
    let bytes = try ImageFile.encode(.uint8(bitmap), as: .png)
    let path = folder.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let writer = Task.detached { write(bytes, to: path) }
    #expect(try ImageFile.read(path).size == bitmap.size)
    #expect(await writer.value)
  }

  private func write(_ bytes: [UInt8], to path: String) -> Bool {
    guard let handle = FileHandle(forWritingAtPath: path) else { return false }
    return (try? handle.write(contentsOf: Data(bytes))) != nil
  }

  @Test func theHeaderTellsHowTheSpaceWasFound() throws {
    func statement(_ chunks: [(String, [UInt8])]) throws -> ColorStatement? {
      let png = TestPNG(chunks: chunks) { _, _ in [0, 0, 0] }
      guard case .space(_, let statement) = try ImageFile.info(bytes: png.bytes).color else {
        return nil
      }
      return statement
    }
    #expect(try statement([]) == nil)
    #expect(try statement([("sRGB", [0])]) == .sRGBMark)
    #expect(
      try statement([PNGColorTests.gammaChunk, PNGColorTests.lightsChunk]) == .chromaticities)
    #expect(try statement([("cICP", [12, 13, 0, 1]), ("sRGB", [0])]) == .codePoints)
  }

  @Test func unusableMetadataIsANoteNotAnError() throws {
    let png = TestPNG(chunks: [("cICP", [1, 13, 1, 1])]) { _, _ in [0, 0, 0] }
    guard case .unusable(.unsupportedColor) = try ImageFile.info(bytes: png.bytes).color else {
      Issue.record("YCbCr code points were taken for something else.")
      return
    }
  }
}
