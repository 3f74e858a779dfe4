import ColorSpaces
import Foundation
import ICCProfiles
import Testing
import _TestSupport

/// Parsing by Little CMS, and the handling of its errors.
@Suite struct ParsingTests {
  func profile(_ change: (inout ParsedProfile) -> Void) throws -> ICCProfile {
    var parsed = ParsedProfile(try ICCProfile(describing: .displayP3).bytes)
    parsed.tags["cicp"] = nil
    change(&parsed)
    return try ICCProfile(bytes: parsed.bytes)
  }

  @Test func errorsIncludeThoseOfLittleCMS() throws {
    // Function 9 of a parametric curve does not exist.
    let profile = try profile { $0.tags["gTRC"] = Array("para".utf8) + [0, 0, 0, 0, 0, 9, 0, 0] }
    let error = try #require(throws: ICCProfileError.self) { try profile.colorSpace() }
    #expect("\(error)".contains("“gTRC”") && "\(error)".contains("Little CMS reports “"))
  }

  @Test func wrongTypesOfTagsAreNamed() throws {
    for (tag, type) in [("rXYZ", "curv"), ("chad", "XYZ "), ("bTRC", "text")] {
      let profile = try profile { $0.tags[tag]?.replaceSubrange(0..<4, with: Array(type.utf8)) }
      let error = try #require(throws: ICCProfileError.self) { try profile.colorSpace() }
      #expect("\(error)".contains("“\(tag)”"), "\(error)")
    }
  }

  /// Little CMS 2.14 returns truncated matrices, which it then reads out of bounds.
  @Test(arguments: 0...8)
  func matricesOfTooFewNumbersAreRefused(count: Int) throws {
    let profile = try profile {
      $0.tags["chad"] = Array($0.tags["chad"]?.prefix(8 + 4 * count) ?? [])
    }
    #expect(throws: ICCProfileError.self) { try profile.colorSpace() }
  }

  /// A tag has eight bytes or more, but one that nothing reads does no harm.
  @Test(arguments: 1...7)
  func tagsThatAreTooShortConcernThoseWhoReadThem(count: Int) throws {
    let short = [UInt8](Array("data123".utf8).prefix(count))
    let space = try profile { _ in }.colorSpace()
    let unread = try profile { $0.tags["1234"] = short }
    #expect(try unread.colorSpace() == space)
    #expect(unread.tags.contains("1234"))
    let unnamed = try profile { $0.tags["desc"] = short }
    #expect(unnamed.description == "RGB display profile without a name")
    for tag in ["rXYZ", "gTRC", "chad"] {
      let profile = try profile { $0.tags[tag] = short }
      let error = try #require(throws: ICCProfileError.self) { try profile.colorSpace() }
      #expect("\(error)".contains("“\(tag)”"), "\(error)")
      if tag == "gTRC" {
        #expect("\(error)".contains("it has \(count) bytes; a tag has at least 8"), "\(error)")
      }
    }
  }

  @Test func tagsOutsideOfTheProfileAreRefused() throws {
    var bytes = try ICCProfile(describing: .sRGB).bytes
    // The size of the first tag.
    bytes.replaceSubrange(140..<144, with: ParsedProfile.bytes(bytes.count))
    let error = try #require(throws: ICCProfileError.self) { try ICCProfile(bytes: bytes) }
    #expect("\(error)".contains("lie outside of the profile's data"), "\(error)")
  }

  @Test func sharedCurvesMeanTheSameAsSeparateOnes() throws {
    let bytes = try ICCProfile(describing: .displayP3).bytes
    let separate = try ICCProfile(bytes: ParsedProfile(bytes).bytes)
    #expect(separate.bytes.count > bytes.count, "The profile as written shares its curves.")
    #expect(try separate.colorSpace() == ICCProfile(bytes: bytes).colorSpace())
  }

  @Test(arguments: ["Grün", "色", "plain", "𝒫3"])
  func namesOfEitherVersionAreRead(name: String) throws {
    let localized = try profile {
      let units = Array(name.utf16).flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
      $0.tags["desc"] =
        Array("mluc".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 12] + Array("deDE".utf8)
        + ParsedProfile.bytes(units.count) + ParsedProfile.bytes(28) + units
    }
    #expect(localized.description == name)
    let old = try profile {
      let text = Array(name.utf8) + [0]
      $0.tags["desc"] =
        Array("desc".utf8) + [0, 0, 0, 0] + ParsedProfile.bytes(text.count) + text
        + [UInt8](repeating: 0, count: 78)
    }
    #expect(old.description == name)
  }

  @Test func namedColorsAreListed() throws {
    var parsed = ParsedProfile(version: 2, profileClass: "nmcl", space: "CMYK", connection: "Lab ")
    func text(_ text: String) -> [UInt8] {
      Array(text.utf8) + [UInt8](repeating: 0, count: 32 - text.utf8.count)
    }
    func words(_ words: [UInt16]) -> [UInt8] {
      words.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    }
    parsed.tags["ncl2"] =
      Array("ncl2".utf8) + [0, 0, 0, 0] + ParsedProfile.bytes(0) + ParsedProfile.bytes(2)
      + ParsedProfile.bytes(4) + text("House ") + text(" C")
      + text("Red") + words([0x8000, 0xC000, 0xA000, 0, 65_535, 65_535, 0])
      + text("White") + words([0xFF00, 0x8000, 0x8000, 0, 0, 0, 0])
    let colors = try ICCProfile(bytes: parsed.bytes).namedColors()
    #expect(colors.map(\.name) == ["House Red C", "House White C"])
    #expect(colors.map(\.device) == [[0, 1, 1, 0], [0, 0, 0, 0]])
    // 16-bit Lab of version 2: L* of 100 is 0xFF00, a* and b* of zero are 0x8000 (ICC.1:2001-04, 6.4).
    let expected: [SIMD3<Double>] = [[100 * 0x8000 / 0xFF00, 64, 32], [100, 0, 0]]
    for (color, expected) in zip(colors, expected) {
      let apart = color.connection - expected
      // Rounding errors of sums in double precision.
      #expect(apart.largest < 1e-12, "\(color)")
    }
    #expect(try ICCProfile(describing: .sRGB).namedColors() == [])
  }

  /// At any memory limit, parsing succeeds or is an error.
  @Test func parsingWithinAnyLimitIsAnErrorOrTheProfile() throws {
    let curve = ParsedProfile.table((0..<16_384).map { UInt16($0 * 4) })
    let bytes = try profile { $0.setCurves(curve) }.bytes
    let space = try ICCProfile(bytes: bytes).colorSpace()
    var (refused, read) = (0, 0)
    for limit in stride(from: 0, to: 400_000, by: 4001) {
      do {
        let profile = try ICCProfile(bytes: bytes, parsingByteLimit: limit)
        #expect(try profile.colorSpace() == space)
        read += 1
      } catch {
        #expect("\(error)" == "\(ICCProfileError.tooMuchMemory(limit: limit))")
        refused += 1
      }
    }
    #expect(refused > 10 && read > 10, "Some limits are too low, and some are not.")
  }
}
