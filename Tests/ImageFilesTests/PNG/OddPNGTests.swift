import ColorSpaces
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// PNG variants of the published test suites: every filter, split data, every small size, color key transparency.
@Suite struct OddPNGTests {
  /// A file, and its expected samples.
  private struct Variant {
    var png: TestPNG
    let format: SampleFormat
    let channels: Channels
    let expected: ([Int]) -> [Int]
    var name: String {
      "type \(png.colorType), \(png.bitDepth) bits, \(png.isInterlaced ? "Adam7" : "rows"), "
        + "filters \(png.filters), \(png.chunks.map(\.name))"
    }
  }

  private static let palette = (0..<256).map { [$0 * 3 % 256, 255 - $0, $0 * 91 % 256] }

  /// Every color type, with and without a transparent color, in rows and interlaced.
  private static func variants(_ size: PixelSize = PixelSize(21, 13)) -> [Variant] {
    [false, true].flatMap { isInterlaced in
      types.flatMap { type, bits, count in
        let largest = (1 << bits) - 1
        func png(_ chunks: [(String, [UInt8])] = []) -> TestPNG {
          var png = TestPNG(
            width: size.width, height: size.height, bitDepth: bits, colorType: type,
            isInterlaced: isInterlaced
          ) { x, y in
            // Every other pixel has one color, which tRNS can make transparent.
            (0..<count).map {
              (x + y) & 1 == 0 ? 1 : (x * 7919 + y * 104_729 + $0 * 1299) & largest
            }
          }
          png.chunks += chunks.map { (name: $0.0, body: $0.1) }
          return png
        }
        let format = bits == 16 ? SampleFormat.uint16 : .uint8
        let full = bits == 16 ? 65_535 : 255
        let key: [UInt8] = (0..<count).flatMap { _ in [0, 1] }
        func covered(_ stored: [Int]) -> [Int] {
          stored.map { $0 * (full / largest) } + [stored.allSatisfy { $0 == 1 } ? 0 : full]
        }
        switch type {
        case 3:
          let entries = ("PLTE", palette[...largest].flatMap { $0.map(UInt8.init) })
          return [
            Variant(png: png([entries]), format: .uint8, channels: .rgb) { palette[$0[0]] },
            Variant(png: png([entries, ("tRNS", [9, 77])]), format: .uint8, channels: .rgba) {
              palette[$0[0]] + [$0[0] == 0 ? 9 : $0[0] == 1 ? 77 : 255]
            },
          ]
        case 0:
          return [
            Variant(png: png(), format: format, channels: .gray) { [$0[0] * (full / largest)] },
            Variant(
              png: png([("tRNS", key)]), format: format, channels: .grayAlpha, expected: covered),
          ]
        case 2:
          return [
            Variant(png: png(), format: format, channels: .rgb) { $0 },
            Variant(png: png([("tRNS", key)]), format: format, channels: .rgba, expected: covered),
          ]
        default:
          let channels: Channels = type == 4 ? .grayAlpha : .rgba
          return [Variant(png: png(), format: format, channels: channels) { $0 }]
        }
      }
    }
  }

  /// Color type, bit depth, and samples per pixel.
  private static let types = [
    (0, 1, 1), (0, 2, 1), (0, 4, 1), (0, 8, 1), (0, 16, 1), (2, 8, 3), (2, 16, 3), (3, 1, 1),
    (3, 2, 1), (3, 4, 1), (3, 8, 1), (4, 8, 2), (4, 16, 2), (6, 8, 4), (6, 16, 4),
  ]

  @Test(arguments: [[0], [1], [2], [3], [4], [4, 3, 2, 1, 0]])
  func everyFilterIsReversed(filters: [Int]) throws {
    for var variant in Self.variants() {
      variant.png.filters = filters
      try PNGTypesTests().check(
        variant.png, variant.format, variant.channels, variant.expected)
    }
  }

  @Test(arguments: [[1], [0, 0, 7], [2, 0, 1, 0, 40], [Int](repeating: 1, count: 300)])
  func dataMayBeSplitAnywhere(sizes: [Int]) throws {
    for var variant in Self.variants() {
      variant.png.dataSizes = sizes
      try PNGTypesTests().check(
        variant.png, variant.format, variant.channels, variant.expected)
    }
  }

