import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Options that cannot have an effect are refused before anything is written.
@Suite struct OptionEffectTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let photo = TestPictures.codes(as: UInt8.self, PixelSize(12, 8), channels: .rgb)
    try ImageFile.write(.uint8(photo), to: folder.path("in.png"))
    try Data(#"{"version": 1, "steps": ["invert"]}"#.utf8)
      .write(to: URL(filePath: folder.path("recipe.json")))
  }

  /// Runs a command whose words with a file extension are files in the folder.
  private func tool(_ words: [String]) -> Transcript {
    run(
      words.map { word in
        let endings = [".png", ".jpg", ".tif", ".bmp", ".exr", ".npy", ".json", ".icc"]
        return endings.contains { word.hasSuffix($0) } ? folder.path(word) : word
      })
  }

  private func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.path(name))
  }

  // MARK: Kinds of files

  @Test(arguments: [
    (["--quality", "50"], ["o.jpg"], ["o.png", "o.tif", "o.exr", "o.npy"]),
    (
      ["--min-quality", "5", "--max-bytes", "20k"], ["o.jpg"], ["o.png", "o.tif", "o.exr", "o.npy"]
    ),
    (["--chroma", "420"], ["o.jpg"], ["o.png", "o.tif", "o.exr"]),
    (["--progressive"], ["o.jpg"], ["o.png", "o.tif", "o.exr"]),
    (["--lossless"], [], ["o.png", "o.jpg", "o.tif", "o.exr"]),
    (["--resolution", "300"], ["o.png", "o.jpg", "o.tif", "o.bmp"], ["o.exr", "o.npy"]),
    (["--compression", "lzw"], ["o.tif"], ["o.png", "o.jpg", "o.exr"]),
    (["--compression", "none"], ["o.tif", "o.exr"], ["o.png", "o.jpg"]),
    (["--effort", "9"], ["o.png", "o.tif", "o.exr"], ["o.jpg", "o.npy"]),
    (["--effort", "9", "--compression", "none"], [], ["o.tif", "o.exr"]),
    (["--effort", "9", "--compression", "lzw"], [], ["o.tif"]),
    (["--colors", "16"], ["o.png"], ["o.jpg", "o.tif", "o.exr", "o.npy"]),
    (["--dither", "ordered"], ["o.png", "o.jpg", "o.tif"], ["o.exr", "o.npy"]),
    (["--dither", "ordered", "--samples", "float"], [], ["o.tif"]),
  ])
  func fileOptionsNeedAFileThatUsesThem(
    option: [String], used: [String], unused: [String]
  ) throws {
    let words = ["convert", "in.png"]
    for output in used {
      let transcript = tool(words + [output, "--to", "srgb-linear"] + option)
      #expect(transcript.status == .done, "\(output): \(transcript.errors)")
    }
    for output in unused where !used.contains(output) {
      try? FileManager.default.removeItem(atPath: folder.path(output))
      for more in [[], ["--plan"]] {
        let transcript = tool(words + [output, "--to", "srgb-linear"] + option + more)
        #expect(transcript.status == .misused, "\(output) \(option)")
        let typed = option.prefix(2).joined(separator: " ")
        #expect(transcript.complaint.contains("“\(typed)” is for "), "\(transcript.errors)")
        #expect(transcript.complaint.contains("“\(folder.path(output))” is "))
      }
      #expect(!exists(output))
    }
  }

  @Test func theErrorNamesEveryFormatWithAResolution() {
    let complaint = tool(["convert", "in.png", "o.npy", "--resolution", "300"]).complaint
    let formats = ImageFileFormat.all.filter { $0.metadataKinds.contains(.resolution) }
    #expect(formats.contains(.bmp))
    for format in formats {
      #expect(complaint.contains(format.name), "\(format.name): \(complaint)")
    }
  }

  @Test func theFormatCountsBeforeTheExtension() {
    let words = ["convert", "in.png", "o.png", "--progressive"]
    #expect(tool(words + ["--format", "jpg"]).status == .done)
    #expect(tool(words + ["--format", "png"]).status == .misused)
  }

  @Test func oneOfManyFilesSuffices() throws {
    let words = ["variants", "in.png", "--quality", "40", "--wide"]
    #expect(tool(words + ["w.jpg", "--narrow", "n.png"]).status == .done)
    let refused = tool(words + ["w.png", "--narrow", "n.tif"])
    #expect(refused.status == .misused && !exists("w.png"))

    #expect(tool(["convert", "in.png", "in.jpg"]).status == .done)
    let many = ["convert", folder.path("in.png"), folder.path("in.jpg"), "--quality", "40"]
    #expect(run(many + ["--out", folder.path("{name}-{ext}.{ext}")]).status == .done)
    #expect(exists("in-png.png") && exists("in-jpg.jpg"))
    let none = run(many + ["--out", folder.path("{name}-{ext}-2.png")])
    #expect(none.status == .misused && none.errors.count == 1, "\(none.errors)")
    #expect(!exists("in-png-2.png"))
  }

  // MARK: Other options

  @Test(arguments: [
    (["compare", "in.png", "in.png", "--samples", "u8"], "“--difference”"),
    (["compare", "in.png", "in.png", "--quality", "5"], "“--difference”"),
    (["compare", "in.png", "in.png", "--format", "png"], "“--difference”"),
    (["convert", "in.png", "o.png", "--kernel", "box"], "“--resize”"),
    (["convert", "in.png", "o.jpg", "--min-quality", "5"], "“--max-bytes”"),
    (["convert", "in.png", "o.png", "--shrink-on-load"], "“--resize”"),
    (["highlight", "in.png", "o.png", "--metric", "2000"], "“--tolerance”"),
    (["proof", "in.png", "o.png", "--on", "p.icc", "--tolerance", "3"], "“--warn”"),
    (["canary", "check", "in.png", "--size", "96x32"], "“make”"),
    (["canary", "check", "in.png", "--quality", "5"], "“make”"),
    (["canary", "make", "o.png", "--assume", "p3"], "“check”"),
    (["canary", "Ma-ke", "o.png", "--assume", "p3"], "“check”"),
    (["inspect", "p.icc", "--reference", "p3"], "“--plot”"),
    (["develop", "in.png", "o.png", "--columns", "2"], "“--contact-sheet”"),
    (["plan", "recipe.json", "--measure"], "“--cost”"),
    (["plan", "recipe.json", "--assume", "p3"], "“IN”"),
    (["verify", "recipe.json", "--assume", "p3"], "“IN”"),
    (["stream", "in.png", "o.png", "--size", "4x4"], "“--raw”"),
  ])
  func optionsNameWhatTheyNeed(words: [String], needed: String) {
    let transcript = tool(words)
    #expect(transcript.status == .misused && transcript.errors.count == 1)
    #expect(transcript.complaint.contains("has no effect without "), "\(transcript.errors)")
    #expect(transcript.complaint.contains(needed), "\(transcript.errors)")
    #expect(!exists("o.png"))
  }

  @Test(arguments: [
    (["highlight", "in.png", "o.png", "--mask", "--tint", "blue"], "--tint", "--mask"),
    (["inspect", "in.png", "--scan", "--plot", "o.png"], "--plot", "--scan"),
    (["inspect", "in.png", "--scan", "--limit", "300"], "--limit", "--scan"),
    (
      ["inspect", "in.png", "--scan", "--extract-profile", "o.png"], "--scan", "--extract-profile"
    ),
    (["plan", "recipe.json", "--dot", "--cost"], "--dot", "--cost"),
    (["highlight", "in.png", "--plan", "--count"], "--count", "--plan"),
    (["filters", "--markdown", "--json"], "--markdown", "--json"),
    (["filters", "exposure", "--markdown"], "--markdown", "NAME"),
    (["plan", "recipe.json", "--json", "--dot"], "--dot", "--json"),
    (
      [
        "develop", "in.png", "o.png", "--film-base", ".8,.7,.6", "--film-base-region", "0,0,2x2",
      ],
      "--film-base", "--film-base-region"
    ),
  ])
  func optionsThatExcludeEachOther(words: [String], first: String, second: String) {
    let transcript = tool(words)
    #expect(transcript.status == .misused)
    let sentence = "“\(first)” and “\(second)” cannot both have an effect."
    #expect(transcript.complaint.contains(sentence), "\(transcript.errors)")
    #expect(!exists("o.png"))
  }

  @Test func neededOptionsAreEnough() {
    for words in [
      ["compare", "in.png", "in.png", "--samples", "u8", "--difference", "o.png"],
      ["compare", "in.png", "in.png", "--json"],
      ["convert", "in.png", "o.png", "--kernel", "box", "--resize", "4x4"],
      ["convert", "in.png", "o.png", "--kernel=box", "--fit=to=4x4"],
      ["canary", "make", "o.png", "--size", "96x32", "--json"],
      ["canary", "ma-ke", "o.png", "--size", "96x32", "--quality", "90", "--format", "jpg"],
      ["canary", "make", "o.png", "--size", "96x32"],
      ["canary", "check", "o.png", "--assume", "p3", "--json"],
      ["plan", "recipe.json", "--size", "8x6"],
      ["plan", "recipe.json", "in.png", "--assume", "p3"],
    ] {
      let transcript = tool(words)
      #expect(transcript.status == .done, "\(words): \(transcript.errors)")
    }
  }

  /// These pictures are opaque and made without a source.
  @Test(arguments: [
    ["montage", "in.png", "--out", "o.png"], ["canary", "make", "o.png"],
    ["compare", "in.png", "in.png", "--difference", "o.png"],
  ])
  func opaquePicturesHaveNoBackgroundAndNothingToStrip(words: [String]) {
    for option in [["--background", "red"], ["--strip"]] {
      let refused = tool(words + option)
      #expect(refused.status == .misused && !exists("o.png"))
      #expect(refused.complaint.contains("has no option “\(option[0])”"), "\(refused.errors)")
    }
  }

  @Test(arguments: ["h.png", "t.spi3d", "t.3dl"])
  func titlesAreForLooksThatHoldOne(name: String) {
    let path = folder.path(name)
    let refused = run("look", "bake", path, "--exposure", "0.5", "--title", "Foo")
    #expect(refused.status == .misused && !exists(name))
    #expect(refused.complaint.contains("holds no title"), "\(refused.errors)")
    let cube = folder.path("t.cube")
    #expect(run("look", "bake", cube, "--exposure", "0.5", "--title", "Foo").status == .done)
  }

  @Test func sizesInNamesNeedSizes() {
    let refused = tool(["variants", "in.png", "--wide", "w-{size}.png", "--narrow", "n.png"])
    #expect(refused.status == .misused && !exists("w-{size}.png"))
    #expect(refused.complaint.contains("Add --sizes"), "\(refused.errors)")
  }

  @Test func planSizesAreForMissingPictures() {
    let refused = tool(["plan", "recipe.json", "in.png", "--size", "8x6"])
    #expect(refused.status == .misused && refused.complaint.contains("“--size 8x6”"))
  }

  @Test func profilesHaveNoPages() throws {
    for words in [["--page", "2"], ["--assume", "p3"]] {
      let refused = tool(["inspect", "p.icc"] + words)
      #expect(refused.status == .misused && refused.complaint.contains("need a picture"))
    }
  }

  @Test func verbsWithoutFilesShrinkNoneOnLoad() {
    #expect(tool(["triangle", "o.png", "--fit", "9", "--shrink-on-load"]).status == .misused)
    #expect(tool(["convert", "in.png", "o.png", "--fit", "9", "--shrink-on-load"]).status == .done)
  }
}
