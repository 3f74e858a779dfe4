import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ICCProfiles
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// `run`, `plan` and `convert --recipe`.
@Suite struct RecipeVerbTests {
  private let folder: TemporaryFolder
  private let photo = TestPictures.codes(as: UInt16.self, in: .displayP3, channels: .rgb)
  private let input: String

  init() throws {
    folder = try TemporaryFolder()
    input = folder.path("in.png")
    try ImageFile.write(.uint16(photo), to: input)
  }

  private func recipe(_ json: String) throws -> String {
    let path = folder.path("recipe.json")
    try json.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  private let grade = """
    {"version": 1, "steps": [{"exposure": {"stops": -1}}, {"resize": {"to": {"fit": [30, 30]}}}]}
    """

  @Test func recipeWithOneResultAppliesItsStepsInOrder() throws {
    let expected = Picture(photo).exposure(-1).resized(to: .fit(30, 30))
    let path = try recipe(grade)
    #expect(run("run", path, input, folder.path("out.png")).status == .done)
    #expect(try folder.bitmap("out.png") == expected.render())
    #expect(run("convert", input, folder.path("c.png"), "--recipe", path).status == .done)
    #expect(try folder.bitmap("c.png") == expected.render())
    let order = ["--invert", "--recipe", path, "--to", "sRGB"]
    #expect(run(["convert", input, folder.path("c.png")] + order).status == .done)
    let ordered = Picture(photo).inverted().exposure(-1).resized(to: .fit(30, 30))
      .converted(to: .sRGB)
    #expect(try folder.bitmap("c.png") == ordered.render())
  }

  /// `run` writes the sample format and the channels that `convert` writes.
  @Test(arguments: [Channels.rgb, .gray])
  func sampleFormatAndChannelsAreThoseOfTheSource(channels: Channels) throws {
    let source = folder.path("source.png")
    try ImageFile.write(
      .uint8(TestPictures.codes(as: UInt8.self, in: .sRGB, channels: channels)), to: source)
    let path = try recipe(#"{"version": 1, "steps": [{"exposure": {"stops": 0.5}}]}"#)
    let (ran, converted) = (folder.path("ran.png"), folder.path("converted.png"))
    #expect(run("run", path, source, ran).status == .done)
    #expect(run("convert", source, converted, "--recipe", path).status == .done)
    for file in [ran, converted] {
      let info = try ImageFile.info(file)
      #expect(info.samples == .uint8 && info.channels == channels, "\(info)")
    }
    // A step that may add color makes colors of gray.
    #expect(run("run", path, source, ran, "--highlight", "sRGB").status == .done)
    #expect(try ImageFile.info(ran).channels == .rgb)
  }

  @Test func severalPictures() throws {
    let path = try recipe(
      """
      {"version": 1, "inputs": ["photo", "veil"], "steps": [
        {"name": "wide", "from": ["photo", "veil"], "layer": {"mode": "multiply"}},
        {"name": "narrow", "convert": {"to": "srgb"}}
      ], "outputs": {"b": "narrow", "a": "wide"}}
      """)
    struct Report: Decodable, Equatable {
      struct File: Decodable, Equatable {
        let file, name, space: String
        let width, height: Int
      }
      let recipe: String
      let files: [File]
    }
    let outputs = [folder.path("a.png"), folder.path("b.png")]
    let transcript = run(["run", path, input, input] + outputs + ["--json"])
    #expect(transcript.status == .done, "\(transcript.errors)")
    let layered = Picture(photo).composited(onto: Picture(photo), by: .multiply)
    #expect(try folder.bitmap("a.png") == layered.render())
    #expect(try folder.bitmap("b.png") == layered.converted(to: .sRGB).render())
    let report = try transcript.report(as: Report.self)
    #expect(report.recipe.count == 64)
    #expect(report.files.map(\.name) == ["a", "b"])
    #expect(report.files.map(\.space) == ["Display P3", "sRGB"])
  }

  /// As of `--composite`, the first picture is the source.
  @Test func metadataIsThatOfTheFirstPicture() throws {
    let (described, output) = (folder.path("described.png"), folder.path("out.png"))
    var options = WritingOptions()
    options.metadata.text = [ImageMetadata.Text(keyword: "Author", value: "A. Author")]
    options.metadata.resolution = ImageMetadata.Resolution(
      horizontal: 300, vertical: 300, unit: .inch)
    try ImageFile.write(.uint16(photo), to: described, options: options)
    let path = try recipe(
      """
      {"version": 1, "inputs": ["photo", "veil"], "steps": [
        {"from": ["photo", "veil"], "layer": {"mode": "multiply"}}]}
      """)
    let transcript = run("run", path, described, input, output)
    #expect(transcript.status == .done && transcript.errors.isEmpty, "\(transcript.errors)")
    let kept = try ImageFile.info(output).metadata
    #expect(kept.text.map(\.value) == ["A. Author"])
    #expect(try kept.resolution == ImageFile.info(described).metadata.resolution)
    #expect(run("run", path, input, described, output).status == .done)
    #expect(try ImageFile.info(output).metadata.text.isEmpty)
  }

  @Test func plans() throws {
    let path = try recipe(grade)
    let expected = Picture(photo).exposure(-1).resized(to: .fit(30, 30))
    // Files are read row by row, bitmaps are loaded.
    let steps = expected.plan.split(separator: "\n").dropFirst().joined(separator: "\n")
    let transcript = run("plan", path, input)
    #expect(transcript.output.joined(separator: "\n").hasSuffix(steps))
    let blank = run("plan", path, "--size", "400x100").output.joined(separator: "\n")
    #expect(blank.hasPrefix("read 400 × 100 uint16 rgb in sRGB, row by row"))
    #expect(blank.contains("30 × 8"))
    #expect(run("plan", path, "--dot").output.joined().hasPrefix("digraph plan {"))
    struct Report: Decodable { let peakBytes: Int }
    #expect(try run("plan", path, input, "--json").report(as: Report.self).peakBytes > 0)
  }

  /// Whatever `run` and `convert` refuse before the first pixel, `plan` refuses with the same message and status.
  @Test func plansRefuseWhatRunningRefuses() throws {
    let tooLarge = #"{"version": 1, "steps": [{"resize": {"to": {"exact": [50000, 50000]}}}]}"#
    let cases: [(recipe: String, options: [String])] = [
      (grade, ["--memory", "1000"]), (tooLarge, []),
      (grade, ["--max-pixels", "5"]),
      (#"{"version": 1, "steps": [{"crop": {"to": [5000, 5000, 2, 2]}}]}"#, []),
      (#"{"version": 1, "steps": [{"extend": "clamped"}]}"#, []),
    ]
    for (json, options) in cases {
      let path = try recipe(json)
      let output = folder.path("out.png")
      let refused = run(["run", path, input, output] + options)
      #expect(refused.status != .done, "\(json)")
      // Without an output file, the memory of its encoder is unknown.
      func isSame(_ planned: Transcript, hasFile: Bool) -> Bool {
        // “convert” names the step that holds the recipe.
        let errors = planned.errors.map { $0.replacing("“--recipe \(path)”: ", with: "") }
        return planned.status == refused.status
          && (errors == refused.errors
            || !hasFile && options.contains("--memory")
              && planned.errors.joined().contains("--memory"))
      }
      for words in [[], ["--json"], ["--dot"]] {
        let planned = run(["plan", path, input] + options + words)
        #expect(isSame(planned, hasFile: false), "\(planned) \(refused)")
      }
      for words in [[], ["--json"]] {
        for target in [[], [output]] {
          let planned = run(
            ["convert", input] + target + ["--recipe", path, "--plan"] + options + words)
          #expect(isSame(planned, hasFile: !target.isEmpty), "\(planned) \(refused)")
        }
      }
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("out.png")))
  }

  /// With an output file, a plan also reports what its format and its location refuse.
  @Test(arguments: [
    ["a.exr"], ["a.ppm"], ["a"], ["a.jpg", "--samples", "float"], ["none/a.png"], [""],
    ["-", "--json", "--format", "png"], ["a.exr", "--format", "pfm"],
  ])
  func plansRefuseWhatWritingRefuses(words: [String]) throws {
    let target = words[0] == "-" ? "-" : folder.path(words[0])
    let refused = run(["convert", input, target] + words.dropFirst())
    let planned = run(["convert", input, target, "--plan"] + words.dropFirst())
    #expect(refused.status != .done)
    #expect(planned.status == refused.status && planned.errors == refused.errors, "\(planned)")
  }

  /// A recipe holds the lookup tables of a profile, in a file beside it, that a step assigns or converts to.
  @Test func recipesNameProfilesOfLookupTables() throws {
    let profile = try ICCProfile(
      bytes: TableProfile.profile(.mft2, space: "RGB ", channels: 3, version: 2).bytes)
    let path = folder.path("my display.icc")
    try Data(profile.bytes).write(to: URL(filePath: path))
    let output = folder.path("out.png")
    let picture = try Picture(contentsOf: input)
    for (steps, expected) in [
      (
        #"{"tag": {"file": "my display.icc"}}, {"convert": {"to": "sRGB"}}"#,
        picture.tagged(as: try profile.colorSpace())
      ),
      (
        #"{"convert-by-profile": {"to": {"file": "my display.icc"}, "intent": "perceptual"}}, {"convert": {"to": "sRGB"}}"#,
        try picture.converted(to: .profile(profile), by: ProfileRendering(intent: .perceptual))
      ),
      (#"{"soft-proof": {"on": {"file": "my display.icc"}}}"#, try picture.softProof(on: profile)),
    ] {
      let path = try recipe(#"{"version": 1, "steps": [\#(steps)]}"#)
      let transcript = run("run", path, input, output, "--samples", "u16")
      #expect(transcript.status == .done, "\(transcript.errors)")
      let converted = steps.contains("soft-proof") ? expected : expected.converted(to: .sRGB)
      #expect(try folder.bitmap("out.png") == converted.render(as: UInt16.self))
    }
  }

  @Test(arguments: [
    ("none.icc", "none.icc” does not exist."), ("bad.txt", "bad.txt” is no ICC profile"),
  ])
  func profilesThatCannotBeReadAreNamed(name: String, sentence: String) throws {
    let path = try recipe(
      #"{"version": 1, "steps": [{"convert-by-profile": {"to": {"file": "\#(name)"}}}]}"#)
    let transcript = run("run", path, input, folder.path("out.png"))
    #expect(transcript.status == .failed)
    #expect(transcript.errors.joined().contains(sentence), "\(transcript.errors)")
  }

  /// The step of a command line takes the name of a space or the path of a profile.
  @Test func conversionsByProfilesAreSteps() throws {
    let profile = try ICCProfile(
      bytes: TableProfile.profile(.mft2, space: "RGB ", channels: 3, version: 2).bytes)
    try Data(profile.bytes).write(to: URL(filePath: folder.path("display.icc")))
    let words = ["--convert-by-profile", "\(folder.path("display.icc")),intent=perceptual"]
    let transcript = run(
      ["convert", input, folder.path("out.png")] + words + ["--to", "sRGB", "--samples", "u16"])
    #expect(transcript.status == .done, "\(transcript.errors)")
    let expected = try Picture(contentsOf: input)
      .converted(to: .profile(profile), by: ProfileRendering(intent: .perceptual))
      .converted(to: .sRGB)
    #expect(try folder.bitmap("out.png") == expected.render(as: UInt16.self))
    let missing = run("convert", input, folder.path("out.png"), "--convert-by-profile", "no.icc")
    #expect(missing.errors.joined().contains("“no.icc” does not exist."), "\(missing.errors)")
  }

  /// A filter in a file changes nothing about how the rest of the text is read.
  @Test func recipesWithFilesAreReadStrictly() throws {
    try "LUT_1D_SIZE 2\n0 0 0\n1 0.9 0.8\n".write(
      toFile: folder.path("warm.cube"), atomically: true, encoding: .utf8)
    let look = #"{"look": {"file": "warm.cube"}}"#
    let output = folder.path("out.png")
    let valid = try recipe(#"{"version": 1, "steps": [\#(look)]}"#)
    #expect(run("run", valid, input, output).status == .done)
    let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
    for (json, sentence) in [
      (
        #"{"version": 1, "steps": [\#(look)], "steps": []}"#,
        "Line 1, column 67: the name \"steps\" occurs twice."
      ),
      (
        #"{"version": 1, "steps": [\#(look), \#(deep)]}"#,
        "Line 1, column 157: values are nested more than 100 deep."
      ),
      (
        #"{"version": 1, "steps": [\#(look), {"exposure": {"stops": "two"}}]}"#,
        "steps[1].exposure.stops: expected a number, found \"two\"."
      ),
    ] {
      let path = try recipe(json)
      let errors = run("run", path, input, output).errors
      #expect(errors == ["colorloom: “\(path)” is no recipe: \(sentence)"])
    }
  }

  @Test func recipesAreReadFromPipes() throws {
    let (path, pipe) = (try recipe("\u{FEFF}\(grade)"), folder.path("pipe"))
    try #require(mkfifo(pipe, 0o600) == 0)
    let writer = Process()
    writer.executableURL = URL(filePath: "/bin/sh")
    writer.arguments = ["-c", "exec cat \"$0\" > \"$1\"", path, pipe]
    try writer.run()
    let transcript = run("run", pipe, input, folder.path("out.png"))
    writer.terminate()
    writer.waitUntilExit()
    #expect(transcript.status == .done, "\(transcript.errors)")
    let expected = Picture(photo).exposure(-1).resized(to: .fit(30, 30))
    #expect(try folder.bitmap("out.png") == expected.render())
  }

  /// Pictures that are processed at once share the one reading of a recipe; a pipe gives its bytes once.
  @Test func manyPicturesShareARecipeOfAPipe() throws {
    let steps = [String](repeating: #"{"exposure": {"stops": 0}}"#, count: 900)
    let json = #"{"version": 1, "steps": [\#(steps.joined(separator: ","))]}"#
    let names = ["1.png", "2.png", "3.png", "4.png"].map(folder.path)
    for name in names { try ImageFile.write(.uint16(photo), to: name) }
    let pipe = Pipe()
    // Less than the capacity of a pipe, so that the write does not block.
    try pipe.fileHandleForWriting.write(contentsOf: Data(json.utf8))
    try pipe.fileHandleForWriting.close()
    let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    let transcript = run(
      ["convert", "--threads", "4"] + names
        + ["--out", folder.path("out-{name}.png"), "--recipe", path])
    #expect(transcript.status == .done, "\(transcript.errors)")
    #expect(transcript.output == ["4 of 4 pictures written"])
    try pipe.fileHandleForReading.close()
  }

  @Test func mistakes() throws {
    let path = try recipe(#"{"version": 1, "steps": [{"exposure": {"stops": "two"}}]}"#)
    let damaged = run("run", path, input, folder.path("out.png"))
    #expect(damaged.status == .failed)
    #expect(
      damaged.errors == [
        "colorloom: “\(path)” is no recipe: steps[0].exposure.stops: expected a number, found \"two\"."
      ])
    #expect(run("run", folder.path("none.json"), input, "out.png").status == .failed)
    _ = try recipe(
      #"{"version": 1, "inputs": [], "steps": [{"noise": {"seed": 1, "in": "sRGB"}}]}"#)
    #expect(
      run("run", path).complaint
        == "colorloom: “\(path)” needs 1 file: to write the result; got 0.")
    _ = try recipe(grade)
    let few = run("run", path, input)
    #expect(few.status == .misused)
    #expect(
      few.errors == [
        "colorloom: “\(path)” needs 2 files: input, and to write the result; got 1."
      ])
    #expect(run("plan", path, input, input).status == .misused)
    _ = try recipe(
      #"{"version": 1, "inputs": ["a", "b"], "steps": [{"from": ["a", "b"], "layer": {}}]}"#)
    let two = run("convert", input, folder.path("out.png"), "--recipe", path)
    #expect(two.status == .misused)
    #expect(!FileManager.default.fileExists(atPath: folder.path("out.png")))
  }
}
