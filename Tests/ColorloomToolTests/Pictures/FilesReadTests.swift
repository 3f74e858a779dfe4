import ColorSpaces
import ColorloomTool
import Foundation
import ICCProfiles
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// No result replaces a file that an option or a step reads.
@Suite struct FilesReadTests {
  private let folder: TemporaryFolder
  private let input, layer, other, lookup, recipe, profile: String

  init() throws {
    folder = try TemporaryFolder()
    (input, layer, other) = (folder.path("in.png"), folder.path("q/in.png"), folder.path("b.png"))
    (lookup, recipe) = (folder.path("id.cube"), folder.path("r.json"))
    profile = folder.path("p3.icc")
    let files = FileManager.default
    try files.createDirectory(atPath: folder.path("q"), withIntermediateDirectories: true)
    let picture = TestPictures.codes(as: UInt8.self, PixelSize(20, 14), in: .sRGB, channels: .rgb)
    for path in [input, layer, other] { try ImageFile.write(.uint8(picture), to: path) }
    let baked = run("look", "bake", lookup, "--exposure", "0", "--size", "2")
    try #require(baked.status == .done, "\(baked.errors)")
    let steps = #"{"version": 1, "inputs": ["a"], "steps": [{"look": {"file": "id.cube"}}]}"#
    try Data(steps.utf8).write(to: URL(filePath: recipe))
    try Data(ICCProfile(describing: .displayP3).bytes).write(to: URL(filePath: profile))
  }

  /// Runs a command whose result would replace a file, and expects that it is refused and the file unchanged.
  private func expectRefusal(_ words: [String], replacing path: String) throws {
    let before = try Data(contentsOf: URL(filePath: path))
    let transcript = run(words)
    #expect(transcript.status == .misused, "\(words)")
    #expect(
      transcript.complaint.contains("would replace “\(path)”, which is read."),
      "\(words): \(transcript.complaint)")
    #expect(try Data(contentsOf: URL(filePath: path)) == before, "\(words)")
  }

  @Test func aPictureReplacesNoFileOfItsSteps() throws {
    for (path, words) in [
      (layer, ["--layer", layer]), (layer, ["--composite", "\(layer),mode=screen"]),
      (lookup, ["--lut", lookup]), (recipe, ["--recipe", recipe]), (lookup, ["--recipe", recipe]),
      (profile, ["--to", profile]), (profile, ["--assume", profile]),
      (profile, ["--tag", profile]),
      (profile, ["--embed-profile", profile]),
    ] {
      for verb in ["convert", "highlight"] {
        try expectRefusal([verb, input, path, "--format", "png"] + words, replacing: path)
      }
    }
    try expectRefusal(
      ["proof", input, profile, "--format", "png", "--on", profile], replacing: profile)
    try expectRefusal(["triangle", layer, "--layer", layer], replacing: layer)
    try expectRefusal(["look", "bake", lookup, "--lut", lookup], replacing: lookup)
  }

  /// A layer that an earlier picture replaced would change the pictures after it.
  @Test(arguments: ["1", "2"])
  func manyPicturesReplaceNoFileOfTheirSteps(threads: String) throws {
    let many = ["convert", input, other, "--threads", threads]
    let out = ["--out", folder.path("q/{name}.png")]
    try expectRefusal(many + out + ["--layer", "\(layer),mode=screen"], replacing: layer)
    #expect(!FileManager.default.fileExists(atPath: folder.path("q/b.png")))
    let sheet = ["develop", input, other, "--out", folder.path("{name}.tif")]
    try expectRefusal(sheet + ["--contact-sheet", layer, "--layer", layer], replacing: layer)
  }

  @Test func reportsAndManifestsReplaceNoFileOfSteps() throws {
    try expectRefusal(["report", input, "--out", layer, "--layer", layer], replacing: layer)
    let (wide, narrow) = (folder.path("w.png"), folder.path("n.png"))
    let variants = ["variants", input, "--narrow", narrow, "--wide"]
    try expectRefusal(variants + [layer, "--layer", layer], replacing: layer)
    try expectRefusal(
      variants + [wide, "--manifest", lookup, "--lut", lookup], replacing: lookup)
  }

  @Test func developmentsReplaceNoFileOfTheirFilm() throws {
    let film = ["--film", "c-41", "--film-from", layer]
    try expectRefusal(["develop", input, layer] + film, replacing: layer)
    let ofFolder = ["--film", "c-41", "--film-from", folder.path("q")]
    try expectRefusal(["develop", input, layer] + ofFolder, replacing: layer)
    let out = ["--out", folder.path("q/{name}.png")]
    try expectRefusal(["develop", input, other] + out + film, replacing: layer)
    try expectRefusal(
      ["develop", input, folder.path("o.png")] + film + ["--save-film", lookup, "--lut", lookup],
      replacing: lookup)
    let curves = folder.path("film.curves")
    try Data(contentsOf: Fixtures.url("film.curves")).write(to: URL(filePath: curves))
    try expectRefusal(
      ["develop", input, curves, "--format", "png", "--film-curves", curves], replacing: curves)
  }

  @Test func videosReplaceNoFileOfTheirSteps() throws {
    let video = folder.path("in.y4m")
    let frame = [UInt8](repeating: 128, count: 6)
    try Data([UInt8]("YUV4MPEG2 W2 H2 F25:1\nFRAME\n".utf8) + frame).write(
      to: URL(filePath: video))
    try expectRefusal(["stream", video, lookup, "--lut", lookup], replacing: lookup)
    #expect(run("stream", video, folder.path("o.y4m"), "--lut", lookup).status == .done)
  }

  @Test func recipesReplaceNothingThatIsRead() throws {
    try expectRefusal(["run", recipe, input, recipe, "--format", "png"], replacing: recipe)
    try expectRefusal(["run", recipe, input, lookup, "--format", "png"], replacing: lookup)
    let two = folder.path("two.json")
    let steps = """
      {"version": 1, "inputs": ["a"], "steps": [{"name": "u", "invert": {}}, {"name": "v", "invert": {}}],
       "outputs": {"x": "u", "y": "v"}}
      """
    try Data(steps.utf8).write(to: URL(filePath: two))
    let result = folder.path("o.png")
    try expectRefusal(["run", two, input, input, result], replacing: input)
    let same = run("run", two, input, result, result)
    #expect(same.status == .misused)
    #expect(
      same.complaint.contains("“x: \(result)” and “y: \(result)” name the same file."),
      "\(same.complaint)")
    #expect(run("run", two, input, result, folder.path("p.png")).status == .done)
  }

  /// A picture that is replaced by its only result may be a layer of it, too.
  @Test func onePictureIsReplacedInPlace() throws {
    for words in [["convert", input, input], ["run", recipe, input, input]] {
      let done = run(words + ["--layer", input, "--lut", lookup])
      #expect(done.status == .done, "\(done.errors)")
    }
  }
}
