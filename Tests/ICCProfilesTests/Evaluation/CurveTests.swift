import ColorSpaces
import ICCProfiles
import Testing
import _TestSupport

@Suite struct CurveTests {
  /// Display P3 with modified tags.
  func profile(_ change: (inout ParsedProfile) -> Void) throws -> ICCProfile {
    var parsed = ParsedProfile(try ICCProfile(describing: .displayP3).bytes)
    parsed.tags["cicp"] = nil
    change(&parsed)
    return try ICCProfile(bytes: parsed.bytes)
  }

  func samples(_ transfer: TransferFunction, _ count: Int) -> [UInt16] {
    (0..<count).map { UInt16((transfer.decode(Double($0) / Double(count - 1)) * 65_535).rounded()) }
  }

  // 32,767 is the most that Little CMS reads.
  @Test(arguments: [1024, 4096, 32_767, 32_768, 65_536])
  func tablesOfSRGBBecomeSRGB(count: Int) throws {
    let profile = try profile { $0.setCurves(ParsedProfile.table(samples(.sRGB, count))) }
    #expect(try profile.colorSpace() == .displayP3)
  }

  @Test func tableOfAdobeRGBBecomesItsGamma() throws {
    var parsed = ParsedProfile(try ICCProfile(describing: .adobeRGB).bytes)
    parsed.setCurves(ParsedProfile.table(samples(ColorSpace.adobeRGB.transfer, 1024)))
    #expect(try ICCProfile(bytes: parsed.bytes).colorSpace() == .adobeRGB)
  }

  @Test func tooLongATableIsRefused() throws {
    let profile = try profile {
      $0.setCurves(ParsedProfile.table((0..<65_537).map { UInt16(min($0, 65_535)) }))
    }
    #expect(throws: ICCProfileError.self) { try profile.colorSpace() }
  }

