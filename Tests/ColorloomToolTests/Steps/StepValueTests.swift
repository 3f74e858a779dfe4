import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// The values of steps: names of parameters, files, blanks, and values that are refused.
@Suite struct StepValueTests {
  private let folder: TemporaryFolder
  private let photo = TestPictures.codes(as: UInt8.self, PixelSize(40, 30), in: .sRGB)
  private let input, output: String

  init() throws {
    folder = try TemporaryFolder()
    (input, output) = (folder.path("photo.png"), folder.path("out.png"))
    try ImageFile.write(.uint8(photo), to: input)
    try ImageFile.write(.uint8(photo), to: folder.path("other.png"))
  }

  private func convert(_ words: String...) -> Transcript {
    run(["convert", input, output] + words)
  }

  private func bytes(after words: String...) throws -> Data {
    let result = run(["convert", input, output] + words)
    #expect(result.status == .done, "\(words): \(result.complaint)")
    return try Data(contentsOf: URL(filePath: output))
  }

  /// A name such as `k1` is not taken for the value of the main parameter.
  @Test func everyParameterIsRecognizedByItsName() {
    for entry in FilterCatalog.withProfiles.entries {
      let files = Array(
        repeating: folder.path("other.png"), count: max(entry.inputs.lowerBound - 1, 0))
      for parameter in entry.parameters {
        let word = parameter.sample.flatMap(parameter.textForm.word) ?? "1"
        let value = (files + ["\(parameter.name)=\(word)"]).joined(separator: ",")
        let result = run("convert", input, "--plan", "--\(entry.name)=\(value)")
        #expect(!result.complaint.contains("“\(parameter.name)="), "\(result.complaint)")
      }
    }
    #expect(convert("--bt2446c=k1=0.8").status == .done)
  }

