import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Looks from format to format, from steps and through images.
@Suite struct LookVerbTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.path(name) }

  private let colors: [SIMD3<Double>] = [
    [0, 0, 0], [1, 1, 1], [0.2, 0.5, 0.9], [0.7, 0.1, 0.3], [0.999, 0.5, 0.001],
  ]

  private func largestDistance(_ a: Look, _ b: Look) -> Double {
    colors.reduce(0) { worst, color in larger(worst, (a(color) - b(color)).largest) }
  }

  private func table(_ size: Int) throws -> Look {
    Look(try ColorTable(size: size) { color in color * color * 0.9 + 0.05 }, title: "warm")
  }

  @Test(arguments: ["cube", "3dl", "spi3d", "csp", "clf"])
  func tablesGoThroughEveryFormat(ending: String) throws {
    let look = try table(17)
    try look.write(to: path("a.cube"))
    #expect(run("look", "convert", path("a.cube"), path("b.\(ending)")).errors.isEmpty)
    let back = try Look(contentsOf: path("b.\(ending)"))
    // A .3dl rounds to 16 bits; the others hold every float, and interpolate between them in single precision.
    #expect(largestDistance(look, back) <= (ending == "3dl" ? 0.5 / 65_535 + 1e-6 : 1e-6))
  }

  @Test(arguments: ["cube", "spi1d", "csp", "clf"])
  func curvesGoThroughEveryFormat(ending: String) throws {
    let curve = Curve.sampled(SampledCurve((0..<64).map { Float($0 * $0) / 3969 }))
    let look = Look(steps: [.curves(curve, curve, curve)])
    try look.write(to: path("b.\(ending)"))
    #expect(try largestDistance(look, Look(contentsOf: path("b.\(ending)"))) <= 1e-6)
  }

  /// A refusal says what the format holds: no 3D LUT in a .spi1d.
  @Test func refusalsSayWhatTheFormatHolds() throws {
    let decisions =
      "<ColorCorrection id=\"x\"><SOPNode><Slope>1.1 1 0.9</Slope><Offset>0 0 0</Offset>"
      + "<Power>1 1 1</Power></SOPNode></ColorCorrection>"
    try Data(decisions.utf8).write(to: URL(filePath: path("a.cc")))
    let complaint = run("look", "convert", path("a.cc"), path("b.spi1d")).complaint
    #expect(complaint.contains("a .spi1d holds a 1D LUT for each channel"), "\(complaint)")
    #expect(!complaint.contains("3D LUT"), "\(complaint)")
  }

  @Test func imagesHoldTablesToo() throws {
    let look = try table(16)
    try look.write(to: path("a.cube"))
    #expect(run("look", "convert", path("a.cube"), path("hald.png")).status == .done)
    #expect(try ImageFile.info(path("hald.png")).size == PixelSize(64, 64))
    // 16 bits a sample.
    #expect(try largestDistance(look, Look(contentsOf: path("hald.png"))) <= 0.5 / 65_535 + 1e-6)
    #expect(run("look", "convert", path("hald.png"), path("b.cube")).status == .done)
    #expect(try largestDistance(look, Look(contentsOf: path("b.cube"))) <= 0.5 / 65_535 + 1e-6)
    // A side that is asked for is baked.
    try table(10).write(to: path("c.cube"))
    let baked = run("look", "convert", path("c.cube"), path("d.png"), "--size", "25")
    #expect(baked.status == .done, "\(baked.errors)")
    #expect(baked.output.first?.contains("largest error") == true)
    #expect(try ImageFile.info(path("d.png")).size == PixelSize(125, 125))
  }

  /// A table over -0.5…4, as `DOMAIN_MIN` and `DOMAIN_MAX` state it: `color · 0.2 + 0.3`, so that those of 0…1 fit into a `.3dl`.
  private func writeWide(_ name: String) throws {
    let look = Look(
      try ColorTable(size: 9, lowest: SIMD3(repeating: -0.5), highest: SIMD3(repeating: 4)) {
        $0 * 0.2 + 0.3
      })
    try look.write(to: path(name))
  }

  @Test(arguments: ["csp", "clf"])
  func convertKeepsDomains(ending: String) throws {
    try writeWide("a.cube")
    let converted = run("look", "convert", path("a.cube"), path("b.\(ending)"))
    #expect(converted.status == .done && converted.output.isEmpty, "\(converted.text)")
    let back = run("look", "convert", path("b.\(ending)"), path("c.cube"))
    #expect(back.status == .done && back.output.isEmpty, "\(back.text)")
    let color = try Look(contentsOf: path("c.cube"))([-0.4, 2, 3.9])
    for (channel, value) in [-0.4, 2, 3.9].enumerated() {
      #expect(abs(color[channel] - value * 0.2 - 0.3) < 1e-6)
    }
  }

  /// A format without domains clips, and the error counts that.
  @Test(arguments: ["3dl", "spi3d", "png"])
  func clippedDomainsAreReported(ending: String) throws {
    try writeWide("a.cube")
    let converted = run("look", "convert", path("a.cube"), path("b.\(ending)"))
    #expect(converted.status == .done, "\(converted.errors)")
    let line = try #require(converted.output.first)
    #expect(line.hasSuffix("colors outside 0…1 are clipped: the format holds no other domain"))
    let error = line.firstMatch(of: /largest error ([0-9.]+)/).flatMap { Double($0.1) }
    #expect(error ?? 0 > 0.58, "\(line)")
  }

  /// Baked again, for a size that is asked for, a look keeps its domain where the format holds one.
  @Test func looksAreBakedOverTheirDomain() throws {
    try writeWide("a.cube")
    let baked = run("look", "convert", path("a.cube"), path("b.cube"), "--size", "5")
    #expect(baked.status == .done && !baked.text.contains("clipped"), "\(baked.text)")
    let look = try Look(contentsOf: path("b.cube"))
    #expect(look.inputBox == ColorBox(SIMD3(repeating: -0.5), SIMD3(repeating: 4)))
    // A look that clamps nothing has no domain: the table ends at 0…1.
    try Look(steps: [.decisions(try ColorDecisions(saturation: 0.5))]).write(to: path("c.cdl"))
    let graded = run("look", "convert", path("c.cdl"), path("d.cube"))
    #expect(graded.output.first?.hasSuffix("colors outside 0…1 are clipped") == true)
  }

  @Test func bakedLooksKeepTheirTitle() throws {
    let graded = Look(
      title: "night", steps: [.decisions(try ColorDecisions(saturation: 0.5))])
    try graded.write(to: path("a.cc"))
    #expect(run("look", "convert", path("a.cc"), path("b.cube"), "--size", "5").status == .done)
    #expect(try Look(contentsOf: path("b.cube")).title == "night")
    let renamed = run(
      "look", "convert", path("a.cc"), path("c.cube"), "--size", "5", "--title", "day")
    #expect(renamed.status == .done, "\(renamed.errors)")
    #expect(try Look(contentsOf: path("c.cube")).title == "day")
  }

  /// Readers of other formats than `.clf` interpolate tetrahedrally. A LUT of more than 33 grid points per side keeps them.
  @Test(arguments: [
    (2, "cube", 33), (40, "cube", 40), (40, "3dl", 65), (17, "spi3d", 33), (2, "png", 64),
  ])
  func trilinearTablesAreBaked(size: Int, ending: String, bakedSize: Int) throws {
    let table = try ColorTable(size: size, interpolation: .trilinear) { color in
      color * color.y * 0.9 + 0.05
    }
    try Look(table).write(to: path("a.clf"))
    let converted = run("look", "convert", path("a.clf"), path("b.\(ending)"))
    #expect(converted.status == .done, "\(converted.errors)")
    #expect(converted.output.first?.contains("largest error") == true)
    let back = try Look(contentsOf: path("b.\(ending)"))
    guard case .table(let baked) = back.steps.last else {
      Issue.record("\(back.steps.count) steps")
      return
    }
    #expect(baked.size == bakedSize)
    // Both interpolations differ by up to a quarter of a cell's area.
    #expect(largestDistance(Look(table), back) <= 1e-3)
  }

  /// A format of curves refuses a 3D LUT without baking it first.
  @Test func formatsOfCurvesRefuseTables() throws {
    try table(5).write(to: path("a.cube"))
    let refused = run("look", "convert", path("a.cube"), path("b.spi1d"))
    #expect(refused.status == .failed && refused.complaint.contains("the look is a 3D LUT"))
  }

  @Test func stepsAreBaked() throws {
    let baked = run("look", "bake", path("a.cube"), "--exposure", "-1", "--size", "65")
    #expect(baked.status == .done && baked.output.count == 1)
    let source = Picture(TestPictures.codes(as: UInt8.self, PixelSize(40, 30), channels: .rgb))
    let exact = try source.exposure(-1).render(as: Float.self)
    let read = try source.look(Look(contentsOf: path("a.cube"))).render(as: Float.self)
    let errors = zip(exact.samples, read.samples).map { abs($0 - $1) }
    #expect(errors.count == exact.samples.count && errors.reduce(0, larger) < 0.01)
    for words in [
      ["--gaussian-blur", "3"], ["--blur", "3"], ["--tag", "p3"], ["--store", "float16"],
      ["--resize", "8x8"], ["--noise", "1"],
    ] {
      let refused = run(["look", "bake", path("b.cube"), "--exposure", "1"] + words)
      #expect(refused.status == .misused)
      #expect(
        refused.complaint.contains("“\(words[0])” cannot be baked: a 3D LUT holds point filters"),
        "\(refused.complaint)")
    }
    #expect(!FileManager.default.fileExists(atPath: path("b.cube")))
  }

  /// As those of pictures.
  @Test func unknownFormatsToWriteAreAMisuse() throws {
    try table(10).write(to: path("a.cube"))
    for words in [
      ["look", "convert", path("a.cube"), path("b.foo")],
      ["look", "bake", path("b.foo"), "--invert"],
      ["look", "bake", path("b.foo"), "--invert", "--title", "b"],
    ] {
      let refused = run(words)
      #expect(refused.status == .misused && refused.complaint.contains("Known extensions are"))
    }
    #expect(run("look", "info", path("b.foo")).status == .failed)
  }

  @Test func foldersAreNoLooks() throws {
    let place = path("looks")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    for words in [
      ["look", "info", place], ["look", "bake", place, "--invert"], ["convert", "--lut", place],
    ] {
      let refused = run(words)
      #expect(refused.complaint.contains("“\(place)” is a folder, not a file."), "\(words)")
      #expect(refused.status == .failed)
    }
  }

  @Test func lookVerbReportsMisuseMissingFilesAndUnsuitableFormats() throws {
    try table(10).write(to: path("a.cube"))
    #expect(run("look", "convert", path("a.cube")).status == .misused)
    #expect(run("look", "info", path("none.cube")).status == .failed)
    #expect(
      run("look", "convert", path("a.cube"), path("b.cdl")).errors.first?.contains(".clf") == true)
    #expect(throws: LookFileError.self) { try table(10).write(to: path("b.3dl")) }
    let grade = run("look", "info", Fixtures.url("Looks/grade.cc").path)
    #expect(grade.text.hasSuffix("color decision list, clamped"))
    let info = run("look", "info", path("a.cube"))
    #expect(info.output == ["\(path("a.cube")): “warm” 3D LUT, 10³ grid points"])
    #expect(run("look", "info", path("a.cube"), "--json").json.count == 1)
    let rows = (0..<8).map { "\($0 & 1) \($0 >> 1 & 1) \($0 >> 2)" }.joined(separator: "\n")
    try "LUT_3D_SIZE 2\nDOMAIN_MIN 0 0 0\nDOMAIN_MAX 2 2 2\n\(rows)\n"
      .write(toFile: path("wide.cube"), atomically: true, encoding: .utf8)
    #expect(run("look", "info", path("wide.cube")).text.hasSuffix("grid points over 0.0…2.0"))
  }

  /// An option of another action is refused, and nothing is written.
  @Test func optionsOfOtherActionsAreRefused() throws {
    try table(5).write(to: path("a.cube"))
    let (info, convert) = (["info", path("a.cube")], ["convert", path("a.cube"), path("b.cube")])
    for (words, option) in [
      (info + ["--size", "7"], "--size"), (info + ["--title", "T"], "--title"),
      (info + ["--exposure", "1"], "--exposure"), (convert + ["--exposure", "3"], "--exposure"),
      (convert + ["--gaussian-blur", "3"], "--gaussian-blur"),
      (convert + ["--to", "p3"], "--to"), (convert + ["--from", "p3"], "--from"),
      (convert + ["--json"], "--json"),
      (["bake", path("b.cube"), "--exposure", "1", "--json"], "--json"),
    ] {
      let refused = run(["look"] + words)
      #expect(refused.status == .misused && refused.output.isEmpty, "\(words)")
      #expect(refused.complaint.contains("“\(option)” has no effect without"), "\(words)")
    }
    #expect(!FileManager.default.fileExists(atPath: path("b.cube")))
    #expect(run(["look"] + convert + ["--size", "4", "--title", "T"]).status == .done)
    #expect(try Look(contentsOf: path("b.cube")).title == "T")
  }

  /// The printed error is that of the file: a Hald image and a `.3dl` round entries.
  @Test(arguments: ["png", "tif", "3dl"])
  func printedErrorsIncludeRounding(ending: String) throws {
    let done = run("look", "bake", path("a.\(ending)"), "--invert")
    #expect(done.status == .done, "\(done.errors)")
    let line = try #require(done.output.first)
    let error = line.firstMatch(of: /largest error ([-0-9.e]+)/).flatMap { Double($0.1) }
    // Half a code of 16 bits, and the interpolation between entries.
    #expect(error ?? 0 > 1e-6 && error ?? 1 <= 0.5 / 65_535 + 1e-6, "\(line)")
  }

  /// A LUT over other values than 0…1 is baked over 0…1, where its entries fit.
  @Test func looksOfOtherDomainsAreBakedForIntegers() throws {
    let wide = ColorBox(SIMD3(repeating: -1), SIMD3(repeating: 2))
    try Look(
      ColorTable(size: 4, lowest: wide.lowest, highest: wide.highest) { $0 }
    ).write(to: path("a.cube"))
    let done = run("look", "convert", path("a.cube"), path("b.png"))
    #expect(done.status == .done && done.output.first?.contains("largest error") == true)
  }

  /// Files that hold no 3D LUT are refused before baking, which takes memory.
  @Test(arguments: [
    ("jpg", "PNG or TIFF"), ("ppm", "PNG or TIFF"), ("pfm", "PNG or TIFF"), ("npy", "PNG or TIFF"),
    ("spi1d", ".cube"), ("cc", ".cube"),
  ])
  func unsuitableFormatsAreRefusedBeforeBaking(ending: String, remedy: String) throws {
    let refused = run("look", "bake", path("a.\(ending)"), "--invert", "--memory", "100000")
    #expect(refused.status == .failed && refused.complaint.contains(remedy), "\(refused.errors)")
    #expect(!refused.complaint.contains("--memory"))
  }

  /// Files of integers would clip such LUTs.
  @Test(arguments: ["png", "tif", "3dl"])
  func valuesOutsideOfIntegersAreRefused(ending: String) throws {
    try Look(ColorTable(size: 4) { $0 * 1.5 }).write(to: path("a.cube"))
    let output = path("b.\(ending)")
    for words in [["convert", path("a.cube"), output], ["bake", output, "--exposure", "2"]] {
      let refused = run(["look"] + words)
      #expect(refused.status == .failed, "\(words)")
      #expect(refused.complaint.contains("stores integers for values of 0…1"), "\(words)")
    }
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  @Test func lossyImagesAreNoLooks() throws {
    try table(16).write(to: path("a.cube"))
    let output = path("b.jpg")
    for words in [["convert", path("a.cube"), output], ["bake", output, "--invert"]] {
      let refused = run(["look"] + words)
      #expect(refused.status == .failed && refused.complaint.contains("write PNG or TIFF"))
    }
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  /// Neither a Hald image nor a format of curves asks for baking where that would not help.
  @Test func refusalsSayWhatHelps() throws {
    let odd = run("look", "bake", path("a.png"), "--invert", "--size", "33")
    #expect(odd.status == .misused && odd.complaint.contains("Pass --size 36"), "\(odd.errors)")
    try Look(steps: [.decisions(try ColorDecisions(saturation: 0.5))]).write(to: path("c.cdl"))
    let curves = run("look", "convert", path("c.cdl"), path("d.spi1d"))
    #expect(curves.status == .failed && !curves.complaint.contains("bake"), "\(curves.errors)")
  }

  /// `--memory` limits reading and baking of looks, before and after the verb.
  @Test func looksKeepTheMemoryLimit() throws {
    let look = path("a.cube")
    // The entries take 431,244 bytes.
    try table(33).write(to: look)
    let input = path("in.png")
    let source = TestPictures.codes(as: UInt8.self, PixelSize(4, 4), channels: .rgb)
    try ImageFile.write(.uint8(source), to: input)
    let recipe = path("look.json")
    let text = #"{"version": 1, "inputs": ["a"], "steps": [{"look": {"file": "a.cube"}}]}"#
    try Data(text.utf8).write(to: URL(filePath: recipe))
    for words in [
      ["look", "info", look], ["look", "convert", look, path("b.csp")],
      ["look", "bake", path("b.cube"), "--exposure", "1"],
      ["convert", input, path("b.png"), "--lut", look],
      ["convert", input, path("b.png"), "--recipe", recipe],
      ["run", recipe, input, path("b.png")],
    ] {
      let refused = run(words + ["--memory", "100000"])
      #expect(refused.status == .failed, "\(words)")
      #expect(refused.complaint.contains("Pass --memory"), "\(words): \(refused.errors)")
      let done = run(["--memory", "100000000"] + words)
      #expect(done.status == .done, "\(done.errors)")
    }
  }

  /// A recipe may name a file, beside itself.
  @Test func recipesNameFiles() throws {
    try table(9).write(to: path("warm.cube"))
    let recipe = #"{"version": 1, "inputs": ["a"], "steps": [{"look": {"file": "warm.cube"}}]}"#
    try Data(recipe.utf8).write(to: URL(filePath: path("grade.json")))
    let source = TestPictures.codes(as: UInt16.self, PixelSize(20, 10), channels: .rgb)
    try ImageFile.write(.uint16(source), to: path("in.png"))
    let done = run("convert", path("in.png"), path("out.png"), "--recipe", path("grade.json"))
    #expect(done.status == .done, "\(done.errors)")
    let expected: Bitmap<UInt16> = try Picture(source).look(try table(9)).render()
    #expect(try ImageFile.read(path("out.png")).converted(to: UInt16.self) == expected)
    let curves = try Data(contentsOf: Fixtures.url("film.curves"))
    try curves.write(to: URL(filePath: path("film.curves")))
    let film = recipe.replacing("look", with: "develop-by-curves")
      .replacing("warm.cube", with: "film.curves")
    try Data(film.utf8).write(to: URL(filePath: path("film.json")))
    let developed = run("convert", path("in.png"), path("c.png"), "--recipe", path("film.json"))
    #expect(developed.status == .done, "\(developed.errors)")
    #expect(
      try ImageFile.read(path("c.png")).converted(to: UInt16.self)
        == Picture(source).developed(by: CurveDevelopment(contentsOf: path("film.curves"))).render()
    )
    let broken = recipe.replacing("warm.cube", with: "none.cube")
    try Data(broken.utf8).write(to: URL(filePath: path("grade.json")))
    let missing = run("convert", path("in.png"), path("b.png"), "--recipe", path("grade.json"))
    #expect(missing.status == .failed && missing.errors.first?.contains("none.cube") == true)
  }

  /// A 3D LUT clips outside of its domain, and the tool says so.
  @Test func stepsAreBakedOverADomain() throws {
    let words = ["look", "bake", path("a.cube"), "--exposure", "0", "--size", "5"]
    let usual = run(words)
    #expect(usual.output.first?.hasSuffix("; colors outside 0…1 are clipped") == true)
    let wide = run(words + ["--domain", "-0.5,4"])
    #expect(wide.status == .done, "\(wide.errors)")
    #expect(wide.output.first?.hasSuffix("; colors outside -0.5…4.0 are clipped") == true)
    let look = try Look(contentsOf: path("a.cube"))
    #expect(look.inputBox == ColorBox(SIMD3(repeating: -0.5), SIMD3(repeating: 4)))
    for range in ["1,0", "0", "0,nan", "0,1,2"] {
      #expect(run(words + ["--domain", range]).status == .misused, "\(range)")
    }
    // Formats without a domain refuse it.
    for ending in ["3dl", "spi3d"] {
      let refused = run(
        "look", "bake", path("b.\(ending)"), "--invert", "--size", "5", "--domain", "0,2")
      #expect(refused.status == .misused && refused.complaint.contains("“--domain”"))
    }
    let unused = run("look", "info", path("a.cube"), "--domain", "0,2")
    #expect(unused.status == .misused && unused.complaint.contains("“bake”"))
  }

  /// Of several color decision lists the first one is taken, and the tool says so.
  @Test func severalColorDecisionListsAreListed() throws {
    func correction(_ id: String) -> String {
      "<ColorCorrection id=\"\(id)\"><SatNode><Saturation>0.5</Saturation></SatNode></ColorCorrection>"
    }
    let many = (1...30).map { "shot\($0)" }
    for (name, ids) in [("one.ccc", ["a"]), ("two.ccc", ["a", "b"]), ("many.ccc", many)] {
      let text =
        "<ColorCorrectionCollection>" + ids.map(correction).joined()
        + "</ColorCorrectionCollection>"
      try Data(text.utf8).write(to: URL(filePath: path(name)))
    }
    let sentence = "the first of 2 color decision lists: “a”, “b”"
    let info = run("look", "info", path("two.ccc"))
    #expect(info.output.first?.hasSuffix("; \(sentence)") == true, "\(info.output)")
    let all = run("look", "info", path("many.ccc")).text
    #expect(many.allSatisfy { all.contains("“\($0)”") }, "\(all)")
    let json = run("look", "info", path("two.ccc"), "--json").json.joined()
    #expect(json.contains("\"ids\""), "\(json)")
    // One of them by its id, as --lut names it.
    let words = ["look", "info", "\(path("two.ccc")),id=b"]
    let chosen = run(words)
    #expect(chosen.errors.isEmpty)
    #expect(
      chosen.output == [
        "\(path("two.ccc")): “b” color decision list, clamped; one of 2 color decision lists: “a”, “b”"
      ])
    #expect(run(words + ["--json"]).json.joined().contains("\"title\":\"b\""))
    let loose = run("look", "info", "\(path("two.ccc")),id=b,style=unclamped")
    #expect(loose.text.contains("color decision list, unclamped"), "\(loose.text)")
    let unknown = run("look", "info", "\(path("two.ccc")),id=c")
    #expect(unknown.status == .failed && unknown.complaint.contains("“c”"), "\(unknown.errors)")
    let wrong = run("look", "info", path("one.ccc"), "\(path("two.ccc")),id=b,id=a")
    #expect(wrong.status == .misused && wrong.output.isEmpty)
    #expect(wrong.complaint.contains("“look info” states “id” twice."), "\(wrong.errors)")
    let converted = run("look", "convert", path("two.ccc"), path("two.clf"))
    #expect(converted.status == .done)
    #expect(converted.errors.count == 1)
    #expect(converted.errors.first?.hasPrefix("\(path("two.ccc")): \(sentence)") == true)
    let second = run("look", "convert", "\(path("two.ccc")),id=b", path("b.cc"))
    #expect(second.status == .done && second.errors.isEmpty, "\(second.errors)")
    #expect(try Look(contentsOf: path("b.cc")).title == "b")
    let gray = Bitmap<UInt8>(PixelSize(4, 4), in: .sRGB, channels: .rgb) { _, _ in [99, 99, 99] }
    try ImageFile.write(.uint8(gray), to: path("in.png"))
    for (name, isNoted) in [("two.ccc", true), ("one.ccc", false)] {
      let errors = run("convert", path("in.png"), path("\(name).png"), "--lut", path(name)).errors
      #expect(errors.count == (isNoted ? 1 : 0) && errors.allSatisfy { $0.contains(sentence) })
    }

    #expect(run("look", "info", path("one.ccc")).output.first?.contains("first of") == false)
    #expect(!run("look", "info", path("one.ccc"), "--json").json.joined().contains("ids"))
    #expect(run("look", "convert", path("one.ccc"), path("one.clf")).errors.isEmpty)
  }
}
