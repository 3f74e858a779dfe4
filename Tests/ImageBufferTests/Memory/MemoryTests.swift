import ColorSpaces
import Foundation
import ImageBuffer
import Synchronization
import Testing
import _TestSupport

/// Allocated, wrapped and mapped memory: impossible requests are errors.
@Suite struct MemoryTests {
  // MARK: - Sizes

  @Test func impossibleSizesAreErrors() {
    func expect<Sample: PixelSample>(
      _ error: BitmapError, _: Sample.Type, _ width: Int, _ height: Int, channels: Channels = .rgba,
      arrangement: Arrangement = .interleaved, bytesPerRow: Int? = nil
    ) {
      #expect(throws: error) {
        try Bitmap<Sample>(
          validating: PixelSize(width, height), in: .sRGB, channels: channels,
          arrangement: arrangement, bytesPerRow: bytesPerRow)
      }
    }
    expect(.noPixels(PixelSize(0, 4)), UInt8.self, 0, 4)
    expect(.noPixels(PixelSize(4, -1)), UInt8.self, 4, -1)
    func tooLarge(_ width: Int, _ height: Int, _ format: SampleFormat) -> BitmapError {
      .unaddressable(PixelSize(width, height), .rgba, format)
    }
    expect(tooLarge(.max, 1, .float32), Float.self, .max, 1)
    expect(tooLarge(.max / 16, 1, .float32), Float.self, .max / 16, 1)
    expect(tooLarge(1, .max, .uint8), UInt8.self, 1, .max)
    expect(tooLarge(1 << 31, 1 << 31, .uint8), UInt8.self, 1 << 31, 1 << 31)
    expect(tooLarge(1, 1 << 58, .uint8), UInt8.self, 1, 1 << 58, arrangement: .planar)
    expect(tooLarge(4, 4, .uint8), UInt8.self, 4, 4, bytesPerRow: .max - 3)
    expect(.overlappingRows(bytesPerRow: 15, needed: 16), UInt8.self, 4, 4, bytesPerRow: 15)
    expect(.overlappingRows(bytesPerRow: -64, needed: 16), UInt8.self, 4, 4, bytesPerRow: -64)
    expect(.misaligned(bytes: 33, .uint16), UInt16.self, 4, 4, bytesPerRow: 33)
  }

  @Test func moreThanTheMemoryIsAnError() {
    // 2⁵⁰ bytes fit an integer, but no machine's memory.
    let side = 1 << 24
    #expect(throws: BitmapError.notEnoughMemory(bytes: side * side * 4)) {
      try Bitmap<UInt8>(validating: PixelSize(side, side), in: .sRGB)
    }
  }

  @Test func requestedStrideIsUsed() throws {
    for arrangement in [Arrangement.interleaved, .planar] {
      let source = TestPictures.codes(as: UInt16.self, PixelSize(7, 5), arrangement: arrangement)
      for bytesPerRow in [42, 44, 50, 64, 100, 1000] {
        let bitmap = try source.converted(bytesPerRow: bytesPerRow)
        #expect(bitmap.bytesPerRow == bytesPerRow)
        #expect(bitmap.address(1) - bitmap.address(0) == UInt(bytesPerRow))
        #expect(bitmap == source)
      }
    }
  }

  @Test func errorsStateNumbers() {
    #expect(
      BitmapError.unaddressable(PixelSize(1 << 31, 1 << 31), .rgba, .uint8).description
        == "A bitmap of 2147483648 × 2147483648 pixels of 4 samples (uint8) is more than memory can "
        + "address. Make it smaller, or the bytes per row where you state them.")
    #expect("\(BitmapError.overlappingRows(bytesPerRow: 15, needed: 16))".contains("at least 16"))
    #expect("\(BitmapError.noChannel(.cyan, in: .rgb))".contains("ICC profile"))
    // A bitmap knows nothing of the layers that use it.
    let errors: [BitmapError] = [
      .noPixels(PixelSize(0, 1)), .unaddressable(PixelSize(1 << 31, 1 << 31), .rgba, .uint8),
      .notEnoughMemory(bytes: 1 << 40), .noChannel(.gray, in: .rgb), .noChannel(.cyan, in: .rgb),
    ]
    for error in errors {
      #expect(!["ICCTransform", "Picture", "ender"].contains { "\(error)".contains($0) })
    }
  }

  // MARK: - Wrapped memory

  /// Wrapped bytes that count how often they are released.
  private final class Foreign: Sendable {
    nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer
    private let count = Mutex(0)
    var released: Int { count.withLock { $0 } }

    init(_ contents: [UInt8]) {
      bytes = .allocate(byteCount: contents.count, alignment: 64)
      bytes.copyBytes(from: contents)
    }

    deinit { bytes.deallocate() }

    func release() { count.withLock { $0 += 1 } }
  }

  @Test func wrappedMemoryIsReadInPlaceAndReleasedOnce() throws {
    let foreign = Foreign((0..<60).map { UInt8($0) })
    do {
      let bitmap = try Bitmap<UInt8>(
        wrapping: UnsafeRawBufferPointer(foreign.bytes), PixelSize(4, 3), in: .sRGB, channels: .rgb,
        bytesPerRow: 20, release: foreign.release)
      #expect(bitmap[3, 2, 1] == 40 + 9 + 1)
      #expect(bitmap.address() == UInt(bitPattern: foreign.bytes.baseAddress))
      let view = bitmap.view(of: Region(x: 1, y: 1, width: 2, height: 2))
      let copies = (0..<10).map { _ in bitmap }
      #expect(copies.count == 10 && view[0, 0, 0] == 23)
      #expect(foreign.released == 0)
    }
    #expect(foreign.released == 1)
  }

  /// Bottom-up row order, as in BMP files and OpenGL.
  @Test func bottomUpMemoryEqualsItsCopy() throws {
    for arrangement in [Arrangement.interleaved, .planar] {
      // Three rows of two pixels of three samples, with padding after each row.
      let rowBytes = arrangement == .planar ? 2 : 6
      let foreign = Foreign((0..<60).map { UInt8($0) })
      var bitmap = try Bitmap<UInt8>(
        wrappingMutable: foreign.bytes, PixelSize(2, 3), in: .sRGB, channels: .rgb,
        arrangement: arrangement, bytesPerRow: -(rowBytes + 1), release: foreign.release)
      let copy = Bitmap<UInt8>(PixelSize(2, 3), in: .sRGB, channels: .rgb) { x, y in
        (0..<3).map { channel in
          let row = UInt8((2 - y) * (rowBytes + 1))
          return arrangement == .planar
            ? UInt8(channel * 3 * 3 + x) + row : UInt8(3 * x + channel) + row
        }
      }
      #expect(bitmap == copy)
      #expect(bitmap.row(0).first == UInt8(2 * (rowBytes + 1)))
      #expect(try bitmap.converted(arrangement: .interleaved).row(1) == copy.row(1))
      let part = Region(x: 1, y: 1, width: 1, height: 2)
      #expect(bitmap.view(of: part) == copy.view(of: part))
      // The first row is stored last.
      bitmap[0, 0, 0] = 99
      #expect(foreign.bytes[2 * (rowBytes + 1)] == 99)
    }
    let bytes = Foreign([0, 1, 2, 3])
    // Three padded rows take five bytes, and those of Int.min overflow.
    for step in [-2, Int.min] {
      #expect(throws: BitmapError.self) {
        try Bitmap<UInt8>(
          wrapping: UnsafeRawBufferPointer(bytes.bytes), PixelSize(1, 3), in: .sRGB,
          channels: .gray,
          bytesPerRow: step, release: {})
      }
    }
    #expect(throws: BitmapError.overlappingRows(bytesPerRow: -64, needed: 4)) {
      try Bitmap<UInt8>(validating: PixelSize(1, 3), in: .sRGB, bytesPerRow: -64)
    }
  }

  @Test func wrappedMemoryIsNotWrittenTo() throws {
    let foreign = Foreign([UInt8](repeating: 7, count: 12))
    var bitmap = try Bitmap<UInt8>(
      wrapping: UnsafeRawBufferPointer(foreign.bytes), PixelSize(2, 2), in: .sRGB, channels: .rgb,
      release: foreign.release)
    bitmap[0, 0, 0] = 9
    #expect(bitmap[0, 0, 0] == 9 && bitmap[1, 1, 2] == 7)
    #expect(foreign.bytes.allSatisfy { $0 == 7 })
    // The copy does not need it any more.
    #expect(foreign.released == 1)
  }

  @Test func mutableMemoryIsMutatedByItsUniqueOwner() throws {
    let foreign = Foreign([UInt8](repeating: 7, count: 12))
    var bitmap = try Bitmap<UInt8>(
      wrappingMutable: foreign.bytes, PixelSize(2, 2), in: .sRGB, channels: .rgb,
      release: foreign.release)
    bitmap[1, 0, 2] = 9
    #expect(foreign.bytes[5] == 9)
    let copy = bitmap
    bitmap[1, 0, 2] = 11
    #expect(foreign.bytes[5] == 9 && copy[1, 0, 2] == 9 && bitmap[1, 0, 2] == 11)
    #expect(foreign.released == 0)
    withExtendedLifetime(copy) {}
  }

  @Test func mismatchedMemoryIsRefusedWithoutRelease() {
    let foreign = Foreign([UInt8](repeating: 0, count: 64))
    let bytes = UnsafeRawBufferPointer(foreign.bytes)
    #expect(throws: BitmapError.memoryTooShort(bytes: 64, needed: 72)) {
      try Bitmap<UInt8>(
        wrapping: bytes, PixelSize(6, 3), in: .sRGB, release: foreign.release)
    }
    // No padding is needed after the last row.
    #expect(throws: Never.self) {
      try Bitmap<UInt8>(
        wrapping: bytes, PixelSize(4, 2), in: .sRGB, bytesPerRow: 48, release: {})
    }
    #expect(throws: BitmapError.self) {
      try Bitmap<UInt16>(
        wrapping: UnsafeRawBufferPointer(rebasing: bytes[1...]), PixelSize(2, 2), in: .sRGB,
        release: foreign.release)
    }
    #expect(foreign.released == 0)
  }

  // MARK: - Files

  @Test func mappedFileEqualsItsBytes() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("raw")
    for (arrangement, bytesPerRow, offset) in [
      (Arrangement.interleaved, nil, 0), (.interleaved, 304, 512), (.planar, nil, 4096),
      (.planar, 100, 6),
    ] as [(Arrangement, Int?, Int)] {
      let source = TestPictures.codes(
        as: UInt16.self, PixelSize(37, 5), channels: .bgra, arrangement: arrangement)
      let stride = bytesPerRow ?? source.samplesPerRow * 2
      var bytes = [UInt8](repeating: 0xee, count: offset)
      for plane in 0..<source.planeCount {
        for y in 0..<5 {
          let row = source.row(y, plane: plane).flatMap { code in
            withUnsafeBytes(of: code, Array.init)
          }
          bytes += row + [UInt8](repeating: 0xee, count: stride - row.count)
        }
      }
      try Data(bytes).write(to: URL(filePath: path))
      var mapped = try Bitmap<UInt16>(
        mapping: path, offset: offset, PixelSize(37, 5), in: .sRGB, channels: .bgra,
        arrangement: arrangement, bytesPerRow: bytesPerRow)
      #expect(mapped == source)
      mapped[0, 0, 0] ^= 1
      #expect(mapped != source)
      #expect(try Data(contentsOf: URL(filePath: path)) == Data(bytes))
    }
  }

  @Test func filesThatCannotBeMappedAreErrors() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("raw")
    try Data(repeating: 0, count: 100).write(to: URL(filePath: path))
    func map(_ path: String, offset: Int, _ width: Int) throws(BitmapError) {
      _ = try Bitmap<UInt16>(
        mapping: path, offset: offset, PixelSize(width, 1), in: .sRGB, channels: .gray)
    }
    try map(path, offset: 0, 50)
    try map(path, offset: 98, 1)
    #expect(throws: BitmapError.fileTooShort(path, bytes: 100, needed: 102)) {
      try map(path, offset: 0, 51)
    }
    #expect(throws: BitmapError.fileTooShort(path, bytes: 100, needed: 102)) {
      try map(path, offset: 100, 1)
    }
    #expect(throws: BitmapError.fileTooShort(path, bytes: 100, needed: .max)) {
      try map(path, offset: .max - 1, 50)
    }
    #expect(throws: BitmapError.misaligned(bytes: 3, .uint16)) { try map(path, offset: 3, 1) }
    #expect(throws: BitmapError.cannotMap(path, reason: "it has no byte -2")) {
      try map(path, offset: -2, 1)
    }
    #expect(throws: BitmapError.self) { try map(folder.path("nothing"), offset: 0, 1) }
    #expect(throws: BitmapError.self) { try map("/", offset: 0, 1) }
    #expect(throws: BitmapError.self) { try map("\(path)\0", offset: 0, 1) }
  }
}

