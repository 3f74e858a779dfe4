import Colorloom
import ICCProfiles
import ImageFiles
import Testing
import _TestSupport

/// TIFF variants that other programs write.
@Suite struct TIFFTests {
  private func read(_ tiff: TestTIFF) throws -> AnyBitmap {
    try ImageFile.read(bytes: tiff.bytes, assuming: .sRGB)
  }

  private func samples(_ bitmap: AnyBitmap, _ x: Int, _ y: Int) -> [Double] {
    (0..<bitmap.channels.count).map { channel in
      switch bitmap {
      case .uint8(let bitmap): Double(bitmap[x, y, channel])
      case .uint16(let bitmap): Double(bitmap[x, y, channel])
      case .float16(let bitmap): Double(bitmap[x, y, channel])
      case .float32(let bitmap): Double(bitmap[x, y, channel])
      @unknown default: .nan
      }
    }
  }

  /// Reads the file, and compares each pixel with what `expected` computes from its stored samples.
  private func check(
    _ tiff: TestTIFF, _ format: SampleFormat, _ channels: Channels,
    _ expected: ([Int]) -> [Double]
  ) throws {
    let bitmap = try read(tiff)
    #expect(bitmap.format == format)
    #expect(bitmap.channels == channels)
    #expect(bitmap.size == PixelSize(tiff.width, tiff.height))
    for y in 0..<tiff.height {
      for x in 0..<tiff.width {
        let stored = (0..<tiff.samplesPerPixel).map { tiff.sample(x, y, $0) }
        #expect(samples(bitmap, x, y) == expected(stored), "pixel (\(x), \(y))")
      }
    }
  }

  @Test(arguments: [false, true], [false, true])
  func everyArrangementOfTheSamePixels(isBigEndian: Bool, isBig: Bool) throws {
    for isPlanar in [false, true] {
      for tile in [nil, (width: 16, height: 32), (width: 48, height: 16)] {
        for bits in [8, 16] {
          var tiff = TestTIFF(width: 37, height: 35, bits: bits) { x, y, channel in
            (x * 7919 + y * 104_729 + channel * 1299) % (1 << bits)
          }
          (tiff.isBigEndian, tiff.isBig, tiff.isPlanar) = (isBigEndian, isBig, isPlanar)
          tiff.tile = tile
          try check(tiff, bits == 8 ? .uint8 : .uint16, .rgb) { $0.map(Double.init) }
        }
      }
    }
  }

  @Test(arguments: [1, 2, 4, 8, 16], [0, 1])
  func graysOfAllDepths(bits: Int, kind: Int) throws {
    let largest = (1 << bits) - 1
    for tile in [nil, (width: 16, height: 16)] {
      var tiff = TestTIFF(width: 21, height: 19, bits: bits, samplesPerPixel: 1, kind: kind) {
        x, y, _ in (x * 31 + y * 17) & largest
      }
      tiff.tile = tile
      let full = bits == 16 ? 65_535 : 255
      try check(tiff, bits == 16 ? .uint16 : .uint8, .gray) {
        [Double((kind == 0 ? largest - $0[0] : $0[0]) * (full / largest))]
      }
    }
  }

  @Test func floatsKeepEveryBit() throws {
    for isBigEndian in [false, true] {
      var half = TestTIFF(bits: 16, sampleFormat: 3) { x, y, channel in
        Int((Float16(x) * 0.1 - Float16(y) + Float16(channel) * 100).bitPattern)
      }
      half.isBigEndian = isBigEndian
      try check(half, .float16, .rgb) { $0.map { Double(Float16(bitPattern: UInt16($0))) } }
      var single = TestTIFF(bits: 32, sampleFormat: 3) { x, y, channel in
        Int((Float(x) * 0.1 - Float(y) + Float(channel) * 1e5).bitPattern)
      }
      single.isBigEndian = isBigEndian
      try check(single, .float32, .rgb) { $0.map { Double(Float(bitPattern: UInt32($0))) } }
    }
  }

  @Test(arguments: [1, 4, 8])
  func palettesAreExpanded(bits: Int) throws {
    let count = 1 << bits
    let entries = (0..<count).map { [$0 * 257 % 65_536, (count - $0) * 200, $0 * 91] }
    var tiff = TestTIFF(bits: bits, samplesPerPixel: 1, kind: 3) { x, y, _ in (x + 3 * y) % count }
    tiff.shorts[320] = (0..<3).flatMap { channel in entries.map { $0[channel] } }
    try check(tiff, .uint16, .rgb) { entries[$0[0]].map(Double.init) }
    // Entries that repeat or shift a byte are 8-bit entries, as are entries below 256 of old writers.
    for factor in [257, 256, 1] {
      tiff.shorts[320] = (0..<3).flatMap { channel in entries.map { ($0[channel] & 255) * factor } }
      try check(tiff, .uint8, .rgb) { entries[$0[0]].map { Double($0 & 255) } }
    }
  }

