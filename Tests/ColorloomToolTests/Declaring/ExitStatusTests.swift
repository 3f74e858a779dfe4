import ColorSpaces
import ColorloomTool
import Foundation
import ICCProfiles
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Status 2 is that of a command line that was not understood, that asks a format for what no file of it holds, or whose own steps cannot
/// be rendered. A file that is missing, unreadable or wrong has status 1, whichever option names it.
@Suite struct ExitStatusTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let photo = TestPictures.codes(as: UInt8.self, PixelSize(8, 6), in: .sRGB, channels: .rgb)
    try ImageFile.write(.uint8(photo), to: folder.path("in.png"))
    try Data(ICCProfile(describing: .sRGB).bytes).write(to: URL(filePath: folder.path("p.icc")))
    let curves = try Data(contentsOf: Fixtures.url("film.curves"))
    try curves.write(to: URL(filePath: folder.path("film.curves")))
    // Bytes that are no file of any kind, at the name of each kind.
    for name in ["bad.icc", "bad.cube", "bad.json", "bad.txt", "bad.png", "bad.y4m"] {
      try Data("garbage 1 2".utf8).write(to: URL(filePath: folder.path(name)))
    }
    for name in ["dir.icc", "dir.cube", "dir.json"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: false)
    }
  }

  /// Runs a command whose words with a period are paths in the folder, also after “@” and beside commas.
  private func tool(_ words: [String]) -> Transcript {
    run(words.map { $0.replacing(/[a-z]+\.[a-z0-9]+/) { folder.path(String($0.output)) } })
  }

  private static let convert = ["convert", "in.png", "o.png"]

  /// The words before and after a file that a command reads, and the file's extension.
  private static let readers: [(before: [String], after: [String], ending: String)] = [
    (convert + ["--to"], [], "icc"), (convert + ["--tag"], [], "icc"),
    (convert + ["--assume"], [], "icc"), (convert + ["--embed-profile"], [], "icc"),
    (convert + ["--soft-proof"], [], "icc"), (["proof", "in.png", "o.png", "--on"], [], "icc"),
    (["inspect"], [], "icc"), (["color", "--from"], ["--to", "sRGB", "0 0 0"], "icc"),
    (convert + ["--lut"], [], "cube"), (convert + ["--look"], [], "cube"),
    (["look", "info"], [], "cube"),
    (convert + ["--recipe"], [], "json"), (["run"], ["in.png", "o.png"], "json"),
    (["plan"], [], "json"), (["develop", "in.png", "o.png", "--film"], [], "json"),
    (["pick"], [], "json"),
    (convert + ["--layer"], [], "png"), (convert + ["--blend-by-mask"], [], "png"),
    (["convert"], ["o.png"], "png"), (["compare", "in.png"], [], "png"),
    (["develop", "in.png", "o.png", "--film-curves"], [], "txt"),
    (["stream"], ["o.y4m"], "y4m"),
  ]

  @Test(arguments: readers.indices)
  func filesThatCannotBeReadAreFailures(index: Int) {
    let reader = Self.readers[index]
    for name in ["missing", "bad"] {
      let file = "\(name).\(reader.ending)"
      let files = reader.before.last == "--blend-by-mask" ? "\(file),\(file)" : file
      let transcript = tool(reader.before + [files] + reader.after)
      #expect(transcript.status == .failed, "\(reader.before) \(file): \(transcript.errors)")
    }
  }

  /// Of one picture and of many: all results would be of formats without such samples.
  @Test func samplesThatNoResultHoldsAreAMisuse() {
    let words = ["--samples", "uint16"]
    let single = tool(["convert", "in.png", "o.jpg"] + words)
    #expect(single.status == .misused, "\(single.errors)")
    let pattern = folder.path("{name}-{number}.jpg")
    let many = tool(["convert", "in.png", "bad.png", "--out", pattern] + words)
    #expect(many.status == .misused && many.output.isEmpty, "\(many.errors)")
    #expect(many.errors.count == 1 && many.complaint.contains("JPEG"), "\(many.errors)")
  }

  /// A value may be in a file; then the file is wrong.
  @Test(arguments: [
    ["--exposure", "@missing.txt"], ["--exposure", "@bad.txt"], ["--curve", "@bad.txt"],
    ["--curves", "@bad.txt", "0,0 1,1", "0,0 1,1"], ["--channel-mix", "@bad.txt"],
    ["--to", "dir.icc"], ["--lut", "dir.cube"], ["--recipe", "dir.json"],
    ["--soft-proof", "dir.icc"],
  ])
  func valuesInWrongFilesAreFailures(words: [String]) {
    let transcript = tool(Self.convert + words)
    #expect(transcript.status == .failed, "\(words): \(transcript.errors)")
    #expect(transcript.errors.count == 1)
  }

  @Test func numbersOutOfRangeAreTheFaultOfTheirFile() throws {
    try Data("1e30".utf8).write(to: URL(filePath: folder.path("big.txt")))
    #expect(tool(Self.convert + ["--exposure", "@big.txt"]).status == .failed)
    #expect(tool(Self.convert + ["--exposure", "1e30"]).status == .misused)
  }

  /// Recipes that can be read, and not rendered for the picture of 8 × 6 pixels, or for any.
  private static let unrenderable: [(name: String, steps: String, sentence: String)] = [
    (
      "crop.json", #""invert", {"crop": {"to": [0, 0, 4, 4]}}, {"crop": {"to": [5, 5, 2, 2]}}"#,
      "steps[2].crop: The region 5,5,2x2 lies outside of the picture (4 × 4 pixels)."
    ),
    (
      "base.json", #""invert", {"develop": {"offset": [0, 0, -400]}}"#, "steps[1].develop: "
    ),
    (
      "mirrored.json", #""invert", {"extend": {"by": "mirrored"}}, "invert""#,
      "steps[1].extend: The picture has infinite extent."
    ),
    (
      "large.json", #"{"resize": {"to": {"fill": [60000, 60000]}}}, "invert""#,
      "steps[0].resize: A picture of 60000 × 60000 pixels exceeds the limit"
    ),
  ]

  @Test(arguments: unrenderable.indices)
  func recipesThatCannotBeRenderedAreFailures(index: Int) throws {
    let (name, steps, sentence) = Self.unrenderable[index]
    let json = #"{"version": 1, "inputs": ["photo"], "steps": [\#(steps)]}"#
    try Data(json.utf8).write(to: URL(filePath: folder.path(name)))
    var commands = [["run", name, "in.png", "o.png"], Self.convert + ["--recipe", name]]
    // “plan” measures nothing.
    if name != "base.json" {
      commands += [
        ["plan", name, "in.png"], ["trace", "in.png", "--recipe", name],
        ["proof", "in.png", "o.png", "--on", "p.icc", "--recipe", name],
        ["develop", "in.png", "o.png", "--film-curves", "film.curves", "--recipe", name],
      ]
    }
    for words in commands {
      let transcript = tool(words)
      #expect(transcript.status == .failed, "\(words): \(transcript.errors)")
      #expect(transcript.complaint.contains(sentence), "\(words): \(transcript.errors)")
      #expect(!FileManager.default.fileExists(atPath: folder.path("o.png")))
    }
  }

  /// The same steps on the command line are its fault.
  @Test(arguments: [
    ["--crop", "5,50,2x2"], ["--resize", "60000x60000"], ["--extend", "mirrored"],
  ])
  func stepsThatCannotBeRenderedAreMisuses(step: [String]) throws {
    let sound = #"{"version": 1, "inputs": ["photo"], "steps": ["invert"]}"#
    try Data(sound.utf8).write(to: URL(filePath: folder.path("sound.json")))
    for words in [Self.convert, ["run", "sound.json", "in.png", "o.png"]] {
      let transcript = tool(words + step)
      #expect(transcript.status == .misused, "\(words): \(transcript.errors)")
    }
  }

  @Test(arguments: [
    (["convert", "in.png", "o.jpg", "--samples", "uint16"], "Pass --samples uint8, or write"),
    (["convert", "in.png", "o.png", "--samples", "float"], "Pass --samples"),
    (["convert", "in.png", "o.png", "--quality", "50"], "Leave out the option"),
    (["convert", "in.png", "o.xyz"], "Let it end in one of"),
    (["convert", "in.png", "o.gif"], "can only be read"),
    (["montage", "in.png", "--out", "o.xyz"], "Let it end in one of"),
    (["convert", "in.png", "o.bmp", "--embed-profile", "p.icc", "--samples", "u16"], "uint8"),
  ])
  func formatsThatCannotHoldItAreMisuses(words: [String], sentence: String) {
    let transcript = tool(words)
    #expect(transcript.status == .misused, "\(words): \(transcript.errors)")
    #expect(transcript.complaint.contains(sentence), "\(transcript.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("o.jpg")))
  }
}
