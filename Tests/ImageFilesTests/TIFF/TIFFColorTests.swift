import ColorSpaces
import Foundation
import ICCProfiles
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// TIFF files that state their color space without an ICC profile.
@Suite struct TIFFColorTests {
  // MARK: EXIF

  /// A file in a space, with the EXIF data of a camera.
  private func file<Sample: PixelSample>(
    _: Sample.Type = UInt8.self, in space: ColorSpace, _ exif: TestEXIF
  ) throws -> [UInt8] {
    var options = WritingOptions()
    options.metadata.exif = exif.bytes
    let bitmap = Bitmap<Sample>(PixelSize(4, 3), in: space, channels: .rgb)
    return try ImageFile.encode(AnyBitmap(bitmap), as: .tiff, options: options)
  }

  /// The file with the profile in a field that nobody knows.
  private func withoutProfile(_ bytes: [UInt8]) -> [UInt8] {
    bytes.replacing(
      34_675.bytes(2, isBigEndian: true) + 7.bytes(2, isBigEndian: true),
      with: 34_676.bytes(2, isBigEndian: true) + 7.bytes(2, isBigEndian: true))
  }

  @Test func exifStatesTheSpaceOfCameras() throws {
    let sRGB = try withoutProfile(file(in: .sRGB, TestEXIF(colorSpace: 1)))
    #expect(try statement(sRGB) == Statement(.sRGB, .exif))
    let adobeRGB = try withoutProfile(
      file(in: .adobeRGB, TestEXIF(colorSpace: 0xFFFF, interoperability: "R03")))
    #expect(try statement(adobeRGB) == Statement(.adobeRGB, .exif))
    #expect(try ImageFile.read(bytes: adobeRGB).space == .adobeRGB)
  }

  @Test func profilesCountBeforeEXIF() throws {
    let tag = 0xA001.bytes(2, isBigEndian: true) + [0, 3, 0, 0, 0, 1]
    let bytes = try file(in: .displayP3, TestEXIF(colorSpace: 1))
      .replacing(tag + [0xFF, 0xFF], with: tag + [0, 1])
    #expect(try statement(bytes) == Statement(.displayP3, .profile))
    #expect(try statement(withoutProfile(bytes)) == Statement(.sRGB, .exif))
  }

  /// Converters to linear floats copy the camera's EXIF data.
  @Test func exifDescribesNoFloats() throws {
    let bytes = try withoutProfile(file(Float.self, in: .sRGB, TestEXIF(colorSpace: 1)))
    #expect(try statement(bytes) == nil)
    let notes = try ImageFile.info(bytes: bytes).notes.map { "\($0)" }
    #expect(notes.count == 1 && notes[0].contains("EXIF data, sRGB, which describes integer"))
  }

  // MARK: Fields

  private static let adobeRGB = [6400, 3300, 2100, 7100, 1500, 600]
  private static let sRGB = [6400, 3300, 3000, 6000, 1500, 600]

  /// A file with white D65, primaries in ten-thousandths, and tables of linear values.
  private func file(
    _ primaries: [Int]?, _ tables: [Int]? = nil, white: [Int]? = [3127, 3290]
  ) -> [UInt8] {
    var tiff = TestTIFF { x, y, _ in x + y }
    tiff.shorts[301] = tables
    var bytes: [(field: Int, count: Int)] = []
    for (field, values) in [(318, white), (319, primaries)] {
      guard let values else { continue }
      tiff.blobs[field] = values.flatMap { $0.bytes(4) + 10_000.bytes(4) }
      bytes.append((field, values.count))
    }
    // 8 bytes become a fraction.
    return bytes.reduce(tiff.bytes) { file, entry in
      let tag = entry.field.bytes(2)
      return file.replacing(
        tag + 7.bytes(2) + (8 * entry.count).bytes(4),
        with: tag + 5.bytes(2) + entry.count.bytes(4))
    }
  }

  private func table(_ light: (Double) -> Double) -> [Int] {
    (0..<256).map { Int((light(Double($0) / 255) * 65_535).rounded()) }
  }

  @Test func fieldsStateNamedSpaces() throws {
    let adobe = table { pow($0, 563 / 256) }
    #expect(try statement(file(Self.adobeRGB, adobe)) == Statement(.adobeRGB, .chromaticities))
    // A table for each channel.
    #expect(
      try statement(file(Self.adobeRGB, adobe + adobe + adobe))
        == Statement(.adobeRGB, .chromaticities))
    let curve = table { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
    #expect(try statement(file(Self.sRGB, curve)) == Statement(.sRGB, .chromaticities))
  }

  @Test func fieldsStateOtherCurves() throws {
    let power = try #require(try statement(file(Self.sRGB, table { pow($0, 1.9) }))?.space)
    #expect(abs(power.transfer.decode(0.5) - pow(0.5, 1.9)) < 1e-12)
    #expect(power.primaries == ColorSpace.sRGB.primaries)
    let mixed = try #require(
      try statement(file(Self.sRGB, table { ($0 + $0 * $0) / 2 }))?.space)
    let code = 100.0 / 255
    // Half a step of 16 bits.
    #expect(abs(mixed.transfer.decode(code) - (code + code * code) / 2) <= 0.51 / 65_535)
    #expect(mixed.transfer.encode(1) == 1)
  }

  @Test func fieldsThatStateNoSpaceAreNamed() throws {
    let falling = table { 1 - $0 }
    let steps = (0..<256).map { 257 * $0 }
    let power = table { pow($0, 2.2) }
    let cases: [(file: [UInt8], words: String)] = [
      (
        file(Self.adobeRGB),
        "its fields WhitePoint and PrimaryChromaticities, which without TransferFunction state no color space"
      ),
      (file(nil), "its field WhitePoint, which without PrimaryChromaticities states no"),
      (file(Self.sRGB, white: nil), "PrimaryChromaticities, which without WhitePoint states no"),
      (
        file(nil, power, white: nil),
        "its field TransferFunction, which without WhitePoint states no color space"
      ),
      (file([0, 0, 0, 0, 0, 0], power), "and TransferFunction, which with these values state"),
      (file(Self.sRGB, Array(power.dropLast())), "tables of another length than the samples"),
      (file(Self.sRGB, falling), "with a table that does not rise to 65535"),
      (file(Self.sRGB, power + power + steps), "with different tables for red, green and blue"),
    ]
    for (file, words) in cases {
      let info = try ImageFile.info(bytes: file)
      let notes = info.notes.map { "\($0)" }
      #expect(try statement(file) == nil, "\(words)")
      #expect(notes.count == 1 && notes[0].contains(words), "\(words): \(notes)")
    }
    #expect(throws: ImageFileError.untagged(file: "data")) {
      try ImageFile.read(bytes: cases[0].file)
    }
  }

  // MARK: Statements

  private struct Statement: Equatable {
    let space: ColorSpace
    let place: ColorStatement

    init(_ space: ColorSpace, _ place: ColorStatement) { (self.space, self.place) = (space, place) }
  }

  private func statement(_ bytes: [UInt8]) throws -> Statement? {
    switch try ImageFile.info(bytes: bytes).color {
    case .space(let space, let place): Statement(space, place)
    case .unusable(let error): throw error
    default: nil
    }
  }
}
