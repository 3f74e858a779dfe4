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
    "develop IN OUT", "convert IN OUT", "highlight IN OUT", "highlight IN OUT --count",
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
    #expect(transcript.complaint.contains("is truncated"), "\(transcript.complaint)")
    #expect(transcript.complaint.contains("“colorloom convert --salvage” reads them."))
    #expect(!namesSwift(transcript.complaint), "\(transcript.complaint)")
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
}
