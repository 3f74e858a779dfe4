import ColorSpaces
import FilterGraph
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Rows of TIFF files without compression, which are read one by one from where they lie.
@Suite struct PlainRowsTests {
  /// A small file of two strips, with different samples everywhere.
  private func tiff(bits: Int = 8, samples: Int = 3) -> TestTIFF {
    var tiff = TestTIFF(
      width: 13, height: 9, bits: bits, samplesPerPixel: samples, kind: samples == 1 ? 1 : 2
    ) { x, y, channel in (x * 37 + y * 101 + channel * 1299) & (1 << bits - 1) }
    tiff.rowsPerStrip = 5
    return tiff
  }

  private func read(_ bytes: [UInt8]) throws -> [UInt8] {
    try ImageFile.read(bytes: bytes, assuming: .sRGB).sampleBytes
  }

  /// A strip is as large as the picture or a plane of it here.
  @Test(arguments: [false, true])
  func memoryDoesNotGrowWithTheStrip(isPlanar: Bool) throws {
    let (width, height) = (1400, 60)
    var tiff = TestTIFF(width: width, height: height, bits: 16) { x, y, channel in
      (x * 37 + y * 101 + channel * 1299) & 65_535
    }
    (tiff.isPlanar, tiff.rowsPerStrip) = (isPlanar, 1)
    let narrow = try tiff.readingMemory()
    // libtiff would split the strip of a file that has only one.
    tiff.rowsPerStrip = height - 1
    #expect(try tiff.readingMemory() <= narrow)
    // Tables and two rows.
    #expect(narrow < 300_000)
  }

  /// A file of planes of 4.6 MB together, each in strips of PackBits, whose rows are of one value each.
  private func planes(rowsPerStrip: Int) -> TestTIFF {
    let (width, height) = (1408, 1100)
    func value(_ y: Int, _ plane: Int) -> UInt8 { UInt8((5 * y + 70 * plane) & 255) }
    var tiff = TestTIFF(width: width, height: height) { _, y, plane in Int(value(y, plane)) }
    (tiff.isPlanar, tiff.packing, tiff.rowsPerStrip) = (true, 32_773, rowsPerStrip)
    tiff.cellsInstead = (0..<3).flatMap { plane in
      stride(from: 0, to: height, by: rowsPerStrip).map { start in
        (start..<min(start + rowsPerStrip, height)).flatMap { y in
          // Runs of 128 equal bytes.
          [[UInt8]](repeating: [129, value(y, plane)], count: width / 128).joined()
        }
      }
    }
    return tiff
  }

  /// Strips of several planes that take more than four mebibytes are decompressed side by side, row by row.
  @Test(arguments: [1100, 1050])
  func planesOfCompressedStripsAreReadInRows(rowsPerStrip: Int) throws {
    let tiff = planes(rowsPerStrip: rowsPerStrip)
    // Three of libtiff's handles, each with tables and a packed strip of 24 kB.
    #expect(try tiff.readingMemory() < 1_000_000)
    var plain = tiff
    (plain.packing, plain.cellsInstead) = (1, nil)
    let pixels = try read(tiff.bytes)
    #expect(try pixels == read(plain.bytes))
    // Parts begin within strips, and go back to earlier ones.
    let picture = try Picture(bytes: tiff.bytes, assuming: .sRGB)
    for y in [700, 3, 1099] {
      let row = try picture.cropped(to: Region(x: 0, y: y, width: 2, height: 1))
        .render(as: UInt8.self).samples
      #expect(row.prefix(3) == pixels[y * 1408 * 3..<y * 1408 * 3 + 3])
    }
  }

  /// Damage is found at its row, in whichever plane it is.
  @Test func damagedPlanesEndAtTheirRow() throws {
    var tiff = planes(rowsPerStrip: 1100)
    let strip = try #require(tiff.cellsInstead?[2])
    tiff.cellsInstead?[2] = Array(strip.prefix(22 * 500))
    let error = #expect(throws: ImageFileError.self) { try read(tiff.bytes) }
    #expect("\(String(describing: error))".contains("scanline 500"))
  }

  /// An unpacked strip is in memory once: in the band.
  @Test func stripsAreReadStraightIntoTheBand() throws {
    let (width, height) = (700, 600)
    var tiff = TestTIFF(width: width, height: height, samplesPerPixel: 1, kind: 1) { _, _, _ in 0 }
    // Runs of 128 equal bytes by PackBits, and the rest of a row.
    let row: [UInt8] = [129, 7, 129, 7, 129, 7, 129, 7, 129, 7, 197, 7]
    tiff.packing = 32_773
    (tiff.rowsPerStrip, tiff.cellsInstead) = (
      height, [Array(repeatElement(row, count: height).joined())]
    )
    let needed = try tiff.readingMemory()
    #expect(needed >= width * height && needed < width * height + 300_000)
    #expect(try read(tiff.bytes).allSatisfy { $0 == 7 })
  }