  @Test(arguments: [1, 2, 4, 8])
  func palettesMayHaveAlpha(bits: Int) throws {
    let count = 1 << bits
    let entries = (0..<count).map { [$0 * 257 % 65_536, (count - $0) * 200, $0 * 91] }
    for isPlanar in [false, true] {
      var tiff = TestTIFF(bits: bits, samplesPerPixel: 2, kind: 3) { x, y, channel in
        (x + 3 * y + 5 * channel * x) % count
      }
      tiff.isPlanar = isPlanar
      tiff.shorts[338] = [2]
      tiff.shorts[320] = (0..<3).flatMap { channel in entries.map { $0[channel] } }
      try check(tiff, .uint16, .rgba) {
        (entries[$0[0]] + [$0[1] * (65_535 / (count - 1))]).map(Double.init)
      }
      tiff.shorts[320] = (0..<3).flatMap { channel in entries.map { $0[channel] & 255 } }
      try check(tiff, .uint8, .rgba) {
        (entries[$0[0]].map { $0 & 255 } + [$0[1] * (255 / (count - 1))]).map(Double.init)
      }
      let info = try ImageFile.info(bytes: tiff.bytes)
      #expect(info.alpha == .straight && info.notes == [])
    }
  }

  @Test func extraSamplesFollowTheirTag() throws {
    var tiff = TestTIFF(samplesPerPixel: 4) { x, y, channel in x * 10 + y + channel * 50 }
    tiff.shorts[338] = [2]
    try check(tiff, .uint8, .rgba) { $0.map(Double.init) }
    #expect(try read(tiff).alpha == .straight)
    tiff.shorts[338] = [1]
    try check(tiff, .uint8, .rgba) { $0.map(Double.init) }
    #expect(try read(tiff).alpha == .premultiplied)
    // Neither kind of alpha: a layer, with a note.
    tiff.shorts[338] = [0]
    try check(tiff, .uint8, .rgb) { $0.prefix(3).map(Double.init) }
    let info = try ImageFile.info(bytes: tiff.bytes)
    #expect(info.storage.contains("1 other sample left out"))
    #expect(info.notes == [.unread("1 other sample of each pixel, “extra 1”")])
    tiff = TestTIFF(samplesPerPixel: 2, kind: 1) { x, y, channel in x + y + channel * 9 }
    tiff.shorts[338] = [2]
    tiff.isPlanar = true
    try check(tiff, .uint8, .grayAlpha) { $0.map(Double.init) }
  }

  /// Inks are the samples that are not extra ones, however many those are.
  @Test(arguments: [0, 1, 8, 9, 10]) func extraSamplesAreNoInks(count: Int) throws {
    var tiff = TestTIFF(samplesPerPixel: 4 + count, kind: 5) { _, _, _ in 0 }
    // Inks other than those of CMYK.
    tiff.shorts[332] = [2]
    if count > 0 { tiff.shorts[338] = [Int](repeating: 0, count: count) }
    let info = try ImageFile.info(bytes: tiff.bytes)
    #expect(info.inks?.count == 4)
    let samples = count == 1 ? "1 other sample" : "\(count) other samples"
    let names = (0..<count).map { "“extra \($0 + 1)”" }.joined(separator: ", ")
    #expect(info.notes == (count > 0 ? [.unread("\(samples) of each pixel, \(names)")] : []))
  }

  @Test(arguments: [8, 16])
  func labIsReadAsLab(bits: Int) throws {
    // L* 50, a* −20, b* 30 in both encodings (TIFF 6.0, section 23; TIFF Technical Note 4).
    let unit = bits == 8 ? 1 : 256
    let lightness = bits == 8 ? 51 : 65_535 / 5
    let opponents = [(-20 * unit) & ((1 << bits) - 1), 30 * unit]
    let cie = TestTIFF(bits: bits, kind: 8) { _, _, channel in
      channel == 0 ? lightness : opponents[channel - 1]
    }
    let whole = bits == 8 ? 51 : 65_280 / 5
    let icc = TestTIFF(bits: bits, kind: 9) { _, _, channel in
      [whole, (128 - 20) * unit, (128 + 30) * unit][channel]
    }
    for tiff in [cie, icc] {
      let bitmap = try ImageFile.read(bytes: tiff.bytes)
      #expect(bitmap.space == .lab)
      let color = samples(bitmap, 2, 2)
      // 51 of 255 and 13,107 of 65,535 are a fifth, within the rounding of a float.
      #expect(abs(color[0] - 20) < 1e-5)
      #expect(color[1] == -20 && color[2] == 30)
    }
  }

