import ColorSpaces
import FilterGraph
import Foundation
import ICCProfiles
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// BMP files: headers, palettes, masks, run lengths and color spaces.
@Suite struct BMPTests {
  /// The samples of each pixel, the top row first.
  private func pixels(_ bytes: [UInt8]) throws -> [[Int]] {
    func all<Sample: PixelSample & BinaryInteger>(_ bitmap: Bitmap<Sample>) -> [[Int]] {
      (0..<bitmap.size.height).flatMap { y in
        (0..<bitmap.size.width).map { x in
          (0..<bitmap.channels.count).map { Int(bitmap[x, y, $0]) }
        }
      }
    }
    switch try ImageFile.read(bytes: bytes) {
    case .uint8(let bitmap): return all(bitmap)
    case .uint16(let bitmap): return all(bitmap)
    default: throw Failure("A BMP has no floats.")
    }
  }

  // MARK: Headers

  /// Every header, in either order of rows; widths that need padding.
  @Test(arguments: [12, 16, 40, 52, 56, 64, 108, 124], [1, 2, 4, 8])
  func palettesAreRead(headerBytes: Int, bits: Int) throws {
    for (width, height, isTopDown) in [(1, 1, false), (7, 5, false), (33, 3, headerBytes > 12)] {
      var file = TestBMP(width: width, height: height, bits: bits) { x, y in
        (x * 5 + y * 3 + 1) & ((1 << bits) - 1)
      }
      (file.headerBytes, file.isTopDown) = (headerBytes, isTopDown)
      file.palette = TestBMP.colors(bits)
      let info = try ImageFile.info(bytes: file.bytes)
      #expect(info.format == .bmp && info.channels == .rgb && info.samples == .uint8)
      #expect(info.size == PixelSize(width, height))
      #expect(info.storage.contains("palette of \(1 << bits) colors, \(bits) bit"))
      #expect(info.storage.contains("top row first") == isTopDown)
      #expect(
        try pixels(file.bytes) == file.rows.joined().map { file.palette[$0].map { Int($0) } })
    }
  }

  /// Without masks: 5 bits of each channel, and bytes of which the fourth is unused.
  @Test(arguments: [12, 16, 40, 56, 124], [false, true])
  func colorsAreRead(headerBytes: Int, isTopDown: Bool) throws {
    let numbers = [0x12_3456, 0xFF_0080, 0x00_7FFF, 0x55_AA01, 0, 0xFF_FFFF]
    for bits in [16, 24, 32] {
      var file = TestBMP(width: 3, height: 2, bits: bits) { x, y in numbers[x + 3 * y] }
      if bits == 32 { file.rows[0][1] |= 0xAB00_0000 }
      (file.headerBytes, file.isTopDown) = (headerBytes, isTopDown && headerBytes > 12)
      // A mask counts only with the compression that says so.
      if headerBytes == 124 { file.masks = [0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000] }
      let expected = numbers.map { number in
        bits == 16
          ? [10, 5, 0].map { ((number >> $0 & 31) * 255 + 15) / 31 }
          : [16, 8, 0].map { number >> $0 & 255 }
      }
      #expect(try pixels(file.bytes) == expected, "\(bits)")
    }
  }

  @Test func sparseHeadersAreRead() throws {
    var file = TestBMP(width: 2, height: 1, bits: 8) { x, _ in x }
    file.palette = [[1, 2, 3], [4, 5, 6]]
    // How many colors there are; where pixels begin is not stated.
    (file.fields[32], file.statedStart) = (2, 0)
    #expect(try pixels(file.bytes) == [[1, 2, 3], [4, 5, 6]])
    // Fewer colors than stated, because the pixels begin before their end.
    (file.fields[32], file.statedStart) = (0, nil)
    #expect(try pixels(file.bytes) == [[1, 2, 3], [4, 5, 6]])
    // The padding of the last row is missing.
    #expect(try pixels(Array(file.bytes.dropLast(2))) == [[1, 2, 3], [4, 5, 6]])
    // A palette for poorer displays stands before colors.
    var deep = TestBMP(width: 1, height: 1, bits: 24) { _, _ in 0x01_0203 }
    deep.palette = [[9, 9, 9]]
    (deep.fields[32], deep.statedStart) = (1, 0)
    #expect(try pixels(deep.bytes) == [[1, 2, 3]])
  }

  @Test func resolutionIsThatOfTheHeader() throws {
    var file = TestBMP(width: 1, height: 1, bits: 24)
    #expect(try ImageFile.info(bytes: file.bytes).metadata.resolution == nil)
    (file.fields[24], file.fields[28]) = (11_811, 2835)
    let resolution = try #require(try ImageFile.info(bytes: file.bytes).metadata.resolution)
    #expect(resolution == .init(horizontal: 118.11, vertical: 28.35, unit: .centimetre))
  }

  // MARK: Masks

  @Test(arguments: [40, 52, 56, 108, 124]) func masksAreOfAnyWidth(headerBytes: Int) throws {
    let sets: [(bits: Int, masks: [Int], full: Int)] = [
      (16, [0xF800, 0x7E0, 0x1F, 0], 255), (16, [0xF, 0xF0, 0xF00, 0xF000], 255),
      (32, [0x3FF, 0xF_FC00, 0x3FF0_0000, 0xC000_0000], 65_535),
      (32, [0xFF00, 0xFF_0000, 0xFF00_0000, 0xFF], 255), (32, [0, 1, 0xFFFF_FFFE, 0], 65_535),
      (16, [0x7C00, 0x3E0, 0x1F, 0x8000], 255),
    ]
    for (bits, masks, full) in sets {
      let hasAlpha = masks[3] > 0
      var file = TestBMP(width: 7, height: 3, bits: bits) { x, y in
        (0x9E37_79B1 * (x + 7 * y + 1)) & ((1 << bits) - 1)
      }
      file.headerBytes = headerBytes
      file.masks = hasAlpha || headerBytes >= 56 ? masks : Array(masks[..<3])
      file.compression = hasAlpha && headerBytes < 56 ? 6 : 3
      let expected = file.rows.joined().map { value in
        masks.prefix(hasAlpha ? 4 : 3).map { mask -> Int in
          if mask == 0 { return 0 }
          let largest = mask >> mask.trailingZeroBitCount
          return ((value & mask) >> mask.trailingZeroBitCount * full + largest / 2) / largest
        }
      }
      let info = try ImageFile.info(bytes: file.bytes)
      #expect(info.channels == (hasAlpha ? .rgba : .rgb))
      #expect(info.samples == (full == 255 ? .uint8 : .uint16))
      #expect(try pixels(file.bytes) == expected, "\(masks)")
    }
  }

  /// Programs that know no alpha leave zeros in it.
  @Test func alphaThatIsZeroEverywhereIsIgnored() throws {
    var file = TestBMP(width: 2, height: 2, bits: 32) { _, _ in 0x01_0203 }
    (file.headerBytes, file.compression) = (124, 3)
    file.masks = [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000]
    let info = try ImageFile.info(bytes: file.bytes)
    #expect(info.channels == .rgb)
    #expect("\(info.notes)".contains("its alpha, which is 0 in all pixels; they are opaque"))
    #expect(try pixels(file.bytes) == Array(repeating: [1, 2, 3], count: 4))
    file.rows[1][1] |= 0x0100_0000
    #expect(try ImageFile.info(bytes: file.bytes).notes.isEmpty)
    #expect(try pixels(file.bytes) == Array(repeating: [1, 2, 3, 0], count: 3) + [[1, 2, 3, 1]])
    // Padding of rows is no alpha.
    var narrow = TestBMP(width: 1, height: 2, bits: 16) { _, _ in 0x0123 }
    (narrow.headerBytes, narrow.compression) = (56, 3)
    narrow.masks = [0xF00, 0xF0, 0xF, 0xF000]
    #expect(try ImageFile.info(bytes: narrow.bytes).channels == .rgb)
  }

  // MARK: Run lengths

  /// Pixels that are left out have color 0; runs end with their row.
  @Test func runsAreUnpacked() throws {
    var file = TestBMP(width: 5, height: 4, bits: 8)
    (file.compression, file.palette) = (1, TestBMP.colors(8))
    // From the bottom: a run and pixels as they are, padded; a run beyond the end; a place two rows up; the end.
    let codes: [[UInt8]] = [
      [2, 7, 0, 3, 1, 2, 3, 0, 0, 0], [9, 8], [0, 0], [0, 2, 3, 1], [1, 9], [0, 1],
    ]
    file.codes = Array(codes.joined())
    let indices = [
      [0, 0, 0, 9, 0], [0, 0, 0, 0, 0], [8, 8, 8, 8, 8], [7, 7, 1, 2, 3],
    ]
    #expect(try pixels(file.bytes) == indices.joined().map { file.palette[$0].map { Int($0) } })
    #expect(try ImageFile.info(bytes: file.bytes).storage.contains("run lengths"))
  }

  @Test func runsOfFourBitsAlternate() throws {
    var file = TestBMP(width: 6, height: 2, bits: 4)
    (file.compression, file.palette) = (2, TestBMP.colors(4))
    // Without an end mark, and without the padding of the last pixels.
    file.codes = [5, 0x12, 1, 0xF0, 0, 0, 0, 6, 0x34, 0x56, 0x78]
    let indices = [[3, 4, 5, 6, 7, 8], [1, 2, 1, 2, 1, 15]]
    #expect(try pixels(file.bytes) == indices.joined().map { file.palette[$0].map { Int($0) } })
  }

  @Test(arguments: [40, 64]) func runsOfColorsAreThoseOfOS2(headerBytes: Int) throws {
    var file = TestBMP(width: 3, height: 2, bits: 24)
    (file.headerBytes, file.compression) = (headerBytes, 4)
    file.codes = [3, 1, 2, 3, 0, 0, 1, 7, 8, 9, 0, 1]
    #expect(
      try pixels(file.bytes) == [[9, 8, 7], [0, 0, 0], [0, 0, 0]]
        + Array(repeating: [3, 2, 1], count: 3))
  }

  /// Rows are unpacked in blocks, of which a region needs a few.
  @Test func regionsOfRunsAreThoseOfTheWhole() throws {
    let size = PixelSize(700, 900)
    var file = TestBMP(width: size.width, height: size.height, bits: 8)
    (file.compression, file.palette) = (1, TestBMP.colors(8))
    file.codes = (0..<size.height).flatMap { y -> [UInt8] in
      [200, UInt8(y & 255), 255, UInt8(y >> 2), 245, 7, 0, 0]
    }
    let whole: Bitmap<UInt8> = try Picture(bytes: file.bytes).render()
    #expect(whole[0, 0, 1] == UInt8(899 & 255) && whole[300, 899, 1] == 0)
    for top in [0, 300, 640, 899] {
      let region = Region(x: 100, y: top, width: 300, height: 1)
      let part: Bitmap<UInt8> = try Picture(bytes: file.bytes).cropped(to: region).render()
      #expect((0..<300).allSatisfy { part[$0, 0, 1] == whole[100 + $0, top, 1] })
    }
  }

  // MARK: Color spaces

  private func space(
    _ word: Int, headerBytes: Int = 124, _ change: (inout TestBMP) -> Void = { _ in }
  ) throws -> ImageFileInfo {
    var file = TestBMP(width: 2, height: 1, bits: 24) { x, _ in x }
    (file.headerBytes, file.fields[56]) = (headerBytes, word)
    change(&file)
    return try ImageFile.info(bytes: file.bytes)
  }

  @Test func markedFilesAreSRGB() throws {
    for (word, statement) in [
      (0x7352_4742, ColorStatement.sRGBMark), (0x5769_6E20, .formatRule), (0, .formatRule),
      (1, .formatRule),
    ] {
      for headerBytes in [108, 124] {
        guard case .space(.sRGB, statement) = try space(word, headerBytes: headerBytes).color
        else {
          Issue.record("\(word)")
          continue
        }
      }
    }
  }

  /// Chromaticities, whose white is D65; tristimulus values, whose white is their sum.
  @Test func calibratedSpacesAreRead() throws {
    func set(_ numbers: [Double], _ exponents: [Double], in file: inout TestBMP) {
      for (index, number) in numbers.enumerated() {
        file.fields[60 + 4 * index] = Int((number * 0x1p30).rounded())
      }
      for (index, number) in exponents.enumerated() {
        file.fields[96 + 4 * index] = Int((number * 0x1p16).rounded())
      }
    }
    let adobe = [0.64, 0.33, 0.03, 0.21, 0.71, 0.08, 0.15, 0.06, 0.79]
    let found = try space(0) { set(adobe, [2.19921875, 2.19921875, 2.19921875], in: &$0) }
    guard case .space(let space, .chromaticities) = found.color else {
      throw Failure("\(found.color)")
    }
    #expect(abs(space.primaries.green.x - 0.21) < 1e-5 && space.primaries.white.x == 0.3127)
    let values = [0.4124, 0.2126, 0.0193, 0.3576, 0.7152, 0.1192, 0.1805, 0.0722, 0.9505]
    let other = try self.space(0) { set(values, [1.8, 1.8, 1.8], in: &$0) }
    guard case .space(let space, .chromaticities) = other.color else {
      throw Failure("\(other.color)")
    }
    #expect(abs(space.primaries.red.x - 0.64) < 2e-4 && abs(space.primaries.white.y - 0.329) < 2e-4)
    for exponents in [[0.0, 0, 0], [2.2, 2.2, 1.8]] {
      let bad = try self.space(0) { set(adobe, exponents, in: &$0) }
      guard case .unusable(.unsupportedColor) = bad.color else {
        throw Failure("\(bad.color)")
      }
    }
  }

  @Test func profilesAreEmbeddedOrNamed() throws {
    let profile = try ICCProfile(describing: .displayP3)
    let start = 124 + 2 * 4
    let found = try space(0x4D42_4544) { file in
      file.ending = profile.bytes
      (file.fields[112], file.fields[116]) = (start, profile.bytes.count)
    }
    #expect(found.profile == profile)
    guard case .space(.displayP3, .profile) = found.color else { throw Failure("\(found.color)") }
    for count in [profile.bytes.count + 100, 20] {
      let bad = try space(0x4D42_4544) { file in
        file.ending = profile.bytes
        (file.fields[112], file.fields[116]) = (start, count)
      }
      guard case .unusable(.profile) = bad.color else { throw Failure("\(bad.color)") }
    }
    let linked = try space(0x4C49_4E4B) { file in
      file.ending = Array("C:\\wide.icm\0".utf8)
      (file.fields[112], file.fields[116]) = (start, 12)
    }
    guard case .unusable(let error) = linked.color else { throw Failure("\(linked.color)") }
    #expect(error.finding.contains("“C:\\wide.icm”, and such names are not followed"))
  }

  // MARK: Other programs

  /// Files by Pillow: 37 colors in 8 bits, and bilevel.
  @Test func filesOfPillowAreRead() throws {
    let palette: Bitmap<UInt8> = try Picture(
      contentsOf: Fixtures.url("Images/palette.bmp").path
    ).render()
    #expect(palette.size == PixelSize(19, 11))
    for (x, y) in [(0, 0), (18, 0), (7, 4), (18, 10)] {
      let index = (x + 19 * y) % 37
      #expect((0..<3).map { Int(palette[x, y, $0]) } == [7 * index, 255 - 5 * index, index])
    }
    let bilevel: Bitmap<UInt8> = try Picture(
      contentsOf: Fixtures.url("Images/bilevel.bmp").path
    ).render()
    for y in 0..<11 {
      for x in 0..<19 { #expect(bilevel[x, y, 1] == ((x * y) % 3 == 0 ? 255 : 0)) }
    }
  }
}