  /// The first bit of a byte may be its lowest one, in each of the depths.
  @Test(arguments: [1, 4, 8, 12, 16], [false, true])
  func bitsMayBeFilledFromTheLowestOne(bits: Int, isBigEndian: Bool) throws {
    var tiff = tiff(bits: bits, samples: bits == 8 ? 3 : 1)
    tiff.isBigEndian = isBigEndian
    let pixels = try read(tiff.bytes)
    tiff.shorts[266] = [2]
    let file = tiff.bytes
    // The pixels are between the header and the directory.
    let rowBytes = (13 * bits * tiff.samplesPerPixel + 7) / 8
    var filled = file
    for index in 8..<8 + 9 * rowBytes {
      filled[index] = (0..<8).reduce(0) { $0 | (file[index] >> $1 & 1) << (7 - $1) }
    }
    #expect(filled != file)
    #expect(try read(filled) == pixels)
  }

  /// Rows before the end of the file are read, whichever strip they are in.
  @Test(arguments: [1, 3, 5, 8])
  func rowsBeforeTheEndAreSalvaged(rows: Int) throws {
    var bytes = tiff().bytes
    let pixels = try self.read(bytes)
    let rowBytes = 13 * 3
    // The strips of 5 and 4 rows are moved behind the directory, so that the end of the file cuts them.
    let (first, second) = (8, 8 + 5 * rowBytes)
    let body = Array(bytes[8..<8 + 9 * rowBytes])
    let start = bytes.count
    try replace(first, by: start, in: &bytes)
    try replace(second, by: start + 5 * rowBytes, in: &bytes)
    bytes += body.prefix(rows * rowBytes + rowBytes / 2)
    let error = ImageFileError.truncated(file: "data", rows: rows, of: 9)
    #expect(throws: error) { try self.read(bytes) }
    let file = try OpenedImageFile(bytes: bytes, salvaging: true)
    let read: Bitmap<UInt8> = try file.picture(assuming: .sRGB).render()
    #expect(file.salvage?.rows == rows)
    for y in 0..<9 {
      let row = Array(pixels[y * rowBytes..<(y + 1) * rowBytes])
      #expect(y < rows ? read.row(y) == row : read.row(y).allSatisfy { $0 == 0 })
    }
  }

  /// Replaces the offset of a strip in the directory's values.
  private func replace(_ offset: Int, by other: Int, in bytes: inout [UInt8]) throws {
    let tail = 8 + 9 * 13 * 3
    let value = offset.bytes(4, isBigEndian: false)
    let place = try #require(bytes[tail...].firstRange(of: value))
    bytes.replaceSubrange(place, with: other.bytes(4, isBigEndian: false))
  }

  /// Strips at the end of the file and far behind it have no rows; none is read from elsewhere.
  @Test(arguments: [0xFFFF_FFFF, 0x7FFF_FFFF, 1_000_000])
  func stripsBehindTheEndAreErrors(offset: Int) throws {
    var bytes = tiff().bytes
    try replace(8 + 5 * 13 * 3, by: offset, in: &bytes)
    #expect(throws: ImageFileError.truncated(file: "data", rows: 5, of: 9)) { try read(bytes) }
  }

  /// Offsets of 64 bits that would overflow.
  @Test(arguments: [-1, Int.max, Int.min])
  func offsetsOfBigTIFFDoNotOverflow(offset: Int) throws {
    var tiff = tiff()
    tiff.isBig = true
    var bytes = tiff.bytes
    let value = (16 + 5 * 13 * 3).bytes(8, isBigEndian: false)
    let place = try #require(bytes[(16 + 9 * 13 * 3)...].firstRange(of: value))
    bytes.replaceSubrange(place, with: offset.bytes(8, isBigEndian: false))
    #expect(throws: ImageFileError.self) { try read(bytes) }
  }

  /// As in libtiff: strips may overlap, and their counts of bytes may be too small.
  @Test func stripsMayOverlap() throws {
    var bytes = tiff().bytes
    let pixels = try read(bytes)
    let rowBytes = 13 * 3
    try replace(8 + 5 * rowBytes, by: 8 + rowBytes, in: &bytes)
    try replace(5 * rowBytes, by: 1, in: &bytes)
    let expected = pixels[..<(5 * rowBytes)] + pixels[rowBytes..<5 * rowBytes]
    #expect(try read(bytes) == Array(expected))
  }

  @Test func stripsWithoutBytesAreErrors() throws {
    var bytes = tiff().bytes
    try replace(4 * 13 * 3, by: 0, in: &bytes)
    let error = #expect(throws: ImageFileError.self) { try read(bytes) }
    #expect(error?.description.contains("no bytes of its strip or tile 1") == true)
  }
}
