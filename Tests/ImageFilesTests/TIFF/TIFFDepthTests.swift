import Colorloom
import ICCProfiles
import ImageFiles
import Testing
import _TestSupport

/// TIFF samples that no bitmap holds as they are stored, and files without PhotometricInterpretation.
@Suite struct TIFFDepthTests {
  private func read(_ tiff: TestTIFF) throws -> AnyBitmap {
    try ImageFile.read(bytes: tiff.bytes, assuming: .sRGB)
  }

  /// The stored samples in the order of a bitmap's.
  private func stored(_ tiff: TestTIFF) -> [Int] {
    (0..<tiff.height).flatMap { y in
      (0..<tiff.width).flatMap { x in (0..<tiff.samplesPerPixel).map { tiff.sample(x, y, $0) } }
    }
  }

  private func checkFloats(
    _ tiff: TestTIFF, bits: Int, _ expected: (Int) -> Float,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for tiff in tiff.arrangements {
      guard case .float32(let bitmap) = try read(tiff) else { throw Failure("no floats") }
      let samples = (0..<tiff.height).flatMap { bitmap.row($0) }
      #expect(samples == stored(tiff).map(expected), sourceLocation: sourceLocation)
      let rounding = ImageFileNote.unread(
        "the bits of its samples of \(bits) bits that single precision does not hold")
      #expect(
        try ImageFile.info(bytes: tiff.bytes).notes == (bits > 24 ? [rounding] : []),
        sourceLocation: sourceLocation)
    }
  }

  /// The code of 16 bits that is nearest to one of fewer bits.
  private func scaled(_ code: Int, bits: Int) -> Int {
    Int((Double(code) * 65_535 / Double(1 << bits - 1)).rounded())
  }

  @Test(arguments: [10, 12, 14], [0, 1, 2])
  func integersOfMoreThanAByteAreScaled(bits: Int, kind: Int) throws {
    let largest = 1 << bits - 1
    let tiff = TestTIFF(
      width: 21, height: 19, bits: bits, samplesPerPixel: kind == 2 ? 3 : 1, kind: kind
    ) { x, y, channel in
      x == 0 ? (y & 1) * largest : (x * 7919 + y * 1013 + channel * 131) & largest
    }
    for tiff in tiff.arrangements {
      guard case .uint16(let bitmap) = try read(tiff) else { throw Failure("no 16 bits") }
      let samples = (0..<tiff.height).flatMap { bitmap.row($0).map(Int.init) }
      #expect(
        samples
          == stored(tiff).map {
            let code = scaled($0, bits: bits)
            return kind == 0 ? 65_535 - code : code
          })
      let info = try ImageFile.info(bytes: tiff.bytes)
      #expect(info.storage.contains("\(bits) bits") && info.notes == [])
    }
  }

  /// The most significant bit comes first in either byte order, and rows begin at whole bytes.
  @Test(arguments: [false, true])
  func twelveBitsArePackedFromTheMostSignificantBit(isBigEndian: Bool) throws {
    var tiff = TestTIFF(
      width: 3, height: 2, bits: 12, samplesPerPixel: 1, kind: 1, isBigEndian: isBigEndian
    ) { _, _, _ in 0 }
    tiff.cellsInstead = [[0xAB, 0xC1, 0x23, 0xFF, 0xF0, 0x00, 0x04, 0x56, 0x78, 0x90]]
    guard case .uint16(let bitmap) = try read(tiff) else { throw Failure("no 16 bits") }
    let codes = [0xABC, 0x123, 0xFFF, 0x000, 0x456, 0x789]
    #expect(
      (0..<2).flatMap { bitmap.row($0).map(Int.init) } == codes.map { scaled($0, bits: 12) })
  }

  @Test func integersOf32BitsBecomeFloats() throws {
    let tiff = TestTIFF(width: 21, height: 19, bits: 32) { x, y, channel in
      x == 0 ? (y & 1) * 0xFFFF_FFFF : (x * 0x1234_5678 + y * 98_765_431 + channel) & 0xFFFF_FFFF
    }
    try checkFloats(tiff, bits: 32) { Float(Double($0) / 4_294_967_295) }
  }

  @Test func floatsOf64BitsAreRounded() throws {
    let tiff = TestTIFF(width: 21, height: 19, bits: 64, sampleFormat: 3) { x, y, channel in
      Int(bitPattern: UInt((Double(x) / 3 - Double(y) * 1e-9 + Double(channel) * 1e5).bitPattern))
    }
    try checkFloats(tiff, bits: 64) { Float(Double(bitPattern: UInt64(UInt(bitPattern: $0)))) }
  }

  @Test(arguments: [8, 16, 32])
  func signedIntegersBecomeFloats(bits: Int) throws {
    let largest = 1 << (bits - 1) - 1
    let tiff = TestTIFF(
      width: 21, height: 19, bits: bits, samplesPerPixel: 1, sampleFormat: 2, kind: 1
    ) { x, y, _ in [largest, -largest - 1, 0, -1, 1, largest / 3 - x - y][(x + y) % 6] }
    try checkFloats(tiff, bits: bits) { Float(Double($0) / Double(largest)) }
  }

  @Test func inkChannelsMayHave12Bits() throws {
    func tiff(_ bits: Int, _ sample: @escaping (Int) -> Int) -> TestTIFF {
      var tiff = TestTIFF(bits: bits, samplesPerPixel: 4, kind: 5) { x, y, channel in
        sample((x * 801 + y * 377 + channel * 1033) & 4095)
      }
      let profile = TableProfile.profile(.mft2, space: "CMYK", channels: 4, version: 2)
      tiff.blobs[34_675] = profile.bytes
      return tiff
    }
    let deep = try read(tiff(12) { $0 })
    #expect(try deep.sampleBytes == read(tiff(16) { scaled($0, bits: 12) }).sampleBytes)
  }

  /// Palettes, Lab, and integers of 32 bits of which zero is white.
  @Test(arguments: [(12, 1, 3), (12, 3, 8), (32, 3, 8), (32, 1, 0)])
  func otherColorsOfTheseDepthsAreRefused(bits: Int, samples: Int, kind: Int) throws {
    var tiff = TestTIFF(bits: bits, samplesPerPixel: samples, kind: kind) { _, _, _ in 0 }
    if kind == 3 { tiff.shorts[320] = [Int](repeating: 0, count: 3 << bits) }
    let error = #expect(throws: ImageFileError.self) { try ImageFile.info(bytes: tiff.bytes) }
    guard case .unsupportedStorage(_, let reason) = error else {
      throw Failure("\(String(describing: error))")
    }
    #expect(reason.contains("\(bits) bits"), "\(reason)")
  }

  @Test(arguments: 1...4)
  func photometricInterpretationMayBeMissing(samples: Int) throws {
    var tiff = TestTIFF(samplesPerPixel: samples, kind: samples < 3 ? 1 : 2) { x, y, channel in
      x * 31 + y * 17 + channel
    }
    let stated = try ImageFile.info(bytes: tiff.bytes)
    let pixels = try read(tiff).sampleBytes
    tiff.omittedTags = [262]
    #expect(try read(tiff).sampleBytes == pixels)
    let meaning = "its samples are \(samples < 3 ? "gray" : "RGB")"
    let assumed = ImageFileNote.assumed(field: "PhotometricInterpretation", meaning: meaning)
    #expect(
      assumed.description
        == "It has no PhotometricInterpretation, which its format requires; it is assumed that \(meaning)."
    )
    let info = try ImageFile.info(bytes: tiff.bytes)
    #expect(info.channels == stated.channels && info.notes == stated.notes + [assumed])
  }
}
