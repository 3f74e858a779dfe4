import ColorSpaces
import Foundation
import ICCProfiles
import Testing
import _TestSupport

/// Published profiles, and Little CMS's conversions for them. They cannot be redistributed, so they lie beside the
/// checkout.
@Suite(SharedReference.whenProfilesArePresent)
struct ReferenceProfileTests {
  private let folder: URL

  init() throws { folder = try #require(SharedReference.profiles()) }

  private func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appending(path: path)))
  }

  private func profile(_ path: String) throws -> ICCProfile {
    try ICCProfile(bytes: bytes(path))
  }

  @Test func realProfilesAgreeWithLittleCMS() throws {
    let compared = try Self.compareSpaces(ReferenceAnswers.shared())
    print("\(compared) real profiles agree with Little CMS.")
    #expect(compared > 40)
  }

  /// Compares the spaces of matrix profiles with Little CMS's Lab; returns their number.
  static func compareSpaces(_ profiles: [ReferenceAnswers]) throws -> Int {
    var compared = 0
    for answers in profiles {
      let profile = answers.profile
      guard profile.modelName == "GRAY" || profile.modelName == "RGB", !profile.hasTables,
        let space = try? profile.colorSpace(),
        let answer = answers.transforms.first(where: {
          $0.target == "Lab" && $0.intent == .relativeColorimetric
        })
      else { continue }
      // Little CMS ignores code points: it uses the fallback tables of high dynamic range.
      if let code = space.cicp?.transfer, [16, 18].contains(code) { continue }
      compared += 1
      // A twentieth of a visible difference. Named spaces replace all profiles within 3·10⁻⁴ of their primaries and
      // 10⁻⁴ of their curve; Little CMS quantizes the input of tables to 16 bits.
      let tolerance = 0.05
      var worst = 0.0
      for (input, lab) in answer.pairsInGamut {
        let color =
          input.count == 1 ? SIMD3(repeating: input[0]) : SIMD3(input[0], input[1], input[2])
        let apart = Self.lab(ColorPoint(color, in: space)) - SIMD3(lab[0], lab[1], lab[2])
        worst = larger(worst, (apart * apart).sum().squareRoot())
      }
      #expect(worst < tolerance, "\(answers.file) as \(space) is apart by ΔE \(worst)")
    }
    return compared
  }

  /// CIELAB relative to the PCS white (ICC.1:2022, 6.3.2).
  static func lab(_ color: ColorPoint) -> SIMD3<Double> {
    let white = SIMD3(0.9642, 1, 0.8249)
    let light = color.space.transfer.decode(color.components)
    let toD50 = ColorMatrix.adapting(
      from: .d65, to: Chromaticity(0.9642 / 2.7891, 1 / 2.7891))
    let xyz = (toD50 * color.space.toHub * light) / white
    func f(_ t: Double) -> Double { t > 216.0 / 24_389 ? cbrt(t) : (24_389.0 / 27 * t + 16) / 116 }
    let (x, y, z) = (f(xyz.x), f(xyz.y), f(xyz.z))
    return SIMD3(116 * y - 16, 500 * (x - y), 200 * (y - z))
  }

  @Test(arguments: [
    ("real/moxcms__Display_P3.icc", ColorSpace.displayP3),
    ("real/skcms__Display_P3_LUT.icc", .displayP3), ("real/skcms__sRGB_HP_2.icc", .sRGB),
    ("real/ImageMagick__sRGB.icm", .sRGB), ("real/skcms__sRGB2014.icc", .sRGB),
    ("real/Debian12__compatibleWithAdobeRGB1998.icc", .adobeRGB),
    ("real/Compact-ICC-Profiles__ProPhoto-v4.icc", .proPhoto),
    ("real/Compact-ICC-Profiles__Rec2020-v4.icc", .rec2020Camera),
    ("real/elles_icc_profiles__ACEScg-elle-V4-g10.icc", .acescg),
  ])
  func realProfilesOfNamedSpacesBecomeThem(path: String, space: ColorSpace) throws {
    #expect(try profile(path).colorSpace() == space)
  }

  @Test(arguments: [
    "real/skcms__Coated_FOGRA39_CMYK.icc", "synthetic/link-rgb-mft2.icc",
    "synthetic/5clr-mft2.icc", "synthetic/rgb-d2b-mpet.icc", "real/Debian12__Crayons.icc",
  ])
  func realProfilesOfNoSpaceAreExplained(path: String) throws {
    let profile = try profile(path)
    let error = #expect(throws: ICCProfileError.self) { try profile.colorSpace() }
    guard case .unsupported(let sentence) = error else {
      Issue.record("\(path): \(String(describing: error))")
      return
    }
    #expect(sentence.hasSuffix("."))
  }

  @Test func hostileProfilesNeitherCrashNorHang() throws {
    let files = try FileManager.default.contentsOfDirectory(
      at: folder.appending(path: "hostile"), includingPropertiesForKeys: nil)
    #expect(files.count > 100)
    for file in files where file.pathExtension == "icc" {
      try? DamagedProfileTests().read([UInt8](Data(contentsOf: file)))
    }
  }

  /// RGB with tables of 1024 entries, CMYK with version 4 tables, gray, and an abstract profile.
  private static let small = [
    "real/skcms__sRGB_HP_2.icc", "real/Debian12__ps_cmyk.icc",
    "real/skcms__Dot_Gain_20_Grayscale.icc", "real/Debian12__CineLogCurve.icc",
  ]

  @Test(arguments: small)
  func everyTruncationOfARealProfileIsAnError(path: String) throws {
    let intact = try bytes(path)
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

  @Test(arguments: small)
  func randomDamageToARealProfileIsHarmless(path: String) throws {
    let intact = try bytes(path)
    var random = SeededGenerator(seed: 20_260_105)
    for _ in 0..<1000 {
      var damaged = intact
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let index = Int.random(in: damaged.indices, using: &random)
        damaged[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      try? DamagedProfileTests().read(damaged)
    }
  }
}
