import ColorSpaces
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// The dictionaries that LZMA and Zstandard allocate are part of the memory of a TIFF file.
@Suite struct TIFFDictionaryTests {
  private enum Packing: Int, CaseIterable {
    case lzma = 34_925
    case zstandard = 50_000

    /// The code of a dictionary of 2 to the power of an exponent.
    func code(_ exponent: Int) -> UInt8 {
      UInt8(self == .lzma ? 2 * (exponent - 12) : (exponent - 10) << 3)
    }

    func stored(_ bytes: [UInt8], exponent: Int) -> [UInt8] {
      self == .lzma
        ? XZ.stored([(code(exponent), bytes)])
        : Zstandard.stored(bytes, window: code(exponent))
    }
  }

  /// A file of two strips, each with a dictionary of its own.
  private func tiff(_ packing: Packing, exponents: [Int]) -> TestTIFF {
    var tiff = TestTIFF(width: 7, height: 4) { x, y, channel in 31 * x + 50 * y + channel }
    tiff.rowsPerStrip = 2
    tiff.packing = packing.rawValue
    tiff.cellsInstead = exponents.enumerated().map { strip, exponent in
      packing.stored(samples(of: tiff, rows: 2 * strip..<2 * strip + 2), exponent: exponent)
    }
    return tiff
  }

  private func samples(of tiff: TestTIFF, rows: Range<Int>) -> [UInt8] {
    rows.flatMap { y in
      (0..<tiff.width).flatMap { x in (0..<3).map { UInt8(tiff.sample(x, y, $0) & 255) } }
    }
  }

  private func samples(_ tiff: TestTIFF) throws -> [UInt8] {
    guard case .uint8(let bitmap) = try ImageFile.read(bytes: tiff.bytes, assuming: .sRGB) else {
      throw ImageFileError.unsupportedSamples(.uint8, format: .tiff)
    }
    return bitmap.samples
  }

  private func failure(of bytes: [UInt8], memory: Int?) -> ImageFileError? {
    var limits = FileLimits()
    limits.memoryLimit = memory
    do throws(ImageFileError) {
      _ = try ImageFile.read(bytes: bytes, assuming: .sRGB, limits: limits)
      return nil
    } catch { return error }
  }

  @Test(arguments: Packing.allCases)
  private func packedStripsAreRead(packing: Packing) throws {
    let packed = tiff(packing, exponents: [16, 12])
    var plain = packed
    (plain.packing, plain.cellsInstead) = (1, nil)
    #expect(try samples(packed) == samples(plain))
  }

  /// Strips of more than four megabytes are unpacked row by row.
  @Test(arguments: Packing.allCases)
  private func longStripsAreReadInRows(packing: Packing) throws {
    var packed = TestTIFF(width: 2000, height: 800) { x, y, channel in x ^ y + channel & 255 }
    packed.rowsPerStrip = 800
    let bytes = samples(of: packed, rows: 0..<800)
    packed.packing = packing.rawValue
    packed.cellsInstead = [packing.stored(bytes, exponent: 18)]
    #expect(try samples(packed) == bytes)
  }

  @Test(arguments: Packing.allCases)
  private func theFirstDictionaryIsPartOfTheMemory(packing: Packing) {
    let bytes = tiff(packing, exponents: [26, 26]).bytes
    guard case .tooMuchMemory(_, let needed, let limit)? = failure(of: bytes, memory: 8 << 20)
    else {
      Issue.record("A dictionary of 64 MiB is read with 8 MiB.")
      return
    }
    #expect(needed > 64 << 20 && limit == 8 << 20)
    #expect(failure(of: bytes, memory: 80 << 20) == nil)
  }

  @Test(arguments: Packing.allCases)
  private func aLargerDictionaryLaterIsRefused(packing: Packing) {
    let bytes = tiff(packing, exponents: [16, 26]).bytes
    guard case .unsupportedStorage(_, let reason)? = failure(of: bytes, memory: 8 << 20) else {
      Issue.record("The second strip's dictionary is not checked.")
      return
    }
    #expect(reason.hasPrefix("strip or tile 1 takes 67698688 bytes"))
  }

  /// A stream of several blocks, or several frames, takes the largest of their dictionaries.
  @Test(arguments: Packing.allCases)
  private func aLargerDictionaryBehindTheFirstIsCounted(packing: Packing) {
    var hidden = tiff(packing, exponents: [16, 16])
    let (first, second) = (samples(of: hidden, rows: 0..<1), samples(of: hidden, rows: 1..<2))
    let cell =
      packing == .lzma
      ? XZ.stored([(packing.code(16), first), (packing.code(26), second)])
      : packing.stored(first, exponent: 16) + packing.stored(second, exponent: 26)
    hidden.cellsInstead?[0] = cell
    guard case .tooMuchMemory? = failure(of: hidden.bytes, memory: 8 << 20) else {
      Issue.record("The second dictionary of a strip is not counted.")
      return
    }
  }

  @Test(arguments: Packing.allCases)
  private func bytesThatAreNotOfTheirCompressionAreDamaged(packing: Packing) {
    var other = tiff(packing, exponents: [16, 16])
    other.cellsInstead?[0] = [UInt8](repeating: 7, count: 60)
    guard case .damaged? = failure(of: other.bytes, memory: nil) else {
      Issue.record("Bytes of another kind are unpacked.")
      return
    }
  }
}
