import ColorSpaces
import ImageBuffer
import ImageFiles
import Testing

/// Every color type of PNG is expanded as the standard defines.
@Suite struct PNGTypesTests {
  func samples(_ bitmap: AnyBitmap, _ x: Int, _ y: Int) -> [Int] {
    (0..<bitmap.channels.count).map { channel in
      switch bitmap {
      case .uint8(let bitmap): Int(bitmap[x, y, channel])
      case .uint16(let bitmap): Int(bitmap[x, y, channel])
      default: -1
      }
    }
  }

  /// Reads the file and compares each pixel with what `expected` computes from its stored samples.
  func check(
    _ png: TestPNG, _ format: SampleFormat, _ channels: Channels, _ expected: ([Int]) -> [Int]
  ) throws {
    let bitmap = try ImageFile.read(bytes: png.bytes)
    #expect(bitmap.format == format)
    #expect(bitmap.channels == channels)
    #expect(bitmap.size == PixelSize(png.width, png.height))
    #expect(bitmap.alpha == .straight)
    for y in 0..<png.height {
      for x in 0..<png.width {
        #expect(samples(bitmap, x, y) == expected(png.pixel(x, y)), "pixel (\(x), \(y))")
      }
    }
  }

  @Test(arguments: [1, 2, 4, 8], [false, true])
  func grayOfFewBitsFillsTheRange(bits: Int, isInterlaced: Bool) throws {
    let largest = (1 << bits) - 1
    let png = TestPNG(
      width: 11, height: 9, bitDepth: bits, colorType: 0, isInterlaced: isInterlaced
    ) {
      [($0 * 7 + $1 * 3) & largest]
    }
    try check(png, .uint8, .gray) { [$0[0] * 255 / largest] }
  }

  @Test(arguments: [(0, Channels.gray), (2, .rgb), (4, .grayAlpha), (6, .rgba)], [8, 16])
  func unpackedTypesKeepTheirSamples(type: (Int, Channels), bits: Int) throws {
    for isInterlaced in [false, true] {
      let png = TestPNG(
        width: 9, height: 10, bitDepth: bits, colorType: type.0, isInterlaced: isInterlaced
      ) { x, y in
        (0..<type.1.count).map { (x * 7919 + y * 104_729 + $0 * 1299) % (1 << bits) }
      }
      try check(png, bits == 8 ? .uint8 : .uint16, type.1) { $0 }
    }
  }

  @Test(arguments: [1, 2, 4, 8])
  func palettesAreExpanded(bits: Int) throws {
    let palette = (0..<(1 << bits)).map { [$0 * 3 % 256, 255 - $0, $0 * 91 % 256] }
    var png = TestPNG(bitDepth: bits, colorType: 3) { [($0 + 3 * $1) & ((1 << bits) - 1)] }
    png.chunks.append(("PLTE", palette.flatMap { $0.map(UInt8.init) }))
    try check(png, .uint8, .rgb) { palette[$0[0]] }
    // The palette's first two entries are transparent, the others opaque.
    png.chunks.append(("tRNS", [0, 128]))
    try check(png, .uint8, .rgba) { palette[$0[0]] + [[0, 128][safe: $0[0]] ?? 255] }
  }

  @Test(arguments: [1, 4, 8, 16])
  func aTransparentGrayBecomesAlpha(bits: Int) throws {
    let largest = (1 << bits) - 1
    var png = TestPNG(bitDepth: bits, colorType: 0) { x, _ in [x & 1 == 1 ? 1 : largest & 6] }
    png.chunks.append(("tRNS", [0, 1]))
    let full = bits == 16 ? 65_535 : 255
    try check(png, bits == 16 ? .uint16 : .uint8, .grayAlpha) {
      [$0[0] * (full / largest), $0[0] == 1 ? 0 : full]
    }
  }

  @Test func aTransparentColorBecomesAlpha() throws {
    var png = TestPNG(bitDepth: 16, colorType: 2) { x, y in [x * 1000, y, 65_535] }
    png.chunks.append(("tRNS", [0x03, 0xE8, 0, 2, 0xFF, 0xFF]))
    try check(png, .uint16, .rgba) { $0 + [$0 == [1000, 2, 65_535] ? 0 : 65_535] }
  }
}

extension [Int] {
  fileprivate subscript(safe index: Int) -> Int? { indices.contains(index) ? self[index] : nil }
}
