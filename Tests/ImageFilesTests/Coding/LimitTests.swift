import ColorSpaces
import FilterGraph
import Foundation
import ICCProfiles
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Limits on files, and the errors for files that exceed them.
@Suite struct LimitTests {
  @Test func limitsEqualTheDocumentation() {
    let limits = FileLimits()
    #expect(limits.pixels == 1 << 30)
    #expect(limits.bytes == 4 << 30)
    #expect(limits.metadataBytes == 64 << 20)
    #expect(limits.profileBytes == 16 << 20)
    #expect(limits.expansion == 2000)
    #expect(FileLimits(pixels: 5) != limits && FileLimits(pixels: 1 << 30) == limits)
    // Readable sizes are writable.
    #expect(RenderOptions().pixelLimit == limits.pixels)
  }

  /// A header that states 400 million one-bit pixels, before no more bytes than they could be compressed to.
  private let bomb: [UInt8] = {
    var png = TestPNG(width: 3, height: 3, bitDepth: 1, colorType: 0) { _, _ in [0] }
    png.chunks.append(("juNk", [UInt8](repeating: 0, count: 100_000)))
    var bytes = png.bytes
    let size = TestPNG.bigEndian(20_000) + TestPNG.bigEndian(20_000)
    bytes.replaceSubrange(8..<33, with: TestPNG.chunk("IHDR", size + [1, 0, 0, 0, 0]))
    return bytes
  }()

  @Test func picturesDoNotOutgrowTheirFiles() {
    #expect(
      throws: ImageFileError.expandsTooMuch(
        file: "data", PixelSize(20_000, 20_000), byteCount: bomb.count, limit: 2000)
    ) { try ImageFile.info(bytes: bomb) }
    var limits = FileLimits()
    limits.expansion = .max
    // With a higher limit, the error is that there are no pixels.
    #expect(throws: Never.self) { try ImageFile.info(bytes: bomb, limits: limits) }
  }

  /// Files that must be decoded as a whole are refused in advance, if they exceed the memory of rendering.
  @Test func memoryOfWholeFileDecodersIsLimited() throws {
    let folder = try TemporaryFolder()
    let pixel: (Int, Int) -> [Int] = { x, y in [x & 255, y & 255, 0] }
    let bitmap = TestPictures.codes(as: UInt8.self, PixelSize(600, 400))
    var progressive = WritingOptions()
    progressive.isProgressive = true
    let png = PixelSize(600, 400).pixelCount * 3
    let pairs = [
      (
        TestPNG(width: 600, height: 400, pixel: pixel).bytes,
        TestPNG(width: 600, height: 400, isInterlaced: true, pixel: pixel).bytes, png
      ),
      (
        // Luma coefficients have 16 bits each.
        try ImageFile.encode(.uint8(bitmap), as: .jpeg),
        try ImageFile.encode(.uint8(bitmap), as: .jpeg, options: progressive), png / 3 * 2
      ),
    ]
    for (rows, whole, bytes) in pairs {
      let path = folder.path("picture")
      var options = RenderOptions()
      options.threads = 2
      func promised(_ file: [UInt8]) throws -> Int {
        try Data(file).write(to: URL(fileURLWithPath: path))
        return try Picture(contentsOf: path).planReport(as: UInt8.self, options: options).peakBytes
      }
      let limit = try promised(rows)
      let needed = try promised(whole)
      #expect(needed >= limit + bytes)
      options.memoryLimit = limit
      #expect(throws: RenderError.tooMuchMemory(bytes: needed, limit: limit)) {
        try Picture(contentsOf: path).render(as: UInt8.self, options: options)
      }
      options.memoryLimit = needed
      #expect(throws: Never.self) {
        try Picture(contentsOf: path).render(as: UInt8.self, options: options)
      }
    }
  }

  /// 20 megabytes of zeros, compressed to a few kilobytes.
  private func packedZeros() throws -> [UInt8] {
    let zeros = Bitmap<UInt8>(PixelSize(5000, 4000), in: .sRGB, channels: .gray)
    let png = try ImageFile.encode(.uint8(zeros), as: .png)
    var (stream, start): ([UInt8], Int) = ([], 8)
    while start < png.count {
      let length = png[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      if png[start + 4..<start + 8].elementsEqual("IDAT".utf8) {
        stream += png[start + 8..<start + 8 + length]
      }
      start += 12 + length
    }
    return stream
  }

  @Test func profilesDoNotOutgrowTheirLimit() throws {
    let packed = try packedZeros()
    #expect(packed.count < 100_000)
    var png = TestPNG { _, _ in [0, 0, 0] }
    png.chunks = [("iCCP", Array("bomb\0\0".utf8) + packed)]
    var limits = FileLimits()
    for limit in [limits.profileBytes, 5000] {
      limits.profileBytes = limit
      let error = ICCProfileError.tooLarge(byteCount: nil, limit: limit)
      #expect("\(error)".hasPrefix("The profile has more than the limit of \(limit) bytes."))
      #expect(throws: ImageFileError.profile(file: "data", error)) {
        try ImageFile.read(bytes: png.bytes, limits: limits)
      }
    }
  }

  @Test(arguments: [ImageFileFormat.png, .jpeg, .tiff])
  func largeProfilesAreRefusedEverywhere(format: ImageFileFormat) throws {
    let bitmap = Bitmap<UInt8>(PixelSize(2, 2), in: .proPhoto, channels: .rgb)
    let bytes = try ImageFile.encode(.uint8(bitmap), as: format)
    var limits = FileLimits()
    #expect(try ImageFile.read(bytes: bytes, limits: limits).space == .proPhoto)
    limits.profileBytes = 200
    #expect(throws: ImageFileError.self) { try ImageFile.read(bytes: bytes, limits: limits) }
  }

  /// A comment without a character takes 64 bytes of memory.
  @Test func emptyCommentsCountAsMetadata() throws {
    let comment: (marker: UInt8, body: [UInt8]) = (0xFE, [])
    let bytes = try JPEGTests.file(Array(repeating: comment, count: 1000))
    var limits = FileLimits()
    limits.metadataBytes = 70_000
    #expect(try ImageFile.info(bytes: bytes, limits: limits).metadata.text.count == 1000)
    limits.metadataBytes = 60_000
    #expect(throws: ImageFileError.tooMuchMetadata(file: "data", limit: 60_000)) {
      try ImageFile.info(bytes: bytes, limits: limits)
    }
  }

  @Test(arguments: [ImageFileFormat.jpeg, .tiff])
  func metadataHasALimit(format: ImageFileFormat) throws {
    var options = WritingOptions()
    options.metadata.xmp = [UInt8](repeating: 32, count: 60_000)
    let bitmap = Bitmap<UInt8>(PixelSize(2, 2), in: .sRGB, channels: .rgb)
    let bytes = try ImageFile.encode(.uint8(bitmap), as: format, options: options)
    var limits = FileLimits()
    #expect(try ImageFile.info(bytes: bytes, limits: limits).metadata.xmp?.count == 60_000)
    limits.metadataBytes = 50_000
    #expect(throws: ImageFileError.tooMuchMetadata(file: "data", limit: 50_000)) {
      try ImageFile.info(bytes: bytes, limits: limits)
    }
  }
}
