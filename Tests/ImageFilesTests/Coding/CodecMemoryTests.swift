import Colorloom
import Foundation
import ImageFiles
import PlatformLibc
import Testing
import _TestSupport

/// The memory of codecs, and sizes that overflow their integers.
@Suite struct CodecMemoryTests {
  private static let floats: [TestEXR.Channel] = [("A", 2), ("B", 2), ("G", 2), ("R", 2)]

  private static func header(
    width: Int, height: Int = 2, tile: (width: Int, height: Int)? = nil,
    channels: [TestEXR.Channel] = floats
  ) -> [UInt8] {
    var file = TestEXR(width: width, height: height, channels: channels) { _, _, _ in 0 }
    file.statedTile = tile
    return file.header
  }

  /// Rows of 2³¹ bytes in a picture, in a tile, and in chunks of many rows; rows of half the size are accepted.
  @Test func oversizedOpenEXRRowsAreRefused() throws {
    var limits = FileLimits()
    limits.expansion = .max
    let most = 1 << 27
    let refused = [
      Self.header(width: most), Self.header(width: most, tile: (64, 64)),
      Self.header(width: most, tile: (most, 1)),
      Self.header(width: 1 << 20, height: 1 << 10, tile: (1 << 20, 1 << 10)),
      // Other channels are in the chunks as well.
      Self.header(
        width: 1 << 25, channels: Self.floats + (0..<12).map { ("other \($0)", 2) }),
    ]
    for file in refused {
      let error = #expect(throws: ImageFileError.self) {
        try ImageFile.info(bytes: file, limits: limits)
      }
      guard case .unsupportedStorage(_, let reason) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(reason.contains("2147483647"))
    }
    for file in [Self.header(width: most - 1), Self.header(width: most / 2, tile: (64, 64))] {
      #expect(throws: Never.self) { try ImageFile.info(bytes: file, limits: limits) }
    }
  }

  @Test func oversizedOpenEXRRowsAreNotWritten() throws {
    let folder = try TemporaryFolder()
    var writing = WritingOptions()
    writing.compression = .none
    var options = RenderOptions()
    options.threads = 1
    // 12 bytes for each of three floats.
    let size = PixelSize(178_956_971, 1)
    let picture = Picture.constant(
      ColorPoint(0.5, 0.5, 0.5, in: .linearSRGB), in: .linearSRGB
    ).cropped(to: Region(size))
    let error = #expect(throws: ImageFileError.self) {
      try picture.write(
        to: folder.path("wide.exr"), samples: .float32, options: options, writing: writing)
    }
    #expect("\(String(describing: error))".contains("2147483647"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).isEmpty)
  }

  private static let waves = TestPictures.codes(
    as: UInt8.self, PixelSize(900, 700), channels: .rgb)

  /// The memory that a write needs, from the error for a limit that is too low.
  private func needed(
    _ picture: Picture, _ path: String, _ writing: WritingOptions = WritingOptions()
  ) throws -> Int {
    var options = RenderOptions()
    options.memoryLimit = 1
    let error = #expect(throws: ImageFileError.self) {
      try picture.write(to: path, options: options, writing: writing)
    }
    guard case .rendering(.tooMuchMemory(let bytes, 1)) = error else {
      throw Failure("\(String(describing: error))")
    }
    return bytes
  }

  @Test func renderingIncludesTheMemoryOfEncoders() throws {
    let folder = try TemporaryFolder()
    let picture = Picture(Self.waves)
    var progressive = WritingOptions()
    progressive.isProgressive = true
    var described = WritingOptions()
    described.metadata.xmp = [UInt8](repeating: 32, count: 1_000_000)
    let rows = try needed(picture, folder.path("a.jpg"))
    let whole = try needed(picture, folder.path("a.jpg"), progressive)
    // Coefficients of three components have 16 bits each.
    #expect(whole - rows >= 2 * 3 * 900 * 700)
    #expect(
      try needed(picture, folder.path("a.png"), described) - needed(picture, folder.path("a.png"))
        >= 1_000_000)
    for (limit, isWritten) in [(whole - 1, false), (whole, true)] {
      var options = RenderOptions()
      options.memoryLimit = limit
      let write = {
        _ = try picture.write(to: folder.path("a.jpg"), options: options, writing: progressive)
      }
      if isWritten {
        try write()
      } else {
        #expect(throws: ImageFileError.rendering(.tooMuchMemory(bytes: whole, limit: limit))) {
          try write()
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).isEmpty)
      }
    }
    // Bitmaps are written without rendering, and have a limit of their own.
    progressive.memoryLimit = 1 << 20
    #expect(throws: ImageFileError.self) {
      try ImageFile.write(.uint8(Self.waves), to: folder.path("b.jpg"), options: progressive)
    }
    progressive.memoryLimit = 1 << 23
    try ImageFile.write(.uint8(Self.waves), to: folder.path("b.jpg"), options: progressive)
  }

  /// Reading from memory and from a file keeps the same limit.
  @Test(arguments: [ImageFileFormat.png, .jpeg, .tiff])
  func readingHasAMemoryLimit(format: ImageFileFormat) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("picture.\(format.fileExtensions[0])")
    let bytes = try ImageFile.encode(.uint8(Self.waves), as: format)
    try Data(bytes).write(to: URL(filePath: path))
    let pixels = 900 * 700 * Self.waves.channels.count
    for read in [
      { limits throws in try ImageFile.read(bytes: bytes, limits: limits) },
      { limits throws in try ImageFile.read(path, limits: limits) },
    ] as [(FileLimits) throws -> AnyBitmap] {
      var limits = FileLimits()
      limits.memoryLimit = pixels
      let error = #expect(throws: ImageFileError.self) { try read(limits) }
      guard case .tooMuchMemory(_, let needed, pixels) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      limits.memoryLimit = needed
      #expect(throws: Never.self) { try read(limits) }
      limits.memoryLimit = needed - 1
      #expect(throws: ImageFileError.self) { try read(limits) }
    }
  }

  @Test func encodedBytesHaveAMemoryLimit() throws {
    var options = WritingOptions()
    options.compression = .none
    let whole = try ImageFile.encode(.uint8(Self.waves), as: .tiff, options: options)
    options.memoryLimit = whole.count
    #expect(throws: ImageFileError.self) {
      try ImageFile.encode(.uint8(Self.waves), as: .tiff, options: options)
    }
    // The buffer grows by copying: twice the result, and the encoder.
    options.memoryLimit = 2 * whole.count + 2_000_000
    #expect(try ImageFile.encode(.uint8(Self.waves), as: .tiff, options: options) == whole)
  }

  /// Formats that require seeking are read from pipes as from files.
  @Test(arguments: ["tif", "exr"]) func seekingFormatsPassThroughPipes(ending: String) throws {
    let folder = try TemporaryFolder()
    let picture = Picture(Self.waves).converted(to: .linearSRGB)
    try picture.write(to: folder.path("file.\(ending)"))
    let pipe = folder.path("pipe.\(ending)")
    try #require(mkfifo(pipe, 0o600) == 0)
    let copy = folder.path("copy")
    let reader = Process()
    reader.executableURL = URL(filePath: "/bin/sh")
    reader.arguments = ["-c", "cat '\(pipe)' > '\(copy)'"]
    try reader.run()
    try picture.write(to: pipe)
    reader.waitUntilExit()
    #expect(
      try Data(contentsOf: URL(filePath: copy))
        == Data(contentsOf: URL(filePath: folder.path("file.\(ending)"))))
  }
}
