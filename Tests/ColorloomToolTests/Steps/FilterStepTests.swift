import ColorSpaces
import ColorloomTesting
import ColorloomTool
import FilterGraph
import Foundation
import ICCProfiles
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Filters of the catalog as command-line steps.
@Suite struct FilterStepTests {
  private let folder: TemporaryFolder
  private let photo = TestPictures.codes(as: UInt16.self, PixelSize(40, 30), in: .displayP3)
  private let input, output: String

  init() throws {
    folder = try TemporaryFolder()
    (input, output) = (folder.path("photo.png"), folder.path("out.tif"))
    try ImageFile.write(.uint16(photo), to: input)
    try ImageFile.write(.uint16(photo), to: folder.path("other.png"))
    try ImageFile.write(.uint16(photo), to: folder.path("third.png"))
    try Data(ICCProfile(describing: .sGray).bytes).write(
      to: URL(fileURLWithPath: folder.path("profile.icc")))
  }

  private func bitmap(at path: String) throws -> Bitmap<UInt16>? {
    if case .uint16(let bitmap) = try ImageFile.read(path) { bitmap } else { nil }
  }

  /// Splits a command line into words, respecting quotation marks.
  private func words(of command: String) -> [String] {
    command.split(separator: "'", omittingEmptySubsequences: false).enumerated()
      .flatMap { index, part in
        index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
      }
  }

  /// The sample command of each filter runs, and gives the result of a recipe with the same parameters.
  @Test(arguments: FilterCatalog.withProfiles.names) func sampleCommandsRun(name: String) throws {
    let entry = try #require(FilterCatalog.withProfiles[name])
    let text = run("filters", name).text
    guard let line = text.split(separator: "\n").first(where: { $0.contains("colorloom convert") })
    else {
      // Tables are passed as files.
      #expect(["look", "remap", "gain-map"].contains(name), "\(text)")
      return
    }
    let command = words(of: String(line)).dropFirst().map { word in
      word == "out.png"
        ? output
        : ["photo.png", "other.png", "third.png", "profile.icc"].reduce(word) {
          $0.replacingOccurrences(of: $1, with: folder.path($1))
        }
    }
    let result = run(command)
    #expect(result.status == .done, "\(command): \(result.complaint)")
    let written = try Picture(contentsOf: output)
    let sample = try #require(entry.sample)
    let inputs = try (0..<entry.inputs.lowerBound).map { _ in try Picture(contentsOf: input) }
    var expected = try entry.filter(sample, at: name).picture(of: inputs)
    if expected.isEndless {
      expected = expected.cropped(to: Region(inputs.isEmpty ? photo.size : PixelSize(400, 300)))
    }
    #expect(written.size == expected.size)
  }

  @Test func valuesArePositionalOrNamed() throws {
    let expected = try Picture(photo).contrast(1.2, pivot: 0.3).blurred(sigma: 2).render(
      as: UInt16.self)
    for steps in [
      ["--contrast", "factor=1.2,pivot=0.3", "--gaussian-blur", "2"],
      ["--contrast", "1.2,pivot=0.3", "--blur", "sigma=2"],
      ["--contrast=1.2,pivot=0.3", "--blur=2"],
    ] {
      let result = run(["convert", input, folder.path("out.png"), "--samples", "u16"] + steps)
      #expect(result.status == .done, "\(result.complaint)")
      #expect(try bitmap(at: folder.path("out.png")) == expected)
    }
  }

  /// Both filters that crop to a shape take the part that is kept.
  @Test func cropsToShapesKeepThePartThatIsNamed() throws {
    let path = folder.path("out.png")
    let picture = Picture(photo)
    for (words, expected) in [
      (["--fill", "12x20"], picture.resized(to: .fill(12, 20))),
      (["--fill", "12x20,x=0,y=0.25"], picture.resized(to: .fill(12, 20), x: 0, y: 0.25)),
      (["--resize", "fill:12x20,x=1"], picture.resized(to: .fill(12, 20), x: 1)),
      (["--aspect-crop", "16:9"], picture.cropped(toAspect: 16, 9)),
      (["--aspect-crop", "0.5,x=0"], picture.cropped(toAspect: 0.5, x: 0)),
    ] {
      let result = run(["convert", input, path, "--samples", "u16"] + words)
      #expect(result.status == .done, "\(words): \(result.complaint)")
      #expect(try bitmap(at: path) == expected.render(as: UInt16.self), "\(words)")
    }
  }

