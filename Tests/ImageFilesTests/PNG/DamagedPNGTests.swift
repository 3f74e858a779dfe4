import ColorSpaces
import FilterGraph
import ICCProfiles
import ImageBuffer
import ImageFiles
import Testing

/// No file crashes or hangs the reader, or exceeds the memory limits.
@Suite struct DamagedPNGTests {
  static let samples: [[UInt8]] = {
    var palette = TestPNG(bitDepth: 2, colorType: 3, isInterlaced: true) { x, y in [(x + y) & 3] }
    palette.chunks += [("PLTE", [UInt8](repeating: 9, count: 12)), ("tRNS", [0, 128])]
    let p3 = Bitmap<UInt16>(PixelSize(6, 5), in: .displayP3) { x, y in
      [UInt16(x * 9999), UInt16(y * 9999), 77, 65_535]
    }
    return [palette.bytes, (try? ImageFile.encode(AnyBitmap(p3), as: .png)) ?? []]
  }()

  @Test(arguments: samples.indices)
  func everyTruncationIsAnError(sample: Int) throws {
    let bytes = Self.samples[sample]
    #expect(!bytes.isEmpty)
    for count in bytes.indices {
      #expect(throws: ImageFileError.self, "\(count) of \(bytes.count) bytes") {
        try ImageFile.read(bytes: Array(bytes.prefix(count)))
      }
    }
    // Without its end chunk a file is truncated, though it has all rows.
    #expect(throws: ImageFileError.self) { try ImageFile.read(bytes: bytes.dropLast(12)) }
  }

  @Test(arguments: samples.indices)
  func everyWrongByteIsAnErrorOrChangesNothing(sample: Int) throws {
    let bytes = Self.samples[sample]
    let intact = try ImageFile.read(bytes: bytes)
    for index in bytes.indices {
      for change: UInt8 in [0x01, 0x20, 0x80, 0xFF] {
        var damaged = bytes
        damaged[index] ^= change
        guard let read = try? ImageFile.read(bytes: damaged) else { continue }
        // Critical chunks have checksums, so a successful read is correct.
        #expect(read.space == intact.space && read.size == intact.size, "byte \(index)")
        #expect(isSame(read, intact), "byte \(index) xor \(change)")
      }
    }
  }

  func isSame(_ a: AnyBitmap, _ b: AnyBitmap) -> Bool {
    switch (a, b) {
    case (.uint8(let a), .uint8(let b)): a == b
    case (.uint16(let a), .uint16(let b)): a == b
    default: false
    }
  }

  /// libpng makes such pixels black and says nothing.
  @Test(arguments: [2, 4, 8], [false, true])
  func paletteIndicesWithoutColorsAreErrors(bits: Int, isInterlaced: Bool) throws {
    let largest = (1 << bits) - 1
    var png = TestPNG(width: 9, height: 10, bitDepth: bits, colorType: 3) { x, y in
      [x == 4 && y == 3 ? largest : (x + y) & 1]
    }
    png.isInterlaced = isInterlaced
    let head = png.chunks
    png.chunks = head + [("PLTE", [10, 20, 30, 40, 50, 60])]
    let error = ImageFileError.damaged(
      file: "data",
      reason: "its pixels have palette indices up to \(largest), and its palette has 2 colors")
    #expect(throws: error) { try ImageFile.read(bytes: png.bytes) }

    let file = try OpenedImageFile(bytes: png.bytes, salvaging: true)
    let read: Bitmap<UInt8> = try file.picture().render()
    for y in 0..<10 {
      for x in 0..<9 {
        let color: [UInt8] = (x + y) & 1 == 0 ? [10, 20, 30] : [40, 50, 60]
        let found = (0..<3).map { read[x, y, $0] }
        #expect(found == (x == 4 && y == 3 ? [0, 0, 0] : color), "pixel (\(x), \(y))")
      }
    }
    let salvage = try #require(file.salvage)
    #expect(salvage.rows == 10 && salvage.count == 10 && salvage.error == error)

    png.chunks = head + [("PLTE", [UInt8](repeating: 7, count: 3 * (largest + 1)))]
    _ = try ImageFile.read(bytes: png.bytes)
  }

  /// All rows are unpacked before the check, also where it lies in a chunk of its own.
  @Test(arguments: [2, 3], [false, true])
  func wrongAdler32IsAnErrorAfterAllRows(colorType: Int, isInterlaced: Bool) throws {
    for size in [PixelSize(9, 10), PixelSize(1, 1)] {
      var png = TestPNG(width: size.width, height: size.height, colorType: colorType) { x, y in
        (0..<(colorType == 3 ? 1 : 3)).map { (x * 37 + y * 11 + $0 * 5) & 63 }
      }
      png.isInterlaced = isInterlaced
      if colorType == 3 { png.chunks += [("PLTE", (0..<192).map { UInt8($0) })] }
      let intact = try ImageFile.read(bytes: png.bytes).sampleBytes
      let dataSize = try #require(Self.dataSize(of: png.bytes))
      png.hasWrongCheck = true
      for sizes in [[], [dataSize - 4], [dataSize - 1]] {
        png.dataSizes = sizes
        let error = ImageFileError.damaged(
          file: "data", reason: "libpng says “IDAT: incorrect data check”")
        #expect(throws: error) { try ImageFile.read(bytes: png.bytes) }
        let file = try OpenedImageFile(bytes: png.bytes, salvaging: true)
        let read: Bitmap<UInt8> = try file.picture().render()
        #expect(AnyBitmap(read).sampleBytes == intact)
        let salvage = try #require(file.salvage)
        #expect(salvage.rows == size.height && salvage.error == error)
      }
    }
  }

  /// The bytes in the first IDAT chunk.
  private static func dataSize(of png: [UInt8]) -> Int? {
    guard let name = png.firstRange(of: Array("IDAT".utf8)) else { return nil }
    return png[name.lowerBound - 4..<name.lowerBound].reduce(0) { $0 << 8 | Int($1) }
  }

  @Test func longHeadersAreNamed() {
    var bytes = Self.samples[0]
    let header = Array(bytes[16..<29]) + [0, 0]
    bytes.replaceSubrange(8..<33, with: TestPNG.chunk("IHDR", header))
    let error = ImageFileError.damaged(file: "data", reason: "its header has 15 bytes, not 13")
    #expect(throws: error) { try ImageFile.info(bytes: bytes) }
  }

  @Test func bytesAfterTheEndAreIgnored() throws {
    _ = try ImageFile.read(bytes: Self.samples[0] + [1, 2, 3])
  }

  @Test func otherFormatsAreNamed() throws {
    var cases: [([UInt8], String)] = [
      ([], "an empty file"), (Array("GIF88a".utf8), "a GIF that is neither GIF87a nor GIF89a"),
      (Array("hello, world".utf8), "text"),
      ([0, 1, 2, 3], "something else, beginning with the bytes 00 01 02 03"),
      (Array(Self.samples[0].prefix(5)), "a PNG that was cut off or damaged in its first 8 bytes"),
    ]
    #if !WebP
      cases.append((Array("RIFF1234WEBPVP8 ".utf8), "a WebP, for which the trait WebP is needed"))
    #endif
    #if !JPEGXL
      cases.append(([0xFF, 0x0A, 0, 0], "a JPEG XL, for which the trait JPEGXL is needed"))
    #endif
    #if HEIF
      cases.append((Array("1234ftypisom".utf8), "a film, or a HEIF of another kind"))
    #else
      cases.append(
        (
          Array("1234ftypavif".utf8),
          "a HEIF or AVIF, for which the trait HEIF is needed, or a film"
        ))
    #endif
    for (bytes, found) in cases {
      #expect(
        throws: ImageFileError.unknownFormat(file: "data", found: found)
      ) { try ImageFile.read(bytes: bytes) }
    }
  }

  @Test func truncationStatesTheRowCount() throws {
    // More than libpng reads at once.
    let bitmap = Bitmap<UInt8>(PixelSize(300, 100), in: .sRGB, channels: .rgb) { x, y in
      [UInt8(x * y % 251), UInt8((x ^ y * 7) & 255), UInt8(x * x * y % 253)]
    }
    let bytes = try ImageFile.encode(AnyBitmap(bitmap), as: .png)
    let error = #expect(throws: ImageFileError.self) {
      try ImageFile.read(bytes: Array(bytes.prefix(bytes.count / 2)))
    }
    guard case .truncated(_, let rows, 100) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect((1..<100).contains(rows))
  }

  /// The error of a truncated file states as many rows as salvaging reads, also those in the last, incomplete part.
  @Test(arguments: [Channels.gray, .rgb], 1...6)
  func truncationCountsAllWholeRows(channels: Channels, part: Int) throws {
    let bitmap = Bitmap<UInt8>(PixelSize(300, 100), in: .sRGB, channels: channels) { x, y in
      (0..<channels.count).map { UInt8((x * y * 31 + (x ^ y * 7) * x + $0 * 91 * y) & 255) }
    }
    let whole = try ImageFile.encode(AnyBitmap(bitmap), as: .png)
    let bytes = Array(whole.prefix(whole.count * part / 7))
    let error = #expect(throws: ImageFileError.self) { try ImageFile.read(bytes: bytes) }
    let file = try OpenedImageFile(bytes: bytes, salvaging: true)
    let read: Bitmap<UInt8> = try file.picture().render(channels: channels)
    let salvage = try #require(file.salvage)
    #expect(error == .truncated(file: "data", rows: salvage.rows, of: 100))
    #expect(salvage.error == error)
    let rows = 0..<salvage.rows * 300 * channels.count
    #expect(read.samples[rows].elementsEqual(bitmap.samples[rows]))
  }

  @Test func limitsAreCheckedBeforeAllocation() throws {
    var png = TestPNG(width: 3, height: 3) { _, _ in [0, 0, 0] }
    var bytes = png.bytes
    #expect(
      throws: ImageFileError.tooManyPixels(file: "data", PixelSize(3, 3), limit: 8)
    ) { try ImageFile.read(bytes: bytes, limits: FileLimits(pixels: 8)) }
    #expect(throws: ImageFileError.tooManyBytes(file: "data", limit: 10)) {
      try ImageFile.read(bytes: bytes, limits: FileLimits(bytes: 10))
    }
    // A header that states 400 million pixels before a hundred bytes, with a correct checksum.
    png.width = 20_000
    png.height = 20_000
    bytes.replaceSubrange(
      8..<33,
      with: TestPNG.chunk(
        "IHDR", TestPNG.bigEndian(20_000) + TestPNG.bigEndian(20_000) + [8, 2, 0, 0, 0]))
    #expect(throws: ImageFileError.self) { try ImageFile.read(bytes: bytes) }
    bytes.replaceSubrange(
      8..<33,
      with: TestPNG.chunk(
        "IHDR", TestPNG.bigEndian(0x7FFF_FFFF) + TestPNG.bigEndian(0x7FFF_FFFF) + [16, 6, 0, 0, 0]))
    #expect(throws: ImageFileError.self) {
      try ImageFile.read(bytes: bytes, limits: FileLimits(pixels: .max))
    }
  }

  @Test func impossibleHeadersAreErrors() throws {
    let intact = TestPNG { _, _ in [0, 0, 0] }.bytes
    for (depth, type) in [(3, 0), (16, 3), (4, 2), (8, 1), (8, 5), (8, 7), (0, 0), (255, 255)] {
      for interlacing in [0, 2] {
        var bytes = intact
        let header = TestPNG.bigEndian(5) + TestPNG.bigEndian(4)
        bytes.replaceSubrange(
          8..<33,
          with: TestPNG.chunk(
            "IHDR", header + [UInt8(depth), UInt8(type), 0, 0, UInt8(interlacing)]))
        #expect(throws: ImageFileError.self) { try ImageFile.read(bytes: bytes) }
      }
    }
  }

  @Test func chunksOfAnyLengthAreHarmless() throws {
    for name in ["cICP", "iCCP", "sRGB", "gAMA", "cHRM", "tRNS", "PLTE", "tEXt", "abCd"] {
      for count in [0, 1, 3, 5, 31, 33, 300] {
        var png = TestPNG { _, _ in [1, 2, 3] }
        png.chunks.append((name, [UInt8](repeating: 0, count: count)))
        _ = try? ImageFile.read(bytes: png.bytes)
        png.chunks.append((name, [UInt8](repeating: 255, count: count)))
        _ = try? ImageFile.read(bytes: png.bytes, assuming: .sRGB)
      }
    }
  }
}
