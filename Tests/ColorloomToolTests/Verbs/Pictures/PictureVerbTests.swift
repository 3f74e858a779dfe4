import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ICCProfiles
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// The verbs that create and inspect pictures.
@Suite struct PictureVerbTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func triangleIsPainted() throws {
    for (word, mixing) in [("linear", TriangleMixing.light), ("encoded", .encoded)] {
      #expect(
        run(
          "triangle", folder.path("t.png"), "--interpolate", word, "--space", "p3", "--size",
          "40x30"
        ).status == .done)
      let expected = Picture.triangle(
        top: ColorPoint(1, 0, 0, in: .displayP3), left: ColorPoint(0, 1, 0, in: .displayP3),
        right: ColorPoint(0, 0, 1, in: .displayP3), mixing: mixing, in: .displayP3,
        size: PixelSize(40, 30))
      #expect(try folder.bitmap("t.png") == expected.render())
    }
    #expect(run("triangle", folder.path("t.png"), "--space", "lab").status == .misused)
  }

  @Test func wideColorsAreHighlighted() throws {
    let source = TestPictures.codes(as: UInt16.self, in: .rec2020, channels: .rgb)
    try ImageFile.write(.uint16(source), to: folder.path("in.png"))
    let (input, output) = (folder.path("in.png"), folder.path("out.png"))
    #expect(run("highlight", input, output, "--outside", "p3", "--exposure", "-1").status == .done)
    #expect(
      try folder.bitmap("out.png")
        == Picture(source).gamutMask(outside: .displayP3).exposure(-1).render())
  }

  @Test func numbersAreDithered() throws {
    let source = TestPictures.codes(as: UInt16.self, channels: .rgb)
    try ImageFile.write(.uint16(source), to: folder.path("in.png"))
    for (name, dither) in [
      ("ordered", Dither.ordered), ("noise", .blueNoise), ("diffusion", .errorDiffusion),
      ("triangular", .triangularNoise),
    ] {
      let run = run(
        "convert", folder.path("in.png"), folder.path("out.png"), "--samples", "u8", "--dither",
        name)
      #expect(run.status == .done)
      guard case .uint8(let bitmap) = try ImageFile.read(folder.path("out.png")) else {
        Issue.record("The file has no 8-bit samples.")
        return
      }
      #expect(try bitmap == source.converted(to: UInt8.self, dither: dither))
    }
  }

  @Test func cornersMayBeWiderThanTheSpace() throws {
    let words = ["--corners", "p3", "--size", "40x30", "--interpolate", "encoded"]
    #expect(run(["triangle", folder.path("t.png")] + words).status == .done)
    let expected = Picture.triangle(
      top: ColorPoint(1, 0, 0, in: .displayP3), left: ColorPoint(0, 1, 0, in: .displayP3),
      right: ColorPoint(0, 0, 1, in: .displayP3), mixing: .encoded, in: .sRGB,
      size: PixelSize(40, 30))
    #expect(try folder.bitmap("t.png") == expected.render())
    #expect(run("triangle", folder.path("t.png"), "--corners", "lab").status == .misused)
  }

  @Test func wideColorsAreMarkedAndCounted() throws {
    let source = Bitmap<UInt16>(PixelSize(4, 2), in: .displayP3, channels: .rgb) { x, _ in
      x == 0 ? [0, 65535, 0] : [20_000, 20_000, 20_000]
    }
    try ImageFile.write(.uint16(source), to: folder.path("in.png"))
    let (input, output) = (folder.path("in.png"), folder.path("out.png"))
    let tinted = run("highlight", input, output, "--tint", "blue", "--count")
    #expect(
      tinted.output.contains(
        "2 of 8 pixels outside of sRGB, tolerance: half a code of 16 bits in Display P3"))
    let blue = ColorPoint(0, 0, 1, in: .sRGB)
    #expect(
      try folder.bitmap("out.png")
        == Picture(source).gamutMask(outside: .sRGB, marking: .tintOutside(blue)).render())
    #expect(
      run("highlight", input, output, "--mask", "--metric", "2000", "--tolerance", "3").status
        == .done)
    #expect(
      try folder.bitmap("out.png")
        == Picture(source).gamutMask(
          outside: .sRGB, tolerance: 3, metric: .difference(.ciede2000()), marking: .mask
        ).render())
    #expect(run("highlight", input, output, "--tolerance", "-1").status == .misused)
    #expect(run("highlight", input, output, "--tolerance", "1e7").status == .misused)
    #expect(run("highlight", input, output, "--tint", "blurple").status == .misused)
    #expect(run("highlight", input, "--count").complaint.contains("Name one after “\(input)”"))
  }

  @Test func printsAreProofed() throws {
    let source = Bitmap<UInt16>(PixelSize(4, 2), in: .displayP3, channels: .rgb) { x, _ in
      x == 0 ? [0, 65535, 0] : [20_000, 30_000, 20_000]
    }
    try ImageFile.write(.uint16(source), to: folder.path("in.png"))
    let profile = try ICCProfile(describing: .sRGB)
    let path = folder.path("printer.icc")
    try Data(profile.bytes).write(to: URL(filePath: path))
    let (input, output) = (folder.path("in.png"), folder.path("out.png"))
    #expect(run("proof", input, output, "--on", path).status == .done)
    #expect(try folder.bitmap("out.png") == Picture(source).softProof(on: profile).render())
    let words = ["--on", path, "--show-paper", "--print-intent", "perceptual", "--warn", "magenta"]
    #expect(run(["proof", input, output] + words).status == .done)
    let warned = try Picture(source).softProof(
      on: profile, intent: .perceptual, appearance: .paper, warning: ColorPoint(css: "magenta"))
    #expect(try folder.bitmap("out.png") == warned.render())
    #expect(run("proof", input, output, "--on", input).status == .failed)
    #expect(run("proof", input, output).status == .misused)
    #expect(run("proof", input, output, "--on", path, "--tolerance", "-1").status == .misused)
  }

  /// Proofs compensate the black point unless asked not to, as the library and `--soft-proof` do.
  @Test func proofsCompensateTheBlackPoint() throws {
    let source = Bitmap<UInt16>(PixelSize(4, 1), in: .displayP3, channels: .rgb) { x, _ in
      [UInt16](repeating: UInt16(x) * 2000, count: 3)
    }
    try ImageFile.write(.uint16(source), to: folder.path("in.png"))
    let press = Fixtures.url("Profiles/cmyk-mft2-pale-black.icc")
    let profile = try ICCProfile(bytes: [UInt8](Data(contentsOf: press)))
    let words = ["proof", folder.path("in.png"), folder.path("out.png"), "--on", press.path]
    let (compensated, direct) = try (
      Picture(source).softProof(on: profile).render(as: UInt16.self),
      Picture(source).softProof(on: profile, blackPointCompensation: false).render(as: UInt16.self)
    )
    #expect(compensated != direct)
    #expect(run(words).status == .done)
    #expect(try folder.bitmap("out.png") == compensated)
    #expect(run(words + ["--no-print-bpc"]).status == .done)
    #expect(try folder.bitmap("out.png") == direct)
  }

  /// Only a development needs finer samples than its source has.
  @Test func samplesOfTheSourceAreKept() throws {
    let source = TestPictures.codes(as: UInt8.self, in: .displayP3, channels: .rgb)
    try ImageFile.write(.uint8(source), to: folder.path("in.png"))
    let (input, output) = (folder.path("in.png"), folder.path("out.png"))
    let profile = Fixtures.url("Profiles/cmyk-mft2.icc").path
    for (words, samples) in [
      (["highlight"], SampleFormat.uint8), (["proof", "--on", profile], .uint8),
      (["develop", "--film", "published"], .uint16),
    ] {
      #expect(run([words[0], input, output] + words.dropFirst()).status == .done)
      #expect(try ImageFile.info(output).samples == samples, "\(words)")
    }
  }

  @Test func negativesAreDevelopedAsAsked() throws {
    let negative = Fixtures.url("negative.png").path
    let output = folder.path("out.png")
    func develop(_ words: String...) throws -> Bitmap<UInt16> {
      let transcript = run(["develop", negative, output, "--fit", "90"] + words)
      #expect(transcript.status == .done, "\(transcript.errors)")
      return try folder.bitmap("out.png")
    }
    func expected(_ print: Picture) throws -> Bitmap<UInt16> {
      try print.resized(to: .fit(90, 90)).render()
    }
    let scan = try Picture(contentsOf: negative)
    #expect(try develop() == expected(scan.developed(.colorNegative())))
    #expect(try develop("--film", "gray") == expected(scan.developed(.blackAndWhite())))
    #expect(try develop("--film", "published") == expected(scan.developed(by: .published())))
    let curves = Fixtures.url("film.curves").path
    let own = try CurveDevelopment(contentsOf: curves)
    #expect(try develop("--film-curves", curves) == expected(scan.developed(by: own)))
    let border = NegativeFilm.colorNegative(
      base: .region(Region(x: 0, y: 0, width: 720, height: 9)))
    for region in ["0,0,720x9", "0,0,720,9"] {
      #expect(try develop("--film-base-region", region) == expected(scan.developed(border)))
    }
    var offset = NegativeFilm.colorNegative()
    offset.offset = [0.05, 0, 0.02]
    #expect(try develop("--film-offset", "0.05,0,0.02") == expected(scan.developed(offset)))
    #expect(
      try develop("--paper", "1.6")
        == scan.developed(.colorNegative()).resized(to: .fit(90, 90)).paperCurve(contrast: 1.6)
        .render())
    #expect(
      run("develop", negative, output, "--film", "published", "--film-offset", "0,0,0").status
        == .misused)
    #expect(run("develop", negative, output, "--film-base-region", "1,2").status == .misused)
  }

  /// Developments of linear scans are linear, and 8 bits of linear values are too few.
  @Test(arguments: [
    ("out.jpg", [], true), ("out.jpg", ["--to", "srgb"], false), ("out.png", [], false),
    ("out.png", ["--samples", "u8"], true),
  ])
  func linearDevelopmentsOf8BitsAreReported(
    name: String, words: [String], isReported: Bool
  ) throws {
    let (scan, output) = (folder.path("linear.tif"), folder.path(name))
    let negative = Fixtures.url("negative.png").path
    #expect(run("convert", negative, scan, "--to", "linear-p3").status == .done)
    let transcript = run(["develop", scan, output, "--fit", "90"] + words)
    #expect(transcript.status == .done, "\(transcript.errors)")
    let note =
      "“\(output)” holds linear values in 8 bits, whose steps are visible. Write more bits (--samples uint16), or "
      + "convert to a space that is not linear, such as --to srgb."
    #expect(transcript.errors.contains(note) == isReported, "\(transcript.errors)")
  }

  @Test func canaryReportsDamage() throws {
    let (canary, narrow) = (folder.path("canary.png"), folder.path("narrow.png"))
    #expect(run("canary", "make", canary, "--samples", "u8").status == .done)
    let intact = run("canary", "check", canary)
    #expect(intact.status == .done)
    #expect(intact.output == ["\(canary): intact, wide color survived"])
    #expect(run("convert", canary, narrow, "--to", "sRGB").status == .done)
    struct Report: Decodable {
      struct Stage: Decodable {
        let file, fate: String
        let contrasts: [Double]
      }
      let stages: [Stage]
      let lostAt: String?
    }
    let clipped = run("canary", "check", canary, narrow, "--json")
    #expect(clipped.status == .failed)
    let report = try clipped.report(as: Report.self)
    #expect(report.stages.map(\.fate) == ["intact", "clipped"])
    #expect(report.stages.map(\.file) == [canary, narrow])
    #expect(report.lostAt == narrow)
    #expect(report.stages.allSatisfy { $0.contrasts.count == 3 })
    let words = run("canary", "check", canary, narrow).output
    #expect(words.last == "lost between \(canary) and \(narrow)")
    #expect(run("canary", "make", canary, narrow).status == .misused)
    let part = folder.path("part.png")
    try Picture(contentsOf: canary).cropped(to: Region(x: 0, y: 0, width: 128, height: 128))
      .write(to: part)
    #expect(
      run("canary", "check", part).output == ["\(part): not a canary, or only a part of one"])
  }

  @Test func writingOptionsAreHonored() throws {
    let path = folder.path("t.png")
    #expect(run("triangle", path, "--size", "64x64").status == .done)
    let outputs = ["30", "95"].map { folder.path("\($0).jpg") }
    for (quality, output) in zip(["30", "95"], outputs) {
      let words = ["--quality", quality, "--chroma", "422"]
      let opaque = folder.path("opaque.png")
      let source = TestPictures.codes(as: UInt8.self, PixelSize(64, 64), channels: .rgb)
      try ImageFile.write(.uint8(source), to: opaque)
      #expect(run(["convert", opaque, output] + words).status == .done)
      #expect(try ImageFile.info(output).storage.hasSuffix("chroma 4:2:2"))
    }
    let sizes = try outputs.map { try Data(contentsOf: URL(filePath: $0)).count }
    #expect(sizes[0] < sizes[1])
  }

  @Test func picturesAreInspected() throws {
    let source = Bitmap<UInt8>(PixelSize(4, 2), in: .displayP3, channels: .rgb) { x, _ in
      x == 0 ? [0, 255, 0] : [51, 51, 51]
    }
    var options = WritingOptions()
    options.metadata.xmp = Array("<x:xmpmeta/>".utf8)
    try ImageFile.write(.uint8(source), to: folder.path("in.png"), options: options)
    struct Report: Decodable {
      struct Outside: Decodable { let gamut: String, part: Double }
      struct Numbers: Decodable {
        let channel: String, minimum, mean, maximum: Double
        let histogram: [Int]?
      }
      struct Metadata: Decodable { let exifBytes, xmpBytes: Int? }
      let needsWideColor: Bool
      let metadata: Metadata
      let format, space, stated, samples, channels: String
      let width, height: Int
      let outside: [Outside]
      let numbers: [Numbers]
    }
    let report = try run("inspect", folder.path("in.png"), "--json").report(as: Report.self)
    #expect(report.format == "PNG")
    #expect(report.space == "Display P3")
    #expect(report.stated.hasPrefix("Display P3 by"))
    #expect(report.width == 4 && report.height == 2)
    #expect(report.outside.map(\.part) == [0.25, 0, 0])
    #expect(report.numbers.map(\.channel) == ["red", "green", "blue"])
    #expect(report.numbers.map(\.maximum)[1] == 1)
    let text = run("inspect", folder.path("in.png")).output.joined(separator: "\n")
    #expect(text.contains("outside of sRGB: 25.0 % of the pixels"))
    #expect(text.contains("needs wide color: yes (tolerance: half a code of"))
    #expect(report.needsWideColor)
    #expect(report.metadata.xmpBytes == 12 && report.metadata.exifBytes == nil)
    #expect(text.contains("metadata: 12 bytes of XMP"))
    let histograms = report.numbers.compactMap(\.histogram)
    #expect(histograms.map { $0[51] } == [6, 6, 6])
    #expect(histograms.map { $0[0] + $0[255] } == [2, 2, 2])
  }

  @Test func scansEndAtTheFirstOutOfGamutColor() throws {
    let source = Bitmap<UInt8>(PixelSize(4, 3), in: .displayP3, channels: .rgb) { x, y in
      x == 2 && y == 1 ? [0, 255, 0] : [51, 51, 51]
    }
    let (wide, narrow) = (folder.path("wide.png"), folder.path("narrow.png"))
    try ImageFile.write(.uint8(source), to: wide)
    try ImageFile.write(.uint8(source.tagged(as: .sRGB)), to: narrow)
    #expect(run("inspect", wide).output.contains("outside of sRGB: 8.33 % of the pixels"))
    let found = run("inspect", wide, "--scan")
    #expect(found.status == .done)
    #expect(
      found.output == [
        "\(wide): needs wide color: yes, the first is at 2, 1 "
          + "(tolerance: half a code of 8 bits in Display P3)"
      ])
    struct Scan: Decodable {
      let needsWideColor: Bool
      let tolerance: String
      let at: [Int]?
    }
    let other = run("inspect", narrow, "--scan", "--json")
    #expect(other.status == .failed)
    let report = try other.report(as: Scan.self)
    #expect(!report.needsWideColor && report.at == nil)
    #expect(report.tolerance == "half a code of 8 bits in sRGB")
  }

  @Test func profilesAreSpacesToConvertTo() throws {
    let source = TestPictures.codes(as: UInt16.self, PixelSize(20, 10), in: .displayP3)
    try ImageFile.write(.uint16(source), to: folder.path("in.png"))
    let profile = folder.path("wide.icc")
    try Data(ICCProfile(describing: .rec2020).bytes).write(to: URL(filePath: profile))
    let words = ["convert", folder.path("in.png"), folder.path("out.png"), "--to"]
    #expect(run(words + [profile]).status == .done)
    #expect(try folder.bitmap("out.png") == Picture(source).converted(to: .rec2020).render())
    try Data([1, 2, 3]).write(to: URL(filePath: profile))
    #expect(run(words + [profile]).status == .failed)
  }

  @Test func picturesShrinkOnLoadOnlyOnRequest() throws {
    let source = TestPictures.codes(as: UInt8.self, PixelSize(160, 120), channels: .rgb)
    let (input, plain, quick) = (folder.path("in.jpg"), folder.path("a.png"), folder.path("b.png"))
    try ImageFile.write(.uint8(source), to: input)
    #expect(run("convert", input, plain, "--fit", "30", "--samples", "u16").status == .done)
    #expect(
      run("convert", input, quick, "--fit", "30", "--shrink-on-load", "--samples", "u16").status
        == .done)
    let picture = try Picture(contentsOf: input)
    #expect(try folder.bitmap("a.png") == picture.resized(to: .fit(30, 30)).render())
    let reduced = picture.reduced(toAtLeast: PixelSize(60, 46))
    #expect(reduced.size == PixelSize(80, 60))
    #expect(try folder.bitmap("b.png") == reduced.resized(to: .exact(30, 23)).render())
    #expect(
      run("convert", input, plain, "--fit", "30", "--kernel", "mitchell", "--samples", "u16").status
        == .done)
    #expect(
      try folder.bitmap("a.png") == picture.resized(to: .fit(30, 30), by: .mitchell).render())
  }

  @Test func memoryIsBounded() throws {
    #expect(run("triangle", folder.path("t.png"), "--memory", "1000").status == .failed)
    #expect(!FileManager.default.fileExists(atPath: folder.path("t.png")))
    #expect(run("triangle", folder.path("t.png"), "--memory", "1000000000").status == .done)
  }

  @Test(arguments: [("1B", 1), ("3k", 3072), ("3KB", 3000), ("2KiB", 2048)])
  func memoryHasUnits(word: String, bytes: Int) throws {
    let refused = run("triangle", folder.path("t.png"), "--memory", word)
    #expect(refused.complaint.contains("the limit is \(bytes)."), "\(refused.errors)")
  }

  /// The largest number of bytes is 8 EiB less one.
  @Test(arguments: ["512m", "512MiB", "2GB", "1gib", "8388607TiB"])
  func largeMemoryHasUnits(word: String) throws {
    #expect(run("triangle", folder.path("t.png"), "--memory", word).status == .done)
  }

  @Test(arguments: ["8388608T", "0", "0GB", "GB", "-1MB", "1.5GiB", "1 GB", "512MiBs"])
  func otherWordsAreNoMemory(word: String) throws {
    let refused = run("triangle", folder.path("t.png"), "--memory", word)
    #expect(refused.status == .misused && refused.complaint.contains("such as 512MiB"))
  }

  /// The path of a small picture's file.
  private func source() throws -> String {
    let path = folder.path("in.png")
    try ImageFile.write(.uint8(TestPictures.codes(as: UInt8.self, channels: .rgb)), to: path)
    return path
  }

  @Test func defaultMemoryLimitIsAShareOfTheMachine() {
    let gigabyte = 1 << 30
    #expect(Settings.memoryBudget(ofMachineWith: 64 * gigabyte) == 8 * gigabyte)
    #expect(Settings.memoryBudget(ofMachineWith: 4 * gigabyte) == gigabyte)
    #expect(Settings.memoryBudget(ofMachineWith: gigabyte / 2) == gigabyte / 2)
  }

  private static let defaultBudget = Settings.memoryBudget(ofMachineWith: MachineMemory.bytes)

  /// Without --memory the error tells how to raise the limit.
  @Test(.enabled(if: 2 * defaultBudget < MachineMemory.bytes, "this machine has at most 2 GiB"))
  func memoryIsBoundedByDefault() throws {
    let budget = Self.defaultBudget
    // One pixel depends on the whole picture, which rotated and resized takes 76 bytes for each pixel: one and a half times the budget.
    let side = Int((Double(budget) / 50).squareRoot())
    let recipe = folder.path("recipe.json")
    try """
    {"version": 1, "steps": [{"resize": {"to": {"exact": [\(side), \(side)]}}},
      {"rotate": {"degrees": 45}}, {"resize": {"to": {"exact": [1, 1]}}}]}
    """.write(toFile: recipe, atomically: true, encoding: .utf8)
    let words = [
      "run", recipe, try source(), folder.path("out.png"), "--threads", "1", "--max-pixels",
      "\(3 * side * side)",
    ]
    let message = run(words).errors.joined()
    let needed = try #require(
      message.split(separator: "--memory ").dropFirst().first?.prefix { $0.isNumber })
    #expect(try #require(Int(needed)) > budget, "\(message)")
    #expect(message.contains("the limit is \(budget), by default"), "\(message)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("out.png")))
  }

  @Test func errorsOnTilesAndMemoryNameOptions() throws {
    let path = folder.path("t.png")
    let tiles = run("triangle", path, "--size", "4000x4000", "--tile", "1").errors.joined()
    #expect(tiles.contains("16000000 tiles") && tiles.contains("--tile"), "\(tiles)")
    let recipe = folder.path("recipe.json")
    let blurs = [String](repeating: "{\"gaussian-blur\": {\"sigma\": 10000}}", count: 8)
    try """
    {"version": 1, "steps": [{"extend": {"by": "wrapped"}}, \(blurs.joined(separator: ", ")),
      {"crop": {"to": [0, 0, 4, 4]}}]}
    """.write(toFile: recipe, atomically: true, encoding: .utf8)
    let machine = run("run", recipe, try source(), path, "--memory", "\(Int.max)").errors.joined()
    #expect(machine.contains("this process can have \(MachineMemory.bytes)"), "\(machine)")
    #expect(machine.contains("--threads") && !machine.contains("RenderOptions"), "\(machine)")
  }

  @Test func assumptionsAreReported() throws {
    let bytes = try ImageFile.encode(
      .uint8(Bitmap(PixelSize(2, 2), in: .sRGB, channels: .rgb)), as: .png)
    // The same file without the chunks that state its color; from a chunk's name on, its length and checksum are
    // removed with it.
    try Data(withoutColor(bytes)).write(to: URL(filePath: folder.path("untagged.png")))
    let input = folder.path("untagged.png")
    let refused = run("convert", input, folder.path("out.png"))
    #expect(refused.status == .failed)
    #expect(refused.errors.joined().contains("--assume sRGB"))
    let taken = run("convert", input, folder.path("out.png"), "--assume", "p3")
    #expect(taken.status == .done)
    #expect(taken.errors == ["“\(input)” is taken for Display P3, as --assume says."])
    #expect(run("info", input).output == ["\(input): 2 × 2 pixels, rgb, uint8, no color space"])
  }

  /// CMYK without a profile is interpreted by the profile of the option.
  @Test func cmykProfileCanBeAssumed() throws {
    let input = Fixtures.url("Images/cmyk-no-profile.jpg").path
    let press = Fixtures.url("Profiles/cmyk-mft2.icc").path
    let refused = run("convert", input, folder.path("out.png"))
    #expect(refused.status == .failed)
    #expect(refused.errors.joined().contains("--assume press.icc"))
    let taken = run("convert", input, folder.path("out.png"), "--to", "srgb", "--assume", press)
    #expect(taken.status == .done)
    let name = try ICCProfile(bytes: Fixtures.bytes("Profiles/cmyk-mft2.icc")).description
    #expect(
      taken.errors.first == "“\(input)” is taken for ink channels of “\(name)”, as --assume says.")
    #expect(try ImageFile.read(folder.path("out.png")).space == .sRGB)
  }

  private func withoutColor(_ png: [UInt8]) -> [UInt8] {
    var kept = Array(png[..<8])
    var start = 8
    while start < png.count {
      let length = png[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      let end = start + 12 + length
      let name = String(decoding: png[start + 4..<start + 8], as: UTF8.self)
      if ["IHDR", "IDAT", "IEND"].contains(name) { kept += png[start..<end] }
      start = end
    }
    return kept
  }

  @Test func filesOfABatchAreNotItsStandardStreams() {
    for words in [
      ["convert", "-", "out.png"], ["triangle", "-", "--format", "png"], ["info", "-"],
    ] {
      let transcript = run(words)
      #expect(transcript.status == .misused)
      #expect(transcript.errors.joined().contains("Name a file."))
    }
  }
}
