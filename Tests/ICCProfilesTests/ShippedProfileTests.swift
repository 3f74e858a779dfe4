import ColorSpaces
import Foundation
import ICCProfiles
import Testing
import _TestSupport

/// The profiles that `Fixtures/Profiles/make.py` creates, for machines without others.
@Suite struct ShippedProfileTests {
  private static func bytes(_ name: String) throws -> [UInt8] {
    try Fixtures.bytes("Profiles/\(name).icc")
  }

  @Test func spacesAgreeWithLittleCMS() throws {
    #expect(try ReferenceProfileTests.compareSpaces(ReferenceAnswers.shipped()) >= 16)
  }

  @Test(arguments: [
    ("srgb-para3-v4", ColorSpace.sRGB), ("srgb-curv1024-v2", .sRGB), ("display-p3-v4", .displayP3),
    ("adobe-rgb-v2", .adobeRGB), ("prophoto-v4", .proPhoto), ("rec2020-v4", .rec2020Camera),
    ("acescg-v4", .acescg),
  ])
  func profilesOfNamedSpacesBecomeThem(name: String, space: ColorSpace) throws {
    #expect(try ICCProfile(bytes: Self.bytes(name)).colorSpace() == space)
  }

  @Test(arguments: ["cmyk-mft2", "5clr-mft2", "link-rgb-cmyk", "abstract-lab", "cmyk-mAB"])
  func profilesOfNoSpaceAreExplained(name: String) throws {
    let profile = try ICCProfile(bytes: Self.bytes(name))
    let error = #expect(throws: ICCProfileError.self) { try profile.colorSpace() }
    guard case .unsupported(let sentence) = error else {
      Issue.record("\(name): \(String(describing: error))")
      return
    }
    #expect(sentence.hasSuffix("."))
  }

  /// Curves of a thousand entries, gray, and an abstract table.
  @Test(arguments: ["srgb-curv1024-v2", "gray-curv-v2", "abstract-lab", "para4"])
  func everyTruncationIsAnError(name: String) throws {
    let intact = try Self.bytes(name)
    // Up to three bytes of padding may be missing.
    for count in 0..<intact.count - 3 {
      let cut = Array(intact.prefix(count))
      #expect(throws: ICCProfileError.self) { try DamagedProfileTests().read(cut) }
      guard count >= 128 else { continue }
      // With a header that states the length, so that tags are truncated.
      let stated = ParsedProfile.bytes(count) + cut.dropFirst(4)
      #expect(throws: ICCProfileError.self) { try DamagedProfileTests().read(stated) }
    }
  }

  @Test(arguments: ["rgb-mft1-lab", "cmyk-mAB", "cmyk-mft2", "curves-differ"])
  func randomDamageIsHarmless(name: String) throws {
    let intact = try Self.bytes(name)
    var random = SeededGenerator(seed: 20_260_302)
    for _ in 0..<300 {
      var damaged = intact
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let index = Int.random(in: 0..<min(damaged.count, 1000), using: &random)
        damaged[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      try? DamagedProfileTests().read(damaged)
    }
  }
}
