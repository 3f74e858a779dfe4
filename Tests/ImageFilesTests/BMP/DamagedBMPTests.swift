import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// BMP files that are truncated, damaged or hostile.
@Suite struct DamagedBMPTests {
  private func reason(_ bytes: [UInt8], limits: FileLimits = FileLimits()) -> String {
    do throws(ImageFileError) {
      _ = try ImageFile.read(bytes: bytes, limits: limits)
      return "none"
    } catch { return error.finding }
  }

  private func reason(_ change: (inout TestBMP) -> Void) -> String {
    var file = TestBMP(width: 4, height: 4, bits: 8)
    file.palette = TestBMP.colors(8)
    change(&file)
    return reason(file.bytes)
  }

  /// The rows that are there are read: of files from the bottom up those at the bottom.
  @Test(arguments: [false, true], [false, true])
  func rowsUpToTheEndAreRead(isTopDown: Bool, isOfRuns: Bool) throws {
    var file = TestBMP(width: 5, height: 9, bits: 8) { x, y in 1 + x + 5 * y }
    (file.isTopDown, file.palette) = (isTopDown, TestBMP.colors(8))
    if isOfRuns {
      file.compression = 1
      file.codes = (isTopDown ? file.rows : file.rows.reversed()).flatMap { row in
        [0, 5] + row.map { UInt8($0) } + [0, 0, 0]
      }
    }
    let whole: Bitmap<UInt8> = try Picture(bytes: file.bytes).render()
    // Four rows and a part of the fifth one.
    let bytes = Array(file.bytes.prefix(file.pixelStart + (isOfRuns ? 4 * 10 + 5 : 4 * 8 + 3)))
    let error = ImageFileError.truncated(file: "data", rows: 4, of: 9)
    #expect(throws: error) { try ImageFile.read(bytes: bytes) }
    let opened = try OpenedImageFile(bytes: bytes, salvaging: true)
    let read: Bitmap<UInt8> = try opened.picture().render()
    let salvage = try #require(opened.salvage)
    #expect(salvage.rows == 4 && salvage.count == 9 && salvage.error == error)
    #expect(
      "\(salvage)".hasSuffix(
        "4 of 9 rows are read; those \(isTopDown ? "below" : "above") count as black, or transparent, before any change."
      ))
    for y in 0..<9 {
      let isPresent = isTopDown ? y < 4 : y >= 5
      #expect(isPresent ? read.row(y) == whole.row(y) : read.row(y).allSatisfy { $0 == 0 })
    }
    // Where no row is there, nothing is read.
    let none = Array(file.bytes.prefix(file.pixelStart + 3))
    #expect(throws: (any Error).self) {
      try OpenedImageFile(bytes: none, salvaging: true).picture().render(as: UInt8.self)
    }
  }

  /// The rows that are there are counted, not those above the region.
  @Test func regionsBelowTheEndCountThePresentRows() throws {
    var file = TestBMP(width: 5, height: 9, bits: 8) { x, y in 1 + x + 5 * y }
    (file.isTopDown, file.palette) = (true, TestBMP.colors(8))
    let bytes = Array(file.bytes.prefix(file.pixelStart + 4 * 8))
    let opened = try OpenedImageFile(bytes: bytes, salvaging: true)
    let region = Region(x: 0, y: 6, width: 5, height: 2)
    let part: Bitmap<UInt8> = try opened.picture().cropped(to: region).render()
    #expect(opened.salvage?.rows == 4)
    #expect((0..<2).allSatisfy { y in part.row(y).allSatisfy { $0 == 0 } })
  }

  @Test func damageIsDescribed() {
    #expect(reason { _ in } == "none")
    let short = Array(TestBMP(width: 1, height: 1, bits: 24).bytes.prefix(30))
    #expect(reason(short).contains("ends after 30 bytes, before its header"))
    #expect(reason(Array(short.prefix(12))).contains("a BMP whose header is cut off"))
    #expect(reason(Array("BMW and other makers of cars".utf8)).contains("no format"))
    #expect(reason { $0.width = 0 }.contains("states 0 × 4 pixels"))
    #expect(reason { $0.bits = 3 }.contains("compression 0 for pixels of 3 bits"))
    #expect(reason { $0.compression = 2 }.contains("compression 2 for pixels of 8 bits"))
    #expect(reason { $0.statedStart = 20 }.contains("begin at byte 20, within its header"))
    #expect(reason { $0.palette = [] }.contains("has no palette"))
    #expect(
      reason { ($0.palette, $0.rows[2][1]) = ([[1, 2, 3], [4, 5, 6]], 9) }
        .contains("palette indices up to 9, and its palette has 2 colors"))
    for (masks, words) in [
      ([0xFF, 0xF0, 0xF00], "0xFF, 0xF0, 0xF00 overlap"), ([5, 0x10, 0x20], "bits side by side"),
      ([0, 0, 0], "not all be empty"),
    ] {
      let found = reason { file in
        (file.bits, file.compression, file.masks, file.palette) = (16, 3, masks, [])
      }
      #expect(found.contains(words), "\(found)")
    }
    for (compression, name) in [(4, "JPEG"), (5, "PNG")] {
      let found = reason { ($0.bits, $0.compression, $0.codes) = (0, compression, []) }
      #expect(found.contains("wraps a \(name) file"), "\(found)")
    }
    #expect(reason { ($0.bits, $0.compression) = (1, 3) }.contains("Huffman 1D"))
    #expect(reason { ($0.bits, $0.compression) = (32, 11) }.contains("CMYK"))
  }

  /// Sizes are checked before memory is allocated for them.
  @Test func hostileSizesAreRefused() {
    for (width, height) in [(Int(Int32.max), Int(Int32.max)), (Int(Int32.max), 1), (1, 1 << 31)] {
      for bits in [1, 8, 32] {
        for compression in bits == 8 ? [0, 1] : [0] {
          var file = TestBMP(width: 1, height: 1, bits: bits)
          file.palette = bits <= 8 ? TestBMP.colors(bits) : []
          (file.width, file.height, file.compression) = (width, height, compression)
          file.isTopDown = height == 1 << 31
          var limits = FileLimits()
          #expect(reason(file.bytes, limits: limits) != "none")
          limits.pixels = .max
          #expect(reason(file.bytes, limits: limits) != "none")
        }
      }
    }
    var long = TestBMP(width: 1, height: 1, bits: 8)
    (long.compression, long.codes, long.palette) = (1, [0, 1], [[0, 0, 0]])
    long.height = 1 << 29
    #expect(reason(long.bytes).contains("more than 2000 to 1"))
  }

  /// Files with any byte of the header changed neither crash nor hang, and neither do truncated ones.
  @Test func mutantsAreHarmless() {
    var limits = FileLimits(pixels: 1 << 16, bytes: 1 << 20)
    limits.memoryLimit = 8 << 20
    for file in TestBMP.samples {
      let intact = file.bytes
      #expect(reason(intact) == "none", "\(file.bits), \(file.headerBytes)")
      for index in intact.indices {
        if index % 7 == 0 { _ = reason(Array(intact.prefix(index)), limits: limits) }
        guard index < 140 || index % 11 == 0 else { continue }
        for value: UInt8 in [0, 0x80, 0xFF] {
          var mutant = intact
          mutant[index] = value
          _ = reason(mutant, limits: limits)
        }
      }
    }
  }
}
