import Colorloom
import ImageFiles
import Testing
import _TestSupport

/// Gain maps that cannot be used: the base picture is read, and a note says why.
@Suite struct DamagedGainMapTests {
  private let intact: [UInt8]

  init() throws { intact = try GainMapFileTests.fixture("ultra-hdr") }

  private func position(of text: String, in bytes: [UInt8]) throws -> Int {
    let words = Array(text.utf8)
    return try #require(bytes.indices.first { bytes[$0...].starts(with: words) })
  }

  /// Returns the reason for which the map of changed bytes is not used. The base picture must be that of the intact file.
  private func reason(_ bytes: [UInt8], of intact: [UInt8]) throws -> String {
    let info = try ImageFile.info(bytes: bytes)
    #expect(info.gainMap == nil)
    let read = try ImageFile.read(bytes: bytes, assuming: .sRGB).sampleBytes
    #expect(try read == ImageFile.read(bytes: intact, assuming: .sRGB).sampleBytes)
    #expect(try OpenedImageFile(bytes: bytes).hdrPicture(assuming: .sRGB) == nil)
    let reasons = info.notes.compactMap { note -> String? in
      if case .unusableGainMap(let reason) = note { reason } else { nil }
    }
    #expect(info.notes.count == 1)
    return try #require(reasons.first)
  }

  @Test(arguments: [
    ("hdrgm:Gamma='1.5'", "hdrgm:Gamma='0.0'", "gamma"),
    ("hdrgm:Gamma='1.5'", "hdrgm:Gamma='-1.'", "gamma"),
    ("hdrgm:Gamma='1.5'", "hdrgm:Gamma='-12'", "gamma"),
    ("hdrgm:Gamma='1.5'", "hdrgm:Gamma='nan'", "gamma"),
    ("hdrgm:Gamma='1.5'", "hdrgm:Gamma='1 2'", "“1 2”"),
    ("hdrgm:GainMapMin='-0.5'", "hdrgm:GainMapMin='9.75'", "9.75"),
    ("hdrgm:GainMapMax='3.25'", "hdrgm:GainMapMax='99.0'", "99"),
    ("hdrgm:GainMapMax='3.25'", "hdrgm:GainMapMux='3.25'", "no picture"),
    ("hdrgm:HDRCapacityMax='3.25'", "hdrgm:HDRCapacityMax=' inf'", "inf"),
  ])
  func impossibleNumbersAreNamed(intended: String, damaged: String, words: String) throws {
    var bytes = intact
    let start = try position(of: intended, in: bytes)
    bytes.replaceSubrange(start..<start + intended.utf8.count, with: damaged.utf8)
    let reason = try reason(bytes, of: intact)
    #expect(reason.lowercased().contains(words), "\(reason)")
  }

  /// The second entry of the index: 4 bytes of length and 4 of position, 66 bytes behind the index's start.
  private func withIndex(length: UInt32?, start: UInt32?) throws -> [UInt8] {
    var bytes = intact
    let entry = try position(of: "MPF\0", in: bytes) + 4 + 66
    func store(_ value: UInt32, at position: Int) {
      bytes.replaceSubrange(position..<position + 4, with: value.bytes(4))
    }
    if let length { store(length, at: entry + 4) }
    if let start { store(start, at: entry + 8) }
    return bytes
  }

  private static let places: [(UInt32?, UInt32?)] = [
    (nil, .max), (.max, nil), (.max, .max), (0, nil), (1 << 20, nil), (nil, 1),
  ]

  @Test(arguments: places)
  func placesOutsideOfTheFileAreNamed(length: UInt32?, start: UInt32?) throws {
    #expect(!(try reason(withIndex(length: length, start: start), of: intact)).isEmpty)
  }

  @Test func truncatedFilesLoseTheMapAlone() throws {
    let reason = try reason(Array(intact.dropLast(20)), of: intact)
    #expect(reason.contains("\(intact.count - 20)"))
  }

  @Test(arguments: [0, 3, 4, 5, 20, 68])
  func shortBinaryMetadataIsNamed(count: Int) throws {
    let intact = try GainMapFileTests.fixture("iso-21496-1")
    var bytes = intact
    let name = "urn:iso:std:iso:ts:21496:-1\0"
    // The second segment of that name is the map's.
    let first = try position(of: name, in: bytes)
    let start = try position(
      of: name, in: [UInt8](repeating: 0, count: first + 1) + bytes[(first + 1)...])
    // A shorter segment leaves bytes that are no marker, which readers skip up to the next one.
    let length = name.utf8.count + count + 2
    (bytes[start - 2], bytes[start - 1]) = (UInt8(length >> 8), UInt8(length & 255))
    for index in start + name.utf8.count + count..<start + name.utf8.count + 141 {
      bytes[index] = 0
    }
    #expect(!(try reason(bytes, of: intact)).isEmpty)
  }

  @Test func fractionsOfZeroAreNamed() throws {
    let intact = try GainMapFileTests.fixture("iso-21496-1")
    var bytes = intact
    let name = "urn:iso:std:iso:ts:21496:-1\0"
    let first = try position(of: name, in: bytes)
    let start = try position(
      of: name, in: [UInt8](repeating: 0, count: first + 1) + bytes[(first + 1)...])
    let denominator = start + name.utf8.count + 5 + 4
    for index in denominator..<denominator + 4 { bytes[index] = 0 }
    #expect(try reason(bytes, of: intact).contains("denominator of 0"))
  }

  // MARK: Two descriptions

