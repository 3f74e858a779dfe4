import ColorSpaces
import ColorloomTool
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// The sentences about values of steps that cannot be read.
@Suite struct StepSentenceTests {
  private let folder: TemporaryFolder
  private let input: String

  init() throws {
    folder = try TemporaryFolder()
    input = folder.path("photo.png")
    let photo = TestPictures.codes(as: UInt8.self, PixelSize(40, 30), in: .sRGB)
    try ImageFile.write(.uint8(photo), to: input)
  }

  private func convert(_ words: [String]) -> Transcript {
    let output = folder.path("out.png")
    let result = run(["convert", input, output] + words)
    #expect(!FileManager.default.fileExists(atPath: output))
    return result
  }

  @Test(arguments: [
    (["--exposure", "1,5"], "-1 halves them. Range: -100…100."),
    (["--contrast", "1.2,pivot=1e309"], "for “pivot”, not “1e309”."),
    (["--lift-gamma-gain", "gamma=1"], "Range: 0.1…10."),
    (["--exposure", " "], "“--exposure” needs NUMBER after it, not “ ”."),
    (["--exposure", "@"], "“--exposure” needs the name of a file after “@”."),
    (["--look", "@"], "“--look” needs the name of a file after “@”."),
    (["--recipe", ""], "“--recipe” needs a"),
    (
      ["--checker", "first=rgb(1 2 3,second=red,side=8"], "A “(” in the value of “--checker” is not"
    ),
    (["--checker", "first=\"red,second=red,side=8"], "A “\"” in the value of “--checker” is not"),
    (["--checker", "first=rgb(1 2 3),side=8"], "“--checker” needs “second”"),
    (["--convert", "press.icc"], "for “to”, not “press.icc”, a profile. “--to” and"),
    (["--gamut-mask", "outside=Press.ICM"], "a color space for “outside”, not “Press.ICM”"),
    (["--tag", "as=press.icc"], "a profile. Write --tag press.icc, without “as=”."),
    (["--fit", "20x,no-enlargee"], "has “no-enlargee” after the comma, where only “no-enlarge”"),
  ])
  func valuesThatCannotBeReadAreExplained(words: [String], sentence: String) {
    let result = convert(words)
    #expect(result.status == .misused, "\(result.complaint)")
    #expect(result.complaint.contains(sentence), "\(result.complaint)")
  }

  @Test func longNamesOfParametersAreCutOff() {
    let result = convert(["--contrast", "1,\(String(repeating: "a", count: 500))=3"])
    #expect(result.status == .misused)
    #expect(result.complaint.contains("“--contrast” has no parameter “aaaa"))
    #expect(result.complaint.count < 200, "\(result.complaint)")
  }

  /// The advice for folders of pictures to read does not fit the files of steps.
  @Test(arguments: ["--layer", "--lut", "--look", "--soft-proof"])
  func foldersAreNoFilesOfSteps(option: String) throws {
    let endings = ["--layer": "png", "--lut": "cube", "--look": "cube", "--soft-proof": "icc"]
    let path = folder.path("folder.\(try #require(endings[option]))")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let result = convert([option, path])
    #expect(result.status == .failed)
    #expect(result.complaint.contains("“\(path)” is a folder, not a file."), "\(result.complaint)")
    #expect(!result.complaint.contains("--out"), "\(result.complaint)")
  }

  @Test func profilesOfRecipesAreNoFolders() throws {
    let (path, recipe) = (folder.path("press.icc"), folder.path("proof.json"))
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let text = #"{"version": 1, "steps": [{"soft-proof": {"on": {"file": "press.icc"}}}]}"#
    try Data(text.utf8).write(to: URL(filePath: recipe))
    let result = convert(["--recipe", recipe])
    #expect(result.status == .failed)
    #expect(result.complaint.contains("press.icc” is a folder, not a file."), "\(result.complaint)")
  }

  @Test(arguments: ["--lut", "--look"])
  func unknownParametersBesideAFileAreRefused(option: String) throws {
    let table = folder.path("warm.cube")
    try Data("LUT_1D_SIZE 2\n0 0 0\n1 0.9 0.8\n".utf8).write(to: URL(filePath: table))
    for word in ["idd=x", "id", "warm"] {
      let result = convert([option, "\(table),\(word)"])
      #expect(result.status == .misused)
      let sentence = "takes only id, style beside a file, but “\(word)” follows “\(table)”."
      #expect(result.complaint.contains(sentence), "\(result.complaint)")
    }
  }
}
