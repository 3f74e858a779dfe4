import ColorSpaces
import FilterGraph
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Damaged and missing pixels of which libtiff only warns, and Y′CbCr in planes.
@Suite struct DamagedTIFFTests {
  private static let size = PixelSize(64, 64)

  private func read(_ tiff: TestTIFF) throws -> AnyBitmap {
    try ImageFile.read(bytes: tiff.bytes, assuming: .sRGB)
  }

  /// JPEG noise with a chroma pair for each pixel.
  private func jpeg(_ size: PixelSize = size, isProgressive: Bool = false) throws -> [UInt8] {
    var random = SeededGenerator(seed: 3)
    let noise = Bitmap<UInt8>(size, in: .sRGB, channels: .rgb) { _, _ in
      (0..<3).map { _ in .random(in: 0...255, using: &random) }
    }
    var options = WritingOptions(chroma: .full)
    options.isProgressive = isProgressive
    return try ImageFile.encode(.uint8(noise), as: .jpeg, options: options)
  }

  /// A file of Y′CbCr whose strips are these JPEGs.
  private func file(_ size: PixelSize = size, strips: [[UInt8]], rows: Int) -> TestTIFF {
    var tiff = TestTIFF(width: size.width, height: size.height, kind: 6) { _, _, _ in 0 }
    (tiff.packing, tiff.rowsPerStrip, tiff.cellsInstead) = (7, rows, strips)
    tiff.shorts[530] = [1, 1]
    return tiff
  }

