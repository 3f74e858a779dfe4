import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ICCProfiles
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Integers at the ends of their range: a result or an error, but no crash.
@Suite struct WholeNumberTests {
  private static let numbers = [0, -1, 1, 1 << 31 - 1, 1 << 31, .max, .min]

  /// Valid command lines by verb.
  private static let commands: [String: [String]] = [
    "develop": ["in.png", "out.png"], "convert": ["in.png", "out.png"],
    "highlight": ["in.png", "out.png"], "proof": ["in.png", "out.png", "--on", "p.icc"],
    "stream": ["frames.rgb", "out.rgb", "--raw", "rgb24", "--size", "4x2", "--bare"],
    "triangle": ["out.png", "--size", "8x6"], "tiles": ["in.png", "out.tiles"],
    "variants": ["in.png", "--wide", "out.png", "--narrow", "narrow.png"],
    "canary": ["make", "out.png", "--size", "24x16"], "inspect": ["in.png"],
    "compare": ["in.png", "in.png", "--difference", "out.png"],
    "run": ["recipe.json", "in.png", "out.png"],
    "plan": ["recipe.json", "--json", "--size", "8x6"],
    "batch": [],
  ]

  /// The options of a verb that take integers, as help shows them.
  private static func options(of verb: String) -> [(name: String, placeholder: String)] {
    run(verb, "--help").output.joined(separator: "\n").split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard line.hasPrefix("  --"), words.count > 1, values[String(words[1])] != nil else {
        return nil
      }
      return (String(words[0]), String(words[1]))
    }
  }

  /// Values for a placeholder, made of one integer.
  private static let values: [String: @Sendable (Int) -> [String]] = [
    "N": { ["\($0)"] }, "BYTES": { ["\($0)"] }, "1…100": { ["\($0)"] },
    "WxH": { ["\($0)x\($0)", "\($0)x1", "1x\($0)"] },
    "N|WxH": { ["\($0)", "\($0)x1", "1x\($0)"] },
    ResizeTarget.textForm.placeholder: { ["\($0)x\($0)", "\($0)x", "x\($0)", "\($0)%"] },
    "N|WxH|Wx|xH|N%[,no-enlarge]": { ["\($0)", "\($0)x1", "\($0)x", "x\($0),no-enlarge"] },
    "N|WxH|Wx|xH|N%": { ["\($0)", "\($0)x1", "\($0)x", "x\($0)", "\($0)%"] },
    "X,Y,WxH": { ["0,0,\($0)x\($0)", "\($0),\($0),1,1", "\($0),\($0),\($0),\($0)"] },
  ]

  @Test(arguments: commands.keys.sorted())
  func noIntegerCrashes(verb: String) throws {
    let folder = try TemporaryFolder()
    let photo = TestPictures.codes(as: UInt16.self, PixelSize(8, 6), channels: .rgb)
    try ImageFile.write(.uint16(photo), to: folder.path("in.png"))
    try Data(ICCProfile(describing: .sRGB).bytes).write(to: URL(filePath: folder.path("p.icc")))
    try Data(repeating: 99, count: 3 * 8).write(to: URL(filePath: folder.path("frames.rgb")))
    try Data(#"{"version": 1, "steps": ["invert"]}"#.utf8)
      .write(to: URL(filePath: folder.path("recipe.json")))
    let words = try #require(Self.commands[verb]).map { word in
      word.contains(".") ? folder.path(word) : word
    }
    #expect(run([verb] + words).status == .done)
    let options = Self.options(of: verb)
    #expect(options.map(\.name).contains("--threads"))
    for option in options {
      for value in Self.numbers.flatMap(try #require(Self.values[option.placeholder])) {
        let transcript = run([verb] + words + [option.name, value])
        #expect(
          transcript.status == .done
            || transcript.errors.count { $0.hasPrefix("colorloom: ") } == 1,
          "\(verb) \(option.name) \(value)")
      }
    }
  }

  /// Errors about sizes in recipes state the right cause.
  @Test func oversizedRecipeSizesAreReportedAsTooLarge() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("recipe.json")
    for (size, sentence) in [(Int.max, "at most 1073741824"), (0, "has none")] {
      let recipe = #"{"version": 1, "steps": [{"resize": {"to": {"fit": [\#(size), 5]}}}]}"#
      try Data(recipe.utf8).write(to: URL(filePath: path))
      let transcript = run("plan", path)
      #expect(transcript.status == .failed)
      #expect(transcript.errors.joined().contains(sentence), "\(transcript.errors)")
    }
  }
}
