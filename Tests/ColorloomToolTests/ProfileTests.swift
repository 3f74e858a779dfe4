import ColorSpaces
import ColorloomTool
import Foundation
import ICCProfiles
import Testing
import _TestSupport

/// ICC profiles as spaces, and what is told of them.
@Suite struct ProfileTests {
  /// Runs a command with the path of a profile in the place of “PROFILE”.
  func run(_ words: String..., with profile: [UInt8]) throws -> Transcript {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path("profile.icc")
    try Data(profile).write(to: URL(filePath: path))
    return ColorloomToolTests.run(words.map { $0 == "PROFILE" ? path : $0 })
  }

  @Test func aProfileIsASpace() throws {
    let profile = try ICCProfile(describing: .displayP3)
    let transform = try ICCTransform(from: .profile(profile), to: .space(.oklch))
    let color = transform([1, 0.5, 0])
    let transcript = try run(
      "color", "--from", "PROFILE", "--to", "oklch", "1 0.5 0", with: profile.bytes)
    #expect(transcript.output == ["\(color[0]) \(color[1]) \(color[2])"])
    #expect(transcript.errors.isEmpty)
  }

  @Test func intentAndCompensationReachTheTransform() throws {
    let profile = try ICCProfile(describing: .sRGB)
    for intent in ["perceptual", "relative", "saturation", "absolute"] {
      let transcript = try run(
        "color", "--from", "lab", "--to", "PROFILE", "--intent", intent, "--bpc", "50 0 0",
        with: profile.bytes)
      let gray = try #require(transcript.output.first?.split(separator: " ").map { Double($0) })
      // L* 50 in sRGB; numbers in the profile come in steps of 1/65,536.
      #expect(gray.allSatisfy { abs(($0 ?? 0) - 0.466_33) < 1e-4 })
    }
  }

  @Test func cssColorsReachAProfileToo() throws {
    let profile = try ICCProfile(describing: .displayP3)
    let transcript = try run(
      "color", "--from", "sRGB", "--to", "PROFILE", "white", with: profile.bytes)
    let white = try #require(transcript.output.first?.split(separator: " ").map { Double($0) })
    #expect(white.allSatisfy { abs(($0 ?? 0) - 1) < 1e-4 })
  }

  @Test func grayProfilesHaveOneNumber() throws {
    let profile = try ICCProfile(describingGraysOf: .sRGB)
    let transcript = try run(
      "color", "--from", "PROFILE", "--to", "sRGB", "0.5", "0.5 0.5 0.5", with: profile.bytes)
    #expect(transcript.output.count == 1)
    #expect(transcript.errors.first?.contains("needs 1 numbers") == true)
  }

  @Test func aDamagedProfileIsAnError() throws {
    let transcript = try run(
      "color", "--from", "PROFILE", "--to", "sRGB", "1 1 1", with: [1, 2, 3])
    #expect(transcript.output.isEmpty && transcript.errors.count == 1)
    #expect(transcript.status != .done)
    let none = ColorloomToolTests.run("inspect", "/nowhere/at-all.icc")
    #expect(none.errors.count == 1 && none.status != .done)
  }

  @Test func whatAProfileIsIsTold() throws {
    let profile = try ICCProfile(describing: .displayP3)
    let lines = try run("inspect", "PROFILE", with: profile.bytes).output
    #expect(lines.contains("name: Display P3"))
    #expect(lines.contains("version: 4.4"))
    #expect(lines.contains("kind: RGB display"))
    #expect(lines.contains("identifier: valid"))
    #expect(lines.contains { $0.hasPrefix("recognized as: Display P3, ΔE 0.00") })
    #expect(lines.contains("covers sRGB: 100.0 %"))

    let transcript = try run("inspect", "PROFILE", "--json", with: profile.bytes)
    let json = transcript.output + transcript.json
    let report =
      try JSONSerialization.jsonObject(with: Data(json.joined(separator: "\n").utf8))
      as? [String: Any]
    #expect(report?["recognized"] as? String == "Display P3")
    #expect(report?["channels"] as? Int == 3)
  }
}