  private func expectDamage(
    _ tiff: TestTIFF, _ word: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: ImageFileError.self, sourceLocation: sourceLocation) {
      try read(tiff)
    }
    guard case .damaged(_, let reason) = error else {
      Issue.record("\(String(describing: error))", sourceLocation: sourceLocation)
      return
    }
    #expect(reason.contains(word), "\(reason)", sourceLocation: sourceLocation)
  }

  @Test func damagedJPEGStripsAreErrors() throws {
    let whole = try jpeg()
    let middle = whole.count / 2
    let pixels = try read(file(strips: [whole], rows: 64)).sampleBytes
    #expect(try pixels == ImageFile.read(bytes: whole).sampleBytes)
    // Bytes before the end marker that belong to no pixel.
    let padded = whole.dropLast(2) + [0, 0, 0] + whole.suffix(2)
    #expect(try read(file(strips: [Array(padded)], rows: 64)).sampleBytes == pixels)

    for count in [middle, whole.count - 40] {
      expectDamage(file(strips: [Array(whole.prefix(count))], rows: 64), "premature end")
    }
    var ended = whole
    ended.replaceSubrange(middle..<middle + 2, with: [0xFF, 0xD9])
    expectDamage(file(strips: [ended], rows: 64), "Corrupt JPEG data")
    expectDamage(file(strips: [try jpeg(PixelSize(64, 32))], rows: 64), "64x32")
  }

  /// libjpeg warns of a missing EOI, even if no pixel is missing.
  @Test func jpegStripsWithoutEndMarkerAreRead() throws {
    let half = try jpeg(PixelSize(64, 32))
    let pixels = try read(file(strips: [half, half], rows: 32)).sampleBytes
    let short = Array(half.dropLast(2))
    for strips in [[short, half], [half, short], [short, short]] {
      #expect(try read(file(strips: strips, rows: 32)).sampleBytes == pixels)
    }
  }

  /// A strip of several scans that ends between two of them has pixels of less detail.
  @Test func jpegStripsThatLackScansAreErrors() throws {
    let whole = try jpeg(isProgressive: true)
    let pixels = try read(file(strips: [whole], rows: 64)).sampleBytes
    #expect(try pixels == ImageFile.read(bytes: whole).sampleBytes)
    let scans = whole.indices.filter { whole[$0...].starts(with: [0xFF, 0xDA]) }
    #expect(scans.count > 2)
    for scan in scans.dropFirst() {
      expectDamage(file(strips: [Array(whole.prefix(scan))], rows: 64), "Premature end")
    }
  }

  @Test func rowsBeforeADamagedStripAreSalvaged() throws {
    let half = try jpeg(PixelSize(64, 32))
    let tiff = file(strips: [half, Array(half.prefix(half.count / 2))], rows: 32)
    let opened = try OpenedImageFile(bytes: tiff.bytes, salvaging: true)
    let read: Bitmap<UInt8> = try opened.picture(assuming: .sRGB).render()
    #expect(opened.salvage?.rows == 32 && opened.salvage?.count == 64)
    #expect(read.row(31).contains { $0 != 0 } && read.row(32).allSatisfy { $0 == 0 })
  }

  /// 16 white rows of 16 pixels: a bit for each row, then EOFB (ITU-T T.6).
  @Test func incompleteGroup4StripsAreErrors() throws {
    var tiff = TestTIFF(width: 16, height: 16, bits: 1, samplesPerPixel: 1, kind: 0) { _, _, _ in
      0
    }
    (tiff.packing, tiff.rowsPerStrip) = (4, 16)
    // EOFB may be missing where all rows are there.
    for strip: [UInt8] in [[0xFF, 0xFF, 0x00, 0x10, 0x01], [0xFF, 0xFF]] {
      tiff.cellsInstead = [strip]
      #expect(try read(tiff).sampleBytes.allSatisfy { $0 == 255 })
    }
    tiff.cellsInstead = [[0xFF]]
    expectDamage(tiff, "Premature EOF")
    tiff.cellsInstead = [[0xFF, 0x00, 0x10, 0x01]]
    expectDamage(tiff, "Premature EOL")
  }

  /// Two white rows of 16 pixels: EOL and a run each (ITU-T T.4).
  @Test func incompleteGroup3RowsAreErrors() throws {
    var tiff = TestTIFF(width: 16, height: 2, bits: 1, samplesPerPixel: 1, kind: 0) { _, _, _ in 0 }
    (tiff.packing, tiff.rowsPerStrip) = (3, 2)
    // 000000000001 101010 000000000001 101010.
    tiff.cellsInstead = [[0x00, 0x1A, 0x80, 0x06, 0xA0]]
    #expect(try read(tiff).sampleBytes.allSatisfy { $0 == 255 })
    // The second row has no run.
    tiff.cellsInstead = [[0x00, 0x1A, 0x80, 0x04]]
    expectDamage(tiff, "Premature EOL")
  }

  /// A JPEG for each of Y′, Cb and Cr.
  @Test func lumaAndChromaOfJPEGMayBeInPlanes() throws {
    let planes = try [76, 85, 255].map { (code: UInt8) in
      let flat = Bitmap<UInt8>(PixelSize(16, 16), in: .sRGB, channels: .gray) { _, _ in [code] }
      return try ImageFile.encode(.uint8(flat), as: .jpeg)
    }
    var tiff = file(PixelSize(16, 16), strips: planes, rows: 16)
    tiff.isPlanar = true
    let pixels = try read(tiff).sampleBytes
    // Red by ITU-R BT.601.
    #expect(pixels.count == 16 * 16 * 3)
    for (index, code) in pixels.enumerated() {
      #expect(abs(Int(code) - (index % 3 == 0 ? 254 : 0)) <= 1, "\(index)")
    }
    // EOI may be missing, as in strips of all components.
    tiff.cellsInstead = planes.map { Array($0.dropLast(2)) }
    #expect(try read(tiff).sampleBytes == pixels)
    tiff.shorts[530] = [2, 2]
    let error = #expect(throws: ImageFileError.self) { try ImageFile.info(bytes: tiff.bytes) }
    guard case .unsupportedStorage = error else {
      throw Failure("\(String(describing: error))")
    }
  }

  /// The remedy is a limit that the picture's size needs, and not that of a tile.
  @Test func tilesThatExpandTooMuchAreRefusedWithThePicturesSize() throws {
    var tiff = TestTIFF(width: 30_000, height: 30_000, samplesPerPixel: 1, kind: 1) { _, _, _ in 0 }
    (tiff.packing, tiff.tile) = (5, (16_384, 16_384))
    tiff.cellsInstead = [[UInt8]](repeating: [0], count: 4)
    let bytes = tiff.bytes
    let error = ImageFileError.expandsTooMuch(
      file: "data", PixelSize(30_000, 30_000), byteCount: bytes.count, limit: 2000)
    #expect(throws: error) { try ImageFile.info(bytes: bytes) }
  }

  /// libtiff would read a plane with offset 0 from the start of the file.
  @Test func everyPlaneOfLumaAndChromaNeedsBytes() throws {
    var tiff = TestTIFF(width: 16, height: 4, kind: 6) { _, _, _ in 128 }
    (tiff.isPlanar, tiff.rowsPerStrip) = (true, 4)
    tiff.shorts[530] = [1, 1]
    #expect(try read(tiff).sampleBytes.allSatisfy { $0 == 128 })
    let offsets: [UInt8] = [8, 0, 0, 0, 72, 0, 0, 0, 136, 0, 0, 0]
    let bytes = tiff.bytes
    let place = try #require(bytes.firstRange(of: offsets))
    for plane in 0..<3 {
      var lacking = bytes
      lacking[place.lowerBound + 4 * plane] = 0
      let error = #expect(throws: ImageFileError.self) {
        try ImageFile.read(bytes: lacking, assuming: .sRGB)
      }
      #expect(error?.description.contains("no bytes of its strip or tile \(plane)") == true)
    }
  }
}
