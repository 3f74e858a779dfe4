import ColorSpaces
import FilterGraph
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Large strips of JPEG, fax codes and Y′CbCr, which are unpacked row by row.
@Suite struct PackedRowsTests {
  private static let (width, height) = (1408, 1104)

  private func read(_ bytes: [UInt8]) throws -> [UInt8] {
    try ImageFile.read(bytes: bytes, assuming: .sRGB).sampleBytes
  }

  /// Parts begin within strips, and go back to earlier ones.
  private func expectParts(_ bytes: [UInt8], of pixels: [UInt8]) throws {
    let picture = try Picture(bytes: bytes, assuming: .sRGB)
    for y in [700, 3, 1099] {
      let row = try picture.cropped(to: Region(x: 0, y: y, width: 2, height: 1))
        .render(as: UInt8.self).samples
      let start = y * Self.width * 3
      #expect(Array(row.prefix(6)) == Array(pixels[start..<start + 6]))
    }
  }

  /// A file of one strip of JPEG, and the JPEG.
  private func jpegStrip(
    _ chroma: ChromaSampling, isProgressive: Bool = false
  ) throws -> (tiff: TestTIFF, jpeg: [UInt8]) {
    let size = PixelSize(Self.width, Self.height)
    let bitmap = Bitmap<UInt8>(size, in: .sRGB, channels: .rgb) { x, y in
      [UInt8(x / 6), UInt8(y / 5), UInt8((x + y) / 10)]
    }
    let jpeg = try ImageFile.encode(
      .uint8(bitmap), as: .jpeg,
      options: WritingOptions(chroma: chroma, isProgressive: isProgressive))
    var tiff = TestTIFF(width: size.width, height: size.height, kind: 6) { _, _, _ in 0 }
    (tiff.packing, tiff.rowsPerStrip, tiff.cellsInstead) = (7, size.height, [jpeg])
    tiff.shorts[530] = chroma == .full ? [1, 1] : [2, 2]
    return (tiff, jpeg)
  }

  @Test(arguments: [ChromaSampling.full, .quarter])
  func stripsOfJPEGAreReadInRows(chroma: ChromaSampling) throws {
    var (tiff, jpeg) = try jpegStrip(chroma)
    #expect(try tiff.readingMemory() < jpeg.count + 1_000_000)
    let bytes = tiff.bytes
    let pixels = try read(bytes)
    try expectParts(bytes, of: pixels)
    // Without an end marker, which libjpeg misses before the last rows, the strip is unpacked whole.
    tiff.cellsInstead = [jpeg.dropLast(2)]
    #expect(try tiff.readingMemory() > Self.width * Self.height * 3)
    #expect(try read(tiff.bytes) == pixels)
  }

  /// The coefficients of a progressive JPEG are in memory at once.
  @Test func stripsOfProgressiveJPEGAreUnpackedWhole() throws {
    let (tiff, _) = try jpegStrip(.full, isProgressive: true)
    #expect(try tiff.readingMemory() > 3 * Self.width * Self.height * 3)
  }

  /// The rows above the damage are read; a strip that is unpacked whole has none.
  @Test func rowsAboveDamageInJPEGAreSalvaged() throws {
    var (tiff, jpeg) = try jpegStrip(.full)
    let middle = jpeg.count / 2
    jpeg.replaceSubrange(middle..<middle + 2, with: [0xFF, 0xD9])
    tiff.cellsInstead = [jpeg]
    let file = try OpenedImageFile(bytes: tiff.bytes, salvaging: true)
    _ = try file.picture(assuming: .sRGB).render(as: UInt8.self)
    let rows = try #require(file.salvage).rows
    #expect((Self.height / 4..<Self.height).contains(rows))
  }

  /// Rows of T.6 (Group 4) with eight black pixels each behind eight white ones.
  @Test func stripsOfFaxCodesAreReadInRows() throws {
    let (width, height) = (16_384, 2104)
    // Horizontal mode, eight white and eight black pixels, and white up to the end as in the row above the first one, which is white; then
    // three edges below those of the row above; and the end mark.
    let codes =
      "001" + "10011" + "000101" + "1" + String(repeating: "111", count: height - 1)
      + "000000000001000000000001"
    let bits = codes.map { $0 == "1" ? UInt8(1) : 0 }
    let strip = stride(from: 0, to: bits.count, by: 8).map { start in
      (0..<8).reduce(UInt8(0)) { $0 << 1 | (start + $1 < bits.count ? bits[start + $1] : 0) }
    }
    var tiff = TestTIFF(width: width, height: height, bits: 1, samplesPerPixel: 1, kind: 0) {
      _, _, _ in 0
    }
    (tiff.packing, tiff.rowsPerStrip, tiff.cellsInstead) = (4, height, [strip])
    #expect(try tiff.readingMemory() < 1_000_000)
    let picture = try Picture(bytes: tiff.bytes, assuming: .sRGB)
    for y in [2000, 0, 1999] {
      let row: Bitmap<UInt8> = try picture.cropped(to: Region(x: 0, y: y, width: 24, height: 1))
        .render()
      let blacks = (0..<24).filter { row[$0, 0, 0] == 0 }
      #expect(blacks == Array(8..<16), "row \(y)")
    }
  }

  /// A file of Y′CbCr with a pair of chroma for each 2 × 2 pixels.
  private func chromaFile(height: Int, rowsPerStrip: Int) -> TestTIFF {
    func blocks(_ y: Int) -> [UInt8] {
      let block = [y, y + 1, y + 2, y + 3, 90 + y / 32, 200 - y / 32].map { UInt8($0 & 255) }
      return Array([[UInt8]](repeating: block, count: Self.width / 2).joined())
    }
    var tiff = TestTIFF(width: Self.width, height: height, kind: 6) { _, _, _ in 0 }
    tiff.shorts[530] = [2, 2]
    tiff.rowsPerStrip = rowsPerStrip
    tiff.cellsInstead = stride(from: 0, to: height, by: rowsPerStrip).map { start in
      stride(from: start, to: min(start + rowsPerStrip, height), by: 2).flatMap(blocks)
    }
    return tiff
  }

  /// Of uncompressed ones libtiff has the strip in memory. It would split the strip of a file that has only one.
  @Test func stripsOfLumaAndChromaAreReadInRows() throws {
    let tiff = chromaFile(height: Self.height, rowsPerStrip: 1100)
    let strip = try #require(tiff.cellsInstead?[0])
    #expect(try tiff.readingMemory() < strip.count + 1_000_000)
    let pixels = try read(tiff.bytes)
    let small = chromaFile(height: Self.height, rowsPerStrip: 16)
    #expect(try pixels == read(small.bytes))
    try expectParts(tiff.bytes, of: pixels)
  }

  /// libtiff cannot read half a row of blocks, so these strips are unpacked whole.
  @Test func oddHeightsOfLumaAndChromaAreRead() throws {
    let odd = Self.height - 1
    let tiff = chromaFile(height: odd, rowsPerStrip: 1100)
    #expect(try tiff.readingMemory() > Self.width * 1100 * 3)
    let pixels = try read(tiff.bytes)
    #expect(try pixels == read(chromaFile(height: odd, rowsPerStrip: 16).bytes))
  }
}