@Suite struct AlignedBufferTests {
  @Test(arguments: [0, 1, 63, 64, 4095, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 5_000_000])
  func buffersAreAlignedAndZeroedOnRequest(byteCount: Int) throws {
    for isZeroed in [false, true] {
      let buffer = try AlignedBuffer(byteCount: byteCount, isZeroed: isZeroed)
      #expect(buffer.bytes.count == byteCount)
      #expect(Int(bitPattern: buffer.bytes.baseAddress) % 64 == 0)
      #expect(!isZeroed || buffer.bytes.allSatisfy { $0 == 0 })
      for index in buffer.bytes.indices { buffer.bytes[index] = 0xA5 }
      #expect(buffer.bytes.allSatisfy { $0 == 0xA5 })
      #expect(AlignedBuffer.footprint(byteCount) >= byteCount)
    }
  }

  #if os(Linux)
    /// The system lists the mapping of a large buffer with the flag “hg”, and that of a smaller one without it.
    @Test(
      .enabled(
        if: FileManager.default.fileExists(atPath: "/sys/kernel/mm/transparent_hugepage/enabled")))
    func largeBuffersAskForHugePages() throws {
      for (byteCount, asks) in [
        (AlignedBuffer.hugePageThreshold, true), (AlignedBuffer.pageThreshold, false),
      ] {
        let buffer = try AlignedBuffer(byteCount: byteCount)
        let address = UInt(bitPattern: buffer.bytes.baseAddress)
        // A string would get the first page of the list alone.
        let data = try withExtendedLifetime(buffer) {
          try FileHandle(forReadingFrom: URL(filePath: "/proc/self/smaps")).readToEnd()
        }
        let list = String(decoding: try #require(data), as: UTF8.self)
        var isInside = false
        var flags: [Substring] = []
        for line in list.split(separator: "\n") {
          let words = line.split(separator: " ")
          let ends = words[0].split(separator: "-").map { UInt($0, radix: 16) }
          if ends.count == 2, let start = ends[0], let end = ends[1] {
            isInside = start <= address && address < end
          } else if isInside, words[0] == "VmFlags:" {
            flags = Array(words.dropFirst())
          }
        }
        #expect(flags.contains("hg") == asks)
      }
    }
  #endif

  @Test func moreThanTheMachineHasIsAnError() {
    #expect(throws: BitmapError.notEnoughMemory(bytes: 1 << 55)) {
      try AlignedBuffer(byteCount: 1 << 55)
    }
  }
}