  /// Borders and sizes need no position, so that they suit pictures of any size.
  @Test func picturesAreFramedByBordersAndSizes() throws {
    let path = folder.path("out.png")
    let picture = Picture(photo)
    let white = ColorPoint(1, 1, 1, in: .sRGB)
    let whole = picture.region
    for (words, expected) in [
      (["--frame", "by=5,color=white"], picture.padded(to: whole.expanded(by: 5), with: white)),
      (
        ["--frame", "by=5,3,color=white"],
        picture.padded(to: Region(x: -5, y: -3, width: 50, height: 36), with: white)
      ),
      (
        ["--pad", "by=5,edges=mirrored"],
        picture.padded(to: whole.expanded(by: 5), edges: .mirrored)
      ),
      (["--frame", "to=50x36,color=white"], picture.padded(to: PixelSize(50, 36), with: white)),
      (["--frame", "to=[50,20],color=white"], picture.padded(to: PixelSize(50, 20), with: white)),
      (
        ["--frame", "to=50x36,color=white,x=0,y=1"],
        picture.padded(to: PixelSize(50, 36), with: white, x: 0, y: 1)
      ),
      (["--pad", "50x36,edges=wrapped"], picture.padded(to: PixelSize(50, 36), edges: .wrapped)),
      (
        ["--fit", "20x20", "--frame", "to=20x20,color=white"],
        picture.resized(to: .fit(20, 20)).padded(to: PixelSize(20, 20), with: white)
      ),
    ] {
      let result = run(["convert", input, path, "--samples", "u16"] + words)
      #expect(result.status == .done, "\(words): \(result.complaint)")
      #expect(try bitmap(at: path) == expected.render(as: UInt16.self), "\(words)")
    }
  }

  @Test func layersLieInCorners() throws {
    let (path, logo) = (folder.path("out.png"), folder.path("logo.png"))
    let layer = Picture(photo).inverted().cropped(to: Region(x: 0, y: 0, width: 9, height: 7))
    try layer.write(to: logo)
    let stored = try Picture(contentsOf: logo)
    for (words, corner) in [
      ("x=1,y=1", Offset(31, 23)), ("x=1,y=1,at=-10,-10", Offset(21, 13)), ("y=1", Offset(0, 23)),
      ("x=0.5,y=0.5", Offset(15, 11)), ("at=2,3", Offset(2, 3)), ("mode=normal", Offset(0, 0)),
    ] {
      let result = run(["convert", input, path, "--samples", "u16", "--layer", "\(logo),\(words)"])
      #expect(result.status == .done, "\(words): \(result.complaint)")
      let expected = stored.placed(at: corner).composited(onto: Picture(photo))
      #expect(try bitmap(at: path) == expected.render(as: UInt16.self), "\(words)")
    }
  }

  @Test(arguments: ["0.5", "0.5\n", "0.5\r\n\n"])
  func valuesFromFilesMayEndWithNewlines(text: String) throws {
    let file = folder.path("value.txt")
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    let path = folder.path("out.png")
    let result = run("convert", input, path, "--exposure", "stops=@\(file)", "--samples", "u16")
    #expect(result.status == .done, "\(result.complaint)")
    #expect(try bitmap(at: path) == Picture(photo).exposure(0.5).render(as: UInt16.self))
  }

  /// Each filter states its domain, in words and as JSON.
  @Test(arguments: FilterCatalog.withProfiles.names)
  func everyFilterStatesItsDomain(name: String) throws {
    let text = run("filters", name).text
    let kind = try #require(text.split(separator: "\n").first { $0.hasPrefix("Kind: ") })
    #expect(kind.contains(", in "), "\(kind)")
    struct Report: Decodable {
      let kind: String
      let domain: String?
    }
    let report: Report = try run("filters", name, "--json").report()
    #expect(report.kind == kind.dropFirst(6))
    // Channels are taken as the pictures hold them, a domain without a word in recipes.
    #expect((report.domain != nil) == (name != "channel-composite"))
  }

