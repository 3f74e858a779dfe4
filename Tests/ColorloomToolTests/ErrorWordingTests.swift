import ColorSpaces
import ColorloomTool
import Foundation
import ICCProfiles
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Errors of the tool name verbs and options, not the library's API.
@Suite struct ErrorWordingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Whether a message names Swift symbols.
  private func namesSwift(_ message: String) -> Bool {
    ["Limits", "Options", ": true", "decoder's", "Limit"].contains { message.contains($0) }
  }

  private func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(filePath: folder.path(name)))
    return folder.path(name)
  }

  /// A PNG of noise with about two thirds of its rows.
  private func truncated() throws -> String {
    var random = SeededGenerator(seed: 3)
    let noise = Bitmap<UInt8>(PixelSize(100, 90), in: .sRGB, channels: .rgb) { _, _ in
      (0..<3).map { _ in .random(in: 0...255, using: &random) }
    }
    let path = folder.path("truncated.png")
    try ImageFile.write(.uint8(noise), to: path)
    let bytes = try Data(contentsOf: URL(filePath: path))
    try bytes.prefix(bytes.count * 2 / 3).write(to: URL(filePath: path))
    return path
  }

  /// Command lines of all verbs that read pixels; IN is the picture.
  private static let commands = [
    "develop IN OUT", "convert IN OUT", "convert IN OUT --trim", "highlight IN OUT",
    "highlight IN OUT --count",
    "proof IN OUT --on PROFILE", "variants IN --wide OUT --narrow OTHER", "canary check IN",
    "inspect IN", "inspect IN --scan", "compare IN IN", "trace IN --to sRGB --samples u8",
    "explain IN --at 99,89", "verify RECIPE IN", "report IN --out OUT", "montage IN --out OUT",
    "run RECIPE IN OUT", "plan RECIPE IN --cost --measure",
  ]

  @Test(arguments: commands)
  func errorsOfTruncatedFilesNameVerbs(command: String) throws {
    let recipe = #"{"version": 1, "steps": ["invert"]}"#
    let paths = [
      "IN": try truncated(), "OUT": folder.path("out.png"), "OTHER": folder.path("other.png"),
      "RECIPE": try write(recipe, to: "recipe.json"), "PROFILE": folder.path("p.icc"),
    ]
    try Data(ICCProfile(describing: .sRGB).bytes).write(to: URL(filePath: folder.path("p.icc")))
    let words = command.split(separator: " ").map { paths[String($0)] ?? String($0) }
    let transcript = run(words)
    #expect(transcript.status == .failed)
    let message = transcript.complaint
    #expect(message.contains("is truncated"), "\(message)")
    let verb = command.hasPrefix("develop") ? "develop" : "convert"
    #expect(message.contains("“colorloom \(verb) --salvage” reads them."))
    #expect(!namesSwift(message), "\(message)")
  }

  @Test func errorsOfOtherFilesNameNoSymbols() throws {
    let curves = try write(String(repeating: "# curves\n", count: 200_000), to: "big.txt")
    let steps = String(repeating: #""invert","#, count: 1000) + #""invert""#
    let recipe = try write(#"{"version": 1, "steps": [\#(steps)]}"#, to: "long.json")
    let picture = folder.path("in.png")
    try ImageFile.write(.uint8(TestPictures.codes(channels: .rgb)), to: picture)
    for (words, expected) in [
      (["develop", picture, folder.path("out.png"), "--film-curves", curves], "has more bytes"),
      (["plan", recipe], "at most 1000 are read"),
      (["run", recipe, picture, picture], "1001 steps"),
    ] {
      let transcript = run(words)
      #expect(transcript.complaint.contains(expected), "\(transcript.complaint)")
      #expect(!namesSwift(transcript.complaint), "\(transcript.complaint)")
    }
  }

  /// Advice names options of the verb only: “plan” has no --crop, and only “develop” has --film-base.
  @Test func adviceNamesOptionsOfTheVerb() throws {
    let noise = #"{"noise": {"seed": 1, "in": "sRGB"}}"#
    let endless = try write(
      #"{"version": 1, "inputs": [], "steps": [\#(noise)]}"#, to: "noise.json")
    let planned = run("plan", endless).complaint
    #expect(planned.contains("Add a step “crop” to the recipe"), "\(planned)")
    #expect(!planned.contains("--crop"))
    let ran = run("run", endless, folder.path("out.png")).complaint
    #expect(ran.contains("Pass --crop X,Y,WxH"), "\(ran)")

    let picture = folder.path("in.png")
    try ImageFile.write(.uint8(TestPictures.codes(channels: .rgb)), to: picture)
    let tones = #"{"base": [0.1, 0.1, 0.1], "white": [1, 1, 1], "contrast": [1, 1, 1]}"#
    let negative = try write(
      #"{"version": 1, "steps": [{"negative-development": \#(tones)}]}"#, to: "negative.json")
    let out = folder.path("out.png")
    let step = ["--negative-development", "base=0.1,0.1,0.1,white=1,1,1,contrast=1,1,1"]
    for words in [
      ["convert", picture, out] + step, ["run", negative, picture, out],
      ["plan", negative, picture],
    ] {
      let complaint = run(words).complaint
      #expect(
        complaint.contains("The parameters “base” and “white” of the step set the tones."),
        "\(complaint)")
      #expect(!complaint.contains("--film"), "\(complaint)")
    }
    let film = ["--film-base", "0.1,0.1,0.1", "--film-white", "0.5,0.5,0.5"]
    for words in [film, step, ["--recipe", negative]] {
      let developed = run(["develop", picture, out] + words).complaint
      #expect(developed.contains("The options --film-base and --film-white"), "\(developed)")
    }
  }

  /// These profiles are sound, and the memory to parse them is too small.
  @Test(arguments: ["wide-p3.jpg", "cmyk-profile.jpg"])
  func profilesThatNeedMoreMemoryNameTheOption(name: String) {
    // An assumption does not replace the profile.
    for words in [[], ["--assume", "sRGB"], ["--as-stored"]] {
      let refused = run(
        ["convert", Fixtures.url("Images/\(name)").path, folder.path("out.png")] + words
          + ["--memory", "4KiB"])
      #expect(refused.status == .failed && refused.errors.count == 1)
      #expect(
        refused.complaint.hasSuffix(
          "Parsing the profile takes more than the limit of 4096 bytes of memory. Pass a larger --memory to allow it."
        ), "\(words): \(refused.errors)")
    }
  }

  @Test func foldersInPlaceOfFilesAreNamed() throws {
    let (picture, out) = (folder.path("in.png"), folder.path("out"))
    try ImageFile.write(.uint8(TestPictures.codes(channels: .rgb)), to: picture)
    try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: false)
    for name in [out, "\(out)/"] {
      let refused = run("convert", picture, name)
      #expect(refused.status == .failed)
      #expect(
        refused.errors == [
          "colorloom: “\(name)” is a folder. Name a file in it, or write --out \(name) to keep the name of the picture."
        ])
      #expect(run("convert", picture, "--out", name).status == .done)
      // “triangle” has no such option.
      let drawn = run("triangle", name, "--size", "8x8")
      #expect(drawn.errors == ["colorloom: “\(name)” is a folder. Name a file in it."])
    }
    // The advice to use --out is not given where it is used.
    let file = folder.path("out.png")
    try FileManager.default.moveItem(atPath: picture, toPath: file)
    let named = run("convert", file, "--out", folder.path("{name}"))
    #expect(named.complaint.hasSuffix("“\(out)” is a folder. Name a file in it."))
  }

  @Test func foldersToReadAreSentToOut() throws {
    let read = folder.path("pictures")
    try FileManager.default.createDirectory(atPath: read, withIntermediateDirectories: false)
    let converted = run("convert", read, folder.path("out.png"))
    #expect(converted.status == .failed)
    #expect(
      converted.errors == [
        "colorloom: “\(read)” is a folder, not a file. Name a file in it, or say by --out where all its pictures go, such as "
          + "--out “small/{name}.png”."
      ])
    // “inspect” has no such option.
    let inspected = run("inspect", read)
    #expect(
      inspected.errors == ["colorloom: “\(read)” is a folder, not a file. Name a file in it."])
  }

  @Test func missingFoldersAreToBeCreated() throws {
    let picture = folder.path("in.png")
    try ImageFile.write(.uint8(TestPictures.codes(channels: .rgb)), to: picture)
    let (missing, recipe) = (folder.path("none/out.png"), folder.path("r.json"))
    _ = try write(#"{"version": 1, "steps": ["invert"]}"#, to: "r.json")
    let variants = ["variants", picture, "--wide", missing, "--narrow", folder.path("none/n.png")]
    for words in [variants, ["run", recipe, picture, missing], ["triangle", missing]] {
      let refused = run(words)
      #expect(refused.status == .failed)
      #expect(
        refused.complaint.hasSuffix("“\(folder.path("none"))” does not exist. Create it."),
        "\(refused.errors)")
    }
  }
}
