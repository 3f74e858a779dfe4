import Colorloom
import ColorloomTool
import Foundation
import ICCProfiles
import Testing
import _TestSupport

/// The verb that describes a space and its gamut: sources, volumes, meshes and samples.
@Suite struct SpaceDescriptionTests {
  @Test func constantsArePrintedWithTheirSources() throws {
    for space in [ColorSpace.displayP3, .acescct, .rec2100PQ, .oklab, .sGray] {
      let transcript = run("spaces", space.name)
      #expect(transcript.status == .done, "\(space): \(transcript.errors)")
      #expect(transcript.output.first == space.name)
      for source in space.sources { #expect(transcript.output.contains("source: \(source)")) }
    }
    struct Report: Decodable {
      let name: String
      let sources: [Document]
      let gamut: Gamut?
    }
    struct Document: Decodable {
      let document: String
      let edition, clause: String?
    }
    struct Gamut: Decodable {
      let metric: String
      let volume: Double
      let coverage: [String: Double]
    }
    let report = try run("spaces", "srgb", "--in", "oklab", "--json").report(as: Report.self)
    #expect(report.sources.map(\.document) == ColorSpace.sRGB.sources.map(\.document))
    let gamut = try #require(report.gamut)
    #expect(gamut.metric == "Oklab" && gamut.coverage["sRGB"] == 1)
    #expect(gamut.volume == ColorSpace.sRGB.gamutVolume(in: .oklab).value)
    let all = try run("spaces", "--json").report(as: [Report].self)
    #expect(all.map(\.name) == ColorSpace.all.map(\.name) && all.allSatisfy { !$0.sources.isEmpty })
  }

  /// “100.0 %” stands for gamuts that are covered entirely, and for no others.
  @Test func coverageIsNotRoundedToAll() throws {
    struct Report: Decodable {
      struct Gamut: Decodable { let coverage: [String: Double] }
      let gamut: Gamut
    }
    for name in ["dcdm", "adobergb", "rec2020", "prophoto"] {
      let parts = try run("spaces", name, "--json").report(as: Report.self).gamut.coverage
      let lines = run("spaces", name).output
      for (space, part) in parts {
        #expect(part <= 1)
        let isAll = lines.contains("covers \(space) in Lab: 100.0 %")
        #expect(isAll == (part == 1), "\(name), \(space)")
      }
    }
  }

  @Test func meshesAreWrittenOfSpacesAndProfiles() throws {
    let folder = try TemporaryFolder()
    let (mesh, profile) = (folder.path("p3.ply"), folder.path("p3.icc"))
    try Data(ICCProfile(describing: .displayP3).bytes).write(to: URL(filePath: profile))
    func vertices(_ words: String...) throws -> [Substring] {
      let transcript = run(["spaces"] + words + ["--mesh", mesh, "--steps", "3"])
      #expect(transcript.status == .done, "\(transcript.errors)")
      let lines = try String(contentsOfFile: mesh, encoding: .utf8).split(separator: "\n")
      #expect(lines.first == "ply" && lines.contains("element face 108"))
      let end = try #require(lines.firstIndex(of: "end_header"))
      return Array(lines[(end + 1)...].prefix(56))
    }
    for metric in ["lab", "oklab", "ictcp"] {
      let space = try ColorSpace(named: metric)
      let expected = ColorSpace.displayP3.gamutMesh(in: space, steps: 3)
      let lines = expected.ply.split(separator: "\n")
      let end = try #require(lines.firstIndex(of: "end_header"))
      let found = try vertices("p3", "--in", metric)
      #expect(found == Array(lines[(end + 1)...].prefix(56)))
      #expect(try vertices(profile, "--in", metric).count == 56)
    }
  }

  @Test func samplesAreThoseOfTheLibrary() {
    let lines = run("spaces", "p3", "--in", "oklab", "--samples", "5").output
    let expected = ColorSpace.displayP3.gamutSamples(in: .oklab).prefix(5).map(\.components)
    #expect(lines == expected.map { "\($0.x) \($0.y) \($0.z)" })
  }

  @Test(arguments: [
    ["--mesh", "a.ply"], ["--samples", "5"], ["p3", "--in", "lch"], ["p3", "--in", "hsl"],
    ["sgray", "--samples", "5"], ["sgray", "--mesh", "/nowhere/a.ply"], ["p3", "--steps", "3"],
    ["p3", "--steps", "0", "--mesh", "/nowhere/a.ply"],
  ])
  func uselessWordsAreMisuse(words: [String]) {
    #expect(run(["spaces"] + words).status == .misused)
  }

  @Test func profilesOfFourChannelsHaveNoMesh() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("press.icc")
    let press = TableProfile.profile(.mft2, space: "CMYK", channels: 4, version: 2).bytes
    try Data(press).write(to: URL(filePath: path))
    let transcript = run("spaces", path, "--mesh", folder.path("a.ply"))
    #expect(transcript.status == .failed && transcript.complaint.contains("4 channels"))
    #expect(run("spaces", path).status == .misused)
  }
}