  @Test(arguments: [
    (
      "crop",
      "moves, adds or leaves out pixels, whose values stay as they are, in the picture's own encoding"
    ),
    ("store", "point filter: changes each pixel by itself, in the picture's own encoding"),
    ("sharpen", "a compound of other filters, in linear light, premultiplied"),
    (
      "layer",
      "takes 2 pictures, in linear light, premultiplied, or in encoded values, premultiplied, with in=SPACE"
    ),
    ("noise", "generator: makes a picture from nothing, in encoded values"),
    (
      "four-channel-mix",
      "point filter: changes each pixel by itself, in linear light, or in the domain that in=… names"
    ),
    ("convert", "point filter: changes each pixel by itself, in linear light"),
  ])
  func kindsNameTheDomain(name: String, kind: String) {
    let text = run("filters", name).text
    #expect(text.contains("\nKind: \(kind)\n"), "\(text)")
  }

  @Test(arguments: ["soft-proof", "print-distance"])
  func profilesAreFilesInExamples(name: String) {
    let text = run("filters", name).text
    #expect(
      text.contains("colorloom convert photo.png out.png --\(name) profile.icc\n"), "\(text)")
  }

  @Test func explanationsNameFilesAndOmitEmptyDefaults() {
    let look = run("filters", "look").text
    #expect(look.contains("--lut FILE  Apply a LUT file (.cube, .3dl"), "\(look)")
    #expect(look.contains("title=TEXT  the title of the look\n"), "\(look)")
    #expect(run("filters", "levels").text.contains("--levels all=0.1,0.9,1.2\n"))
    #expect(run("filters", "contrast").text.contains("default: 0.18"))
  }

  @Test func cropsOutsideOfThePictureNameBoth() {
    let result = run("convert", input, output, "--crop", "1000,1000,10x10")
    #expect(
      result.complaint.contains("1000,1000,10x10 lies outside of the picture (40 × 30 pixels)"),
      "\(result.complaint)")
  }

  @Test(arguments: [
    (["--contrast", "20"], "“--contrast.factor”: expected a number in 0.1…10, found 20."),
    (["--contrast", "much"], "“--contrast” needs NUMBER for “factor”, not “much”."),
    (["--contrast", "pivot=1"], "“--contrast” needs “factor” ("),
    (["--saturation", "nan"], "not “nan”. Meaning of “factor”: 0 makes everything gray"),
    (["--invert=density"], "light|value|density:NUMBER for “meaning”, not “density”."),
    (["--gamut-mask", "sRGB,metric=difference"], ", not “difference”."),
    (["--contrast", "1,pivto=1"], "Did you mean “pivot”?"),
    (["--contrast", "1,factor=2"], "“--contrast” states “factor” twice."),
    (["--contrats", "1"], "Did you mean “--contrast”?"),
    (["--composite"], "“--composite” needs FILE"),
    (["--blend-by-mask", "one.png"], "2 pictures"),
    (["--crop", "1,2"], "X,Y,WxH"),
    (["--lutt", "x"], "Did you mean “--lut”?"),
    (["-x"], "“convert” has no option “-x”. “colorloom"),
    (["--qqq", "x"], "“convert” has no option “--qqq”. “colorloom"),
  ])
  func errorsNameTheMistake(steps: [String], sentence: String) {
    let result = run(["convert", input, output] + steps)
    #expect(result.status == .misused)
    #expect(result.complaint.contains(sentence), "\(result.complaint)")
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  @Test func furtherInputsAreFiles() throws {
    let result = run(
      "convert", input, folder.path("out.png"), "--layer",
      "\(folder.path("other.png")),mode=screen",
      "--samples", "u16")
    #expect(result.status == .done, "\(result.complaint)")
    let expected = try Picture(photo).composited(onto: Picture(photo), by: .screen)
      .render(as: UInt16.self)
    #expect(try bitmap(at: folder.path("out.png")) == expected)
  }

  @Test func layersHaveAPosition() throws {
    let result = run(
      "convert", input, folder.path("out.png"), "--layer",
      "\(folder.path("other.png")),at=2,3,opacity=1", "--samples", "u16")
    #expect(result.status == .done, "\(result.complaint)")
    let expected = try Picture(photo).placed(at: Offset(2, 3)).composited(onto: Picture(photo))
      .render(as: UInt16.self)
    #expect(try bitmap(at: folder.path("out.png")) == expected)
  }

  @Test func furtherInputsTakeTheAssumption() throws {
    let untagged = folder.path("untagged.png")
    var options = WritingOptions()
    options.isUntagged = true
    try ImageFile.write(.uint16(photo), to: untagged, options: options)
    let words = [
      "convert", input, folder.path("out.png"), "--layer", "\(untagged),mode=screen", "--samples",
      "u16",
    ]
    #expect(run(words).complaint.contains("“\(untagged)” states no color space."))
    let result = run(words + ["--assume", "p3"])
    #expect(result.status == .done, "\(result.complaint)")
    let expected = try Picture(photo).composited(onto: Picture(photo), by: .screen)
      .render(as: UInt16.self)
    #expect(try bitmap(at: folder.path("out.png")) == expected)
  }

  /// Steps come before the two files of “variants”, and after what “run” and “triangle” make.
  @Test func verbsWithoutConversionHaveStepsToo() throws {
    let (wide, narrow) = (folder.path("wide.png"), folder.path("narrow.png"))
    let written = run(
      "variants", input, "--wide", wide, "--narrow", narrow, "--exposure", "-0.5", "--samples",
      "u16")
    #expect(written.status == .done, "\(written.complaint)")
    let darker = Picture(photo).exposure(-0.5)
    #expect(
      try bitmap(at: wide)
        == darker.fitted(into: .displayP3, by: .reducedChroma).render(as: UInt16.self))
    #expect(
      try bitmap(at: narrow)
        == darker.fitted(into: .sRGB, by: .reducedChroma).render(as: UInt16.self))
    #expect(
      run("variants", input, "--wide", wide, "--narrow", narrow, "--to", "sRGB").status == .misused)

    let (recipe, output) = (folder.path("recipe.json"), folder.path("run.png"))
    try #"{"version": 1, "steps": [{"exposure": {"stops": 1}}]}"#
      .write(toFile: recipe, atomically: true, encoding: .utf8)
    let ran = run("run", recipe, input, output, "--invert", "--samples", "u16")
    #expect(ran.status == .done, "\(ran.complaint)")
    #expect(
      try bitmap(at: output) == Picture(photo).exposure(1).inverted().render(as: UInt16.self))

    let triangle = folder.path("triangle.png")
    #expect(run("triangle", triangle, "--size", "32x32", "--monochrome").status == .done)
    let shown = try Picture(contentsOf: triangle).render(as: UInt8.self)
    #expect((0..<32).allSatisfy { shown[16, $0, 0] == shown[16, $0, 1] })
  }

  /// A verb has no two options of one name.
  @Test func optionsOfAVerbAreUnique() {
    for verb in [
      "convert", "develop", "highlight", "proof", "run", "stream", "tiles", "triangle", "variants",
    ] {
      let help = run(verb, "--help").text
      var seen: Set<Substring> = []
      let options = help.split(whereSeparator: { " \n".contains($0) }).filter { $0.hasPrefix("--") }
      // Options are at the beginning of a line, or in a list of filters.
      let lines = help.split(separator: "\n").filter { $0.hasPrefix("  --") }
      for word in lines.flatMap({ line in
        line.filter { $0 == "-" }.count > 12
          ? line.split(separator: " ") : Array(line.split(separator: " ").prefix(1))
      }) where word.hasPrefix("--") {
        #expect(seen.insert(word).inserted, "\(verb) has \(word) twice.")
      }
      #expect(!options.isEmpty)
    }
  }

  /// The reference equals the declarations. COLORLOOM_RECORD=1 writes it.
  @Test func referenceIsGenerated() throws {
    let file = Fixtures.url("../Documentation/Filters.md").standardizedFileURL
    let text = run("filters", "--markdown").text + "\n"
    if ProcessInfo.processInfo.environment["COLORLOOM_RECORD"] != nil {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }

  // MARK: A filter of another module

  /// A space that only a profile defines is written as recipes have it, in a file.
  @Test func spacesOfProfilesAreParameters() throws {
    let profile = try Data(contentsOf: Fixtures.url("Profiles/p3-gamma22-v2.icc"))
    let file = folder.path("space.json")
    try Data(#"{"profile": "\#(profile.base64EncodedString())"}"#.utf8)
      .write(to: URL(fileURLWithPath: file))
    let made = run("convert", input, output, "--noise", "seed=1,in=@\(file)")
    #expect(made.status == .done, "\(made.errors)")
    let space = try ICCProfile(bytes: Array(profile)).colorSpace()
    let expected = try Picture.noise(seed: 1, in: space).cropped(to: Region(photo.size))
      .render(as: UInt16.self, channels: .rgb)
    let written = try Picture(contentsOf: output).render(as: UInt16.self, channels: .rgb)
    #expect(written.samples == expected.samples)
    #expect(try ImageFile.info(output).profile != nil)
  }

  @Test func filtersOfOtherModulesAreSteps() throws {
    var catalog = FilterCatalog.withProfiles
    catalog.add(Duotone.self)
    let recipe =
      #"{"version": 1, "steps": [{"duotone": {"shadow": [0.1, 0, 0.2], "light": [1, 1, 0.6]}}]}"#
    try recipe.write(toFile: folder.path("recipe.json"), atomically: true, encoding: .utf8)
    let expected = try Picture(photo).applying(Duotone(shadow: [0.1, 0, 0.2], light: [1, 1, 0.6]))
      .render(as: UInt16.self)
    try Tool.$catalog.withValue(catalog) {
      let out = folder.path("out.png")
      for words in [
        ["convert", input, out, "--duotone", "shadow=0.1,0,0.2,light=1,1,0.6", "--samples", "u16"],
        ["run", folder.path("recipe.json"), input, out, "--samples", "u16"],
      ] {
        let result = run(words)
        #expect(result.status == .done, "\(result.complaint)")
        #expect(try bitmap(at: out) == expected)
      }
      #expect(run("convert", "--help").text.contains("--duotone"))
      #expect(run("filters", "duotone").text.contains("the color of white"))
      #expect(run("manual").text.contains("duotone"))
      #expect(run("completions", "bash").text.contains("--duotone"))
      let violations = FilterLaws.violations(of: try #require(catalog["duotone"]))
      #expect(violations.isEmpty, "\(violations)")
      let outside = run("convert", input, out, "--duotone", "shadow=0.1,0,3,light=1,1,0.6")
      #expect(outside.complaint.contains("0…2"), "\(outside.complaint)")
    }
  }
}

/// One color for shadows, another one for highlights: the filter of the guide for contributors.
private struct Duotone: PointFilter, RecipeFilter {
  let shadow, light: SIMD3<Double>

  init(shadow: SIMD3<Double>, light: SIMD3<Double>) throws(RecipeError) {
    (self.shadow, self.light) = (shadow, light)
    try Self.declaration.check(self)
  }

  var domain: PixelDomain { .linear }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    let weights = space.luminanceWeights
    let span = light - shadow
    program.append(
      .matrix(ColorMatrix(rows: weights * span.x, weights * span.y, weights * span.z)))
    program.append(.affine(scale: .one, offset: shadow))
  }

  static let declaration = Declaration<Duotone>(
    "duotone", "Maps luminance to a ramp between two colors.",
    Parameter(
      "shadow", \.shadow, "the color of black", unit: "linear light", in: 0...2,
      sample: [0.1, 0, 0.2]),
    Parameter(
      "light", \.light, "the color of white", unit: "linear light", in: 0...2,
      sample: [1, 0.9, 0.6])
  ) { shadow, light throws(RecipeError) in try Duotone(shadow: shadow, light: light) }
}