  /// The intact file with a segment of ISO 21496-1 in its gain map, beside the properties of Ultra HDR.
  private func withBinary(_ metadata: [UInt8]) throws -> [UInt8] {
    let header = try position(of: "MPF\0", in: intact) + 4
    let entry = header + 66
    func number(at position: Int) -> Int {
      (0..<4).reduce(0) { $0 | Int(intact[position + $1]) << (8 * $1) }
    }
    let body = Array("urn:iso:std:iso:ts:21496:-1\0".utf8) + metadata
    let segment = [0xFF, 0xE2, 0, UInt8(body.count + 2)] + body
    var bytes = try withIndex(length: UInt32(number(at: entry + 4) + segment.count), start: nil)
    // Behind the marker that begins the map.
    let start = header + number(at: entry + 8) + 2
    bytes.insert(contentsOf: segment, at: start)
    return bytes
  }

  /// Binary metadata of one channel or three: gains from 0 to some stops, headrooms of 0 and 2 stops, and offsets of 1/64.
  private func binary(
    flags: UInt8, version: UInt8 = 0, lastDenominator: UInt8 = 64, greatest: [UInt8] = [2]
  ) -> [UInt8] {
    let headrooms: [(UInt8, UInt8)] = [(0, 1), (2, 1)]
    let fractions =
      headrooms
      + greatest.flatMap { stops -> [(UInt8, UInt8)] in
        [(0, 1), (stops, 1), (1, 1), (1, 64), (1, lastDenominator)]
      }
    return [0, version, 0, version, flags | (greatest.count == 3 ? 1 << 7 : 0)]
      + fractions.flatMap { [0, 0, 0, $0.0, 0, 0, 0, $0.1] }
  }

  /// The flag that the gain is applied in the base's color space.
  private static let usesBaseSpace: UInt8 = 1 << 6

  @Test func binaryMetadataCountsBeforeProperties() throws {
    let info = try ImageFile.info(bytes: withBinary(binary(flags: Self.usesBaseSpace)))
    let map = try #require(info.gainMap)
    #expect(map.standards == [.iso21496, .ultraHDR] && map.gain.greatest.max() == 2)
    #expect(map.space == nil && info.notes.count == 1)
    #expect(info.notes.first?.description.contains("differs from that of ISO 21496-1") == true)
  }

  /// The numbers of both descriptions may differ by rounding.
  @Test func equalDescriptionsAreNotNamed() throws {
    // A least gain of −0.5 stops, up to 3.2505 instead of 3.25, and offsets of 1/64 and 1/32.
    let numbers: [(UInt32, UInt32)] = [
      (0, 1), (13, 4), (.max, 2), (65_010, 20_000), (3, 2), (1, 64), (1, 32),
    ]
    let words = numbers.flatMap { [$0.0, $0.1] }
    let bytes = words.flatMap { $0.bytes(4, isBigEndian: true) }
    let info = try ImageFile.info(
      bytes: withBinary([0, 0, 0, 0, Self.usesBaseSpace] + bytes))
    let map = try #require(info.gainMap)
    #expect(map.standards == [.iso21496, .ultraHDR] && map.gain.greatest.x == 3.2505)
    #expect(info.notes.isEmpty)
  }

  @Test func propertiesCountWhereBinaryMetadataCannotBeUsed() throws {
    let gain = try #require(try ImageFile.info(bytes: intact).gainMap).gain
    let unusable = [
      [0, 0, 0, 0], binary(flags: Self.usesBaseSpace, version: 1),
      binary(flags: Self.usesBaseSpace, lastDenominator: 0),
    ]
    for metadata in unusable {
      let info = try ImageFile.info(bytes: withBinary(metadata))
      let map = try #require(info.gainMap)
      #expect(map.standards == [.ultraHDR] && map.gain == gain && info.notes.count == 1)
      let note = try #require(info.notes.first).description
      #expect(note.hasPrefix("Not read: the ISO 21496-1 description of its gain map: "), "\(note)")
    }
  }

  @Test func binaryMetadataCountWherePropertiesCannotBeUsed() throws {
    var bytes = try withBinary(binary(flags: Self.usesBaseSpace))
    let start = try position(of: "hdrgm:Gamma='1.5'", in: bytes)
    bytes.replaceSubrange(start..<start + 17, with: "hdrgm:Gamma='0.0'".utf8)
    let info = try ImageFile.info(bytes: bytes)
    #expect(info.gainMap?.standards == [.iso21496] && info.notes.count == 1)
    #expect(info.notes.first?.description.contains("the Ultra HDR description") == true)
  }

  @Test func damageOfBothDescriptionsIsThatOfBinaryMetadata() throws {
    var bytes = try withBinary(binary(flags: Self.usesBaseSpace, lastDenominator: 0))
    let start = try position(of: "hdrgm:Gamma='1.5'", in: bytes)
    bytes.replaceSubrange(start..<start + 17, with: "hdrgm:Gamma='0.0'".utf8)
    #expect(try reason(bytes, of: intact).contains("denominator of 0"))
  }

  /// The map has no profile, which would state the space.
  @Test func anotherSpaceThatIsNotStatedIsNamed() throws {
    let reason = try reason(withBinary(binary(flags: 0, greatest: [1, 2, 3])), of: intact)
    #expect(reason.contains("color space that the file does not state"))
  }

  /// One gain for red, green and blue gives the same colors in any space of the same white.
  @Test func grayMapsNeedNoStatedSpace() throws {
    let file = try OpenedImageFile(bytes: withBinary(binary(flags: 0)))
    let map = try #require(file.info.gainMap)
    #expect(map.standards.first == .iso21496 && map.channels == .gray && map.space == nil)
    let same = try OpenedImageFile(bytes: withBinary(binary(flags: Self.usesBaseSpace)))
    let (found, sought) = try (
      #require(try file.hdrPicture(assuming: .sRGB)), #require(try same.hdrPicture(assuming: .sRGB))
    )
    #expect(try found.render(as: Float.self).isIdentical(to: sought.render(as: Float.self)))
  }
}
