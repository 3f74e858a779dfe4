import Colorloom
import Foundation
import ImageFiles
import Testing

/// Limits, formats and reports as JSON, for configurations and logs.
@Suite struct CodedValueTests {
  private func coded<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  private func limits(_ json: String) throws -> FileLimits {
    try JSONDecoder().decode(FileLimits.self, from: Data(json.utf8))
  }

  @Test func limitsRoundTrip() throws {
    var limits = FileLimits(pixels: 1 << 24, bytes: 1 << 25)
    (limits.metadataBytes, limits.profileBytes, limits.expansion) = (1, 2, 3)
    #expect(try coded(limits) == limits)
    limits.memoryLimit = 1 << 28
    #expect(try coded(limits) == limits)
  }

  @Test func missingLimitsAreThoseOfTheDefault() throws {
    #expect(try limits("{}") == FileLimits())
    #expect(try limits(#"{"pixels": 5}"#) == FileLimits(pixels: 5))
  }

  @Test(arguments: [
    "pixels", "bytes", "metadataBytes", "profileBytes", "memoryLimit", "expansion",
  ])
  func limitsBelowZeroAreErrors(name: String) throws {
    #expect(throws: Never.self) { try limits(#"{"\#(name)": 1}"#) }
    for value in ["-1", "1.5", #""1""#] {
      #expect(throws: DecodingError.self) { try limits(#"{"\#(name)": \#(value)}"#) }
    }
  }

  @Test func formatsAreCodedByName() throws {
    for format in ImageFileFormat.readable { #expect(try coded([format]) == [format]) }
    let json = Data(#"["JPEG", "ppm", ".png", ".gif"]"#.utf8)
    let formats = try JSONDecoder().decode([ImageFileFormat].self, from: json)
    #expect(formats == [.jpeg, .pnm, .png, .gif])
    // Formats of several file extensions are encoded as the one by which they were asked for.
    let names = try JSONDecoder().decode([String].self, from: JSONEncoder().encode(formats))
    #expect(names == ["JPEG", "ppm", "PNG", "GIF"])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([ImageFileFormat].self, from: Data(#"["Netpbm 2"]"#.utf8))
    }
  }

  @Test func reportsRoundTrip() throws {
    let picture = Picture(
      Bitmap<Float>(PixelSize(4, 4), in: .sRGB, channels: .rgb) { _, _ in [2, -1, 0.5] })
    var writing = WritingOptions()
    writing.metadata.text = [ImageMetadata.Text(keyword: "Title", value: "A")]
    let report = try picture.encodedWithReport(as: .bmp, writing: writing).report
    try #require(report.notes == [.omittedTexts(keywords: ["Title"], format: .bmp)])
    #expect(try coded(report) == report)
  }

  @Test func notesRoundTrip() throws {
    let notes: [ImageFileNote] = [
      .otherPages(ImagePages(.frame, number: 2, count: 3)),
      .unusableColor(reason: "damaged", used: .formatRule), .unusableSpace(reason: "damaged"),
      .conflictingColor(used: .profile, space: "a", other: .exif, otherSpace: "b"),
      .assumed(field: "field", meaning: "they are gray"), .unread("video"),
      .unusableGainMap(reason: "damaged"), .omittedGainMap(format: .png),
      .reducedDepth(bits: 12, format: .jpeg), .damagedMetadata(.xmp),
      .omitted(.iptc, format: .png), .omittedTexts(keywords: ["a", "b"], format: .png),
      .unrepresentable(.resolution, format: .png), .invalidTexts(keywords: [], format: .png),
      .tooLarge(.exif, byteCount: 2, limit: 1, format: .jpeg),
      .clippedByTransfer(samples: 1, of: 2, space: "a"),
      .reducedQuality(60, requested: 90, byteCount: 1, limit: 2),
    ]
    #expect(try coded(notes) == notes)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let omitted = try encoder.encode(ImageFileNote.omitted(.exif, format: .png))
    #expect(
      String(decoding: omitted, as: UTF8.self) == #"{"omitted":{"format":"PNG","kind":"exif"}}"#)
  }
}
