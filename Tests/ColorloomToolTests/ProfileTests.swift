import Colorloom
import ColorloomTool
import Foundation
import ICCProfiles
import ImageFiles
import Testing
import _TestSupport

/// ICC profiles as spaces, and their inspection.
@Suite struct ProfileTests {
  /// Runs a command with the path of a profile in place of “PROFILE”.
  func run(_ words: String..., with profile: [UInt8]) throws -> Transcript {
    try run(words, with: profile)
  }

  private func run(_ words: [String], with profile: [UInt8]) throws -> Transcript {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path("profile.icc")
    try Data(profile).write(to: URL(filePath: path))
    return ColorloomToolTests.run(words.map { $0 == "PROFILE" ? path : $0 })
  }

  @Test func aProfileIsASpace() throws {
    let profile = try ICCProfile(describing: .displayP3)
    // Its code points state Display P3, as its curves do within the 16 bits of a profile.
    let color = ColorPoint(1, 0.5, 0, in: .displayP3).converted(to: .oklch).components
    let transcript = try run(
      "color", "--from", "PROFILE", "--to", "oklch", "1 0.5 0", with: profile.bytes)
    #expect(transcript.output == ["\(color[0]) \(color[1]) \(color[2])"])
    #expect(transcript.errors.isEmpty)
  }