  @Test func aShortGammaIsExact() throws {
    let profile = try profile { $0.setCurves(ParsedProfile.table([0x0240])) }
    let space = try profile.colorSpace()
    #expect(space.transfer == .gamma(2.25))
    #expect(
      space.primaries.white.x.isClose(to: 0.3127) && space.primaries.white.y.isClose(to: 0.329))
  }

  @Test func threeDifferentCurvesAreKept() throws {
    let profile = try profile { $0.tags["gTRC"] = ParsedProfile.table([0x0240]) }
    let space = try profile.colorSpace()
    let light = space.transfer.decode([0.5, 0.5, 0.5])
    // The parameters are stored in steps of 1/65,536.
    #expect(abs(light.x - TransferFunction.sRGB.decode(0.5)) < 2e-5)
    #expect(abs(light.y - TransferFunction.gamma(2.25).decode(0.5)) < 1e-15)
    #expect(try ICCProfile(describing: space) == profile)
  }

  @Test func equalCurvesInDifferentFormsAreOneCurve() throws {
    let profile = try profile { $0.tags["gTRC"] = ParsedProfile.table(samples(.sRGB, 4096)) }
    #expect(try profile.colorSpace() == .displayP3)
  }

  @Test(arguments: [[0], [65_535, 0], [7, 7, 7], [0, 60_000, 10_000, 65_535]] as [[UInt16]])
  func curvesWithoutAnInverseAreRefused(values: [UInt16]) throws {
    let profile = try profile { $0.setCurves(ParsedProfile.table(values)) }
    #expect(throws: ICCProfileError.self) { try profile.colorSpace() }
  }

  @Test(arguments: [[9, 8, 0, 1], [9, 8, 0, 1, 0, 0, 0, 0]] as [[UInt8]])
  func codePointsTakePrecedence(points: [UInt8]) throws {
    let profile = try profile { $0.tags["cicp"] = Array("cicp".utf8) + [0, 0, 0, 0] + points }
    #expect(try profile.colorSpace() == .linearRec2020)
  }

  @Test(arguments: [([9, 16, 0, 1], ColorSpace.rec2100PQ), ([9, 18, 0, 1], .rec2100HLG)])
  func codePointsOfHighDynamicRangeAreSpaces(points: [UInt8], space: ColorSpace) throws {
    let profile = try profile { $0.tags["cicp"] = Array("cicp".utf8) + [0, 0, 0, 0] + points }
    #expect(try profile.colorSpace() == space)
  }

  /// Encoders copy the code points of a video, with its matrix and range, into the profile of its RGB stills.
  @Test(
    arguments: [
      [2, 2, 0, 0], [255, 3, 0, 1], [9, 16, 9, 1], [9, 16, 9, 0], [1, 13, 1, 1], [1, 13, 0, 0],
    ] as [[UInt8]])
  func codePointsThatNameNoSpaceOfRGBLeaveItToTheCurves(points: [UInt8]) throws {
    let profile = try profile { $0.tags["cicp"] = Array("cicp".utf8) + [0, 0, 0, 0] + points }
    #expect(try profile.colorSpace() == .displayP3)
  }

  @Test func codePointsThatAreTooFewAreRefused() throws {
    let profile = try profile { $0.tags["cicp"] = Array("cicp".utf8) + [0, 0, 0, 0, 9, 16, 0] }
    let error = ICCProfileError.malformedTag("cicp", reason: "it has 11 bytes; 12 are right")
    #expect(throws: error) { try profile.colorSpace() }
    #expect(throws: error) { try ICCTransform.Link.profile(profile).definedByCodePoints }
    #expect(throws: error) { try profile.gamut() }
  }

  /// The tag is for input and display profiles alone (ICC.1:2022, 9.2.17), and is not read in others.
  @Test(arguments: ["prtr", "spac"]) func codePointsOfOtherClassesAreIgnored(kind: String) throws {
    for points in [[9, 16, 0, 1], [9, 16, 0]] as [[UInt8]] {
      let profile = try profile {
        $0.header.replaceSubrange(12..<16, with: Array(kind.utf8))
        $0.tags["cicp"] = Array("cicp".utf8) + [0, 0, 0, 0] + points
      }
      #expect(try profile.colorSpace() == .displayP3)
      let link = ICCTransform.Link.profile(profile)
      #expect(try link.definedByCodePoints == link)
    }
  }

  /// A transform has the colors of the tables and curves, as Little CMS has, unless the code points are asked for.
  @Test func linksOfCodePointsHaveTheColorsOfPictures() throws {
    let profile = try profile {
      $0.tags["cicp"] = Array("cicp".utf8) + [0, 0, 0, 0, 9, 16, 0, 1]
    }
    let link = ICCTransform.Link.profile(profile)
    #expect(try link.definedByCodePoints == .space(.rec2100PQ))
    #expect(try profile.gamut().holds(SIMD3(140, 0, 0)))
    let plain = ICCTransform.Link.profile(try self.profile { _ in })
    #expect(try plain.definedByCodePoints == plain)
    let color = [0.5, 0.25, 0.75]
    let (own, others) = (
      try ICCTransform(from: link, to: .space(.xyzD50)),
      try ICCTransform(from: plain, to: .space(.xyzD50))
    )
    #expect(own(color) == others(color))
  }

  @Test func whiteIsIgnoredWithoutChad() throws {
    let profile = try profile { $0.tags["chad"] = nil }
    #expect(try profile.colorSpace() == .displayP3)
  }

  @Test(arguments: ["CMYK", "8CLR", "HAL "])
  func otherSpacesAreNamedInTheError(space: String) throws {
    let profile = try profile { $0.header.replaceSubrange(16..<20, with: Array(space.utf8)) }
    let error = #expect(throws: ICCProfileError.self) { try profile.colorSpace() }
    #expect(error?.description.contains(space.filter { $0 != " " }) == true)
  }
}

extension Double {
  fileprivate func isClose(to other: Double) -> Bool { abs(self - other) < 1e-4 }
}