  @Test(.enabled(if: Peers.vips.isPresent, "libvips-tools are not installed"))
  func libvipsDecodesTheSame() throws {
    let folder = try TemporaryFolder()
    for var variant in Self.variants() {
      variant.png.filters = [3, 4, 1, 2, 0]
      variant.png.dataSizes = [50, 0, 3]
      let file = folder.path("odd.png")
      try Peers.write(variant.png.bytes, file)
      #expect(
        try ImageFile.read(file).sampleBytes == Peers.vipsPixels(file), "\(variant.name)")
    }
  }

  /// Adam7 omits passes of small pictures.
  private static let sizes = (1...33).flatMap { side in
    [PixelSize(side, side), PixelSize(side, 34 - side)]
  }

  private static func sized(_ size: PixelSize, isInterlaced: Bool) -> TestPNG {
    var png = TestPNG(
      width: size.width, height: size.height, bitDepth: 4, colorType: 3,
      isInterlaced: isInterlaced, filters: [2, 1, 4, 3], dataSizes: [7]
    ) { x, y in [(x * 5 + y * 3) & 15] }
    png.chunks.append(("PLTE", palette[..<16].flatMap { $0.map(UInt8.init) }))
    return png
  }

  @Test(arguments: [false, true])
  func everySmallSizeIsRead(isInterlaced: Bool) throws {
    for size in Self.sizes {
      try PNGTypesTests().check(Self.sized(size, isInterlaced: isInterlaced), .uint8, .rgb) {
        Self.palette[$0[0]]
      }
    }
  }

  @Test(.enabled(if: Peers.hasPillow, "Pillow is not installed"), arguments: [false, true])
  func pillowDecodesEverySmallSizeTheSame(isInterlaced: Bool) throws {
    let folder = try TemporaryFolder()
    let files = try Self.sizes.map { size in
      let file = folder.path("\(size.width)-\(size.height).png")
      try Peers.write(Self.sized(size, isInterlaced: isInterlaced).bytes, file)
      return file
    }
    for (file, theirs) in zip(files, try Peers.pillowPixels(files)) {
      #expect(try ImageFile.read(file).sampleBytes == theirs, "\(file)")
    }
  }

  /// libpng ignores transparency of another length than the header asks for.
  @Test func transparencyThatDoesNotFitIsNoted() throws {
    let palette: (String, [UInt8]) = ("PLTE", Self.palette[..<4].flatMap { $0.map(UInt8.init) })
    let cases: [(type: Int, chunks: [(String, [UInt8])], count: Int, noted: Bool)] = [
      (0, [], 2, false), (0, [], 6, true), (2, [], 6, false), (2, [], 2, true),
      (3, [palette], 4, false), (3, [palette], 5, true), (6, [], 6, true),
    ]
    for (type, chunks, count, noted) in cases {
      var png = TestPNG(colorType: type) { x, y in
        [Int](repeating: (x + y) & 3, count: [0: 1, 2: 3, 3: 1, 6: 4][type] ?? 1)
      }
      png.chunks += chunks.map { (name: $0.0, body: $0.1) }
      png.chunks.append(("tRNS", [UInt8](repeating: 0, count: count)))
      let info = try ImageFile.info(bytes: png.bytes)
      #expect("\(info.notes)".contains("tRNS") == noted, "type \(type), \(count) bytes")
      #expect(info.channels.hasAlpha == (!noted || type == 6))
    }
  }

  /// The gammas of PngSuite's files.
  @Test(arguments: [35_000, 45_000, 55_000, 70_000, 100_000, 250_000])
  func gammaEqualsThatOfTheFile(gamma: Int) throws {
    let lights = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6000]
    let chunks = [
      (name: "gAMA", body: TestPNG.bigEndian(gamma)),
      (name: "cHRM", body: lights.flatMap(TestPNG.bigEndian)),
    ]
    let png = TestPNG(chunks: chunks) { x, y in [x, y, 7] }
    let space = try ImageFile.read(bytes: png.bytes).space
    let power = 100_000 / Double(gamma)
    #expect(space.transfer.isInterchangeable(with: power == 1 ? .linear : .gamma(power)))
    #expect(space.primaries == .rec709)
    // Without chromaticities, a gamma alone names no space.
    let bare = TestPNG(chunks: [chunks[0]]) { x, y in [x, y, 7] }
    #expect(throws: ImageFileError.untagged(file: "data")) {
      try ImageFile.read(bytes: bare.bytes)
    }
  }
}