  @Test func flagsRefuseValues() {
    for value in ["no", "junk"] {
      for flag in ["--flip", "--flop"] {
        let result = convert("\(flag)=\(value)")
        #expect(result.status == .misused)
        #expect(
          result.complaint.contains("“\(flag)” takes no value, but “\(value)” follows it."),
          "\(result.complaint)")
      }
    }
    for words in [["--invert="], ["--flip="], ["--strip=no"], ["--flip=to=mirrored"]] {
      #expect(run(["convert", input, output] + words).status == .misused, "\(words)")
    }
  }

  @Test func blanksAroundCommasAndEqualSignsDoNotCount() throws {
    #expect(
      try bytes(after: "--contrast", "factor = 1.2, pivot = 0.18")
        == bytes(after: "--contrast", "factor=1.2,pivot=0.18"))
    #expect(
      try bytes(after: "--color-decisions=slope=1.1, 1, 0.9")
        == bytes(after: "--color-decisions=slope=1.1,1,0.9"))
    #expect(
      try bytes(after: "--crop", "2, 3, 8x6") == bytes(after: "--crop", "2,3,8x6"))
  }

  @Test func absentValuesAreRead() throws {
    #expect(
      try bytes(after: "--remap", "size=2x1,columns=3,null,rows=3,null")
        == bytes(after: "--remap", "size=2x1,columns=[3,null],rows=[3,null]"))
    #expect(
      try bytes(after: "--rotate", "degrees=5,around=null") == bytes(after: "--rotate", "5"))
    #expect(
      try bytes(after: "--rotate", "degrees=5,around=2,3") != bytes(after: "--rotate", "5"))
  }

  @Test func weightsOfDifferencesAreChecked() {
    let result = convert("--difference-map", "\(folder.path("other.png")),by=cmc:0,1")
    #expect(
      result.complaint.contains("The CMC weight of lightness must lie in 0.001…1000; got 0."),
      "\(result.complaint)")
  }

  @Test func cornersOnALineAreExplained() {
    for corners in ["0,0 1,1 2,2 3,3", "0,0 10,0 10,0 0,10"] {
      let result = convert("--perspective", corners)
      #expect(result.complaint.contains("Name corners of a convex shape"), "\(result.complaint)")
      #expect(!result.complaint.lowercased().contains("nan"), "\(result.complaint)")
    }
  }

  @Test func namedValuesAndFormerWordsAreRead() throws {
    let other = folder.path("other.png")
    for (word, value) in [("94-textiles", "cie94:2,0.048,0.014"), ("cmc-1:1", "cmc:1,1")] {
      #expect(
        try bytes(after: "--difference-map", "\(other),by=\(word)")
          == bytes(after: "--difference-map", "\(other),by=\(value)"))
    }
    let curve = "master=0,0 0.4,0.3 1,1"
    #expect(
      try bytes(after: "--grading-curves", "style=linear,bypass-logarithm=yes,\(curve)")
        == bytes(after: "--grading-curves", "style=linear,bypasses-logarithm=yes,\(curve)"))
    let twice = convert(
      "--grading-curves", "bypass-logarithm=yes,bypasses-logarithm=yes,\(curve)")
    #expect(twice.complaint.contains("states “bypasses-logarithm” twice."))
  }

  @Test(arguments: [
    "--lift-gamma-gain=gain=1,,1,,1,", "--contrast=1.2,", "--crop=0,,0,4x3", "--crop=0,0,4xx3",
    "--channel-mix=matrix=", "--exposure=0.5,", "--store=uint8,", "--convert=sRGB,", "--tag=sRGB,",
    "--gamut-mask=sRGB,", "--fit=20,",
  ])
  func doubledSeparatorsAreRefused(word: String) {
    #expect(convert(word).status == .misused)
  }

  @Test(arguments: [",", ",,mode=screen", ",mode=screen,"])
  func commasAfterFilesNeedAValue(rest: String) {
    let result = convert("--layer", folder.path("other.png") + rest)
    #expect(result.status == .misused)
    #expect(
      result.complaint.contains(
        "A comma in the value of “--layer” has nothing before or after it: “"),
      "\(result.complaint)")
  }

  @Test func filtersWithoutParametersTakeNoValue() {
    for option in ["--sobel", "--edges"] {
      let result = convert("\(option)=3")
      #expect(result.status == .misused)
      #expect(
        result.complaint.contains("“\(option)” takes no value, but “3” follows it."),
        "\(result.complaint)")
    }
    #expect(run("filters", "sobel").text.contains("Step: --sobel\n"))
    #expect(run("filters", "monochrome").text.contains("Step: --monochrome[=VALUE]\n"))
  }

  /// Like every other value, a region has the form of recipes, too.
  @Test func regionsAreReadAsLists() throws {
    #expect(try bytes(after: "--crop", "[2,3,8,6]") == bytes(after: "--crop", "2,3,8x6"))
    #expect(try bytes(after: "--pad", "to=[-2,-3,50,40]") == bytes(after: "--pad", "-2,-3,50x40"))
    #expect(convert("--crop", "[2,3,8]").status == .misused)
  }

  // MARK: Files

  @Test func curvesComeFromFiles() throws {
    let expected = try bytes(after: "--curve", "0,0 0.5,0.4 1,1")
    for (name, text) in [
      ("lines.txt", "0,0\n0.5,0.4\n1,1\n"), ("blanks.txt", "  0,0  0.5,0.4\t1,1\r\n"),
    ] {
      let file = folder.path(name)
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      #expect(try bytes(after: "--curve", "@\(file)") == expected)
      #expect(try bytes(after: "--tone-curves", "all=@\(file)") == expected)
      #expect(try bytes(after: "--curves", "@\(file)", "@\(file)", "@\(file)") == expected)
    }
    let matrix = folder.path("matrix.txt")
    try "0.8,0.1,0.1\n0,1,0\n0,0,1\n".write(toFile: matrix, atomically: true, encoding: .utf8)
    #expect(
      try bytes(after: "--channel-mix", "@\(matrix)")
        == bytes(after: "--channel-mix", "0.8,0.1,0.1 0,1,0 0,0,1"))
  }

  @Test func looksAreFilesWithAndWithoutASign() throws {
    let look = folder.path("warm.cube")
    try "LUT_1D_SIZE 2\n0 0 0\n1 0.9 0.8\n".write(toFile: look, atomically: true, encoding: .utf8)
    let expected = try bytes(after: "--lut", look)
    #expect(try bytes(after: "--lut", "@\(look)") == expected)
    #expect(try bytes(after: "--look", look) == expected)
    #expect(try bytes(after: "--look", "@\(look)") == expected)
  }

  @Test func filesOfFiltersTakeNoParametersOfTheFilter() throws {
    let look = folder.path("warm.cube")
    try "LUT_1D_SIZE 2\n0 0 0\n1 0.9 0.8\n".write(toFile: look, atomically: true, encoding: .utf8)
    for (option, file) in [("--look", look), ("--look", "@\(look)"), ("--lut", look)] {
      let result = convert(option, "\(file),title=x")
      #expect(result.status == .misused)
      #expect(
        result.complaint.contains(
          "“\(option)” takes only id, style beside a file, but “title=x” follows “\(look)”."),
        "\(result.complaint)")
    }
    try FileManager.default.copyItem(atPath: look, toPath: "\(look),title=x.cube")
    #expect(try bytes(after: "--lut", "\(look),title=x.cube") == bytes(after: "--lut", look))
  }

  /// A value that begins with a parameter's name names no file, whatever it ends with.
  @Test func parametersOfFilesAreReadByName() throws {
    let steps = #"[{"affine": {"scale": [1.1, 1, 0.9], "offset": [0, 0, 0]}}]"#
    let file = folder.path("steps.cube")
    try steps.write(toFile: file, atomically: true, encoding: .utf8)
    let expected = try bytes(after: "--look", steps)
    for option in ["--look", "--lut"] {
      #expect(try bytes(after: option, "steps=@\(file)") == expected)
      #expect(try bytes(after: option, "steps=\(steps),title=warm") == expected)
    }
  }

  @Test func namesOfFilesMayHoldCommasAndEqualSigns() throws {
    let expected = try bytes(after: "--layer", "\(folder.path("other.png")),mode=screen")
    for name in ["a,b.png", "k=v.png", "mode=x, y.png"] {
      try ImageFile.write(.uint8(photo), to: folder.path(name))
      #expect(try bytes(after: "--layer", "\(folder.path(name)),mode=screen") == expected)
      #expect(try bytes(after: "--layer", "\"\(folder.path(name))\",mode=screen") == expected)
    }
    let escaped = folder.path("a\\,b.png")
    #expect(try bytes(after: "--layer", "\(escaped),mode=screen") == expected)
    #expect(convert("--layer", "no,such.png").complaint.contains("There is no file “no”"))
    #expect(convert("--layer", "k=no.png").complaint.contains("There is no file “k=no.png”."))
  }

  /// Only as many parts are looked up as the name of a file may have: names have up to 255 bytes, paths less than 4096.
  @Test func onlyPossibleNamesOfFilesAreLookedUp() {
    for (part, count) in [("", 256), ("a", 128), ("a/", 1365), ("\\", 256)] {
      let parts = Array(repeating: part, count: 20_000)
      #expect(StepWords.greatestPartCount(of: parts[...]) <= count, "\(part)")
      #expect(StepWords.greatestPartCount(of: parts[..<9]) == 9, "\(part)")
    }
    #expect(convert("--layer", String(repeating: ",", count: 20_000)).status == .misused)
  }

  @Test func unreadableFilesAreNamedAsTyped() throws {
    let (missing, latin) = (folder.path("missing"), folder.path("latin"))
    try Data([0xE4, 0x0A]).write(to: URL(filePath: latin))
    for (words, sentence) in [
      (["--exposure", "@\(missing)"], "“\(missing)” does not exist."),
      (["--curve", "@\(missing)"], "“\(missing)” does not exist."),
      (["--recipe", missing], "“\(missing)” does not exist."),
      (["--to", "\(missing).icc"], "“\(missing).icc” does not exist."),
      (["--soft-proof", "\(missing).icc"], "“\(missing).icc” does not exist."),
      (["--exposure", "@\(folder.path(""))"], "is a folder, not a file."),
      (["--exposure", "@\(latin)"], "“\(latin)” is not text in UTF-8."),
    ] {
      let result = run(["convert", input, output] + words)
      #expect(result.status != .done)
      #expect(result.complaint.contains(sentence), "\(result.complaint)")
    }
  }

  // MARK: Steps with short forms of their own

  @Test(arguments: [
    (["--resize", "24x24,kernel=nearest"], ["--resize", "24x24", "--kernel", "nearest"]),
    (["--resize", "to=24x24"], ["--resize", "24x24"]),
    (["--resize", "to=24x24", "--kernel", "nearest"], ["--resize=24x24", "--kernel", "nearest"]),
    (["--resize", "fit:24x24"], ["--fit", "24x24"]),
    (["--resize", "scaled:0.5"], ["--resize", "20x15"]),
    (["--resize", "50%"], ["--resize", "20x15"]), (["--resize", "20x"], ["--resize", "20x15"]),
    (["--resize", "x15"], ["--resize", "20x15"]), (["--resize", "fit:20x"], ["--fit", "20"]),
    (["--resize", "20x,kernel=nearest"], ["--fit", "20", "--kernel", "nearest"]),
    (["--fit", "20x"], ["--fit", "20"]), (["--fit", "x15"], ["--fit", "20x15"]),
    (["--fit", "80x,no-enlarge"], ["--fit", "40x30"]),
    (["--fit", "x15,kernel=nearest"], ["--fit", "20", "--kernel", "nearest"]),
    (["--thumbnail", "size=20x15"], ["--thumbnail", "20x15"]),
    (["--thumbnail", "20x"], ["--fit", "20"]), (["--thumbnail", "50%"], ["--resize", "50%"]),
    (["--thumbnail", "200%"], ["--fit", "40x30"]), (["--fit", "50%"], ["--resize", "50%"]),
    (["--fit", "200%"], ["--resize", "200%"]), (["--fit", "200%,no-enlarge"], ["--fit", "40x30"]),
    (["--fit", "50%,kernel=nearest"], ["--resize", "50%", "--kernel", "nearest"]),
    (["--fill", "50%"], ["--resize", "50%"]),
    (["--fit", "20,kernel=nearest"], ["--fit", "20", "--kernel", "nearest"]),
    (["--fit", "to=20x20"], ["--fit", "20"]),
    (["--paper", "contrast=1.8"], ["--paper", "1.8"]),
    (["--paper", "1.6,gray=0.2"], ["--paper-curve", "contrast=1.6,gray=0.2"]),
    (["--curve", "all=0,0 0.5,0.4 1,1"], ["--curve", "0,0 0.5,0.4 1,1"]),
  ])
  func shortFormsTakeTheParametersOfTheirFilter(words: [String], same: [String]) throws {
    let result = run(["convert", input, output] + words)
    #expect(result.status == .done, "\(result.complaint)")
    let expected = folder.path("expected.png")
    #expect(run(["convert", input, expected] + same).status == .done)
    #expect(
      try Data(contentsOf: URL(filePath: output)) == Data(contentsOf: URL(filePath: expected)))
  }

  @Test func metricsTakeAFormulaAlone() throws {
    #expect(
      try bytes(after: "--gamut-mask", "sRGB,metric=ok,tolerance=0.02")
        == bytes(after: "--gamut-mask", "sRGB,metric=difference:ok,tolerance=0.02"))
  }

  /// `--kernel` takes the names that recipes take.
  @Test(arguments: ["lanczos5", "cubic (1, 0)", "magic kernel sharp 2021", "B-spline"])
  func kernelsHaveTheNamesOfRecipes(name: String) throws {
    #expect(
      try bytes(after: "--resize", "24x24", "--kernel", name)
        == bytes(after: "--resize", "to=24x24,kernel=\(name)"))
  }

  @Test func sidesAloneChooseTheReductionOnLoad() throws {
    let photo = TestPictures.codes(as: UInt8.self, PixelSize(64, 48), in: .sRGB, channels: .rgb)
    let source = folder.path("large.jpg")
    try ImageFile.write(.uint8(photo), to: source)
    func bytes(_ words: String...) throws -> Data {
      let steps = words + ["--samples", "u16"]
      #expect(run(["convert", source, output] + steps).status == .done, "\(words)")
      return try Data(contentsOf: URL(filePath: output))
    }
    let reduced = try bytes("--resize", "8x6", "--shrink-on-load")
    #expect(try reduced != bytes("--resize", "8x6"))
    for size in ["8x", "x6", "12.5%", "fit:8x8", "fill:8x6", "to=8x6", "scaled:0.125"] {
      #expect(try bytes("--resize", size, "--shrink-on-load") == reduced, "\(size)")
    }
    #expect(try bytes("--fit", "8x", "--shrink-on-load") == reduced)
    #expect(try bytes("--fill", "8x6", "--shrink-on-load") == reduced)
    #expect(try bytes("--fill", "6x6", "--shrink-on-load") != bytes("--fill", "6x6"))
  }

  // MARK: Errors

  @Test(arguments: [
    ("--resize", "big", "needs a size such as 2048x1365, 2048x, x1365 or 50%, not “big”"),
    ("--resize", "x", "needs a size such as 2048x1365, 2048x, x1365 or 50%, not “x”"),
    ("--resize", "0x", "“--resize 0x” has no pixels"), ("--resize", "0x4", "has no pixels"),
    ("--resize", "1x2147483648", "needs a width and a height of at most 1073741824, found 1 ×"),
    ("--resize", "[20.5,30]", "“--resize [20.5,30]” needs a whole number, found"),
    ("--resize", "0%", "“--resize 0%” is out of range. A scale is from 0.0001% to 100000000%."),
    ("--resize", "scaled:0", "The scale of a resize"),
    ("--fit", "big", "2048x1365, 2048x or x1365, or a percentage such as 50%, not “big”"),
    ("--fit", "20x,enlarge", "“--fit 20x,enlarge” has “enlarge” after the comma, where only"),
    ("--fit", "0%", "“--fit 0%” is out of range. A scale is from 0.0001% to 100000000%."),
    ("--thumbnail", "20,no-enlarge", "or a percentage such as 50%, not “20,no-enlarge”"),
    ("--fit", "0x0", "“--fit 0x0” has no pixels"), ("--fit", "2147483648", "at most 1073741824"),
  ])
  func sizesAreExplained(option: String, value: String, sentence: String) {
    let result = convert(option, value)
    #expect(result.status == .misused)
    #expect(result.complaint.contains(sentence), "\(result.complaint)")
  }

  @Test func helpNamesTheFormsOfSizes() {
    let help = run("convert", "--help").text
    #expect(help.contains("--resize \(ResizeTarget.textForm.placeholder)\n"))
    #expect(ResizeTarget.textForm.placeholder.hasPrefix("WxH|Wx|xH|N%|"))
    #expect(help.contains("--fit N|WxH|Wx|xH|N%[,no-enlarge]\n"))
  }

  /// Errors quote the beginning of a file's text, and name the file.
  @Test(arguments: ["--exposure", "--curve", "--convolution", "--color-decisions=slope"])
  func longTextsAreQuotedInPart(option: String) throws {
    let file = folder.path("long.txt")
    try String(repeating: "a", count: 3000).write(toFile: file, atomically: true, encoding: .utf8)
    let result =
      option.contains("=") ? convert("\(option)=@\(file)") : convert(option, "@\(file)")
    #expect(result.status == .failed)
    let beginning = String(repeating: "a", count: 60)
    #expect(result.complaint.contains("“\(beginning)…” in “\(file)”"), "\(result.complaint)")
    #expect(!result.complaint.contains("\(beginning)a"))
  }

  @Test func longNamesOfSpacesAreQuotedInPart() {
    let result = convert("--convert", String(repeating: "a", count: 3000))
    #expect(result.status == .misused && result.complaint.count < 300, "\(result.complaint)")
  }

  /// Direction overrides and tags would change what a terminal shows of the rest.
  @Test func invisibleCharactersAreEscaped() {
    let complaint = convert("--exposure", "\u{202E}1\u{E0001}").complaint
    #expect(complaint.contains(#"not “\u202e1\udb40\udc01”"#), "\(complaint)")
  }

  @Test(arguments: [
    ["--flatten", "transparent"], ["--solid-color", "#ff00ff80"],
    ["--frame", "to=-4,-3,48,36,color=rgb(0 0 0 / 0.5)"], ["--background", "transparent"],
  ])
  func transparentColorsAreRefused(words: [String]) {
    let result = run(["convert", input, output] + words)
    #expect(result.status == .misused)
    #expect(result.complaint.contains("has an alpha of 0"), "\(result.complaint)")
  }

  @Test(arguments: [
    (["--crop", "5,5,-3x4"], "“--crop.to”: A picture needs at least one pixel; -3 × 4 has none."),
    (["--tile", "0"], "“--tile 0” has no pixels."), (["--fit", "0"], "“--fit 0” has no pixels."),
    (["--move", "9223372036854775807,0"], "found 9223372036854775807"),
    (["--channel-mix", "matrix="], "needs R,G,B … for “matrix”, not “”"),
    (["--channel-mix", "1,0,0 0,1,0"], "expected a list of three rows, found one of 2."),
    (["--four-channel-mix", "red=1,0"], "The row of red has four weights and an offset"),
    (["--gamut-fit", "clipped"], "write --gamut-fit=clipped."),
    (["--levels", "0.1,0.9"], "write --levels=0.1,0.9."),
    (["--flip", "horizontal"], "“--flip” takes no value."),
    (["--tone-curves", "0,0 .5,.4 1,1"], "write --tone-curves='0,0 .5,.4 1,1'."),
    (["--canary", "2000000000x10"], "at most 1073741824, found 2000000000 × 10."),
    (["--fill", "20x20,x=1.5"], "“--fill.x”: expected a number in 0…1, found 1.5."),
    (["--fit", "20x20,y=0"], "The y of resize is 0: only fills crop. Leave y at 0.5,"),
    (["--fit", "20x20,x=1"], "The x of resize is 1: only fills crop. Leave x at 0.5,"),
    (["--frame", "color=white"], "“--frame” needs “to” or “by” (the region to fill"),
    (["--frame", "color=white"], "--frame (to=X,Y,WxH|WxH or by=N|X,Y),color=COLOR."),
    (["--pad", "edges=mirrored"], "--pad X,Y,WxH|WxH or by=N|X,Y."),
    (["--frame", "by=5"], "“--frame” needs “color”"),
    (["--frame", "to=9x9,by=5,color=white"], "and “by”, the width of a border; it has both."),
    (["--frame", "by=1.5,color=white"], "needs N|X,Y for “by”, not “1.5”"),
    (["--frame", "by=-5,color=white"], "“--frame.by”: expected a number in 0…1073741824, found"),
    (["--pad", "0,0,9x9,x=0"], "choose where the picture lies in a size, and there is no size."),
    (["--pad", "9"], "needs X,Y,WxH|WxH for “to”, not “9”"),
    (["--pad", "0x9"], "“--pad.to”: A picture needs at least one pixel; 0 × 9 has none."),
    (["--aspect-crop", "16:0"], "crop.ratio”: expected a number in 0.001…1000, found inf."),
    (["--aspect-crop", "16x9"], "needs W:H|NUMBER for “ratio”, not “16x9”"),
    (["--aspect-crop", "3:2,y=-1"], "“--aspect-crop.y”: expected a number in 0…1, found -1."),
  ])
  func errorsNameTheStepAndTheValue(words: [String], sentence: String) {
    let result = run(["convert", input, output] + words)
    #expect(result.status == .misused)
    #expect(result.complaint.contains(sentence), "\(result.complaint)")
  }

  /// Errors of a step's picture name the option as it was typed.
  @Test(arguments: [
    (["--transform", "[[0,0,0],[0,0,0],[0,0,1]]"], "“--transform”: The transform"),
    (["--crop", "500,500,4x4"], "“--crop”: The region 500,500,4x4 lies outside"),
    (["--variable-blur", "OTHER,OTHER,sigmas=0,2,3"], "“--variable-blur”: The number of pictures"),
    (
      ["--negative-development", "base=0.1,0.1,0.1,white=1,1,1,contrast=1,1,1"],
      "“--negative-development”: In each channel"
    ),
  ])
  func errorsOfPicturesNameTheStep(words: [String], sentence: String) {
    let words = words.map { $0.replacing("OTHER", with: folder.path("other.png")) }
    let result = run(["convert", input, output] + words)
    #expect(result.status != .done)
    #expect(result.complaint.contains(sentence), "\(result.complaint)")
  }

  /// Optional pictures are shown, and one too many is named.
  @Test func numbersOfPicturesAreExplained() {
    let other = folder.path("other.png")
    #expect(run("filters", "channel-composite").text.contains("composite FILE,FILE[,FILE]\n"))
    #expect(run("filters", "mix-blurs").text.contains("--mix-blurs FILE,FILE[,FILE…],"))
    for (words, sentence) in [
      (["--channel-composite", "\(other),\(other),\(other),\(other)"], "takes at most 3 pictures"),
      (["--layer", "\(other),\(other)"], "takes at most 1 picture beside the one it changes"),
    ] {
      let result = run(["convert", input, output] + words)
      #expect(result.status == .misused)
      #expect(result.complaint.contains(sentence), "\(result.complaint)")
      #expect(result.complaint.contains("“\(other)” is one more"), "\(result.complaint)")
    }
    let four = convert("--channel-composite", "\(other),\(other),\(other)")
    #expect(four.status == .done, "\(four.complaint)")
  }

  /// A folder whose name could be a value, or a file and a value, is no file of a step.
  @Test func foldersAreNoFilesOfSteps() throws {
    let value = "\(folder.path("other.png")),mode=screen"
    let expected = try bytes(after: "--layer", value)
    try FileManager.default.createDirectory(atPath: value, withIntermediateDirectories: true)
    #expect(try bytes(after: "--layer", value) == expected)
  }

  @Test func emptyAndFarWordsSuggestNothing() {
    let other = folder.path("other.png")
    for words in [["--layer", "\(other),mode="], ["--resample", "24x24,kernel=junk"]] {
      let result = run(["convert", input, output] + words)
      #expect(result.status == .misused)
      #expect(!result.complaint.contains("Did you mean"), "\(result.complaint)")
    }
  }

  @Test(arguments: [
    ["--white-balance", "0,0"], ["--white-balance", "0.3127,0"], ["--exposure", "200"],
    ["--saturation", "1e39"], ["--channel-mix", "1e308,0,0 0,1,0 0,0,1"],
    ["--color-decisions=slope=1e308,1,1"], ["--zone-plate", "center=1e308,0,radius=1"],
  ])
  func valuesThatMakeNoColorsAreRefused(words: [String]) {
    let result = run(["convert", input, output] + words)
    #expect(result.status == .misused)
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  /// The names of JSON do not stand in place of the forms that a command line has.
  @Test(arguments: ["7500K", "1,x", "5000,3,4"])
  func lightsOfNoFormAreRefusedByTheirForms(value: String) {
    let result = convert("--white-balance=\(value)")
    #expect(result.status == .misused)
    #expect(
      result.complaint.contains(
        "needs KELVIN|X,Y|neutral:COLOR|temperature:KELVIN,TINT for “light”, not “\(value)”"),
      "\(result.complaint)")
  }
}