  /// Assigning a profile keeps the values, so that a conversion after it starts from the colors of the profile.
  @Test func tagAssignsTheSpaceOfAProfile() throws {
    let folder = try TemporaryFolder()
    let bitmap = Bitmap<UInt16>(PixelSize(3, 2), in: .sRGB, channels: .rgb) { x, y in
      [UInt16(20_000 * x), UInt16(30_000 * y), 10_000]
    }
    try Picture(bitmap).write(to: folder.path("in.png"))
    try Data(ICCProfile(describing: .adobeRGB).bytes).write(
      to: URL(filePath: folder.path("a.icc")))
    func picture(_ words: String...) throws -> Bitmap<UInt16> {
      let transcript = ColorloomToolTests.run(
        ["convert", folder.path("in.png"), folder.path("out.png")] + words)
      #expect(transcript.status == .done, "\(transcript.errors)")
      return try Picture(contentsOf: folder.path("out.png")).render()
    }
    let byProfile = try picture("--tag", folder.path("a.icc"))
    #expect(byProfile.space == .adobeRGB && byProfile[2, 1, 0] == bitmap[2, 1, 0])
    #expect(
      try picture("--tag", "@" + folder.path("a.icc"), "--to", "rec2020")
        == picture("--tag", "adobe-rgb", "--to", "rec2020"))
    let press = Fixtures.url("Profiles/cmyk-mft2.icc").path
    let refused = ColorloomToolTests.run([
      "convert", folder.path("in.png"), folder.path("none.png"), "--tag", press,
    ])
    #expect(refused.status == .failed && refused.errors.contains { $0.contains("CMYK") })
  }

  @Test func intentAndCompensationReachTheTransform() throws {
    let bytes = [UInt8](
      try Data(contentsOf: Fixtures.url("Profiles/cmyk-mft2-pale-black.icc")))
    let profile = try ICCProfile(bytes: bytes)
    for (word, intent) in [
      ("perceptual", RenderingIntent.perceptual), ("relative", .relativeColorimetric),
      ("saturation", .saturation),
    ] {
      for compensates in [false, true] {
        let transform = try ICCTransform(
          [.space(.oklab), .profile(profile)], intent: intent,
          blackPointCompensation: compensates)
        let expected = transform([0.2, 0, 0]).map { "\($0)" }.joined(separator: " ")
        let words = ["color", "--from", "oklab", "--to", "PROFILE", "--intent", word]
        let row = compensates ? ["--bpc", "0.2 0 0"] : ["0.2 0 0"]
        let transcript = try run(words + row, with: bytes)
        #expect(transcript.output == [expected], "\(transcript.errors)")
      }
    }
  }

  /// As “convert” refuses them.
  @Test(arguments: [
    (["--intent", "perceptual"], "“--intent” applies to LUT profiles only"),
    (["--bpc"], "“--bpc” applies to LUT profiles only"),
    (["--intent", "absolute", "--bpc"], "Leave one of them out"),
  ])
  func intentsWithoutEffectAreRefused(words: [String], sentence: String) throws {
    for target in ["p3", "PROFILE"] {
      let refused = try run(
        ["color", "--from", "srgb", "--to", target] + words + ["1 0 0"],
        with: ICCProfile(describing: .displayP3).bytes)
      #expect(refused.status == .misused && refused.output.isEmpty)
      #expect(refused.complaint.contains(sentence), "\(refused.errors)")
    }
  }

  @Test func cssColorsReachAProfileToo() throws {
    let profile = try ICCProfile(describing: .displayP3)
    let transcript = try run(
      "color", "--from", "sRGB", "--to", "PROFILE", "white", with: profile.bytes)
    let white = try #require(transcript.output.first?.split(separator: " ").map { Double($0) })
    #expect(white.allSatisfy { abs(($0 ?? 0) - 1) < 1e-4 })
  }

  @Test func grayProfilesHaveOneChannel() throws {
    let profile = try ICCProfile(describingGraysOf: .sRGB)
    let transcript = try run(
      "color", "--from", "PROFILE", "--to", "sRGB", "0.5", "0.5 0.5 0.5", with: profile.bytes)
    #expect(transcript.output.count == 1)
    #expect(transcript.errors.first?.contains("1 number or a CSS color") == true)
  }

  @Test func absoluteColorimetryKeepsTheWhitePointOnRequest() throws {
    // The white of D50 is yellowish relative to D65.
    let words = ["color", "--from", "prophoto", "--to", "linear sRGB", "1 1 1"]
    #expect(ColorloomToolTests.run(words).output == ["1.0 1.0 1.0"])
    let absolute = ColorloomToolTests.run(words + ["--intent", "absolute"]).output.first
    let numbers = try #require(absolute?.split(separator: " ").compactMap { Double($0) })
    #expect(numbers[0] > 1.05 && numbers[2] < 0.8)
  }

  @Test func compressionClampsOnRequest() {
    let words = ["color", "--from", "acescg", "--to", "acescg", "--gamut", "compress", "4 0 -0.5"]
    let free = ColorloomToolTests.run(words).output.first
    #expect(free?.hasPrefix("4.0 ") == true)
    #expect(ColorloomToolTests.run(words + ["--clamp"]).output.first?.hasPrefix("1.0 ") == true)
  }

  @Test func numbersOfDevicesAreClampedOnRequest() throws {
    let profile = try ICCProfile(describing: .sRGB)
    let words = ["color", "--from", "p3", "--to", "PROFILE", "1 0 0"]
    func red(_ more: String...) throws -> [Double] {
      let folder = try TemporaryFolder()
      defer { withExtendedLifetime(folder) {} }
      let path = folder.path("profile.icc")
      try Data(profile.bytes).write(to: URL(filePath: path))
      let line = ColorloomToolTests.run((words + more).map { $0 == "PROFILE" ? path : $0 }).output
      return try #require(line.first?.split(separator: " ").compactMap { Double($0) })
    }
    #expect(try red()[1] < -0.1)
    #expect(try red("--clamp") == [1, 0, 0])
  }

  @Test func differencesOfColorsInProfiles() throws {
    let profile = try ICCProfile(describing: .displayP3)
    let same = try run(
      "deltae", "--space", "PROFILE", "0.2 0.5 0.7 0.2 0.5 0.7", with: profile.bytes)
    #expect(same.output == ["0.0"])
    let named = try run(
      "deltae", "--space", "PROFILE", "--against", "p3", "0.2 0.5 0.7 0.2 0.5 0.7",
      with: profile.bytes)
    // Profiles store values in steps of 1/65,536.
    #expect(named.output.compactMap { Double($0) }.allSatisfy { $0 < 0.01 })
    #expect(named.output.count == 1)
  }

  @Test func spaceNamesWithSlashesAreNoPaths() {
    #expect(
      ColorloomToolTests.run("color", "--from", "Pal/Secam", "--to", "xyz", "1 1 1").status == .done
    )
    let missing = ColorloomToolTests.run("color", "--from", "no/where", "--to", "xyz", "1 1 1")
    #expect(missing.errors.first?.contains("“no/where” does not exist.") == true)
  }

  /// A misspelled pair of a space and a transfer function gets the error of its names; a path gets that of a file.
  @Test(arguments: [
    ("Dislay P3/PQ", ["No color space is called “Dislay P3”. Did you mean “Display P3”?"]),
    ("P3/PQQ", ["No transfer function is called “PQQ”. Did you mean “PQ”?"]),
    (
      "Lab/PQ",
      ["“Lab” has coordinates that no curve replaces", "The file “Lab/PQ” does not exist."]
    ),
  ])
  func misspelledPairsAreNoPaths(word: String, sentences: [String]) {
    let refused = ColorloomToolTests.run("color", "--to", word, "0.5 0.5 0.5")
    #expect(refused.status == .misused)
    for sentence in sentences {
      #expect(refused.complaint.contains(sentence), "\(refused.complaint)")
    }
  }

  @Test(arguments: ["./display", "no/such/display"])
  func missingProfilesAreNamed(path: String) {
    let refused = ColorloomToolTests.run("color", "--to", path, "0.5 0.5 0.5")
    #expect(refused.status == .failed)
    #expect(refused.errors == ["colorloom: “\(path)” does not exist."])
  }

  @Test func aDamagedProfileIsAnError() throws {
    let transcript = try run(
      "color", "--from", "PROFILE", "--to", "sRGB", "1 1 1", with: [1, 2, 3])
    #expect(transcript.output.isEmpty && transcript.errors.count == 1)
    #expect(transcript.status != .done)
    #expect(
      transcript.complaint.contains(
        "profile.icc” cannot be used as a profile. A profile has at least"))
    let none = ColorloomToolTests.run("inspect", "/nowhere/at-all.icc")
    #expect(none.errors.count == 1 && none.status != .done)
  }

  /// Pictures in a profile have the colors of its code points, and so has a single color.
  @Test func colorsOfCodePointsAreThoseOfPictures() throws {
    var parsed = ParsedProfile(try ICCProfile(describing: .sRGB).bytes)
    let row = "0.5 0.25 0.75"
    func colors(_ points: [UInt8], _ words: [String]) throws -> [String] {
      parsed.tags["cicp"] = Array("cicp".utf8) + [0, 0, 0, 0] + points
      return try run(words + [row], with: parsed.bytes).output
    }
    let words = ["color", "--from", "PROFILE", "--to", "linear sRGB"]
    let pq = ColorSpace.rec2100PQ.name
    let named = ColorloomToolTests.run("color", "--from", pq, "--to", "linear sRGB", row)
    let (found, expected) = (try numbers(colors([9, 16, 0, 1], words)), numbers(named.output))
    #expect(found.count == 3 && expected.count == 3)
    // By way of D50, whose profiles' constants have 16 bits.
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-3 }, "\(found), \(expected)")
    let equal = ["deltae", "--space", "PROFILE", "--against", pq]
    #expect(try run(equal + [row + " " + row], with: parsed.bytes).output == ["0.0"])
    var lines = try run("inspect", "PROFILE", with: parsed.bytes).output
    #expect(lines.contains { $0.hasPrefix("recognized as: Rec. 2100 PQ, by its code points; ") })
    #expect(
      lines.contains("code points (H.273): 9/16/0/1, which define the space of pictures"))
    // Those of a video say nothing about RGB.
    let own = try colors([1, 13, 1, 1], words)
    let srgb = ColorloomToolTests.run("color", "--from", "srgb", "--to", "linear sRGB", row)
    let pairs = zip(numbers(own), numbers(srgb.output))
    #expect(own.count == 1 && pairs.allSatisfy { abs($0 - $1) < 1e-4 })
    lines = try run("inspect", "PROFILE", with: parsed.bytes).output
    #expect(lines.contains { $0.hasPrefix("recognized as: sRGB, every color") })
    #expect(lines.contains { $0.hasPrefix("code points (H.273): 1/13/1/1, not used: ") })
  }

  /// Code points define a space without intents, also beside tables.
  @Test func intentsOfProfilesOfCodePointsAreRefused() throws {
    var parsed = TableProfile.profile(.mft2, space: "RGB ", channels: 3, version: 2)
    parsed.header.replaceSubrange(12..<16, with: Array("mntr".utf8))
    let folder = try TemporaryFolder()
    let (input, output) = (folder.path("in.png"), folder.path("out.png"))
    try Picture(
      Bitmap<UInt16>(PixelSize(2, 1), in: .sRGB, channels: .rgb) { _, _ in [9, 99, 999] }
    )
    .write(to: input)
    let verbs = [
      ["color", "--to", "PROFILE", "0.2 0.4 0.6"],
      ["color", "--from", "PROFILE", "--to", "srgb", "0.2 0.4 0.6"],
      ["convert", input, output, "--to", "PROFILE"],
    ]
    for words in verbs {
      for options in [["--intent", "perceptual"], ["--bpc"]] {
        parsed.tags["cicp"] = Array("cicp".utf8) + [0, 0, 0, 0, 9, 16, 0, 1]
        let refused = try run(words + options, with: parsed.bytes)
        #expect(refused.status == .misused, "\(words)")
        #expect(refused.complaint.contains("“\(options[0])” applies to LUT profiles only"))
        parsed.tags["cicp"] = nil
        #expect(try run(words + options, with: parsed.bytes).status == .done, "\(words)")
      }
      parsed.tags["cicp"] = Array("cicp".utf8) + [0, 0, 0, 0, 9, 16, 0]
      let malformed = try run(words, with: parsed.bytes)
      #expect(malformed.status != .done && malformed.complaint.contains("11 bytes; 12 are right"))
    }
  }

  private func numbers(_ lines: [String]) -> [Double] {
    lines.flatMap { $0.split(separator: " ").compactMap { Double($0) } }
  }

  @Test func profilesThatCannotBeUsedAreDescribedAsSuch() throws {
    let intact = ParsedProfile(try ICCProfile(describing: .sRGB).bytes)
    var (falling, newer) = (intact, intact)
    falling.setCurves(ParsedProfile.table([65_535, 0]))
    falling.tags["cicp"] = nil
    newer.header[8] = 5
    var lines = try run("inspect", "PROFILE", with: falling.bytes).output
    let line = lines.first { $0.hasPrefix("no color space of pictures: ") }
    #expect(line?.contains("the curve") == true, "\(lines)")
    // A transform needs no inverse.
    #expect(lines.contains { $0.hasPrefix("intents: ") })
    let refused = try run("inspect", "PROFILE", with: newer.bytes)
    #expect(refused.complaint.contains("Unsupported profile version"), "\(refused.errors)")
    // A press is no color space, and is of use.
    let press = [UInt8](try Data(contentsOf: Fixtures.url("Profiles/cmyk-mft2.icc")))
    lines = try run("inspect", "PROFILE", with: press).output
    #expect(!lines.contains { $0.hasPrefix("cannot be used: ") })
  }

  @Test func namedColorsAreListed() throws {
    var parsed = ParsedProfile(version: 2, profileClass: "nmcl", space: "CMYK", connection: "Lab ")
    func text(_ text: String) -> [UInt8] {
      Array(text.utf8) + [UInt8](repeating: 0, count: 32 - text.utf8.count)
    }
    parsed.tags["ncl2"] =
      Array("ncl2".utf8) + [0, 0, 0, 0] + [0, 1, 4].flatMap(ParsedProfile.bytes)
      + text("House ") + text(" C") + text("White")
      + [0xFF, 0, 0x80, 0, 0x80, 0] + [UInt8](repeating: 0, count: 8)
    let lines = try run("inspect", "PROFILE", with: parsed.bytes).output
    #expect(lines.contains("model: CMYK, 4 channels to Lab"))
    let color = try #require(lines.first { $0.hasPrefix("color: “House White C”, Lab ") })
    #expect(color.hasSuffix(", CMYK 0.0 0.0 0.0 0.0"))
    #expect(lines.contains { $0.hasPrefix("cannot be used: ") })
  }

  @Test func profilesAreDescribed() throws {
    let profile = try ICCProfile(describing: .displayP3)
    let lines = try run("inspect", "PROFILE", with: profile.bytes).output
    #expect(lines.contains("name: Display P3"))
    #expect(lines.contains("version: 4.4"))
    #expect(lines.contains("kind: RGB display"))
    #expect(lines.contains("identifier: valid"))
    let recognized = try #require(lines.first { $0.hasPrefix("recognized as: Display P3, ") })
    #expect(recognized.contains("every color within ") && recognized.contains("ΔE 0.00"))
    #expect(lines.contains("covers sRGB in u′v′: 100.0 %"))
    #expect(lines.contains("covers sRGB in Lab: 100.0 %"))

    let transcript = try run("inspect", "PROFILE", "--json", with: profile.bytes)
    let json = transcript.output + transcript.json
    let report =
      try JSONSerialization.jsonObject(with: Data(json.joined(separator: "\n").utf8))
      as? [String: Any]
    #expect(report?["recognized"] as? String == "Display P3")
    #expect(try #require(report?["bound"] as? Double) < 2e-4)
    #expect(report?["channels"] as? Int == 3)
  }
}