  /// CIELAB whose field WhitePoint (318) has these ten-thousandths.
  private func lab(white: [Int], kind: Int = 8) -> [UInt8] {
    var tiff = TestTIFF(kind: kind) { _, _, _ in 50 }
    tiff.blobs[318] = white.flatMap { $0.bytes(4) + 10_000.bytes(4) }
    // 16 bytes become 2 fractions.
    let field = 318.bytes(2)
    return Array(
      tiff.bytes.replacing(
        field + 7.bytes(2) + 16.bytes(4), with: field + 5.bytes(2) + 2.bytes(4)))
  }

  @Test func whitePointOfLabIsRead() throws {
    #expect(try ImageFile.read(bytes: lab(white: [3457, 3585])).space == .lab)
    #expect(try ImageFile.read(bytes: lab(white: [3127, 3290])).space == .labD65)
    // ICC Lab is that of D50 by definition.
    #expect(try ImageFile.read(bytes: lab(white: [3127, 3290], kind: 9)).space == .lab)
    let error = #expect(throws: ImageFileError.self) {
      try ImageFile.read(bytes: lab(white: [4476, 4074]))
    }
    #expect(error?.description.contains("white point [0.4476, 0.4074]") == true)
  }

  @Test func unsupportedFilesAreExplained() throws {
    for (bits, format) in [(24, 1), (64, 1), (12, 2), (64, 2), (24, 3), (9, 1)] {
      let tiff = TestTIFF(bits: bits, sampleFormat: format) { _, _, _ in 0 }
      #expect(throws: ImageFileError.self, "\(bits) bits, format \(format)") { try read(tiff) }
    }
    let signed = TestTIFF(bits: 12, sampleFormat: 2) { _, _, _ in 0 }
    let error = #expect(throws: ImageFileError.self) { try read(signed) }
    #expect(error?.description.contains("are signed integers of 12 bits") == true)
    // 5, 6 and 5 bits, which libtiff does not read.
    var mixed = TestTIFF { _, _, _ in 0 }.bytes
    let place = try #require(
      mixed.indices.first { mixed[$0...].starts(with: [8, 0, 8, 0, 8, 0]) })
    mixed.replaceSubrange(place..<place + 6, with: [5, 0, 6, 0, 5, 0])
    let refusal = #expect(throws: ImageFileError.self) { try ImageFile.info(bytes: mixed) }
    guard case .unsupportedStorage = refusal else {
      throw Failure("\(String(describing: refusal))")
    }
    let inks = TestTIFF(samplesPerPixel: 4, kind: 5) { _, _, _ in 0 }
    #expect(throws: ImageFileError.inks(file: "data")) { try read(inks) }
  }

  @Test func profilesNameTheSpace() throws {
    var tiff = TestTIFF { x, y, _ in x + y }
    #expect(throws: ImageFileError.untagged(file: "data")) {
      try ImageFile.read(bytes: tiff.bytes)
    }
    tiff.blobs[34_675] = try ICCProfile(describing: .proPhoto).bytes
    #expect(try ImageFile.read(bytes: tiff.bytes).space == .proPhoto)
    tiff.blobs[34_675] = [1, 2, 3]
    #expect(throws: ImageFileError.self) { try ImageFile.read(bytes: tiff.bytes) }
  }

  /// The byte order of the EXIF data is that of the whole file.
  @Test(arguments: LosslessCompression.allCases, [false, true])
  func everyByteOrderKeepsEveryBit(
    compression: LosslessCompression, isBigEndian: Bool
  ) throws {
    var options = WritingOptions()
    options.compression = compression
    options.metadata.exif = TestEXIF(isBigEndian: isBigEndian, maker: "Loom").bytes
    for form in FormatRoundTripTests.Form.all where form.format == .tiff {
      let bitmap = form.bitmap(PixelSize(33, 21))
      let bytes = try ImageFile.encode(bitmap, as: .tiff, options: options)
      #expect(bytes.starts(with: Array((isBigEndian ? "MM" : "II").utf8)))
      let read = try ImageFile.read(bytes: bytes)
      for y in 0..<21 {
        for x in 0..<33 { #expect(samples(read, x, y) == samples(bitmap, x, y), "\(form)") }
      }
    }
  }

  /// libtiff ends a text at its first zero, and writes a short one within the directory.
  @Test(arguments: ["a\0b", "ab\0c", "abcd\0efg"], [false, true])
  func textsKeepTheirZeros(text: String, isBigEndian: Bool) throws {
    let value = Array(text.utf8) + [0]
    var exif = TestEXIF(isBigEndian: isBigEndian)
    exif.fields = [(0x8298, 2, value.count, value)]
    var options = WritingOptions()
    options.metadata.exif = exif.bytes
    let flat = AnyBitmap(Bitmap<UInt8>(PixelSize(8, 6), in: .displayP3, channels: .rgb))
    let bytes = try ImageFile.encode(flat, as: .tiff, options: options)
    let read = try #require(ImageFile.info(bytes: bytes).metadata.exif)
    #expect(read.firstRange(of: value) != nil)
  }

  /// Copyright has the photographer, a zero and the editor. The same letters in other fields are another text.
  @Test func textsWithZerosReplaceNoOtherField() throws {
    func field(_ tag: Int, _ text: String) -> TestEXIF.Entry {
      let value = Array(text.utf8) + [0]
      return (tag, 2, value.count, value)
    }
    let (flat, parted) = ("Anna Berg", "Anna\0Berg")
    var exif = TestEXIF(isBigEndian: true)
    exif.fields = [field(0x010E, flat), field(0x013B, flat), field(0x8298, parted)]
    var options = WritingOptions()
    options.metadata.exif = exif.bytes
    let bitmap = AnyBitmap(Bitmap<UInt8>(PixelSize(8, 6), in: .displayP3, channels: .rgb))
    let bytes = try ImageFile.encode(bitmap, as: .tiff, options: options)
    let read = try #require(ImageFile.info(bytes: bytes).metadata.exif)
    #expect(read.ranges(of: Array(flat.utf8)).count == 2)
    #expect(read.ranges(of: Array(parted.utf8)).count == 1)
  }

  /// Classic files have up to 4 GiB. LZW makes noise 1.37 times as large.
  @Test func filesThatMayGetLargeAreBigTIFF() {
    for compression in LosslessCompression.allCases {
      #expect(!needsBigTIFF(pixelBytes: 2.6e9, compression))
      #expect(needsBigTIFF(pixelBytes: 3.1e9, compression) == (compression == .lzw))
      #expect(needsBigTIFF(pixelBytes: 4.1e9, compression))
    }
  }

  /// A small gray file whose directory has another value for a tag.
  private func gray(tag: Int, _ value: Int) throws -> [UInt8] {
    var bytes = TestTIFF(samplesPerPixel: 1, kind: 1) { _, _, _ in 0 }.bytes
    // One value of 16 bits, which stands in the entry.
    let start = [UInt8(tag & 255), UInt8(tag >> 8), 3, 0, 1, 0, 0, 0]
    let entry = try #require(bytes.indices.first { bytes[$0...].starts(with: start) })
    bytes.replaceSubrange(entry + 8..<entry + 10, with: [UInt8(value & 255), UInt8(value >> 8)])
    return bytes
  }

  /// Width, height, bits, samples per pixel, rows per strip and planar configuration.
  private static let sizeTags = [256, 257, 258, 277, 278, 284]

  /// Zeros, unknown planar configurations, and more strips than the one that the directory has a place of.
  @Test(
    arguments: sizeTags.map { ($0, 0) } + [
      (284, 255), (284, 65_535), (257, 255), (257, 65_535), (278, 1),
    ])
  func impossibleValuesInTheDirectoryAreErrors(tag: Int, value: Int) throws {
    let bytes = try gray(tag: tag, value)
    #expect(throws: ImageFileError.self) { try ImageFile.read(bytes: bytes, assuming: .sRGB) }
  }

  @Test(arguments: sizeTags, [1, 255, 65_535])
  func wrongValuesInTheDirectoryAreHarmless(tag: Int, value: Int) throws {
    let bytes = try gray(tag: tag, value)
    _ = try? ImageFile.read(bytes: bytes, assuming: .sRGB)
  }

  /// Old-style JPEG may lie where the directory says, without offsets and byte counts of strips.
  @Test func oldStyleJPEGNeedsNoStrips() throws {
    let flat = Bitmap<UInt8>(PixelSize(32, 32), in: .sRGB, channels: .rgb) { _, _ in [200, 90, 40] }
    let jpeg = [UInt8](try ImageFile.encode(.uint8(flat), as: .jpeg))
    var tiff = TestTIFF(width: 32, height: 32, kind: 6) { _, _, _ in 0 }
    (tiff.packing, tiff.rowsPerStrip, tiff.cellsInstead) = (6, 32, [jpeg])
    tiff.shorts[512] = [1]
    (tiff.shorts[513], tiff.shorts[514]) = ([8], [jpeg.count])
    tiff.shorts[530] = [2, 2]
    var bytes = tiff.bytes
    for tag in [273, 279] {
      let start = [UInt8(tag & 255), UInt8(tag >> 8), 4, 0, 1, 0, 0, 0]
      let entry = try #require(bytes.indices.last { bytes[$0...].starts(with: start) })
      // A tag that nobody reads.
      bytes.replaceSubrange(entry..<entry + 2, with: [0xE8, 0xFD])
    }
    let read = try ImageFile.read(bytes: bytes, assuming: .sRGB)
    for channel in 0..<3 {
      #expect(abs(samples(read, 17, 9)[channel] - samples(.uint8(flat), 17, 9)[channel]) <= 3)
    }
  }
}
