import Colorloom
import ColorloomTool
import Foundation
import ICCProfiles
import ImageFiles
import Testing
import _TestSupport

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// CMYK and n-color at the command line, and profiles in files.
@Suite struct InkVerbTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try ImageFile.write(
      .uint8(TestPictures.codes(as: UInt8.self, PixelSize(48, 32), in: .sRGB, channels: .rgb)),
      to: folder.path("photo.png"))
  }

  private static func press(_ name: String) -> String { Fixtures.url("Profiles/\(name).icc").path }

  /// Runs a command whose files without a folder lie in that of the test.
  private func tool(_ words: String...) -> Transcript { tool(words) }

  private func tool(_ words: [String]) -> Transcript {
    run(
      words.map { word in
        let isFile = [".png", ".tif", ".jpg", ".svg", ".icc"].contains { word.hasSuffix($0) }
        return isFile && !word.hasPrefix("/") ? folder.path(word) : word
      })
  }

  private func check(_ transcript: Transcript, _ words: String...) {
    // Resizing overshoots; how many samples that clips is no failure.
    let errors = transcript.errors.filter { !$0.hasSuffix("are clipped.") }
    #expect(transcript.status == .done && errors.isEmpty, "\(errors)")
  }

  @Test func metadataOfOpenEXRIsNamedWhereInksReplaceColors() throws {
    let input = folder.path("framed.exr")
    var options = WritingOptions()
    options.metadata.whiteLuminance = 203
    options.metadata.framing = ImageMetadata.Framing(
      dataWindow: Region(x: -4, y: -6, width: 40, height: 20),
      displayWindow: Region(PixelSize(40, 36)))
    let bitmap = Bitmap<Float16>(PixelSize(40, 20), in: .linearSRGB, channels: .rgb)
    try ImageFile.write(.float16(bitmap), to: input, options: options)
    let transcript = run("convert", input, folder.path("ink.tif"), "--to", Self.press("cmyk-mft2"))
    #expect(transcript.status == .done, "\(transcript.errors)")
    for words in ["The white luminance of “\(input)”", "The framing of “\(input)”"] {
      #expect(
        transcript.errors.contains { $0.hasPrefix(words) && $0.contains("omitted") },
        "\(transcript.errors)")
    }
  }

  @Test func infoNamesTheInkChannels() throws {
    let cmyk = run("info", Fixtures.url("Images/cmyk-profile.jpg").path)
    let line = try #require(cmyk.output.first)
    #expect(line.contains("cmyk, uint8, “") && line.hasSuffix("by its ICC profile"), "\(line)")
    let bare = run("info", Fixtures.url("Images/cmyk-no-profile.jpg").path)
    #expect(bare.status == .done)
    #expect(bare.output.first?.hasSuffix("cmyk, uint8, no profile") == true, "\(bare)")
    struct Report: Decodable {
      let channels, samples: String
      let inks: [String]?
    }
    check(tool("convert", "photo.png", "five.tif", "--to", Self.press("5clr-mft2")))
    let report: Report = try tool("info", "five.tif", "--json").report()
    #expect(report.inks?.count == 5 && report.samples == "uint8")
    #expect(report.channels.hasPrefix("5 ink channels ("))
  }

  /// CMYK and Lab are decoded to floats, and files of their colors keep the stored depth.
  @Test(arguments: [(8, SampleFormat.uint8), (16, .uint16)])
  func colorsKeepTheStoredDepth(bits: Int, stored: SampleFormat) throws {
    var inks = TestTIFF(bits: bits, samplesPerPixel: 4, kind: 5) { x, y, channel in
      [x * 20, y * 30, x * y, 10][channel]
    }
    inks.blobs[34_675] = [UInt8](try Data(contentsOf: URL(filePath: Self.press("cmyk-mft2"))))
    let lab = TestTIFF(bits: bits, kind: 8) { x, y, _ in 10 * x + y }
    let recipe = folder.path("recipe.json")
    try Data(#"{"version": 1, "steps": [{"exposure": {"stops": -1}}]}"#.utf8)
      .write(to: URL(filePath: recipe))
    let (wide, narrow) = (folder.path("wide.tif"), folder.path("narrow.tif"))
    for (name, tiff) in [("inks.tif", inks), ("lab.tif", lab)] {
      let source = folder.path(name)
      try Data(tiff.bytes).write(to: URL(filePath: source))
      #expect(run("info", source).text.contains(", \(stored), "), "\(name)")
      #expect(run("variants", source, "--wide", wide, "--narrow", narrow).status == .done)
      for path in [wide, narrow] { #expect(try ImageFile.info(path).samples == stored, "\(name)") }
      #expect(run("trace", source).text.contains("store as \(stored): "), "\(name)")
      for words in [["convert", source], ["run", recipe, source]] {
        // Steps of 8 bits are visible in linear light.
        for (space, samples) in [("srgb", stored), ("linear-srgb", .uint16)] {
          #expect(run(words + [wide, "--to", space]).status == .done)
          #expect(try ImageFile.info(wide).samples == samples, "\(name) \(words[0]) \(space)")
        }
      }
    }
  }

  @Test(arguments: ["tif", "jpg"]) func picturesAreConvertedToInks(ending: String) throws {
    let press = try ICCProfile(
      bytes: [UInt8](Data(contentsOf: URL(filePath: Self.press("cmyk-mft2")))))
    let output = "out.\(ending)"
    check(
      tool(
        "convert", "photo.png", output, "--exposure", "-0.5", "--to", Self.press("cmyk-mft2"),
        "--intent", "perceptual", "--bpc",
        ending == "jpg" ? "--quality=100" : "--compression=deflate"))
    let file = try OpenedImageFile(folder.path(output))
    #expect(file.info.profile == press)
    let found = try #require(try file.inkPicture()).render(as: .uint8)
    let expected = try Picture(contentsOf: folder.path("photo.png")).exposure(-0.5)
      .inks(
        by: press, rendering: ProfileRendering(intent: .perceptual, blackPointCompensation: true)
      ).render(as: .uint8)
    guard case .uint8(let a) = found, case .uint8(let b) = expected else {
      throw Failure("These are no bytes.")
    }
    let steps = (0..<a.size.height).flatMap { y in
      zip(a.row(y), b.row(y)).map { abs(Int($0) - Int($1)) }
    }
    // TIFF loses nothing; JPEG of quality 100 rounds its coefficients, and the test's picture is noise.
    #expect(steps.max() ?? 99 <= (ending == "tif" ? 0 : 4))
  }

  @Test func storedInksStayAsTheyAre() throws {
    check(tool("convert", "photo.png", "inks.tif", "--to", Self.press("cmyk-mft2")))
    check(tool("convert", "inks.tif", "copy.tif", "--as-stored"))
    func bytes(_ name: String) throws -> AnyBitmap {
      try #require(try OpenedImageFile(folder.path(name)).inkPicture()).render(as: .uint8)
    }
    let (inks, copy) = try (bytes("inks.tif"), bytes("copy.tif"))
    guard case .uint8(let a) = inks, case .uint8(let b) = copy else {
      throw Failure("These are no bytes.")
    }
    #expect(a == b)
    #expect(try ImageFile.info(folder.path("copy.tif")).inks?.format == .uint8)
    check(tool("convert", "inks.tif", "small.tif", "--as-stored", "--fit", "20"))
    #expect(try ImageFile.info(folder.path("small.tif")).size == PixelSize(20, 13))
    for step in [
      ["--exposure", "1"], ["--trim"], ["--frame", "to=-2,-2,9x9,color=white"],
      ["--convert", "sRGB"], ["--to", "sRGB"], ["--to", Self.press("cmyk-mft2")],
    ] {
      let colored = run(
        ["convert", folder.path("inks.tif"), folder.path("no.tif"), "--as-stored"] + step)
      #expect(colored.status == .misused)
      #expect(colored.errors.first?.contains("4 ink channels") == true, "\(colored.errors)")
    }
    let late = tool(
      "convert", "photo.png", "no.tif", "--to", Self.press("cmyk-mft2"), "--exposure", "1")
    #expect(late.status == .misused && late.errors.first?.contains("Put it last") == true)
    let png = tool("convert", "photo.png", "no.png", "--to", Self.press("cmyk-mft2"))
    #expect(png.errors.first?.contains("PNG files hold no CMYK") == true, "\(png.errors)")
    let gamut = tool(
      "convert", "photo.png", "no.tif", "--to", Self.press("cmyk-mft2"), "--gamut", "compress")
    #expect(gamut.status == .misused)
    #expect(!FileManager.default.fileExists(atPath: folder.path("no.tif")))
  }

  /// Stored ink channels are read with the messages and checks of other pictures, and take no option of conversions.
  @Test func storedInksAreCheckedAsOtherPicturesAre() throws {
    let page = TestPages.Directory(value: 7, size: 4, numbers: [256: 2, 257: 2, 262: 5, 277: 4])
    let (input, output) = (folder.path("pages.tif"), folder.path("no.tif"))
    try Data(TestPages.tiff([page, page])).write(to: URL(filePath: input))
    let first = run("convert", input, output, "--as-stored")
    #expect(first.status == .done && first.errors.count == 1)
    #expect(first.complaint.contains("It has 2 pages"), "\(first.errors)")
    #expect(run("convert", input, output, "--as-stored", "--page", "2").errors.isEmpty)
    try FileManager.default.removeItem(atPath: output)
    for (words, sentence) in [
      (["--assume", "srgb"], "has 4 ink channels"), (["--intent", "perceptual"], "“--intent”"),
      (["--bpc"], "“--bpc”"), (["--gamut", "css"], "“--gamut”"),
      (["--tone-map", "clip"], "“--tone-map”"), (["--gain-maps", "hdr"], "has no gain map"),
      (["--gain-maps", "add"], "would hold ink channels"),
    ] {
      let transcript = run(["convert", input, output, "--as-stored"] + words)
      #expect(transcript.status == .misused, "\(words)")
      #expect(transcript.complaint.contains(sentence), "\(words): \(transcript.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  @Test func filesOfInksHoldNoGainMap() throws {
    let press = Self.press("cmyk-mft2")
    let added = tool("convert", "photo.png", "no.jpg", "--to", press, "--gain-maps", "add")
    #expect(added.status == .misused)
    #expect(added.complaint.contains("would hold ink channels"), "\(added.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("no.jpg")))
    let source = Fixtures.url("Images/iso-21496-1.jpg").path
    let left = tool("convert", source, "out.jpg", "--to", press)
    #expect(left.status == .done)
    let reason = "is left out, because “\(folder.path("out.jpg"))” holds ink channels."
    #expect(left.complaint.contains("The gain map of “\(source)” \(reason)"), "\(left.errors)")
    check(tool("convert", source, "out.jpg", "--to", press, "--gain-maps", "drop"))
    let plan = tool("convert", source, "--to", press, "--plan")
    #expect(plan.complaint.contains("because the result holds ink channels."), "\(plan.errors)")
    let stored = folder.path("stored.jpg")
    try inksWithGainMap().write(to: URL(filePath: stored))
    let kept = tool("convert", stored, "out.jpg", "--as-stored")
    #expect(kept.status == .done)
    #expect(kept.complaint.contains("The gain map of “\(stored)” \(reason)"), "\(kept.errors)")
  }

  /// Returns a CMYK file with the index and the gain map of a file of colors.
  private func inksWithGainMap() throws -> Data {
    let colors = try Data(contentsOf: Fixtures.url("Images/iso-21496-1.jpg"))
    let inks = try Data(contentsOf: Fixtures.url("Images/cmyk-no-profile.jpg"))
    let index = try #require(colors.range(of: Data("MPF\0".utf8))).lowerBound
    let indexEnd = index - 2 + Int(colors[index - 2]) << 8 + Int(colors[index - 1])
    let map = try #require(colors.range(of: Data([0xFF, 0xD9, 0xFF, 0xD8]))).lowerBound + 2
    // The index states where the map begins: bytes after the end of the picture are skipped.
    let base = colors[..<indexEnd] + inks.dropFirst(2)
    try #require(base.count <= map)
    return base + Data(count: map - base.count) + colors[map...]
  }

  /// Quarter turns exchange the resolutions of ink channels, whether they are converted or keep their values.
  @Test func turnedInksExchangeTheResolution() throws {
    var options = WritingOptions()
    options.metadata.resolution = .init(horizontal: 300, vertical: 150, unit: .inch)
    let photo = TestPictures.codes(as: UInt8.self, PixelSize(48, 32), in: .sRGB, channels: .rgb)
    try ImageFile.write(.uint8(photo), to: folder.path("dense.png"), options: options)
    let press = Self.press("cmyk-mft2")
    check(tool("convert", "dense.png", "inks.tif", "--to", press))
    check(tool("convert", "dense.png", "turned.tif", "--rotate", "90", "--to", press))
    check(tool("convert", "inks.tif", "stored.tif", "--as-stored", "--rotate", "90"))
    check(tool("convert", "inks.tif", "flipped.tif", "--as-stored", "--flip"))
    for (name, ratio) in [
      ("inks.tif", 2), ("turned.tif", 0.5), ("stored.tif", 0.5), ("flipped.tif", 2),
    ] {
      let resolution = try #require(try ImageFile.info(folder.path(name)).metadata.resolution)
      // PNG counts whole pixels per metre.
      #expect(abs(resolution.horizontal / resolution.vertical / ratio - 1) < 1e-3, "\(name)")
    }
  }

  @Test func assumptionsOfOtherChannelsAreNamed() {
    check(tool("convert", "photo.png", "bare.png", "--untagged"))
    let press = tool("convert", "bare.png", "no.png", "--assume", Self.press("cmyk-mft2"))
    #expect(press.status == .misused)
    #expect(press.complaint.contains("is a profile of CMYK. Pass a space"), "\(press.errors)")
    let bare = Fixtures.url("Images/cmyk-no-profile.jpg").path
    let space = tool("convert", bare, "no.png", "--assume", "p3")
    #expect(space.status == .misused)
    #expect(
      space.complaint.contains("has 4 ink channels") && space.complaint.contains("Display P3"),
      "\(space.errors)")
  }

  @Test func extractionKeepsLinksAndModes() throws {
    let files = FileManager.default
    let (target, link) = (folder.path("old.icc"), folder.path("link.icc"))
    try Data([1]).write(to: URL(filePath: target))
    try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target)
    try files.createSymbolicLink(atPath: link, withDestinationPath: target)
    let press = Self.press("cmyk-mft2")
    check(tool("convert", "photo.png", "press.tif", "--to", press))
    check(tool("inspect", "press.tif", "--extract-profile", "link.icc"))
    #expect(try files.destinationOfSymbolicLink(atPath: link) == target)
    #expect(files.contentsEqual(atPath: target, andPath: press))
    let mode = try files.attributesOfItem(atPath: target)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func plansOfInksAreShown() {
    let plan = tool("convert", "photo.png", "--plan", "--to", Self.press("cmyk-mft2"))
    check(plan)
    #expect(plan.output.joined().contains("read as ink channels"), "\(plan.output)")
  }

  /// A plan of a file that cannot be written is refused as the file is, before any line of it is printed.
  @Test(arguments: [[], ["--json"]])
  func plansOfFilesThatCannotBeWrittenAreRefused(more: [String]) {
    let words = ["convert", "photo.png", "o.tif", "--pad", "by=3", "--to", Self.press("cmyk-mft2")]
    let (written, planned) = (tool(words), tool(words + ["--plan"] + more))
    #expect(written.status != .done && planned.status == written.status)
    #expect(planned.errors == written.errors && planned.output.isEmpty, "\(planned.output)")
  }

  // MARK: - Profiles in files

  @Test func profilesAreExtractedEmbeddedAndStripped() throws {
    let p3 = try ICCProfile(describing: .displayP3, version: .v2)
    try Data(p3.bytes).write(to: URL(filePath: folder.path("p3.icc")))
    check(tool("convert", "photo.png", "assigned.png", "--embed-profile", "p3.icc"))
    check(tool("inspect", "assigned.png", "--extract-profile", "found.icc"))
    #expect(try Data(contentsOf: URL(filePath: folder.path("found.icc"))) == Data(p3.bytes))
    // Assigning keeps values, converting keeps colors.
    guard case .uint8(let values) = try ImageFile.read(folder.path("photo.png")),
      case .uint8(let assigned) = try ImageFile.read(folder.path("assigned.png"))
    else { throw Failure("These are no bytes.") }
    #expect((0..<32).allSatisfy { y in values.row(y).elementsEqual(assigned.row(y)) })
    #expect(assigned.space == .displayP3)
    check(tool("convert", "assigned.png", "bare.jpg", "--untagged"))
    #expect(try ImageFile.info(folder.path("bare.jpg")).profile == nil)
    let none = tool("inspect", "bare.jpg", "--extract-profile", "none.icc")
    #expect(none.status == .failed && none.errors.first?.contains("has no ICC profile") == true)
    let both = tool("convert", "photo.png", "x.png", "--embed-profile", "p3.icc", "--untagged")
    #expect(both.status == .misused)
    let four = tool("convert", "photo.png", "x.png", "--embed-profile", Self.press("cmyk-mft2"))
    #expect(four.errors.first?.contains("the picture has 3 channels") == true, "\(four.errors)")
    // A file of inks takes the profile of another press.
    check(tool("convert", "photo.png", "inks.tif", "--to", Self.press("cmyk-mft2")))
    check(
      tool(
        "convert", "inks.tif", "other.tif", "--as-stored", "--embed-profile",
        Self.press("cmyk-mAB")))
    check(tool("inspect", "other.tif", "--extract-profile", "found.icc"))
    #expect(
      try Data(contentsOf: URL(filePath: folder.path("found.icc")))
        == Data(contentsOf: URL(filePath: Self.press("cmyk-mAB"))))
  }

  @Test func inspectMeasuresTheCoverage() throws {
    struct Report: Decodable {
      struct Coverage: Decodable { let maximum, mean, median, limit, partAboveLimit: Double }
      let areaCoverage: Coverage?
      let space: String?
    }
    let bare = Fixtures.url("Images/cmyk-no-profile.jpg").path
    let report: Report = try run("inspect", bare, "--limit", "150", "--json").report()
    let found = try #require(report.areaCoverage)
    #expect(found.limit == 150 && found.maximum <= 400 && found.mean > 0 && report.space == nil)
    let inks = try #require(try OpenedImageFile(bare).inkPicture())
    #expect(try found.maximum == inks.coverage().maximum)
    let lines = run("inspect", bare, "--assume", Self.press("cmyk-mft2")).output
    #expect(lines.contains { $0.hasPrefix("total area coverage: up to") })
    #expect(lines.contains { $0.hasPrefix("needs wide color") })
    #expect(run("inspect", bare, "--limit", "500").status == .misused)
    #expect(tool("inspect", "photo.png", "--limit", "300").status == .misused)
  }

  // MARK: - Plots

  @Test(arguments: ["cmyk-mft2", "5clr-mft2", "display-p3-v4", "gray-para-v4", "rgb-mft2-lab-v4"])
  func profilesArePlotted(_ name: String) throws {
    check(tool("inspect", Self.press(name), "--plot", "plot.svg"))
    let svg = try String(contentsOf: URL(filePath: folder.path("plot.svg")), encoding: .utf8)
    for label in [
      "Gamut in u′v′", "Gamut in Lab", "Lightness of each channel", "Values of neutral colors",
      "Round trip",
    ] { #expect(svg.contains(label), "\(label)") }
    let parser = XMLParser(data: Data(svg.utf8))
    #expect(parser.parse())
    check(tool("inspect", Self.press(name), "--plot", "plot.png", "--reference", "Display P3"))
    let plot = try ImageFile.read(folder.path("plot.png"))
    #expect(plot.size.width == 1560 && plot.space == .sRGB)
    let pixels = try Picture(plot).render(as: UInt8.self)
    // Something is drawn in every third of each half.
    for panel in 0..<6 {
      let (left, top) = Self.corner(ofPanel: panel, height: plot.size.height)
      let isDrawn = (top..<top + 390).contains { y in
        (left..<left + 420).contains { x in pixels[x, y, 1] < 128 }
      }
      #expect(isDrawn, "panel \(panel)")
    }
  }

  /// The upper left corner of a panel's axes, 420 × 390 pixels large, in a plot whose legends decide its height.
  private static func corner(ofPanel panel: Int, height: Int) -> (left: Int, top: Int) {
    (70 + 515 * (panel % 3), 90 + (434 + (height - 924) / 2) * (panel / 3))
  }

  /// Lines cross no name: all text is outside of the axes. The slices of the reference differ, and the last bar is named.
  @Test(arguments: ["cmyk-mft2", "5clr-mft2", "rgb-mft2-lab-v4"])
  func legendsOfPlotsAreOutsideOfTheAxes(_ name: String) throws {
    check(tool("inspect", Self.press(name), "--plot", "plot.svg", "--reference", "Display P3"))
    let svg = try String(contentsOf: URL(filePath: folder.path("plot.svg")), encoding: .utf8)
    let height = try #require(svg.firstMatch(of: /height="(\d+)"/).flatMap { Int($0.1) })
    let texts = svg.matches(of: /<text x="([\d.]+)" y="([\d.]+)" fill="(#[0-9a-f]+)"[^>]*>([^<]*)</)
    #expect(texts.count > 50)
    for text in texts {
      let (x, y) = (try #require(Double(text.1)), try #require(Double(text.2)))
      for panel in 0..<5 {
        let (left, top) = Self.corner(ofPanel: panel, height: height)
        let isInside =
          x > Double(left) && x < Double(left + 420) && y > Double(top) && y < Double(top + 390)
        #expect(!isInside, "\(text.4) in panel \(panel)")
      }
    }
    let slices = texts.filter { $0.4.hasPrefix("Display P3, L* ") }
    #expect(slices.count == 3 && Set(slices.map(\.3)).count == 3)
    #expect(texts.contains { $0.4 == "5+" })
  }

  @Test func linksHaveNoPlot() {
    let plot = tool("inspect", Self.press("link-rgb-cmyk"), "--plot", "plot.png")
    #expect(plot.status == .failed && plot.errors.first?.contains("no device") == true)
    #expect(tool("inspect", "photo.png", "--reference", "sRGB").status == .misused)
  }
}
