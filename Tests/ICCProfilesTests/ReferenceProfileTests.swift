import ColorSpaces
import Foundation
import ICCProfiles
import Testing

/// Profiles from the world and Little CMS's answers for them. They are others' property, so they lie beside the checkout.
private let folder = URL(filePath: #filePath).deletingLastPathComponent()
  .appending(path: "../../../shared/reference/icc").standardizedFileURL
private let isPresent = FileManager.default.fileExists(atPath: folder.path)

@Suite(.enabled(if: isPresent, "skipped: the folder with reference profiles is not here"))
struct ReferenceProfileTests {
  struct Index: Decodable {
    struct Entry: Decodable {
      let file, kind, ref: String?
      let tags: [String: String]
    }
    let profiles: [Entry]
  }
  struct Answers: Decodable {
    struct Transform: Decodable {
      let to: String
      let intent: Int
      let out: [[Double]]?
    }
    let transforms: [Transform]
  }
  struct Inputs: Decodable {
    let rgb, gray: [[Double]]

    enum CodingKeys: String, CodingKey {
      case rgb = "RGB"
      case gray = "GRAY"
    }
  }

  func decode<Value: Decodable>(_ type: Value.Type, _ path: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(contentsOf: folder.appending(path: path)))
  }

  func profile(_ path: String) throws -> ICCProfile {
    try ICCProfile(bytes: [UInt8](Data(contentsOf: folder.appending(path: path))))
  }

  @Test func realProfilesMeanWhatLittleCMSSays() throws {
    let inputs = try decode(Inputs.self, "inputs.json")
    var compared = 0
    for entry in try decode(Index.self, "index.json").profiles {
      guard let file = entry.file, let ref = entry.ref else { continue }
      let isGray = entry.kind == "gray-trc"
      guard isGray || entry.kind == "matrix-trc", let profile = try? profile(file),
        let space = try? profile.colorSpace(),
        let answer = try decode(Answers.self, ref).transforms.first(where: {
          $0.to == "Lab" && $0.intent == 1 && $0.out != nil
        })
      else { continue }
      // Little CMS does not know code points: it takes the tables that stand in for high dynamic range.
      if let code = space.cicp?.transfer, [16, 18].contains(code) { continue }
      compared += 1
      // A twentieth of what an eye can see. Named spaces stand for all profiles within 3·10⁻⁴ of their lights and 10⁻⁴ of their
      // curve; Little CMS quantizes the input of tables to 16 bits.
      let tolerance = 0.05
      var worst = 0.0
      for (input, lab) in zip(isGray ? inputs.gray : inputs.rgb, answer.out ?? []) {
        guard input.allSatisfy({ (0...1).contains($0) }) else { continue }
        let color =
          input.count == 1 ? SIMD3(repeating: input[0]) : SIMD3(input[0], input[1], input[2])
        let apart = Self.lab(ColorPoint(color, in: space)) - SIMD3(lab[0], lab[1], lab[2])
        worst = max(worst, (apart * apart).sum().squareRoot())
      }
      #expect(worst < tolerance, "\(file) as \(space) is apart by ΔE \(worst)")
    }
    print("\(compared) real profiles agree with Little CMS.")
    #expect(compared > 40)
  }

  /// CIELAB under the profile connection white (ICC.1:2022, 6.3.2).
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
  func profilesOfNamedSpacesBecomeThem(path: String, space: ColorSpace) throws {
    #expect(try profile(path).colorSpace() == space)
  }

  @Test(arguments: [
    "real/skcms__Coated_FOGRA39_CMYK.icc", "synthetic/link-rgb-mft2.icc",
    "synthetic/5clr-mft2.icc", "synthetic/rgb-d2b-mpet.icc", "real/Debian12__Crayons.icc",
  ])
  func profilesOfNoSpaceAreUnsupportedWithASentence(path: String) throws {
    let profile = try profile(path)
    let error = #expect(throws: ICCProfileError.self) { try profile.colorSpace() }
    guard case .unsupported(let sentence) = error else {
      Issue.record("\(path): \(String(describing: error))")
      return
    }
    #expect(sentence.hasSuffix("."))
  }

  @Test func hostileProfilesNeitherCrashNorHang() throws {
    let hostile = DamagedProfileTests()
    let files = try FileManager.default.contentsOfDirectory(
      at: folder.appending(path: "hostile"), includingPropertiesForKeys: nil)
    #expect(files.count > 100)
    for file in files where file.pathExtension == "icc" {
      try? hostile.read([UInt8](Data(contentsOf: file)))
    }
  }
}
