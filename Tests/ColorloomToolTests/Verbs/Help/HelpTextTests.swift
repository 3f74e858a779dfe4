import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ICCProfiles
import ImageFiles
import Testing
import _TestSupport

/// What help and errors say about values, for readers who do not know them yet.
@Suite struct HelpTextTests {
  /// The help of a verb in one line.
  private func help(_ verb: String) -> String {
    run("help", verb).text.split { $0.isWhitespace }.joined(separator: " ")
  }

  private static let formulas =
    "cie76, cie94, ciede2000, cmc, hyab, ok, itp, jz, cam16, din99o, cie94-textiles, cmc-1:1"

  /// The default is among the values, and weights have the names of the standards.
  @Test(arguments: [("compare", "--formula"), ("deltae", "--formula"), ("highlight", "--metric")])
  func formulasAreNamed(verb: String, option: String) {
    let help = help(verb)
    #expect(help.contains("\(option) FORMULA color difference formula"), "\(help)")
    #expect(help.contains(Self.formulas), "\(help)")
    #expect(help.contains("“cie94:KL,K1,K2”, “ciede2000:KL,KC,KH”, “cmc:L,C”"), "\(help)")
    #expect(verb == "highlight" || help.contains("; default: ciede2000"), "\(help)")
  }

  @Test func unknownFormulasListTheKnownOnes() {
    let result = run("deltae", "--formula", "foo", "red blue")
    #expect(
      result.complaint.contains(
        "one of cie76, cie94:KL,K1,K2, ciede2000:KL,KC,KH, cmc:L,C, hyab, ok,"),
      "\(result.complaint)")
    #expect(run("filters", "difference-map").text.contains("|cie94:KL,K1,K2|"))
  }

  @Test func helpStatesTheLimitOfStandardInput() {
    let lines = run("help").text.split(separator: "\n")
    let text = lines.joined(separator: " ")
    #expect(text.contains("of at most \(FileLimits().bytes >> 30) GiB without --max-pixels."))
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(text)")
  }

  /// These verbs embed a profile, but have no --to.
  @Test(arguments: ["compare", "canary"])
  func helpNamesNoOptionOfOtherVerbs(verb: String) {
    #expect(help(verb).contains("--embed-profile PROFILE"))
    #expect(!help(verb).contains("--to converts"))
  }

  @Test func helpOfColorsNamesTheMappingAsTheOptionDoes() {
    let help = help("color")
    #expect(help.contains("“--gamut compressed” does not clip"), "\(help)")
  }

  /// A profile that equals no named space has no line on that.
  @Test func unrecognizedProfilesHaveNoLineOnIt() {
    let text = run("inspect", Fixtures.url("Profiles/cmyk-mft2.icc").path).text
    #expect(text.contains("\nintents: ") && !text.contains("recognized as"), "\(text)")
  }

  @Test func commandsWithoutAnOutputSayWhereItGoes() {
    let picture = Fixtures.url("Images/scene.png").path
    let result = run("convert", picture, "--exposure", "1")
    #expect(
      result.complaint.contains(
        "There is no file to write. Name one after “\(picture)”, or pass --plan"),
      "\(result.complaint)")
    let many = run("convert", picture, picture, picture)
    #expect(
      many.complaint.contains(
        "There are 3 file names, but without --out one picture is written to one file."),
      "\(many.complaint)")
  }
}
